//! `documents FILE`: reads the documents of an archive and looks at none: what opening it costs.

use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;

use linksift::container::{self, Found, Limits, Opening};

fn main() -> io::Result<()> {
    let path =
        std::env::args_os().nth(1).ok_or_else(|| io::Error::other("usage: documents FILE"))?;
    let opening = Opening::file(File::open(&path)?).name(path.as_encoded_bytes());
    let (mut count, mut failure, mut block) = (0_u64, None, vec![0; 64 << 10]);
    container::documents(opening, &Limits::new(), |found| {
        match found {
            Found::Document(mut document) => {
                count += 1;
                loop {
                    match document.read(&mut block) {
                        Ok(0) => break,
                        Ok(_) => {}
                        Err(error) => return ControlFlow::Break(failure = Some(error)),
                    }
                }
            }
            Found::Failed { error, .. } => return ControlFlow::Break(failure = Some(error.into())),
            _ => {}
        }
        ControlFlow::Continue(())
    });
    match failure {
        Some(error) => Err(error),
        None => writeln!(io::stdout(), "{count}"),
    }
}
