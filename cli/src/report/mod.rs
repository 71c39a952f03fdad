//! The HTML page about a run: one file without external resources, generated from the counts of the run.
//!
//! Hosts, contexts and schemes come from the authors of the inputs: all text is escaped, controls are written as escapes,
//! and the page's policy does not allow loading anything.

mod chart;
mod script;

use std::collections::HashMap;
use std::env;
use std::fmt::Write;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use linksift::Warning;
use linksift::iri::{HostDisplay, Iri};

use crate::facts::{About, Counts, by_domain, sorted};
use crate::safe;
use chart::{Bars, grouped};

/// Maximum number of rows of the table of hosts.
const HOSTS: usize = 10_000;
/// Maximum length of the page in bytes; the table ends before it is reached.
const LONGEST: usize = 4 << 20;
/// Maximum number of characters of a name.
const SHOWN: usize = 120;

const STYLE: &str = include_str!("page.css");
const FILTER: &str = include_str!("filter.js");

/// Data of the page in addition to the counts.
pub(crate) struct Run {
    /// Number of links in the output.
    pub(crate) links: u64,
    pub(crate) seconds: f64,
    /// The arguments of the command, its name first.
    pub(crate) command: Vec<String>,
    /// When it began.
    pub(crate) began: SystemTime,
}

impl Run {
    /// Creates the data of the run that ends now.
    pub(crate) fn of_now(links: u64, seconds: f64) -> Run {
        let command = env::args_os().map(|word| word.to_string_lossy().into_owned()).collect();
        let began = SystemTime::now() - Duration::try_from_secs_f64(seconds).unwrap_or_default();
        Run { links, seconds, command, began }
    }
}

