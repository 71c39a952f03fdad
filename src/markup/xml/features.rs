//! Attributes that decide about the content and the other attributes of their element.

/// Attributes of an element that decide what its content and its other attributes are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Features {
    /// Its `type` or `mode` states that it contains escaped HTML.
    pub(super) html: bool,
    /// Its `type` states that it contains JSON.
    pub(super) json: bool,
    /// Its `mode` states that it is in base64 (Atom 0.3).
    pub(super) base64: bool,
    /// Its `type` states that it is plain text.
    pub(super) text: bool,
    /// Its `type` states that it is plain text, or it has no `type`.
    pub(super) plain: bool,
    /// Its `TargetMode` states that it leads out of the package (ISO/IEC 29500-2 §6.5).
    pub(super) external: bool,
    /// Its `TargetMode` states that it leads to a part of the package.
    pub(super) internal: bool,
    /// What its `Type` states of a target.
    pub(super) target: TargetUse,
}

/// Purpose of the target of a relationship.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum TargetUse {
    #[default]
    Unknown,
    /// A reader follows it.
    Followed,
    /// The program loads it: a picture, a template, another workbook.
    Loaded,
}

impl Default for Features {
    fn default() -> Features {
        Features {
            html: false,
            json: false,
            base64: false,
            text: false,
            plain: true,
            external: false,
            internal: false,
            target: TargetUse::Unknown,
        }
    }
}
