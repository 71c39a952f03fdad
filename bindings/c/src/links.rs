//! The links that were found: one after the other, each with what C asks of it.

use std::ffi::{c_char, c_int, c_uint};
use std::mem::MaybeUninit;
use std::sync::Arc;
use std::task::Poll;
use std::time::{Duration, Instant};

use sift::{
    Candidates, Document, Finder, Link, LinkKind, Links, Notice, Rejected, UndecodableError,
};

#[cfg(feature = "archives")]
use crate::archives::{Archive, End, Failed, Next, Step};
use crate::border::{fail, guarded, take};
use crate::found::{Current, Finding, Found, Noticed};
use crate::settings::DEFAULT;
use crate::unit::Unit;
use crate::{LINKSIFT_NULL, LINKSIFT_PANIC, LINKSIFT_UNREADABLE, linksift_string};

/// Of `linksift_next`: there are no more.
pub const LINKSIFT_END: c_int = 0;
/// Of `linksift_next`: a link.
pub const LINKSIFT_LINK: c_int = 1;
/// Of `linksift_next`: a candidate that is no link; `LINKSIFT_REASON` says why.
pub const LINKSIFT_CANDIDATE: c_int = 2;
/// Of `linksift_next`: a member of an archive that cannot be read, or not to its end: `LINKSIFT_MEMBER` says
/// which, `LINKSIFT_REASON` why. With `LINKSIFT_ARCHIVES` and `LINKSIFT_REJECTED` alone.
pub const LINKSIFT_FAILED: c_int = 3;

/// Of `linksift_next_for`: nothing until now; ask again, or free the links.
pub const LINKSIFT_PENDING: c_int = 4;

/// Of `linksift_kind`: it has a scheme.
pub const LINKSIFT_KIND_IRI: c_int = 0;
/// Of `linksift_kind`: a host without a scheme, `example.com/x`.
pub const LINKSIFT_KIND_SCHEMELESS: c_int = 1;
/// Of `linksift_kind`: an e-mail address, with or without `mailto:`.
pub const LINKSIFT_KIND_EMAIL: c_int = 2;
/// Of `linksift_kind`: a relative reference, in markup alone.
pub const LINKSIFT_KIND_REFERENCE: c_int = 3;

/// The URI that it maps to, ASCII; none of a rejected candidate.
pub const LINKSIFT_URI: c_int = 0;
/// The IRI.
pub const LINKSIFT_IRI: c_int = 1;
/// As written, decoded.
pub const LINKSIFT_RAW: c_int = 2;
/// The host as the URI has it.
pub const LINKSIFT_HOST: c_int = 3;
/// Where it is: `text`, `a@href`, `header:list-unsubscribe` and so on.
pub const LINKSIFT_CONTEXT: c_int = 4;
/// What the input is decoded from.
pub const LINKSIFT_CHARSET: c_int = 5;
/// Why it is no link; of a rejected candidate alone.
pub const LINKSIFT_REASON: c_int = 6;
/// The codes of what a reader should know, with spaces between them.
pub const LINKSIFT_WARNINGS: c_int = 7;
/// The host that the visible text names, where it is another one.
pub const LINKSIFT_SHOWN: c_int = 8;
/// The part of the message, as IMAP numbers it.
pub const LINKSIFT_PART: c_int = 9;
/// The transfer encoding that its bytes are written in.
pub const LINKSIFT_TRANSFER: c_int = 10;
/// The Message-ID of the message, without `<>`.
pub const LINKSIFT_MESSAGE_ID: c_int = 11;
/// The document's own IRI, such as a part's Content-Location.
pub const LINKSIFT_SOURCE: c_int = 12;
/// The readable form, with a host that could deceive in ASCII.
pub const LINKSIFT_DISPLAY: c_int = 13;
/// The gravest of its findings: `note`, `suspect` or `deceptive`; absent if there are none.
pub const LINKSIFT_SEVERITY: c_int = 14;
/// The member of an archive that holds it, outermost first, steps joined by `!`; what is no UTF-8 in its name
/// is U+FFFD.
pub const LINKSIFT_MEMBER: c_int = 15;
/// The bytes of that name, if they are not UTF-8.
pub const LINKSIFT_MEMBER_BYTES: c_int = 16;

/// How many fields there are.
const FIELDS: c_int = 17;
/// The number of none.
const NO_FIELD: c_int = -1;

