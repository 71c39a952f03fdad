//! Moves the links of a site from one host to another, and lists those that lead to no file.
//!
//! ```text
//! $ cargo run --example link_checker -- old.example new.example docs
//! docs/a.md:3:14: no such file: b.md
//! docs/a.md: 2 links moved
//! docs/logo.png: an image, audio, a video or a font is not read
//! ```

use std::io::{self, Write};
use std::path::Path;
use std::{env, fs};

use linksift::files::{self, Input, Options};
use linksift::{Finder, Hints, Link, LinkKind, Role};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = env::args().skip(1);
    let (Some(old), Some(new)) = (arguments.next(), arguments.next()) else {
        return Err("usage: link_checker OLD NEW PATH...".into());
    };
    let mut out = io::stdout().lock();
    for input in files::list(arguments.map(|path| Input::from(&path)), &Options::new()) {
        match input {
            Ok(Input::Path(path)) => {
                for line in check(&path, &old, &new)? {
                    writeln!(out, "{line}")?;
                }
            }
            Ok(_) => {}
            Err(why) => writeln!(out, "{why}")?,
        }
    }
    Ok(())
}

/// Moves the links of a file that are not examples of code, and returns what there is to say of it.
fn check(path: &Path, old: &str, new: &str) -> io::Result<Vec<String>> {
    let (name, bytes) = (path.display(), fs::read(path)?);
    let hints = Hints::new().name(path).base_of_file(path)?.positions(true);
    let mut lines = Vec::new();
    let at = |link: &Link<'_>| {
        let place = link.position().map(|place| place.to_string());
        format!("{name}:{}", place.unwrap_or_default())
    };
    let rewritten = Finder::new().rewrite(&bytes, &hints, |link| {
        if leads_nowhere(link) {
            lines.push(format!("{}: no such file: {}", at(link), link.raw()));
        }
        link.with_host(old, new).filter(|_| !link.is_code())
    });
    let page = match rewritten {
        Ok(page) => page,
        // Nothing of it is read, which differs from a file without links.
        Err(why) => return Ok(vec![format!("{name}: {why}")]),
    };
    lines.extend(page.notices().iter().map(|notice| format!("{name}: {notice}")));
    lines.extend(page.refused().iter().map(|(link, why)| format!("{}: {why}", at(link))));
    if page.changed() > 0 {
        fs::write(path, page.bytes())?;
        lines.push(format!("{name}: {} links moved", page.changed()));
    }
    Ok(lines)
}

/// Returns `true` if a relative reference leads to a file that does not exist.
fn leads_nowhere(link: &Link<'_>) -> bool {
    let is_followed = matches!(link.role(), Role::Navigate | Role::Embed);
    let is_relative = link.kind() == LinkKind::Reference && !link.written().starts_with('/');
    is_followed && is_relative && link.file_path().is_some_and(|path| !path.exists())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_moved_and_missing_files_are_listed() -> io::Result<()> {
        let folder = env::temp_dir().join(format!("linksift-checker-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        let page = folder.join("a.html");
        let text = "<a href='http://OLD.example/?a&amp;b'>x</a>\n<code>http://old.example/</code> <img src=b.png><a href=a.html#c>c</a><a href='b%20c.html?d'>d</a>";
        fs::write(&page, text)?;
        fs::write(folder.join("b c.html"), "")?;
        let picture = folder.join("c.png");
        fs::write(&picture, b"\x89PNG\r\n\x1A\n http://old.example/")?;
        let lines = check(&page, "old.example", "new.example")?;
        let name = page.display();
        assert_eq!(
            lines,
            [format!("{name}:2:43: no such file: b.png"), format!("{name}: 1 links moved")]
        );
        assert_eq!(fs::read_to_string(&page)?, text.replace("OLD", "new"));
        assert_eq!(check(&picture, "old.example", "new.example")?.len(), 1);
        fs::remove_dir_all(folder)
    }
}
