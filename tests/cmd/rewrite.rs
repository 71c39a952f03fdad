//! Rewriting files: what is written where, and what stays.

use std::fs::{self, File};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::process::Stdio;

use super::Folder;
use super::in_place::fifo;
use super::runs::{linksift, run, stderr};

const TEXT: &str = "see http://old.example.com/a\nmore";
const NEW: &str = "see http://new.example.com/a\nmore";
const HOST: &str = "--host old.example.com=new.example.com";

#[test]
fn files_change_only_on_request_and_keep_their_mode() {
    let folder = Folder::new();
    let path = folder.path();
    for mode in [0o600, 0o644, 0o755] {
        let file = folder.write("d/a.txt", TEXT);
        fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
        let output = run(path, &format!("rewrite {HOST} d"));
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
        assert_eq!(fs::read_to_string(&file).unwrap(), TEXT);
        let output = run(path, &format!("rewrite --write {HOST} d"));
        assert_eq!((output.status.code(), &*output.stdout), (Some(0), &b"d/a.txt\n"[..]));
        assert_eq!(fs::read_to_string(&file).unwrap(), NEW);
        assert_eq!(fs::metadata(&file).unwrap().mode() & 0o777, mode);
        // The new file beside it is gone.
        assert_eq!(fs::read_dir(path.join("d")).unwrap().count(), 1);
        assert_eq!(run(path, &format!("rewrite --write {HOST} d")).status.code(), Some(1));
    }
}

#[test]
fn what_is_not_a_regular_file_stays() {
    let folder = Folder::new();
    let path = folder.path();
    let file = folder.write("a.txt", TEXT);
    symlink("a.txt", path.join("link")).unwrap();
    symlink("none", path.join("dangling")).unwrap();
    fifo(&folder, "fifo");
    for (name, why) in [
        ("link", "cannot rewrite a symbolic link; name the file it leads to"),
        ("dangling", "no such file or directory"),
        ("/dev/null", "cannot rewrite: not a regular file"),
        ("fifo", "cannot rewrite: not a regular file"),
        ("none", "no such file or directory"),
    ] {
        let output = run(path, &format!("rewrite --write {HOST} {name}"));
        let said = format!("linksift: {name}: {why}\n");
        assert_eq!((output.status.code(), stderr(&output)), (Some(2), said));
        assert_eq!(fs::read_to_string(&file).unwrap(), TEXT);
    }
    // In a directory the others are rewritten all the same, and a pipe is not waited for.
    let output = run(path, &format!("rewrite --write {HOST} ."));
    assert_eq!(fs::read_to_string(&file).unwrap(), NEW, "{}", stderr(&output));
    assert!(fs::read_link(path.join("link")).is_ok());
    let dangling = "./dangling: notice: a symbolic link that leads to no file; skipped";
    assert!(stderr(&output).contains(dangling), "{}", stderr(&output));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn a_file_is_rewritten_once_by_whatever_names() {
    let folder = Folder::new();
    let path = folder.path();
    folder.write("d/a.txt", TEXT);
    symlink("a.txt", path.join("d/link")).unwrap();
    let once = run(path, &format!("rewrite {HOST} d/a.txt")).stdout;
    assert!(!once.is_empty());
    let output = run(path, &format!("rewrite {HOST} d/link d/a.txt d/a.txt ./d/a.txt"));
    assert_eq!(output.stdout, once);
    symlink("d", path.join("l")).unwrap();
    let output = run(path, &format!("rewrite -L {HOST} ."));
    assert_eq!(String::from_utf8_lossy(&output.stdout).matches("@@ ").count(), 1);
    let output = run(path, &format!("rewrite --write {HOST} d/a.txt d/../d"));
    assert_eq!(&*output.stdout, b"d/a.txt\n", "{}", stderr(&output));
}

#[test]
fn each_address_of_a_list_is_renamed() {
    let folder = Folder::new();
    let page = "<a href='mailto:a@old.com,b@x.com,%20c@old.com?cc=d@old.com&amp;subject=e@old.com'>f</a> <a href='mailto:a@x.com?bcc=b@old.com'>g</a>";
    let file = folder.write("a.html", page);
    let host = "--emails --host old.com=new.org";
    let output = run(folder.path(), &format!("rewrite --write {host} a.html"));
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    let wanted = "<a href='mailto:a@new.org,b@x.com,%20c@new.org?cc=d@new.org&amp;subject=e@old.com'>f</a> <a href='mailto:a@x.com?bcc=b@new.org'>g</a>";
    assert_eq!(fs::read_to_string(&file).unwrap(), wanted);
}

/// A `#` of a character reference begins no fragment.
#[test]
fn whole_uris_are_replaced_with_their_references() {
    let folder = Folder::new();
    let map =
        "http://b\u{fc}cher.example/a\thttps://new.org/b\nhttp://e.com/x&b\thttps://new.org/c\n";
    folder.write("map.tsv", map);
    for (name, text, wanted) in [
        ("a.po", "msgid \"http://b&#252;cher.example/a\"\n", "msgid \"https://new.org/b\"\n"),
        ("a.json", "[\"http://e.com/x&#38;b#c\"]\n", "[\"https://new.org/c#c\"]\n"),
        ("a.csv", "k,http://e.com/x&#38;b\n", "k,https://new.org/c\n"),
        ("a.html", "<a href='http://e.com/x&#38;b'>a</a>\n", "<a href='https://new.org/c'>a</a>\n"),
        ("a.txt", "see http://e.com/x&#38;b#c now\n", "see https://new.org/c#c now\n"),
    ] {
        let file = folder.write(name, text);
        let output = run(folder.path(), &format!("rewrite --write --map map.tsv {name}"));
        assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()), "{name}");
        assert_eq!(fs::read_to_string(&file).unwrap(), wanted);
    }
}

