//! Behaviour of browsers and systems for the IRIs of a scheme: one row for each known scheme.
//!
//! It is asked by who reads references as a browser does, by who warns, and by who makes links of HTML. What the
//! IRIs of a scheme must be is in `scheme_rows`.

/// A page is fetched from the host that the IRI names: the URL standard's special schemes but `file`.
pub(crate) const WEB: u8 = 1;
/// A file of this machine, or of a share of the network.
pub(crate) const FILES: u8 = 2;
/// A program of the system is opened, or a share of the network, with what the IRI says.
pub(crate) const LAUNCHES: u8 = 4;
/// A script that the IRI holds is run.
pub(crate) const RUNS: u8 = 8;
/// The content of the IRI is run or shown as if it were the page's own, or a part of the browser.
pub(crate) const NEVER_LINKED: u8 = 16;

/// Those of the web first: nearly all that are asked for.
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

/// Whether a scheme, in upper or lower case, has one of these conducts.
pub(crate) fn is(scheme: &str, conduct: u8) -> bool {
    let row = CONDUCT.iter().find(|(name, _)| name.eq_ignore_ascii_case(scheme));
    row.is_some_and(|(_, conducts)| conducts & conduct != 0)
}

/// Whether a scheme, in upper or lower case, is that of addresses of mail.
#[inline]
pub(crate) fn is_mail(scheme: &str) -> bool {
    scheme.eq_ignore_ascii_case("mailto")
}

/// Whether a text begins with the scheme of addresses of mail, in upper or lower case, and its colon.
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
