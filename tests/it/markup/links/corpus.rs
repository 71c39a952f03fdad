//! The slow check, over the markup of a folder.

#![allow(clippy::print_stderr, reason = "what it found is to be read")]

use super::*;

/// Yields blocks of odd sizes.
struct Odd<'b>(&'b [u8], usize);

impl Read for Odd<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.1 = (self.1 * 31 + 7) % 8191;
        let len = (self.1 + 1).min(buffer.len()).min(self.0.len());
        buffer[..len].copy_from_slice(&self.0[..len]);
        self.0 = &self.0[len..];
        Ok(len)
    }
}

fn walk(folder: &Path, paths: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        match entry.file_type() {
            Ok(kind) if kind.is_dir() => walk(&entry.path(), paths),
            Ok(kind) if kind.is_file() && format_of(&entry.path()).is_some() => {
                paths.push(entry.path());
            }
            _ => {}
        }
    }
}

/// No panic; what offsets say stands there; in order; and a reader in odd blocks gives the same.
#[test]
#[ignore = "reads the folder that LINKSIFT_CORPUS names"]
fn markup_of_a_corpus() {
    let folder = std::env::var_os("LINKSIFT_CORPUS").expect("LINKSIFT_CORPUS names a folder");
    let mut paths = Vec::new();
    walk(Path::new(&folder), &mut paths);
    paths.sort();
    let finder = Finder::new();
    let (mut bytes, mut links, mut refused) = (0, 0, 0);
    let mut wrong: Vec<String> = Vec::new();
    for path in &paths {
        let Ok(content) = fs::read(path) else { continue };
        let name = path.to_str().unwrap_or("x.html").to_owned();
        let case = Case {
            name,
            bytes: content,
            base: Some("http://base.example/d/e".into()),
            text: true,
            charset: None,
            asked: String::new(),
            records: String::new(),
            path: path.clone(),
        };
        bytes += case.bytes.len();
        let mut whole = Vec::new();
        let mut last = 0;
        for judged in finder.document(&case.bytes, &case.hints(case.format())).unwrap() {
            case.add(&mut whole, &judged);
            let (range, raw, label, is_long) = match &judged {
                Candidate::Link(link) => (link.range(), link.raw(), link.charset(), false),
                Candidate::Rejected(r) => {
                    (r.range(), r.raw(), r.charset(), r.reason().as_str() == "too-long")
                }
            };
            match &judged {
                Candidate::Link(_) => links += 1,
                Candidate::Rejected(_) => refused += 1,
            }
            let label = label.as_str();
            let encoding = encoding_rs::Encoding::for_label(label.as_bytes()).unwrap();
            let slice = case.bytes.get(range.clone()).unwrap_or_default();
            let text = encoding.decode_without_bom_handling(slice).0;
            if text != raw && label != "iso-2022-jp" && !is_long {
                wrong.push(format!("slice: {} {range:?} {raw:?} {text:?}", case.name));
            }
            if range.start < last {
                wrong.push(format!("order: {} {range:?} {raw:?}", case.name));
            }
            last = range.start;
        }
        let read = case.read(&finder, Odd(&case.bytes, path.as_os_str().len()));
        if read.as_bytes() != whole {
            wrong.push(format!("reader: {}", case.name));
        }
    }
    let files = paths.len();
    eprintln!("{files} files, {bytes} bytes, {links} links, {refused} refused");
    for line in wrong.iter().take(40) {
        eprintln!("{}", line.chars().take(300).collect::<String>());
    }
    assert!(wrong.is_empty(), "{} are wrong", wrong.len());
    assert!(links > 0, "no link in {files} files");
}
