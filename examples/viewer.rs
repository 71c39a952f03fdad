//! A mail viewer's list of links: where in the message each is, what it looks like to a reader, the site that it
//! goes to, and what deceives. Each link is there once, where it comes first, and what names a part of the message
//! itself (`cid:`) is left out.
//!
//! ```text
//! $ cargo run --example viewer -- news.eml
//! news.eml
//! header:subject
//!     http://例え.jp/ (例え.jp)
//! part 1.2, a@href
//!     https://evil.test/login (evil.test)
//!       deceptive text-mismatch: the text says bank.example, the link goes to evil.test
//! ```

use std::collections::HashSet;
use std::io::{self, Write};
use std::ops::ControlFlow;
use std::{env, fs};

use linksift::iri::IriRef;
use linksift::trust::{FindingDetail, registrable};
use linksift::{Event, Finder, Format, Hints, Link, Severity, Warning};

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for path in env::args_os().skip(1) {
        let message = fs::read(&path)?;
        writeln!(out, "{}", path.display())?;
        let (mut seen, mut place, mut written) = (HashSet::new(), String::new(), Ok(()));
        let hints = Hints::new().format(Format::Email);
        Finder::new().scan_reader(&message[..], &hints, |event| {
            if let Event::Link { link, .. } = &event
                && !link.uri().starts_with("cid:")
                && seen.insert(link.uri().into_owned())
            {
                written = show(link, &mut place, &mut out);
            }
            match written {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        })?;
        written?;
        if seen.is_empty() {
            writeln!(out, "    no links")?;
        }
    }
    Ok(())
}

/// Shows a link; `place` is where the one before was, which is not said again.
fn show(link: &Link<'_>, place: &mut String, out: &mut impl Write) -> io::Result<()> {
    let own = match link.part() {
        Some(part) => format!("part {part}, {}", link.context()),
        None => link.context().to_string(),
    };
    if own != *place {
        writeln!(out, "{own}")?;
        *place = own;
    }
    let (shown, host) = (link.display(), link.host().unwrap_or_default());
    write!(out, "    {shown}")?;
    // The host as it is shown: in characters, where they do not deceive.
    match IriRef::parse(&shown).ok().and_then(|shown| shown.host().map(str::to_owned)) {
        Some(host) if !host.is_empty() => writeln!(out, " ({})", registrable(&host))?,
        _ => writeln!(out)?,
    }
    for finding in link.findings().iter().filter(|one| one.severity() >= Severity::Suspect) {
        let (severity, warning) = (finding.severity(), finding.warning());
        write!(out, "      {severity} {warning}")?;
        match finding.detail() {
            FindingDetail::Host(shown) if warning == Warning::TextMismatch => {
                writeln!(out, ": the text says {shown}, the link goes to {host}")?;
            }
            FindingDetail::Host(shown) => writeln!(out, ": it reads as {shown}")?,
            _ => writeln!(out, ": {:?}", &link.iri()[finding.range()])?,
        }
    }
    Ok(())
}
