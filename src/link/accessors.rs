//! Accessors of links and of rejected candidates.

/// The accessors that a link and a rejected candidate have in common.
macro_rules! shared_accessors {
    () => {
        /// Returns the byte range in the stored input: `bytes[range]` is the link as written.
        ///
        /// ```
        /// let text = "见 http://例子.cn/。";
        /// let link = linksift::links(text).next().unwrap();
        /// assert_eq!(&text[link.range()], "http://例子.cn/");
        /// ```
        pub fn range(&self) -> Range<usize> {
            self.body.range.clone()
        }

        /// Returns the kind: with a scheme, a host without one, an address.
        ///
        /// ```
        /// use linksift::LinkKind;
        ///
        /// let kinds: Vec<_> = linksift::links("http://e.com/ example.com me@e.com").map(|link| link.kind()).collect();
        /// assert_eq!(kinds, [LinkKind::Absolute, LinkKind::Schemeless, LinkKind::Email]);
        /// ```
        pub fn kind(&self) -> LinkKind {
            self.body.kind
        }

        /// Returns the link as written: decoded, without resolving character references. Terminal sequences that colour parts of
        /// it in running text are left out, although its range covers them.
        ///
        /// ```
        /// let link = linksift::links("http://example.com/?a&#38;b").next().unwrap();
        /// assert_eq!(link.raw(), "http://example.com/?a&#38;b");
        /// assert_eq!(link.iri(), "http://example.com/?a&b");
        /// ```
        pub fn raw(&self) -> &str {
            &self.body.raw
        }

        /// Returns the IRI: character references resolved, a scheme supplied if it has no scheme; otherwise as
        /// written. Of a rejected candidate: as far as it got.
        ///
        /// ```
        /// let link = linksift::links("例え.jp/パス").next().unwrap();
        /// assert_eq!(link.iri(), "https://例え.jp/パス");
        /// ```
        pub fn iri(&self) -> Cow<'_, str> {
            self.body.iri()
        }

        /// Returns the scheme of the [IRI](Self::iri), as it stands there: that which was written, or which the finder put before a
        /// host (`https`) or an address (`mailto`) without one; empty if it is a relative reference, or a candidate that
        /// has none.
        ///
        /// ```
        /// let schemes: Vec<_> = linksift::links("HTTP://e.com/ www.example.com me@example.com")
        ///     .map(|link| link.scheme().into_owned())
        ///     .collect();
        /// assert_eq!(schemes, ["HTTP", "https", "mailto"]);
        /// ```
        pub fn scheme(&self) -> Cow<'_, str> {
            let end = |iri: &str| {
                let is_scheme = |b: &u8| b.is_ascii_alphanumeric() || b"+-.".contains(b);
                let end = iri.bytes().position(|b| !is_scheme(&b)).unwrap_or_default();
                if iri.as_bytes().get(end) == Some(&b':') { end } else { 0 }
            };
            match self.iri() {
                Cow::Borrowed(iri) => Cow::Borrowed(&iri[..end(iri)]),
                Cow::Owned(mut iri) => {
                    iri.truncate(end(&iri));
                    Cow::Owned(iri)
                }
            }
        }

        /// Returns where the link occurs: `text` in running text; in markup `a@href`, `img@srcset`, `meta@refresh`,
        /// `style`, `markdown:link` and so on.
        ///
        /// ```
        /// # #[cfg(feature = "documents")] {
        /// use linksift::{Finder, Format, Hints};
        ///
        /// let finder = Finder::new();
        /// let page = b"<img src=http://e.com/a.png> see example.com";
        /// let hints = Hints::new().format(Format::Html);
        /// let links = finder.document(page, &hints).unwrap().links();
        /// let contexts: Vec<_> = links.map(|link| link.context().to_string()).collect();
        /// assert_eq!(contexts, ["img@src", "text"]);
        /// # }
        /// ```
        pub fn context(&self) -> Context<'_> {
            self.body.context.shown()
        }

        /// Returns `true` if the link is in code and not in prose: in a fenced or indented block or a span of code in Markdown, in `pre`,
        /// `code`, `kbd` or `samp` in HTML and XHTML, in a cell of code of a notebook, and in a document that is source code or settings
        /// ([`Format::Code`](crate::Format::Code), [`Format::Yaml`](crate::Format::Yaml)). An attribute is not code. `false` with
        /// [`Boundaries::Uts58`](crate::Boundaries::Uts58).
        ///
        /// ```
        /// # #[cfg(feature = "documents")] {
        /// use linksift::{Finder, Format, Hints};
        ///
        /// let finder = Finder::new();
        /// let bytes = b"see http://a.example/ and `curl http://b.example/`";
        /// let hints = Hints::new().format(Format::Markdown);
        /// let links = finder.document(bytes, &hints).unwrap().links();
        /// assert_eq!(links.map(|link| link.is_code()).collect::<Vec<_>>(), [false, true]);
        /// # }
        /// ```
        pub fn is_code(&self) -> bool {
            self.body.is_code
        }

        /// Returns the encoding that the input was decoded from.
        ///
        /// ```
        /// # #[cfg(feature = "documents")] {
        /// use linksift::{Finder, Hints};
        ///
        /// let finder = Finder::new();
        /// let hints = Hints::new().charset("latin1".parse().unwrap());
        /// let link = finder.document(b"http://e.com/\xE9", &hints).unwrap().links().next().unwrap();
        /// assert_eq!(link.charset().as_str(), "windows-1252");
        /// # }
        /// ```
        pub fn charset(&self) -> Charset {
            self.body.charset
        }

        /// Returns the warnings about the link. Of a link that is not ASCII they may be computed on each call.
        ///
        /// ```
        /// use linksift::Warning;
        ///
        /// let link = linksift::links("http://example.com/100%").next().unwrap();
        /// assert!(link.warnings().contains(Warning::StrayPercent));
        /// assert_eq!(link.warnings().len(), 1);
        /// ```
        pub fn warnings(&self) -> Warnings {
            derived::warnings(&self.body)
        }

        /// Returns the findings, one for each of the [warnings](Self::warnings) about deception: its range in bytes of
        /// [`iri`](Self::iri) and its details. Computed on each call; a link without warnings
        /// costs nothing.
        ///
        /// ```
        /// use linksift::trust::FindingDetail;
        ///
        /// let link = linksift::links("https://pаypal.com/").next().unwrap();
        /// let found = link.findings();
        /// let first = found.iter().next().unwrap();
        /// assert_eq!(first.warning().as_str(), "host-mixed-script");
        /// assert_eq!(&link.iri()[first.range()], "pаypal");
        /// assert_eq!(*first.detail(), FindingDetail::Scripts("Latn", "Cyrl"));
        /// ```
        pub fn findings(&self) -> Findings {
            derived::findings_of(&self.body)
        }

        /// Returns the greatest severity among its [findings](Self::findings); `None` without findings.
        ///
        /// ```
        /// use linksift::Severity;
        ///
        /// let link = linksift::links("https://pаypal.com/").next().unwrap();
        /// assert_eq!(link.severity(), Some(Severity::Deceptive));
        /// ```
        pub fn severity(&self) -> Option<Severity> {
            derived::greatest_severity(&self.body)
        }

        /// Returns line and column of its first byte, if the scan was asked to count them
        /// ([`Hints::positions`](crate::Hints::positions)).
        ///
        /// ```
        /// use linksift::{Finder, Hints};
        ///
        /// let finder = Finder::new();
        /// let hints = Hints::new().positions(true);
        /// let link = finder.document(b"one\nsee example.com", &hints).unwrap().links().next().unwrap();
        /// let position = link.position().unwrap();
        /// assert_eq!((position.line, position.column), (2, 5));
        /// assert_eq!(finder.links("example.com").next().unwrap().position(), None);
        /// ```
        pub fn position(&self) -> Option<Position> {
            self.body.position.get()
        }

        /// Returns the member of an archive that holds the bytes, outermost first, steps joined by `!`;
        /// inside a name `%` is `%25`, `!` is `%21`, a control `%XX`. `None` outside of archives. Offsets
        /// count in the member's bytes.
        ///
        /// ```
        /// # #[cfg(feature = "files")] {
        /// use linksift::container::Opening;
        /// use linksift::files::{self, Options};
        /// use std::ops::ControlFlow;
        ///
        /// // `ar` is an archive of one file, `notes!.txt`.
        /// # let ar = format!("!<arch>\n{:<48}{:<10}`\nsee example.com", "notes!.txt/", 15);
        /// let mut members = Vec::new();
        /// files::scan_one(Opening::bytes(ar), &Options::new(), |event| {
        ///     members.extend(event.link().and_then(|link| link.member().map(str::to_owned)));
        ///     ControlFlow::Continue(())
        /// });
        /// assert_eq!(members, ["notes%21.txt"]);
        /// # }
        /// ```
        pub fn member(&self) -> Option<&str> {
            self.body.origin()?.member.as_deref()
        }

        /// Returns the bytes of the [member](Self::member)'s name, if they are not UTF-8.
        ///
        /// ```
        /// # #[cfg(feature = "files")] {
        /// use linksift::container::Opening;
        /// use linksift::files::{self, Options};
        /// use std::ops::ControlFlow;
        ///
        /// // `ar` is an archive of one file, whose name is in windows-1252.
        /// # let mut ar = format!("!<arch>\n{:<48}{:<10}`\nsee example.com", "?t?.txt/", 15).into_bytes();
        /// # (ar[8], ar[10]) = (0xE9, 0xE9);
        /// let mut names = Vec::new();
        /// files::scan_one(Opening::bytes(ar), &Options::new(), |event| {
        ///     names.extend(event.link().and_then(|link| link.member_bytes().map(<[u8]>::to_vec)));
        ///     ControlFlow::Continue(())
        /// });
        /// assert_eq!(names, [b"\xE9t\xE9.txt"]);
        /// # }
        /// ```
        pub fn member_bytes(&self) -> Option<&[u8]> {
            self.body.origin()?.member_bytes.as_deref()
        }

        /// Returns the position in a mailbox or message: the ordinal in the mailbox and `!`, if it is one,
        /// then the section as IMAP numbers it, such as `12!1.2`.
        ///
        /// ```
        /// # #[cfg(feature = "mail")] {
        /// use linksift::{Finder, Format, Hints};
        ///
        /// let finder = Finder::new();
        /// let mailbox = b"From a\nSubject: a\n\nx\n\nFrom b\nSubject: b\n\nsee example.com";
        /// let hints = Hints::new().format(Format::Mbox);
        /// let link = finder.document(mailbox, &hints).unwrap().links().next().unwrap();
        /// assert_eq!(link.part(), Some("2!1"));
        /// # }
        /// ```
        pub fn part(&self) -> Option<&str> {
            self.body.origin()?.part.as_deref()
        }

        /// Returns the transfer encoding that the stored bytes are written in; `None` if they are written as
        /// they are.
        ///
        /// ```
        /// # #[cfg(feature = "mail")] {
        /// use linksift::{Finder, Format, Hints, Transfer};
        ///
        /// let finder = Finder::new();
        /// let mail = b"Subject: a\nContent-Transfer-Encoding: quoted-printable\n\nhttp://e.com/?a=3D1";
        /// let hints = Hints::new().format(Format::Email);
        /// let link = finder.document(mail, &hints).unwrap().links().next().unwrap();
        /// assert_eq!(link.transfer(), Some(Transfer::QuotedPrintable));
        /// assert_eq!(link.raw(), "http://e.com/?a=1");
        /// # }
        /// ```
        pub fn transfer(&self) -> Option<Transfer> {
            self.body.rare.as_ref()?.transfer
        }

        /// Returns the document's own IRI: the target of a WARC record, the `Content-Location` of a part.
        ///
        /// ```
        /// # #[cfg(feature = "mail")] {
        /// use linksift::{Finder, Format, Hints};
        ///
        /// let finder = Finder::new();
        /// let mail = b"Content-Location: http://e.com/a/\nContent-Type: text/html\n\n<a href=b>b</a>";
        /// let hints = Hints::new().format(Format::Email);
        /// let link = finder.document(mail, &hints).unwrap().links().last().unwrap();
        /// assert_eq!((link.source(), &*link.iri()), (Some("http://e.com/a/"), "http://e.com/a/b"));
        /// # }
        /// ```
        pub fn source(&self) -> Option<&str> {
            self.body.origin()?.source.as_deref()
        }

        /// Returns the identifier of the message that contains the link, without `<>`.
        ///
        /// ```
        /// # #[cfg(feature = "mail")] {
        /// use linksift::{Finder, Format, Hints};
        ///
        /// let finder = Finder::new();
        /// let mail = b"Message-ID: <1@e.com>\nSubject: a\n\nsee example.com";
        /// let hints = Hints::new().format(Format::Email);
        /// let link = finder.document(mail, &hints).unwrap().links().next().unwrap();
        /// assert_eq!(link.message_id(), Some("1@e.com"));
        /// # }
        /// ```
        pub fn message_id(&self) -> Option<&str> {
            self.body.origin()?.message_id.as_deref()
        }

        /// Returns the number of the message in its mailbox, from 1; an attached message has the number of the message around it.
        /// `None` outside mailboxes. [`part`](Self::part) begins with it.
        ///
        /// ```
        /// # #[cfg(feature = "mail")] {
        /// use linksift::{Finder, Format, Hints};
        ///
        /// let finder = Finder::new();
        /// let mailbox = b"From a\nSubject: a\n\nx\n\nFrom b\nSubject: b\n\nsee example.com";
        /// let hints = Hints::new().format(Format::Mbox);
        /// let link = finder.document(mailbox, &hints).unwrap().links().next().unwrap();
        /// assert_eq!(link.message_number(), Some(2));
        /// # }
        /// ```
        pub fn message_number(&self) -> Option<u64> {
            self.body.origin()?.message_number
        }

        /// Returns the page of the document that contains the link, from 1; `None` outside of paginated documents, and for what no page
        /// shows.
        ///
        /// ```
        /// let link = linksift::links("see example.com").next().unwrap();
        /// assert_eq!(link.page(), None);
        /// ```
        pub fn page(&self) -> Option<u64> {
            self.body.rare.as_ref()?.page
        }

        /// Returns the object of the document that contains the link: in PDF the number and generation of an indirect object,
        /// such as `31 0`. The [range](Self::range) counts bytes of the object's decoded text. `None` if it counts stored bytes.
        ///
        /// ```
        /// let link = linksift::links("see example.com").next().unwrap();
        /// assert_eq!(link.object(), None);
        /// ```
        pub fn object(&self) -> Option<&str> {
            self.body.rare.as_ref()?.object.as_deref()
        }

        /// Returns the host in the visible text, if it differs from the link's.
        ///
        /// ```
        /// # #[cfg(feature = "documents")] {
        /// use linksift::{Finder, Format, Hints};
        ///
        /// let finder = Finder::new();
        /// let page = b"<a href=http://evil.example/>www.bank.com</a>";
        /// let hints = Hints::new().format(Format::Html);
        /// let link = finder.document(page, &hints).unwrap().links().next().unwrap();
        /// assert_eq!(link.text_host(), Some("www.bank.com"));
        /// # }
        /// ```
        pub fn text_host(&self) -> Option<&str> {
            Some(&self.body.rare.as_ref()?.shown.as_ref()?.host)
        }
    };
}

pub(super) use shared_accessors;
