//! Hints on how much of a document is read.

use super::{Hints, NonText, PageRange};

impl Hints {
    /// Sets the pages that are read of each document with pages. Default: all.
    ///
    /// ```
    /// use linksift::{Hints, PageRange};
    ///
    /// let range: PageRange = "2-5".parse()?;
    /// let hints = Hints::new().pages(range);
    /// # Ok::<(), linksift::ParseEnumError>(())
    /// ```
    pub fn pages(mut self, pages: PageRange) -> Self {
        self.scope.pages = pages;
        self
    }

    /// Sets whether PDF is read (feature `pdf`); otherwise the error [`NotRead::Pdf`](crate::NotRead::Pdf) reports a document,
    /// and the notice [`PdfUnread`](crate::Notice::PdfUnread) a part of one. Default: `true`.
    ///
    /// ```
    /// use linksift::Hints;
    ///
    /// let hints = Hints::new().pdf(false);
    /// ```
    pub fn pdf(mut self, read: bool) -> Self {
        self.scope.pdf = read;
        self
    }

    /// Sets whether binary data are searched for `scheme://` and `mailto:` links: also those of archives that are not opened and
    /// of formats that are not supported. A notice reports each. Default: `false`, the error
    /// [`NotRead`](crate::NotRead) reports them. `linksift::files` has [an option](crate::files::Options::binary) of its own.
    ///
    /// ```
    /// use linksift::{Finder, Hints, NotRead, Notice};
    ///
    /// let finder = Finder::new();
    /// let program = b"\x7FELF\0 http://e.com/ \0";
    /// assert_eq!(finder.document(program, &Hints::new()).unwrap_err(), NotRead::Binary);
    /// let found = finder.document(program, &Hints::new().salvage(true))?;
    /// assert_eq!(found.notices(), [Notice::Binary]);
    /// assert_eq!(found.links().count(), 1);
    /// # Ok::<(), NotRead>(())
    /// ```
    pub fn salvage(mut self, searched: bool) -> Self {
        self.scope.non_text = if searched { NonText::Searched } else { NonText::Refused };
        self
    }

    /// Sets whether the running text of markup is scanned, in addition to its attributes. Default: `true`.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Finder, Format, Hints};
    ///
    /// let finder = Finder::new();
    /// let page = b"<a href=http://e.com/>or example.org</a>";
    /// let hints = Hints::new().format(Format::Html);
    /// assert_eq!(finder.document(page, &hints)?.count(), 2);
    /// assert_eq!(finder.document(page, &hints.text(false))?.count(), 1);
    /// # }
    /// # Ok::<(), linksift::NotRead>(())
    /// ```
    pub fn text(mut self, scanned: bool) -> Self {
        self.scope.text = scanned;
        self
    }

    /// Sets whether links have their visible [text](crate::Link::text) and their [relation](crate::Link::rel). Default: `false`,
    /// since they take time. The scan of a stream waits for the text of a link, at most 8 KiB.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Finder, Format, Hints};
    ///
    /// let finder = Finder::new();
    /// let page = b"<a href=http://e.com/>here</a>";
    /// let text = |details| {
    ///     let hints = Hints::new().format(Format::Html).details(details);
    ///     finder.document(page, &hints).unwrap().links().next().unwrap().text().map(str::to_owned)
    /// };
    /// assert_eq!([false, true].map(text), [None, Some("here".to_owned())]);
    /// # }
    /// ```
    pub fn details(mut self, wanted: bool) -> Self {
        self.scope.details = wanted;
        self
    }
}
