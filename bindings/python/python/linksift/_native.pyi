"""What `linksift` is made of; import it from there."""

# ruff: noqa: F401
from linksift import (
    SETTINGS,
    UNICODE_VERSION,
    Batch,
    CharsetError,
    Finder,
    Finding,
    InternalError,
    Link,
    Links,
    NotReadError,
    Rejected,
    Scan,
    Table,
    __version__,
    arrow,
    candidates,
    document,
    linkify,
    linkify_html,
    links,
    mailbox,
    message,
    scan_paths,
    uris,
)

def ddl(names: list[str]) -> list[tuple[str, str]]:
    """The names of fields and their types in SQL, as Spark has them."""
