//! Members: where a document is inside an archive.
//!
//! Names of members: stored bytes in any charset in, text out.

use std::fmt::Write;
use std::sync::Arc;

use crate::charset::{Charset, CharsetSource, Detected};
use crate::limits;

/// Bytes of a name that are reported with every link, however many links there are.
const SHORT: usize = 128;

/// The place of a document inside an archive: names, outermost first, joined by `!`.
///
/// Inside a name `%` is written `%25`, `!` is written `%21` and a control `%XX`, so that a member can be
/// taken apart again. Otherwise names are as stored: `../x` stays. A document that is in no archive has
/// an empty one.
///
/// ```
/// let member = linksift::container::Member::default();
/// assert!(member.is_empty());
/// assert_eq!(member.as_str(), "");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Member {
    text: Option<Arc<str>>,
    /// The path with the names as stored, if one of them is not UTF-8.
    bytes: Option<Arc<[u8]>>,
    /// Some of a name was too long to be reported with each link.
    is_cut: bool,
}

impl Member {
    /// Returns `true` if the document is not in an archive.
    ///
    /// ```
    /// use linksift::container::{self, Found, Limits, Opening};
    /// use std::ops::ControlFlow;
    ///
    /// let mut empty = Vec::new();
    /// // `ar` is an archive of one file, `notes.txt`.
    /// # let ar = format!("!<arch>\n{:<48}{:<10}`\nsee example.com", "notes.txt/", 15);
    /// for bytes in ["see example.com".to_owned(), ar] {
    ///     container::documents(Opening::bytes(bytes), &Limits::new(), |found| {
    ///         if let Found::Document(document) = found {
    ///             empty.push(document.member().is_empty());
    ///         }
    ///         ControlFlow::Continue(())
    ///     });
    /// }
    /// assert_eq!(empty, [true, false]);
    /// ```
    pub fn is_empty(&self) -> bool {
        self.text.is_none()
    }

    /// Returns the names as text; empty without names.
    ///
    /// ```
    /// use linksift::container::{self, Found, Limits, Opening};
    /// use std::ops::ControlFlow;
    ///
    /// // `ar` is an archive of one file, `a!b.txt`.
    /// # let ar = format!("!<arch>\n{:<48}{:<10}`\nsee example.com", "a!b.txt/", 15);
    /// let mut members = Vec::new();
    /// container::documents(Opening::bytes(ar), &Limits::new(), |found| {
    ///     if let Found::Document(document) = found {
    ///         members.push(document.member().as_str().to_owned());
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(members, ["a%21b.txt"]);
    /// ```
    pub fn as_str(&self) -> &str {
        self.text.as_deref().unwrap_or_default()
    }

    /// The names as stored, joined and escaped in the same way, if one of them is not UTF-8.
    ///
    /// ```
    /// use linksift::container::{self, Found, Limits, Opening};
    /// use std::ops::ControlFlow;
    ///
    /// // `ar` is an archive of one file, whose name is in windows-1252.
    /// # let mut ar = format!("!<arch>\n{:<48}{:<10}`\nsee example.com", "?!.txt/", 15).into_bytes();
    /// # ar[8] = 0xE9;
    /// let mut names = Vec::new();
    /// container::documents(Opening::bytes(ar), &Limits::new(), |found| {
    ///     if let Found::Document(document) = found {
    ///         names.extend(document.member().bytes().map(<[u8]>::to_vec));
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(names, [b"\xE9%21.txt"]);
    /// ```
    pub fn bytes(&self) -> Option<&[u8]> {
        self.bytes.as_deref()
    }

    /// Returns `true` if the names were too long; the path then ends in `~` and a number that is computed from all of
    /// them.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// The member of these names, which are escaped and joined as [`Member::as_str`] is, in this one.
    #[cfg(feature = "files")]
    pub(crate) fn join(&self, names: &str) -> Member {
        self.join_stored(names, None)
    }

    /// The same; `stored` is the names' bytes if they are not UTF-8.
    #[cfg(feature = "files")]
    fn join_stored(&self, names: &str, stored: Option<&[u8]>) -> Member {
        let Some(outer) = &self.text else {
            return Member::of(names.to_owned(), stored.map(<[u8]>::to_vec));
        };
        let bytes = (stored.is_some() || self.bytes.is_some())
            .then(|| [self.octets(), b"!", stored.unwrap_or(names.as_bytes())].concat());
        Member::of(format!("{outer}!{names}"), bytes)
    }

