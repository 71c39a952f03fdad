//! The known schemes, their status, facts about single schemes, and what browsers and systems do with their IRIs.
//!
//! A scheme is looked up in upper or lower case, without its colon; nothing is allocated. The list in `scheme_list` has
//! IANA's registrations and widely used unregistered schemes; other facts about a scheme are in its row in `scheme_rows`.
//! Facts about all schemes together, which other modules need, are computed here from the rows.
//!
//! The behaviour of browsers is used to read references as a browser does, to warn, and to create HTML links.

use super::key;
use super::scheme_list::LIST;
use super::scheme_rows::ROWS;
pub use super::scheme_rows::*;

/// The keys of the rows, in the same order.
static ROW_KEYS: [u64; ROWS.len()] = {
    let mut keys = [0; ROWS.len()];
    let mut at = 0;
    while at < keys.len() {
        keys[at] = key(ROWS[at].name.as_bytes());
        assert!(at == 0 || keys[at - 1] < keys[at], "rows are sorted, and differ in eight bytes");
        // A scheme that is only used in pages need not be on the list, such as `javascript`.
        let is_listed = is_listed(ROWS[at].name.as_bytes());
        assert!(
            is_listed || ROWS[at].is(FREE_IN_VALUES),
            "a row is of a scheme on the list: write scheme_list.rs from schemes.tsv before you add the row"
        );
        at += 1;
    }
    keys
};

const fn is_listed(name: &[u8]) -> bool {
    listed(name) < LIST.len()
}

/// Returns the index of a scheme on the list; the length of the list if it is not there.
const fn listed(name: &[u8]) -> usize {
    let mut at = 0;
    while at < LIST.len() && !is_same(LIST[at].0.as_bytes(), name) {
        at += 1;
    }
    at
}

/// Returns the index of the row of a scheme; the number of rows if it has none.
const fn row_of(name: &[u8]) -> usize {
    let mut at = 0;
    while at < ROWS.len() && !is_same(ROWS[at].name.as_bytes(), name) {
        at += 1;
    }
    at
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut at = 0;
    while at < one.len() && at < other.len() && one[at] == other[at] {
        at += 1;
    }
    at == one.len() && at == other.len()
}

/// Returns the row of a scheme, given in upper or lower case; `None` if it has no row.
///
/// ```
/// use linksift::tables::schemes::row;
/// assert_eq!(row(b"HTTPS").map(|row| row.port), Some(443));
/// assert!(row(b"shttp").is_none());
/// ```
#[inline]
pub fn row(scheme: &[u8]) -> Option<&'static SchemeRow> {
    // Nearly all queries are for one of these, which need no search.
    match scheme {
        b"https" => return ROWS.get(const { row_of(b"https") }),
        b"http" => return ROWS.get(const { row_of(b"http") }),
        _ => {}
    }
    let row = ROWS.get(ROW_KEYS.binary_search(&key(scheme)).ok()?)?;
    row.name.as_bytes().eq_ignore_ascii_case(scheme).then_some(row)
}

/// Returns `true` if the scheme, in upper or lower case, has a row with this trait.
pub fn is(scheme: &[u8], a_trait: u16) -> bool {
    row(scheme).is_some_and(|row| row.is(a_trait))
}

/// Returns an iterator over all rows, sorted by name.
pub fn all() -> impl Iterator<Item = &'static SchemeRow> {
    ROWS.iter()
}

/// Returns an iterator over the rows with this trait.
pub fn all_that_are(a_trait: u16) -> impl Iterator<Item = &'static SchemeRow> {
    all().filter(move |row| row.is(a_trait))
}

/// The last letters of the schemes that are links in running text without `//`: text that ends differently before a colon
/// is not such a scheme.
#[derive(Debug)]
pub struct Endings {
    /// For the third last and the second last letter, a bit for each last letter.
    last_three: [u32; LETTERS * LETTERS],
    /// A bit for each last letter.
    last: u32,
}

const LETTERS: usize = 26;

/// The endings of the schemes in the table.
pub static ENDINGS: Endings = Endings::of(ROWS);

