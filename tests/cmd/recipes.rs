//! The recipes of `docs/output.md`, run as they are written there where the tool is installed.

use std::path::Path;
use std::process::{Command, Stdio};
use std::{env, fs};

use super::Folder;

/// A block of the page: its language, what is in it, and the heading above it.
struct Block {
    tool: String,
    language: String,
    text: String,
}

fn blocks() -> Vec<Block> {
    let page = crate::root().join("docs/output.md");
    let (mut blocks, mut tool) = (Vec::<Block>::new(), String::new());
    let mut is_inside = false;
    let page = fs::read_to_string(page).unwrap();
    for line in page.split("## Recipes").nth(1).unwrap().lines() {
        match (is_inside, line.strip_prefix("```"), line.strip_prefix("### ")) {
            (true, Some(_), _) => is_inside = false,
            (true, None, _) => {
                let block = blocks.last_mut().unwrap();
                block.text += line;
                block.text.push('\n');
            }
            (_, Some(language), _) => {
                let language = language.to_owned();
                blocks.push(Block { tool: tool.clone(), language, text: String::new() });
                is_inside = true;
            }
            (_, _, Some(heading)) => tool = heading.to_owned(),
            _ => {}
        }
    }
    blocks
}

fn run(program: &str, arguments: &[&str], folder: &Path) -> Option<String> {
    let binary = Path::new(env!("CARGO_BIN_EXE_linksift")).parent().unwrap();
    let paths = env::split_paths(&env::var_os("PATH").unwrap()).collect::<Vec<_>>();
    let paths = env::join_paths([binary.to_owned()].into_iter().chain(paths)).unwrap();
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder).env("PATH", paths).stdin(Stdio::null());
    let output = command.output().ok()?;
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    Some(String::from_utf8(output.stdout).unwrap())
}

/// How a block is run; `None` if its tool is not here.
fn answer(block: &Block, folder: &Path) -> Option<String> {
    let is_there = |program: &str, arguments: &[&str]| {
        let tried = Command::new(program).args(arguments).stderr(Stdio::null()).output();
        tried.is_ok_and(|output| output.status.success())
    };
    match (&*block.tool, &*block.language) {
        ("DuckDB", "sql") if is_there("python3", &["-c", "import duckdb"]) => {
            let code = "import duckdb, sys\nfor row in duckdb.sql(sys.argv[1]).fetchall(): print(*row, sep='\\t')";
            let (first, last) = block.text.trim_end().rsplit_once('\n').unwrap();
            // The first statement gives nothing.
            let code = format!("import duckdb\nduckdb.sql('''{first}''')\n{code}");
            run("python3", &["-c", &code, last], folder)
        }
        ("Polars", "python") if is_there("python3", &["-c", "import polars"]) => {
            run("python3", &["-c", &block.text], folder)
        }
        ("jq", "sh") if is_there("jq", &["--version"]) => run("sh", &["-c", &block.text], folder),
        _ => None,
    }
}

#[test]
fn recipes_come_to_what_the_page_says() {
    let folder = Folder::new();
    folder.write(
        "site/a.html",
        "<a href=\"/c,d\">x</a> <a href=\"http://e.com/a,b\">x</a> http://e.com/\n",
    );
    folder.write("site/b.txt", "x@e.com ftp://me@example.org/100% example.net\n");
    let blocks = blocks();
    run("sh", &["-c", &blocks[0].text], folder.path()).expect("no shell");
    let mut count = 0;
    for pair in blocks[1..].chunks(2) {
        let [recipe, expected] = pair else { panic!("a recipe without its answer") };
        assert_eq!(expected.language, "text");
        match answer(recipe, folder.path()) {
            Some(answer) => assert_eq!(answer, expected.text, "{}", recipe.text),
            None => eprintln!("skipped: {} is not installed", recipe.tool),
        }
        count += 1;
    }
    assert_eq!(count, 5);
}
