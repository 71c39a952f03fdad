//! `cargo bench --bench border -- LIBRARY [--seconds S]`: the C interface beside the library itself, in turns.
//!
//! LIBRARY is the shared library that `bindings/c` builds. Both sides find the links of the same texts and ask each for its
//! URI and its range.

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::hint::black_box;
use std::process::ExitCode;
use std::ptr;
use std::time::Duration;

use libloading::{Library, Symbol};
use linksift::Finder;
use linksift_benches::contenders::Found;
use linksift_benches::rounds::{Limits, in_turns};
use linksift_benches::{clock, machine, outcome};

/// A turn is long enough that reading the clock costs nothing beside it.
const TURN: f64 = 0.002;
/// Of `linksift.h`.
const LINKSIFT_LINK: c_int = 1;
const LINKSIFT_URI: c_int = 0;

const SIDES: [(&str, bool); 2] = [("Rust", false), ("C", true)];

/// `linksift_string`.
#[repr(C)]
struct Text {
    data: *const c_char,
    len: usize,
}

type Links = *mut c_void;

/// The functions of the interface that are called.
struct Border<'l> {
    find: Symbol<'l, unsafe extern "C" fn(*const c_void, *const c_char, usize, c_uint) -> Links>,
    next: Symbol<'l, unsafe extern "C" fn(Links) -> c_int>,
    get: Symbol<'l, unsafe extern "C" fn(Links, c_int) -> Text>,
    end: Symbol<'l, unsafe extern "C" fn(Links) -> u64>,
    free: Symbol<'l, unsafe extern "C" fn(Links)>,
}

impl Border<'_> {
    fn of(library: &Library) -> Result<Border<'_>, libloading::Error> {
        // SAFETY: these are the types that `linksift.h` declares.
        unsafe {
            Ok(Border {
                find: library.get(b"linksift_find")?,
                next: library.get(b"linksift_next")?,
                get: library.get(b"linksift_get")?,
                end: library.get(b"linksift_end")?,
                free: library.get(b"linksift_links_free")?,
            })
        }
    }

    fn run(&self, text: &str, found: &mut Found) {
        // SAFETY: the text outlives the links, which are not used after they are freed.
        unsafe {
            let links = (self.find)(ptr::null(), text.as_ptr().cast(), text.len(), 0);
            while (self.next)(links) == LINKSIFT_LINK {
                let uri = (self.get)(links, LINKSIFT_URI);
                black_box(uri.data);
                found.add((self.end)(links) as usize + uri.len);
            }
            (self.free)(links);
        }
    }
}

fn main() -> ExitCode {
    outcome::of("border", run())
}

fn run() -> Result<(), String> {
    let mut args = std::env::args().skip(1).filter(|arg| arg != "--bench");
    let path = args.next().ok_or("usage: cargo bench --bench border -- LIBRARY [--seconds S]")?;
    let seconds = args.nth(1).map_or(Ok(1.0), |value| value.parse());
    let time = Duration::try_from_secs_f64(seconds.map_err(|e| format!("--seconds: {e}"))?)
        .map_err(|e| format!("--seconds: {e}"))?;
    // SAFETY: loading the library runs nothing but what Rust's own runtime registers.
    let library = unsafe { Library::new(&path) }.map_err(|e| format!("{path}: {e}"))?;
    let border = Border::of(&library).map_err(|e| format!("{path}: {e}"))?;
    let finder = Finder::new();

    println!("{}\n", machine::heading());
    println!("| | Rust, ns | C, ns | C takes … of Rust's time | quartiles |");
    println!("|---|---:|---:|---:|---:|");
    for (name, text) in texts() {
        let one = |is_c: bool, found: &mut Found| match black_box(&*text) {
            text if is_c => border.run(text, found),
            text => {
                finder.links(text).for_each(|link| found.add(link.range().end + link.uri().len()))
            }
        };
        let turn = |is_c: bool, runs: usize| {
            let mut found = Found::default();
            (0..runs).for_each(|_| one(is_c, &mut found));
            found
        };
        let mut runs = 1;
        while clock::seconds(|| _ = black_box(turn(true, runs))) < TURN {
            runs *= 2;
        }
        let limits = Limits { at_least: 16, time };
        let rounds = in_turns(&SIDES, |(_, is_c)| turn(*is_c, runs), |(name, _)| name, limits);
        if rounds[0].found != rounds[1].found {
            return Err(format!("{name}: the two find other links"));
        }
        let [rust, c] = [0, 1].map(|at| rounds[at].median() / runs as f64 * 1e9);
        let [low, median, high] = rounds[0].quartiles_beside(&rounds[1]);
        println!("| {name} | {rust:.0} | {c:.0} | {median:.2} | {low:.2}–{high:.2} |");
    }
    Ok(())
}

/// Messages, and a text of 4 KB with 64 links.
fn texts() -> Vec<(&'static str, String)> {
    const LINE: &str = "- see https://www.example.org/manual/part?chapter=12 for all\n";
    let many = LINE.repeat(64);
    vec![
        ("43 bytes without a link", "The release is out and the build looks fine".to_owned()),
        ("60 bytes with a link", LINE[..60].to_owned()),
        (
            "60 bytes with a Japanese link",
            "詳しくは http://例え.jp/パス を見てください。あしたまで".to_owned(),
        ),
        ("500 bytes with 8 links", LINE.repeat(8)),
        ("4 KB with 64 links", many),
    ]
}
