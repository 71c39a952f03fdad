//! The scan of a page, block by block.

use std::ops::ControlFlow;

use super::blocks::{Held, Scan};
use crate::charset::{Charset, Layout};
use crate::lines::{LineCounter, LineEnds};
use crate::link::{Judged, Position, set_position, start_of};
use crate::page::{self, Emit, Source, Stepped, Transcoded};

/// The scan of a page, and the positions of what it gives.
#[derive(Clone)]
pub(crate) struct Page<'f> {
    page: page::Page<'f>,
    /// Of a document that must be transcoded as a whole: its encoding, and where its text begins.
    transcode: Option<(Charset, Layout, usize)>,
    lines: Option<LineCounter>,
    /// Of what is too long to be kept: where it begins, and the position of that.
    long: [Option<(usize, Position)>; 2],
}

impl<'f> Page<'f> {
    pub(super) fn new(
        page: page::Page<'f>,
        transcode: Option<(Charset, Layout, usize)>,
        lines: Option<LineEnds>,
    ) -> Page<'f> {
        Page { page, transcode, lines: lines.map(LineCounter::new), long: [None; 2] }
    }
}

impl<'f> Page<'f> {
    /// The document as UTF-8, if it must be transcoded as a whole.
    pub(crate) fn transcoded(&self, bytes: &[u8]) -> Option<Transcoded> {
        let (charset, layout, first) = self.transcode?;
        Some(Transcoded::new(charset, layout, bytes, first))
    }

    /// Goes on by one run of the source, which is made of stored bytes that begin at `base`.
    #[inline]
    pub(crate) fn step<'s>(
        &mut self,
        source: &Source<'s>,
        (bytes, base): (&[u8], usize),
        emit: &mut Emit<'_, 's>,
    ) -> ControlFlow<(), Stepped<'s>> {
        let Page { page, lines, long, .. } = self;
        let Some(lines) = lines else { return page.step(source, emit) };
        let mut position_of = |start: usize| {
            let known = long.iter().flatten().find(|(long, _)| *long == start);
            Some(match known {
                Some((_, position)) => *position,
                // What a block has lost was counted.
                None => lines.position(bytes, base, start.max(base)),
            })
        };
        let stepped = page.step(source, &mut |mut judged| {
            let position = position_of(start_of(&judged));
            set_position(&mut judged, position);
            emit(judged)
        });
        match stepped {
            // A link is large: it is not moved more often than needs be.
            ControlFlow::Continue(Stepped::Link(mut link)) => {
                link.body.position = position_of(link.body.range.start).into();
                emit(Ok(link)).map_continue(|()| Stepped::On)
            }
            stepped => stepped,
        }
    }
}

