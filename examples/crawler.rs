//! Pages that come in pieces to an async program: nothing blocks, a number of links or a time ends a page early, and it
//! goes on later where it ended.
//!
//! ```text
//! $ cargo run --example crawler -- https://example.com/ page.html
//! https://example.com/a: first page
//! https://example.com/b: second page
//! page.html: all of it was read
//! ```

use std::collections::HashSet;
use std::io::{self, Write};
use std::time::Duration;
use std::{env, fs};

use linksift::iri::NormalizationLevel;
use linksift::{Event, FeedPoint, Finder, Hints, Role, ScanError};
use tokio::sync::mpsc::{self, Receiver, Sender};
use tokio::time::{Instant, timeout_at};

/// Number of bytes that a network gives at once.
const PACKET: usize = 1460;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = env::args().skip(1);
    let base = arguments.next().ok_or("usage: crawler BASE FILE...")?;
    let hints = Hints::new().content_type("text/html; charset=utf-8").base(base.parse()?);
    let hints = hints.details(true);
    let (finder, mut seen) = (Finder::new(), HashSet::new());
    for name in arguments {
        let (send, mut chunks) = mpsc::channel(4);
        tokio::spawn(download(fs::read(&name)?, send));
        let from = FeedPoint::default();
        let limits = (Duration::from_secs(2), 100);
        let (links, end) = page((&finder, &hints), &mut chunks, &from, limits, &mut seen).await?;
        let mut out = io::stdout().lock();
        links.iter().try_for_each(|(uri, text)| writeln!(out, "{uri}: {text}"))?;
        match end {
            End::Page => writeln!(out, "{name}: all of it was read")?,
            // It may be kept as a text: a range request from its offset on gets the rest.
            End::Links(point) => {
                writeln!(out, "{name}: 100 links; it goes on at byte {}", point.offset())?;
            }
            End::Time(point) => {
                writeln!(out, "{name}: 2 seconds; it goes on at byte {}", point.offset())?;
            }
        }
    }
    Ok(())
}

/// Why a page was not read further.
#[derive(Debug, PartialEq, Eq)]
enum End {
    Page,
    Links(FeedPoint),
    Time(FeedPoint),
}

/// Returns the targets and texts of the links that a page lets crawlers follow from a point on, which is where its chunks
/// begin: as many as the limit allows, as far as it has come after a time. Links to pages that were seen before are skipped.
async fn page(
    (finder, hints): (&Finder, &Hints),
    chunks: &mut Receiver<Vec<u8>>,
    from: &FeedPoint,
    (time, most): (Duration, usize),
    seen: &mut HashSet<String>,
) -> Result<(Vec<(String, String)>, End), ScanError> {
    let (mut feed, until) = (finder.resume(hints, from), Instant::now() + time);
    let mut links = Vec::new();
    loop {
        let (events, is_last) = match timeout_at(until, chunks.recv()).await {
            Ok(Some(chunk)) => (feed.push(&chunk)?, false),
            Ok(None) => (feed.finish()?, true),
            Err(_) => return Ok((links, End::Time(feed.resume_point()))),
        };
        let navigates = |event: Event<'_>| {
            let link = event.link().filter(|link| link.role() == Role::Navigate)?;
            let text = link.text().unwrap_or_default().to_owned();
            let is_followed =
                !link.has_rel("nofollow") && seen.insert(link.key(NormalizationLevel::Scheme));
            is_followed.then(|| (link.uri().into_owned(), text))
        };
        links.extend(events.filter_map(navigates).take(most - links.len()));
        if links.len() == most {
            return Ok((links, End::Links(feed.resume_point())));
        }
        if is_last {
            return Ok((links, End::Page));
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

    async fn read(
        html: &str,
        from: FeedPoint,
        limits: (Duration, usize),
        stays_open: bool,
        seen: &mut HashSet<String>,
    ) -> Found {
        let (send, mut chunks) = mpsc::channel(4);
        let open = stays_open.then(|| send.clone());
        let rest = html.as_bytes()[usize::try_from(from.offset()).unwrap()..].to_vec();
        tokio::spawn(download(rest, send));
        let hints = Hints::new().content_type("text/html; charset=utf-8");
        let hints = hints.base("http://e.com/".parse().unwrap()).details(true);
        let mut kept = std::mem::take(seen);
        // Pages are read side by side.
        let read = tokio::spawn(async move {
            let finder = Finder::new();
            let found = page((&finder, &hints), &mut chunks, &from, limits, &mut kept).await;
            (found.unwrap(), kept)
        });
        let (found, kept) = read.await.unwrap();
        *seen = kept;
        drop(open);
        found
    }

    #[tokio::test]
    async fn a_page_ends_by_itself_by_its_links_or_by_time_and_goes_on() {
        // Each page of the site is linked three times, in other words.
        let group = |n: u32| {
            format!(
                "<p><img src=c> <a href=a/{n}>this <b>page</b></a> <a rel=nofollow href=d>other</a> \
                 <a href='a/{n}#part'>part</a> <a href='HTTP://e.com:80/x/../a/{n}'>again</a>"
            )
        };
        let html: String = (0..500).map(group).collect();
        let (begin, mut seen) = (FeedPoint::default(), HashSet::new());
        let long = Duration::from_secs(60);
        let (links, end) = read(&html, begin.clone(), (long, 1_000), false, &mut seen).await;
        assert_eq!((links.len(), end), (500, End::Page));
        assert_eq!(links[0], ("http://e.com/a/0".to_owned(), "this page".to_owned()));
        let (again, _) = read(&html, begin.clone(), (long, 1_000), false, &mut seen).await;
        assert_eq!(again, []);

        seen.clear();
        let (links, end) = read(&html, begin.clone(), (long, 310), false, &mut seen).await;
        let End::Links(point) = end else { panic!("{end:?}") };
        assert!(links.len() == 310 && point.offset() > 15_000, "{} {point}", links.len());
        let (links, end) = read(&html, point, (long, 1_000), false, &mut seen).await;
        assert_eq!((links.len(), end), (190, End::Page));

        seen.clear();
        let time = Duration::from_millis(200);
        let (links, end) = read(&html, begin, (time, 1_000), true, &mut seen).await;
        let End::Time(point) = end else { panic!("{end:?}") };
        assert!(links.len() >= 450, "{}", links.len());
        let (rest, end) = read(&html, point, (long, 1_000), false, &mut seen).await;
        assert_eq!((links.len() + rest.len(), end), (500, End::Page));
    }
}
