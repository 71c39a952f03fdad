//! Characters in lines of fixtures that the library and the bindings read: `\u{…}`, all else as it is.

/// The text that a line stands for.
pub(crate) fn unescaped(text: &str) -> String {
    let mut parts = text.split("\\u{");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (hex, rest) = part.split_once('}').unwrap();
        out.push(char::from_u32(u32::from_str_radix(hex, 16).unwrap()).unwrap());
        out.push_str(rest);
    }
    out
}
