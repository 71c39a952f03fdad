"""Finds IRIs, URLs and e-mail addresses in text, documents, mail and archives of any charset.

>>> import linksift
>>> [link.uri for link in linksift.links("見て http://例え.jp/パス。")]
['http://xn--r8jz45g.jp/%E3%83%91%E3%82%B9']
"""

from linksift._native import (
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

find = links

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
    "NotReadError",
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