/// The finder that an `Arc` holds, for as long as that lives; without one, the default finder.
///
/// A `linksift_links` keeps the `Arc` beside what borrows from it, and drops it last.
pub(crate) fn lent(finder: Option<&Arc<Finder>>) -> &'static Finder {
    let Some(finder) = finder else { return &DEFAULT };
    // SAFETY: an `Arc` lends what it holds without moving it, and each caller keeps the `Arc` in the
    // object that the reference goes into, in a field that is dropped after it.
    unsafe { &*Arc::as_ptr(finder) }
}

// Most callers search a short text and ask each link for one field. What else may be asked for is therefore boxed and made
// on demand: to write and to free it would cost as much as the search.
/// Links that are being looked for.
pub struct linksift_links {
    // Before the finder: it is dropped first.
    steps: Steps,
    current: Current,
    /// Where the current one is, in the units of the text that is searched.
    place: (u64, u64),
    /// The field that was asked for first, and its text.
    first: Field,
    /// The member that failed, where that is the current step.
    #[cfg(feature = "archives")]
    failed: Option<Box<Failed>>,
    rare: Option<Box<Rare>>,
    unit: Unit,
    /// What the steps borrow from; none is needed for the default finder, which is never dropped.
    #[allow(dead_code, reason = "it is kept alive")]
    finder: Option<Arc<Finder>>,
}

/// A field that was asked for, and its text; kept, so that its memory is used again for the next link.
struct Field {
    field: c_int,
    text: Vec<u8>,
}

impl Field {
    const fn new(field: c_int) -> Field {
        Field { field, text: Vec::new() }
    }
}

/// What few callers ask for.
#[derive(Default)]
struct Rare {
    /// The fields beside the first one.
    others: Vec<Field>,
    /// The findings of the current one, once they were asked for.
    findings: Option<Vec<Finding>>,
    /// The notices so far, as far as they were asked for.
    noticed: Vec<Noticed>,
}

impl Rare {
    /// The text of a field that was not the first one.
    fn text(&mut self, field: c_int) -> &mut Vec<u8> {
        let known = self.others.iter().position(|known| known.field == field);
        let place = known.unwrap_or_else(|| {
            self.others.push(Field::new(field));
            self.others.len() - 1
        });
        &mut self.others[place].text
    }
}

/// Links alone are found faster than those with the candidates that were rejected.
enum Steps {
    Links(Links<'static, 'static>),
    Candidates(Candidates<'static, 'static>),
    /// Found by a thread.
    #[cfg(feature = "archives")]
    Archive(Archive),
}

/// How many bytes are gone through between two looks at the clock.
const STEP: usize = 64 << 10;

/// What comes next, if it comes until then; at least one step is made.
fn within<T>(until: Instant, mut next: impl FnMut(usize) -> Poll<T>) -> Poll<T> {
    loop {
        let found = next(STEP);
        if found.is_ready() || Instant::now() >= until {
            return found;
        }
    }
}

impl linksift_links {
    /// Hands one over to C. Its parts are written where C gets them: to make such an object for a short text and then to move
    /// it takes longer than the search.
    #[inline]
    fn give(
        finder: Option<Arc<Finder>>,
        unit: Unit,
        steps: impl FnOnce(&mut MaybeUninit<Steps>) -> &mut Steps,
    ) -> *mut linksift_links {
        let mut place = Box::<linksift_links>::new_uninit();
        let links = place.as_mut_ptr();
        // SAFETY: the fields are in a new allocation; each is written, and none is read or dropped before. `MaybeUninit` has the
        // layout of what it holds, and who writes the steps returns a reference to them.
        unsafe {
            steps(&mut *(&raw mut (*links).steps).cast::<MaybeUninit<Steps>>());
            (&raw mut (*links).current.link).write(None);
            (&raw mut (*links).current.rejected).write(None);
            (&raw mut (*links).place).write((0, 0));
            (&raw mut (*links).first).write(Field::new(NO_FIELD));
            #[cfg(feature = "archives")]
            (&raw mut (*links).failed).write(None);
            (&raw mut (*links).rare).write(None);
            (&raw mut (*links).unit).write(unit);
            (&raw mut (*links).finder).write(finder);
            Box::into_raw(place.assume_init())
        }
    }

    /// Of a text in UTF-8; `is_all`: with what is rejected.
    #[inline]
    pub(crate) fn of_text(
        finder: Option<Arc<Finder>>,
        text: &'static [u8],
        unit: Unit,
        is_all: bool,
    ) -> *mut linksift_links {
        let lent = lent(finder.as_ref());
        linksift_links::give(finder, unit, |place| match is_all {
            false => place.write(Steps::Links(lent.links_in(text))),
            true => place.write(Steps::Candidates(lent.candidates_in(text))),
        })
    }

