//! PDF files.

use std::io::Write;

use flate2::Compression;
use flate2::write::ZlibEncoder;

/// Maker of a file: its objects, numbered from 1. The first one is the catalog.
#[derive(Default)]
pub(crate) struct PdfMaker {
    objects: Vec<Vec<u8>>,
}

impl PdfMaker {
    /// Adds an object, and returns the maker.
    pub(crate) fn with(mut self, object: impl AsRef<[u8]>) -> PdfMaker {
        self.objects.push(object.as_ref().to_vec());
        self
    }

    /// Adds a stream with these entries in its dictionary.
    pub(crate) fn with_stream(self, entries: &str, data: impl AsRef<[u8]>) -> PdfMaker {
        let data = data.as_ref();
        let mut object = format!("<< {entries} /Length {} >>\nstream\n", data.len()).into_bytes();
        object.extend_from_slice(data);
        object.extend_from_slice(b"\nendstream");
        self.with(object)
    }

    /// Adds a stream that is compressed.
    pub(crate) fn with_flate(self, entries: &str, data: impl AsRef<[u8]>) -> PdfMaker {
        self.with_stream(&format!("{entries} /Filter /FlateDecode"), zlib(data.as_ref()))
    }

    /// Returns the file, with a table of cross-references.
    pub(crate) fn file(&self) -> Vec<u8> {
        let (mut file, offsets) = self.body();
        let start = file.len();
        let _ = write!(file, "xref\n0 {}\n0000000000 65535 f \n", offsets.len() + 1);
        for offset in &offsets {
            let _ = writeln!(file, "{offset:010} 00000 n ");
        }
        let size = offsets.len() + 1;
        let _ =
            write!(file, "trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n");
        file
    }

    /// Returns the file with all objects that are not streams in an object stream, and a cross-reference stream.
    pub(crate) fn compressed(&self) -> Vec<u8> {
        let (container, own) = (self.objects.len() + 1, self.objects.len() + 2);
        let is_stream = |object: &[u8]| object.ends_with(b"endstream");
        let (mut heads, mut bodies, mut entries) = (String::new(), Vec::new(), vec![[0; 5]]);
        let mut file = b"%PDF-1.7\n".to_vec();
        let mut count = 0_u8;
        for (at, object) in self.objects.iter().enumerate() {
            if is_stream(object) {
                entries.push(entry(1, file.len() as u16, 0));
                let _ = writeln!(file, "{} 0 obj", at + 1);
                file.extend_from_slice(object);
                file.extend_from_slice(b"\nendobj\n");
            } else {
                heads += &format!("{} {} ", at + 1, bodies.len());
                bodies.extend_from_slice(object);
                bodies.push(b'\n');
                entries.push(entry(2, container as u16, count));
                count += 1;
            }
        }
        let first = heads.len();
        let data = zlib(&[heads.as_bytes(), &bodies].concat());
        entries.push(entry(1, file.len() as u16, 0));
        let length = data.len();
        let _ = write!(
            file,
            "{container} 0 obj\n<< /Type /ObjStm /N {count} /First {first} /Filter /FlateDecode /Length {length} >>\nstream\n"
        );
        file.extend_from_slice(&data);
        file.extend_from_slice(b"\nendstream\nendobj\n");
        let start = file.len();
        entries.push(entry(1, start as u16, 0));
        let data = zlib(&entries.concat());
        let (length, size) = (data.len(), entries.len());
        let _ = write!(
            file,
            "{own} 0 obj\n<< /Type /XRef /W [1 2 2] /Size {size} /Root 1 0 R /Filter /FlateDecode /Length {length} >>\nstream\n"
        );
        file.extend_from_slice(&data);
        let _ = write!(file, "\nendstream\nendobj\nstartxref\n{start}\n%%EOF\n");
        file
    }

    /// Returns the objects, and their offsets.
    fn body(&self) -> (Vec<u8>, Vec<usize>) {
        let mut file = b"%PDF-1.7\n%\xE2\xE3\xCF\xD3\n".to_vec();
        let mut offsets = Vec::new();
        for (at, object) in self.objects.iter().enumerate() {
            offsets.push(file.len());
            let _ = writeln!(file, "{} 0 obj", at + 1);
            file.extend_from_slice(object);
            file.extend_from_slice(b"\nendobj\n");
        }
        (file, offsets)
    }
}

/// Entry of a cross-reference stream, with fields of 1, 2 and 2 bytes.
fn entry(kind: u8, second: u16, third: u8) -> [u8; 5] {
    let [high, low] = second.to_be_bytes();
    [kind, high, low, 0, third]
}

pub(crate) fn zlib(data: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(data).unwrap();
    encoder.finish().unwrap()
}

/// A file of one page with this content, entries of the page, and further objects from number 5 on.
pub(crate) fn page(content: &str, entries: &str, further: &[&str]) -> PdfMaker {
    let font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>";
    let page = format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 800] /Contents 4 0 R {entries} >>"
    );
    let maker = PdfMaker::default()
        .with("<< /Type /Catalog /Pages 2 0 R >>")
        .with(format!(
            "<< /Type /Pages /Kids [3 0 R] /Count 1 /Resources << /Font << /F {font} >> >> >>"
        ))
        .with(page)
        .with_flate("", content);
    further.iter().fold(maker, |maker, object| maker.with(object))
}
