//! What the tests of the library and those of the command share: archives that are made, expectations that are written.

#![allow(dead_code, reason = "not each of them asks for all")]

pub(crate) mod ars;
pub(crate) mod bless;
pub(crate) mod characters;
pub(crate) mod compound;
pub(crate) mod compressed;
pub(crate) mod crawls;
pub(crate) mod escapes;
pub(crate) mod folder;
pub(crate) mod pdfs;
pub(crate) mod store;
pub(crate) mod tars;
pub(crate) mod warcs;
pub(crate) mod zips;

pub(crate) fn base64(bytes: &[u8], line: usize) -> String {
    let digits = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = String::new();
    let mut count = 0;
    for group in bytes.chunks(3) {
        let value =
            group.iter().fold(0_u32, |v, b| v << 8 | u32::from(*b)) << (8 * (3 - group.len()));
        for at in 0..4 {
            let digit = digits[(value >> (18 - 6 * at) & 63) as usize];
            out.push(if at > group.len() { '=' } else { char::from(digit) });
            count += 1;
            if count % line == 0 {
                out.push('\n');
            }
        }
    }
    out
}