    /// Of a document; `is_all`: with what is rejected.
    pub(crate) fn of_document(
        finder: Option<Arc<Finder>>,
        document: &Document<'static>,
        unit: Unit,
        is_all: bool,
    ) -> Result<*mut linksift_links, UndecodableError> {
        let candidates = lent(finder.as_ref()).document(document)?;
        let steps = match is_all {
            false => Steps::Links(candidates.links()),
            true => Steps::Candidates(candidates),
        };
        Ok(linksift_links::give(finder, unit, |place| place.write(steps)))
    }

    /// Of an archive.
    #[cfg(feature = "archives")]
    pub(crate) fn of_archive(finder: Option<Arc<Finder>>, archive: Archive) -> *mut linksift_links {
        let steps = Steps::Archive(archive);
        linksift_links::give(finder, Unit::Byte, |place| place.write(steps))
    }

    /// Goes on, until then if there is such a time.
    fn next(&mut self, until: Option<Instant>) -> c_int {
        if let Some(rare) = &mut self.rare {
            rare.findings = None;
        }
        #[cfg(feature = "archives")]
        {
            self.failed = None;
        }
        self.place = (0, 0);
        match (&mut self.steps, until) {
            // Nearly all calls. A link is large to move: it is moved once, and what is none is not moved at all.
            (Steps::Links(links), None) => match links.next() {
                Some(link) => self.current.link = Some(link),
                None => {
                    self.current.link = None;
                    return LINKSIFT_END;
                }
            },
            _ => match self.step(until) {
                Ok(found) => self.current.set(found),
                Err(code) => {
                    self.current.set(None);
                    return code;
                }
            },
        }
        let (range, code) = match self.current.get() {
            None => return LINKSIFT_END,
            Some(Ok(link)) => (link.range(), LINKSIFT_LINK),
            Some(Err(rejected)) => (rejected.range(), LINKSIFT_CANDIDATE),
        };
        self.place = self.unit.place(range);
        code
    }

    /// The next one, or the code for a step that comes to none.
    fn step(&mut self, until: Option<Instant>) -> Result<Option<Found>, c_int> {
        let found = match (&mut self.steps, until) {
            (Steps::Links(links), None) => Poll::Ready(links.next().map(Ok)),
            (Steps::Links(links), Some(until)) => {
                within(until, |bytes| links.next_within(bytes)).map(|found| found.map(Ok))
            }
            (Steps::Candidates(candidates), None) => Poll::Ready(candidates.next()),
            (Steps::Candidates(candidates), Some(until)) => {
                within(until, |bytes| candidates.next_within(bytes))
            }
            #[cfg(feature = "archives")]
            (Steps::Archive(archive), until) => match archive.next(until) {
                Next::Step(Step::Found(found)) => Poll::Ready(Some(found)),
                Next::Step(Step::Failed(failed)) => {
                    self.failed = Some(Box::new(failed));
                    return Err(LINKSIFT_FAILED);
                }
                Next::Pending => Poll::Pending,
                Next::End(End::Whole) => Poll::Ready(None),
                Next::End(End::Unreadable(reason)) => {
                    fail(reason);
                    return Err(LINKSIFT_UNREADABLE);
                }
                Next::End(End::Panic(reason)) => {
                    fail(reason);
                    return Err(LINKSIFT_PANIC);
                }
            },
        };
        match found {
            Poll::Ready(found) => Ok(found),
            Poll::Pending => Err(LINKSIFT_PENDING),
        }
    }

    /// The findings of the current one; made when they are asked for first.
    pub(crate) fn findings(&mut self) -> Option<&[Finding]> {
        let current = self.current.get()?;
        let make = || Finding::all(&current.map_or_else(Rejected::findings, Link::findings));
        Some(self.rare.get_or_insert_default().findings.get_or_insert_with(make))
    }

    /// The notices so far. What was given before stays where it is.
    pub(crate) fn noticed(&mut self) -> &[Noticed] {
        let noticed = &mut self.rare.get_or_insert_default().noticed;
        let known = noticed.len();
        let of_document = |notices: Vec<Notice>| {
            let new = notices.into_iter().skip(known);
            new.map(|notice| (String::new(), notice.code())).collect()
        };
        let new = match &self.steps {
            Steps::Links(links) => of_document(links.notices()),
            Steps::Candidates(candidates) => of_document(candidates.notices()),
            #[cfg(feature = "archives")]
            Steps::Archive(archive) => archive.noticed(known),
        };
        noticed.extend(new.into_iter().map(|(member, code)| Noticed::new(member, code)));
        noticed
    }