    /// Returns this member with the names of `member` after those of `outer`, which that is or is in; `None` if it is neither.
    #[cfg(feature = "files")]
    pub(crate) fn followed_by(&self, member: &Member, outer: &Member) -> Option<Member> {
        if member == outer {
            return Some(self.clone());
        }
        let (names, stored) = match outer.is_empty() {
            true => (member.as_str(), member.bytes.as_deref()),
            false => {
                let names = member.as_str().strip_prefix(outer.as_str())?.strip_prefix('!')?;
                let stored = member.bytes.as_deref();
                (names, stored.and_then(|stored| stored.get(outer.octets().len() + 1..)))
            }
        };
        Some(self.join_stored(names, stored))
    }

    /// Returns the path with the names as stored.
    #[cfg(feature = "files")]
    fn octets(&self) -> &[u8] {
        self.bytes.as_deref().unwrap_or(self.as_str().as_bytes())
    }

    /// The member of this name in this one; `stored` is the name's bytes if they are not UTF-8.
    pub(crate) fn inner(&self, name: &str, stored: Option<&[u8]>) -> Member {
        let mut text = String::with_capacity(self.as_str().len() + 1 + name.len());
        if let Some(outer) = &self.text {
            text.push_str(outer);
            text.push('!');
        }
        for c in name.chars() {
            match c {
                '%' | '!' | '\0'..='\x1F' | '\x7F' => _ = write!(text, "%{:02X}", u32::from(c)),
                _ => text.push(c),
            }
        }
        let bytes = (stored.is_some() || self.bytes.is_some()).then(|| {
            let outer = self.bytes.as_deref().or(self.text.as_deref().map(str::as_bytes));
            let mut bytes = outer.unwrap_or_default().to_vec();
            if self.text.is_some() {
                bytes.push(b'!');
            }
            for &byte in stored.unwrap_or(name.as_bytes()) {
                match byte {
                    b'%' | b'!' | 0..=0x1F | 0x7F => {
                        bytes.extend_from_slice(format!("%{byte:02X}").as_bytes());
                    }
                    _ => bytes.push(byte),
                }
            }
            bytes
        });
        Member::of(text, bytes)
    }

    /// The member of these texts, which are cut if they are too long to be reported with each link.
    fn of(mut text: String, bytes: Option<Vec<u8>>) -> Member {
        let is_cut = [text.len(), bytes.as_ref().map_or(0, Vec::len)]
            .iter()
            .any(|len| *len > limits::TOLD_WITH_EACH);
        if is_cut {
            text = String::from_utf8(with_hash(text.into_bytes(), limits::TOLD_WITH_EACH))
                .unwrap_or_default();
        }
        let cut_bytes =
            |bytes| if is_cut { with_hash(bytes, limits::TOLD_WITH_EACH) } else { bytes };
        let bytes = bytes.map(|bytes| cut_bytes(bytes).into());
        Member { text: Some(text.into()), bytes, is_cut }
    }
}

/// Returns the short form of a name that is repeated with too many links.
pub(crate) fn shortened(name: &[u8]) -> Vec<u8> {
    match name.len() > SHORT {
        true => with_hash(name.to_vec(), SHORT),
        false => name.to_vec(),
    }
}

/// Returns as much of a name as fits, up to a character and no escape, and a hash of all of it (FNV-1a, 64 bits), so that
/// two names stay two.
fn with_hash(mut name: Vec<u8>, most: usize) -> Vec<u8> {
    let hash = name.iter().fold(0xCBF2_9CE4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01B3)
    });
    let hash = format!("~{hash:016x}");
    let mut end = name.len().min(most - hash.len());
    while end > 0 && name.get(end).is_some_and(|byte| byte & 0xC0 == 0x80) {
        end -= 1;
    }
    if let Some(escape) = name[end.saturating_sub(2)..end].iter().rposition(|byte| *byte == b'%') {
        end = end.saturating_sub(2) + escape;
    }
    name.truncate(end);
    name.extend_from_slice(hash.as_bytes());
    name
}

/// The upper half of code page 437, which zips are in where nothing says otherwise.
const CP437: &str = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}";

