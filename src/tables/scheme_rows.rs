//! Facts about single schemes, each in one row: add a scheme here.
//!
//! A row has the scheme's name, the document that defines it, the requirements on its IRIs (`rules`, `port`, `body`), the
//! form that is a link in text without `//` (`alone`) and in a value of unknown meaning (`value`), and exceptions from these
//! (`traits`). Its status is that of the registry, in `scheme_list`, which must have a line for it before the row compiles
//! (`tests/it/tables/schemes.tsv`). Everything else that depends on the set of schemes is computed from these rows at
//! compile time; schemes without a row have no rules.

/// Status of a scheme: that of IANA, or [`Unofficial`](Self::Unofficial).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Status {
    /// Registered permanently.
    Permanent,
    /// Registered provisionally.
    Provisional,
    /// Registered, and no longer used.
    Historical,
    /// Not registered, but in wide use.
    Unofficial,
}

/// Row of the table: all facts about a scheme.
#[derive(Clone, Copy, Debug)]
pub struct SchemeRow {
    /// Name in lower case.
    pub name: &'static str,
    /// The document and section, for readers of the table.
    pub section: &'static str,
    /// Requirements on its IRIs: [`AUTHORITY`] and so on.
    pub rules: u16,
    /// Default port; 0 without one.
    pub port: u16,
    /// How the part after the colon is checked.
    pub body: SchemeBody,
    /// Form that is a link in running text without `//`, if there is one.
    pub form: Option<SchemeForm>,
    /// In an XML attribute that no vocabulary knows: what must follow the colon, if the scheme has no `//`. There `geo:lat` may
    /// be a qualified name. Without a shape such a value is never an IRI.
    pub shape: Option<SchemeShape>,
    /// Flags of exceptions from the rules: [`GLUED`] and so on.
    pub traits: u16,
}

impl SchemeRow {
    /// Returns `true` if it has this trait.
    pub const fn is(&self, a_trait: u16) -> bool {
        self.traits & a_trait != 0
    }
}

/// An authority is required.
pub const AUTHORITY: u16 = 1;
/// An authority is forbidden.
pub const NO_AUTHORITY: u16 = 2;
/// The host must not be empty.
pub const HOST: u16 = 4;
/// The host is a domain name or an address, so that IDNA and IPv4 apply to it.
pub const DOMAIN: u16 = 8;
/// No userinfo.
pub const NO_USERINFO: u16 = 16;
/// No port.
pub const NO_PORT: u16 = 32;
/// No fragment.
pub const NO_FRAGMENT: u16 = 64;
/// No query.
pub const NO_QUERY: u16 = 128;
/// An empty path is `/`.
pub const ROOT: u16 = 256;
/// The host `localhost` is equivalent to an empty one.
pub const LOCALHOST: u16 = 512;
/// The rules that servers on the Internet have in common (RFC 3986 §3.2).
pub const SERVER: u16 = AUTHORITY | HOST | DOMAIN;

/// In a value of markup: passed to a program, even if it violates the rules.
pub const HANDED_OVER: u16 = 256;
/// In running text: no userinfo.
pub const NO_USERINFO_IN_TEXT: u16 = 1;
/// In running text: the host may be empty.
pub const EMPTY_HOST: u16 = 2;
/// In running text: also found if other characters of a scheme directly precede it.
pub const GLUED: u16 = 4;
/// A link in running text must meet all rules, which the scan checks.
pub const HELD_BY_SCAN: u16 = 8;
/// The query is in the document's encoding (3987bis §3.5).
pub const QUERY_CHARSET: u16 = 16;
/// Written in this form to prevent a link.
pub const DEFANGED: u16 = 32;
/// In a value of markup its rules do not apply: the values of pages are for programs, or are URLs that map services
/// generate.
pub const FREE_IN_VALUES: u16 = 64;
/// In a value of markup that may be an IRI or a word (`content` of a `meta`): accepted without `//`.
pub const ALONE_IN_VALUES: u16 = 128;

/// How the part after the colon is checked, according to the scheme's document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "each is named for what its document calls it")]
pub enum SchemeBody {
    Any,
    AddrSpec,
    Data,
    Doi,
    Geo,
    Info,
    Ldap,
    Magnet,
    Mailto,
    News,
    Ni,
    Rooted,
    Sip,
    Sms,
    Tag,
    Tel,
    Urn,
    Xmpp,
}

/// The form that a link without `//` needs after its colon in running text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the scan says of each what it is")]
pub enum SchemeForm {
    Number,
    Sip,
    Urn,
    News,
    MessageId,
    Magnet,
    Mailto,
    Geo,
    Data,
    Doi,
    Bitcoin,
    Matrix,
    File,
}

