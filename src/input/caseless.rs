//! Searches for a word of ASCII, whatever the case of its letters.

use aho_corasick::packed::Searcher;

/// Bytes of the word by which it is searched for.
const START: usize = 3;

/// A word, and the search for its first bytes in all their forms.
pub(crate) struct CaselessWord {
    word: &'static [u8],
    /// `None` where there are no vectors for it.
    starts: Option<Searcher>,
}

impl CaselessWord {
    /// Makes the search for a word of at least three bytes.
    pub(crate) fn new(word: &'static str) -> CaselessWord {
        let word = word.as_bytes();
        let mut forms = vec![Vec::new()];
        for byte in &word[..START] {
            let (lower, upper) = (byte.to_ascii_lowercase(), byte.to_ascii_uppercase());
            let letters = if lower == upper { &[lower][..] } else { &[lower, upper] };
            let longer = |form: &Vec<u8>, letter: &u8| [&form[..], &[*letter]].concat();
            forms = forms
                .iter()
                .flat_map(|form| letters.iter().map(move |letter| longer(form, letter)))
                .collect();
        }
        CaselessWord { word, starts: Searcher::new(forms) }
    }

    /// Returns whether the word is in the bytes.
    pub(crate) fn is_in(&self, bytes: &[u8]) -> bool {
        match &self.starts {
            Some(starts) => starts.find_iter(bytes).any(|found| self.is_at(bytes, found.start())),
            None => self.is_in_few(bytes),
        }
    }

    /// Returns the same by a search for the first byte: for few bytes, and where there are no vectors.
    pub(crate) fn is_in_few(&self, bytes: &[u8]) -> bool {
        let first = self.word[0];
        memchr::memchr2_iter(first.to_ascii_lowercase(), first.to_ascii_uppercase(), bytes)
            .any(|at| self.is_at(bytes, at))
    }

    fn is_at(&self, bytes: &[u8], at: usize) -> bool {
        let there = bytes.get(at..at + self.word.len());
        there.is_some_and(|there| there.eq_ignore_ascii_case(self.word))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_is_found_wherever_it_stands() {
        let words = [CaselessWord::new("charset"), CaselessWord::new("<base")];
        for before in 0..70 {
            for after in [0, 1, 40] {
                for (text, is_in) in [
                    ("charset", [true, false]),
                    ("CHARSET", [true, false]),
                    ("cHaRsEt", [true, false]),
                    ("charse", [false, false]),
                    ("cchaCHArset=", [true, false]),
                    ("<BaSe", [false, true]),
                    ("<<base", [false, true]),
                    ("< base", [false, false]),
                ] {
                    let text = ["<b>ch".repeat(before / 5), "-".repeat(before % 5), text.into()];
                    let text = [text.concat(), " ".repeat(after)].concat();
                    for (word, is_in) in words.iter().zip(is_in) {
                        assert_eq!(word.is_in(text.as_bytes()), is_in, "{text:?}");
                        assert_eq!(word.is_in_few(text.as_bytes()), is_in, "{text:?}");
                    }
                }
            }
        }
    }
}
