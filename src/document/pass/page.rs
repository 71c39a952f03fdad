//! The pass over a page.

use std::ops::ControlFlow;

use super::positions::Positions;
use super::{Arrived, Pass, PassPoint, PassState};
use crate::charset::{Charset, Detected, Extent, Layout};
use crate::detect::document::{DocumentFormat, Hints, ScanScope};
use crate::document::finder::{Base, FinderHandle};
use crate::document::page::{self, PageSettings, Properties, Source, Tokens, Transcoded};
use crate::document::step::{Emit, Stepped};
use crate::input::chunk::Chunk;
use crate::link::lines::LineEnds;
use crate::link::owned;
use crate::markup::{Light, Markdown, ValueLimits};
use crate::notice::Notice;

#[derive(Clone)]
pub(crate) struct Page<'f> {
    page: page::Page<'f>,
    positions: Positions,
    /// A document that is read when all of it is available.
    is_whole: bool,
    /// Charset, layout and text start of a document that must be transcoded as a whole.
    transcode: Option<(Charset, Layout, usize)>,
    /// Such a document as UTF-8, when all of it is available; or the values of a calendar, a card or RTF.
    transcoded: Option<Transcoded>,
}

impl std::fmt::Debug for Page<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Page").finish_non_exhaustive()
    }
}

/// Returns the settings of a page with these hints.
fn settings_of(hints: &Hints) -> PageSettings {
    let ScanScope { text, details, is_of_message, .. } = hints.scope;
    PageSettings { text, details, is_base_declared: is_of_message }
}

impl<'f> Page<'f> {
    /// Returns the pass over a page; `None` for text, and for a page that is read as text because it is too long to be
    /// transcoded as a whole, or has too much for the reader of Markdown.
    pub(super) fn of(
        finder: &FinderHandle<'f>,
        detected: &Detected,
        hints: &Hints,
        kind: DocumentFormat,
        start: Arrived<'_>,
    ) -> Option<Page<'f>> {
        if kind.is_text() {
            return None;
        }
        let Arrived { bytes: start, extent, is_paused } = start;
        let charset = detected.charset();
        let layout = charset.layout();
        let transcode = layout.filter(|layout| is_transcoded(kind, *layout));
        let is_tangled = kind == DocumentFormat::Markdown && !Markdown::fits(start);
        if extent != Extent::Whole && (transcode.is_some() || kind == DocumentFormat::Markdown)
            || is_tangled
        {
            return None;
        }
        let first = detected.text_start();
        let limits = ValueLimits { texts: hints.scope.details, ..page::Page::limits(finder) };
        let base = hints.base.as_ref().map(Base::from);
        let settings = settings_of(hints);
        let is_whole = extent == Extent::Whole && start.len() <= page::WHOLE;
        if kind == DocumentFormat::Rtf {
            let made = is_whole.then(|| Properties::of_rtf(start, detected, limits.link))?;
            return Some(Page::of_properties(finder, hints, base, made));
        }
        if let DocumentFormat::Calendar | DocumentFormat::Vcard = kind {
            let front = if kind == DocumentFormat::Vcard { "vcard" } else { "calendar" };
            let made = is_whole.then(|| Properties::of(start, detected, front, limits.link))??;
            return Some(Page::of_properties(finder, hints, base, made));
        }
        let read_as = layout.filter(|_| transcode.is_none());
        let tokens = match kind {
            DocumentFormat::Html => Tokens::html(limits, read_as),
            DocumentFormat::Xml => Tokens::xml(limits, read_as, hints.around.texts.clone()),
            DocumentFormat::Css => Tokens::css(limits),
            DocumentFormat::Json => Tokens::json(limits),
            DocumentFormat::Manifest => Tokens::manifest(limits),
            DocumentFormat::Notebook => Tokens::notebook(limits),
            DocumentFormat::Csv => Tokens::csv(),
            DocumentFormat::Escaped(grammar) => Tokens::escaped(grammar),
            DocumentFormat::Markdown => Tokens::markdown(limits),
            DocumentFormat::Rst => Tokens::Light(Light::rst(limits.link)),
            DocumentFormat::Asciidoc => Tokens::Light(Light::asciidoc(limits.link)),
            // It is read by another pass.
            DocumentFormat::Calendar | DocumentFormat::Vcard | DocumentFormat::Rtf => return None,
            DocumentFormat::Text
            | DocumentFormat::Code
            | DocumentFormat::Yaml
            | DocumentFormat::Email
            | DocumentFormat::Http
            | DocumentFormat::Mbox => return None,
        };
        let mut inner = page::Page::new(finder, charset, tokens, base, settings);
        let ends = layout.map_or(LineEnds::Bytes, crate::document::legacy::line_ends);
        if is_paused {
            inner.set_paused();
        } else if extent == Extent::Whole && transcode.is_none() {
            // This does not depend on the length of the first block.
            inner.find_base(&Source::stored_bytes(Chunk::whole(start)));
        }
        let positions = Positions::new(hints.positions, ends, charset);
        let transcode = transcode.map(|layout| (charset, layout, first));
        Some(Page {
            page: inner,
            positions,
            is_whole: transcode.is_some() || kind == DocumentFormat::Markdown,
            transcode,
            transcoded: None,
        })
    }

    /// Returns `true` if the links of a document of this kind, in this encoding, can be reported before its end. In
    /// Markdown the end can change the meaning of the beginning (link reference definitions).
    pub(super) fn is_for_parts(kind: DocumentFormat, detected: &Detected) -> bool {
        let is_whole = matches!(
            kind,
            DocumentFormat::Markdown
                | DocumentFormat::Calendar
                | DocumentFormat::Vcard
                | DocumentFormat::Rtf
        );
        let layout = detected.charset().layout();
        kind.is_text() || !is_whole && layout.is_none_or(|layout| !is_transcoded(kind, layout))
    }

    /// Returns the pass over a calendar, a card or RTF.
    fn of_properties(
        finder: &FinderHandle<'f>,
        hints: &Hints,
        base: Option<Base>,
        made: Properties,
    ) -> Page<'f> {
        let Properties { document, tokens, charset } = made;
        let settings = settings_of(hints);
        let tokens = Tokens::Properties(tokens.into_iter());
        let ends = charset.layout().map_or(LineEnds::Bytes, crate::document::legacy::line_ends);
        let mut inner = page::Page::new(finder, charset, tokens, base, settings);
        inner.set_unwritable();
        Page {
            page: inner,
            positions: Positions::new(hints.positions, ends, charset),
            is_whole: true,
            transcode: None,
            transcoded: Some(document),
        }
    }

    /// Advances by one run of the source.
    #[inline]
    fn step_in<'s>(
        &mut self,
        source: &Source<'s>,
        chunk: Chunk<'_>,
        emit: &mut Emit<'_, 's>,
    ) -> ControlFlow<(), Stepped<'s>> {
        let Page { page, positions, .. } = self;
        if !positions.are_asked_for() {
            return page.step(source, emit);
        }
        let stepped = page.step(source, &mut |mut judged| {
            positions.put(&mut judged, chunk);
            emit(judged)
        });
        match stepped {
            ControlFlow::Continue(Stepped::Found(mut judged)) => {
                positions.put(&mut judged, chunk);
                emit(judged).map_continue(|()| Stepped::More)
            }
            stepped => stepped,
        }
    }
}

