//! Says to the tests whether the official data are beside the project: suites that need them are ignored where
//! they are not, and so are those that need the samples.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(official_data, samples)");
    let shared = Path::new("../../../shared");
    if shared.join("samples").is_dir() {
        println!("cargo::rustc-cfg=samples");
    }
    if ["unicode", "html5lib", "registry"].iter().all(|name| shared.join(name).is_dir()) {
        println!("cargo::rustc-cfg=official_data");
    }
}
