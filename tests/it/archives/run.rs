//! A run over files in a folder of its own, and what came of it.

pub(crate) use crate::made::folder::{Folder, T};

use std::ops::ControlFlow;

use linksift::Event;
use linksift::Hints;
use linksift::container::Fault;
use linksift::files::{self, Options};

/// What a run came to, in the order of its events.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Run {
    /// `MEMBER START URI` of each link.
    pub(crate) links: Vec<String>,
    /// `MEMBER CODE OFFSET` of each failure.
    pub(crate) failures: Vec<String>,
    /// `MEMBER CODE` of each notice.
    pub(crate) notices: Vec<String>,
}

impl Run {
    /// The links without their places.
    pub(crate) fn uris(&self) -> Vec<&str> {
        self.links.iter().filter_map(|link| link.rsplit(' ').next()).collect()
    }

    /// The members with links in them, each as often as it has one.
    pub(crate) fn members(&self) -> Vec<&str> {
        self.links.iter().filter_map(|link| link.rsplitn(3, ' ').nth(2)).collect()
    }

    /// The failures without their offsets.
    pub(crate) fn codes(&self) -> Vec<&str> {
        self.failures.iter().filter_map(|one| one.rsplit_once(' ').map(|(code, _)| code)).collect()
    }
}

/// Goes through one file.
pub(crate) fn run(name: &str, bytes: &[u8]) -> Run {
    run_with(name, bytes, &options())
}

pub(crate) fn options() -> Options {
    Options::new().threads(1).hints(Hints::new().format(linksift::Format::Auto))
}

pub(crate) fn run_with(name: &str, bytes: &[u8], options: &Options) -> Run {
    let folder = Folder::new();
    let path = folder.write(name, bytes);
    let mut run = Run::default();
    let code = |error: &std::io::Error| match Fault::of(error) {
        Some(fault) => format!("{} {}", fault.code().code(), fault.offset()),
        None => format!("{error:?} -"),
    };
    files::sift([&path], options, |event| {
        match event {
            Event::Link { link, .. } => {
                let member = link.member().unwrap_or_default();
                run.links.push(format!("{member} {} {}", link.range().start, link.uri()));
            }
            Event::Failed { member, error, .. } => {
                run.failures.push(format!("{} {}", member.as_str(), code(&error)));
            }
            Event::Noticed { member, notice, .. } => {
                run.notices.push(format!("{} {}", member.as_str(), notice.code()));
            }
            _ => {}
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    run
}

/// Every cut and thousands of flipped bits of a small file: no panic, no endless loop, and the file beside it
/// is read all the same.
pub(crate) fn torture(name: &str, bytes: &[u8]) {
    let folder = Folder::new();
    let beside = folder.write("z.txt", T);
    let check = |bytes: &[u8], what: &str| {
        let path = folder.write(name, bytes);
        let mut after = 0;
        files::sift([&path, &beside], &options(), |event| {
            if let Event::Link { path, .. } = event {
                after += usize::from(path == beside);
            }
            ControlFlow::Continue(())
        })
        .unwrap();
        assert_eq!(after, 2, "{name} {what}");
    };
    for end in 0..bytes.len() {
        check(&bytes[..end], &format!("cut at {end}"));
    }
    let mut state = 1_u64;
    let mut copy = bytes.to_vec();
    for _ in 0..3_000 {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (at, bit) = ((state >> 33) as usize % bytes.len(), state >> 29 & 7);
        copy[at] ^= 1 << bit;
        check(&copy, &format!("bit {bit} of byte {at}"));
        copy[at] = bytes[at];
    }
}
