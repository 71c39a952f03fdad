//! Limits: how deep, how much and with how much memory archives are opened.
//!
//! All are counts, none is a time: the same input gives the same result on any machine.

/// Limits of what is opened.
///
/// ```
/// use linksift::container::Limits;
///
/// let limits = Limits::new().max_depth(2).max_window(8 << 20);
/// ```
#[derive(Clone, Debug)]
pub struct Limits {
    pub(crate) depth: u32,
    pub(crate) expansion: u64,
    pub(crate) window: u64,
    /// What a member may always expand to.
    pub(crate) member_floor: u64,
    /// What an input may always expand to.
    pub(crate) input_floor: u64,
    /// How long the ranges are that a crawl is cut into.
    pub(crate) range: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            depth: 8,
            // Deflate cannot exceed 1029:1.
            expansion: 2000,
            window: 128 << 20,
            member_floor: 1 << 30,
            input_floor: 4 << 30,
            range: 2 << 20,
        }
    }
}

impl Limits {
    /// Depth 8, expansion 2000, a window of 128 MiB.
    pub fn new() -> Limits {
        Limits::default()
    }

    /// How many containers and compressions may be inside each other. Default: 8.
    pub fn max_depth(mut self, depth: u32) -> Self {
        self.depth = depth;
        self
    }

    /// How many times its stored size a member may expand to, where that is more than 1 GiB; and an
    /// input, where that is more than 4 GiB. Default: 2000.
    pub fn max_expansion(mut self, times: u64) -> Self {
        self.expansion = times;
        self
    }

    /// How many bytes a decoder may keep of what it has decoded. Default: 128 MiB.
    pub fn max_window(mut self, bytes: u64) -> Self {
        self.window = bytes;
        self
    }

    /// How long the ranges are that a crawl is cut into to be read by several threads; what comes out is the
    /// same whatever they are.
    #[doc(hidden)]
    pub fn range_size(mut self, bytes: u64) -> Self {
        self.range = bytes.max(1);
        self
    }

    /// What a member, and an input, may always expand to. For tests, which have no time for GiB.
    #[doc(hidden)]
    pub fn floors(mut self, member: u64, input: u64) -> Self {
        (self.member_floor, self.input_floor) = (member, input);
        self
    }

    /// How much may come out of so many stored bytes of a member.
    pub(crate) fn of_member(&self, stored: u64) -> u64 {
        self.member_floor.max(stored.saturating_mul(self.expansion))
    }

    /// How much may come out of so many stored bytes of an input.
    pub(crate) fn of_input(&self, stored: u64) -> u64 {
        self.input_floor.max(stored.saturating_mul(self.expansion))
    }
}
