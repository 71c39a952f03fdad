//! Where and with what a table was measured: the lines that stand above it.

use std::fs;
use std::process::Command;

/// Date, processor, compiler, versions of the peers.
pub fn heading() -> String {
    let lock = include_str!("../Cargo.lock");
    let peers: Vec<String> = ["linkify", "mail-parser", "regex", "memchr"]
        .iter()
        .map(|name| format!("{name} {}", version(lock, name).unwrap_or("?")))
        .collect();
    format!("{} · {} · {} · {}", date(), processor(), compiler(), peers.join(", "))
}

/// Today, as the system's `date` says it.
fn date() -> String {
    output("date", &["+%Y-%m-%d"])
}

fn compiler() -> String {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".to_owned());
    let version = output(&rustc, &["--version"]);
    version.split_whitespace().take(2).collect::<Vec<_>>().join(" ")
}

/// The model, how many of it, and the widest vectors it has.
fn processor() -> String {
    let info = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |name: &str| {
        let line = info.lines().find(|line| line.starts_with(name))?;
        line.split_once(':').map(|(_, value)| value.trim().to_owned())
    };
    let model = field("model name").unwrap_or_else(|| std::env::consts::ARCH.to_owned());
    let flags = field("flags").unwrap_or_default();
    let has = |flag: &str| flags.split(' ').any(|f| f == flag);
    let vectors = match (has("avx512bw"), has("avx2")) {
        (true, _) => ", AVX-512",
        (_, true) => ", AVX2",
        _ => "",
    };
    let count = std::thread::available_parallelism().map_or(1, |n| n.get());
    let family = field("cpu family").map(|f| format!(" family {f}")).unwrap_or_default();
    format!("{model}{family}{vectors}, {count} cores")
}

fn output(command: &str, args: &[&str]) -> String {
    let run = Command::new(command).args(args).output();
    run.map_or_else(|_| "?".to_owned(), |o| String::from_utf8_lossy(&o.stdout).trim().to_owned())
}

/// The version that the lock file gives a package.
fn version<'l>(lock: &'l str, name: &str) -> Option<&'l str> {
    let wanted = format!("name = \"{name}\"");
    let mut lines = lock.lines().skip_while(|line| *line != wanted);
    lines.nth(1)?.strip_prefix("version = \"")?.strip_suffix('"')
}
