//! Limits: how deep, how much and with how much memory archives are opened, and how much an input may still expand to,
//! over all threads that process parts of it.
//!
//! All are counts, none is a time: the same input gives the same result on any machine.

use std::sync::atomic::Ordering::SeqCst;
use std::sync::atomic::{AtomicBool, AtomicU64};

use crate::limits;

/// Limits of archives and compressed files that are opened.
///
/// ```
/// use linksift::container::Limits;
///
/// let limits = Limits::new().max_depth(2).max_window(8 << 20);
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Limits {
    pub(crate) depth: u32,
    pub(crate) expansion: u64,
    pub(crate) window: u64,
    /// Size that a member may always expand to.
    pub(crate) member_floor: u64,
    /// Size that an input may always expand to.
    pub(crate) input_floor: u64,
    /// Length in bytes of the ranges into which a crawl is cut.
    pub(crate) range: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            depth: limits::DEPTH,
            // Deflate cannot exceed 1029:1.
            expansion: limits::EXPANSION,
            window: limits::WINDOW,
            member_floor: 1 << 30,
            input_floor: 4 << 30,
            range: 2 << 20,
        }
    }
}

impl Limits {
    /// The default limits: depth 8, expansion 2000, a window of 128 MiB.
    ///
    /// ```
    /// use linksift::ScanError;
    /// use linksift::container::{self, FaultCode, Found, Limits, Opening};
    /// use std::ops::ControlFlow;
    ///
    /// // `nested` makes so many nested archives around a document.
    /// # let nested = |depth| {
    /// #     (0..depth).fold("see example.com".to_owned(), |inner, _| {
    /// #         format!("!<arch>\n{:<48}{:<10}`\n{inner}", "inner/", inner.len())
    /// #     })
    /// # };
    /// let fault = |depth| {
    ///     let mut fault = None;
    ///     container::documents(Opening::bytes(nested(depth)), &Limits::new(), |found| {
    ///         if let Found::Failed { error: ScanError::Fault(why), .. } = found {
    ///             fault = Some(why.code());
    ///         }
    ///         ControlFlow::Continue(())
    ///     });
    ///     fault
    /// };
    /// assert_eq!((fault(8), fault(9)), (None, Some(FaultCode::Depth)));
    /// ```
    pub fn new() -> Limits {
        Limits::default()
    }

    /// Sets how many containers and compressions may be nested. Default: 8.
    ///
    /// ```
    /// use linksift::ScanError;
    /// use linksift::container::{self, FaultCode, Found, Limits, Opening};
    /// use std::ops::ControlFlow;
    ///
    /// // `ar` makes an archive of one file.
    /// # let ar = |content: &str| format!("!<arch>\n{:<48}{:<10}`\n{content}", "inner/", content.len());
    /// let nested = ar(&ar("see example.com"));
    /// let mut faults = Vec::new();
    /// container::documents(Opening::bytes(nested), &Limits::new().max_depth(1), |found| {
    ///     if let Found::Failed { error: ScanError::Fault(why), .. } = found {
    ///         faults.push(why.code());
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(faults, [FaultCode::Depth]);
    /// ```
    pub fn max_depth(mut self, depth: u32) -> Self {
        self.depth = depth;
        self
    }

    /// Sets how many times its stored size a member may expand to, if that is more than 1 GiB; and an
    /// input, if that is more than 4 GiB. Default: 2000.
    ///
    /// ```
    /// # #[cfg(feature = "zstd")] {
    /// use linksift::container::{self, Found, Limits, Opening};
    /// use std::ops::ControlFlow;
    ///
    /// // A frame of zstd: a window of 128 KiB, and one block of as many times the same letter.
    /// let zstd = *b"\x28\xB5\x2F\xFD\0\x38\x03\0\x10a";
    /// let mut lengths = Vec::new();
    /// container::documents(Opening::bytes(zstd), &Limits::new().max_expansion(1), |found| {
    ///     if let Found::Document(mut document) = found {
    ///         lengths.extend(std::io::copy(&mut document, &mut std::io::sink()));
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// // It is less than 1 GiB.
    /// assert_eq!(lengths, [128 << 10]);
    /// # }
    /// ```
    pub fn max_expansion(mut self, times: u64) -> Self {
        self.expansion = times;
        self
    }

    /// Sets how many decoded bytes a decoder may keep. Default: 128 MiB.
    ///
    /// ```
    /// # #[cfg(feature = "zstd")] {
    /// use linksift::ScanError;
    /// use linksift::container::{self, FaultCode, Found, Limits, Opening};
    /// use std::ops::ControlFlow;
    ///
    /// // A frame of zstd: a window of 128 KiB, and one block of as many times the same letter.
    /// let zstd = *b"\x28\xB5\x2F\xFD\0\x38\x03\0\x10a";
    /// let mut faults = Vec::new();
    /// container::documents(Opening::bytes(zstd), &Limits::new().max_window(64 << 10), |found| {
    ///     match found {
    ///         Found::Document(mut document) => _ = std::io::copy(&mut document, &mut std::io::sink()),
    ///         Found::Failed { error: ScanError::Fault(why), .. } => faults.push(why.code()),
    ///         _ => {}
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(faults, [FaultCode::Window]);
    /// # }
    /// ```
    pub fn max_window(mut self, bytes: u64) -> Self {
        self.window = bytes;
        self
    }

    /// Sets the length of the ranges that a crawl is cut into to be read by several threads; the results do not
    /// depend on it.
    #[doc(hidden)]
    pub fn range_size(mut self, bytes: u64) -> Self {
        self.range = bytes.max(1);
        self
    }

    /// The sizes that a member, and an input, may always expand to. For tests, which have no time for GiB.
    #[doc(hidden)]
    pub fn floors(mut self, member: u64, input: u64) -> Self {
        (self.member_floor, self.input_floor) = (member, input);
        self
    }

    /// Returns the number of bytes that `stored` bytes of a member may expand to.
    pub(crate) fn of_member(&self, stored: u64) -> u64 {
        self.member_floor.max(stored.saturating_mul(self.expansion))
    }

    /// Returns the number of bytes that `stored` bytes of an input may expand to.
    pub(crate) fn of_input(&self, stored: u64) -> u64 {
        self.input_floor.max(stored.saturating_mul(self.expansion))
    }
}

/// Bytes that an input may still expand to.
#[derive(Debug)]
pub(crate) struct Budget {
    left: AtomicU64,
    /// The exhausted budget was reported.
    is_told: AtomicBool,
}

/// Reason of a fault: an input has no budget left.
pub(super) const OVER_BUDGET: &str = "the input expands to too many bytes (--max-expansion)";

impl Budget {
    pub(crate) fn new(left: u64) -> Budget {
        Budget { left: AtomicU64::new(left), is_told: AtomicBool::new(false) }
    }

    pub(crate) fn left(&self) -> u64 {
        self.left.load(SeqCst)
    }

    pub(crate) fn set(&self, left: u64) {
        self.left.store(left, SeqCst);
    }

    /// Spends some; false if there is not as much, and then nothing is left.
    pub(crate) fn spend(&self, bytes: u64) -> bool {
        let left = |left: u64| Some(left.saturating_sub(bytes));
        // The closure always returns a value, so the update cannot fail.
        let before = self.left.fetch_update(SeqCst, SeqCst, left).unwrap_or(0);
        before >= bytes
    }

    /// Returns `true` if nothing is left, and no failure has reported that yet.
    pub(super) fn is_to_be_told(&self) -> bool {
        self.left() == 0 && !self.is_told.swap(true, SeqCst)
    }
}
