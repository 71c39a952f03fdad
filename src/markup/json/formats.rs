//! Formats of JSON in which objects decide how their members are read: how their documents begin, and the roles of their members.

use super::Json;
use super::look::{JsonSearch, look};
use super::notebook;
use crate::context::{ContextKind, KnownContext};
use crate::input::chunk::Chunk;

/// Number of bytes of a document in which its format must be recognised.
const HEAD: usize = 1024;

/// A step of a path: a member's name, any item of a list, or any member of an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    In(&'static str),
    Each,
    Any,
}

use Way::{Any, Each, In};

impl Way {
    /// Returns `true` if a step of a path leads where this step of a document does.
    pub(super) fn is_by(self, step: Way) -> bool {
        self == step || step == Any && self != Each
    }
}

/// Role of a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MemberRole {
    /// An object, and the path in it to the member that is the base of all others.
    Based(&'static [&'static str]),
    /// A reference, with its context.
    Reference(&'static KnownContext),
    /// An object whose member `text` is a document: HTML if `mimeType` states so, in base64 if `encoding` states so.
    Document,
    /// The cell of a notebook.
    Cell,
    /// The output of a cell.
    Output,
}

macro_rules! reference {
    ($context:literal) => {
        MemberRole::Reference(const { &KnownContext::other($context) })
    };
}

/// A format.
#[derive(Debug)]
pub(super) struct ObjectFormat {
    /// The names of the first member of its documents.
    begins: &'static [&'static str],
    /// The bytes between that name and the first member of the first object in its value.
    opens: &'static [u8],
    /// The name of a member of this object.
    has: Option<&'static str>,
    pub(super) roles: &'static [(&'static [Way], MemberRole)],
}

/// HTTP Archive 1.2: `request.url` of an entry is the base of its response.
static HAR: ObjectFormat = ObjectFormat {
    begins: &["log"],
    opens: b":{",
    has: None,
    roles: &[
        (&[In("log"), In("entries"), Each], MemberRole::Based(&["request", "url"])),
        (
            &[In("log"), In("entries"), Each, In("response"), In("redirectURL")],
            MemberRole::Reference(&KnownContext::new(
                "json:redirectURL",
                ContextKind::DocumentLink,
            )),
        ),
        (&[In("log"), In("entries"), Each, In("response"), In("content")], MemberRole::Document),
    ],
};

/// Web Archive Transformation: the target of the record is the base of its page, and that of a `<base>` element is the base
/// of the page's links.
static WAT: ObjectFormat = ObjectFormat {
    begins: &["Envelope", "Container"],
    opens: b":{",
    has: None,
    roles: &[
        (&[], MemberRole::Based(&["Envelope", "WARC-Header-Metadata", "WARC-Target-URI"])),
        (&[ENVELOPE, PAYLOAD, HTTP, HTML], MemberRole::Based(&["Head", "Base"])),
        (&[ENVELOPE, PAYLOAD, HTTP, HTML, In("Links"), Each, In("url")], URL),
        (&[ENVELOPE, PAYLOAD, HTTP, HTML, In("Head"), In("Link"), Each, In("url")], URL),
        (&[ENVELOPE, PAYLOAD, HTTP, HTML, In("Head"), In("Scripts"), Each, In("url")], URL),
        (
            &[ENVELOPE, PAYLOAD, HTTP, In("Headers"), In("Location")],
            MemberRole::Reference(&KnownContext::other("json:Location")),
        ),
        (
            &[ENVELOPE, PAYLOAD, HTTP, In("Headers"), In("location")],
            MemberRole::Reference(&KnownContext::other("json:Location")),
        ),
    ],
};

/// Notebooks of Jupyter.
pub(super) static NOTEBOOK: ObjectFormat = ObjectFormat {
    begins: &["cells"],
    opens: b":[{",
    has: Some(notebook::CELL_TYPE),
    roles: &[
        (&[In("cells"), Each], MemberRole::Cell),
        (&[In("cells"), Each, In("outputs"), Each, In("data")], MemberRole::Output),
    ],
};

/// Import maps of HTML.
static IMPORT_MAP: ObjectFormat = ObjectFormat {
    begins: &[],
    opens: b"",
    has: None,
    roles: &[
        (&[In("imports"), Any], reference!("json:imports")),
        (&[In("scopes"), Any, Any], reference!("json:scopes")),
    ],
};

/// Speculation rules of HTML.
static SPECULATION_RULES: ObjectFormat = ObjectFormat {
    begins: &[],
    opens: b"",
    has: None,
    roles: &[
        (&[In("prefetch"), Each, In("urls"), Each], reference!("json:urls")),
        (&[In("prerender"), Each, In("urls"), Each], reference!("json:urls")),
    ],
};