/// Encoding of an archive's names that are not UTF-8.
#[derive(Clone, Copy, Debug)]
pub(super) enum Coding {
    Charset(Charset),
    Cp437,
}

impl Coding {
    /// Detects the encoding of all these names together; none of them is UTF-8.
    pub(super) fn of(names: &[u8]) -> Coding {
        match Detected::of_bytes(names) {
            Ok(found) if found.source() == CharsetSource::Detected => {
                Coding::Charset(found.charset())
            }
            _ => Coding::Cp437,
        }
    }

    fn decode(self, name: &[u8]) -> String {
        match self {
            Coding::Charset(charset) => charset.decode(name).into_owned(),
            Coding::Cp437 => {
                let upper: Vec<char> = CP437.chars().collect();
                let char = |byte: &u8| match byte {
                    0..=0x7F => char::from(*byte),
                    _ => upper.get(usize::from(byte - 0x80)).copied().unwrap_or('\u{FFFD}'),
                };
                name.iter().map(char).collect()
            }
        }
    }
}

/// The member of this stored name in another one; a name that is not UTF-8 is decoded by the coding of
/// its archive, or detected alone.
pub(super) fn name_of_inner(outer: &Member, name: &[u8], coding: Option<Coding>) -> Member {
    match std::str::from_utf8(name) {
        Ok(name) => outer.inner(name, None),
        Err(_) => {
            let coding = coding.unwrap_or_else(|| Coding::of(name));
            outer.inner(&coding.decode(name), Some(name))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_joined_and_escaped() {
        let zip = Member::default().inner("t.zip", None);
        assert_eq!(zip.inner("a!b%\n.txt", None).as_str(), "t.zip!a%21b%25%0A.txt");
        let sjis = zip.inner("表.txt", Some(b"\x95\x5C.txt"));
        assert_eq!(sjis.as_str(), "t.zip!表.txt");
        assert_eq!(sjis.bytes(), Some(&b"t.zip!\x95\x5C.txt"[..]));
        assert_eq!(sjis.inner("x", None).bytes(), Some(&b"t.zip!\x95\x5C.txt!x"[..]));
    }

    #[test]
    #[cfg(feature = "files")]
    fn names_follow_those_of_another_member() {
        let message = Member::default().inner("m.eml", None);
        let attached = message.inner("2", None).inner("a.zip", None);
        let inner = message.inner("\u{FF}.txt", Some(b"\xFF.txt"));
        let named = attached.followed_by(&inner, &message).unwrap();
        assert_eq!(named.as_str(), "m.eml!2!a.zip!\u{FF}.txt");
        assert_eq!(named.bytes(), Some(&b"m.eml!2!a.zip!\xFF.txt"[..]));
        assert_eq!(attached.followed_by(&message, &message), Some(attached.clone()));
        assert_eq!(attached.followed_by(&Member::default().inner("m.eml2", None), &message), None);
        let of_none = attached.followed_by(&message, &Member::default()).unwrap();
        assert_eq!((of_none.as_str(), of_none.bytes()), ("m.eml!2!a.zip!m.eml", None));
    }

    #[test]
    fn long_names_are_cut_and_stay_two() {
        let of = |name: &str| Member::default().inner(name, None);
        let most = limits::TOLD_WITH_EACH;
        assert!(!of(&"a".repeat(most)).is_cut());
        for filler in ["a", "é", "表", "😀", "!", "%"] {
            let [one, other] = ["1", "2"].map(|end| of(&(filler.repeat(most) + end)));
            assert!(one.is_cut() && one.as_str() != other.as_str());
            assert!((most - 4..=most).contains(&one.as_str().len()), "{}", one.as_str().len());
            let (front, _) = one.as_str().rsplit_once('~').unwrap();
            assert!(front.ends_with(filler) || front.ends_with("%21") || front.ends_with("%25"));
            let inside = one.inner("b.txt", Some(b"\xFF.txt"));
            assert!(inside.is_cut() && inside.as_str().len() <= most);
            assert!(inside.bytes().unwrap().len() <= most);
        }
    }

    #[test]
    fn code_page_437_is_whole() {
        assert_eq!(CP437.chars().count(), 128);
        assert_eq!(Coding::Cp437.decode(b"caf\x82"), "café");
    }
}
