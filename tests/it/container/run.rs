//! A run over files in a folder of its own, and what came of it.

pub(crate) use crate::made::folder::{Folder, T};

use std::ops::ControlFlow;

use linksift::Event;
use linksift::files::{self, Options};
use linksift::{Hints, ScanError};

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
    let code = |error: &ScanError| match error {
        ScanError::Fault(fault) => format!("{} {}", fault.code().as_str(), fault.offset()),
        error => format!("{error:?} -"),
    };
    let _ = files::scan([&path], options, |event| {
        match event {
            Event::Link { link, .. } => {
                let member = link.member().unwrap_or_default();
                run.links.push(format!("{member} {} {}", link.range().start, link.uri()));
            }
            Event::Failed { member, error, .. } => {
                run.failures.push(format!("{} {}", member.as_str(), code(&error)));
            }
            Event::Noticed { member, notice, .. } => {
                run.notices.push(format!("{} {}", member.as_str(), notice.as_str()));
            }
            _ => {}
        }
        ControlFlow::Continue(())
    });
    run
}

/// How the links of an archive lie in its bytes.
#[derive(Clone, Copy)]
pub(crate) enum Order<'o> {
    /// One after the other, as they are reported: what is in front of a place does not depend on what follows.
    Bytes,
    /// In members that end at these offsets: inside of one what is damaged may make another document of it.
    Members(&'o [usize]),
    /// The same of the records of a crawl: one in front of what is no header is longer than it says.
    Records(&'o [usize]),
}

impl Order<'_> {
    /// Up to where all that is told of the bytes in front of `at` must be told whatever `at` and the rest are.
    pub(crate) fn settled(self, at: usize) -> usize {
        match self {
            Order::Bytes => at,
            // What is behind the last one is a directory, which says of all where they are.
            Order::Members(ends) if ends.last().is_some_and(|end| *end <= at) => 0,
            Order::Members(ends) => ends.iter().copied().rfind(|end| *end <= at).unwrap_or(0),
            Order::Records(ends) => {
                let mut whole = ends.iter().rev().filter(|end| **end <= at);
                whole.nth(1).copied().unwrap_or(0)
            }
        }
    }
}

/// Where each of these members ends, one behind the other.
pub(crate) fn ends(members: &[impl AsRef<[u8]>]) -> Vec<usize> {
    let add = |sum: &mut usize, member: &_| {
        *sum += AsRef::<[u8]>::as_ref(member).len();
        Some(*sum)
    };
    members.iter().scan(0, add).collect()
}

/// Every cut and thousands of flipped bits of a small file: no panic, no endless loop, the links in front of the damage
/// are those of the whole file, and the file beside it is read all the same. Returns how many cuts have links in front.
#[must_use]
pub(crate) fn torture(name: &str, bytes: &[u8], order: Order<'_>) -> usize {
    let folder = Folder::new();
    let beside = folder.write("z.txt", T);
    let check = |bytes: &[u8], what: &str| {
        let path = folder.write(name, bytes);
        let (mut own, mut after) = (Vec::new(), 0);
        let _ = files::scan([&path, &beside], &options(), |event| {
            if let Event::Link { path, link, .. } = event {
                match path == beside {
                    true => after += 1,
                    false => own.push(format!(
                        "{} {:?} {}",
                        link.member().unwrap_or_default(),
                        link.range(),
                        link.uri()
                    )),
                }
            }
            ControlFlow::Continue(())
        });
        assert_eq!(after, 2, "{name} {what}");
        own
    };
    let whole = check(bytes, "as it is");
    assert!(!whole.is_empty(), "{name}: no link");
    // What is told of the bytes up to each place.
    let mut up_to = Vec::new();
    for end in 0..bytes.len() {
        let what = format!("cut at {end}");
        let found = check(&bytes[..end], &what);
        if matches!(order, Order::Bytes) || order.settled(end) == end {
            assert!(whole.starts_with(&found), "{name} {what}: {found:?}, not of {whole:?}");
        }
        up_to.push(found);
        let settled = &up_to[order.settled(end)];
        assert!(
            up_to[end].starts_with(settled),
            "{name} {what}: {:?}, not {settled:?}",
            up_to[end]
        );
    }
    let told = up_to.iter().filter(|found| !found.is_empty()).count();
    let mut state = 1_u64;
    let mut copy = bytes.to_vec();
    for _ in 0..3_000 {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (at, bit) = ((state >> 33) as usize % bytes.len(), state >> 29 & 7);
        copy[at] ^= 1 << bit;
        let what = format!("bit {bit} of byte {at}");
        let found = check(&copy, &what);
        let settled = &up_to[order.settled(at)];
        assert!(found.starts_with(settled), "{name} {what}: {found:?}, not {settled:?}");
        copy[at] = bytes[at];
    }
    told
}