impl Endings {
    /// Returns the endings of the rows that have a form.
    pub const fn of(rows: &[SchemeRow]) -> Endings {
        let mut endings = Endings { last_three: [0; LETTERS * LETTERS], last: 0 };
        let mut at = 0;
        while at < rows.len() {
            if rows[at].form.is_some()
                && let Some([a, b, c]) = rows[at].name.as_bytes().last_chunk()
            {
                let pair = (*a - b'a') as usize * LETTERS + (*b - b'a') as usize;
                endings.last_three[pair] |= 1 << (*c - b'a');
                endings.last |= 1 << (*c - b'a');
            }
            at += 1;
        }
        endings
    }

    /// Returns `true` if such a scheme, in upper or lower case, ends in these three bytes.
    #[inline]
    pub const fn have(&self, last_three: [u8; 3]) -> bool {
        let [a, b, c] = last_three;
        let [a, b, c] = [number(a), number(b), number(c)];
        a < LETTERS && b < LETTERS && c < LETTERS && {
            self.last_three[a * LETTERS + b] >> c & 1 != 0
        }
    }

    /// Returns `true` if such a scheme, in upper or lower case, ends in this byte.
    #[inline]
    pub const fn have_last(&self, last: u8) -> bool {
        number(last) < LETTERS && self.last >> number(last) & 1 != 0
    }
}

/// Returns the number of a letter in upper or lower case; a higher number for other bytes.
const fn number(byte: u8) -> usize {
    (byte | 0x20).wrapping_sub(b'a') as usize
}

/// Returns the keys of the names in a list.
const fn keys<T, const N: usize>(list: &[(&str, T)]) -> [u64; N] {
    let mut keys = [0; N];
    let mut at = 0;
    while at < N {
        keys[at] = key(list[at].0.as_bytes());
        at += 1;
    }
    keys
}

/// Keys of the schemes, so that nine comparisons of numbers find one.
static KEYS: [u64; LIST.len()] = keys(&LIST);

/// Returns the status of `scheme`; `None` if it is not on the list.
///
/// ```
/// use linksift::tables::schemes::{Status, status};
/// assert_eq!(status(b"HTTPS"), Some(Status::Permanent));
/// assert_eq!(status(b"shttp:"), None);
/// ```
pub fn status(scheme: &[u8]) -> Option<Status> {
    match scheme {
        b"https" => Some(LIST[const { listed(b"https") }].1),
        b"http" => Some(LIST[const { listed(b"http") }].1),
        _ => position(&KEYS, scheme, |at| LIST[at].0).map(|at| LIST[at].1),
    }
}

/// Returns `true` if `scheme` is a link in running text by default: a permanent, provisional or unofficial scheme, or one
/// of these followed by a plus and a suffix (`mysql+pymysql`: a database driver, or an underlying protocol); but not `hxxp`
/// or `hxxps`, which are written in this form to prevent links.
///
/// ```
/// use linksift::tables::schemes::is_known;
/// assert!(is_known(b"ftp") && is_known(b"Git+SSH") && is_known(b"mysql+pymysql"));
/// assert!(!is_known(b"hxxp") && !is_known(b"nonsense") && !is_known(b"nonsense+http"));
/// ```
pub fn is_known(scheme: &[u8]) -> bool {
    is_in_use(scheme)
        || match scheme.iter().position(|byte| *byte == b'+') {
            Some(plus) => plus + 1 < scheme.len() && is_in_use(&scheme[..plus]),
            None => false,
        }
}

/// Returns `true` for the schemes of applications, to which no document gives rules: their host may be empty, or any name.
pub(crate) fn has_any_host(scheme: &[u8]) -> bool {
    row(scheme).is_none() && !has_remote_paths(scheme) && !has_identifiers(scheme)
}

/// Returns `true` if the host of an IRI with `//` may be empty.
pub(crate) fn may_lack_host(scheme: &[u8]) -> bool {
    let is_ruled = |row: &SchemeRow| row.rules & AUTHORITY == 0 || row.rules & HOST != 0;
    has_any_host(scheme) || row(scheme).is_some_and(|row| !is_ruled(row))
}

