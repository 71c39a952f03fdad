//! Every case as a file of an archive: the same links, at the same bytes of the file.

use std::ops::ControlFlow;

use linksift::container::Opening;
use linksift::files::{self, Options};
use linksift::{Event, Format};

use super::cases::Case;
use super::split::boxed;
use super::{Found, all_cases, of_link, of_rejected, whole};
use crate::container::{compressed, tars, zips};

/// What is found of the file in an archive; what is attached to it apart.
fn archived(archive: Vec<u8>, name: &str, case: &Case) -> Vec<Found> {
    let options = Options::new().threads(1).hints(case.hints(Format::Auto));
    let mut found = Vec::new();
    let _ = files::scan_one(Opening::bytes(archive), &options, |event| {
        match &event {
            Event::Link { link, .. } if link.member() == Some(name) => found.push(of_link(link)),
            Event::Rejected { rejected, .. } if rejected.member() == Some(name) => {
                found.push(of_rejected(rejected));
            }
            _ => {}
        }
        ControlFlow::Continue(())
    });
    found
}

#[test]
fn every_case_in_an_archive() {
    let mut count = 0;
    for (_, case) in all_cases() {
        for (is_crlf, is_boxed) in [(false, false), (true, false), (false, true), (true, true)] {
            if is_crlf && case.is_lf || is_boxed && (case.is_bare || case.format == Format::Mbox) {
                continue;
            }
            let (mut bytes, mut format) = (case.bytes(is_crlf), case.format);
            if is_boxed {
                bytes = boxed(&bytes, if is_crlf { "\r\n" } else { "\n" });
                format = Format::Mbox;
            }
            let name = if format == Format::Mbox { "a.mbox" } else { "a.eml" };
            let wanted = whole(&bytes, &case, format);
            let tar = tars::tar(&[(name.as_bytes(), &bytes)]);
            for (kind, archive) in [
                ("stored zip", zips::zip(&[zips::stored(name.as_bytes(), &bytes)])),
                ("deflated zip", zips::zip(&[zips::deflated(name.as_bytes(), &bytes)])),
                ("tar.gz", compressed::gzip(&tar)),
                ("tar", tar),
            ] {
                let found = archived(archive, name, &case);
                assert_eq!(found, wanted, "{} crlf={is_crlf} {name} in a {kind}", case.name);
                count += found.len();
            }
        }
    }
    assert!(count > 2_000, "{count} links");
}
