//! The naive twin beside the finder: the same settings for both, and what it gives in the finder's words.

use std::ops::Range;

use linksift::{Boundaries, Finder, FinderBuilder, LinkKind, References, Schemes, Userinfo};

use crate::naive;

/// What the twin knows of a record: where it stands, what it is, why it was refused.
pub(crate) type Short = (Range<usize>, LinkKind, Option<&'static str>);

/// The finder's builder with the settings that the twin knows.
pub(crate) fn builder(settings: &naive::Settings) -> FinderBuilder {
    Finder::builder()
        .boundaries(match settings.boundaries {
            naive::Boundaries::Prose => Boundaries::Prose,
            naive::Boundaries::Uts58 => Boundaries::Uts58,
        })
        .schemeless(settings.schemeless)
        .emails(settings.emails)
        .schemes(match &settings.schemes {
            naive::Schemes::Known => Schemes::Known,
            naive::Schemes::Any => Schemes::Any,
            naive::Schemes::List(list) => list.join(",").parse().unwrap(),
        })
        .references(if settings.references { References::Auto } else { References::Never })
        .userinfo(if settings.userinfo { Userinfo::Warn } else { Userinfo::Refuse })
        .max_link(settings.max_link)
}

/// The twin's records of a text.
pub(crate) fn twin(settings: &naive::Settings, text: &[u8]) -> Vec<Short> {
    let short = |record: naive::Record| {
        let kind = match record.kind {
            naive::Kind::Iri => LinkKind::Absolute,
            naive::Kind::Schemeless => LinkKind::Schemeless,
            naive::Kind::Email => LinkKind::Email,
        };
        let code = match record.outcome {
            naive::Outcome::Found => None,
            naive::Outcome::Refused(code) => Some(code),
        };
        (record.start..record.end, kind, code)
    };
    naive::scan(text, settings).into_iter().map(short).collect()
}