/// Returns `true` for the schemes of repositories, after whose host people write a path as `scp` has it:
/// `ssh://git@example.org:me/x.git`.
pub(crate) fn has_remote_paths(scheme: &[u8]) -> bool {
    let mut parts = scheme.split(|byte| *byte == b'+');
    let is_one = |name: &[u8]| name.eq_ignore_ascii_case(b"ssh");
    scheme.eq_ignore_ascii_case(b"git") || parts.any(is_one)
}

/// Returns `true` for the scheme whose authority may be a decentralized identifier: `at://did:plc:x/`.
pub(crate) fn has_identifiers(scheme: &[u8]) -> bool {
    scheme.eq_ignore_ascii_case(b"at")
}

fn is_in_use(scheme: &[u8]) -> bool {
    status(scheme).is_some_and(|status| status != Status::Historical) && !is(scheme, DEFANGED)
}

/// Schemes whose links a program may open that knows nothing else of them.
pub(crate) const OPENABLE: [&str; 7] = ["http", "https", "mailto", "ftp", "xmpp", "matrix", "tel"];

/// A page is fetched from the host that the IRI names: the special schemes of the URL standard except `file`.
pub(crate) const WEB: u8 = 1;
/// A file of this computer, or of a network share.
pub(crate) const FILES: u8 = 2;
/// A program of the system, or a network share, is opened with data of the IRI.
pub(crate) const LAUNCHES: u8 = 4;
/// A script in the IRI is run.
pub(crate) const RUNS: u8 = 8;
/// The content of the IRI is run or shown as if it belonged to the page, or to the browser.
pub(crate) const NEVER_LINKED: u8 = 16;

/// User information is customary: the account of a server, of a repository or of a database.
pub(crate) const HAS_ACCOUNTS: u8 = 32;
/// The rest is an IRI, which is opened in another way.
pub(crate) const WRAPS: u8 = 64;
/// An identifier follows `//`, and not an authority: that of a message, in Apple Mail.
pub(crate) const IDENTIFIES: u8 = 128;

/// Sorted by name.
static CONDUCT: &[(&str, u8)] = &[
    ("about", NEVER_LINKED),
    ("afp", LAUNCHES),
    ("amqp", HAS_ACCOUNTS),
    ("amqps", HAS_ACCOUNTS),
    ("blob", NEVER_LINKED),
    ("bolt", HAS_ACCOUNTS),
    ("bzr", HAS_ACCOUNTS),
    ("clickhouse", HAS_ACCOUNTS),
    ("cockroachdb", HAS_ACCOUNTS),
    ("couchbase", HAS_ACCOUNTS),
    ("data", NEVER_LINKED),
    ("feed", WRAPS),
    ("file", FILES | NEVER_LINKED),
    ("filesystem", NEVER_LINKED),
    ("ftp", WEB),
    ("git", HAS_ACCOUNTS),
    ("hcp", LAUNCHES),
    ("hg", HAS_ACCOUNTS),
    ("http", WEB),
    ("https", WEB),
    ("imap", HAS_ACCOUNTS),
    ("imaps", HAS_ACCOUNTS),
    ("intent", LAUNCHES),
    ("itms-services", LAUNCHES),
    ("its", LAUNCHES),
    ("jar", LAUNCHES),
    ("javascript", RUNS | NEVER_LINKED),
    ("jnlp", LAUNCHES),
    ("jnlps", LAUNCHES),
    ("ldap", LAUNCHES),
    ("ldaps", LAUNCHES),
    ("mariadb", HAS_ACCOUNTS),
    ("message", IDENTIFIES),
    ("mhtml", LAUNCHES),
    ("microsoft-edge", LAUNCHES),
    ("mk", LAUNCHES),
    ("mongodb", HAS_ACCOUNTS),
    ("mqtt", HAS_ACCOUNTS),
    ("mqtts", HAS_ACCOUNTS),
    ("ms-appinstaller", LAUNCHES),
    ("ms-its", LAUNCHES),
    ("mshta", LAUNCHES),
    ("mssql", HAS_ACCOUNTS),
    ("mysql", HAS_ACCOUNTS),
    ("nats", HAS_ACCOUNTS),
    ("neo4j", HAS_ACCOUNTS),
    ("nfs", LAUNCHES),
    ("oracle", HAS_ACCOUNTS),
    ("pcast", WRAPS),
    ("pop", HAS_ACCOUNTS),
    ("postgres", HAS_ACCOUNTS),
    ("postgresql", HAS_ACCOUNTS),
    ("redis", HAS_ACCOUNTS),
    ("rediss", HAS_ACCOUNTS),
    ("res", LAUNCHES),
    ("rsync", HAS_ACCOUNTS),
    ("rtsp", HAS_ACCOUNTS),
    ("scp", HAS_ACCOUNTS),
    ("search", LAUNCHES),
    ("search-ms", LAUNCHES),
    ("sftp", HAS_ACCOUNTS),
    ("shell", LAUNCHES),
    ("smb", LAUNCHES),
    ("smtp", HAS_ACCOUNTS),
    ("smtps", HAS_ACCOUNTS),
    ("snowflake", HAS_ACCOUNTS),
    ("sqlserver", HAS_ACCOUNTS),
    ("ssh", HAS_ACCOUNTS),
    ("ssh-exec", LAUNCHES),
    ("svn", HAS_ACCOUNTS),
    ("vbscript", RUNS | NEVER_LINKED),
    ("view-source", NEVER_LINKED | WRAPS),
    ("vnc", LAUNCHES),
    ("ws", WEB),
    ("wscript", LAUNCHES),
    ("wss", WEB),
    ("wyciwyg", LAUNCHES),
];

