"""Finds IRIs, URLs and e-mail addresses in text, documents, mail and archives of any charset."""

from collections.abc import Iterable, Iterator, Sequence
from os import PathLike
from typing import Any, Literal, Protocol, TypeAlias, TypedDict, final

from typing_extensions import Buffer, Unpack

__all__ = [
    "SETTINGS",
    "UNICODE_VERSION",
    "Batch",
    "CharsetError",
    "Finder",
    "Finding",
    "InternalError",
    "Link",
    "Links",
    "Rejected",
    "Scan",
    "Table",
    "__version__",
    "arrow",
    "candidates",
    "document",
    "find",
    "linkify",
    "linkify_html",
    "links",
    "mailbox",
    "message",
    "scan_paths",
    "uris",
]

__version__: str
UNICODE_VERSION: tuple[int, int, int]
"""The version of Unicode by which characters are judged."""
SETTINGS: tuple[str, ...]
"""The names of all settings."""

_Source: TypeAlias = str | Buffer
_Path: TypeAlias = str | bytes | PathLike[str] | PathLike[bytes]
_Severity: TypeAlias = Literal["note", "suspect", "deceptive"]
_Kind: TypeAlias = Literal["iri", "schemeless", "email", "reference"]
_Errors: TypeAlias = Literal["raise", "skip", "rows"]
_Flag: TypeAlias = bool | Literal["yes", "no"]

