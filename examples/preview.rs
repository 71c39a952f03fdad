//! What a mail viewer shows of the links of a message before one is opened: the form for people, the
//! registered domain, and what deceives, by severity.
//!
//! ```text
//! $ echo 'Log in: https://pаypal.com/id or http://www.bank.com.evil.test/' | cargo run --example preview
//! https://xn--pypal-4ve.com/id
//!     site: xn--pypal-4ve.com
//!     deceptive host-mixed-script: "pаypal"
//! http://www.bank.com.evil.test/
//!     site: evil.test
//!     suspect host-nested: "com"
//! ```

use std::io::{self, Read, Write};

use linksift::Severity;
use linksift::trust::{FindingDetail, registrable};

fn main() -> io::Result<()> {
    let mut text = String::new();
    io::stdin().read_to_string(&mut text)?;
    let mut out = io::stdout().lock();
    for link in linksift::links(&text) {
        writeln!(out, "{}", link.display())?;
        if let Some(host) = link.host() {
            writeln!(out, "    site: {}", registrable(&host))?;
        }
        let iri = link.iri();
        for finding in &link.findings() {
            let severity = finding.severity();
            if severity < Severity::Suspect {
                continue;
            }
            write!(out, "    {severity} {}: {:?}", finding.warning(), &iri[finding.range()])?;
            match finding.detail() {
                FindingDetail::Host(host) => writeln!(out, ", read as {host}")?,
                FindingDetail::Address(address) => writeln!(out, ", the address {address}")?,
                _ => writeln!(out)?,
            }
        }
    }
    Ok(())
}
