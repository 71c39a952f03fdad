#!/usr/bin/env python3
"""Python's email and a regular expression over the messages of a folder: processor seconds and URLs found.

    benches/mail_links.py FOLDER

What is timed is the second pass over messages that are in memory: no start, no import, no reading of files.
"""
import email
import email.policy
import re
import sys
import time
from pathlib import Path

URL = re.compile(r"https?://[^\s<>\"']+")


def urls(message):
    found = 0
    for part in email.message_from_bytes(message, policy=email.policy.compat32).walk():
        if part.get_content_maintype() != "text":
            continue
        decoded = part.get_payload(decode=True) or b""
        try:
            text = decoded.decode(part.get_content_charset() or "utf-8", "replace")
        except LookupError:
            text = decoded.decode("latin-1")
        found += len(URL.findall(text))
    return found


def main(folder):
    messages = [path.read_bytes() for path in sorted(Path(folder).iterdir())]
    for message in messages:
        urls(message)
    start = time.process_time()
    found = sum(map(urls, messages))
    print(time.process_time() - start, found)


main(sys.argv[1])
