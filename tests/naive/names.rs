//! Which hosts are rather names of files or of members in code.

use super::host::labels;

/// Common file endings that are top-level domains too, and `id`.
const ENDINGS: &str = "cc cf id la md mh mk ml mm mo mov pl pm properties ps py rs sh so st tf zip";

/// Words of code and endings of files, behind any number of labels.
const WORDS: &str = "abc auto bar bat black blue bom cab cal call case circle click compare data date day \
     direct directory discover dot drive fail final foo free got green here inc java lds \
     man map menu name new next now open parts pid pin ping play post prod property pub \
     radio read red rest run safe save search secure seek select shell star tab talk \
     target total win windows xxx zero";

/// Objects and modules.
const OBJECTS: &str = "args argv asyncio builtins bytearray bytes cls codecs curses date datetime dict \
     document elem enum errno event imaplib ioctl jquery logger logging nntplib obj object operator \
     options opts os pickle poplib req resp self socket str struct subprocess super sys syscall test \
     this threading tkinter token turtle typing uuid var window";

const BELIEVED: &str = "arpa biz com coop edu gov mil museum net org";
const SHORT: &str = "ai co gd io me mp pr";

/// Files whose whole name is known, lower case.
const FILES: &str = "config.in config.site configure.ac configure.in et.al makefile.am \
     makefile.in manifest.in plug.in";
/// What stands before `.in` in a template's name.
const TEMPLATES: &str = "c cfg conf h man pc pre py sh stdlib";

fn has(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|one| one == word)
}

pub(super) fn is_file_name(host: &str) -> bool {
    let all = labels(host);
    let [before @ .., ending] = all.as_slice() else { return false };
    let (Some(first), Some(last)) = (before.first(), before.last()) else { return false };
    let lower = ending.to_ascii_lowercase();
    if has(BELIEVED, &lower)
        || first.eq_ignore_ascii_case("www")
        || !ending.chars().all(|c| c.is_ascii_alphabetic())
    {
        return false;
    }
    let digits = |label: &str| label.ends_with(|c: char| c.is_ascii_digit());
    let version = before.len() > 1
        && last.chars().all(|c| c.is_ascii_digit())
        && digits(before[before.len() - 2]);
    before.len() == 1 && has(ENDINGS, &lower)
        || (before.len() == 1 || capital_inside(before)) && has(WORDS, &lower)
        || before.len() == 1 && has(FILES, &host.to_ascii_lowercase())
        || before.len() > 1 && lower == "in" && has(TEMPLATES, last)
        || version && (has(ENDINGS, &lower) || lower == "info")
        || is_member(before, ending)
}

fn is_member(before: &[&str], ending: &str) -> bool {
    let lower_case = before.iter().any(|l| l.contains(|c: char| c.is_ascii_lowercase()));
    let upper = |l: &str| l.contains(|c: char| c.is_ascii_uppercase());
    if has(OBJECTS, &before[0].to_ascii_lowercase()) || before[before.len() - 1].contains('_') {
        return true;
    }
    if upper(ending) {
        let all_upper = !lower_case && ending.chars().all(|c| c.is_ascii_uppercase());
        return before.len() == 1 && !all_upper;
    }
    if let [name] = before {
        return name.len() == 1 && !has(SHORT, ending);
    }
    capital_inside(before)
}

/// A label behind the first has a capital, the first has none.
fn capital_inside(before: &[&str]) -> bool {
    let upper = |l: &str| l.contains(|c: char| c.is_ascii_uppercase());
    before.iter().any(|l| upper(l)) && !upper(before[0])
}
