//! Settings of the finder.

use std::fs;
use std::path::Path;

use linksift::{Finder, SettingError, Settings};

use crate::args::Finding;
use crate::reason::reason;

/// Creates the finder from the arguments: its settings have the options' names.
pub(super) fn finder(args: &Finding) -> Result<Finder, String> {
    let mut settings = Settings::new();
    let max_link = args.max_link.to_string();
    for (name, value) in [
        ("schemes", args.schemes.as_str()),
        ("default-scheme", &args.default_scheme),
        ("schemeless", if args.no_schemeless { "no" } else { "yes" }),
        ("emails", if args.no_emails { "no" } else { "yes" }),
        ("boundaries", args.boundaries.as_str()),
        ("userinfo", args.userinfo.as_str()),
        ("references", args.references.as_str()),
        ("host", args.host.as_str()),
        ("query-charset", &args.query_charset),
        ("forbidden", args.forbidden.as_str()),
        ("lazy", if args.lazy { "yes" } else { "no" }),
        ("max-link", &max_link),
    ] {
        settings.set(name, value).map_err(|error| match error {
            SettingError::BadValue { reason, .. } => format!("--{name} {value}: {reason}"),
            error => error.to_string(),
        })?;
    }
    if let Some(file) = &args.known_hosts {
        known_hosts(&mut settings, file)?;
    }
    Ok(settings.finder())
}

/// Sets the known hosts from a file.
fn known_hosts(settings: &mut Settings, file: &Path) -> Result<(), String> {
    let fault = |what: &str| format!("--known-hosts {}: {what}", file.display());
    let text = fs::read_to_string(file).map_err(|error| fault(&reason(&error)))?;
    settings.set("known-hosts", &text).map_err(|error| match error {
        SettingError::BadValue { reason, .. } => fault(&reason),
        error => error.to_string(),
    })
}