/// The shape that distinguishes a value of unknown meaning from the prefix of a qualified name (`geo:lat`, `data:table`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemeShape {
    /// An `@` at any position.
    At,
    /// A colon at any position.
    Colon,
    /// A comma at any position.
    Comma,
    /// A digit or a sign at the beginning.
    Number,
    /// A `?` at the beginning.
    Query,
}

const fn scheme(name: &'static str, section: &'static str) -> SchemeRow {
    SchemeRow {
        name,
        section,
        rules: 0,
        port: 0,
        body: SchemeBody::Any,
        form: None,
        shape: None,
        traits: 0,
    }
}

impl SchemeRow {
    const fn rules(self, rules: u16) -> SchemeRow {
        SchemeRow { rules, ..self }
    }

    const fn port(self, port: u16) -> SchemeRow {
        SchemeRow { port, ..self }
    }

    const fn body(self, body: SchemeBody) -> SchemeRow {
        SchemeRow { body, ..self }
    }

    const fn alone(self, form: SchemeForm) -> SchemeRow {
        SchemeRow { form: Some(form), ..self }
    }

    const fn value(self, shape: SchemeShape) -> SchemeRow {
        SchemeRow { shape: Some(shape), ..self }
    }

    const fn traits(self, traits: u16) -> SchemeRow {
        SchemeRow { traits, ..self }
    }
}

