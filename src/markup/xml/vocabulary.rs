//! The places of XML vocabularies that hold IRIs, one per line, and the namespaces that identify the vocabularies.

use super::features::Features;
use crate::markup::Grammar;

/// A family of elements whose places are known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Vocabulary {
    /// No namespace, or none of these.
    Unknown,
    Rss,
    Content,
    FeedLink,
    Media,
    Podcast,
    Atom,
    Opml,
    Sitemap,
    Docbook,
    Relationships,
    Rdf,
    Schema,
    Kml,
    Xspf,
    Word,
    Drawing,
    Sheet,
    OdfText,
    OdfTable,
    Odf,
    Xliff,
    /// Text of other programs of Office with marks in it.
    MarkedText,
    Ncx,
    Tei,
    Xhtml,
    Svg,
    Mathml,
    // Vocabularies that have only attributes.
    Xlink,
    Instance,
    Grddl,
    Xml,
}

use Vocabulary::*;

/// Namespace names, without a slash or number sign at their end.
#[rustfmt::skip]
const NAMESPACES: [(&str, Vocabulary); 63] = [
    ("http://purl.org/rss/1.0", Rss),
    ("http://my.netscape.com/rdf/simple/0.9", Rss),
    ("http://channel.netscape.com/rdf/simple/0.9", Rss),
    ("http://my.netscape.com/publish/formats/rss-0.91.dtd", Rss),
    ("http://backend.userland.com/rss", Rss),
    ("http://backend.userland.com/rss2", Rss),
    ("http://blogs.law.harvard.edu/tech/rss", Rss),
    ("http://purl.org/rss/1.0/modules/content", Content),
    ("http://wellformedweb.org/CommentAPI", FeedLink),
    ("http://rssnamespace.org/feedburner/ext/1.0", FeedLink),
    ("http://madskills.com/public/xml/rss/module/trackback", FeedLink),
    ("http://backend.userland.com/creativeCommonsRssModule", FeedLink),
    ("http://backend.userland.com/blogChannelModule", FeedLink),
    ("http://www.itunes.com/dtds/podcast-1.0.dtd", Podcast),
    ("https://podcastindex.org/namespace/1.0", Podcast),
    ("http://search.yahoo.com/mrss", Media),
    ("http://www.w3.org/2005/Atom", Atom),
    ("http://purl.org/atom/ns", Atom),
    ("http://www.w3.org/2007/app", Atom),
    ("http://opml.org/spec2", Opml),
    ("http://www.sitemaps.org/schemas/sitemap/0.9", Sitemap),
    ("http://www.google.com/schemas/sitemap/0.84", Sitemap),
    ("http://www.google.com/schemas/sitemap-image/1.1", Sitemap),
    ("http://www.google.com/schemas/sitemap-video/1.1", Sitemap),
    ("http://docbook.org/ns/docbook", Docbook),
    ("http://schemas.openxmlformats.org/package/2006/relationships", Relationships),
    ("http://purl.oclc.org/ooxml/package/relationships", Relationships),
    ("http://www.w3.org/1999/02/22-rdf-syntax-ns", Rdf),
    ("http://www.w3.org/2001/XMLSchema", Schema),
    ("http://schemas.xmlsoap.org/wsdl", Schema),
    ("http://www.w3.org/ns/wsdl", Schema),
    ("http://www.opengis.net/kml/2.2", Kml),
    ("http://earth.google.com/kml/2.1", Kml),
    ("http://earth.google.com/kml/2.2", Kml),
    ("http://xspf.org/ns/0", Xspf),
    ("http://schemas.openxmlformats.org/wordprocessingml/2006/main", Word),
    ("http://purl.oclc.org/ooxml/wordprocessingml/main", Word),
    // Word 2003; the second has what was inserted and deleted in it.
    ("http://schemas.microsoft.com/office/word/2003/wordml", Word),
    ("http://schemas.microsoft.com/aml/2001/core", Word),
    ("http://schemas.openxmlformats.org/drawingml/2006/main", Drawing),
    ("http://purl.oclc.org/ooxml/drawingml/main", Drawing),
    ("http://schemas.openxmlformats.org/spreadsheetml/2006/main", Sheet),
    ("http://purl.oclc.org/ooxml/spreadsheetml/main", Sheet),
    ("urn:oasis:names:tc:opendocument:xmlns:text:1.0", OdfText),
    ("urn:oasis:names:tc:opendocument:xmlns:table:1.0", OdfTable),
    // RDF metadata of a package about its parts.
    ("http://docs.oasis-open.org/ns/office/1.2/meta/pkg", Odf),
    ("urn:oasis:names:tc:xliff:document:1.1", Xliff),
    ("urn:oasis:names:tc:xliff:document:1.2", Xliff),
    ("urn:oasis:names:tc:xliff:document:2.0", Xliff),
    // Excel 2003, whose cells have elements of HTML, and Visio.
    ("urn:schemas-microsoft-com:office:spreadsheet", MarkedText),
    ("http://www.w3.org/TR/REC-html40", MarkedText),
    ("http://schemas.microsoft.com/office/visio/2011/1/core", MarkedText),
    ("http://schemas.microsoft.com/office/visio/2012/main", MarkedText),
    ("http://schemas.microsoft.com/visio/2003/core", MarkedText),
    ("http://www.daisy.org/z3986/2005/ncx", Ncx),
    ("http://www.tei-c.org/ns/1.0", Tei),
    ("http://www.w3.org/2003/g/data-view", Grddl),
    ("http://www.w3.org/1999/xhtml", Xhtml),
    ("http://www.w3.org/2000/svg", Svg),
    ("http://www.w3.org/1998/Math/MathML", Mathml),
    ("http://www.w3.org/1999/xlink", Xlink),
    ("http://www.w3.org/2001/XMLSchema-instance", Instance),
    ("http://www.w3.org/XML/1998/namespace", Xml),
];

