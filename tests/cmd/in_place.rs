//! How files are written: a new file where it is, a file with content only on request, with what was there until the
//! end.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::Folder;
use super::runs::{linksift, run, stderr, unpacked};

/// Makes a named pipe.
pub(super) fn fifo(folder: &Folder, name: &str) {
    let made = Command::new("mkfifo").arg(folder.path().join(name)).status().unwrap();
    assert!(made.success(), "mkfifo {name}: {made}");
}

#[test]
fn what_is_there_stays_until_the_run_ends() {
    let folder = Folder::new();
    let path = folder.path();
    fifo(&folder, "fifo");
    for name in ["o", "o.csv", "o.jsonl.gz"] {
        folder.write(name, "what is there");
        let read = || fs::read(path.join(name)).unwrap();
        let inode = fs::metadata(path.join(name)).unwrap().ino();
        let mut child = linksift(path, &format!("--force --output {name} --errors e{name} fifo"))
            .spawn()
            .unwrap();
        let mut input = File::options().write(true).open(path.join("fifo")).unwrap();
        input.write_all(b"nothing yet ").unwrap();
        std::thread::sleep(Duration::from_millis(50));
        assert_eq!(read(), b"what is there", "{name}");
        input.write_all(b"http://e.com/ and more").unwrap();
        std::thread::sleep(Duration::from_millis(300));
        assert_eq!(read(), b"what is there", "{name}");
        drop(input);
        assert_eq!(child.wait().unwrap().code(), Some(0));
        assert!(!read().starts_with(b"what") && !read().is_empty(), "{name}");
        // Another file has taken its place, so that a program that has it open sees the old content.
        assert_ne!(fs::metadata(path.join(name)).unwrap().ino(), inode);
    }
    // Without a link nothing is left either, and it is a file of its format.
    folder.write("a.txt", "nothing");
    for (name, content) in
        [("o", &b""[..]), ("o.csv", b"path,"), ("o.csv.zst", b"path,"), ("o.jsonl.gz", b"")]
    {
        folder.write(name, "what is there, and longer than all that is written".repeat(100));
        folder.write("e", "old\n");
        let output = run(path, &format!("--force --output {name} --errors e --failed f a.txt"));
        assert_eq!((output.status.code(), stderr(&output)), (Some(1), String::new()), "{name}");
        let written = unpacked(&path.join(name));
        assert!(written.starts_with(content) && written.len() < 400, "{name}");
        assert!(fs::read(path.join("e")).unwrap().is_empty());
    }
    // What ends a run before it has begun leaves all as it was.
    folder.write("o", "what is there");
    for arguments in [
        "--force --output o --summary no/such a.txt",
        "--force --output o --known-hosts none a.txt",
        "--force --output o --files-from none",
    ] {
        assert_eq!(run(path, arguments).status.code(), Some(2), "{arguments}");
        assert_eq!(fs::read(path.join("o")).unwrap(), b"what is there", "{arguments}");
    }
    // So does a run that can read none of its inputs; one of them is enough.
    for name in ["o", "o.jsonl.gz", "o.csv"] {
        folder.write(name, "what is there");
        let output = run(path, &format!("--force --output {name} --failed f none neither"));
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert_eq!(fs::read(path.join(name)).unwrap(), b"what is there", "{name}");
        assert_eq!(fs::read_to_string(path.join("f")).unwrap().lines().count(), 2, "{name}");
        let output = run(path, &format!("--force --output {name} --failed f none a.txt"));
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert_ne!(fs::read(path.join(name)).unwrap(), b"what is there", "{name}");
    }
    let names = fs::read_dir(path).unwrap().map(|entry| entry.unwrap().file_name());
    assert!(!names.into_iter().any(|name| name.to_string_lossy().ends_with(".part")));
}

