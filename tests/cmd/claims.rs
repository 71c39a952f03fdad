//! Every path that is written, against every path that is read or written: what is there is never overwritten or mixed.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread;

use super::Folder;
use super::runs::stderr;

/// All that writes a file.
const WRITTEN: [&str; 8] = [
    "standard output",
    "--output",
    "--errors",
    "--failed",
    "--summary",
    "--report",
    "--histogram",
    "--resume",
];

/// All that reads one.
const READ: [&str; 10] = [
    "named",
    "listed",
    "piped",
    "manifest",
    "walk",
    "walk by rules",
    "--known-hosts",
    "--files-from",
    "--manifest",
    "standard input",
];

/// How the file that is written is called, where `r` is the one that is read.
const WAYS: [&str; 6] = ["r", "./d/../r", "absolute", "soft", "twice", "hard"];
/// The same of one that is not there yet.
const NEW_WAYS: [&str; 4] = ["r", "./d/../r", "absolute", "soft"];

const LINK: &str = "http://read.example/";
const OTHER: &str = "http://other.example/";

/// Arguments, and what standard input and output are.
#[derive(Default)]
struct Try {
    arguments: Vec<String>,
    input: Option<String>,
    output: Option<String>,
}

impl Try {
    fn with(&mut self, arguments: &[&str]) {
        self.arguments.extend(arguments.iter().map(|argument| (*argument).to_owned()));
    }

    fn writing(&mut self, by: &str, name: &str) {
        if !self.arguments.iter().any(|argument| argument == "--force") {
            self.with(&["--force"]);
        }
        match by {
            "standard output" => self.output = Some(name.to_owned()),
            "--histogram" => self.with(&["--histogram", &format!("host={name}")]),
            "--resume" => self.with(&["--resume", name]),
            by => self.with(&[by, name]),
        }
        // A state is that of an output.
        if self.arguments.iter().any(|argument| argument == "--resume")
            && !self.arguments.iter().any(|argument| argument == "--output")
            && self.output.is_none()
        {
            self.with(&["--output", "links.txt"]);
        }
    }

    fn reading(&mut self, by: &str) {
        match by {
            "named" => self.with(&["other", "r"]),
            "listed" => self.with(&["--files-from", "list"]),
            "piped" => {
                self.with(&["--files-from", "-"]);
                self.input = Some("piped".to_owned());
            }
            "manifest" => self.with(&["--manifest", "table"]),
            "walk" => self.with(&["."]),
            "walk by rules" => self.with(&["--no-hidden", "."]),
            "standard input" => {
                self.with(&["other", "-"]);
                self.input = Some("r".to_owned());
            }
            by => self.with(&["other", by, "r"]),
        }
    }

    fn run(&self, folder: &Path) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_linksift"));
        command.current_dir(folder).args(&self.arguments).stdout(Stdio::piped());
        if let Some(name) = &self.output {
            let options = File::options().append(true).create(true).open(folder.join(name));
            command.stdout(options.unwrap());
        }
        match self.input.as_deref() {
            None => command.stdin(Stdio::null()),
            // Through a pipe, as of `find`.
            Some("piped") => command.stdin(
                Command::new("printf")
                    .arg("other\\nr\\n")
                    .stdout(Stdio::piped())
                    .spawn()
                    .unwrap()
                    .stdout
                    .unwrap(),
            ),
            Some(name) => command.stdin(File::open(folder.join(name)).unwrap()),
        };
        command.stderr(Stdio::piped()).spawn().unwrap().wait_with_output().unwrap()
    }
}

/// A folder with a file to read, and another one; lists of both.
fn folder(has_file: bool) -> Folder {
    let folder = Folder::new();
    let path = folder.path();
    fs::create_dir(path.join("d")).unwrap();
    if has_file {
        folder.write("r", format!("{LINK}\n"));
        fs::hard_link(path.join("r"), path.join("hard")).unwrap();
    }
    folder.write("other", format!("{OTHER}\n"));
    folder.write("list", "other\nr\n");
    folder.write("table", "path\tbase\nother\t\nr\t\n");
    symlink("d/../r", path.join("soft")).unwrap();
    symlink("soft", path.join("twice")).unwrap();
    folder
}

/// All files of a folder with what is in them, links with where they lead.
fn look(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap());
    let look = |entry: fs::DirEntry| {
        let path = entry.path();
        let content = match fs::read_link(&path) {
            Ok(target) => target.to_str().unwrap().into(),
            Err(_) => fs::read(&path).unwrap_or_default(),
        };
        (entry.file_name().into_string().unwrap(), content)
    };
    entries.map(look).collect()
}

