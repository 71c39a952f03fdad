//! Archives on standard input that must be kept, where there is no room for them.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use crate::made::folder::{Folder, T};
use crate::made::zips::{stored, zip};

/// What a command comes to that is given these bytes on standard input; it need not read them all.
pub(crate) fn fed(command: &mut Command, bytes: Vec<u8>) -> Output {
    let piped = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writer = std::thread::spawn(move || drop(stdin.write_all(&bytes)));
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    output
}

#[test]
fn without_room_to_keep_it_a_zip_fails_and_the_rest_is_read() {
    let folder = Folder::new();
    let beside = folder.write("z.txt", T);
    let big = zip(&[stored(b"x.bin", &vec![1; 17 << 20])]);
    let mut command = Command::new(env!("CARGO_BIN_EXE_linksift"));
    command.arg("-").arg(&beside).env("TMPDIR", folder.0.join("nowhere"));
    let output = fed(&mut command, big);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8(output.stdout).unwrap().lines().count(), 2);
    assert!(!output.stderr.is_empty());
}

/// A zip from standard input where there is no room to keep it: the system's limit for files stands for the disk.
#[test]
fn a_temporary_folder_that_is_full() {
    let folder = Folder::new();
    let beside = folder.write("z.txt", T);
    let noise: Vec<u8> = (0..17_u32 << 18)
        .flat_map(|n| n.wrapping_mul(0x9E37_79B9).rotate_left(n % 31).to_le_bytes())
        .collect();
    let big = zip(&[stored(b"x.bin", &noise)]);
    let script = "trap '' XFSZ; ulimit -f 64; exec \"$0\" - \"$1\"";
    let mut command = Command::new("sh");
    command
        .args(["-c", script, env!("CARGO_BIN_EXE_linksift")])
        .arg(&beside)
        .env("TMPDIR", &folder.0);
    let output = fed(&mut command, big);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 2, "{said}");
    assert!(said.starts_with("linksift: -: ") && said.contains("too large"), "{said}");
    // Nothing of it is left there.
    assert_eq!(std::fs::read_dir(&folder.0).unwrap().count(), 1);
}