    /// Writes a text of the current one to the place for it; whether there is such a text.
    fn write(&mut self, field: c_int) -> Option<&mut Vec<u8>> {
        if !(0..FIELDS).contains(&field) {
            return None;
        }
        if self.first.field == NO_FIELD {
            self.first.field = field;
        }
        let out = match self.first.field == field {
            true => &mut self.first.text,
            false => self.rare.get_or_insert_default().text(field),
        };
        out.clear();
        #[cfg(feature = "archives")]
        if let Some(failed) = &self.failed {
            match field {
                LINKSIFT_MEMBER => out.extend_from_slice(failed.member.as_bytes()),
                LINKSIFT_REASON => out.extend_from_slice(failed.code.as_bytes()),
                _ => return None,
            }
            return Some(out);
        }
        let current = self.current.get()?;
        macro_rules! of_both {
            ($accessor:ident) => {
                match current {
                    Ok(link) => link.$accessor(),
                    Err(rejected) => rejected.$accessor(),
                }
            };
        }
        macro_rules! text {
            ($text:expr) => {{
                let text = $text;
                // The NUL comes after it.
                out.reserve(text.len() + 1);
                out.extend_from_slice(text.as_bytes());
            }};
        }
        match field {
            LINKSIFT_URI => text!(current.ok()?.uri()),
            LINKSIFT_IRI => text!(of_both!(iri)),
            LINKSIFT_RAW => text!(of_both!(raw)),
            LINKSIFT_HOST => text!(current.ok()?.host()?),
            LINKSIFT_CONTEXT => text!(of_both!(context)),
            LINKSIFT_CHARSET => text!(of_both!(charset)),
            LINKSIFT_REASON => text!(current.err()?.reason().code()),
            LINKSIFT_WARNINGS => {
                for warning in of_both!(warnings) {
                    if !out.is_empty() {
                        out.push(b' ');
                    }
                    out.extend_from_slice(warning.code().as_bytes());
                }
                if out.is_empty() {
                    return None;
                }
            }
            LINKSIFT_SHOWN => text!(of_both!(shown)?),
            LINKSIFT_PART => text!(of_both!(part)?),
            LINKSIFT_TRANSFER => text!(of_both!(transfer)?.as_str()),
            LINKSIFT_MESSAGE_ID => text!(of_both!(message_id)?),
            LINKSIFT_SOURCE => text!(of_both!(source)?),
            LINKSIFT_DISPLAY => text!(current.ok()?.display()),
            LINKSIFT_MEMBER => text!(of_both!(member)?),
            LINKSIFT_MEMBER_BYTES => out.extend_from_slice(of_both!(member_bytes)?),
            LINKSIFT_SEVERITY => text!(of_both!(severity)?.as_str()),
            _ => return None,
        }
        Some(out)
    }
}

/// Goes on to the next link: `LINKSIFT_LINK`, `LINKSIFT_CANDIDATE` and `LINKSIFT_FAILED` (asked for by
/// `LINKSIFT_REJECTED`), `LINKSIFT_END`, again and again at the end; `LINKSIFT_PANIC` on a defect of linksift, `LINKSIFT_NULL`
/// for NULL. Once, with `LINKSIFT_ARCHIVES` alone, `LINKSIFT_UNREADABLE` before the end, if the input itself could not be read
/// to its own: `linksift_error` says why. Texts of the link before are not valid any more.
///
/// # Safety
///
/// `links` is NULL or came from one of the functions that find, and the text that is searched is as it was.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_next(links: *mut linksift_links) -> c_int {
    guarded(LINKSIFT_PANIC, || {
        // SAFETY: by the contract of this function.
        match unsafe { links.as_mut() } {
            Some(links) => links.next(None),
            None => LINKSIFT_NULL,
        }
    })
}

