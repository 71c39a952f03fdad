//! What a line of source code writes around a name: a call, an assignment, a condition, an import.
//!
//! In goes what is in front of a name on its line, and what is after it, out comes whether only code
//! writes so. It is asked of names without quotation marks below any domain but `com` and its like.

/// The ends of a line that the bytes in front or after are.
#[derive(Clone, Copy, Default)]
pub(super) struct Line<'l> {
    /// What is in front, and whether the line begins with it.
    pub(super) front: &'l [u8],
    pub(super) is_begin: bool,
    /// What is after, and whether the line ends with it.
    pub(super) behind: &'l [u8],
    pub(super) is_end: bool,
    /// The name ends in a country's domain that is no word of code.
    pub(super) is_country: bool,
    /// The name ends in a word of code or in what files end in.
    pub(super) is_weak: bool,
}

/// Keys whose values are hosts.
const KEYS: [&str; 20] = [
    "addr", "base", "cdn", "dns", "domain", "endpoint", "fqdn", "home", "host", "href", "mail",
    "mx", "proxy", "realm", "relay", "server", "site", "uri", "url", "web",
];
/// What is in front of a value in code, and in no sentence.
const IN_FRONT: [&[u8]; 27] = [
    b"if (",
    b"while (",
    b"switch (",
    b" == ",
    b" != ",
    b" === ",
    b" !== ",
    b" ~= ",
    b" >= ",
    b" <= ",
    b" += ",
    b" -= ",
    b" extends ",
    b"<!ENTITY ",
    b" !",
    b"(!",
    b" !!",
    b"(!!",
    b"\" % ",
    b"' % ",
    b"\" + ",
    b"' + ",
    b"|> ",
    b":= ",
    b"<%= ",
    b"<%- ",
    b"{{ ",
];
/// What is after one: the end of a template's value too, `{% if a.link %}`, `[% a.link %]`.
const BEHIND: [&[u8]; 10] = [
    b"{",
    b" is not None",
    b" is None",
    b" |> ",
    b" != ",
    b" instanceof ",
    b"%}",
    b" %}",
    b"%]",
    b" %]",
];
/// What those in front end in, and those after begin with: nearly every line is told from all of them by two bytes.
static IN_FRONT_END: Pairs = Pairs::at_ends(&IN_FRONT);
static BEHIND_BEGIN: Pairs = Pairs::at_beginnings(&BEHIND);
/// Ends of a line after one.
const ENDS: [&[u8]; 4] = [b");", b") {", b")) {", b"));"];
/// What stands on either side of one that is in doubt.
const LOGIC: [&[u8]; 2] = [b" && ", b" || "];
/// Functions that translate what a key names: `{{ __('entry.in') }}`.
const TRANSLATORS: [&[u8]; 6] = [b"__", b"_", b"t", b"gettext", b"trans", b"translate"];
/// What the line consists of in front of one.
const WHOLE: [&[u8]; 7] = [b"return", b"yield", b"await", b"elif", b"typeof", b"assert", b"del"];

/// The two bytes that each text of a list has at one end, by a hash of six bits.
struct Pairs {
    of_two: u64,
    /// By the last six bits of the byte, of texts that have but one.
    of_one: u64,
}

impl Pairs {
    const fn at_ends(list: &[&[u8]]) -> Pairs {
        let (mut pairs, mut at) = (Pairs { of_two: 0, of_one: 0 }, 0);
        while at < list.len() {
            let [.., one, two] = *list[at] else { panic!("too short") };
            pairs.of_two |= 1 << Pairs::hash(one, two);
            at += 1;
        }
        pairs
    }

    const fn at_beginnings(list: &[&[u8]]) -> Pairs {
        let (mut pairs, mut at) = (Pairs { of_two: 0, of_one: 0 }, 0);
        while at < list.len() {
            match *list[at] {
                [one, two, ..] => pairs.of_two |= 1 << Pairs::hash(one, two),
                [one] => pairs.of_one |= 1 << (one & 63),
                [] => panic!("too short"),
            }
            at += 1;
        }
        pairs
    }

    const fn hash(one: u8, two: u8) -> u8 {
        (one.wrapping_mul(5) ^ two) & 63
    }