/// Returns `true` if a document of this kind is transcoded as a whole, since its tokenizer cannot read the layout of
/// the encoding.
fn is_transcoded(kind: DocumentFormat, layout: Layout) -> bool {
    let has_trails = matches!(layout, Layout::ShiftJis | Layout::Big5 | Layout::Gb | Layout::EucKr);
    match kind {
        _ if layout.is_utf16() || layout == Layout::Iso2022Jp => true,
        DocumentFormat::Html | DocumentFormat::Xml => false,
        _ => has_trails || kind == DocumentFormat::Markdown,
    }
}

impl Pass for Page<'_> {
    #[inline]
    fn step<'b>(
        &mut self,
        chunk: Chunk<'b>,
        emit: &mut Emit<'_, 'b>,
    ) -> ControlFlow<(), Stepped<'b>> {
        if self.is_whole && !chunk.is_last() {
            return ControlFlow::Continue(Stepped::NeedInput);
        }
        let document = match (self.transcoded.take(), self.transcode) {
            (Some(document), _) => document,
            (None, Some((charset, layout, first))) => {
                Transcoded::new(charset, layout, chunk.bytes(), first)
            }
            (None, None) => {
                return self.step_in(&Source::stored_bytes(chunk), chunk, emit);
            }
        };
        let emit = &mut |judged| emit(owned(judged));
        let source = match self.transcode {
            Some(_) => Source::transcoded(&document),
            None => Source::written(&document, chunk.bytes()),
        };
        let stepped = self.step_in(&source, chunk, emit);
        let stepped = stepped.map_continue(|stepped| match stepped {
            Stepped::Found(judged) => Stepped::Found(owned(judged)),
            Stepped::More => Stepped::More,
            Stepped::NeedInput => Stepped::NeedInput,
        });
        self.transcoded = Some(document);
        stepped
    }

    fn at(&self) -> Option<usize> {
        if self.is_whole { None } else { self.page.at() }
    }

    fn point(&self, chunk: Chunk<'_>) -> Option<PassPoint> {
        let page = self.page.point().filter(|_| !self.is_whole)?;
        let offset = page.tokens.at();
        let lines = self.positions.state_at(chunk, offset);
        Some(PassPoint { offset, lines, state: PassState::Page(Box::new(page)) })
    }

    fn resume(&mut self, point: &PassPoint) {
        if let PassState::Page(page) = &point.state {
            self.page.resume(page);
        }
        self.positions.resume(point.offset, point.lines);
    }

    fn release(&mut self, chunk: Chunk<'_>) -> usize {
        if self.is_whole {
            return chunk.base();
        }
        let needed = chunk.clamp(self.page.needed());
        self.positions.advance(self.page.long_starts(), needed, chunk);
        self.page.release(chunk, needed);
        needed
    }

    fn notices(&self) -> &[Notice] {
        self.page.notices()
    }
}