/// Types of `data:` that are pictures of pixels, which run nothing.
pub(crate) const RASTER_TYPES: [&str; 10] = [
    "image/png",
    "image/gif",
    "image/jpeg",
    "image/jpg",
    "image/webp",
    "image/avif",
    "image/apng",
    "image/bmp",
    "image/x-icon",
    "image/vnd.microsoft.icon",
];

/// Returns `true` if a scheme, in upper or lower case, has one of these behaviours.
pub(crate) fn has_conduct(scheme: &str, conduct: u8) -> bool {
    if matches!(scheme, "https" | "http") {
        return conduct & WEB != 0;
    }
    position(&CONDUCT_KEYS, scheme.as_bytes(), |at| CONDUCT[at].0)
        .is_some_and(|at| CONDUCT[at].1 & conduct != 0)
}

/// Keys of the schemes with a conduct.
static CONDUCT_KEYS: [u64; CONDUCT.len()] = keys(CONDUCT);

/// Returns the position of a scheme, in upper or lower case, in a list that is sorted by name, of which these are the keys.
#[inline]
fn position(keys: &[u64], scheme: &[u8], name: impl Fn(usize) -> &'static str) -> Option<usize> {
    let key = key(scheme);
    let first = keys.partition_point(|&other| other < key);
    let alike = keys[first..].iter().take_while(|&&other| other == key).count();
    (first..first + alike).find(|&at| name(at).as_bytes().eq_ignore_ascii_case(scheme))
}

/// Returns `true` if user information is customary in a scheme, or in the part of a compound one that has the server:
/// `git+ssh`, `mysql+pymysql`.
pub(crate) fn has_accounts(scheme: &str) -> bool {
    match scheme.split_once('+') {
        Some((front, back)) => match has_conduct(back, WEB) {
            true => false,
            false => has_conduct(front, HAS_ACCOUNTS) || has_conduct(back, HAS_ACCOUNTS),
        },
        None => has_conduct(scheme, HAS_ACCOUNTS),
    }
}

/// Returns `true` if a scheme, in upper or lower case, is that of e-mail addresses.
#[inline]
pub(crate) fn is_mail(scheme: &str) -> bool {
    scheme.eq_ignore_ascii_case("mailto")
}

