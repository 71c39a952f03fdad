//! Messages and mailboxes: no panic, and the parts' links are inside the stored bytes.

#![no_main]

use std::ops::ControlFlow;

use libfuzzer_sys::fuzz_target;
use linksift::mail::{self, Options};

fuzz_target!(|data: &[u8]| {
    let options = Options::new();
    let _ = mail::message(data, &options, |event| {
        if let Some(judged) = event.into_candidate() {
            linksift_fuzz::check(&judged, data.len());
        }
        ControlFlow::Continue(())
    });
    let mut links = 0_u64;
    let _ = mail::mailbox(data, &options, |event| {
        if let Some(judged) = event.into_candidate() {
            linksift_fuzz::check(&judged, data.len());
            links += 1;
        }
        ControlFlow::Continue(())
    });
    assert!(links <= data.len() as u64);
});
