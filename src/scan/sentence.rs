//! Detects the next sentence, or an ending, that a dot or a hyphen joins to a host: `cnn.com.My friend`, `info@example.ru.Спасибо`,
//! `index.hu-n`, `Spiegel.de-Redaktion`.
//!
//! The input is the label of a top-level domain and the text after it, the result is where the host ends if it ends there.

use super::host::{MAX_LABEL, MAX_TLD_BYTES, Run};
use super::host_char::{is_bare_host_char, is_dot, is_simple};
use super::joined::{is_foreign, is_latin};
use super::markup_context::is_element_name;
use super::view::{Char, EDGE, Incomplete, View, is_gap};
use crate::tables::punctuation::is_full_stop;
use crate::tables::tld;

/// Maximum number of characters of a word that follows a host.
const MAX_WORD: usize = 24;
/// Maximum number of bytes before a top-level domain that are searched for `www.`.
const MAX_NAME: usize = 64;
/// Countries whose language joins the endings of a name with a hyphen.
const INFLECTED: &str = " cz ee fi hr hu lt lv pl ro rs si sk ";
/// Longest of these endings.
const MAX_ENDING: usize = 5;
/// Domains of countries that begin a sentence as words.
const COUNTRIES_THAT_ARE_WORDS: &str = " am as at be by do go in is it me my no so to us we ";
/// What a hyphen joins to file names and versions, and is no ending.
const NO_ENDINGS: &str = " bak beta dev doc lib new old src test tmp ";
/// Domains that a hyphen joins to a noun: `Spiegel.de-Redaktion`.
const COMPOUND: &str = " at ch com de eu org ";
/// Domains that a hyphen joins to one of these words.
const QUALIFIED: &str = " com edu gov org uk ";
const QUALITIES: &str =
    " affiliated backed based branded hosted like only operated owned powered related run style ";

/// Returns the end of the top-level domain at `label`, after which another label follows, if this label begins a sentence: a
/// capitalized word after `com` or in a name with `www`, or a word of another script. A class follows the name of a package:
/// `android.net.Uri`.
pub(super) fn after_domain(view: &View<'_>, label: usize) -> Result<Option<usize>, Incomplete> {
    let Some(end) = domain(view, label) else { return Ok(None) };
    let dot = view.next(end)?;
    if !is_dot(dot) || dot.len != 1 {
        return Ok(None);
    }
    let first = view.next(end + 1)?;
    if is_capital(first.code) {
        let is_name = &view.text[label..end] == b"com" || is_after_www(view, label);
        return Ok((is_name && is_word(view, end + 1)?).then_some(end));
    }
    if !is_foreign(first.code) || !is_bare_host_char(first) {
        return Ok(None);
    }
    // It may be the label of a host of both scripts.
    let mut at = end + 1;
    for _ in 0..MAX_LABEL {
        let c = view.next(at)?;
        if is_dot(c) && is_bare_host_char(view.next(at + c.len)?) {
            return Ok(None);
        }
        if !is_bare_host_char(c) {
            let is_domain = super::host::is_tld(view, end + 1, at, true);
            return Ok((!is_domain).then_some(end));
        }
        at += c.len;
    }
    Ok(None)
}

/// Endings of private names, and of files that are named after an address: no words that begin a sentence.
const NO_WORDS: &str = " conf corp docx domain example home html inet intern internal intra intranet invalid jpeg json local \
    localdomain localhost mbox office onion plist pptx priv private root server test workgroup xlsx yaml ";
/// Number of letters of the shortest word in small letters that begins a sentence.
const MIN_SMALL_WORD: usize = 4;
/// Top-level domains that addresses in capitals have.
const IN_CAPITALS: [&[u8]; 5] = [b"COM", b"EDU", b"GOV", b"NET", b"ORG"];

/// Returns the end of the host of an address without the labels of the next sentence: a word that begins with a capital or is
/// not a domain, a number, a word of another script, or an empty label, after a known top-level domain.
pub(super) fn end_of_host(view: &View<'_>, run: &Run) -> Result<Option<usize>, Incomplete> {
    let last = view.next(run.last_label)?;
    if run.labels < 2 {
        return Ok(None);
    }
    if !run.has_bad_label && !is_capital(last.code) && run.has_known_tld(view) {
        return Ok(None);
    }
    if let Some(end) = before_hyphen(view, run.last_label)? {
        return Ok(Some(end));
    }
    let (mut label, mut at, mut found) = (run.start, run.start, None);
    // The end of the label before this one, if it is such a domain.
    let (mut domain, mut count) = (None, 0);
    while at <= run.end {
        let c = if at < run.end { view.next(at)? } else { Char { code: EDGE, len: 1 } };
        if at < run.end && !is_dot(c) {
            at += c.len.max(1);
            continue;
        }
        if let Some(end) = domain
            && (begins_sentence(view, label, at, at == run.end)?
                || at == run.end && is_small_word(view, label, at)?)
        {
            found = Some(end);
        }
        count += 1;
        let bytes = &view.text[label..at];
        let is_domain = count > 1
            && (bytes.iter().all(u8::is_ascii_lowercase) && tld::is_ascii_tld(bytes)
                || IN_CAPITALS.contains(&bytes));
        domain = is_domain.then_some(at);
        at += c.len.max(1);
        label = at;
    }
    Ok(found)
}

