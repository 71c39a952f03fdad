//! Claims: which bytes of the archive each entry of a directory has for itself.
//!
//! A directory whose entries share bytes expands them once for each entry, so an entry in the range of another one is
//! rejected. Where ranges overlap, the local headers decide how long the entries are, so that a damaged record of a
//! directory causes no other entry to be rejected.

use std::collections::HashMap;
use std::io;

use super::super::source::SourceRange;
use super::header::{LOCAL_LEN, LocalLength};
use super::place::EntryBase;

/// What an entry gets that is in the range of another one, or whose range others are in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dispute {
    /// It begins inside another one.
    Inside,
    /// Its content has at most this length in bytes.
    AtMost(u64),
}

/// The range of the last entry that has one.
struct Claim {
    header: u64,
    stored: u64,
    end: u64,
    /// Whether the end is that of the local header.
    is_checked: bool,
}

/// Returns the disputed entries by the offsets of their headers, from the offsets and stored lengths of all. Local
/// headers are read only where entries overlap.
pub(super) fn disputes(
    window: &SourceRange,
    base: EntryBase,
    mut entries: Vec<(u64, u64)>,
) -> io::Result<HashMap<u64, Dispute>> {
    entries.sort_unstable();
    let (mut disputes, mut last) = (HashMap::new(), None::<Claim>);
    for (header, stored) in entries {
        let mut claim = Claim::of(header, stored);
        if let Some(last) = last.as_mut().filter(|last| header < last.end) {
            if last.header != header {
                if base.local(window, header)?.is_none() {
                    // Nothing is there that could be read.
                    continue;
                }
                disputes.extend(last.check(window, base, header)?);
                if header < last.end {
                    disputes.insert(header, Dispute::Inside);
                    continue;
                }
            } else if last.is_checked {
                continue;
            }
            // The same entry is listed twice.
            claim.end = claim.end.max(last.end);
        }
        last = Some(claim);
    }
    Ok(disputes)
}

impl Claim {
    fn of(header: u64, stored: u64) -> Claim {
        let end = header.saturating_add(stored).saturating_add(LOCAL_LEN as u64);
        Claim { header, stored, end, is_checked: false }
    }

    /// Compares the length with the local header, once. If they differ, the entry ends before the next one.
    fn check(
        &mut self,
        window: &SourceRange,
        base: EntryBase,
        next: u64,
    ) -> io::Result<Option<(u64, Dispute)>> {
        if self.is_checked {
            return Ok(None);
        }
        self.is_checked = true;
        let Some((local, length)) = base.length(window, self.header, self.stored)? else {
            self.end = self.header;
            return Ok(None);
        };
        let begin = self.header.saturating_add(local.end - local.start);
        let most = match length {
            LocalLength::Agrees => {
                self.end = begin.saturating_add(self.stored);
                return Ok(None);
            }
            LocalLength::Differs(stored) => stored.min(self.stored),
            LocalLength::Unknown => next.saturating_sub(begin),
        };
        self.end = begin.saturating_add(most);
        Ok(Some((self.header, Dispute::AtMost(most))))
    }
}
