//! Messages and mailboxes: no panic, and the parts' links are inside the stored bytes.

#![no_main]

use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use linksift::{Finder, Format, Hints};

fuzz_target!(|data: &[u8]| {
    let (finder, hints) = (Finder::new(), Hints::new());
    let _ = finder.scan_reader(data, &hints.clone().format(Format::Email), |event| {
        if let Some(judged) = event.into_candidate() {
            linksift_fuzz::check(&judged, data.len());
        }
        ControlFlow::Continue(())
    });
    let mut links = 0_u64;
    let _ = finder.scan_reader(data, &hints.format(Format::Mbox), |event| {
        if let Some(judged) = event.into_candidate() {
            linksift_fuzz::check(&judged, data.len());
            links += 1;
        }
        ControlFlow::Continue(())
    });
    assert!(links <= data.len() as u64);
});