/// Prefix of the names of OpenDocument's namespaces.
const OPEN_DOCUMENT: &[u8] = b"urn:oasis:names:tc:opendocument:xmlns:";

/// Root elements that identify a document without a namespace.
const ROOTS: [(&str, Vocabulary); 10] = [
    ("rss", Rss),
    ("opml", Opml),
    ("urlset", Sitemap),
    ("sitemapindex", Sitemap),
    ("html", Xhtml),
    ("svg", Svg),
    ("math", Mathml),
    ("kml", Kml),
    ("playlist", Xspf),
    ("xliff", Xliff),
];

impl Vocabulary {
    /// Returns the vocabulary of a namespace name.
    pub(super) fn of_namespace(name: &[u8]) -> Vocabulary {
        let name = name.trim_ascii();
        let name = name.strip_suffix(b"/").or(name.strip_suffix(b"#")).unwrap_or(name);
        let found = NAMESPACES.iter().find(|(known, _)| known.as_bytes() == name);
        match found {
            Some((_, vocabulary)) => *vocabulary,
            None if name.starts_with(OPEN_DOCUMENT) => Odf,
            None => Unknown,
        }
    }

    /// Returns a number for the vocabulary, from which [`of_number`](Vocabulary::of_number) returns it.
    pub(super) fn number(self) -> u8 {
        let namespace = NAMESPACES.iter().position(|(_, known)| *known == self);
        namespace.map_or(0, |at| at as u8 + 1)
    }

    /// Returns the vocabulary with a number, if there is one.
    pub(super) fn of_number(number: u8) -> Option<Vocabulary> {
        let Some(at) = number.checked_sub(1) else { return Some(Unknown) };
        NAMESPACES.get(usize::from(at)).map(|(_, vocabulary)| *vocabulary)
    }

    /// Returns the vocabulary of a document whose first element has this name and no known namespace.
    pub(super) fn of_root(local: &[u8]) -> Vocabulary {
        let found = ROOTS.iter().find(|(root, _)| root.as_bytes().eq_ignore_ascii_case(local));
        found.map_or(Unknown, |(_, vocabulary)| *vocabulary)
    }

    /// Returns the vocabulary of a well-known prefix that is not declared.
    pub(super) fn of_prefix(prefix: &[u8]) -> Vocabulary {
        match prefix {
            b"xlink" => Xlink,
            b"xml" => Xml,
            b"rdf" => Rdf,
            b"xsi" => Instance,
            b"atom" => Atom,
            b"media" => Media,
            b"itunes" => Podcast,
            _ => Unknown,
        }
    }
}