fn called(way: &str, folder: &Path) -> String {
    match way {
        "absolute" => folder.join("r").to_str().unwrap().to_owned(),
        way => way.to_owned(),
    }
}

/// Runs all of them, some at once; what is wrong.
fn all<T: Send + Sync>(tries: &[T], each: impl Fn(&T) -> Result<(), String> + Sync) {
    let wrong: Vec<_> = thread::scope(|scope| {
        let shares = tries.chunks(tries.len().div_ceil(4).max(1));
        let each = &each;
        let threads: Vec<_> = shares
            .map(|share| {
                scope.spawn(move || {
                    share.iter().filter_map(|one| each(one).err()).collect::<Vec<_>>()
                })
            })
            .collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), tries.len(), wrong.join("\n"));
}

fn ways() -> impl Iterator<Item = (bool, &'static str)> + Clone {
    WAYS.into_iter().map(|way| (true, way)).chain(NEW_WAYS.into_iter().map(|way| (false, way)))
}

#[test]
fn nothing_that_is_written_is_read() {
    let mut tries = Vec::new();
    for written in WRITTEN {
        for read in READ {
            tries.extend(ways().map(|(has_file, way)| (written, read, has_file, way)));
        }
    }
    all(&tries, |&(written, read, has_file, way)| {
        let (is_walk, is_piped) = (read.starts_with("walk"), read == "piped");
        // What is not there can be neither standard input nor output, nor a list.
        let is_stream = read == "standard input" || written == "standard output";
        if !has_file && (is_stream || read.starts_with("--")) {
            return Ok(());
        }
        let folder = folder(has_file);
        let path = folder.path();
        let mut one = Try::default();
        one.writing(written, &called(way, path));
        one.reading(read);
        let before = look(path);
        let output = one.run(path);
        let (after, said) = (look(path), stderr(&output));
        let what = format!("{written} {way} {read} {has_file}: {:?} {said}", output.status.code());
        if is_walk && has_file && written == "--resume" {
            let is_refused = said.contains("not a state file") && before.get("r") == after.get("r");
            return if is_refused { Ok(()) } else { Err(what) };
        }
        if is_walk {
            let mut found = output.stdout.clone();
            for (name, content) in &after {
                if !["r", "hard", "other"].contains(&name.as_str())
                    || before.get(name) != Some(content)
                {
                    found.extend_from_slice(content);
                }
            }
            let found = String::from_utf8(found).unwrap();
            let is_told = !has_file || said.contains("./r: notice: written by this run; skipped\n");
            let is_right = output.status.code() == Some(0) && found.contains("other.example");
            // What is appended to has its own link still.
            let is_read =
                found.matches(LINK).count() > usize::from(written == "standard output") * 2;
            return if is_right && is_told && !is_read {
                Ok(())
            } else {
                Err(format!("{what}\n{found}"))
            };
        }
        let told = [
            "is also the output\n",
            "is also written by",
            " and also written by ",
            "written by both ",
        ];
        // What is not there when its turn comes, or no state, is refused for that.
        let is_other = is_piped && (said.contains("r: no such file") || written == "--resume");
        if output.status.code() != Some(2)
            || !is_other && !told.iter().any(|told| said.contains(told))
        {
            return Err(what);
        }
        // Of a list that comes through a pipe only what would be overwritten is looked for before the run begins.
        let may_begin = is_piped && (!has_file || written == "standard output");
        match before == after
            || may_begin
                && after.get("r").is_none_or(|r| {
                    Some(r) == before.get("r") || !has_file || r.starts_with(LINK.as_bytes())
                }) {
            true => Ok(()),
            false => Err(format!("{what}\n{before:?}\n{after:?}")),
        }
    });
}

