//! Behaviour of browsers and systems for the IRIs of a scheme: one row for each known scheme.
//!
//! It is used to read references as a browser does, to warn, and to create HTML links. The rules for the IRIs of a scheme
//! are in `scheme_rows`.

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

/// Schemes of the web first, which nearly all queries are for.
static CONDUCT: &[(&str, u8)] = &[
    ("https", WEB),
    ("http", WEB),
    ("ws", WEB),
    ("wss", WEB),
    ("ftp", WEB),
    ("about", NEVER_LINKED),
    ("afp", LAUNCHES),
    ("blob", NEVER_LINKED),
    ("data", NEVER_LINKED),
    ("file", FILES | NEVER_LINKED),
    ("filesystem", NEVER_LINKED),
    ("hcp", LAUNCHES),
    ("intent", LAUNCHES),
    ("its", LAUNCHES),
    ("jar", LAUNCHES),
    ("javascript", RUNS | NEVER_LINKED),
    ("jnlp", LAUNCHES),
    ("jnlps", LAUNCHES),
    ("ldap", LAUNCHES),
    ("ldaps", LAUNCHES),
    ("mhtml", LAUNCHES),
    ("mk", LAUNCHES),
    ("ms-its", LAUNCHES),
    ("nfs", LAUNCHES),
    ("res", LAUNCHES),
    ("search", LAUNCHES),
    ("search-ms", LAUNCHES),
    ("shell", LAUNCHES),
    ("smb", LAUNCHES),
    ("ssh-exec", LAUNCHES),
    ("vbscript", RUNS | NEVER_LINKED),
    ("view-source", NEVER_LINKED),
    ("vnc", LAUNCHES),
    ("wyciwyg", LAUNCHES),
];

/// Returns `true` if a scheme, in upper or lower case, has one of these behaviours.
pub(crate) fn is(scheme: &str, conduct: u8) -> bool {
    let row = CONDUCT.iter().find(|(name, _)| name.eq_ignore_ascii_case(scheme));
    row.is_some_and(|(_, conducts)| conducts & conduct != 0)
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
    fn rows_differ_and_are_in_lower_case() {
        let names: Vec<_> = CONDUCT.iter().map(|(name, _)| *name).collect();
        assert!(names.iter().all(|name| *name == name.to_ascii_lowercase()));
        assert!(names[5..].windows(2).all(|two| two[0] < two[1]), "after those of the web sorted");
        assert!(names[..5].iter().all(|name| !names[5..].contains(name)));
    }

    #[test]
    fn conduct_is_known_in_any_case() {
        assert!(is("HTTPS", WEB) && !is("https", RUNS) && !is("", WEB) && !is("httpsx", WEB));
        assert!(is("file", FILES) && is("File", NEVER_LINKED) && !is("file", WEB));
        assert!(is("JavaScript", RUNS) && is("vbscript", NEVER_LINKED) && !is("data", RUNS));
        assert!(is_mail("MailTo") && !is_mail("mail"));
        assert!(
            begins_as_mail("MAILTO:a@b") && !begins_as_mail("mailto") && !begins_as_mail("mailtoé")
        );
    }
}