#[derive(Clone, Copy)]
enum ElementCondition {
    Always,
    /// In an element with this name.
    In(&'static str),
    Html,
}

use ElementCondition::*;

/// Elements whose content is one IRI, or an HTML document.
#[rustfmt::skip]
const CONTENTS: [(Vocabulary, &str, Grammar, ElementCondition); 54] = [
    // RSS 0.9x, 1.0, 2.0. A `guid` may or may not be an IRI, whatever its attributes state.
    (Rss, "link", Grammar::Url, Always),
    (Rss, "comments", Grammar::Url, Always),
    (Rss, "docs", Grammar::Url, Always),
    (Rss, "guid", Grammar::AbsoluteOnly, Always),
    (Rss, "url", Grammar::Url, In("image")),
    (Rss, "description", Grammar::Srcdoc, Always),
    // Its modules.
    (Content, "encoded", Grammar::Srcdoc, Always),
    (FeedLink, "comment", Grammar::Url, Always),
    (FeedLink, "commentRss", Grammar::Url, Always),
    (FeedLink, "origLink", Grammar::Url, Always),
    (FeedLink, "origEnclosureLink", Grammar::Url, Always),
    (FeedLink, "ping", Grammar::Url, Always),
    (FeedLink, "about", Grammar::Url, Always),
    (FeedLink, "license", Grammar::Url, Always),
    (FeedLink, "blogRoll", Grammar::Url, Always),
    (FeedLink, "mySubscriptions", Grammar::Url, Always),
    (FeedLink, "blink", Grammar::Url, Always),
    (FeedLink, "changes", Grammar::Url, Always),
    (Podcast, "new-feed-url", Grammar::Url, Always),
    (Podcast, "summary", Grammar::Srcdoc, Always),
    (Media, "description", Grammar::Srcdoc, Html),
    (Media, "title", Grammar::Srcdoc, Html),
    (Media, "text", Grammar::Srcdoc, Html),
    // Atom 0.3 and 1.0.
    (Atom, "id", Grammar::AbsoluteOnly, Always),
    (Atom, "uri", Grammar::Url, Always),
    (Atom, "url", Grammar::Url, Always),
    (Atom, "icon", Grammar::Url, Always),
    (Atom, "logo", Grammar::Url, Always),
    (Atom, "content", Grammar::Srcdoc, Html),
    (Atom, "summary", Grammar::Srcdoc, Html),
    (Atom, "title", Grammar::Srcdoc, Html),
    (Atom, "subtitle", Grammar::Srcdoc, Html),
    (Atom, "tagline", Grammar::Srcdoc, Html),
    (Atom, "rights", Grammar::Srcdoc, Html),
    // Only Atom 0.3.
    (Atom, "info", Grammar::Srcdoc, Html),
    (Atom, "copyright", Grammar::Srcdoc, Html),
    (Opml, "docs", Grammar::Url, Always),
    (Opml, "ownerId", Grammar::Url, Always),
    (Sitemap, "loc", Grammar::Url, Always),
    (Sitemap, "license", Grammar::Url, Always),
    (Sitemap, "thumbnail_loc", Grammar::Url, Always),
    (Sitemap, "content_loc", Grammar::Url, Always),
    (Sitemap, "player_loc", Grammar::Url, Always),
    (Sitemap, "gallery_loc", Grammar::Url, Always),
    (Kml, "href", Grammar::Url, Always),
    (Kml, "styleUrl", Grammar::Url, Always),
    (Xspf, "location", Grammar::Url, Always),
    (Xspf, "image", Grammar::Url, Always),
    (Xspf, "info", Grammar::Url, Always),
    // Deleted text is in the middle of a text that continues without it.
    (Word, "delText", Grammar::Running, Always),
    (Word, "instrText", Grammar::Field, Always),
    (Word, "delInstrText", Grammar::Field, Always),
    (Sheet, "f", Grammar::Formula, Always),
    (Sheet, "oldFormula", Grammar::Formula, Always),
];

/// Purpose of an attribute without a prefix.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AttributeUse {
    Holds(Grammar),
    /// An IRI, if the `TargetMode` of its tag states that it leads out of the package.
    HoldsIfExternal(Grammar),
    /// An IRI that is a name and does not lead anywhere.
    Names,
}

const URL: AttributeUse = AttributeUse::Holds(Grammar::Url);

