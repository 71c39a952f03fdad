//! A chat client: the links of a text while it is typed, and a message as HTML in which they are marked.
//!
//! ```text
//! $ echo 'see http://wiki.example/a or http://www.bank.com.evil.test/' | cargo run --example chat
//! 2 links
//! see <a href="/leave?to=http://wiki.example/a" class="link">http://wiki.example/a</a> or http://www.bank.com.evil.test/
//! ```

use std::io::{self, Read, Write};
use std::time::Duration;

use linksift::html::{Linkify, linkify_until};
use linksift::{Cancel, Finder, ScanError, Severity};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut typed = String::new();
    io::stdin().read_to_string(&mut typed)?;
    let finder = Finder::new();
    let mut out = io::stdout().lock();
    writeln!(out, "{} links", count_while_typed(&finder, &typed))?;
    write!(out, "{}", message(&finder, &typed)?)?;
    Ok(())
}

/// Returns how many links a text has when its last character has been typed. Only what a key may change is scanned again.
fn count_while_typed(finder: &Finder, typed: &str) -> usize {
    let mut composer = finder.compose("");
    for (at, c) in typed.char_indices() {
        composer.edit(at..at, c.encode_utf8(&mut [0; 4]));
    }
    composer.links().len()
}

/// Returns a message as HTML: links lead through a page that warns, and those that may deceive stay text.
fn message(finder: &Finder, text: &str) -> Result<String, ScanError> {
    let options = Linkify::new().finder(finder.clone()).each(|link, anchor| {
        if link.severity() >= Some(Severity::Suspect) {
            return anchor.unlink();
        }
        anchor.href(&format!("/leave?to={}", link.uri())).attribute("class", "link");
    });
    linkify_until(text, &options, &Cancel::after(Duration::from_millis(50)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_marked_unless_they_deceive() {
        let finder = Finder::new();
        let text = "<b> http://wiki.example/a http://www.bank.com.evil.test/";
        assert_eq!(count_while_typed(&finder, text), 2);
        let html = message(&finder, text).unwrap();
        assert!(
            html.starts_with("&lt;b&gt; <a href=\"/leave?to=http://wiki.example/a\""),
            "{html}"
        );
        assert_eq!(html.matches("<a ").count(), 1, "{html}");
    }
}
