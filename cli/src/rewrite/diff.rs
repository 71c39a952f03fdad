//! Unified diffs, made of the edits themselves: no lines have to be compared.

use std::io::Write;
use std::ops::Range;
use std::path::Path;

use linksift::{Charset, Edit};

use crate::safe::{self, Controls};

/// Number of unchanged lines around changed ones.
const CONTEXT: usize = 3;

/// A text and its edits: ranges of the text, and what replaces them.
struct Edited {
    text: Vec<u8>,
    edits: Vec<(Range<usize>, Vec<u8>)>,
}

/// Adjacent lines that change, and the number of their edits.
struct ChangedLines {
    first: usize,
    last: usize,
    edits: Range<usize>,
}

/// Returns the difference that edits make in a file. Text in UTF-16 is shown in UTF-8.
pub(super) fn unified(
    path: &Path,
    bytes: &[u8],
    edits: &[Edit],
    charset: Charset,
    controls: Controls,
) -> Vec<u8> {
    let edited = Edited::of(bytes, edits, charset);
    let mut starts = vec![0];
    let ends = edited.text.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
    starts.extend(ends.map(|(at, _)| at + 1));
    if edited.text.ends_with(b"\n") {
        starts.pop();
    }
    let changes = edited.changes(&starts);
    let mut out = Vec::new();
    for sign in ["--- ", "+++ "] {
        out.extend_from_slice(sign.as_bytes());
        push_name(path.as_os_str().as_encoded_bytes(), &mut out);
        out.push(b'\n');
    }
    let line = |number: usize| starts.get(number).copied().unwrap_or(edited.text.len());
    let mut rest = &changes[..];
    let mut grown = 0_isize;
    while let Some(first) = rest.first() {
        let near = rest.windows(2).take_while(|two| two[1].first - two[0].last <= 2 * CONTEXT + 1);
        let (hunk, others) = rest.split_at(near.count() + 1);
        rest = others;
        let start = first.first.saturating_sub(CONTEXT);
        let last = hunk.last().map_or(first.last, |change| change.last);
        let end = (last + CONTEXT + 1).min(starts.len());
        let mut body = Vec::new();
        let mut done = start;
        let mut new = 0;
        for change in hunk {
            let kept = &edited.text[line(done)..line(change.first)];
            new += put(&mut body, b' ', kept, controls);
            let range = line(change.first)..line(change.last + 1);
            put(&mut body, b'-', &edited.text[range.clone()], controls);
            new += put(&mut body, b'+', &edited.applied(range, change.edits.clone()), controls);
            done = change.last + 1;
        }
        new += put(&mut body, b' ', &edited.text[line(done)..line(end)], controls);
        let old = end - start;
        let new_start = (start + 1).saturating_add_signed(grown);
        grown += new as isize - old as isize;
        // Writing to a `Vec` cannot fail.
        let _ = writeln!(out, "@@ -{},{old} +{new_start},{new} @@", start + 1);
        out.append(&mut body);
    }
    out
}

/// Appends a name as GNU diff writes it: in quotation marks if it has controls. After one with a blank is a TAB, since `patch` would take the
/// name to end at the blank.
fn push_name(name: &[u8], out: &mut Vec<u8>) {
    let mut shown = Vec::new();
    safe::push(name, &mut shown);
    if shown == name && !name.starts_with(b"\"") {
        out.append(&mut shown);
        if name.contains(&b' ') {
            out.push(b'\t');
        }
        return;
    }
    out.push(b'"');
    for &byte in name {
        match byte {
            b'"' | b'\\' => out.extend([b'\\', byte]),
            b' '..=b'~' => out.push(byte),
            b'\t' => out.extend(b"\\t"),
            b'\n' => out.extend(b"\\n"),
            // Writing to a `Vec` cannot fail.
            _ => drop(write!(out, "\\{byte:03o}")),
        }
    }
    out.push(b'"');
}

impl Edited {
    fn of(bytes: &[u8], edits: &[Edit], charset: Charset) -> Edited {
        let is_wide = charset.as_str().starts_with("utf-16");
        let shown = |bytes: &[u8]| match is_wide {
            true => charset.decode(bytes).into_owned().into_bytes(),
            false => bytes.to_vec(),
        };
        let (mut text, mut done) = (Vec::new(), 0);
        let mut shown_edits = Vec::new();
        for edit in edits {
            text.extend(shown(&bytes[done..edit.range().start]));
            let start = text.len();
            text.extend(shown(&bytes[edit.range()]));
            shown_edits.push((start..text.len(), shown(edit.bytes())));
            done = edit.range().end;
        }
        text.extend(shown(&bytes[done..]));
        Edited { text, edits: shown_edits }
    }

    /// Returns the lines that change, given where lines start.
    fn changes(&self, starts: &[usize]) -> Vec<ChangedLines> {
        let line_of = |at: usize| starts.partition_point(|start| *start <= at).saturating_sub(1);
        let mut changes: Vec<ChangedLines> = Vec::new();
        for (number, (range, _)) in self.edits.iter().enumerate() {
            let (first, last) = (line_of(range.start), line_of(range.end));
            match changes.last_mut() {
                Some(before) if first <= before.last + 1 => {
                    before.last = before.last.max(last);
                    before.edits.end = number + 1;
                }
                _ => changes.push(ChangedLines { first, last, edits: number..number + 1 }),
            }
        }
        changes
    }

    /// Returns a range of the text with some of the edits applied.
    fn applied(&self, range: Range<usize>, edits: Range<usize>) -> Vec<u8> {
        let (mut out, mut done) = (Vec::new(), range.start);
        for (edited, new) in &self.edits[edits] {
            out.extend_from_slice(&self.text[done..edited.start]);
            out.extend_from_slice(new);
            done = edited.end;
        }
        out.extend_from_slice(&self.text[done..range.end]);
        out
    }
}

/// Appends lines after a sign; returns their number.
fn put(out: &mut Vec<u8>, sign: u8, lines: &[u8], controls: Controls) -> usize {
    let mut count = 0;
    for line in lines.split_inclusive(|byte| *byte == b'\n') {
        count += 1;
        out.push(sign);
        let text = line.strip_suffix(b"\n");
        for (number, piece) in text.unwrap_or(line).split(|byte| *byte == b'\t').enumerate() {
            if number > 0 {
                out.push(b'\t');
            }
            controls.push(piece, out);
        }
        out.extend_from_slice(match text {
            Some(_) => b"\n",
            None => b"\n\\ No newline at end of file\n",
        });
    }
    count
}