/// Returns `true` if a label is a word in small letters that is not a domain, and nothing of a name follows it:
/// `info@example.com.thanks`.
fn is_small_word(view: &View<'_>, start: usize, end: usize) -> Result<bool, Incomplete> {
    let label = &view.text[start..end];
    let is_word = label.len() >= MIN_SMALL_WORD
        && label.iter().all(u8::is_ascii_lowercase)
        && !tld::is_ascii_tld(label)
        && !is_no_word(label);
    Ok(is_word && is_over(view, end, view.next(end)?)?)
}

fn is_no_word(label: &[u8]) -> bool {
    NO_WORDS.split(' ').any(|one| one.as_bytes().eq_ignore_ascii_case(label))
}

/// Returns `true` if a label is empty, a number, a word of ASCII that begins with a capital, or begins in another script. A word in
/// capitals is the last label: `SALES.NET.ACME.COM` is one name.
fn begins_sentence(
    view: &View<'_>,
    start: usize,
    end: usize,
    is_last: bool,
) -> Result<bool, Incomplete> {
    let label = &view.text[start..end];
    Ok(match label {
        [] => true,
        [b'0'..=b'9', ..] => label.iter().all(u8::is_ascii_digit),
        [b'A'..=b'Z', rest @ ..] => match label.len() {
            // Before a country `IT` is more often one than a word.
            2 if rest[0].is_ascii_uppercase() => !tld::is_ascii_tld(&label.to_ascii_lowercase()),
            _ => {
                let is_in_capitals = || rest.iter().all(u8::is_ascii_uppercase);
                (rest.iter().all(u8::is_ascii_lowercase)
                    || is_last && is_in_capitals() && !is_no_word(label))
                    && !is_domain_in_capitals(label)
            }
        },
        _ => is_foreign(view.next(start)?.code),
    })
}

/// Returns the end of the top-level domain at `label` if a hyphen and an ending of the language, a noun, or a word such as `based`
/// follow it, and nothing else of a name does.
pub(super) fn before_hyphen(view: &View<'_>, label: usize) -> Result<Option<usize>, Incomplete> {
    let Some(end) = domain(view, label).filter(|&end| view.text.get(end) == Some(&b'-')) else {
        return Ok(None);
    };
    let domain = str::from_utf8(&view.text[label..end]).unwrap_or_default();
    let is_in = |list: &str, word: &str| {
        let mut words = list.split(' ').filter(|one| !one.is_empty());
        words.any(|one| one == word)
    };
    let (is_inflected, is_compound) = (is_in(INFLECTED, domain), is_in(COMPOUND, domain));
    if !is_inflected && !is_compound && !is_in(QUALIFIED, domain) {
        return Ok(None);
    }
    let (mut word, mut at) = (String::new(), end + 1);
    let mut count = 0;
    let after = loop {
        let c = view.next(at)?;
        match char::from_u32(c.code) {
            Some(letter) if letter.is_ascii_alphabetic() || is_latin(letter) => word.push(letter),
            _ => break c,
        }
        at += c.len;
        count += 1;
        if count > MAX_WORD {
            return Ok(None);
        }
    };
    let is_lower = !word.chars().any(char::is_uppercase);
    let rest = word.chars().skip(1);
    let is_noun = count > 2
        && word.starts_with(|c: char| c.is_ascii_uppercase())
        && !rest.clone().any(char::is_uppercase);
    // A language with its country is no word: `messages.hu-hu`.
    let is_ending = word != domain && !is_in(NO_ENDINGS, &word);
    let fits = is_inflected && is_lower && is_ending && (1..=MAX_ENDING).contains(&count)
        || is_compound && is_noun
        || is_in(QUALIFIED, domain) && is_in(QUALITIES, &word);
    if !fits || is_style(view, label) || !is_over(view, at, after)? {
        return Ok(None);
    }
    Ok(Some(end))
}

/// Returns `true` for the end of one sentence and the beginning of the next, without a space: `fine.It`. Before the last
/// label, the label next to it decides.
#[inline]
pub(super) fn is_sentence(first: &[u8], last: &[u8]) -> bool {
    match last.first() {
        Some(b'A'..=b'Z') => is_of_ascii(first, last),
        Some(0x80..) => is_of_script(first, last),
        _ => false,
    }
}

