//! Comma-separated values of more than 16 MiB in mail: read as a file of them is.

use linksift::{Finder, Format, Hints};

use super::cases::Case;
use super::{through, whole};
use crate::made::base64;

/// Records with a link in a field of several lines, separators of another kind in fields, and a link cut by marks.
fn table(separator: char, size: usize) -> String {
    let mut text = format!("id{separator}\"the \"\"name\"\"\nof it\"{separator}url\n");
    for number in 0.. {
        if text.len() > size {
            break;
        }
        let filler = ";|,\t a,b;c|d e\"f ".replace(separator, "").repeat(60);
        text.push_str(&format!(
            "{number}{separator}\"see http://e.com/{number}\nthen \"\"http://e.com/q{number}\"\"x\n\n{filler2}\"{separator}http://e.com/a,b;c|d{separator}\n{filler}\n",
            filler2 = filler.replace('"', ""),
        ));
    }
    text
}

fn uris(text: &str) -> Vec<String> {
    let bytes = text.as_bytes();
    let hints = Hints::new().format(Format::Csv);
    let finder = Finder::new();
    finder.document(bytes, &hints).unwrap().links().map(|link| link.uri().into_owned()).collect()
}

#[test]
fn a_long_table_is_read_as_a_file_of_it() {
    let case = Case::default();
    for (separator, kind, is_encoded) in [
        (',', "text/csv", true),
        (';', "text/csv; charset=utf-8", false),
        ('\t', "application/octet-stream; name=a.csv", true),
        ('|', "application/vnd.ms-excel; name=a.csv", false),
    ] {
        let text = table(separator, 17 << 20);
        let wanted = uris(&text);
        assert!(wanted.len() > 10_000, "{}", wanted.len());
        let (encoding, body) = match is_encoded {
            true => ("base64", base64(text.as_bytes(), 76)),
            false => ("8bit", text),
        };
        let mail = format!(
            "Subject: a\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: {kind}\nContent-Transfer-Encoding: {encoding}\n\n{body}\n--b\n\nhttp://e.com/last\n--b--\n"
        );
        let mail = mail.as_bytes();
        let found = whole(mail, &case, Format::Email);
        let (last, table) = found.split_last().unwrap();
        assert_eq!((&*last.uri, &*last.part), ("http://e.com/last", "2"), "{kind}");
        let links: Vec<_> = table.iter().filter(|one| !one.uri.starts_with("rejected")).collect();
        assert_eq!(links.len(), wanted.len(), "{kind}");
        for (one, wanted) in links.iter().zip(&wanted) {
            assert_eq!(one.uri, *wanted, "{kind}");
        }
        for one in found.iter().step_by(997) {
            let slice = &mail[one.range.clone()];
            match is_encoded && one.part == "1" {
                true => assert!(one.transfer.starts_with("base64"), "{kind}"),
                false => assert_eq!(slice, one.raw.as_bytes(), "{kind}"),
            }
        }
        assert_eq!(through(mail, &case, Format::Email, &[100_003]).len(), found.len(), "{kind}");
    }
}
