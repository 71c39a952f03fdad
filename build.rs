//! Says to the tests whether the official data are beside the project: suites that need them are ignored where
//! they are not, and so are those that need the samples. The published package is without this file, and needs none.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(official_data, samples)");
    if Path::new("../shared/samples").is_dir() {
        println!("cargo::rustc-cfg=samples");
    }
    if ["unicode", "html5lib", "registry"]
        .iter()
        .all(|name| Path::new("../shared").join(name).is_dir())
    {
        println!("cargo::rustc-cfg=official_data");
    }
}