#[test]
fn addresses_in_brackets_are_hosts() {
    let folder = Folder::new();
    let file =
        folder.write("a.html", "<a href='http://[2001:DB8::1]:80/a'> <a href='http://old.org/'>");
    let hosts = "--host [2001:db8::1]=new.org --host old.org=[::1]";
    let output = run(folder.path(), &format!("rewrite --write {hosts} a.html"));
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    let wanted = "<a href='http://new.org:80/a'> <a href='http://[::1]/'>";
    assert_eq!(fs::read_to_string(&file).unwrap(), wanted);
    let output = run(folder.path(), "rewrite --host [1]=new.org a.html");
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn what_cannot_be_written_stays_and_is_told() {
    let folder = Folder::new();
    let path = folder.path();
    let file = folder.write("a.txt", TEXT);
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
    // A privileged user may write all files.
    if File::options().append(true).open(&file).is_err() {
        let output = run(path, &format!("rewrite --write {HOST} a.txt"));
        let said = "linksift: a.txt: permission denied\n".to_owned();
        assert_eq!((output.status.code(), stderr(&output)), (Some(2), said));
        assert_eq!(fs::read_to_string(&file).unwrap(), TEXT);
    }
    // Standard output is full: nothing is lost, and the error is told.
    let full = File::options().write(true).open("/dev/full").unwrap();
    let output =
        linksift(path, &format!("rewrite {HOST} a.txt")).stdout(Stdio::from(full)).output();
    let output = output.unwrap();
    let said = "linksift: standard output: no space left on device\n".to_owned();
    assert_eq!((output.status.code(), stderr(&output)), (Some(2), said));
    // The output is not an input.
    let to_input = File::options().append(true).open(folder.write("b.txt", TEXT)).unwrap();
    let output =
        linksift(path, &format!("rewrite {HOST} b.txt")).stdout(to_input).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(fs::read_to_string(path.join("b.txt")).unwrap(), TEXT);
}

/// `patch` is what users apply differences with; the one of a file in UTF-16 is shown as UTF-8.
#[test]
fn differences_are_those_of_the_files() {
    let folder = Folder::new();
    let path = folder.path();
    let lines: Vec<_> =
        (0..40).map(|n| if n % 13 == 5 { TEXT.to_owned() } else { format!("\t{n}\r") }).collect();
    let text = lines.join("\n");
    let file = folder.write("a.txt", &text);
    let diff = run(path, &format!("rewrite {HOST} a.txt")).stdout;
    let patched = similar::TextDiff::from_lines(&text, text.replace("old.example", "new.example"))
        .unified_diff()
        .context_radius(3)
        .header("a.txt", "a.txt")
        .to_string();
    assert_eq!(String::from_utf8(diff).unwrap(), patched);
    fs::copy(&file, path.join("a b.txt")).unwrap();
    let output = linksift(path, "rewrite").args(HOST.split(' ')).arg("a b.txt").output().unwrap();
    let spaced = patched.replace(" a.txt\n", " a b.txt\t\n");
    assert_eq!(String::from_utf8(output.stdout).unwrap(), spaced);
    // Other systems have no such names.
    if cfg!(unix) {
        let name = "a\tb\\\"\u{E9}.txt";
        fs::copy(&file, path.join(name)).unwrap();
        let output = linksift(path, "rewrite").args(HOST.split(' ')).arg(name).output().unwrap();
        let quoted = patched.replace(" a.txt\n", " \"a\\tb\\\\\\\"\\303\\251.txt\"\n");
        assert_eq!(String::from_utf8(output.stdout).unwrap(), quoted);
    }
    let wide = |text: &str| -> Vec<u8> {
        format!("\u{FEFF}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect()
    };
    fs::write(&file, wide(TEXT)).unwrap();
    let diff = run(path, &format!("rewrite {HOST} a.txt")).stdout;
    let diff = String::from_utf8(diff).unwrap();
    assert!(
        diff.contains("-\u{FEFF}see http://old.example.com/a\n+\u{FEFF}see http://new"),
        "{diff}"
    );
    run(path, &format!("rewrite --write {HOST} a.txt"));
    assert_eq!(fs::read(&file).unwrap(), wide(NEW));
}
