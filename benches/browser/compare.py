#!/usr/bin/env python3
"""Compares the URLs that Chromium computes from pages with linksift's records of the same pages.

    compare.py [--linksift BIN] [--chromium BIN] [--limit N] [--show N] FOLDER...

A small server on 127.0.0.1 hands out the pages and one more, which opens them one after the other in a
sandboxed frame (no scripts run, nothing else is fetched), reads the properties that reflect URLs, and posts
what they say. linksift reads the same bytes with the page's own address as base. What is left over on either
side is counted by class, with examples; the README says what each class is. Standard library only.
"""

import argparse
import collections
import http.server
import json
import os
import subprocess
import tempfile
import threading
import urllib.parse

ENDINGS = (".html", ".htm", ".xhtml")
# Element, attribute, property: those whose property is the attribute resolved.
PROPERTIES = [
    ("a", "href", "href"), ("area", "href", "href"), ("link", "href", "href"), ("base", "href", "href"),
    ("img", "src", "src"), ("img", "longdesc", "longDesc"), ("script", "src", "src"), ("iframe", "src", "src"),
    ("frame", "src", "src"), ("embed", "src", "src"), ("object", "data", "data"), ("input", "src", "src"),
    ("form", "action", "action"), ("input", "formaction", "formAction"), ("button", "formaction", "formAction"),
    ("video", "src", "src"), ("video", "poster", "poster"), ("audio", "src", "src"), ("source", "src", "src"),
    ("track", "src", "src"), ("blockquote", "cite", "cite"), ("q", "cite", "cite"), ("ins", "cite", "cite"),
    ("del", "cite", "cite"),
]
RUNNER = """<!doctype html><meta charset=utf-8><script>
const properties = %s, pages = %d;
const frame = document.createElement("iframe");
frame.sandbox = "allow-same-origin";
document.documentElement.append(frame);
let at = 0, timer = 0;
function next() {
  if (at == pages) { fetch("/done", {method: "POST"}); return; }
  clearTimeout(timer);
  timer = setTimeout(() => { send("slow", []); }, 20000);
  frame.onload = () => { read(); };
  frame.src = "/p/" + at;
}
function read() {
  const found = [];
  let said = "";
  try {
    const page = frame.contentDocument;
    said = page.characterSet;
    for (const [element, attribute, property] of properties)
      for (const one of page.getElementsByTagNameNS("http://www.w3.org/1999/xhtml", element))
        if (one.hasAttribute(attribute))
          found.push([element + "@" + attribute, String(one[property]), one.getAttribute(attribute)]);
  } catch (error) { said = "error " + error; }
  send(said, found);
}
function send(charset, found) {
  clearTimeout(timer);
  frame.onload = null;
  fetch("/found/" + at, {method: "POST", body: JSON.stringify([charset, found])}).then(() => { at++; next(); });
}
next();
</script>"""


class Pages:
    def __init__(self, paths):
        self.paths, self.found, self.done = paths, {}, threading.Event()


def handler(pages):
    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *_):
            pass

        def answer(self, body, kind, *headers):
            self.send_response(200)
            for name, value in [("Content-Type", kind), ("Content-Length", str(len(body))), *headers]:
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def do_GET(self):
            if self.path == "/":
                return self.answer((RUNNER % (json.dumps(PROPERTIES), len(pages.paths))).encode(), "text/html")
            if self.path.startswith("/p/") and self.path[3:].isdigit() and int(self.path[3:]) < len(pages.paths):
                path = pages.paths[int(self.path[3:])]
                with open(path, "rb") as file:
                    body = file.read()
                # Every page is read as HTML, and nothing that it asks for is fetched.
                return self.answer(body, "text/html", ("Content-Security-Policy", "default-src 'none'"))
            self.send_error(404)
            return None

        def do_POST(self):
            body = self.rfile.read(int(self.headers["Content-Length"] or 0))
            if self.path == "/done":
                pages.done.set()
            else:
                pages.found[int(self.path.rsplit("/", 1)[1])] = json.loads(body)
            self.answer(b"", "text/plain")

    return Handler


def browse(chromium, pages, port, limit):
    """Lets the browser go through the pages; it writes into `pages.found`."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        arguments = [
            chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-extensions", "--no-first-run",
            "--disable-dev-shm-usage", "--disable-background-networking", "--disable-component-update",
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", f"--user-data-dir={profile}",
            "--remote-debugging-port=0", f"http://127.0.0.1:{port}/",
        ]
        browser = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            pages.done.wait(limit)
        finally:
            browser.terminate()
            browser.wait()


def records(linksift, path, base):
    """What linksift finds in the page's values: (context, URI or None, raw, record)."""
    command = [linksift, "--json", "--rejected", "--no-text", "--format", "html", "--base", base, path]
    lines = subprocess.run(command, stdout=subprocess.PIPE, check=False).stdout.splitlines()
    return [json.loads(line) for line in lines]


DEFAULT_PORTS = {"http": "80", "https": "443", "ws": "80", "wss": "443", "ftp": "21"}