/// Attributes without a prefix; `*` is any element. `href` and `src` count on all elements.
#[rustfmt::skip]
const ATTRIBUTES: [(Vocabulary, &str, &str, AttributeUse); 55] = [
    (Rss, "enclosure", "url", URL),
    (Rss, "source", "url", URL),
    (Rss, "image", "resource", URL),
    (Media, "*", "url", URL),
    (Podcast, "*", "url", URL),
    (Podcast, "*", "img", URL),
    (Podcast, "source", "uri", URL),
    (Atom, "generator", "uri", URL),
    (Atom, "generator", "url", URL),
    (Atom, "category", "scheme", URL),
    (Atom, "link", "rel", AttributeUse::Names),
    (Opml, "outline", "xmlUrl", URL),
    (Opml, "outline", "htmlUrl", URL),
    (Opml, "outline", "url", URL),
    (Sitemap, "uploader", "info", URL),
    (Docbook, "ulink", "url", URL),
    (Docbook, "imagedata", "fileref", URL),
    (Docbook, "graphic", "fileref", URL),
    (Docbook, "inlinegraphic", "fileref", URL),
    (Docbook, "videodata", "fileref", URL),
    (Docbook, "audiodata", "fileref", URL),
    (Docbook, "textdata", "fileref", URL),
    // DocBook before 5 has no namespace.
    (Unknown, "ulink", "url", URL),
    (Unknown, "imagedata", "fileref", URL),
    (Unknown, "graphic", "fileref", URL),
    (Unknown, "inlinegraphic", "fileref", URL),
    (Unknown, "videodata", "fileref", URL),
    (Unknown, "audiodata", "fileref", URL),
    (Unknown, "textdata", "fileref", URL),
    (Relationships, "Relationship", "Target", AttributeUse::HoldsIfExternal(Grammar::Url)),
    (Relationships, "Relationship", "Type", AttributeUse::Names),
    // Schemas, extensions and settings of Office; algorithms and kinds of signatures; classes of RDF.
    (Unknown, "graphicData", "uri", AttributeUse::Names),
    (Unknown, "ext", "uri", AttributeUse::Names),
    (Unknown, "compatSetting", "uri", AttributeUse::Names),
    (Unknown, "schemaRef", "uri", AttributeUse::Names),
    (Unknown, "smartTag", "uri", AttributeUse::Names),
    (Unknown, "dataModelExt", "minVer", AttributeUse::Names),
    (Unknown, "*", "Algorithm", AttributeUse::Names),
    (Unknown, "Reference", "Type", AttributeUse::Names),
    (Rdf, "type", "resource", AttributeUse::Names),
    // Prefixes of EPUB with the names that they stand for, and those of the schemas that a workbook maps.
    (Unknown, "package", "prefix", AttributeUse::Names),
    (Unknown, "MapInfo", "SelectionNamespaces", AttributeUse::Names),
    (Word, "hlink", "dest", URL),
    (Word, "fldSimple", "instr", AttributeUse::Holds(Grammar::Field)),
    (MarkedText, "*", "formula", AttributeUse::Holds(Grammar::Formula)),
    (OdfTable, "*", "formula", AttributeUse::Holds(Grammar::Formula)),
    (Rdf, "*", "about", URL),
    (Rdf, "*", "resource", URL),
    (Rdf, "*", "datatype", URL),
    (Schema, "*", "schemaLocation", URL),
    (Schema, "*", "location", URL),
    (Schema, "*", "source", URL),
    (Kml, "*", "targetHref", URL),
    (Unknown, "*", "namespace", AttributeUse::Names),
    (Unknown, "*", "targetNamespace", AttributeUse::Names),
];

/// Returns the grammar of an element's content.
pub(super) fn content(
    vocabulary: Vocabulary,
    local: &[u8],
    parent: &[u8],
    features: Features,
) -> Option<Grammar> {
    // Most elements are not in these vocabularies.
    if !has_contents(vocabulary) {
        return None;
    }
    let fits = |when: ElementCondition| match when {
        Always => true,
        In(name) => name.as_bytes().eq_ignore_ascii_case(parent),
        Html => features.html || features.base64 && features.plain,
    };
    let line = CONTENTS.iter().find(|(of, element, _, when)| {
        *of == vocabulary && element.as_bytes().eq_ignore_ascii_case(local) && fits(*when)
    });
    line.map(|(_, _, grammar, when)| match (grammar, when) {
        (Grammar::Srcdoc, Html) if features.base64 && features.html => Grammar::Base64Html,
        (Grammar::Srcdoc, Html) if features.base64 => Grammar::Base64Text,
        _ => *grammar,
    })
}

/// Returns `true` if the content of an element with this name may be an IRI or a document.
pub(super) fn is_content(vocabulary: Vocabulary, local: &[u8]) -> bool {
    let is_it = |(of, element, ..): &(Vocabulary, &str, Grammar, ElementCondition)| {
        *of == vocabulary && element.as_bytes().eq_ignore_ascii_case(local)
    };
    has_contents(vocabulary) && CONTENTS.iter().any(is_it)
}

/// Returns `true` if the content of any element of a vocabulary is an IRI or a document.
fn has_contents(vocabulary: Vocabulary) -> bool {
    const ARE_LISTED: u32 = {
        let (mut listed, mut at) = (0, 0);
        while at < CONTENTS.len() {
            listed |= 1 << CONTENTS[at].0 as u32;
            at += 1;
        }
        listed
    };
    ARE_LISTED >> vocabulary as u32 & 1 == 1
}

