//! Parser for numbers.

use std::str::FromStr;

/// Parses a whole number from 0. Its options have `allow_negative_numbers`, since `-1` is otherwise taken for an option.
pub(crate) fn number<T: FromStr>(text: &str) -> Result<T, String> {
    let is_number = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().map_err(|_| match is_number {
        true => "the number is too large".to_owned(),
        false => "expected a whole number from 0".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::number;

    #[test]
    fn numbers_are_not_negative() {
        assert_eq!((number::<u64>("0"), number::<u32>("4294967295")), (Ok(0), Ok(u32::MAX)));
        for text in ["", "-1", "1.5", "k"] {
            assert_eq!(number::<u64>(text), Err("expected a whole number from 0".to_owned()));
        }
        assert_eq!(number::<u32>("4294967296"), Err("the number is too large".to_owned()));
    }
}