def as_serialised(uri):
    """A URI as the URL standard serialises it: host in lower case, no default port, a path."""
    scheme, colon, rest = uri.partition(":")
    scheme = scheme.lower()
    if scheme not in DEFAULT_PORTS or not rest.startswith("//"):
        return scheme + colon + rest
    end = min((at for at in (rest.find(c, 2) for c in "/?#") if at >= 0), default=len(rest))
    authority, tail = rest[2:end], rest[end:]
    userinfo, at, host = authority.rpartition("@")
    name, port_colon, port = host.rpartition(":")
    if port_colon and (port == DEFAULT_PORTS[scheme] or port == "") and not port.endswith("]"):
        host = name
    return f"{scheme}://{userinfo}{at}{host.lower()}{tail if tail.startswith('/') else '/' + tail}"


def loose(uri):
    """The same whatever is percent-encoded."""
    return urllib.parse.unquote_to_bytes(uri)


def class_of(url, raw, ours, charset, our_charset):
    """Why a URL of the browser has no equal record; `ours` are the records of the same attribute left over."""
    near = [record for record in ours if record.get("raw", "").strip() == raw.strip()]
    for record in near:
        if "rejected" in record:
            return "rejected:" + record["rejected"]
        uri = as_serialised(record.get("uri", ""))
        if loose(uri) == loose(url):
            return "escaping"
        if charset.lower() != our_charset.lower() and not raw.isascii():
            return "charset"
        if url.strip() == raw.strip():
            return "no-url"
        if uri.partition("#")[0] == url.partition("#")[0]:
            return "fragment"
        return "value"
    if url.strip() == raw.strip() and ":" not in raw:
        return "no-url"
    if raw.strip() == "":
        return "empty"
    return "charset" if charset.lower() != our_charset.lower() and not raw.isascii() else "missed"


def compare(browser, ours):
    """Classes of difference of one page: (class, context, browser's URL, attribute, our record or None)."""
    charset, found = browser
    if charset == "slow" or charset.startswith("error"):
        return 0, [("not-read", "", charset, "", None)]
    asked = {f"{element}@{attribute}" for element, attribute, _ in PROPERTIES}
    left = [record for record in ours if record["context"] in asked]
    our_charset = ours[0]["charset"] if ours else charset
    by_value = collections.defaultdict(list)
    for record in left:
        by_value[record["context"], as_serialised(record.get("uri", ""))].append(record)
    equal, unequal = 0, []
    for context, url, raw in found:
        same = by_value.get((context, url))
        if same:
            left.remove(same.pop())
            equal += 1
        else:
            unequal.append((context, url, raw))
    differences = []
    for context, url, raw in unequal:
        candidates = [record for record in left if record["context"] == context]
        name = class_of(url, raw, candidates, charset, our_charset)
        near = next((r for r in candidates if r.get("raw", "").strip() == raw.strip()), None)
        if near is not None:
            left.remove(near)
        differences.append((name, context, url, raw, near))
    differences += [("only-ours", r["context"], "", r.get("raw", ""), r) for r in left if "rejected" not in r]
    return equal, differences


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("folders", nargs="+", metavar="FOLDER")
    arguments.add_argument("--linksift", default="linksift")
    arguments.add_argument("--chromium", default="chromium")
    arguments.add_argument("--limit", type=int, default=1000, help="pages at most (default: 1000)")
    arguments.add_argument("--show", type=int, default=5, help="examples of each class (default: 5)")
    options = arguments.parse_args()
    paths = []
    for folder in options.folders:
        for where, _, names in sorted(os.walk(folder)):
            paths += [os.path.join(where, name) for name in sorted(names) if name.lower().endswith(ENDINGS)]
    step = max(1, len(paths) // options.limit)
    paths = paths[::step][: options.limit]
    pages = Pages(paths)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler(pages))
    port = server.server_address[1]
    threading.Thread(target=server.serve_forever, daemon=True).start()
    browse(options.chromium, pages, port, 60 + 3 * len(paths))
    server.shutdown()
    equal, classes = 0, collections.defaultdict(list)
    for number, path in enumerate(paths):
        if number not in pages.found:
            classes["not-read"].append((path, ("not-read", "", "", "", None)))
            continue
        ours = records(options.linksift, path, f"http://127.0.0.1:{port}/p/{number}")
        same, differences = compare(pages.found[number], ours)
        equal += same
        for difference in differences:
            classes[difference[0]].append((path, difference))
    print(f"{len(pages.found)} pages of {len(paths)}, {equal} URLs are equal")
    for name, found in sorted(classes.items(), key=lambda item: -len(item[1])):
        print(f"\n{name}: {len(found)} in {len({path for path, _ in found})} pages")
        for path, (_, context, url, raw, record) in found[:: max(1, len(found) // options.show)][: options.show]:
            print(f"  {path}\n    {context} {raw[:120]!r}\n    browser  {url[:160]}")
            if record is not None:
                print(f"    linksift {(record.get('uri') or record.get('rejected') or '')[:160]}")


if __name__ == "__main__":
    main()