#[test]
fn links_pipes_and_devices_are_written_as_they_are() {
    let folder = Folder::new();
    let path = folder.path();
    folder.write("a.txt", "http://e.com/a no.such http://e.com/b");
    folder.write("d/target", "old");
    symlink("d/target", path.join("link")).unwrap();
    symlink("d/new", path.join("dangling")).unwrap();
    for (name, target) in [("link", "d/target"), ("dangling", "d/new")] {
        for (option, begin) in [
            ("--output ", "http:"),
            ("-q --summary ", "{"),
            ("-q --report ", "<!DOC"),
            ("-q --histogram host=", "2\te"),
        ] {
            let output = run(path, &format!("--force {option}{name} a.txt"));
            assert_eq!(output.status.code(), Some(0), "{option}{name}: {}", stderr(&output));
            assert!(fs::read_link(path.join(name)).is_ok(), "{option}{name}");
            // A run that is quiet ends at the first link.
            let text = fs::read_to_string(path.join(target)).unwrap();
            assert!(text.starts_with(&begin.replace('2', "1")), "{option}{name}: {text}");
        }
    }
    fifo(&folder, "fifo");
    for option in ["--output ", "-q --summary ", "-q --errors "] {
        // A quiet run ends at the first link: what fails is before it.
        let mut child = linksift(path, &format!("{option}fifo none a.txt"))
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut text = String::new();
        File::open(path.join("fifo")).unwrap().read_to_string(&mut text).unwrap();
        assert!(child.wait().is_ok() && !text.is_empty(), "{option}");
    }
    let output = run(path, "--output /dev/stdout a.txt");
    assert_eq!(output.stdout, b"http://e.com/a\nhttp://e.com/b\n");
    let out = path.join("out");
    let status = linksift(path, "-q --summary /dev/stdout a.txt")
        .stdout(File::create(&out).unwrap())
        .status();
    assert_eq!(status.unwrap().code(), Some(0));
    assert!(fs::read(&out).unwrap().starts_with(b"{\n"));
}

#[test]
fn what_is_replaced_when_it_is_whole_keeps_its_mode() {
    let folder = Folder::new();
    let path = folder.path();
    folder.write("a.txt", "http://e.com/a");
    for mode in [0o600, 0o640, 0o664] {
        for option in ["--summary ", "--report ", "--histogram host="] {
            let file = folder.write("f", "old");
            fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
            let output = run(path, &format!("--force {option}f a.txt"));
            assert_eq!(output.status.code(), Some(0), "{option}: {}", stderr(&output));
            assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, mode, "{option}");
            assert_ne!(fs::read(&file).unwrap(), b"old");
            fs::remove_file(&file).unwrap();
        }
    }
    // Nothing is left beside it, nor of what cannot be written.
    assert_eq!(fs::read_dir(path).unwrap().count(), 1);
    fs::create_dir(path.join("d")).unwrap();
    for name in ["d", "no/such", "a.txt/x"] {
        for option in ["--summary ", "--report ", "--histogram host=", "--errors ", "--output "] {
            let output = run(path, &format!("{option}{name} a.txt"));
            assert_eq!(output.status.code(), Some(2), "{option}{name}");
            // It is said before anything is read.
            assert!(output.stdout.is_empty(), "{option}{name}");
            assert!(
                stderr(&output).starts_with(&format!("linksift: {name}: ")),
                "{}",
                stderr(&output)
            );
        }
    }
    assert_eq!(fs::read_dir(path).unwrap().count(), 2);
}

/// `tail -f`, and whoever has the file open, sees what comes.
#[test]
fn an_output_grows_where_it_is() {
    let folder = Folder::new();
    let path = folder.path();
    fifo(&folder, "fifo");
    let mut watched = File::open(folder.write("o", "")).unwrap();
    let mut child = linksift(path, "--output o fifo").spawn().unwrap();
    let mut input = File::options().write(true).open(path.join("fifo")).unwrap();
    for number in 0..3 {
        writeln!(input, "see http://e.com/{number} for more").unwrap();
        let (begun, mut seen) = (Instant::now(), String::new());
        while !seen.ends_with('\n') && begun.elapsed() < Duration::from_secs(20) {
            watched.read_to_string(&mut seen).unwrap();
        }
        assert_eq!(seen, format!("http://e.com/{number}\n"));
    }
    drop(input);
    assert!(child.wait().unwrap().success());
}

