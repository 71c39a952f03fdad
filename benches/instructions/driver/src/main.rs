//! `driver LIST`: runs the works of LIST one after the other, each between two marks that callgrind counts between.
//!
//! A line of LIST is a work: its name, the road that it takes, options of the road (`name=value`, with spaces
//! between them), the file of its inputs, separated by tabs. For each it prints how many links were found.
//!
//! It uses the small part of the public interface that is the oldest, so that one source builds against
//! the library of the head and of the commit that it is compared with.

use std::ffi::c_uint;
use std::hint::black_box;
use std::io::{BufWriter, Write};
use std::ops::ControlFlow;
use std::ptr;

use linksift::container::{self, Found, Limits, Opening};
use linksift::{Finder, Hints};

mod inputs;

use inputs::{Fault, Input, unpacked};

/// Callgrind sets its counts to zero when this is entered.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn linksift_guard_begin() {
    black_box(1);
}

/// Callgrind writes its counts when this is entered.
#[unsafe(no_mangle)]
#[inline(never)]
extern "C" fn linksift_guard_end() {
    black_box(2);
}

/// In place of libc's: the standard library takes the keys of its hash tables from here, and a table that is laid
/// out otherwise in each run costs otherwise in each run.
#[unsafe(no_mangle)]
extern "C" fn getrandom(to: *mut u8, len: usize, _flags: c_uint) -> isize {
    // SAFETY: the caller gives `len` writable bytes.
    unsafe { ptr::write_bytes(to, 0x5A, len) };
    len.cast_signed()
}

/// A work: it returns how many links it has found.
type Work<'a> = dyn Fn(&[Input<'_>]) -> u64 + 'a;

fn main() -> Result<(), Fault> {
    let list = std::env::args().nth(1).ok_or("usage: driver LIST")?;
    let list = std::fs::read_to_string(list)?;
    let mut out = BufWriter::new(std::io::stdout());
    writeln!(out, "vectors\t{}", vectors())?;
    for line in list.lines() {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, road, options, path] = fields[..] else {
            return Err(format!("not four fields: {line:?}").into());
        };
        let packed = std::fs::read(path).map_err(|e| format!("{path}: {e}"))?;
        let inputs = unpacked(&packed)?;
        let hints = hints(options)?;
        let finder = Finder::new();
        let work: &Work<'_> = match road {
            "links" => &|inputs| inputs.iter().map(|i| links(&finder, text(i))).sum(),
            "document" => &|inputs| inputs.iter().map(|i| document(&finder, &hints, i)).sum(),
            "reader" => &|inputs| reader(&finder, &hints, inputs),
            "linkify" => &|inputs| inputs.iter().map(|i| linkify(text(i))).sum(),
            "opened" => &|inputs| inputs.iter().map(|i| opened(&finder, &hints, i)).sum(),
            "c" => &|inputs| c_utf8(inputs),
            "c16" => {
                let units: Vec<Vec<u16>> =
                    inputs.iter().map(|i| text(i).encode_utf16().collect()).collect();
                writeln!(out, "{name}\t{}", counted(|| c_utf16(&units), || c_utf16(&units[..1])))?;
                continue;
            }
            _ => return Err(format!("no such road: {road}").into()),
        };
        // What is made once in a process (tables, thread locals) is made before it is counted.
        let found = counted(|| work(&inputs), || work(&inputs[..1]));
        writeln!(out, "{name}\t{found}")?;
    }
    Ok(out.flush()?)
}

/// Runs what is to be counted, after something like it that is not.
fn counted(work: impl Fn() -> u64, before: impl Fn() -> u64) -> u64 {
    black_box(before());
    linksift_guard_begin();
    let found = black_box(work());
    linksift_guard_end();
    found
}

fn text<'a>(input: &Input<'a>) -> &'a str {
    input.text.unwrap_or_else(|| panic!("{:?} is not UTF-8", input.name))
}

