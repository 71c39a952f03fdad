//! The settings: their names, what they set, their values and their meaning.
//!
//! This is the one list of them. The library makes its setter, its names and its documentation from it, and the test
//! `declared` the types and the documentation of the bindings.

/// Calls a macro with all settings, after arguments for it: `"name" => part.method(reader): "values", "meaning";`.
///
/// [`Settings`](super::Settings) has the part, and a reader makes the method's argument of a value.
macro_rules! settings {
    ($then:ident $($arguments:tt)*) => { $then! { ($($arguments)*)
        "schemes" => finder.schemes(schemes): "`known`, `any`, names separated by commas", "schemes of links";
        "schemeless" => finder.schemeless(flag): "`yes`, `no`", "whether hosts without a scheme are links";
        "emails" => finder.emails(flag): "`yes`, `no`", "whether e-mail addresses are links";
        "default-scheme" => finder.default_scheme(scheme): "a scheme", "scheme of hosts without one";
        "boundaries" => finder.boundaries(word): "`prose`, `uts58`", "rules for the end of a link";
        "userinfo" => finder.userinfo(word): "`refuse`, `warn`", "treatment of http links with user information in running text";
        "references" => finder.references(word): "`auto`, `never`", "whether character references are resolved";
        "host" => finder.host(word): "`ascii`, `percent`, `unicode`", "form of non-ASCII hosts in URIs";
        "forbidden" => finder.forbidden_characters(word): "`encode`, `refuse`", "treatment of ASCII characters that URIs forbid";
        "query-charset" => finder.query_charset(query_charset): "`auto`, `utf-8`", "encoding of queries: that of the document, or UTF-8";
        "lazy" => finder.lazy_images(flag): "`yes`, `no`", "whether addresses in `data-src` and similar attributes are links";
        "max-link" => finder.max_link(bytes): "a number of bytes", "length of the longest link";
        #[cfg(feature = "known-hosts")]
        "known-hosts" => finder.known_hosts(known_hosts): "hosts separated by commas or line ends; `#` begins a comment (feature `known-hosts`)", "hosts that others must not resemble";
        "format" => hints.format(word): "`auto`, `text`, `html` and so on; default here: `auto`", "format of documents";
        "charset" => hints.charset(word): "a label of the Encoding Standard", "encoding of documents, as an HTTP or MIME header declares it";
        "base" => hints.base(iri): "an IRI, read as a browser reads it", "base of relative references";
        "name" => hints.name(text): "a file name", "name of documents, whose extension can decide the format";
        "text" => hints.text(flag): "`yes`, `no`", "whether running text of markup is read";
        "positions" => hints.positions(flag): "`yes`, `no`", "whether links have a line and a column";
        "columns" => hints.columns(word): "`bytes`, `chars`, `utf16`", "unit that columns count; implies `positions`";
        "pages" => hints.pages(word): "`2-5`, `2-`, `2`", "pages that are read of each PDF";
        "pdf" => hints.pdf(flag): "`yes`, `no`", "whether PDF is read";
        "details" => hints.details(flag): "`yes`, `no`", "whether links have their visible text and relation";
        "salvage" => hints.salvage(flag): "`yes`, `no`", "whether binary data are searched for links with a scheme";
        "headers" => hints.headers(word): "`none`, `links`, `all` (feature `mail`)", "header fields of messages that are read";
        "alternatives" => hints.alternatives(word): "`all`, `best` (feature `mail`)", "parts of `multipart/alternative` that are read";
        "join-wrapped" => hints.join_wrapped(word): "`auto`, `never` (feature `mail`)", "whether links in `<…>` that are broken over lines are joined";
        "class" => linkify.class(text): "the attribute's value", "attribute `class` of links in HTML";
        "target" => linkify.target(text): "the attribute's value", "attribute `target` of links in HTML";
        "rel" => linkify.rel(text): "the attribute's value", "attribute `rel` of links in HTML";
        "newlines" => linkify.newlines(word): "`keep`, `break`", "treatment of line ends in HTML";
        "citations" => linkify.citations(flag): "`yes`, `no`", "whether lines that begin with `>` become `blockquote` elements";
        "linkify-schemes" => linkify.schemes(scheme_names): "names separated by commas", "schemes of links that are marked in HTML";
        "linkify-join-wrapped" => linkify.join_wrapped(flag): "`yes`, `no` (feature `mail`)", "whether links in `<…>` that are broken over lines are one link in HTML";
        "on-suspect" => linkify.on_suspect(word): "`link`, `mark`, `text`", "treatment of links that deceive, or may";
        "emphasize-host" => linkify.emphasize_host(flag): "`yes`, `no`", "whether the registered part of a host is in a `b` element";
        "isolate" => linkify.isolate(flag): "`yes`, `no`", "whether the text of a link is in a `bdi` element next to right-to-left scripts";
    } };
}

pub(super) use settings;
