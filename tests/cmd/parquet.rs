//! Links as a file of Parquet, in builds that have it.

use super::Folder;
use super::runs::{inputs, run, stderr};

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_parquet_says_where_one_with_it_comes_from() {
    let folder = Folder::new();
    inputs(&folder, 3);
    let output = run(folder.path(), "--output o.parquet in");
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(
        stderr(&output),
        "linksift: --output o.parquet: this build does not support Parquet; install with `cargo install --locked --path cli --features parquet`\n"
    );
    assert!(!folder.path().join("o.parquet").exists());
}

#[cfg(feature = "parquet")]
mod with_it {
    use std::fs::{self, File};
    use std::path::Path;

    use parquet::file::reader::SerializedFileReader;
    use parquet::record::Field;
    use serde_json::Value;

    use super::super::resume::{Random, killed};
    use super::*;

    /// The rows, each as JSON would have it.
    fn rows(file: &Path) -> Vec<Value> {
        let reader = SerializedFileReader::new(File::open(file).unwrap()).unwrap();
        let object = |row: parquet::record::Row| {
            let value = |(name, field): (&String, &Field)| {
                let value = match field {
                    Field::Null if name == "warnings" => Value::Array(Vec::new()),
                    Field::Null => Value::Null,
                    Field::Long(number) => Value::from(*number),
                    Field::Str(text) if name == "warnings" => text.split_whitespace().collect(),
                    Field::Str(text) => Value::from(&**text),
                    other => panic!("{name}: {other}"),
                };
                (name.clone(), value)
            };
            Value::Object(row.get_column_iter().map(value).collect())
        };
        reader.into_iter().map(|row| object(row.unwrap())).collect()
    }

    #[test]
    fn its_rows_are_the_lines_of_json() {
        let folder = Folder::new();
        inputs(&folder, 60);
        folder.write("in/warned.txt", "ftp://me@example.com/100% http://300.1.1.1/ example.org/ж");
        let path = folder.path();
        let all =
            ["", "--rejected", "--fields uri,line,member", "--sort uri --unique", "--max-count 3"];
        for options in all {
            let json = run(path, format!("--json {options} in").replace("  ", " ").trim());
            let lines = String::from_utf8(json.stdout).unwrap();
            let lines: Vec<Value> =
                lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
            assert!(lines.len() > 100, "{options}");
            for threads in ["-j1", "-j3"] {
                let arguments =
                    format!("{threads} {options} --output o.parquet --force in").replace("  ", " ");
                let output = run(path, &arguments);
                assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
                let rows = rows(&path.join("o.parquet"));
                let other = rows.iter().zip(&lines).find(|(row, line)| row != line);
                assert!(rows.len() == lines.len() && other.is_none(), "{arguments}: {other:?}");
            }
        }
        // Without a link too it is a file of Parquet.
        folder.write("a.txt", "nothing");
        let output = run(path, "--output o.parquet --force a.txt");
        assert_eq!((output.status.code(), stderr(&output)), (Some(1), String::new()));
        assert!(rows(&path.join("o.parquet")).is_empty());
    }

    #[test]
    fn what_it_cannot_be_is_said_and_nothing_is_written() {
        let folder = Folder::new();
        inputs(&folder, 3);
        let refused = [
            (
                "--output o.parquet.gz in",
                "--output o.parquet.gz: Parquet is compressed already; use the extension .parquet",
            ),
            (
                "--output o.parquet.zst in",
                "--output o.parquet.zst: Parquet is compressed already; use the extension .parquet",
            ),
            (
                "--json --output o.parquet in",
                "--output o.parquet: the extension contradicts the options",
            ),
            (
                "--csv --output o.parquet in",
                "--output o.parquet: the extension contradicts the options",
            ),
            (
                "--count --output o.parquet in",
                "--output o.parquet: the extension contradicts the options",
            ),
        ];
        for (arguments, message) in refused {
            let output = run(folder.path(), arguments);
            assert_eq!(output.status.code(), Some(2), "{arguments}");
            let said = stderr(&output);
            assert!(said.starts_with(&format!("linksift: {message}")), "{arguments}: {said}");
        }
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn killed_runs_that_are_gone_on_with_write_the_same_file() {
        let folder = Folder::new();
        inputs(&folder, 120);
        let (mut random, mut kills) = (Random::new(), 0);
        for options in ["-j2", "-j1 --fields uri,host"] {
            killed("o.parquet", options, &mut kills, &mut random, folder.path());
        }
        assert!(!rows(&folder.path().join("cut-o.parquet")).is_empty());
        // What comes after the others is read, and the file is as if it had been there before.
        let path = folder.path();
        run(path, "--output added.parquet --resume state in");
        folder.write("in/z.txt", "http://last.example/");
        for arguments in ["--output added.parquet --resume state in", "--output once.parquet in"] {
            assert_eq!(run(path, arguments).status.code(), Some(2));
        }
        let read = |name: &str| fs::read(path.join(name)).unwrap();
        assert!(read("added.parquet") == read("once.parquet"));
    }

    #[cfg(unix)]
    #[test]
    fn a_full_disk_leaves_a_file_that_can_be_gone_on_with() {
        let folder = Folder::new();
        inputs(&folder, 60);
        let path = folder.path();
        run(path, "--output whole.parquet in");
        // Rows that no group is full of yet are in the state, if it is written as often as may be.
        for (options, first) in [("", "o.parquet"), ("-j1 --checkpoint 0", "state")] {
            let script = format!(
                "trap '' XFSZ; ulimit -f 8; exec \"$0\" {options} --resume state --output o.parquet in"
            );
            let mut command = std::process::Command::new("sh");
            command.args(["-c", &script, env!("CARGO_BIN_EXE_linksift")]);
            let output = command.current_dir(path).output().unwrap();
            let said = stderr(&output);
            let end = format!(
                "{first}: file too large; to resume, run the same command with --resume state\n"
            );
            assert!(said.ends_with(&end), "{said}");
            run(path, "--checkpoint 0 --resume state --output o.parquet in");
            assert!(
                fs::read(path.join("o.parquet")).unwrap()
                    == fs::read(path.join("whole.parquet")).unwrap()
            );
            fs::remove_file(path.join("o.parquet")).unwrap();
            fs::remove_file(path.join("state")).unwrap();
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_full_disk_leaves_no_half_a_file() {
        let folder = Folder::new();
        inputs(&folder, 60);
        folder.write("o.parquet", "what is there");
        let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" --output o.parquet --force in";
        let mut command = std::process::Command::new("sh");
        command.args(["-c", script, env!("CARGO_BIN_EXE_linksift")]);
        let output = command.current_dir(folder.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        let said = stderr(&output);
        assert!(said.ends_with("linksift: o.parquet: file too large\n"), "{said}");
        assert_eq!(fs::read(folder.path().join("o.parquet")).unwrap(), b"what is there");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 2, "nothing is left beside it");
    }
}