/// Returns `true` if a text begins with the scheme of e-mail addresses, in upper or lower case, and its colon.
#[inline]
pub(crate) fn begins_as_mail(text: &str) -> bool {
    text.get(..6).is_some_and(is_mail) && text.as_bytes().get(6) == Some(&b':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_listed_scheme_is_found_in_any_case() {
        assert!(KEYS.is_sorted());
        for (scheme, expected) in LIST {
            assert_eq!(status(scheme.as_bytes()), Some(expected), "{scheme}");
            assert_eq!(status(scheme.to_uppercase().as_bytes()), Some(expected), "{scheme}");
            assert_eq!(status(format!("{scheme}~").as_bytes()), None, "{scheme}");
        }
    }

    /// The functions of the modules for a scheme, and the computed tables, follow from the row.
    #[test]
    fn a_scheme_is_added_in_one_row() {
        let new = SchemeRow { name: "zyx", form: Some(SchemeForm::Urn), traits: GLUED, ..ROWS[0] };
        let longer: Vec<SchemeRow> = ROWS.iter().copied().chain([new]).collect();
        let (before, after) = (Endings::of(ROWS), Endings::of(&longer));
        assert!(!before.have(*b"zyx") && after.have(*b"zyx") && after.have(*b"ZYX"));
        for row in &longer {
            let last: [u8; 3] = *row.name.as_bytes().last_chunk().unwrap_or(b"-ws");
            assert!(row.form.is_none() || after.have(last), "{}", row.name);
            assert!(row.form.is_none() || after.have_last(last[2]), "{}", row.name);
        }
        for bytes in [*b"xyz", *b"z\x1Ax", *b"12l", [0xF4, b'e', b'l'], *b"\0\0\0"] {
            assert!(!after.have(bytes), "{bytes:?}");
        }
    }

    #[test]
    fn every_row_is_found_in_any_case() {
        for expected in ROWS {
            let found = |name: &str| row(name.as_bytes()).map(|row| row.name);
            assert_eq!(found(expected.name), Some(expected.name));
            assert_eq!(found(&expected.name.to_uppercase()), Some(expected.name));
            assert_eq!(found(&format!("{}..", expected.name)), None);
            let section = expected.section;
            assert!(
                section.contains(['§', '('])
                    || section.contains(|c: char| c.is_ascii_digit())
                    || section.starts_with("draft"),
                "{}: {section:?} names no document, such as \"RFC 3966 §3\" or \"svn(1)\"",
                expected.name
            );
        }
        assert_eq!(row(b"").map(|row| row.name), None);
        assert_eq!(row(b"javascripx").map(|row| row.name), None);
    }

    #[test]
    fn known_leaves_out_historical_and_defanged() {
        for (scheme, status) in LIST {
            let defanged = scheme == "hxxp" || scheme == "hxxps";
            let known = status != Status::Historical && !defanged;
            assert_eq!(is_known(scheme.as_bytes()), known, "{scheme}");
        }
        assert!(!is_known(b"HXXP") && !is_known(b""));
    }

    #[test]
    fn rows_differ_and_are_in_lower_case() {
        let names: Vec<_> = CONDUCT.iter().map(|(name, _)| *name).collect();
        assert!(names.iter().all(|name| *name == name.to_ascii_lowercase()));
        assert!(names.is_sorted_by(|one, next| one < next));
        assert!(["http", "https"].iter().all(|web| CONDUCT.contains(&(web, WEB))));
    }

    #[test]
    fn conduct_is_known_in_any_case() {
        assert!(
            has_conduct("HTTPS", WEB)
                && !has_conduct("https", RUNS)
                && !has_conduct("", WEB)
                && !has_conduct("httpsx", WEB)
        );
        assert!(
            has_conduct("file", FILES)
                && has_conduct("File", NEVER_LINKED)
                && !has_conduct("file", WEB)
        );
        assert!(
            has_conduct("JavaScript", RUNS)
                && has_conduct("vbscript", NEVER_LINKED)
                && !has_conduct("data", RUNS)
        );
        assert!(is_mail("MailTo") && !is_mail("mail"));
        assert!(
            begins_as_mail("MAILTO:a@b") && !begins_as_mail("mailto") && !begins_as_mail("mailtoé")
        );
    }
}