/// Web application manifests (W3C Web Application Manifest, and Manifest Incubations).
static MANIFEST: ObjectFormat = ObjectFormat {
    begins: &[],
    opens: b"",
    has: None,
    roles: &[
        (&[In("start_url")], reference!("json:start_url")),
        (&[In("scope")], reference!("json:scope")),
        (&[In("icons"), Each, In("src")], reference!("json:src")),
        (&[In("screenshots"), Each, In("src")], reference!("json:src")),
        (&[In("shortcuts"), Each, In("url")], URL),
        (&[In("shortcuts"), Each, In("icons"), Each, In("src")], reference!("json:src")),
        (&[In("related_applications"), Each, In("url")], URL),
        (&[In("share_target"), In("action")], reference!("json:action")),
        (&[In("protocol_handlers"), Each, In("url")], URL),
        (&[In("file_handlers"), Each, In("action")], reference!("json:action")),
        (&[In("file_handlers"), Each, In("icons"), Each, In("src")], reference!("json:src")),
    ],
};

/// JSON whose format is declared, and not recognised by its first member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum DeclaredJson {
    /// Any JSON.
    Plain,
    ImportMap,
    SpeculationRules,
    Manifest,
}

impl DeclaredJson {
    /// Returns the format whose objects have members that are references.
    pub(super) fn objects(self) -> Option<&'static ObjectFormat> {
        match self {
            DeclaredJson::Plain => None,
            DeclaredJson::ImportMap => Some(&IMPORT_MAP),
            DeclaredJson::SpeculationRules => Some(&SPECULATION_RULES),
            DeclaredJson::Manifest => Some(&MANIFEST),
        }
    }
}

static FORMATS: [&ObjectFormat; 3] = [&HAR, &WAT, &NOTEBOOK];

const ENVELOPE: Way = In("Envelope");
const PAYLOAD: Way = In("Payload-Metadata");
const HTTP: Way = In("HTTP-Response-Metadata");
const HTML: Way = In("HTML-Metadata");
const URL: MemberRole = MemberRole::Reference(URL_CONTEXT);
pub(super) const URL_CONTEXT: &KnownContext = &KnownContext::other("json:url");

impl ObjectFormat {
    /// Returns the format of a document that begins with these bytes, if it is one of these formats; `None` if the
    /// following bytes decide.
    pub(super) fn of(bytes: Chunk<'_>) -> Option<Option<&'static ObjectFormat>> {
        let undecided = if bytes.is_last() || bytes.end() > HEAD { Some(None) } else { None };
        let rest = bytes.bytes();
        let rest = rest.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(rest);
        let Some(rest) = Json::unguarded(rest) else { return undecided };
        let mut rest = rest.trim_ascii_start();
        for byte in *b"{\"" {
            match rest.first() {
                None => return undecided,
                Some(found) if *found != byte => return Some(None),
                Some(_) => rest = rest[1..].trim_ascii_start(),
            }
        }
        let longest = FORMATS.iter().flat_map(|format| format.begins).map(|name| name.len());
        let longest = longest.max().unwrap_or(0);
        let Some(end) = rest.iter().take(longest + 1).position(|byte| *byte == b'"') else {
            return if rest.len() > longest { Some(None) } else { undecided };
        };
        let name = &rest[..end];
        let is_it =
            |format: &&&ObjectFormat| format.begins.iter().any(|begin| begin.as_bytes() == name);
        let Some(format) = FORMATS.iter().find(is_it).copied() else { return Some(None) };
        rest = rest[end + 1..].trim_ascii_start();
        for byte in format.opens {
            match rest.first() {
                None => return undecided,
                Some(found) if found != byte => return Some(None),
                Some(_) => rest = rest[1..].trim_ascii_start(),
            }
        }
        let Some(name) = format.has else { return Some(Some(format)) };
        // The object is searched from its brace on.
        let brace = memchr::memrchr(b'{', &bytes.bytes()[..bytes.bytes().len() - rest.len()]);
        match look(Chunk::whole(&bytes.bytes()[brace.unwrap_or_default()..]), 0, &[name]) {
            JsonSearch::Found(_) => Some(Some(format)),
            JsonSearch::Absent => Some(None),
            JsonSearch::Cut => undecided,
        }
    }

    /// Returns the name from the table, if some path or document has it.
    pub(super) fn known(&self, name: &[u8]) -> Option<&'static str> {
        let ways = self.roles.iter().flat_map(|(path, _)| path.iter());
        let names = ways.filter_map(|way| match way {
            In(name) => Some(*name),
            Each | Any => None,
        });
        let texts = notebook::OUTPUT.iter().map(|(name, _)| *name);
        names.chain(texts).chain(["text", "source"]).find(|known| known.as_bytes() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginnings() {
        let of = |text: &str, is_last| {
            ObjectFormat::of(Chunk::new(text.as_bytes(), 0, is_last)).map(|format| format.is_some())
        };
        for (text, is_one) in [
            ("{\"log\":{", true),
            ("\u{FEFF} \n{ \"Envelope\" : {\"", true),
            ("{\"Container\":{}", true),
            ("{\"log\":[", false),
            ("{\"log\": \"x\"", false),
            ("{\"logs\":{", false),
            ("[{\"log\":{", false),
            ("{\"a long name of a member\":{", false),
        ] {
            assert_eq!(of(text, true), Some(is_one), "{text}");
            assert_eq!(of(text, false), Some(is_one), "{text}");
            let cuts = (0..text.len()).filter(|cut| text.is_char_boundary(*cut));
            for cut in cuts {
                assert!(of(&text[..cut], false).is_none_or(|one| one == is_one), "{text} {cut}");
            }
        }
    }
}
