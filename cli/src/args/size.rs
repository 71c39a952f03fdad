//! Parser for sizes such as `64M`.

/// Parses a number of bytes: `65536`, `10k`, `64M`, `1GiB`. A letter is a power of 1,024.
pub(crate) fn size(text: &str) -> Result<usize, String> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let (number, suffix) = text.split_at(digits);
    let power = match suffix.to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kib" => 1,
        "m" | "mib" => 2,
        "g" | "gib" => 3,
        "t" | "tib" => 4,
        _ => {
            return Err(
                "expected a number of bytes, with k, M, G or T after it for powers of 1024".into(),
            );
        }
    };
    let number: usize = match number.parse() {
        Ok(number) => number,
        Err(_) if number.is_empty() => return Err("a size must begin with a number".into()),
        Err(_) => return Err("the size is too large".into()),
    };
    1024_usize
        .checked_pow(power)
        .and_then(|unit| number.checked_mul(unit))
        .ok_or("the size is too large".into())
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn numbers_with_and_without_letters() {
        for (text, bytes) in [
            ("0", 0),
            ("65536", 65536),
            ("10k", 10240),
            ("10K", 10240),
            ("3MiB", 3 << 20),
            ("2b", 2),
        ] {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in ["", "k", "-1", "1.5M", "1kB", "1 k", "99999999999999999999", "99999999999T"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