/// Returns the page.
pub(crate) fn page(counts: &Counts, run: &Run) -> String {
    let mut out =
        String::from("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
    out += "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n";
    out += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
    out += "<title>linksift: a run</title>\n";
    // Writing to a `String` cannot fail.
    let _ = write!(
        out,
        "<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>Report of a linksift run</h1>\n"
    );
    let _ =
        writeln!(out, "<p>{}, <code>{}</code></p>", date(run.began), text(&run.command.join(" ")));
    tiles(counts, run, &mut out);
    out += "<div class=\"charts\">\n";
    let all = counts.sum(About::Host);
    let domains = by_domain(counts);
    let domains = sorted(domains.iter().map(|(domain, count)| (*domain, *count)));
    let scripts = by_script(counts);
    let scripts = sorted(scripts.iter().map(|(script, count)| (script.as_str(), *count)));
    let charts = [
        Bars::new("Links by host", counts.sorted(About::Host)).of(all),
        Bars::new("Links by domain", domains).of(all),
        Bars::new("Links by scheme", counts.sorted(About::Scheme)),
        Bars::new("Links by kind", counts.sorted(About::Kind)),
        Bars::new("Links by context", counts.sorted(About::Context)),
        Bars::new("Links by script of the host", scripts).of(all),
        Bars::new("Links by encoding of the document", counts.sorted(About::Charset)),
        Bars::new("Documents by encoding", counts.sorted(About::Document)),
        Bars::new("How encodings are known", counts.sorted(About::KnownFrom)),
        Bars::new("Refused, by reason", counts.sorted(About::Rejected)),
        Bars::new("Links with warnings", counts.sorted(About::Warning)),
        Bars::new("Failures", counts.sorted(About::Failure)),
        Bars::new("Notices", counts.sorted(About::Notice)),
    ];
    for bars in charts {
        bars.push(&mut out);
    }
    out += "</div>\n";
    meanings(counts, &mut out);
    table(counts, &mut out);
    let _ = write!(out, "<script>\n{FILTER}</script>\n</body>\n</html>\n");
    out
}

/// Returns the date and the time of day in UTC (RFC 3339).
fn date(time: SystemTime) -> String {
    let seconds = time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    let (days, of_day) = (seconds / 86_400, seconds % 86_400);
    // Years begin with March, so that the day that some years have is their last one; 400 years have 146,097 days.
    let day = days + 719_468;
    let (era, of_era) = (day / 146_097, day % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let date = of_year - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 { (month + 3, 0) } else { (month - 9, 1) };
    let (hour, minute, second) = (of_day / 3_600, of_day / 60 % 60, of_day % 60);
    format!(
        "{:04}-{month:02}-{date:02} {hour:02}:{minute:02}:{second:02} UTC",
        era * 400 + year + carry
    )
}

fn tiles(counts: &Counts, run: &Run, out: &mut String) {
    let inputs = counts.one(About::Input, "all");
    let failed = counts.one(About::Input, "failed");
    let expanded = counts.one(About::Bytes, "expanded");
    let rate = |amount: u64| match run.seconds > 0.0 {
        true => amount as f64 / run.seconds,
        false => 0.0,
    };
    let tiles = [
        ("links", grouped(run.links), format!("{} a second", grouped(rate(run.links) as u64))),
        (
            "inputs",
            grouped(inputs),
            format!("containing {} documents", grouped(counts.one(About::Input, "documents"))),
        ),
        ("failed", grouped(failed), "inputs with errors".to_owned()),
        ("hosts", grouped(counts.of(About::Host).len() as u64), "distinct ones".to_owned()),
        (
            "read",
            bytes(counts.one(About::Bytes, "stored")),
            format!("{} expanded", bytes(expanded)),
        ),
        (
            "refused",
            grouped(counts.sum(About::Rejected)),
            "candidates that are not links".to_owned(),
        ),
        ("time", seconds(run.seconds), format!("{} a second", bytes(rate(expanded) as u64))),
    ];
    *out += "<dl class=\"tiles\">\n";
    for (name, value, more) in tiles {
        let class = if name == "failed" && failed > 0 { " class=\"bad\"" } else { "" };
        let _ =
            writeln!(out, "<div{class}><dt>{name}</dt><dd>{value}<small>{more}</small></dd></div>");
    }
    *out += "</dl>\n";
}

/// Appends what the warnings of the run mean.
fn meanings(counts: &Counts, out: &mut String) {
    let found = counts.sorted(About::Warning);
    let known: Vec<Warning> = found.iter().filter_map(|(code, _)| code.parse().ok()).collect();
    if known.is_empty() {
        return;
    }
    *out += "<h2>Warnings</h2>\n<table>\n<thead><tr><th>warning</th><th>severity</th><th>meaning</th></tr></thead>\n<tbody>\n";
    for warning in known {
        let (code, severity) = (warning.as_str(), warning.severity());
        let _ = writeln!(
            out,
            "<tr><td>{code}</td><td>{severity}</td><td>{}</td></tr>",
            text(warning.sentence())
        );
    }
    *out += "</tbody>\n</table>\n";
}

/// Appends the hosts with the most links, which the page's script filters.
fn table(counts: &Counts, out: &mut String) {
    let (hosts, all) = (counts.sorted(About::Host), counts.sum(About::Host).max(1));
    if hosts.is_empty() {
        return;
    }
    let mut rows = String::new();
    let mut shown = 0;
    for (host, count) in hosts.iter().take(HOSTS) {
        if out.len() + rows.len() > LONGEST {
            break;
        }
        let readable = readable(host);
        let other = if readable == *host { String::new() } else { text(&readable) };
        let share = 100.0 * *count as f64 / all as f64;
        let _ = writeln!(
            rows,
            "<tr><td>{}</td><td><bdi>{}</bdi></td><td><bdi>{other}</bdi></td><td>{}</td><td>{share:.3} %</td></tr>",
            shown + 1,
            text(host),
            grouped(*count),
        );
        shown += 1;
    }
    let _ = writeln!(
        out,
        "<h2>Hosts</h2>\n<p>The {} with the most links, of {}.",
        grouped(shown),
        grouped(hosts.len() as u64)
    );
    *out += "<label>Filter: <input id=\"filter\" type=\"search\" autocomplete=\"off\" spellcheck=\"false\"></label> <output id=\"left\"></output></p>\n";
    *out += "<table>\n<thead><tr><th>#</th><th>host</th><th>readable</th><th>links</th><th>share</th></tr></thead>\n<tbody id=\"hosts\">\n";
    *out += &rows;
    *out += "</tbody>\n</table>\n";
}

fn by_script(counts: &Counts) -> HashMap<String, u64> {
    let mut scripts = HashMap::new();
    for (host, count) in counts.of(About::Host) {
        *scripts.entry(script::of(&decoded(host))).or_insert(0) += count;
    }
    scripts
}

/// Returns the host with its A-labels decoded.
fn decoded(host: &str) -> String {
    host_in(host, |iri| iri.to_iri_text_with(HostDisplay::Unicode).into_owned())
}

/// Returns the host as `--show display` shows it: A-labels decoded, but for those that mislead.
fn readable(host: &str) -> String {
    host_in(host, |iri| iri.display())
}

/// Returns the host as it is in the text that `show` makes of an IRI with it.
fn host_in(host: &str, show: impl FnOnce(&Iri<'_>) -> String) -> String {
    if !host.contains("xn--") {
        return host.to_owned();
    }
    match Iri::parse(&format!("http://{host}/")) {
        Ok(iri) => show(&iri).trim_start_matches("http://").trim_end_matches('/').to_owned(),
        Err(_) => host.to_owned(),
    }
}

/// Returns text as HTML, with control characters written as escapes, and shortened to a readable length.
fn text(raw: &str) -> String {
    let short: String = match raw.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &raw[..end]),
        None => raw.to_owned(),
    };
    let mut out = String::with_capacity(short.len());
    for c in safe::text(&short).chars() {
        match c {
            '&' => out += "&amp;",
            '<' => out += "&lt;",
            '>' => out += "&gt;",
            '"' => out += "&quot;",
            '\'' => out += "&#39;",
            c => out.push(c),
        }
    }
    out
}

fn bytes(amount: u64) -> String {
    indicatif::HumanBytes(amount).to_string()
}

fn seconds(seconds: f64) -> String {
    match seconds as u64 {
        0..60 => format!("{seconds:.1} s"),
        whole @ 60..3600 => format!("{} min {} s", whole / 60, whole % 60),
        whole => format!("{} h {} min", whole / 3600, whole / 60 % 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run() -> Run {
        let command = vec!["linksift".to_owned(), "<a&b>".to_owned()];
        Run { links: 3, seconds: 61.5, command, began: UNIX_EPOCH }
    }

    #[test]
    fn what_comes_from_inputs_is_escaped() {
        let mut counts = Counts::default();
        let evil = "<script>alert('\"&\u{202E}\n')</script>";
        for about in About::ALL {
            counts.add(about, evil, 7);
        }
        counts.add(About::Host, &"x".repeat(60_000), 1);
        let page = page(&counts, &run());
        assert_eq!(page.matches("<script>").count(), 1);
        assert!(!page.contains("alert('") && !page.contains('\u{202E}'));
        assert!(
            page.contains("&lt;script&gt;alert(&#39;&quot;&amp;\\u{202E}\\n&#39;)&lt;/script&gt;")
        );
        assert!(page.len() < 100_000, "{}", page.len());
    }

    #[test]
    fn a_page_of_many_hosts_is_at_most_five_megabytes() {
        let mut counts = Counts::default();
        for number in 0..60_000_u64 {
            let label = "&<>".repeat(30);
            counts.add(About::Host, &format!("{number}{label}{label}"), number + 1);
        }
        let page = page(&counts, &run());
        assert!(page.len() < 5 << 20, "{}", page.len());
        assert!(page.matches("<tr>").count() > 1_000);
        let mut counts = Counts::default();
        for number in 0..60_000_u64 {
            counts.add(About::Host, &format!("www.host-{number}.example.com"), number + 1);
        }
        let page = super::page(&counts, &run());
        assert_eq!(page.matches("<tr>").count(), HOSTS + 1);
        assert!(page.len() < 2 << 20, "{}", page.len());
    }

    #[test]
    fn hosts_are_shown_as_people_read_them_and_by_their_script() {
        let mut counts = Counts::default();
        for (host, count) in
            [("xn--r8jz45g.jp", 5), ("xn--e1afmkfd.xn--p1ai", 3), ("127.0.0.1", 2), ("a.com", 1)]
        {
            counts.add(About::Host, host, count);
        }
        let page = page(&counts, &run());
        assert!(page.contains("<bdi>例え.jp</bdi>") && page.contains("<bdi>пример.рф</bdi>"));
        let scripts = by_script(&counts);
        assert!(page.contains("1970-01-01 00:00:00 UTC, <code>linksift &lt;a&amp;b&gt;</code>"));
        let later = UNIX_EPOCH + Duration::from_secs(1_709_210_096);
        assert_eq!(date(later), "2024-02-29 12:34:56 UTC");
        assert_eq!(scripts["Japanese"], 5);
        assert_eq!(scripts["Cyrillic"], 3);
        assert_eq!((scripts["none"], scripts["Latin"]), (2, 1));
    }
}
