//! Pages that come in pieces to an async program: nothing blocks, and a number of links or a time ends a page early.
//!
//! ```text
//! $ cargo run --example crawler -- https://example.com/ page.html
//! https://example.com/a: first page
//! https://example.com/b: second page
//! page.html: all of it was read
//! ```

use std::io::{self, Write};
use std::time::Duration;
use std::{env, fs};

use linksift::{Event, Finder, Hints, Role, ScanError};
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio::time::{Instant, timeout_at};

/// Number of bytes that a network gives at once.
const PACKET: usize = 1460;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = env::args().skip(1);
    let base = arguments.next().ok_or("usage: crawler BASE FILE...")?;
    let hints = Hints::new().media_type("text/html; charset=utf-8").base(base.parse()?);
    let hints = hints.details(true);
    let finder = Finder::new();
    for name in arguments {
        let (send, mut chunks) = mpsc::channel(4);
        tokio::spawn(download(fs::read(&name)?, send));
        let (links, end) = page(&finder, &hints, &mut chunks, Duration::from_secs(2), 100).await?;
        let mut out = io::stdout().lock();
        links.iter().try_for_each(|(uri, text)| writeln!(out, "{uri}: {text}"))?;
        let why = match end {
            End::Page => "all of it was read",
            End::Links => "it has more than 100 links",
            End::Time => "it took longer than 2 seconds",
        };
        writeln!(out, "{name}: {why}")?;
    }
    Ok(())
}

/// Why a page was not read further.
#[derive(Debug, PartialEq, Eq)]
enum End {
    Page,
    Links,
    Time,
}

/// Returns the targets and texts of the links that a page lets crawlers follow, at most `most`, as far as it has come after `time`.
async fn page(
    finder: &Finder,
    hints: &Hints,
    chunks: &mut Receiver<Vec<u8>>,
    time: Duration,
    most: usize,
) -> Result<(Vec<(String, String)>, End), ScanError> {
    let (mut feed, until) = (finder.feed(hints), Instant::now() + time);
    let mut links = Vec::new();
    loop {
        let (events, end) = match timeout_at(until, chunks.recv()).await {
            Ok(Some(chunk)) => (feed.push(&chunk)?, None),
            Ok(None) => (feed.finish()?, Some(End::Page)),
            // What has come is decided.
            Err(_) => (feed.flush()?, Some(End::Time)),
        };
        for event in events {
            if let Event::Link { link, .. } = event
                && link.role() == Role::Navigate
                && !link.has_rel("nofollow")
            {
                if links.len() == most {
                    return Ok((links, End::Links));
                }
                let text = link.text().unwrap_or_default().to_owned();
                links.push((link.uri().into_owned(), text));
            }
        }
        if let Some(end) = end {
            return Ok((links, end));
        }
    }
}

/// Sends a page as a network does, in pieces.
async fn download(page: Vec<u8>, chunks: Sender<Vec<u8>>) {
    for chunk in page.chunks(PACKET) {
        // Who reads no further has all that it wants.
        if chunks.send(chunk.to_vec()).await.is_err() {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Found = (Vec<(String, String)>, End);

    async fn read(html: String, time: Duration, most: usize, stays_open: bool) -> Found {
        let (send, mut chunks) = mpsc::channel(4);
        let open = stays_open.then(|| send.clone());
        tokio::spawn(download(html.into_bytes(), send));
        let hints = Hints::new().media_type("text/html; charset=utf-8");
        let hints = hints.base("http://e.com/".parse().unwrap()).details(true);
        // Pages are read side by side.
        let read = tokio::spawn(async move {
            let finder = Finder::new();
            page(&finder, &hints, &mut chunks, time, most).await.unwrap()
        });
        let found = read.await.unwrap();
        drop(open);
        found
    }

    #[tokio::test]
    async fn a_page_ends_by_itself_by_its_links_or_by_time() {
        let html =
            "<p><img src=c> <a href=a/b>this <b>page</b></a> <a rel=nofollow href=d>other</a>";
        let html = html.repeat(500);
        let long = Duration::from_secs(60);
        let (links, end) = read(html.clone(), long, 1_000, false).await;
        assert_eq!((links.len(), end), (500, End::Page));
        assert_eq!(links[0], ("http://e.com/a/b".to_owned(), "this page".to_owned()));
        let (links, end) = read(html.clone(), long, 10, false).await;
        assert_eq!((links.len(), end), (10, End::Links));
        let (links, end) = read(html, Duration::from_millis(200), 1_000, true).await;
        assert!(links.len() >= 490 && end == End::Time, "{} {end:?}", links.len());
    }
}
