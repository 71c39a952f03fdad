//! The next sentence, or the ending of a word, directly behind a host.

use super::Twin;
use super::chars;
use super::host::Set;

const INFLECTED: &str = "cz ee fi hr hu lt lv pl ro rs si sk";
const COMPOUND: &str = "at ch com de eu org";
const QUALIFIED: &str = "com edu gov org uk";
const QUALITIES: &str =
    "affiliated backed based branded hosted like only operated owned powered related run style";

const NO_WORDS: &str = "conf corp docx domain example home html inet intern internal intra intranet invalid jpeg json \
    local localdomain localhost mbox office onion plist pptx priv private root server test workgroup xlsx yaml";

fn has(list: &str, word: &str) -> bool {
    list.split(' ').any(|one| one == word)
}

fn is_small_domain(label: &str) -> bool {
    label.chars().all(|c| c.is_ascii_lowercase()) && chars::is_tld(label)
}

/// `example.com.Au`
fn is_domain_in_capitals(word: &str) -> bool {
    let lower = word.to_ascii_lowercase();
    match lower.len() {
        2 => {
            !has("am as at be by do go in is it me my no so to us we", &lower)
                && chars::is_tld(&lower)
        }
        _ => has("com edu gov net org", &lower),
    }
}

fn is_capitalized(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(|c| c.is_ascii_uppercase()) && letters.all(|c| !c.is_uppercase())
}