class _Array(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

class _Stream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

_Column: TypeAlias = _Array | _Stream | Iterable[str | None] | Iterable[bytes | None]

class _Settings(TypedDict, total=False):
    schemes: str | Iterable[str] | None
    schemeless: _Flag | None
    emails: _Flag | None
    default_scheme: str | None
    boundaries: Literal["prose", "uts58"] | None
    references: Literal["auto", "never"] | None
    host: Literal["ascii", "percent", "unicode"] | None
    forbidden: Literal["encode", "refuse"] | None
    query_charset: Literal["auto", "utf-8"] | None
    userinfo: Literal["refuse", "warn"] | None
    max_link: int | None
    known_hosts: str | Iterable[str] | None
    format: (
        Literal[
            "auto",
            "text",
            "code",
            "html",
            "xml",
            "css",
            "json",
            "csv",
            "markdown",
            "calendar",
            "vcard",
            "email",
            "mbox",
        ]
        | None
    )
    charset: str | None
    base: str | None
    name: str | None
    text: _Flag | None
    lazy: _Flag | None
    positions: _Flag | None
    headers: Literal["none", "links", "all"] | None
    alternatives: Literal["all", "best"] | None
    join_wrapped: Literal["auto", "never"] | None

class _LinkifySettings(_Settings, total=False):
    class_: str | None
    target: str | None
    rel: str | None
    newlines: Literal["keep", "break"] | None
    citations: _Flag | None
    linkify_schemes: str | Iterable[str] | None
    linkify_join_wrapped: _Flag | None
    on_suspect: Literal["link", "mark", "text"] | None
    emphasize_host: _Flag | None
    isolate: _Flag | None

class CharsetError(ValueError):
    """A document declares an encoding that nothing can be decoded from, such as iso-2022-kr."""

class InternalError(RuntimeError):
    """A defect of linksift; please report it with the input that shows it."""

@final
class Finding:
    """One thing that deceives in a link."""

    @property
    def warning(self) -> str:
        """The code of the warning."""
    @property
    def severity(self) -> _Severity:
        """How much it matters."""
    @property
    def start(self) -> int:
        """Where it begins, in characters of the link's `iri`."""
    @property
    def end(self) -> int:
        """Where it ends."""
    @property
    def what(self) -> str | None:
        """What is there: two scripts, a host, an address; `None`: the text itself."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

class _Found:
    @property
    def start(self) -> int:
        """Where it begins: characters of a `str`, stored bytes of bytes."""
    @property
    def end(self) -> int:
        """Where it ends: `source[start:end]` is the link as written."""
    @property
    def raw(self) -> str:
        """As written: decoded, character references not resolved."""
    @property
    def iri(self) -> str:
        """The IRI; of a rejected candidate: as far as it got."""
    @property
    def kind(self) -> _Kind:
        """What it is by the way it is written."""
    @property
    def context(self) -> str:
        """Where it stood: `text`, `a@href`, `header:list-unsubscribe` and so on."""
    @property
    def charset(self) -> str:
        """What the input was decoded from: the WHATWG name in lower case."""
    @property
    def warnings(self) -> tuple[str, ...]:
        """The codes of what a reader should know."""
    @property
    def findings(self) -> tuple[Finding, ...]:
        """What of it deceives: each of its warnings with its place."""
    @property
    def severity(self) -> _Severity | None:
        """The greatest severity of its warnings."""
    @property
    def line(self) -> int | None:
        """The line that it begins in, from 1, with `positions=True`."""
    @property
    def column(self) -> int | None:
        """Its place in that line, from 1: in characters of a `str`, in bytes of bytes."""
    @property
    def member(self) -> str | None:
        """The member of an archive that holds it, steps joined by `!`."""
    @property
    def member_bytes(self) -> bytes | None:
        """The bytes of that name, if they are not UTF-8."""
    @property
    def part(self) -> str | None:
        """The place in a mailbox or message, such as `12!1.2`."""
    @property
    def transfer(self) -> str | None:
        """The transfer encoding that its bytes are written in."""
    @property
    def source(self) -> str | None:
        """The document's own IRI: the target of a WARC record, the Content-Location of a part."""
    @property
    def message_id(self) -> str | None:
        """The Message-ID of the message that holds it, without `<>`."""
    @property
    def shown(self) -> str | None:
        """The host that the visible text names, where it is another one."""
    def to_dict(self) -> dict[str, Any]:
        """All that it has to say, by the names of the command's records, for JSON."""
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

@final
class Link(_Found):
    """A link: valid by RFC 3987, with the URI that it maps to."""

    @property
    def uri(self) -> str:
        """The URI that it maps to: ASCII, valid by RFC 3986."""
    @property
    def host(self) -> str | None:
        """The host as in `uri`."""
    @property
    def display(self) -> str:
        """The form for people: each label of the host that deceives is in ASCII."""

@final
class Rejected(_Found):
    """A candidate that is no link, and why."""

    @property
    def reason(self) -> str:
        """Why it is no link: `host-invalid-idna`, `userinfo` and so on."""

    @property
    def rule(self) -> str | None:
        """The rule that takes it for the name of a file or a member; ids may change in any version."""

@final
class Links(Iterator[Any]):
    """Links, one after the other; the order is that of the input."""

    def __iter__(self) -> Links: ...
    def __next__(self) -> Any: ...
    @property
    def notices(self) -> list[tuple[str, str]]:
        """What to know of the source, complete at the end: the member (empty if it is the source itself), the notice's code."""

@final
class Table:
    """Links as Arrow data: a table with a row for each link, or a column with a list for each text.

    Anything that reads Arrow's PyCapsule interface takes it, again and again.
    """

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def __len__(self) -> int: ...
    def to_pylist(self) -> list[Any]:
        """Its rows as dictionaries, or its lists of them."""

@final
class Batch:
    """A batch of records out of a scan of paths."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __arrow_c_schema__(self) -> object: ...
    def __len__(self) -> int: ...
    def to_pylist(self) -> list[dict[str, Any]]:
        """Its rows as dictionaries."""

@final
class Scan(Iterator[Batch]):
    """The links of paths, as a stream of batches that is read once; a scan that nobody reads on waits."""

    def __iter__(self) -> Scan: ...
    def __next__(self) -> Batch: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    @property
    def failures(self) -> list[tuple[str, str, str]]:
        """What failed so far: path, member, reason. With `errors="raise"` it is the exception instead."""
    @property
    def notices(self) -> list[tuple[str, str, str]]:
        """What was remarked so far: path, member, the code of the notice."""
    @property
    def summary(self) -> tuple[int, int, int, int] | None:
        """At the end of the scan: inputs, failed ones, bytes and links."""
    def close(self) -> None:
        """Ends the scan before its end."""

@final
class Finder:
    """Finds links by its settings. It can be shared between threads, pickled and compared."""

    def __new__(cls, **settings: Unpack[_LinkifySettings]) -> Finder: ...
    @property
    def settings(self) -> dict[str, str]:
        """The settings that were given, by their names."""
    def links(self, source: _Source, *, rejected: bool = False) -> Links:
        """The links of a running text: offsets are characters of a `str`, bytes of bytes."""
    def candidates(self, source: _Source) -> Links:
        """The links of a running text and the candidates that were rejected."""
    def uris(self, source: _Source) -> list[str]:
        """The URIs of a running text."""
    def document(self, source: _Source, *, rejected: bool = False, archives: bool = False) -> Links:
        """The links of a document: HTML, XML, CSS, JSON, CSV, Markdown, mail or text."""
    def message(self, source: _Source, *, rejected: bool = False, archives: bool = False) -> Links:
        """The links of a message (RFC 5322) with its parts; offsets are those of the stored bytes."""
    def mailbox(self, source: Buffer | str | PathLike[str], *, rejected: bool = False) -> Links:
        """The links of a mailbox (mbox): its bytes, or the path of its file, which is read as a stream."""
    def linkify(self, text: str, /) -> str:
        """HTML of a text with its links marked; all of the text is escaped."""

    def linkify_html(self, source: str, /) -> str:
        """HTML with the bare links in its text marked; all else stays as it is."""

    def arrow(
        self,
        data: _Column,
        column: str | None = None,
        *,
        fields: Sequence[str] | None = None,
        nested: bool = False,
        rejected: bool = False,
        offsets: Literal["chars", "bytes"] | None = None,
        errors: _Errors = "raise",
        threads: int = 0,
        **settings: Unpack[_Settings],
    ) -> Table:
        """The links of a column of texts or documents: a table, or with `nested` a column of lists."""
    def scan_paths(
        self,
        paths: _Path | Iterable[_Path],
        *,
        fields: Sequence[str] | None = None,
        rejected: bool = False,
        errors: _Errors = "raise",
        threads: int = 0,
        archives: bool = True,
        binary: Literal["auto", "text", "skip"] = "auto",
        max_depth: int | None = None,
        max_expansion: int | None = None,
        max_window: int | None = None,
        **settings: Unpack[_Settings],
    ) -> Scan:
        """The links of files, directories, archives and mailboxes, in parallel and in order."""
    def __getnewargs_ex__(self) -> tuple[tuple[()], dict[str, str]]: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...

def links(source: _Source, *, rejected: bool = False, **settings: Unpack[_Settings]) -> Links:
    """The links of a running text: offsets are characters of a `str`, bytes of bytes."""

def candidates(source: _Source, **settings: Unpack[_Settings]) -> Links:
    """The links of a running text and the candidates that were rejected."""

def uris(source: _Source, **settings: Unpack[_Settings]) -> list[str]:
    """The URIs of a running text."""

def document(
    source: _Source, *, rejected: bool = False, archives: bool = False, **settings: Unpack[_Settings]
) -> Links:
    """The links of a document: HTML, XML, CSS, JSON, CSV, Markdown, mail or text.

    With `archives` bytes that are compressed or an archive are opened; offsets are those of `link.member` then.
    """

def message(
    source: _Source, *, rejected: bool = False, archives: bool = False, **settings: Unpack[_Settings]
) -> Links:
    """The links of a message (RFC 5322) with its parts; offsets are those of the stored bytes."""

def mailbox(
    source: Buffer | str | PathLike[str], *, rejected: bool = False, **settings: Unpack[_Settings]
) -> Links:
    """The links of a mailbox (mbox): its bytes, or the path of its file, which is read as a stream."""

find = links

def linkify(text: str, /, **settings: Unpack[_LinkifySettings]) -> str:
    """HTML of a text with its links marked; all of the text is escaped."""

def linkify_html(source: str, /, **settings: Unpack[_LinkifySettings]) -> str:
    """HTML with the bare links in its text marked; all else stays as it is, byte for byte."""

def arrow(
    data: _Column,
    column: str | None = None,
    *,
    fields: Sequence[str] | None = None,
    nested: bool = False,
    rejected: bool = False,
    offsets: Literal["chars", "bytes"] | None = None,
    errors: _Errors = "raise",
    threads: int = 0,
    **settings: Unpack[_Settings],
) -> Table:
    """The links of a column of texts or documents: a table, or with `nested` a column of lists."""

def scan_paths(
    paths: _Path | Iterable[_Path],
    *,
    fields: Sequence[str] | None = None,
    rejected: bool = False,
    errors: _Errors = "raise",
    threads: int = 0,
    archives: bool = True,
    binary: Literal["auto", "text", "skip"] = "auto",
    max_depth: int | None = None,
    max_expansion: int | None = None,
    max_window: int | None = None,
    **settings: Unpack[_Settings],
) -> Scan:
    """The links of files, directories, archives and mailboxes, in parallel and in order."""