/// Who knows grep may mean by `--output FILE` what is read.
#[test]
fn an_output_without_inputs_on_a_terminal_is_refused() {
    let folder = Folder::new();
    folder.write("notes.txt", "http://e.com/");
    let typed = format!("{} --output notes.txt", env!("CARGO_BIN_EXE_linksift"));
    let mut command = Command::new("script");
    command.args(["-qec", &typed, "/dev/null"]).current_dir(folder.path()).stdin(Stdio::null());
    match command.output() {
        Ok(output) if !output.stdout.is_empty() => {
            let said = String::from_utf8_lossy(&output.stdout).into_owned();
            assert!(
                said.contains(
                    "linksift: --output notes.txt: no inputs given; --output is the output file"
                ),
                "{said}"
            );
            assert_eq!(output.status.code(), Some(2));
        }
        _ => return eprintln!("skipped: no script"),
    }
    assert_eq!(fs::read(folder.path().join("notes.txt")).unwrap(), b"http://e.com/");
    // Where it is no terminal, nobody can be asked.
    let mut child = linksift(folder.path(), "--output o").stdin(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(b"http://e.com/").unwrap();
    assert!(child.wait().unwrap().success());
}

/// All options that write a file, and all kinds of names: no run that is refused or fails changes what is there.
#[test]
fn nothing_that_exists_is_changed_unless_it_is_asked_for() {
    let options =
        ["--output ", "--errors ", "--failed ", "--summary ", "--report ", "--histogram host="];
    let folder = Folder::new();
    let path = folder.path();
    folder.write("a.txt", "http://e.com/a");
    folder.write("old", "old");
    fs::create_dir(path.join("d")).unwrap();
    symlink("old", path.join("link")).unwrap();
    fs::hard_link(path.join("old"), path.join("hard")).unwrap();
    let look = || {
        let mut names: Vec<_> = fs::read_dir(path).unwrap().map(|e| e.unwrap().path()).collect();
        names.sort();
        names
            .into_iter()
            .map(|name| (fs::read(&name).unwrap_or_default(), name))
            .collect::<Vec<_>>()
    };
    let before = look();
    for option in options {
        for (name, why) in [
            ("old", "file exists and is not empty"),
            ("link", "file exists and is not empty"),
            ("hard", "file exists and is not empty"),
            ("a.txt", "a.txt: input file is also "),
            ("d", "d: is a directory"),
            ("no/such", "no/such: no such file or directory"),
            ("json", "is a value or the name of another option"),
            ("text", "is a value or the name of another option"),
            ("count", "is a value or the name of another option"),
        ] {
            for force in ["", "--force "] {
                let is_replaced = !force.is_empty() && why.starts_with("file exists");
                let output = run(path, &format!("{force}{option}{name} a.txt"));
                if is_replaced {
                    assert_eq!(
                        output.status.code(),
                        Some(0),
                        "{option}{name}: {}",
                        stderr(&output)
                    );
                    assert_ne!(fs::read(path.join(name)).unwrap(), b"old", "{option}{name}");
                    assert_eq!(fs::read_link(path.join(name)).is_ok(), name == "link");
                    for file in ["old", "hard"] {
                        fs::remove_file(path.join(file)).unwrap();
                    }
                    folder.write("old", "old");
                    fs::hard_link(path.join("old"), path.join("hard")).unwrap();
                } else {
                    assert_eq!(output.status.code(), Some(2), "{force}{option}{name}");
                    assert!(
                        stderr(&output).contains(why),
                        "{force}{option}{name}: {}",
                        stderr(&output)
                    );
                    assert!(output.stdout.is_empty());
                }
                assert!(look() == before, "{force}{option}{name}");
            }
        }
        // A file that is empty holds nothing that could be lost.
        folder.write("empty", "");
        assert_eq!(run(path, &format!("{option}empty a.txt")).status.code(), Some(0), "{option}");
        fs::remove_file(path.join("empty")).unwrap();
    }
    for name in ["old", "old.new", "old.lock"] {
        folder.write(name, "not a state");
        let output = run(path, &format!("--resume {} --output o a.txt", &name[..3]));
        assert_eq!(output.status.code(), Some(2), "{name}: {}", stderr(&output));
        assert_eq!(fs::read(path.join(name)).unwrap(), b"not a state", "{name}");
        assert!(!path.join("o").exists());
        if name != "old" {
            fs::remove_file(path.join(name)).unwrap();
        }
    }
}

/// In grep and rg `-o` prints only what matches: whoever types it must not lose a file.
#[test]
fn the_option_of_grep_writes_no_file() {
    let folder = Folder::new();
    let path = folder.path();
    folder.write("a.txt", "old");
    folder.write("b.txt", "http://e.com/");
    for arguments in ["-o a.txt b.txt", "-oa.txt b.txt", "-oh b.txt", "-Io b.txt", "-o"] {
        let output = run(path, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        let said = stderr(&output);
        assert!(
            said.ends_with(
                "linksift always prints only the links; --output FILE writes them to a file\n"
            ),
            "{arguments}: {said}"
        );
    }
    assert_eq!(fs::read(path.join("a.txt")).unwrap(), b"old");
    assert_eq!(fs::read_dir(path).unwrap().count(), 2);
}

#[test]
fn the_extension_of_a_form_that_is_not_written_is_refused() {
    let folder = Folder::new();
    let path = folder.path();
    folder.write("a.txt", "http://e.com/");
    for name in ["o.tsv", "o.XLSX", "o.html", "o.tsv.gz", "o.md"] {
        for form in ["", "--json ", "--csv "] {
            let output = run(path, &format!("{form}--output {name} a.txt"));
            assert_eq!(output.status.code(), Some(2), "{form}{name}");
            assert!(stderr(&output).contains("linksift does not write ."), "{}", stderr(&output));
            assert!(!path.join(name).exists());
        }
    }
    // Who chooses the lines may know that they are of such a form.
    for (name, form) in [("o.tsv", "--tally"), ("o.html", "--template {uri}"), ("o.log", "")] {
        let output = run(path, format!("--output {name} a.txt {form}").trim());
        assert_eq!(output.status.code(), Some(0), "{name}: {}", stderr(&output));
    }
}

/// A run that is killed before it has kept a state, and a resumable run that finds files of another one.
#[test]
fn a_run_that_can_be_resumed_changes_no_other_file() {
    let folder = Folder::new();
    let path = folder.path();
    folder.write("a.txt", "http://e.com/");
    for name in ["o", "e", "o.part"] {
        folder.write(name, "old");
        let arguments = match name {
            "e" => "--resume s --output n --errors e a.txt".to_owned(),
            name => format!("--resume s --output {name} a.txt"),
        };
        for force in ["", "--force "] {
            let output = run(path, &format!("{force}{arguments}"));
            assert_eq!(output.status.code(), Some(2), "{force}{arguments}");
            assert_eq!(fs::read(path.join(name)).unwrap(), b"old");
        }
    }
    fifo(&folder, "fifo");
    fs::remove_file(path.join("o")).unwrap();
    let arguments = "--resume s --output o fifo";
    let mut child = linksift(path, arguments).spawn().unwrap();
    let mut input = File::options().write(true).open(path.join("fifo")).unwrap();
    input.write_all(b"http://e.com/1 ").unwrap();
    let begun = Instant::now();
    while fs::read(path.join("o")).unwrap_or_default().is_empty() {
        assert!(begun.elapsed() < Duration::from_secs(20));
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    drop(input);
    // The same command goes on from the start.
    let mut child = linksift(path, arguments).stderr(Stdio::null()).spawn().unwrap();
    let mut input = File::options().write(true).open(path.join("fifo")).unwrap();
    input.write_all(b"http://e.com/1 http://e.com/2").unwrap();
    drop(input);
    assert_eq!(child.wait().unwrap().code(), Some(0));
    assert_eq!(fs::read(path.join("o")).unwrap(), b"http://e.com/1\nhttp://e.com/2\n");
}