#[cfg(test)]
mod tests {
    use crate::document::finder::Finder;
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::charset::decide;
    use crate::detect::document::Format;
    use crate::link::Judged;

    /// Returns the fields of a link as a line.
    fn line(judged: &Judged<'_>) -> String {
        match judged {
            Ok(link) => format!(
                "{:?} {:?} {} {} {} {:?}",
                link.range(),
                link.position(),
                link.context(),
                link.raw(),
                link.uri(),
                link.warnings(),
            ),
            Err(rejected) => format!(
                "{:?} {:?} {} {} {:?}",
                rejected.range(),
                rejected.position(),
                rejected.context(),
                rejected.raw(),
                rejected.reason(),
            ),
        }
    }

    /// Returns the links of a document that arrives in pieces of `sizes` bytes in turn; only the bytes that are needed are
    /// held.
    fn links(finder: &Finder, hints: &Hints, bytes: &[u8], sizes: &[usize]) -> Option<Vec<String>> {
        links_of(finder, hints, bytes, sizes, Extent::Whole)
    }

    /// Returns the links of a document that begins with one block; the rest follows, unless the block is the whole
    /// document.
    fn links_of(
        finder: &Finder,
        hints: &Hints,
        bytes: &[u8],
        sizes: &[usize],
        extent: Extent,
    ) -> Option<Vec<String>> {
        let detected = decide(bytes, Extent::Whole, &hints.known()).unwrap();
        let kind = hints.document_format(bytes);
        let start = Arrived { bytes, extent, is_paused: false };
        let mut page = Page::of(&finder.into(), &detected, hints, kind, start)?;
        let mut found = Vec::new();
        let (mut base, mut end) = (0, 0);
        let mut sizes = sizes.iter().cycle();
        loop {
            end = sizes.next().map_or(bytes.len(), |size| bytes.len().min(end + size));
            // An empty block marks the end.
            for is_last in [false, true] {
                if is_last && end < bytes.len() {
                    continue;
                }
                let chunk = Chunk::new(&bytes[base..end], base, is_last);
                let _ = page.run(chunk, &mut |judged: Judged<'_>| {
                    found.push(line(&judged));
                    ControlFlow::Continue(())
                });
                if is_last {
                    return Some(found);
                }
                base = page.release(chunk);
            }
        }
    }

    fn hints(name: &str) -> Hints {
        let hints = Hints::new()
            .format(Format::Auto)
            .positions(true)
            .base("http://b.example/d/e".parse().unwrap());
        hints.name(name)
    }

    fn assert_same(name: &str, sizes: &[usize], found: &[String], wanted: &[String]) {
        let differ = found.iter().zip(wanted).find(|(found, wanted)| found != wanted);
        if let Some((found, wanted)) = differ {
            let lens = [found.len(), wanted.len()];
            let [found, wanted] = [found, wanted].map(|line| line.get(..300).unwrap_or(line));
            panic!("{name} in blocks of {sizes:?} {lens:?}:\n  found  {found}\n  wanted {wanted}");
        }
        assert_eq!(found.len(), wanted.len(), "{name} in blocks of {sizes:?}");
    }

    /// Returns the offsets of each `<base`.
    fn bases(bytes: &[u8]) -> Vec<usize> {
        let is_base = |at: &usize| bytes[*at..].get(..5).is_some_and(is_base_tag);
        (0..bytes.len()).filter(is_base).collect()
    }

    fn is_base_tag(bytes: &[u8]) -> bool {
        bytes.eq_ignore_ascii_case(b"<base")
    }

    /// The links of a document with `<base`: those of the whole and those without any base.
    struct Based {
        wanted: Vec<String>,
        /// The links of the same document, with the name of its `<base>` changed: no byte moves.
        baseless: Vec<String>,
        /// Where the last `<base` ends.
        end: usize,
    }

    impl Based {
        fn of(finder: &Finder, hints: &Hints, bytes: &[u8], wanted: Vec<String>) -> Option<Based> {
            let places = bases(bytes);
            let last = *places.last()?;
            let (mut copy, mut baseless) = (bytes.to_vec(), Vec::new());
            // One after the other, since a page inside a page may have a base of its own.
            for at in places {
                copy[at + 1] = b'x';
                baseless.extend(links(finder, hints, &copy, &[copy.len()]).unwrap());
            }
            let end = bytes[last..].iter().position(|byte| *byte == b'>').map(|len| last + len + 1);
            Some(Based { wanted, baseless, end: end.unwrap_or(bytes.len()) })
        }

        /// Compares the links of a document of which the first block holds `shown` bytes: a base that this block does not
        /// hold has a warning, and references are resolved without it. Returns how many differ so.
        fn assert_near(&self, name: &str, shown: usize, found: &[String]) -> usize {
            if shown >= self.end {
                assert_same(name, &[shown], found, &self.wanted);
            }
            assert_eq!(found.len(), self.wanted.len(), "{name} in blocks of {shown}");
            let mut others = 0;
            for (found, wanted) in found.iter().zip(&self.wanted) {
                if found == wanted {
                    continue;
                }
                let without = found.replace("LateBase, ", "").replace("LateBase", "");
                let is_late_base = found.contains(" base@href ") && without == *wanted;
                let is_known = is_late_base || self.baseless.contains(found);
                assert!(is_known, "{name} in blocks of {shown}: {found}, not {wanted}");
                others += 1;
            }
            others
        }
    }

    /// Every fixture in two blocks, wherever the edge is, and byte by byte.
    #[test]
    fn blocks_are_as_good_as_the_whole() {
        let finder = Finder::new();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/markup/links");
        let mut paths: Vec<PathBuf> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        // YAML is running text, which another pass reads.
        paths.retain(|path| path.extension().is_some_and(|end| end != "json" && end != "yaml"));
        assert!(paths.len() > 50);
        let (mut with_base, mut without_it) = (0, 0);
        for path in paths {
            let name = path.file_name().unwrap().to_str().unwrap();
            let bytes = fs::read(&path).unwrap();
            let hints = hints(name);
            let wanted = links(&finder, &hints, &bytes, &[bytes.len()]).unwrap();
            let based = Based::of(&finder, &hints, &bytes, wanted.clone());
            with_base += usize::from(based.is_some());
            let mut check = |sizes: &[usize]| {
                let found = links(&finder, &hints, &bytes, sizes).unwrap();
                assert_same(name, sizes, &found, &wanted);
                let found = links_of(&finder, &hints, &bytes, sizes, Extent::Beginning);
                let (Some(based), Some(found)) = (&based, found) else { return };
                without_it += based.assert_near(name, sizes[0], &found);
            };
            // What a bomb costs need not be paid at every byte.
            let step = if name == "bomb.xml" { 97 } else { 1 };
            for at in (0..=bytes.len()).step_by(step) {
                check(&[at, bytes.len()]);
            }
            check(&[1]);
        }
        assert!(with_base > 30 && without_it > 500, "{with_base} {without_it}");
    }

    /// Long texts with references, values, links and sheets.
    #[test]
    fn what_is_longer_than_a_block() {
        let finder = Finder::new();
        let word = "word &amp; ".repeat(60_000);
        let documents = [
            format!("<p>\n{word}http://e.com/?a&amp;b\n{word}http://e.com/c<b>\n<a href=d>"),
            format!("<p>\nhttp://e.com/{}\n http://e.com/b\n", "a&amp;".repeat(40_000)),
            format!(
                "<p>\n<img src='data:,{}'>\n<a href=b>http://e.com/c",
                "\nx&amp;".repeat(40_000)
            ),
            format!(
                "<p>x\n<!-- -->{}http://e.com/<!-- c\n -->x\ny",
                "<!-- \n -->y ".repeat(30_000)
            ),
            format!(
                "<style>\n{}\na{{b:url(c)}}</style>\n<a href=b>",
                "a{b:url(x)}\n".repeat(9_000)
            ),
            format!("<p>\n{}\n<a href=b>", "é http://e.com/é<wbr style='b:url(x)'>d".repeat(9_000)),
        ];
        for (number, document) in documents.iter().enumerate() {
            let name = format!("{number}.html");
            let hints = hints(&name);
            let bytes = document.as_bytes();
            let wanted = links(&finder, &hints, bytes, &[bytes.len()]).unwrap();
            assert!(!wanted.is_empty());
            for sizes in [&[65_536][..], &[4_099], &[30_011, 1, 100_003]] {
                let found = links(&finder, &hints, bytes, sizes).unwrap();
                assert_same(&name, sizes, &found, &wanted);
            }
        }
    }

    /// Texts that go by windows as long as nothing in them is to be resolved, and on in the region.
    #[test]
    fn texts_in_legacy_charsets_that_go_on_otherwise() {
        const PIECES: [&str; 14] = [
            "表示 ",
            "http://e.com/表a",
            "www.example.org/b",
            "e.co",
            "。",
            "、",
            "\n",
            " ",
            "&amp;",
            "e&#46;com",
            "<!-- 表 -->",
            "<wbr>",
            "<b>",
            "<a href=c>例え.jp</a>",
        ];
        let finder = Finder::new();
        let mut dice = crate::dice::Dice::new(11);
        for (name, encoding) in
            [("shift_jis", encoding_rs::SHIFT_JIS), ("gb18030", encoding_rs::GB18030)]
        {
            let hints = hints("x.html").charset(name.parse().unwrap());
            for _ in 0..400 {
                let text: String = (0..30).map(|_| dice.pick(&PIECES)).collect();
                let bytes = encoding.encode(&text).0;
                let wanted = links(&finder, &hints, &bytes, &[bytes.len()]).unwrap();
                for sizes in [&[1][..], &[3, 11], &[dice.below(bytes.len()), bytes.len()]] {
                    let found = links(&finder, &hints, &bytes, sizes).unwrap();
                    assert_same(&text, sizes, &found, &wanted);
                }
            }
        }
    }

    fn walk(folder: &Path, paths: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => walk(&entry.path(), paths),
                Ok(kind) if kind.is_file() => paths.push(entry.path()),
                _ => {}
            }
        }
    }

    /// The slow check: the markup of a folder, in blocks of 4,099 bytes.
    #[test]
    #[ignore = "reads the folder that LINKSIFT_CORPUS names"]
    fn a_corpus_in_blocks() {
        let folder = std::env::var_os("LINKSIFT_CORPUS").expect("LINKSIFT_CORPUS names a folder");
        let endings = ["html", "htm", "xml", "svg", "xhtml", "css", "md"];
        let mut paths = Vec::new();
        walk(Path::new(&folder), &mut paths);
        paths.retain(|path| {
            path.extension().and_then(|e| e.to_str()).is_some_and(|e| endings.contains(&e))
        });
        let finder = Finder::new();
        let (mut wrong, mut compared, mut with_base) = (Vec::new(), 0, 0);
        for path in &paths {
            let Ok(bytes) = fs::read(path) else { continue };
            let hints = hints(path.to_str().unwrap_or("x.html"));
            if decide(&bytes, Extent::Whole, &hints.known()).is_err() {
                continue;
            }
            let wanted = links(&finder, &hints, &bytes, &[bytes.len()]);
            let found = links(&finder, &hints, &bytes, &[4_099]);
            compared += found.as_ref().map_or(0, Vec::len);
            let based = wanted.clone().and_then(|all| Based::of(&finder, &hints, &bytes, all));
            let front = links_of(&finder, &hints, &bytes, &[4_099], Extent::Beginning);
            if let (Some(based), Some(found)) = (based, front) {
                with_base += 1;
                based.assert_near(&path.display().to_string(), 4_099, &found);
            }
            if found != wanted {
                let (found, wanted) = (found.unwrap_or_default(), wanted.unwrap_or_default());
                let differ = found.iter().zip(&wanted).find(|(found, wanted)| found != wanted);
                wrong.push(format!("{}: {differ:?}", path.display()));
            }
        }
        let cut = |line: &String| line.chars().take(500).collect::<String>();
        let first: Vec<String> = wrong.iter().take(20).map(cut).collect();
        assert!(first.is_empty(), "{} of {}: {first:#?}", wrong.len(), paths.len());
        let count = paths.len();
        assert!(
            compared > 0 && with_base > 0,
            "{compared} links, {with_base} bases in {count} files"
        );
    }
}
