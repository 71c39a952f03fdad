//! Old Office, messages and stores of Outlook, RTF: no panic, whatever the file has behind its magic number. A store that is
//! read message after message has the links that it has in memory.

#![no_main]

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use linksift::container::Opening;
use linksift::files::{self, Options};
use linksift::{Event, Finder, Hints, Notice};

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
    let Ok(mut links) = finder.document(&bytes, &Hints::new()) else { return };
    let mut in_memory = BTreeSet::new();
    for candidate in links.by_ref() {
        let range = candidate.range();
        assert!(range.start <= range.end);
        in_memory.extend(candidate.into_link().map(|link| link.uri().into_owned()));
    }
    if magic != b"!BDN" {
        return;
    }
    let mut notices = links.notices().to_vec();
    let mut of_messages = BTreeSet::new();
    let _ = files::scan_one(Opening::bytes(bytes), &Options::new(), |event| {
        match event {
            Event::Link { link, .. } => _ = of_messages.insert(link.uri().into_owned()),
            Event::Noticed { notice, .. } => notices.push(notice),
            _ => {}
        }
        ControlFlow::Continue(())
    });
    // What a limit leaves out depends on what was read before.
    if !notices.iter().any(|notice| matches!(notice, Notice::OfficeLimit | Notice::Repeated)) {
        assert!(in_memory.is_subset(&of_messages), "{in_memory:?} and {of_messages:?}");
    }
});
