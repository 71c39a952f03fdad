//! Old Office, messages and stores of Outlook, RTF: no panic, whatever the file has behind its magic number.

#![no_main]

use libfuzzer_sys::fuzz_target;
use linksift::{Document, Finder};

/// First bytes of compound files, of Word 2, of stores and of RTF.
const MAGIC: [&[u8]; 4] =
    [b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1", b"\xDB\xA5\x2D\0", b"!BDN", b"{\\rtf1"];

fuzz_target!(|data: &[u8]| {
    let Some((first, rest)) = data.split_first() else { return };
    let magic = MAGIC[usize::from(*first) % MAGIC.len()];
    // A file of another kind is for other targets.
    let mut bytes = magic.to_vec();
    bytes.extend_from_slice(rest.strip_prefix(magic).unwrap_or(rest));
    let finder = Finder::new();
    let Ok(links) = finder.document(&Document::new(&bytes)) else { return };
    for judged in links {
        let range = match &judged {
            Ok(link) => link.range(),
            Err(rejected) => rejected.range(),
        };
        assert!(range.start <= range.end);
    }
});
