//! Archives: what is compressed or an archive, and what of it is attached to a message.

use std::ops::ControlFlow;

use sift::container::Opening;
use sift::files::{Failure, Options, sift_one};
use sift::{Event, Finder, Hints};

use crate::links::Found;

/// What comes of an archive, in order.
pub(crate) enum Step {
    Found(Found),
    Failed(Failed),
}

/// A member that could not be read, or not to its end.
pub(crate) struct Failed {
    pub(crate) member: String,
    pub(crate) code: &'static str,
}

/// All that comes of bytes that may be an archive; `Err` if they themselves cannot be read.
pub(crate) fn steps(
    finder: &Finder,
    bytes: &[u8],
    hints: Hints,
    is_all: bool,
) -> Result<Vec<Step>, String> {
    let options = Options::new().finder(finder.clone()).hints(hints);
    let mut steps = Vec::new();
    let mut reason = None;
    sift_one(Opening::bytes(bytes), &options, |event| {
        match event {
            Event::Link { link, .. } => steps.push(Step::Found(Ok(link.into_owned()))),
            Event::Rejected { rejected, .. } if is_all => {
                steps.push(Step::Found(Err(rejected.into_owned())));
            }
            Event::Failed { path, member, error, .. } => {
                let failure = Failure::new(path, member, &error);
                if member.is_empty() && steps.is_empty() {
                    reason = Some(error.to_string());
                }
                if is_all {
                    let member = member.as_str().to_owned();
                    steps.push(Step::Failed(Failed { member, code: failure.code() }));
                }
            }
            _ => {}
        }
        ControlFlow::Continue(())
    });
    reason.map_or(Ok(steps), Err)
}