/// Returns `true` if a name ends in a capitalized word of ASCII, after a word in small letters.
fn is_of_ascii(first: &[u8], last: &[u8]) -> bool {
    let Ok(first) = str::from_utf8(first) else { return false };
    let before = first.rsplit(|c| c == '.' || is_full_stop(c)).next().unwrap_or_default();
    let is_lower = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-';
    before.bytes().all(is_lower)
        && before.bytes().any(|b| b.is_ascii_lowercase())
        && last[1..].iter().all(u8::is_ascii_lowercase)
}

/// Returns `true` if a name whose last label is not ASCII is rather the end of a sentence and the beginning of the next one, or
/// abbreviations: `Привет.Дети`, `г.Москва`, `п.5.рф`.
fn is_of_script(first: &[u8], last: &[u8]) -> bool {
    let (Ok(first), Ok(last)) = (str::from_utf8(first), str::from_utf8(last)) else {
        return false;
    };
    let mut letters = last.chars();
    let is_title =
        letters.next().is_some_and(char::is_uppercase) && letters.all(char::is_lowercase);
    let are_initials = first.contains('.') && first.split('.').all(|one| one.chars().count() == 1);
    is_title && last.chars().count() > 2 && first.contains(char::is_lowercase) || are_initials
}

/// Returns the end of the known top-level domain in small letters at `label`.
fn domain(view: &View<'_>, label: usize) -> Option<usize> {
    let rest = view.text.get(label..)?;
    let is_letter = |b: &&u8| b.is_ascii_lowercase();
    let len = rest.iter().take(MAX_TLD_BYTES).take_while(is_letter).count();
    tld::is_ascii_tld(&rest[..len]).then_some(label + len)
}

fn is_capital(code: u32) -> bool {
    u8::try_from(code).is_ok_and(|byte| byte.is_ascii_uppercase())
}

/// Returns `true` if a capitalized word of ASCII is at `at`, and no name continues after it.
fn is_word(view: &View<'_>, at: usize) -> Result<bool, Incomplete> {
    let mut end = at + 1;
    while end - at < MAX_WORD && view.byte(end)?.is_some_and(|byte| byte.is_ascii_lowercase()) {
        end += 1;
    }
    let after = view.next(end)?;
    Ok(!is_domain_in_capitals(&view.text[at..end]) && is_over(view, end, after)?)
}

/// Returns `true` if a capitalized word is rather the top-level domain of the name before it, as a country behind `com`:
/// `example.com.Au`, `mail.yahoo.Com`. Some countries are words that begin a sentence.
fn is_domain_in_capitals(word: &[u8]) -> bool {
    let is_in = |list: &str| {
        list.split(' ').any(|one| !one.is_empty() && one.as_bytes().eq_ignore_ascii_case(word))
    };
    match word.len() {
        2 => !is_in(COUNTRIES_THAT_ARE_WORDS) && tld::is_ascii_tld(&word.to_ascii_lowercase()),
        _ => IN_CAPITALS.iter().any(|one| one.eq_ignore_ascii_case(word)),
    }
}

/// Returns `true` if a word ends before this character at `at`: before white space, or a punctuation mark that is not part of a name.
fn is_over(view: &View<'_>, at: usize, after: Char) -> Result<bool, Incomplete> {
    Ok(match char::from_u32(after.code) {
        None => after.code == EDGE,
        Some(',' | ';' | '!' | '?' | ')' | '"' | '\'') => true,
        Some('.' | ':') => is_gap(view.next(at + after.len)?.code),
        Some(_) => is_gap(after.code),
    })
}

/// Returns `true` if the name of an element of HTML is directly before the domain, as in a selector: `div.hr-top`.
fn is_style(view: &View<'_>, label: usize) -> bool {
    let before = view.text.get(..label.saturating_sub(1)).unwrap_or_default();
    let len = before.iter().rev().take(MAX_LABEL).take_while(|byte| is_simple(**byte)).count();
    let (before, name) = before.split_at(before.len() - len);
    before.last() != Some(&b'@') && str::from_utf8(name).is_ok_and(is_element_name)
}

/// Returns `true` if the name that continues at `label` begins with `www.`.
fn is_after_www(view: &View<'_>, label: usize) -> bool {
    let is_inner = |b: &&u8| is_simple(**b) || **b == b'.';
    let before = &view.text[..label];
    let len = before.iter().rev().take(MAX_NAME).take_while(is_inner).count();
    let name = &before[before.len() - len..];
    name.get(..4).is_some_and(|first| first.eq_ignore_ascii_case(b"www."))
}