#[test]
fn nothing_is_written_by_two() {
    let mut tries = Vec::new();
    for (number, one) in WRITTEN.into_iter().enumerate() {
        // Two histograms are two files.
        for other in &WRITTEN[number + usize::from(one != "--histogram")..] {
            tries.extend(ways().map(|(has_file, way)| (one, *other, has_file, way)));
        }
    }
    all(&tries, |&(one, other, has_file, way)| {
        if one == "standard output" && (!has_file || ["--output", "--resume"].contains(&other)) {
            // With `--output` nothing is written there.
            return Ok(());
        }
        let folder = folder(has_file);
        let path = folder.path();
        let mut both = Try::default();
        both.writing(one, "r");
        both.writing(other, &called(way, path));
        both.with(&["other"]);
        let before = look(path);
        let output = both.run(path);
        let said = stderr(&output);
        let is_refused = output.status.code() == Some(2)
            && said.contains(": written by both ")
            && said.contains(" and ");
        match is_refused && look(path) == before {
            true => Ok(()),
            false => {
                Err(format!("{one} {other} {way} {has_file}: {:?} {said}", output.status.code()))
            }
        }
    });
}

/// What comes of a name is compared as what is named.
#[test]
fn what_is_beside_a_state_is_compared_too() {
    for name in ["s.lock", "s.new"] {
        for arguments in [
            format!("--resume s --output o {name}"),
            format!("--resume soft-s --output o {name}"),
            format!("--resume s --output {name} other"),
            format!("--resume s --output o --errors {name} other"),
            format!("--resume s --output o --known-hosts {name} other"),
        ] {
            let folder = folder(true);
            symlink("s", folder.path().join("soft-s")).unwrap();
            folder.write(name, LINK);
            let before = look(folder.path());
            let output = super::runs::run(folder.path(), &arguments);
            assert_eq!(output.status.code(), Some(2), "{arguments}: {}", stderr(&output));
            assert_eq!(before, look(folder.path()), "{arguments}");
        }
    }
}

#[test]
fn standard_output_is_for_one_output_alone() {
    let folder = folder(true);
    let run = |arguments: &str| super::runs::run(folder.path(), arguments);
    let all = ["--errors -", "--failed -", "--summary -", "--report -", "--histogram host=-"];
    for (number, one) in all.iter().enumerate() {
        for other in &all[number + 1..] {
            let output = run(&format!("--output o {one} {other} other"));
            assert_eq!(output.status.code(), Some(2), "{one} {other}");
            assert!(stderr(&output).contains("-: standard output "));
        }
        for links in ["", "--output - ", "--json ", "-c "] {
            let output = run(&format!("{links}{one} other"));
            assert_eq!(
                (output.status.code(), &*output.stdout),
                (Some(2), &b""[..]),
                "{links}{one}"
            );
            assert!(stderr(&output).contains("already receives the links"));
        }
        // One alone is written there; nothing is called `-`.
        let output = run(&format!("--force --output o {one} other no-such-file"));
        assert_eq!(output.status.code(), Some(2), "{one}");
        assert!(!output.stdout.is_empty(), "{one}: {}", stderr(&output));
        assert!(!folder.path().join("-").exists());
    }
    let output = run("-q --summary - other");
    assert!(output.stdout.starts_with(b"{\n  \"inputs\": "), "{}", stderr(&output));
}

#[test]
fn what_is_no_regular_file_is_never_compared() {
    let folder = folder(true);
    let shell = |script: &str| {
        let script = script.replace("linksift", env!("CARGO_BIN_EXE_linksift"));
        Command::new("sh").args(["-c", &script]).current_dir(folder.path()).output().unwrap()
    };
    for script in [
        "linksift --output /dev/null /dev/null other",
        "linksift --errors /dev/null --failed /dev/null --summary /dev/null --output /dev/null other",
        "cat other | linksift --output /dev/stdout - | cat",
        "linksift --output /dev/stdout --errors /dev/stderr other | cat",
    ] {
        let output = shell(script);
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()), "{script}");
    }
    let output = shell("linksift other < other");
    assert_eq!(output.stdout, format!("{OTHER}\n").into_bytes());
    for command in [
        "linksift - < r >> r",
        "linksift < r >> r",
        "linksift map < r >> r",
        "linksift linkify < r >> r",
        "linksift charset - < r >> r",
        "linksift linkify r >> hard",
        "linksift charset r >> soft",
        "linksift < r 1<> r",
    ] {
        let output = shell(command);
        assert_eq!(output.status.code(), Some(2), "{command}");
        assert!(
            stderr(&output).ends_with(": input file is also the output\n"),
            "{command}: {}",
            stderr(&output)
        );
        assert_eq!(fs::read(folder.path().join("r")).unwrap(), format!("{LINK}\n").into_bytes());
    }
    let output = shell("linksift charset . > out && cat out");
    assert_eq!(stderr(&output), "linksift: ./out: notice: written by this run; skipped\n");
}