/// Returns `true` if an attribute of the list may have this name, or if it is `href` or `src`.
fn may_be_listed(name: &[u8]) -> bool {
    const LENGTHS: [u32; 32] = lengths(Listed::All);
    is_of(&LENGTHS, name)
}

/// Returns `true` if an attribute with this name and without a prefix may hold an IRI, whatever its value.
pub(super) fn may_hold(name: &[u8]) -> bool {
    const LENGTHS: [u32; 32] = lengths(Listed::Holding);
    is_of(&LENGTHS, name)
}

/// Returns `true` if one of the names with this length begins with this letter.
fn is_of(lengths: &[u32; 32], name: &[u8]) -> bool {
    let lengths = name.first().map_or(0, |first| lengths[usize::from(first & 0x1F)]);
    name.len() < 32 && lengths >> name.len() & 1 == 1
}

/// Subset of the rows of the list of attributes.
#[derive(Clone, Copy)]
enum Listed {
    All,
    Holding,
}

/// Returns the lengths of the names that begin with a letter, a bit for each.
const fn lengths(listed: Listed) -> [u32; 32] {
    let mut lengths = [0; 32];
    let mut at = 0;
    while at < ATTRIBUTES.len() + 2 {
        let (name, holds) = match at.checked_sub(2) {
            Some(at) => {
                (ATTRIBUTES[at].2.as_bytes(), !matches!(ATTRIBUTES[at].3, AttributeUse::Names))
            }
            None => ([b"href".as_slice(), b"src"][at], true),
        };
        assert!(name.len() < 32);
        if holds || matches!(listed, Listed::All) {
            lengths[(name[0] & 0x1F) as usize] |= 1 << name.len();
        }
        at += 1;
    }
    lengths
}

/// Returns the use of an attribute without a prefix, or with that of its element.
pub(super) fn attribute(vocabulary: Vocabulary, local: &[u8], name: &[u8]) -> Option<AttributeUse> {
    // Nearly all attributes are not listed.
    if !may_be_listed(name) {
        return None;
    }
    // The names of namespaces may be in any vocabulary.
    let is_of =
        |of: Vocabulary, what: AttributeUse| of == vocabulary || what == AttributeUse::Names;
    let line = ATTRIBUTES.iter().find(|(of, element, attribute, what)| {
        is_of(*of, *what)
            && attribute.as_bytes().eq_ignore_ascii_case(name)
            && (*element == "*" || element.as_bytes().eq_ignore_ascii_case(local))
    });
    match line {
        Some((.., what)) => Some(*what),
        None if name.eq_ignore_ascii_case(b"href") || name.eq_ignore_ascii_case(b"src") => {
            Some(URL)
        }
        None => None,
    }
}

/// Returns the use of an attribute whose prefix is bound to one of these.
pub(super) fn prefixed(of: Vocabulary, name: &[u8]) -> Option<AttributeUse> {
    let what = match (of, name) {
        (Xlink, b"href" | b"role" | b"arcrole") => URL,
        (Rdf, b"about" | b"resource" | b"datatype") => URL,
        (MarkedText, b"Formula") => AttributeUse::Holds(Grammar::Formula),
        (Instance, b"noNamespaceSchemaLocation") => URL,
        // Pairs of a namespace's name and a location, qualified names, programs that convert a document to RDF.
        (Instance | Grddl | Xml, _) => AttributeUse::Names,
        _ => return None,
    };
    Some(what)
}

/// Returns `true` if a reference in an element of this vocabulary may lead to a part of the package that contains it.
pub(super) fn is_packaged(vocabulary: Vocabulary) -> bool {
    matches!(vocabulary, OdfText | OdfTable | Odf)
}

/// Returns `true` if the text of an element is what a reader sees, without HTML; `None` means: as in the element around it.
pub(super) fn is_prose(vocabulary: Vocabulary, features: Features) -> Option<bool> {
    Some(match vocabulary {
        Unknown => return None,
        Xhtml | Svg | Mathml | Docbook | Word | Drawing | Sheet | OdfText | OdfTable | Odf
        | MarkedText => true,
        Atom | Media => features.text,
        _ => false,
    })
}

/// Returns `true` if its attributes are those of HTML's table.
pub(super) fn is_web(vocabulary: Vocabulary) -> bool {
    matches!(vocabulary, Vocabulary::Xhtml | Vocabulary::Svg | Vocabulary::Mathml)
}