impl Scan for Page<'_> {
    fn scan<F>(&mut self, block: Held<'_>, emit: &mut F) -> ControlFlow<()>
    where
        F: FnMut(Judged<'_>) -> ControlFlow<()>,
    {
        let Held { bytes, base, is_last } = block;
        if self.transcode.is_some() && !is_last {
            return ControlFlow::Continue(());
        }
        let document = self.transcoded(bytes);
        let source = match &document {
            Some(document) => Source::transcoded(document),
            None => Source::stored_bytes(bytes, base, is_last),
        };
        loop {
            match self.step(&source, (bytes, base), emit)? {
                Stepped::Link(link) => emit(Ok(link))?,
                Stepped::On => {}
                Stepped::Out => return ControlFlow::Continue(()),
            }
        }
    }

    fn cut(&mut self, block: Held<'_>) -> usize {
        let Held { bytes, base, .. } = block;
        if self.transcode.is_some() {
            return 0;
        }
        let dropped = self.page.needed(base).min(bytes.len());
        if let Some(lines) = &mut self.lines {
            for (known, start) in self.long.iter_mut().zip(self.page.long_starts()) {
                let start = start.filter(|at| known.is_none_or(|(known, _)| known != *at));
                if let Some(start) = start.filter(|start| *start >= base) {
                    *known = Some((start, lines.position(bytes, base, start)));
                }
            }
            lines.advance(bytes, base, base + dropped);
        }
        self.page.cut(bytes, base, dropped);
        dropped
    }
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;
    use crate::charset::{Extent, decide};
    use crate::document::{Format, Hints};
    use crate::finder::Finder;

    /// What is said of a link.
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

    /// The links of a document of which no more is held than is asked for, and of which so many bytes
    /// come at once as `sizes` says in turns.
    fn links(finder: &Finder, hints: &Hints, bytes: &[u8], sizes: &[usize]) -> Option<Vec<String>> {
        let detected = decide(bytes, Extent::Whole, &hints.known()).unwrap();
        let mut page = finder.page(&detected, hints, bytes, Extent::Whole)?;
        let mut found = Vec::new();
        let (mut base, mut end) = (0, 0);
        let mut sizes = sizes.iter().cycle();
        loop {
            end = sizes.next().map_or(bytes.len(), |size| bytes.len().min(end + size));
            // The end is known by a block that has nothing.
            for is_last in [false, true] {
                if is_last && end < bytes.len() {
                    continue;
                }
                let held = Held { bytes: &bytes[base..end], base, is_last };
                let _ = page.scan(held, &mut |judged: Judged<'_>| {
                    found.push(line(&judged));
                    ControlFlow::Continue(())
                });
                if is_last {
                    return Some(found);
                }
                base += page.cut(held);
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

    /// Every fixture in two blocks, wherever the edge is, and byte by byte.
    #[test]
    fn blocks_are_as_good_as_the_whole() {
        let finder = Finder::new();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/markup/links");
        let mut paths: Vec<PathBuf> =
            fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        paths.retain(|path| path.extension().is_some_and(|ending| ending != "json"));
        assert!(paths.len() > 50);
        for path in paths {
            let name = path.file_name().unwrap().to_str().unwrap();
            let bytes = fs::read(&path).unwrap();
            let hints = hints(name);
            let wanted = links(&finder, &hints, &bytes, &[bytes.len()]).unwrap();
            // A base that comes later than the first block counts from where it is, at best.
            if bytes.windows(5).any(|part| part.eq_ignore_ascii_case(b"<base")) {
                continue;
            }
            // What a bomb costs need not be paid at every byte.
            let step = if name == "bomb.xml" { 97 } else { 1 };
            for at in (0..=bytes.len()).step_by(step) {
                let sizes = [at, bytes.len()];
                let found = links(&finder, &hints, &bytes, &sizes).unwrap();
                assert_same(name, &sizes, &found, &wanted);
            }
            let found = links(&finder, &hints, &bytes, &[1]).unwrap();
            assert_same(name, &[1], &found, &wanted);
        }
    }

    /// What is long: texts with references, values, links, sheets.
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

    /// The slow check: `LINKSIFT_CORPUS=DIR` has the markup of a folder read in blocks of 4,099 bytes.
    #[test]
    #[allow(clippy::print_stderr, reason = "a check that was skipped is to be seen")]
    fn a_corpus_in_blocks() {
        let Some(folder) = std::env::var_os("LINKSIFT_CORPUS") else {
            eprintln!("skipped: LINKSIFT_CORPUS names no folder");
            return;
        };
        let endings = ["html", "htm", "xml", "svg", "xhtml", "css", "md"];
        let mut paths = Vec::new();
        walk(Path::new(&folder), &mut paths);
        paths.retain(|path| {
            path.extension().and_then(|e| e.to_str()).is_some_and(|e| endings.contains(&e))
        });
        let finder = Finder::new();
        let mut wrong = Vec::new();
        for path in &paths {
            let Ok(bytes) = fs::read(path) else { continue };
            let hints = hints(path.to_str().unwrap_or("x.html"));
            let has_base = bytes.windows(5).any(|part| part.eq_ignore_ascii_case(b"<base"));
            if has_base || decide(&bytes, Extent::Whole, &hints.known()).is_err() {
                continue;
            }
            let wanted = links(&finder, &hints, &bytes, &[bytes.len()]);
            let found = links(&finder, &hints, &bytes, &[4_099]);
            if found != wanted {
                let (found, wanted) = (found.unwrap_or_default(), wanted.unwrap_or_default());
                let differ = found.iter().zip(&wanted).find(|(found, wanted)| found != wanted);
                wrong.push(format!("{}: {differ:?}", path.display()));
            }
        }
        let cut = |line: &String| line.chars().take(500).collect::<String>();
        let first: Vec<String> = wrong.iter().take(20).map(cut).collect();
        assert!(first.is_empty(), "{} of {}: {first:#?}", wrong.len(), paths.len());
        assert!(!paths.is_empty());
    }
}
