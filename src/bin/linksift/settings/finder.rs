//! What a link is.

use std::fs;
use std::path::Path;

use linksift::iri::Scheme;
use linksift::trust::KnownHosts;
use linksift::{Boundaries, Finder, Forbidden, HostForm, References, Schemes};

use crate::args::{self, Finding};
use crate::output::reason;

/// The finder that the arguments describe.
pub(super) fn finder(args: &Finding) -> Result<Finder, String> {
    let default_scheme: Scheme = (args.default_scheme.parse())
        .map_err(|_| format!("--default-scheme {}: not a scheme", args.default_scheme))?;
    let schemes = schemes(&args.schemes)?;
    // Who names schemes gets no others: not those that are supplied to hosts and addresses either.
    let may_be = |scheme: &str| match &schemes {
        Schemes::List(list) => list.iter().any(|one| one.as_str() == scheme),
        _ => true,
    };
    let mut finder = Finder::builder()
        .schemeless(!args.no_schemeless && may_be(default_scheme.as_str()))
        .emails(!args.no_emails && may_be("mailto"))
        .schemes(schemes)
        .default_scheme(default_scheme)
        .boundaries(match args.boundaries {
            args::Boundaries::Prose => Boundaries::Prose,
            args::Boundaries::Uts58 => Boundaries::Uts58,
        })
        .references(match args.references {
            args::References::Auto => References::Auto,
            args::References::Never => References::Never,
        })
        .host(match args.host {
            args::Host::Ascii => HostForm::Ascii,
            args::Host::Percent => HostForm::Percent,
            args::Host::Unicode => HostForm::Unicode,
        })
        .query_charset(args.query_charset == args::QueryCharset::Auto)
        .forbidden(match args.forbidden {
            args::Forbidden::Encode => Forbidden::Encode,
            args::Forbidden::Refuse => Forbidden::Refuse,
        })
        .max_link(args.max_link);
    if let Some(file) = &args.known_hosts {
        finder = finder.known_hosts(known_hosts(file)?);
    }
    Ok(finder.build())
}

/// The hosts of a file, one a line; what follows a `#` is a comment.
fn known_hosts(file: &Path) -> Result<KnownHosts, String> {
    let text = fs::read_to_string(file)
        .map_err(|error| format!("--known-hosts {}: {}", file.display(), reason(&error)))?;
    let hosts: Vec<_> =
        text.lines().map(|line| line.split('#').next().unwrap_or("").trim()).collect();
    if let Some(odd) = hosts.iter().find(|host| host.contains(['/', ':', '@', ' '])) {
        return Err(format!("--known-hosts {}: {odd:?} is not a host", file.display()));
    }
    Ok(KnownHosts::new(hosts))
}

fn schemes(list: &str) -> Result<Schemes, String> {
    match list {
        "known" => return Ok(Schemes::Known),
        "any" => return Ok(Schemes::Any),
        _ => {}
    }
    let names = list.split(',').map(|name| {
        let scheme = name.parse::<Scheme>();
        scheme.map_err(|_| format!("--schemes {list}: {name:?} is not a scheme"))
    });
    names.collect::<Result<_, _>>().map(Schemes::List)
}
