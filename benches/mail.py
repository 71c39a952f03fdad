#!/usr/bin/env python3
"""Leaves of messages as linksift, mail-parser, mailparse and Python's email see them: how often they differ.

    find TREE -type f | cargo run --manifest-path benches/peers/Cargo.toml --bin mail > parts.jsonl
    benches/mail.py parts.jsonl [-v]
"""
import collections
import email
import email.policy
import json
import sys


def by_email(path):
    """Types of the leaves in order; what is in messages in messages too."""
    leaves = []

    def visit(message):
        if message.get_content_maintype() == "multipart" and message.is_multipart():
            for part in message.get_payload():
                visit(part)
        elif message.get_content_type() in ("message/rfc822", "message/global") and message.is_multipart():
            visit(message.get_payload(0))
        else:
            leaves.append(message.get_content_type())

    with open(path, "rb") as file:
        visit(email.message_from_binary_file(file, policy=email.policy.compat32))
    return leaves


def main(arguments):
    counts = collections.Counter()
    for line in open(arguments[0]):
        row = json.loads(line)
        types = {name: [leaf.split(" ", 1)[-1] for leaf in row[name]]
                 for name in ("linksift", "mail-parser", "mailparse")}
        try:
            types["email"] = by_email(row["path"])
        except Exception as error:
            types["email"] = ["error " + type(error).__name__]
        counts["messages"] += 1
        ours = types["linksift"]
        for name in ("mail-parser", "mailparse", "email"):
            theirs = types[name]
            what = "same" if theirs == ours else "more leaves" if len(theirs) > len(ours) else \
                "fewer leaves" if len(theirs) < len(ours) else "other types"
            counts[name, what] += 1
            if what != "same" and "-v" in arguments:
                print(name, what, row["path"], row["linksift"], theirs, sep="\t")
    for key, count in sorted(counts.items(), key=str):
        print(count, key if isinstance(key, str) else ": ".join(key), sep="\t")


main(sys.argv[1:])
