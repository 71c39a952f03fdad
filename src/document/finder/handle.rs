//! A finder that a scan keeps, borrowed or owned.

use std::ops::Deref;
use std::sync::Arc;

use super::Finder;

/// A finder that is borrowed for the time of a call, or owned by a scan that is longer than one.
#[derive(Clone, Debug)]
pub(crate) enum FinderHandle<'f> {
    Borrowed(&'f Finder),
    Owned(Arc<Finder>),
}

impl FinderHandle<'static> {
    /// Returns a handle that owns a clone.
    pub(crate) fn owned(finder: &Finder) -> FinderHandle<'static> {
        FinderHandle::Owned(Arc::new(finder.clone()))
    }
}

impl FinderHandle<'_> {
    /// Returns the same finder for the strings of binary data.
    pub(crate) fn of_binary(&self) -> Self {
        match self {
            FinderHandle::Borrowed(finder) => FinderHandle::Borrowed(finder.of_binary()),
            FinderHandle::Owned(finder) => FinderHandle::owned(finder.of_binary()),
        }
    }
}

impl<'f> From<&'f Finder> for FinderHandle<'f> {
    #[inline]
    fn from(finder: &'f Finder) -> Self {
        FinderHandle::Borrowed(finder)
    }
}

impl Deref for FinderHandle<'_> {
    type Target = Finder;

    #[inline(always)]
    fn deref(&self) -> &Finder {
        match self {
            FinderHandle::Borrowed(finder) => finder,
            FinderHandle::Owned(finder) => finder,
        }
    }
}
