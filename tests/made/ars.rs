//! Archives of ar, member by member.

/// A member, padded to an even length. `name` ends as its variant asks for: `a.txt/` of GNU, `a.txt` of BSD.
pub(crate) fn member(name: &str, bytes: &[u8]) -> Vec<u8> {
    let head = format!("{name:<16}{:<12}{:<6}{:<6}{:<8}{:<10}`\n", 0, 0, 0, 100_644, bytes.len());
    let padding: &[u8] = if bytes.len() % 2 == 1 { b"\n" } else { b"" };
    [head.as_bytes(), bytes, padding].concat()
}

pub(crate) fn ar(members: &[Vec<u8>]) -> Vec<u8> {
    [b"!<arch>\n".to_vec(), members.concat()].concat()
}
