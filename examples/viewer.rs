//! A mail viewer's list of links: where in the message each is, what it looks like to a reader, the site that it
//! goes to, and what deceives.
//!
//! ```text
//! $ cargo run --example viewer -- news.eml
//! header:subject
//!     http://例え.jp/
//!     site: xn--r8jz45g.jp
//! part 1.2, a@href
//!     https://evil.test/login
//!     site: evil.test
//!     deceptive text-mismatch: the text says bank.example, the link goes to evil.test
//! ```

use std::io::{self, Write};
use std::ops::ControlFlow;
use std::{env, fs};

use linksift::mail::{self, Options};
use linksift::trust::{What, registrable};
use linksift::{Event, Link, Severity, Warning};

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for path in env::args_os().skip(1) {
        let message = fs::read(path)?;
        let mut written = Ok(());
        mail::message(&message, &Options::new(), |event| {
            if let Event::Link { link, .. } = &event {
                written = show(link, &mut out);
            }
            match written {
                Ok(()) => ControlFlow::Continue(()),
                Err(_) => ControlFlow::Break(()),
            }
        });
        written?;
    }
    Ok(())
}

fn show(link: &Link<'_>, out: &mut impl Write) -> io::Result<()> {
    match link.part() {
        Some(part) => writeln!(out, "part {part}, {}", link.context())?,
        None => writeln!(out, "{}", link.context())?,
    }
    writeln!(out, "    {}", link.display())?;
    let host = link.host().unwrap_or_default();
    if !host.is_empty() {
        writeln!(out, "    site: {}", registrable(&host))?;
    }
    for finding in link.findings().iter().filter(|one| one.severity() >= Severity::Suspect) {
        let (severity, warning) = (finding.severity(), finding.warning());
        write!(out, "    {severity} {warning}")?;
        match finding.what() {
            What::Host(shown) if warning == Warning::TextMismatch => {
                writeln!(out, ": the text says {shown}, the link goes to {host}")?;
            }
            What::Host(shown) => writeln!(out, ": it reads as {shown}")?,
            _ => writeln!(out, ": {:?}", &link.iri()[finding.range()])?,
        }
    }
    Ok(())
}