/// As `linksift_next`, and `LINKSIFT_PENDING` if there is none within about so many milliseconds: for programs that do other
/// things in between, or may be told to stop, and free the links then. With 0 a short step is made.
///
/// Some documents are gone through in longer steps: a message part by part, Markdown and pages in UTF-16 as a whole. With
/// `LINKSIFT_ARCHIVES` there are none: a thread goes through them, and `linksift_links_free` ends it within milliseconds.
///
/// # Safety
///
/// As of `linksift_next`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_next_for(
    links: *mut linksift_links,
    milliseconds: c_uint,
) -> c_int {
    guarded(LINKSIFT_PANIC, || {
        // SAFETY: by the contract of this function.
        match unsafe { links.as_mut() } {
            Some(links) => {
                let until = Instant::now() + Duration::from_millis(milliseconds.into());
                links.next(Some(until))
            }
            None => LINKSIFT_NULL,
        }
    })
}

/// What `read` makes of the current link or candidate; `none` where there is none.
///
/// # Safety
///
/// `links` is NULL or came from one of the functions that find.
unsafe fn of_current<T: Copy>(
    links: *const linksift_links,
    none: T,
    read: impl FnOnce(Result<&Link<'static>, &Rejected<'static>>) -> T,
) -> T {
    guarded(none, || {
        // SAFETY: by the contract of this function.
        let Some(links) = (unsafe { links.as_ref() }) else { return none };
        links.current.get().map_or(none, read)
    })
}

/// Where the current link begins, in the units of the text that is searched; 0 if there is none.
///
/// # Safety
///
/// `links` is NULL or came from one of the functions that find.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_start(links: *const linksift_links) -> u64 {
    // SAFETY: by the contract of this function.
    unsafe { links.as_ref() }.map_or(0, |links| links.place.0)
}

/// Where the current link ends, in the units of the text that is searched; 0 if there is none.
///
/// # Safety
///
/// `links` is NULL or came from one of the functions that find.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_end(links: *const linksift_links) -> u64 {
    // SAFETY: by the contract of this function.
    unsafe { links.as_ref() }.map_or(0, |links| links.place.1)
}

/// The line of the first byte, from 1; 0 without `LINKSIFT_POSITIONS`.
///
/// # Safety
///
/// `links` is NULL or came from one of the functions that find.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_line(links: *const linksift_links) -> u64 {
    // SAFETY: by the contract of this function.
    unsafe {
        of_current(links, 0, |current| {
            let position = current.map_or_else(Rejected::position, Link::position);
            position.map_or(0, |position| position.line)
        })
    }
}

/// The byte of its line at which it begins, from 1; 0 without `LINKSIFT_POSITIONS`.
///
/// # Safety
///
/// `links` is NULL or came from one of the functions that find.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_column(links: *const linksift_links) -> u64 {
    // SAFETY: by the contract of this function.
    unsafe {
        of_current(links, 0, |current| {
            let position = current.map_or_else(Rejected::position, Link::position);
            position.map_or(0, |position| position.column)
        })
    }
}

/// What it is by the way it is written: one of `LINKSIFT_KIND_…`; `LINKSIFT_NULL` if there is none.
///
/// # Safety
///
/// `links` is NULL or came from one of the functions that find.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_kind(links: *const linksift_links) -> c_int {
    // SAFETY: by the contract of this function.
    unsafe {
        of_current(links, LINKSIFT_NULL, |current| {
            match current.map_or_else(Rejected::kind, Link::kind) {
                LinkKind::Iri => LINKSIFT_KIND_IRI,
                LinkKind::Schemeless => LINKSIFT_KIND_SCHEMELESS,
                LinkKind::Email => LINKSIFT_KIND_EMAIL,
                _ => LINKSIFT_KIND_REFERENCE,
            }
        })
    }
}

/// A text of the current link: `LINKSIFT_URI`, `LINKSIFT_RAW` and so on. It belongs to `links`, and is
/// valid until `linksift_next` or `linksift_links_free`. `data` is NULL where the link has no such text.
///
/// # Safety
///
/// `links` is NULL or came from one of the functions that find.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_get(links: *mut linksift_links, field: c_int) -> linksift_string {
    guarded(linksift_string::NONE, || {
        // SAFETY: by the contract of this function.
        let Some(links) = (unsafe { links.as_mut() }) else { return linksift_string::NONE };
        match links.write(field) {
            None => linksift_string::NONE,
            Some(text) => {
                let len = text.len();
                text.push(0);
                linksift_string { data: text.as_ptr().cast::<c_char>(), len }
            }
        }
    })
}

/// Frees links; NULL is let be.
///
/// # Safety
///
/// `links` is NULL or came from one of the functions that find, and is not used after this.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_links_free(links: *mut linksift_links) {
    // SAFETY: by the contract of this function.
    unsafe { take(links) }
}
