//! What a link is.

use linksift::{Boundaries, Finder, Forbidden, HostForm, References, Schemes};

use crate::args::{self, Finding};

/// The finder that the arguments describe.
pub(super) fn finder(args: &Finding) -> Result<Finder, String> {
    if !is_scheme(&args.default_scheme) {
        return Err(format!("--default-scheme {}: not a scheme", args.default_scheme));
    }
    let schemes = schemes(&args.schemes)?;
    // Who names schemes gets no others: not those that are supplied to hosts and addresses either.
    let may_be = |scheme: &str| match &schemes {
        Schemes::List(list) => list.iter().any(|one| one.eq_ignore_ascii_case(scheme)),
        _ => true,
    };
    let finder = Finder::builder()
        .schemeless(!args.no_schemeless && may_be(&args.default_scheme))
        .emails(!args.no_emails && may_be("mailto"))
        .schemes(schemes)
        .default_scheme(&args.default_scheme)
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
    Ok(finder.build())
}

fn schemes(list: &str) -> Result<Schemes, String> {
    match list {
        "known" => return Ok(Schemes::Known),
        "any" => return Ok(Schemes::Any),
        _ => {}
    }
    let mut names = Vec::new();
    for name in list.split(',') {
        if !is_scheme(name) {
            return Err(format!("--schemes {list}: {name:?} is not a scheme"));
        }
        names.push(name.to_ascii_lowercase());
    }
    Ok(Schemes::List(names))
}

/// RFC 3986 §3.1.
fn is_scheme(name: &str) -> bool {
    let is_inner = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    let bytes = name.as_bytes();
    bytes.first().is_some_and(u8::is_ascii_alphabetic) && bytes.iter().all(is_inner)
}