impl Twin<'_> {
    /// The characters that are written as they are.
    fn small(&self, first: usize) -> usize {
        (first..).take_while(|&i| self.written(i).is_some_and(|c| c.is_ascii_lowercase())).count()
    }

    /// `example.com.So we`: the end of the domain at `label`.
    pub(super) fn sentence_behind(&self, label: usize) -> Option<usize> {
        let end = label + self.small(label);
        let domain = self.string(label, end);
        if !self.prose() || !is_small_domain(&domain) || self.written(end) != Some('.') {
            return None;
        }
        let first = self.at(end + 1)?;
        if first.is_ascii_uppercase() {
            let mut name = label;
            let inner = |c: char| c.is_ascii_alphanumeric() || "-.".contains(c);
            while name > 0 && label - name < 64 && self.written(name - 1).is_some_and(inner) {
                name -= 1;
            }
            let www = self.string(name, name + 4).eq_ignore_ascii_case("www.");
            let mut word = end + 2;
            while word - end - 1 < 24 && self.written(word).is_some_and(|c| c.is_ascii_lowercase())
            {
                word += 1;
            }
            let capitals = is_domain_in_capitals(&self.string(end + 1, word));
            return ((www || domain == "com") && !capitals && self.is_word_over(word))
                .then_some(end);
        }
        if !chars::is_foreign(first) || !chars::is_host(first) {
            return None;
        }
        let mut word = end + 1;
        while self.at(word).is_some_and(chars::is_host) {
            word += 1;
        }
        let more = self.at(word).is_some_and(chars::is_dot)
            && self.at(word + 1).is_some_and(chars::is_host);
        let long = word - end - 1 > 62;
        (!more && !long && !chars::is_tld(&self.string(end + 1, word))).then_some(end)
    }

    /// `index.hu-n`, `Spiegel.de-Redaktion`, `Amazon.com-owned`: the end of the domain at `label`.
    pub(super) fn ending_behind(&self, label: usize) -> Option<usize> {
        let end = label + self.small(label);
        let domain = self.string(label, end);
        if !self.prose() || !is_small_domain(&domain) || self.written(end) != Some('-') {
            return None;
        }
        let latin = |c: char| c.is_ascii_alphabetic() || chars::is_latin(c);
        let mut last = end + 1;
        while self.at(last).is_some_and(latin) {
            last += 1;
        }
        let word = self.string(end + 1, last);
        let count = word.chars().count();
        let inflected = has(INFLECTED, &domain)
            && (1..6).contains(&count)
            && !word.contains(char::is_uppercase)
            && word != domain
            && !has("bak beta dev doc lib new old src test tmp", &word);
        let compound = has(COMPOUND, &domain) && (3..25).contains(&count) && is_capitalized(&word);
        let quality = has(QUALIFIED, &domain) && has(QUALITIES, &word);
        let mut before = label - 1;
        let simple = |c: char| c.is_ascii_alphanumeric() || c == '-';
        while before > 0 && self.written(before - 1).is_some_and(simple) {
            before -= 1;
        }
        let element = self.string(before, label - 1).to_ascii_lowercase();
        let style = self.written(before.wrapping_sub(1)) != Some('@')
            && super::ending::ELEMENTS.split_whitespace().any(|one| one == element);
        ((inflected || compound || quality) && !style && self.is_word_over(last)).then_some(end)
    }

    fn is_word_over(&self, i: usize) -> bool {
        let gap = |i: usize| self.at(i).is_none_or(chars::is_white_space);
        match self.at(i) {
            Some('.' | ':') => gap(i + 1),
            Some(c) => ",;!?)\"'".contains(c) || chars::is_white_space(c),
            None => true,
        }
    }

    /// Where the host `first..end` of an address ends, if a sentence begins in it.
    pub(super) fn sentence_in(&self, first: usize, end: usize) -> Option<usize> {
        let last = self.last_label(first, end);
        let known = last > first && chars::is_tld(&self.string(last, end));
        let text = self.string(first, end);
        let capital = self.at(last).is_some_and(|c| c.is_ascii_uppercase());
        let good = super::host::label_error(&text).is_none();
        if !self.prose() || last == first || good && !capital && known {
            return None;
        }
        if let Some(end) = self.ending_behind(last) {
            return Some(end);
        }
        let dots: Vec<usize> =
            (first..end).filter(|&i| self.at(i).is_some_and(chars::is_dot)).chain([end]).collect();
        let mut found = None;
        for two in dots.windows(2).skip(1) {
            let begin = dots[..dots.iter().position(|&dot| dot == two[0]).unwrap_or(0)]
                .last()
                .map_or(first, |dot| dot + 1);
            let label: Option<String> = (two[0] + 1..two[1]).map(|i| self.written(i)).collect();
            let foreign = self.at(two[0] + 1).is_some_and(chars::is_foreign);
            let starts = two[0] + 1 == two[1]
                || foreign
                || label.is_some_and(|label| {
                    let mut rest = label.chars().skip(1);
                    let capitals = label.chars().all(|c| c.is_ascii_uppercase());
                    let country =
                        label.len() == 2 && capitals && chars::is_tld(&label.to_ascii_lowercase());
                    let small = two[1] == end
                        && label.len() > 3
                        && label.chars().all(|c| c.is_ascii_lowercase())
                        && !chars::is_tld(&label)
                        && !has(NO_WORDS, &label)
                        && self.is_word_over(end);
                    label.chars().all(|c| c.is_ascii_digit())
                        || small
                        || label.starts_with(|c: char| c.is_ascii_uppercase())
                            && (rest.all(|c| c.is_ascii_lowercase())
                                || two[1] == end
                                    && capitals
                                    && !has(NO_WORDS, &label.to_ascii_lowercase()))
                            && !country
                            && !is_domain_in_capitals(&label)
                });
            let domain: Option<String> = (begin..two[0]).map(|i| self.written(i)).collect();
            let known =
                |domain: &String| is_small_domain(domain) || has("COM EDU GOV NET ORG", domain);
            if starts && domain.as_ref().is_some_and(known) {
                found = Some(two[0]);
            }
        }
        found
    }

    /// Whether another label follows, or a word that is none.
    pub(super) fn ends_before_sentence(&self, label: usize) -> Option<usize> {
        let mut end = label;
        while self.host_character(Set::Schemeless, label, end) > 0 {
            end += 1;
        }
        match self.another_label_follows(end) {
            true => self.sentence_behind(label),
            false => None,
        }
    }
}