    /// Whether a text of the list may begin with these, or end in them; `two` is none where there is one alone.
    #[inline]
    fn may_have(&self, one: u8, two: Option<u8>) -> bool {
        self.of_one >> (one & 63) & 1 != 0
            || two.is_some_and(|two| self.of_two >> Pairs::hash(one, two) & 1 != 0)
    }
}

/// Whether one of the list is directly in front.
#[inline]
fn is_in_front(front: &[u8]) -> bool {
    let [.., one, two] = *front else { return false };
    IN_FRONT_END.may_have(one, Some(two)) && IN_FRONT.iter().any(|text| front.ends_with(text))
}

/// Whether one of the list is directly after.
#[inline]
fn is_behind(behind: &[u8]) -> bool {
    let Some(&one) = behind.first() else { return false };
    BEHIND_BEGIN.may_have(one, behind.get(1).copied())
        && BEHIND.iter().any(|text| behind.starts_with(text))
}

/// Whether the line is written as code is.
pub(super) fn is_code(line: Line<'_>) -> bool {
    let Line { front, behind, is_end, is_country, is_weak, .. } = line;
    if let [call @ .., b'"' | b'\''] = front {
        // `.IX Title "A.DE 1"`: an entry of a manual page's index.
        return is_translated(call) || line.is_begin && call.starts_with(b".IX ");
    }
    is_in_front(front)
        || is_behind(behind)
        || is_end && ENDS.contains(&behind) && front.contains(&b'(') && !front.ends_with(b"(")
        || is_member_after(behind)
        || is_argument(front)
        || is_named_value(line)
        || !is_country && is_assigned(front)
        || is_weak && LOGIC.iter().any(|one| front.ends_with(one) || behind.starts_with(one))
        || is_weak && line.is_begin && front.starts_with(b"%%")
        || is_weak && behind.starts_with(b", produced by ")
        // `ul.my {`, after another selector.
        || is_weak && is_end && behind == b" {" && !front.trim_ascii().is_empty()
        || is_private(front, behind)
        || is_statement(line)
}

/// `from a.net import b`, which is so with any domain.
pub(super) fn is_imported(line: Line<'_>) -> bool {
    line.is_begin && statement(line.front) == b"from" && line.behind.starts_with(b" import ")
}

/// What is in front of a name without the marks of a prompt or a comment: `>>> from a.net import b`.
fn statement(front: &[u8]) -> &[u8] {
    let marks = front.iter().take_while(|b| !b.is_ascii_alphanumeric()).count();
    front[marks..].trim_ascii_end()
}

/// `__('`, with what is called alone or after a mark.
fn is_translated(call: &[u8]) -> bool {
    let Some(front) = call.strip_suffix(b"(") else { return false };
    TRANSLATORS.iter().any(|one| {
        let rest = front.strip_suffix(*one);
        rest.is_some_and(|rest| !rest.last().is_some_and(is_of_name))
    })
}

/// `a.link?.b`
fn is_member_after(behind: &[u8]) -> bool {
    matches!(behind, [b'?', b'.', b, ..] if b.is_ascii_alphabetic())
}

/// `dict(a.degree)`, `matches!(a.safety, …)`: what is called is written as a function is.
fn is_argument(front: &[u8]) -> bool {
    let Some(function) = front.strip_suffix(b"(") else { return false };
    let is_part = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'.' | b'!');
    let len = function.iter().rev().take_while(is_part).count();
    let name = &function[function.len() - len..];
    name.first().is_some_and(u8::is_ascii_lowercase) || name.iter().any(|b| b"_.!".contains(b))
}

/// `store: a.store,` alone on its line, `f(link=a.link)`.
fn is_named_value(line: Line<'_>) -> bool {
    let Line { front, behind, is_begin, is_end, .. } = line;
    if is_begin && is_end && behind == b"," {
        let field = front.trim_ascii_start().strip_suffix(b": ");
        return field.is_some_and(|key| !key.is_empty() && key.iter().all(is_of_name));
    }
    let is_key = matches!(front, [.., b, b'='] if is_of_name(b));
    is_key && (behind.starts_with(b")") || is_end && behind == b",")
}