/// Sorted by name.
#[rustfmt::skip]
pub(super) const ROWS: &[SchemeRow] = &[
    scheme("acct", "RFC 7565 §7").rules(NO_AUTHORITY | NO_QUERY | NO_FRAGMENT).body(SchemeBody::AddrSpec).alone(SchemeForm::MessageId),
    scheme("bitcoin", "BIP 21").alone(SchemeForm::Bitcoin),
    scheme("cid", "RFC 2392 §2").rules(NO_AUTHORITY | NO_QUERY).body(SchemeBody::AddrSpec).alone(SchemeForm::MessageId).traits(HANDED_OVER),
    scheme("coap", "RFC 7252 §6.1").rules(SERVER | NO_USERINFO | NO_FRAGMENT | ROOT).port(5683),
    scheme("coaps", "RFC 7252 §6.2").rules(SERVER | NO_USERINFO | NO_FRAGMENT | ROOT).port(5684),
    scheme("data", "RFC 2397 §3").rules(NO_AUTHORITY).body(SchemeBody::Data).alone(SchemeForm::Data).value(SchemeShape::Comma).traits(FREE_IN_VALUES | ALONE_IN_VALUES),
    scheme("dict", "RFC 2229 §5").rules(SERVER | ROOT).port(2628),
    scheme("dns", "RFC 4501 §3"),
    scheme("doi", "ISO 26324 §4").rules(NO_AUTHORITY).body(SchemeBody::Doi).alone(SchemeForm::Doi).traits(ALONE_IN_VALUES),
    scheme("file", "RFC 8089 §2").rules(DOMAIN | NO_USERINFO | NO_PORT | LOCALHOST).body(SchemeBody::Rooted).alone(SchemeForm::File).traits(EMPTY_HOST),
    scheme("ftp", "RFC 1738 §3.2").rules(SERVER | ROOT).port(21).traits(HELD_BY_SCAN | GLUED),
    scheme("geo", "RFC 5870 §3.3").rules(NO_AUTHORITY | NO_QUERY).body(SchemeBody::Geo).alone(SchemeForm::Geo).value(SchemeShape::Number).traits(FREE_IN_VALUES | ALONE_IN_VALUES),
    scheme("git", "git-clone(1)").rules(SERVER).port(9418),
    scheme("gopher", "RFC 4266 §2.1").rules(SERVER | ROOT).port(70),
    scheme("http", "RFC 9110 §4.2.1").rules(SERVER | ROOT).port(80).traits(NO_USERINFO_IN_TEXT | HELD_BY_SCAN | GLUED | QUERY_CHARSET),
    scheme("https", "RFC 9110 §4.2.2").rules(SERVER | ROOT).port(443).traits(NO_USERINFO_IN_TEXT | HELD_BY_SCAN | GLUED | QUERY_CHARSET),
    scheme("hxxp", "draft-salgado-hxxp").traits(DEFANGED),
    scheme("hxxps", "draft-salgado-hxxp").traits(DEFANGED),
    scheme("imap", "RFC 5092 §11").rules(SERVER).port(143),
    scheme("info", "RFC 4452 §3").rules(NO_AUTHORITY).body(SchemeBody::Info),
    scheme("ipp", "RFC 3510 §4.3").rules(SERVER).port(631),
    scheme("irc", "draft-butcher-irc-url-04 §2.1").rules(SERVER).port(6667),
    scheme("ircs", "draft-butcher-irc-url-04 §2.1").rules(SERVER).port(6697),
    scheme("javascript", "draft-hoehrmann-javascript-scheme").traits(FREE_IN_VALUES),
    scheme("ldap", "RFC 4516 §2").rules(AUTHORITY | DOMAIN | NO_USERINFO).port(389).body(SchemeBody::Ldap),
    scheme("ldaps", "RFC 4516 §2").rules(AUTHORITY | DOMAIN | NO_USERINFO).port(636).body(SchemeBody::Ldap),
    scheme("magnet", "BEP 9").rules(NO_AUTHORITY).body(SchemeBody::Magnet).alone(SchemeForm::Magnet).value(SchemeShape::Query).traits(ALONE_IN_VALUES),
    scheme("mailto", "RFC 6068 §2").rules(NO_AUTHORITY).body(SchemeBody::Mailto).alone(SchemeForm::Mailto).value(SchemeShape::At).traits(HANDED_OVER | ALONE_IN_VALUES),
    scheme("matrix", "MSC 2312").alone(SchemeForm::Matrix),
    scheme("mid", "RFC 2392 §2").rules(NO_AUTHORITY | NO_QUERY).body(SchemeBody::AddrSpec).alone(SchemeForm::MessageId).traits(HANDED_OVER),
    scheme("news", "RFC 5538 §3").rules(DOMAIN).port(119).body(SchemeBody::News).alone(SchemeForm::News).traits(HANDED_OVER | ALONE_IN_VALUES),
    scheme("nfs", "RFC 2224 §2").rules(SERVER).port(2049),
    scheme("ni", "RFC 6920 §3").rules(AUTHORITY | DOMAIN | NO_FRAGMENT).body(SchemeBody::Ni),
    scheme("nntp", "RFC 5538 §4").rules(SERVER).port(119),
    scheme("pop", "RFC 2384 §4").rules(SERVER).port(110),
    scheme("rsync", "RFC 5781 §2").rules(SERVER).port(873),
    scheme("rtsp", "RFC 7826 §4.2").rules(SERVER).port(554),
    scheme("rtsps", "RFC 7826 §4.2").rules(SERVER).port(322),
    scheme("sftp", "draft-ietf-secsh-scp-sftp-ssh-uri-04 §3").rules(SERVER).port(22),
    scheme("sip", "RFC 3261 §25.1").rules(NO_AUTHORITY | NO_FRAGMENT).body(SchemeBody::Sip).alone(SchemeForm::Sip).traits(HANDED_OVER),
    scheme("sips", "RFC 3261 §25.1").rules(NO_AUTHORITY | NO_FRAGMENT).body(SchemeBody::Sip).alone(SchemeForm::Sip).traits(HANDED_OVER),
    scheme("sms", "RFC 5724 §2.2").rules(NO_AUTHORITY | NO_FRAGMENT).body(SchemeBody::Sms).alone(SchemeForm::Number).value(SchemeShape::Number).traits(HANDED_OVER | ALONE_IN_VALUES),
    scheme("snmp", "RFC 4088 §2").rules(SERVER).port(161),
    scheme("ssh", "draft-ietf-secsh-scp-sftp-ssh-uri-04 §3").rules(SERVER).port(22),
    scheme("svn", "svn(1)").rules(SERVER).port(3690),
    scheme("tag", "RFC 4151 §2.1").rules(NO_AUTHORITY).body(SchemeBody::Tag).value(SchemeShape::Comma).traits(ALONE_IN_VALUES),
    scheme("tel", "RFC 3966 §3").rules(NO_AUTHORITY | NO_QUERY).body(SchemeBody::Tel).alone(SchemeForm::Number).value(SchemeShape::Number).traits(HANDED_OVER | ALONE_IN_VALUES),
    scheme("telnet", "RFC 4248 §2").rules(SERVER | ROOT).port(23),
    scheme("tftp", "RFC 3617 §3").rules(SERVER).port(69),
    scheme("urn", "RFC 8141 §2").rules(NO_AUTHORITY).body(SchemeBody::Urn).alone(SchemeForm::Urn).value(SchemeShape::Colon).traits(HANDED_OVER | ALONE_IN_VALUES),
    scheme("ws", "RFC 6455 §3").rules(SERVER | NO_USERINFO | NO_FRAGMENT | ROOT).port(80).traits(NO_USERINFO_IN_TEXT | HELD_BY_SCAN),
    scheme("wss", "RFC 6455 §3").rules(SERVER | NO_USERINFO | NO_FRAGMENT | ROOT).port(443).traits(NO_USERINFO_IN_TEXT | HELD_BY_SCAN),
    scheme("xmpp", "RFC 5122 §2.2").body(SchemeBody::Xmpp).alone(SchemeForm::Sip).traits(HANDED_OVER | ALONE_IN_VALUES),
];
