//! What cannot be seen from C: that a panic is caught, and that the header is what the code says.

use std::path::Path;

use crate::border::guarded;

#[test]
fn a_panic_stops_at_the_border() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let code = guarded(crate::LINKSIFT_PANIC, || panic!("on purpose"));
    std::panic::set_hook(hook);
    assert_eq!(code, crate::LINKSIFT_PANIC);
    // SAFETY: the text of this thread, which ends in NUL.
    let said = unsafe { std::ffi::CStr::from_ptr(crate::linksift_error()) };
    assert!(said.to_str().is_ok_and(|said| said.contains("on purpose")));
}

#[test]
fn header() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(here.join("cbindgen.toml")).unwrap();
    let mut made = Vec::new();
    cbindgen::Builder::new()
        .with_crate(here)
        .with_config(config)
        .with_parse_deps(false)
        .generate()
        .unwrap()
        .write(&mut made);
    let path = here.join("include/linksift.h");
    if std::env::var_os("LINKSIFT_BLESS").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let committed = std::fs::read(&path).unwrap_or_default();
    assert!(
        committed == made,
        "{} is not what src says: LINKSIFT_BLESS=1 writes it",
        path.display()
    );
}