/// `a = b.one`, unless what the key says is a host.
fn is_assigned(front: &[u8]) -> bool {
    let Some(target) = front.strip_suffix(b" = ") else { return false };
    let len = target.iter().rev().take_while(|b| is_of_name(b)).count();
    let key = target[target.len() - len..].to_ascii_lowercase();
    let key = str::from_utf8(&key).unwrap_or_default();
    target.last().is_some_and(|b| is_of_name(b) || matches!(b, b')' | b']'))
        && !KEYS.iter().any(|word| key.contains(word))
}

/// `_core.read`, but not `_example.dev_`.
fn is_private(front: &[u8], behind: &[u8]) -> bool {
    let is_mark =
        matches!(front, [b'_'] | [.., b' ' | b'(' | b'&' | b'.' | b'=' | b'!' | b'$' | b'@', b'_']);
    is_mark && !behind.contains(&b'_')
}

/// `return a.one`, `import a.net as b`, `[profile.dev]`.
fn is_statement(line: Line<'_>) -> bool {
    let Line { front, behind, is_begin, is_end, is_country, .. } = line;
    if !is_begin {
        return false;
    }
    let word = front.trim_ascii();
    let is_import = statement(front) == b"import"
        && (is_end && behind.is_empty() || behind.starts_with(b" as "));
    let is_section = !is_country && is_end && word == b"[" && behind == b"]";
    let is_condition =
        is_end && behind == b":" && [&b"if"[..], b"elif", b"if not", b"while"].contains(&word);
    is_import || is_section || is_condition || WHOLE.contains(&word) || is_imported(line)
}

fn is_of_name(b: &u8) -> bool {
    b.is_ascii_alphanumeric() || *b == b'_'
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(front: &str, behind: &str) -> bool {
        is_code(Line {
            front: front.as_bytes(),
            is_begin: true,
            behind: behind.as_bytes(),
            is_end: true,
            ..Line::default()
        })
    }

    /// The look at two bytes leaves out no line that the lists have.
    #[test]
    fn a_quick_look_says_no_where_the_lists_do() {
        let fronts = IN_FRONT.iter().flat_map(|one| [one.to_vec(), [b"x y", *one].concat()]);
        assert!(fronts.into_iter().all(|front| is_in_front(&front)));
        let behinds = BEHIND.iter().flat_map(|one| [one.to_vec(), [*one, b" x"].concat()]);
        assert!(behinds.into_iter().all(|behind| is_behind(&behind)));
        let mut let_through = 0;
        for (one, two) in (0x20..0x7F).flat_map(|one| (0x20..0x7F).map(move |two| (one, two))) {
            let text = [one, two];
            assert_eq!(is_in_front(&text), IN_FRONT.iter().any(|one| text.ends_with(one)));
            assert_eq!(is_behind(&text), BEHIND.iter().any(|one| text.starts_with(one)));
            let_through += usize::from(IN_FRONT_END.may_have(one, Some(two)));
        }
        assert!(let_through < 95 * 95 / 3, "{let_through}");
    }

    #[test]
    fn written_as_code() {
        for (front, behind) in [
            ("dict(", ")"),
            ("matches!(", ", x"),
            ("  store: ", ","),
            ("f(link=", ")"),
            ("a = ", ""),
            ("return ", ""),
            ("import ", " as b"),
            ("from ", " import b"),
            ("[", "]"),
            ("  if ", ":"),
            ("if (!", ") {"),
            ("f(a, ", ");"),
            ("", "?.b"),
            ("x = _", ""),
            ("'%s' % ", ""),
            ("% >>> import ", " as b"),
            ("{% if ", " %}"),
            (".IX Title \"", " 1\""),
        ] {
            assert!(is(front, behind), "{front}a.one{behind}");
        }
        for (front, behind) in [
            ("see ", "."),
            ("Example (", ")"),
            ("Example(", ")"),
            ("'", "');"),
            ("f(\"", "\");"),
            ("host = ", ""),
            ("my_domain = ", ""),
            ("Sites: ", ", b"),
            ("we return ", ""),
            ("_", "_ and"),
            ("goods from ", " imported"),
            ("is it ", "?"),
            ("", " is not there"),
            ("a (", ");"),
            ("== ", ""),
            ("HOST=", ""),
        ] {
            assert!(!is(front, behind), "{front}a.one{behind}");
        }
    }
}
