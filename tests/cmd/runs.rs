//! Long runs: files that are written beside the links, shares of several machines, how far a run has come.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::{Read, Write as _};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::Duration;

use super::Folder;

pub(super) fn linksift(folder: &Path, arguments: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_linksift"));
    command.current_dir(folder).args(arguments.split(' ')).stdin(Stdio::null());
    command
}

pub(super) fn run(folder: &Path, arguments: &str) -> Output {
    linksift(folder, arguments).output().unwrap()
}

pub(super) fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(super) fn unpacked(file: &Path) -> Vec<u8> {
    let bytes = fs::read(file).unwrap();
    let mut out = Vec::new();
    if bytes.is_empty() {
        // No frame was whole yet.
        return out;
    }
    match file.extension().unwrap().to_str().unwrap() {
        "gz" => drop(flate2::read::MultiGzDecoder::new(&*bytes).read_to_end(&mut out).unwrap()),
        "zst" => drop(zstd::Decoder::new(&*bytes).unwrap().read_to_end(&mut out).unwrap()),
        _ => out = bytes,
    }
    out
}

/// A tar of plain files.
fn tar(members: impl Iterator<Item = (String, Vec<u8>)>) -> Vec<u8> {
    let mut out = Vec::new();
    for (name, content) in members {
        let mut header = [0; 512];
        header[..name.len()].copy_from_slice(name.as_bytes());
        header[100..107].copy_from_slice(b"0000644");
        header[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
        header[148..156].fill(b' ');
        header[156] = b'0';
        header[257..265].copy_from_slice(b"ustar\x0000");
        let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
        header[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        out.extend_from_slice(&header);
        out.extend_from_slice(&content);
        out.resize(out.len().next_multiple_of(512), 0);
    }
    out.resize(out.len() + 1024, 0);
    out
}

/// Pages with links of several hosts and charsets, a text without any, archives of many members, and what fails.
pub(super) fn inputs(folder: &Folder, count: usize) {
    let page = |number: usize| {
        let mut page = String::new();
        for link in 0..number % 7 * 20 {
            let host = number * 31 + link;
            let _ = writeln!(
                page,
                "<a href=\"/r/{link}\">x</a> http://h{}.example/{host}/ж",
                host % 50
            );
        }
        page.into_bytes()
    };
    for number in 0..count {
        let name = format!("in/{:02}/{number}.html", number % 10);
        match number % 11 {
            3 => drop(folder.write(&format!("{name}.gz"), gzip(&page(number)))),
            5 => {
                // Cut: its links so far are there, and it is named.
                let whole = gzip(&page(number + 1));
                folder.write(&format!("{name}.gz"), &whole[..whole.len() * 2 / 3]);
            }
            7 => {
                let members =
                    (0..30).map(|member| (format!("m{member}.html"), page(number + member)));
                folder
                    .write(&format!("in/{:02}/{number}.tar.gz", number % 10), gzip(&tar(members)));
            }
            _ => drop(folder.write(&name, page(number))),
        }
    }
}

#[test]
fn the_name_of_the_output_says_its_form_and_how_it_is_compressed() {
    let folder = Folder::new();
    inputs(&folder, 30);
    let path = folder.path();
    for (form, name) in
        [("--json", "o.jsonl"), ("--csv", "o.csv"), ("-H", "o.txt"), ("--json", "o.x")]
    {
        let expected = run(path, &format!("{form} in")).stdout;
        assert!(expected.len() > 10_000);
        for end in ["", ".gz", ".zst"] {
            let form = if name == "o.x" || name == "o.txt" { form } else { "-j2" };
            let output = run(path, &format!("{form} --output {name}{end} in"));
            assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
            assert!(output.stdout.is_empty());
            let file = path.join(format!("{name}{end}"));
            assert!(unpacked(&file) == expected, "{name}{end}");
        }
    }
    // What is written is not read, and an input is not overwritten.
    folder.write("in/a.txt", "http://e.com/");
    let output = run(path, "--output in/a.txt in/a.txt");
    assert_eq!(stderr(&output), "linksift: in/a.txt: input file is also the output\n");
    assert_eq!(fs::read(path.join("in/a.txt")).unwrap(), b"http://e.com/");
    for wrong in [
        "--output o.csv --json in",
        "--output o.jsonl --count in",
        "--output o.bz2 in",
        "--output no/o in",
    ] {
        let output = run(path, wrong);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        assert!(!output.stderr.is_empty());
    }
}

/// JSON and CSV are lines whatever ends the links of plain output: a frame ends after one.
#[test]
fn frames_of_records_end_after_lines_with_null_too() {
    let folder = Folder::new();
    folder.write("a.txt", "http://e.com/a\n".repeat(60_000));
    for form in ["--json", "--csv"] {
        let [lines, null] = ["", " --null"].map(|null| {
            let output = run(folder.path(), &format!("--force {form}{null} --output o.gz a.txt"));
            assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
            fs::read(folder.path().join("o.gz")).unwrap()
        });
        assert!(lines == null, "{form}");
        let mut first = Vec::new();
        flate2::read::GzDecoder::new(&*lines).read_to_end(&mut first).unwrap();
        let whole = unpacked(&folder.path().join("o.gz"));
        assert!(first.ends_with(b"\n") && first.len() < whole.len(), "{form}: one frame");
    }
}

#[test]
fn an_empty_output_is_a_file_of_its_format() {
    let folder = Folder::new();
    folder.write("in/a.txt", "nothing");
    for name in ["o.gz", "o.zst", "o"] {
        let output = run(folder.path(), &format!("--output {name} in"));
        assert_eq!((output.status.code(), stderr(&output)), (Some(1), String::new()));
        let file = folder.path().join(name);
        assert_eq!(fs::read(&file).unwrap().is_empty(), name == "o");
        if name != "o" {
            assert_eq!(unpacked(&file), b"");
        }
    }
}

#[test]
fn what_failed_is_written_and_can_be_run_again() {
    let folder = Folder::new();
    inputs(&folder, 60);
    let path = folder.path();
    folder.write("in/z.txt", "http://e.com/");
    let output = run(path, "--output o --errors e --failed f in no-such-file -j2");
    assert_eq!(output.status.code(), Some(2));
    let errors = fs::read_to_string(path.join("e")).unwrap();
    let failed = fs::read_to_string(path.join("f")).unwrap();
    let named: Vec<String> = errors
        .lines()
        .map(|line| {
            let error: serde_json::Value = serde_json::from_str(line).unwrap();
            let code = error["code"].as_str().unwrap();
            let is_missing = error["path"] == "no-such-file";
            assert_eq!(code, if is_missing { "not-found" } else { "truncated" });
            assert_eq!(error["offset"].is_u64(), !is_missing);
            error["path"].as_str().unwrap().to_owned()
        })
        .collect();
    // Each is named once here: of these inputs nothing fails twice.
    assert_eq!(failed.lines().collect::<Vec<_>>(), named);
    let cut: BTreeSet<_> = (0..60)
        .filter(|number| number % 11 == 5)
        .map(|number| format!("in/{:02}/{number}.html.gz", number % 10))
        .collect();
    assert_eq!(
        named.iter().filter(|name| *name != "no-such-file").cloned().collect::<BTreeSet<_>>(),
        cut
    );
    let again = run(path, "--output again --failed g --files-from f");
    assert_eq!(again.status.code(), Some(2));
    assert_eq!(fs::read_to_string(path.join("g")).unwrap(), failed);
    // A NUL where names may have line feeds in them.
    run(path, "--force --output o --failed f0 --from0 in");
    let zeros = fs::read(path.join("f0")).unwrap();
    assert_eq!(zeros.split(|byte| *byte == 0).count(), cut.len() + 1);
}

/// A line feed in a name would be two inputs for `--files-from`.
#[test]
#[cfg(unix)]
fn a_failed_input_that_no_line_holds_is_named_on_standard_error() {
    let folder = Folder::new();
    let path = folder.path();
    for name in ["x\ny.gz", "c\r", "x.gz"] {
        folder.write(&format!("in/{name}"), b"\x1F\x8B\x08\0\0\0\0\0\0\x03\xFF\xFF");
    }
    let output = run(path, "--output o --failed f in");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read(path.join("f")).unwrap(), b"in/x.gz\n");
    let told = String::from_utf8(output.stderr).unwrap();
    for name in ["in/x\\ny.gz", "in/c\\r"] {
        let line = format!("linksift: {name}: not listed by --failed");
        assert_eq!(told.matches(&line).count(), 1, "{told}");
    }
    for option in ["-0", "--null"] {
        let output = run(path, &format!("--force {option} --output o --failed f in"));
        let mut names: Vec<_> = fs::read(path.join("f"))
            .unwrap()
            .split(|byte| *byte == 0)
            .map(<[u8]>::to_vec)
            .collect();
        names.sort();
        assert_eq!(names, [&b""[..], b"in/c\r", b"in/x\ny.gz", b"in/x.gz"]);
        assert!(!String::from_utf8(output.stderr).unwrap().contains("--failed"));
        let again = run(path, &format!("{option} --output again --failed g --files-from f"));
        assert_eq!(again.status.code(), Some(2));
        assert_eq!(fs::read(path.join("g")).unwrap(), fs::read(path.join("f")).unwrap());
        fs::remove_file(path.join("again")).unwrap();
        fs::remove_file(path.join("g")).unwrap();
    }
}

#[test]
fn of_a_thousand_inputs_exactly_the_damaged_ones_are_named() {
    let folder = Folder::new();
    let page = |number: usize| {
        format!("see http://h{number}.example/ and more of the same text").repeat(3)
    };
    let mut damaged = BTreeSet::new();
    for number in 0..1000 {
        let mut bytes = gzip(page(number).as_bytes());
        let name = format!("in/{:02}/{number}.txt.gz", number % 37);
        if number % 100 == 42 {
            let middle = bytes.len() - 12;
            match number / 100 % 3 {
                0 => bytes.truncate(middle),
                1 => bytes[middle] ^= 0x55,
                _ => bytes.extend_from_slice(b"more"),
            }
            damaged.insert(name.clone());
        }
        folder.write(&name, bytes);
    }
    run(folder.path(), "--output o --failed f --summary s in -j2");
    let failed = fs::read_to_string(folder.path().join("f")).unwrap();
    assert_eq!(failed.lines().map(str::to_owned).collect::<BTreeSet<_>>(), damaged);
    assert_eq!(failed.lines().count(), damaged.len());
    let summary = fs::read(folder.path().join("s")).unwrap();
    let summary: serde_json::Value = serde_json::from_slice(&summary).unwrap();
    assert_eq!((&summary["inputs"], &summary["failed"]), (&1000.into(), &10.into()));
}

#[test]
fn shares_are_all_of_it_and_nothing_twice() {
    let folder = Folder::new();
    inputs(&folder, 50);
    let path = folder.path();
    let lines = |arguments: &str| {
        let text = String::from_utf8(run(path, arguments).stdout).unwrap();
        text.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let mut all = lines("-H in");
    let mut shares: Vec<_> =
        (1..=3).map(|number| lines(&format!("-H -j2 --shard {number}/3 in"))).collect();
    assert!(shares.iter().all(|share| !share.is_empty()));
    let mut together: Vec<_> = shares.drain(..).flatten().collect();
    all.sort();
    together.sort();
    assert_eq!(all, together);
    assert_eq!(run(path, "--shard 4/3 in").status.code(), Some(2));
}

#[test]
fn totals_and_histograms_say_what_the_records_say() {
    let folder = Folder::new();
    inputs(&folder, 40);
    let path = folder.path();
    let arguments = "--report p.html --base http://base.example/x/ --summary s --histogram host=h --histogram domain=d --histogram scheme=c --output o.jsonl in -j2";
    run(path, arguments);
    let records: Vec<serde_json::Value> = fs::read_to_string(path.join("o.jsonl"))
        .unwrap()
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let summary: serde_json::Value =
        serde_json::from_slice(&fs::read(path.join("s")).unwrap()).unwrap();
    assert_eq!(summary["links"], records.len());
    let references = records.iter().filter(|record| record["kind"] == "reference").count();
    assert_eq!(summary["links_by_kind"]["reference"], references);
    assert_eq!(summary["links_by_context"]["a@href"], references);
    let stored: u64 =
        walk(&path.join("in")).iter().map(|file| fs::metadata(file).unwrap().len()).sum();
    assert_eq!(summary["bytes_stored"], stored);
    let histogram = |name: &str| {
        let text = fs::read_to_string(path.join(name)).unwrap();
        let lines = text.lines().map(|line| {
            let (count, value) = line.split_once('\t').unwrap();
            (value.to_owned(), count.parse::<usize>().unwrap())
        });
        lines.collect::<Vec<_>>()
    };
    let hosts = histogram("h");
    assert_eq!(hosts[0], ("base.example".to_owned(), references));
    assert!(hosts.is_sorted_by(|a, b| a.1 >= b.1));
    assert_eq!(hosts.iter().map(|(_, count)| count).sum::<usize>(), records.len());
    for (host, count) in &hosts {
        assert_eq!(records.iter().filter(|record| record["host"] == host.as_str()).count(), *count);
    }
    assert_eq!(histogram("c"), [("http".to_owned(), records.len())]);
    assert!(histogram("d").len() > 10);
    let page = fs::read_to_string(path.join("p.html")).unwrap();
    // A row for each host, and one with the names of the columns.
    assert_eq!(page.matches("<tr>").count(), hosts.len() + 1);
    assert!(page.contains("<td><bdi>base.example</bdi></td>") && page.contains("Failures"));
    // Nothing is loaded from anywhere.
    for loading in ["src=", "href=", "url(", "@import", "fetch(", "import("] {
        assert!(!page.contains(loading), "{loading}");
    }
}

fn walk(folder: &Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

#[test]
fn an_input_of_which_there_is_enough_is_not_read_on() {
    let folder = Folder::new();
    let path = folder.path();
    // After its first links each has a fault, which only who reads on comes to.
    for number in 0..6 {
        let text = "http://e.com/a http://e.com/b\n".to_owned() + &"no link here\n".repeat(200_000);
        let whole = gzip(text.as_bytes());
        folder.write(&format!("in/{number}.gz"), &whole[..whole.len() - 6]);
    }
    for (arguments, expected) in [
        ("-l in", "in/0.gz\nin/1.gz\nin/2.gz\nin/3.gz\nin/4.gz\nin/5.gz\n"),
        ("--files-without-links in", ""),
        (
            "-m1 -I in",
            "http://e.com/a\nhttp://e.com/a\nhttp://e.com/a\nhttp://e.com/a\nhttp://e.com/a\nhttp://e.com/a\n",
        ),
        ("-c -m2 in/3.gz", "2\n"),
    ] {
        for threads in ["-j1", "-j2", "-j8"] {
            let output = run(path, &format!("{threads} {arguments}"));
            assert_eq!(String::from_utf8(output.stdout).unwrap(), expected, "{arguments}");
            assert_eq!(
                (&*output.stderr, output.status.code().unwrap() == 2),
                (&b""[..], false),
                "{arguments}"
            );
        }
    }
    // Which links are new is known only when all before have been seen: then all of it is read.
    assert_eq!(run(path, "-m1 --unique in").status.code(), Some(2));
    assert_eq!(run(path, "-m3 in/1.gz").status.code(), Some(2));
}

/// A part of an archive that another thread has processed ahead of its turn tells no more.
#[test]
fn what_fails_after_enough_is_told_by_no_thread() {
    let folder = Folder::new();
    let page: String = (0..80).map(|n| format!("http://e.com/{n}\n")).collect();
    let cut = &gzip(b"no link here")[..20];
    let filler = "x\n".repeat(400 << 10);
    let mut files: Vec<(&[u8], &[u8])> = vec![(b"a.txt", page.as_bytes()), (b"cut.gz", cut)];
    files.extend([(&b"b.txt"[..], filler.as_bytes()); 8]);
    for n in 0..4 {
        folder.write(&format!("in/{n}.tar"), crate::made::tars::tar(&files));
    }
    let all = run(folder.path(), "-j4 --errors e in");
    assert_eq!((all.status.code(), all.stdout.split(|b| *b == b'\n').count()), (Some(2), 321));
    for _ in 0..10 {
        let output = run(folder.path(), "--force -j4 --max-count 70 --errors e in");
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
        assert_eq!(fs::read(folder.path().join("e")).unwrap(), b"");
    }
}

#[test]
fn progress_says_how_much_of_all_is_done() {
    let folder = Folder::new();
    folder.write("in/a.txt", "x".repeat(3000));
    super::in_place::fifo(&folder, "fifo");
    let mut command = linksift(folder.path(), "--progress always -c fifo in");
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    // The run waits for who writes there.
    let mut fifo = fs::File::options().write(true).open(folder.path().join("fifo")).unwrap();
    thread::sleep(Duration::from_millis(2500));
    fifo.write_all(b"http://e.com/").unwrap();
    drop(fifo);
    let output = child.wait_with_output().unwrap();
    let lines = stderr(&output);
    // Nobody knows how much comes through a pipe.
    assert!(lines.contains("of 2 files, "), "{lines}");
    assert!(!lines.contains("KiB of ") && !lines.contains(" B of "), "{lines}");
    assert!(!lines.contains(" left"), "{lines}");
}

/// Links of an input that has not ended are counted as they are printed.
#[test]
fn progress_counts_the_links_that_are_printed() {
    let folder = Folder::new();
    super::in_place::fifo(&folder, "fifo");
    let mut command = linksift(folder.path(), "--progress always fifo");
    let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut fifo = fs::File::options().write(true).open(folder.path().join("fifo")).unwrap();
    fifo.write_all(b"http://e.com/1 http://e.com/2 and ").unwrap();
    thread::sleep(Duration::from_millis(2500));
    drop(fifo);
    let lines = stderr(&child.wait_with_output().unwrap());
    let last = lines.lines().rfind(|line| line.contains(" links, ")).unwrap();
    assert!(last.contains(" 2 links, ") && !last.contains(" left"), "{lines}");
}

#[test]
fn fish_offers_the_values_of_options() {
    let script = run(Path::new("."), "completions fish").stdout;
    let script = String::from_utf8(script).unwrap();
    let function = script.split("_needs_command\n").nth(1).unwrap().split("\nend").next().unwrap();
    assert!(function.contains("or return 0\n") && !function.contains("or return\n"), "{function}");
    let folder = Folder::new();
    folder.write("l.fish", &script);
    let asked = "source l.fish; complete -C 'linksift --show '";
    match Command::new("fish").args(["-c", asked]).current_dir(folder.path()).output() {
        Ok(output) => {
            let offered = String::from_utf8(output.stdout).unwrap();
            assert!(
                ["uri", "iri", "raw", "display"].iter().all(|form| offered.contains(form)),
                "{offered}"
            );
        }
        Err(_) => eprintln!("skipped: no fish"),
    }
}

/// A list goes on after a record that is too long, and both are told of in all places.
#[test]
fn records_of_lists_that_are_too_long_fail_and_the_rest_is_read() {
    let folder = Folder::new();
    let path = folder.path();
    folder.write("a.txt", "http://a.example/");
    folder.write("b.txt", "http://b.example/");
    let long = "é".repeat(40_000);
    folder.write("list", format!("a.txt\n{long}\n\nb.txt\n{long}"));
    folder.write("zeros", format!("a.txt\0{long}\0b.txt\0"));
    let row = "x".repeat(2 << 20);
    folder.write(
        "table",
        format!("a.txt\thttp://a.example/\nc.txt\t{row}\nb.txt\n{row}\nb.txt\tno base\n"),
    );
    let most = "the name is longer than 65536 bytes";
    for (list, wrong) in [
        (
            "--files-from list",
            vec![format!("list: line 2: {most}"), format!("list: line 5: {most}")],
        ),
        ("-0 --files-from zeros", vec![format!("zeros: name 2: {most}")]),
        (
            "--manifest table",
            vec![
                "table: line 2: longer than 1 MiB".to_owned(),
                "table: line 4: longer than 1 MiB".to_owned(),
                "table: line 5: base \"no base\": not an IRI: no-scheme".to_owned(),
            ],
        ),
    ] {
        for threads in ["-j1", "-j4"] {
            let output = run(
                path,
                &format!(
                    "--force {threads} -I {list} --output o --errors e --failed f --summary s"
                ),
            );
            let said: String = wrong.iter().map(|line| format!("linksift: {line}\n")).collect();
            assert_eq!((stderr(&output), output.status.code()), (said, Some(2)), "{list}");
            let read = |name: &str| fs::read_to_string(path.join(name)).unwrap();
            assert_eq!(read("o"), "http://a.example/\nhttp://b.example/\n", "{list}");
            let errors = read("e");
            assert_eq!(errors.lines().count(), wrong.len(), "{list}");
            for (line, message) in errors.lines().zip(&wrong) {
                let record: serde_json::Value = serde_json::from_str(line).unwrap();
                assert_eq!(
                    (&record["code"], &record["message"]),
                    (&"refused".into(), &message[..].into())
                );
            }
            let end = if list.starts_with("-0") { '\0' } else { '\n' };
            assert_eq!(read("f").matches(end).count(), wrong.len(), "{list}");
            let summary: serde_json::Value = serde_json::from_str(&read("s")).unwrap();
            assert_eq!(summary["failed"], wrong.len(), "{list}");
        }
    }
    let names = fs::read_to_string(path.join("f")).unwrap();
    let names: Vec<_> = names.lines().collect();
    assert!(
        names[0] == "c.txt"
            && names[1].starts_with("xxx")
            && names[1].ends_with('…')
            && names[2] == "b.txt"
    );
    let output = run(path, "charset --files-from list");
    assert_eq!(
        stderr(&output),
        format!("linksift: list: line 2: {most}\nlinksift: list: line 5: {most}\n")
    );
    assert_eq!(
        (String::from_utf8_lossy(&output.stdout).lines().count(), output.status.code()),
        (2, Some(2))
    );
}

/// Programs that infer columns from the first lines lose those that these lines lack.
#[test]
fn each_record_has_the_same_fields() {
    let folder = Folder::new();
    folder.write("in/a.txt", "http://e.com/ ftp://me@example.org/100% http://300.1.1.1/ x.rs");
    folder.write("in/b.tar", tar([("m.html".to_owned(), b"<a href=/x>".to_vec())].into_iter()));
    folder.write(
        "in/c.eml",
        "From: a@b.example\nContent-Type: text/html\n\n<a href=http://a.example/>b.example</a>",
    );
    let default = "path member part source page object start end line column kind context charset raw iri uri host warnings";
    let names = |line: &str| {
        let record: serde_json::Value = serde_json::from_str(line).unwrap();
        record.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>()
    };
    for (options, more) in [
        ("", ""),
        (" --rejected", " rejected rule"),
        (" --suspicious", " severity shown"),
        (" --fields transfer,uri,message_id", "-"),
    ] {
        let expected = match more {
            "-" => "transfer uri message_id".to_owned(),
            more => format!("{default}{more}"),
        };
        let json =
            String::from_utf8(run(folder.path(), &format!("--json{options} in")).stdout).unwrap();
        let expected_names: BTreeSet<_> = expected.split(' ').map(str::to_owned).collect();
        assert!(json.lines().all(|line| names(line) == expected_names), "{json}");
        assert!(!json.is_empty());
        let csv =
            String::from_utf8(run(folder.path(), &format!("--csv{options} in")).stdout).unwrap();
        assert_eq!(csv.lines().next().unwrap(), expected.replace(' ', ","));
        let schema = run(folder.path(), &format!("schema{options}"));
        let schema: serde_json::Value = serde_json::from_slice(&schema.stdout).unwrap();
        let required = schema["required"].as_array().unwrap().iter();
        let required: Vec<_> = required.map(|name| name.as_str().unwrap()).collect();
        assert_eq!(required.join(" "), expected);
    }
}
