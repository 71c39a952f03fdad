//! The sample for a guess: the words of a document with non-ASCII bytes.

/// Maximum length of a run without white space; a longer one is split. A piece may begin or end within a character, but one
/// wrong pair in 4 KiB does not affect a guess.
const LONGEST: usize = 4 << 10;
/// Maximum length of a sample.
const MOST: usize = 16 << 10;

/// Returns the words of `text` that have a byte above 0x7F, each with the white space after it. White space represents
/// itself in all encodings that are guessed in this way, so no character is cut.
pub(super) fn words(text: &[u8]) -> Vec<u8> {
    let mut sample = Vec::new();
    for word in text.split_inclusive(|byte| byte.is_ascii_whitespace()) {
        if word.is_ascii() {
            continue;
        }
        for piece in word.chunks(LONGEST).filter(|piece| !piece.is_ascii()) {
            if sample.len() + piece.len() > MOST {
                return sample;
            }
            sample.extend_from_slice(piece);
        }
    }
    sample
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_whole() {
        assert_eq!(words(b"a caf\xE9 or \x95\\ b"), b"caf\xE9 \x95\\ ");
        assert!(words(b"nothing here").is_empty());
    }

    #[test]
    fn it_is_bounded() {
        assert_eq!(words(&[0xE4; 1 << 20]).len(), MOST);
        assert!(words(&b"\xE4 ".repeat(1 << 19)).len() <= MOST);
        let mut long = vec![b'a'; 1 << 20];
        long[500_000] = 0xE4;
        assert_eq!(words(&long).len(), LONGEST);
    }
}