fn hints(options: &str) -> Result<Hints, Fault> {
    let mut hints = Hints::new();
    for option in options.split_whitespace() {
        let (name, value) = option.split_once('=').ok_or("an option without a value")?;
        hints = match name {
            "format" => {
                hints.format(value.parse().map_err(|_| format!("no such format: {value}"))?)
            }
            "charset" => {
                hints.charset(value.parse().map_err(|_| format!("no such charset: {value}"))?)
            }
            "base" => {
                let base: linksift::iri::IriBuf =
                    value.parse().map_err(|_| format!("no such base: {value}"))?;
                hints.base(base)
            }
            _ => return Err(format!("no such option: {name}").into()),
        };
    }
    Ok(hints)
}

/// Links of a text, each asked for its URI.
fn links(finder: &Finder, text: &str) -> u64 {
    let mut found = 0;
    for link in finder.links(text) {
        black_box(link.uri().len());
        found += 1;
    }
    found
}

/// Bytes of the HTML that a text comes to.
fn linkify(text: &str) -> u64 {
    linksift::html::linkify(text, &linksift::html::Linkify::new()).len() as u64
}

/// Links of a document in memory, each asked for its URI.
fn document(finder: &Finder, hints: &Hints, input: &Input<'_>) -> u64 {
    let hints = hints.clone().name(input.name);
    // A document may declare a charset that nothing can be decoded from.
    let Ok(candidates) = finder.document(input.bytes, &hints) else { return 0 };
    let mut found = 0;
    for link in candidates.links() {
        black_box(link.uri().len());
        found += 1;
    }
    found
}

/// What comes out of a stream, with what is rejected.
fn reader(finder: &Finder, hints: &Hints, inputs: &[Input<'_>]) -> u64 {
    let scan = |input: &Input<'_>| {
        let hints = hints.clone().name(input.name);
        let scanned = finder.scan_reader(input.bytes, &hints, |event| {
            black_box(&event);
            ControlFlow::Continue(())
        });
        scanned.map_or(0, |scanned| scanned.links())
    };
    inputs.iter().map(scan).sum()
}

/// Links of the documents in an archive.
fn opened(finder: &Finder, hints: &Hints, input: &Input<'_>) -> u64 {
    let mut links = 0;
    let opening = Opening::bytes(input.bytes).name(input.name);
    container::documents(opening, &Limits::new(), |found| {
        if let Found::Document(mut document) = found {
            let hints = document.hints(hints);
            let scanned = finder.scan_reader(&mut document, &hints, |event| {
                black_box(&event);
                ControlFlow::Continue(())
            });
            links += scanned.map_or(0, |scanned| scanned.links());
        }
        ControlFlow::Continue(())
    });
    links
}

/// Links by the C interface, each asked for its URI, as C calls it.
fn c_utf8(inputs: &[Input<'_>]) -> u64 {
    let find = |input: &Input<'_>| {
        let bytes = input.bytes;
        // SAFETY: the text outlives the links, which are freed below.
        c_links(unsafe {
            border::linksift_find(ptr::null(), bytes.as_ptr().cast(), bytes.len(), 0)
        })
    };
    inputs.iter().map(find).sum()
}

fn c_utf16(inputs: &[Vec<u16>]) -> u64 {
    let find = |units: &Vec<u16>| {
        // SAFETY: the text outlives the links, which are freed below.
        c_links(unsafe { border::linksift_find_utf16(ptr::null(), units.as_ptr(), units.len(), 0) })
    };
    inputs.iter().map(find).sum()
}

fn c_links(links: *mut border::linksift_links) -> u64 {
    let mut found = 0;
    // SAFETY: the links came from the call before, and are not used after they are freed.
    unsafe {
        while border::linksift_next(links) == border::LINKSIFT_LINK {
            black_box(border::linksift_get(links, border::LINKSIFT_URI).len);
            found += 1;
        }
        border::linksift_links_free(links);
    }
    found
}

/// The widest vectors that the library can use where it runs now.
fn vectors() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    return match (is_x86_feature_detected!("avx512bw"), is_x86_feature_detected!("avx2")) {
        (true, _) => "avx512",
        (_, true) => "avx2",
        _ => "sse2",
    };
    #[cfg(not(target_arch = "x86_64"))]
    std::env::consts::ARCH
}
