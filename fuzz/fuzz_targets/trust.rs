//! What deceives: findings are inside what they are about, and an ordinary label has none.

#![no_main]

use libfuzzer_sys::fuzz_target;
use linksift::trust;

fuzz_target!(|data: &str| {
    let (label, top) = data.rsplit_once('.').unwrap_or((data, "com"));
    let found = trust::label(label, top);
    let is_ordinary = label.bytes().all(|byte| byte.is_ascii_lowercase());
    assert!(!is_ordinary || found.warnings().is_empty(), "{label}");
    let _ = trust::host(data);
});
