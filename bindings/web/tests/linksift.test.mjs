// What the packed module does in Node: node --test.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { runInNewContext } from "node:vm";
import { load, NotReadError } from "linksift";

const linksift = await load();
const bytes = (text) => new TextEncoder().encode(text);
const latin1 = (text) => Uint8Array.from(text, (one) => one.charCodeAt(0));

test("places are those of the string", () => {
  const text = "😀 見て http://例え.jp/パス。 \uD800 Mail: jörg@example.com, docs.rs/é";
  const links = linksift.links(text);
  assert.deepEqual(links.map((link) => link.uri), [
    "http://xn--r8jz45g.jp/%E3%83%91%E3%82%B9",
    "mailto:j%C3%B6rg@example.com",
    "https://docs.rs/%C3%A9",
  ]);
  for (const link of links) {
    assert.equal(text.slice(link.start, link.end), link.raw);
  }
  assert.deepEqual(links.map((link) => link.kind), ["iri", "email", "schemeless"]);
});

test("texts of links stay as they are after the next call", () => {
  const all = (link) => [link.start, link.uri, link.iri, link.raw, link.host, link.context, link.charset];
  const ascii = "see http://example.com/a, www.example.org; me@example.com and ftp://example.net:21/%41";
  const texts = [ascii, `\u{1f600} ${ascii} http://例え.jp/パス`, `\ud800${ascii}\udc00`, `${ascii} `.repeat(500), new String(ascii)];
  const found = texts.map((text) => linksift.links(text));
  linksift.links("http://other.example/".repeat(1000));
  found.forEach((links, n) => {
    const text = String(texts[n]);
    assert.ok(links.length >= 4);
    assert.deepEqual(links.map(all), linksift.links(text).map(all));
    // The module reads the same of a document, which has no string to cut texts out of.
    const stored = linksift.document(bytes(text)).map(all);
    assert.deepEqual(links.map(all).map((one) => one.slice(1)), stored.map((one) => one.slice(1)));
    assert.ok(links.every((link) => link.raw === text.slice(link.start, link.end)));
  });
  const [mail] = linksift.links("me@example.com");
  assert.deepEqual(all(mail), [0, "mailto:me@example.com", "mailto:me@example.com", "me@example.com", "example.com", "text", "utf-8"]);
});

test("control sequences of a terminal are in no text of a link", () => {
  const text = "http://exa\x1b[1mmple.com/a\x1b[0mb";
  const all = ({ start, end, uri, iri, raw, host }) => [start, end, uri, iri, raw, host];
  const uri = "http://example.com/ab";
  assert.deepEqual(linksift.links(text).map(all), [[0, text.length, uri, uri, uri, "example.com"]]);
  assert.deepEqual(linksift.links(text).map(all), linksift.document(bytes(text)).map(all));
});

test("a half of a surrogate pair is as it was in the raw text alone", () => {
  for (const text of ["http://256.1.1.1/a\ud800b", "é http://user\udfff@256.1.1.1/ \ufffd", "http://a.b\udfffc.example/ \ud800"]) {
    const found = linksift.candidates(text);
    assert.ok(found.length > 0);
    for (const { start, end, raw, iri } of found) {
      assert.equal(raw, text.slice(start, end));
      assert.equal(iri, new TextDecoder().decode(bytes(iri)));
    }
  }
});

test("rejected candidates say why", () => {
  const [rejected] = linksift.candidates("http://300.1.1.1/");
  assert.ok(rejected.rejected && rejected.reason && rejected.uri === undefined);
  assert.deepEqual(linksift.links("http://300.1.1.1/"), []);
});

test("findings and the readable form", () => {
  const text = "😀 https://pаypal.com/ and http://xn--r8jz45g.jp/%E3%83%91";
  const [suspect, plain] = linksift.links(text);
  assert.equal(suspect.severity, "deceptive");
  assert.ok(suspect.warnings.includes("host-mixed-script"));
  const finding = suspect.findings.find((one) => one.code === "host-mixed-script");
  assert.equal(suspect.iri.slice(finding.start, finding.end), "pаypal");
  assert.equal(suspect.display, "https://xn--pypal-4ve.com/");
  assert.deepEqual([plain.severity, plain.findings, plain.warnings], [undefined, [], []]);
  assert.equal(plain.display, "http://例え.jp/パ");
  const known = linksift.finder({ knownHosts: ["example.com"] });
  assert.ok(known.links("http://examp1e.com/")[0].warnings.includes("host-lookalike"));
});

test("JSON has what a link has", () => {
  const [link] = JSON.parse(JSON.stringify(linksift.links("see https://e.example/ä")));
  assert.deepEqual(link, {
    start: 4, end: 23, kind: "iri", role: "text", isCode: false, uri: "https://e.example/%C3%A4", iri: "https://e.example/ä",
    raw: "https://e.example/ä", host: "e.example", context: "text", charset: "utf-8",
  });
});

test("settings", () => {
  const finder = linksift.finder({ schemes: ["foo"], schemeless: false, emails: false });
  assert.deepEqual(finder.links("foo://a/b http://a.de a.de m@a.de").map((one) => one.uri), ["foo://a/b"]);
  assert.throws(() => linksift.finder({ scheme: "any" }), TypeError);
  assert.throws(() => linksift.finder({ boundaries: "none" }), RangeError);
  assert.equal(linksift.finder({ defaultScheme: "http" }).links("bb.de")[0].uri, "http://bb.de");
  const unset = linksift.finder({ emails: undefined, schemes: undefined, maxLink: undefined });
  assert.deepEqual(unset.links("http://a.de m@a.de").length, 2);
});

test("documents and messages", () => {
  const finder = linksift.finder({ format: "html", base: "http://b.example/" });
  const page = bytes("<p>é<a href='x?a&amp;b'>");
  const [link] = finder.document(page);
  assert.equal(link.uri, "http://b.example/x?a&b");
  assert.equal(link.context, "a@href");
  assert.equal(new TextDecoder().decode(page.slice(link.start, link.end)), "x?a&amp;b");
  assert.throws(() => finder.document(bytes("<meta charset=iso-2022-kr>")), RangeError);
  const mail = bytes(
    "Message-ID: <1@e.example>\nContent-Transfer-Encoding: quoted-printable\n\nsee http://e.example/?a=3D1 .\n",
  );
  const [found] = linksift.message(mail);
  assert.equal(found.uri, "http://e.example/?a=1");
  assert.equal(found.transfer, "quoted-printable");
  assert.equal(found.messageId, "1@e.example");
});

test("bytes of every kind are the same bytes", () => {
  const mail = bytes("Subject: s\r\n\r\nsee http://e.example/ä and bb.de\r\n .\r\n");
  // A multiple of eight, so that numbers of every width hold it.
  const whole = new Uint8Array(Math.ceil(mail.length / 8) * 8).fill(0x20);
  whole.set(mail);
  const shifted = new Uint8Array(whole.length + 16).fill(0x78);
  shifted.set(whole, 8);
  const part = (Kind) => new Kind(shifted.buffer, 8, whole.length / (Kind.BYTES_PER_ELEMENT ?? 1));
  const shared = new SharedArrayBuffer(whole.length);
  new Uint8Array(shared).set(whole);
  const kinds = [
    Uint8Array, Int8Array, Uint8ClampedArray, Uint16Array, Int16Array, Uint32Array, Int32Array, Float32Array,
    Float64Array, BigInt64Array, BigUint64Array, DataView,
  ];
  const other = runInNewContext("new ArrayBuffer(length)", { length: whole.length });
  new Uint8Array(other).set(whole);
  const given = [whole.buffer, shared, new DataView(shared), Buffer.from(whole), other, ...kinds.map(part)];
  for (const finder of [linksift, linksift.finder({ format: "email" })]) {
    for (const read of ["message", "document"]) {
      const expected = JSON.stringify(finder[read](whole));
      for (const value of given) {
        assert.equal(JSON.stringify(finder[read](value)), expected, `${read} of ${value.constructor.name}`);
      }
    }
  }
  const links = linksift.message(whole.buffer);
  assert.deepEqual(links.map((link) => link.uri), ["http://e.example/%C3%A4", "https://bb.de"]);
  assert.deepEqual(linksift.message(new ArrayBuffer(0)), []);
  assert.deepEqual(linksift.document(new DataView(new ArrayBuffer(8), 8)), []);
});

test("what is neither is a TypeError that says so", () => {
  const wrong = [undefined, null, 1, true, {}, [], [104, 116], new Date(), () => "", Symbol("a")];
  for (const read of ["message", "document"]) {
    for (const value of ["see http://e.example/", "", new String("bb.de"), ...wrong]) {
      assert.throws(() => linksift[read](value), { name: "TypeError", message: /^bytes are expected/ }, read);
    }
    assert.throws(() => linksift[read]("bb.de"), /TextEncoder/);
  }
  for (const read of ["links", "candidates", "linkify", "linkifyHtml"]) {
    for (const value of [bytes("bb.de"), bytes("bb.de").buffer, ...wrong]) {
      assert.throws(() => linksift[read](value), { name: "TypeError", message: /^a string is expected/ }, read);
    }
    assert.ok(linksift[read](new String("bb.de")).length > 0);
  }
  const gone = new ArrayBuffer(8);
  structuredClone(gone, { transfer: [gone] });
  assert.throws(() => linksift.message(gone), TypeError);
  assert.equal(linksift.links("bb.de").length, 1);
});

test("what a document is, is decided as in a file", () => {
  const uris = (name, stored) => {
    const finder = linksift.finder(name ? { name, salvage: true } : { salvage: true });
    return finder.document(bytes(stored)).map((link) => link.uri);
  };
  const page = "\0<p>www.b.com <a href='http://e.example/?a&amp;b'>x</a>";
  assert.deepEqual(uris("n.html", page), ["https://www.b.com", "http://e.example/?a&b"]);
  assert.deepEqual(uris("", page), ["http://e.example/?a&amp;b"]);
  assert.deepEqual(uris("v.ts", "G\0\x01\x02 www.b.com http://e.example/ \0\x01\x02\x03"), [
    "http://e.example/",
  ]);
  assert.throws(() => uris("x.html", "GIF89a\x01\0 www.b.com http://e.example/"), { code: "media" });
  assert.throws(() => uris("", "PAR1\x15\0 http://e.example/"), { code: "table" });
  assert.deepEqual(uris("x.pdf", "%PDF-1.7 www.b.com http://e.example/"), [
    "http://e.example/",
  ]);
});

// A zip of notes.txt and of bad.txt, whose bytes are broken, attached to a message.
const box = bytes(
  "Content-Type: application/zip; name=box.zip\nContent-Transfer-Encoding: base64\n\n" +
    "UEsDBBQAAAAIAEIKd10QnqBCHQAAAEQAAAAJAAAAbm90ZXMudHh0K05NVcgoKSmw0tdPrUjMLchJ\n" +
    "1UvOz9VP1CFBFABQSwMEFAAAAAgAQgp3Xe4k/d0aAAAAqAAAAAcAAABiYWQudHh0/ygpKbDS10+t\n" +
    "SMwtyEnVS87P1U9SyBh8ggBQSwECFAMUAAAACABCCnddEJ6gQh0AAABEAAAACQAAAAAAAAAAAAAA\n" +
    "gAEAAAAAbm90ZXMudHh0UEsBAhQDFAAAAAgAQgp3Xe4k/d0aAAAAqAAAAAcAAAAAAAAAAAAAAIAB\n" +
    "RAAAAGJhZC50eHRQSwUGAAAAAAIAAgBsAAAAgwAAAAAA\n",
);

test("notices", () => {
  const told = (stored, read = "document", options = {}) => {
    const notices = [];
    linksift[read](bytes(stored), { ...options, noticed: (...notice) => notices.push(notice) });
    return notices;
  };
  for (const options of [{}, { rejected: true }]) {
    assert.deepEqual(told("<meta charset=klingon><a href=http://e.example/>x</a>", "document", options),
      [["", "unknown-charset", ""]]);
    const mail = "Content-Type: text/plain; charset=hz-gb-2312\n\n~{<:Ky2;~} http://e.example/";
    assert.deepEqual(told(mail, "message", options), [["", "undecodable", ""]]);
    const parts = "Content-Type: multipart/mixed; boundary=b\n\n--b\n\ntext\n--b\nContent-Transfer-Encoding: odd\n\ntext\n--b--\n";
    assert.deepEqual(told(parts, "message", options), [["", "unknown-transfer", "2"]]);
    assert.deepEqual(told("see http://e.example/", "document", options), []);
  }
  // Nobody need listen, and a notice is no link.
  assert.equal(linksift.document(bytes("<meta charset=klingon>http://e.example/")).length, 1);
});

test("a document of Word 2", () => {
  const head = "\xDB\xA5\x2D\0\0\0\x09\x04\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\x20\0\0\0\x39\0\0\0";
  const links = linksift.document(latin1(`${head}see http://e.example/ now`));
  assert.deepEqual(links.map((link) => [link.uri, link.object, link.context, link.start, link.end]),
    [["http://e.example/", "document", "office:text", 4, 21]]);
});

const UNREAD = [
  ["\x89PNG\r\n\x1A\n http://e.example/", "media"],
  ["PK\x03\x04\x14\0\0\0 http://e.example/", "archive"],
  ["Rar!\x1A\x07\0 http://e.example/", "unsupported"],
  ["SQLite format 3\0 http://e.example/", "table"],
  ["\x7FELF\x02\x01\x01\0 http://e.example/", "binary"],
  ["<meta charset=iso-2022-kr>http://e.example/", "undecodable"],
];

test("a document of which nothing is read is an error", async () => {
  for (const [stored, code] of UNREAD) {
    for (const options of [{}, { rejected: true }, { archives: true }]) {
      // The module may be one without archives.
      if (options.archives !== true || code !== "archive") {
        assert.throws(() => linksift.document(latin1(stored), options), (error) => error instanceof NotReadError &&
          error instanceof RangeError && error.code === code && error.message.length > 0);
      }
    }
  }
});

test("archives", { skip: !process.env.ARCHIVES }, async () => {
  assert.deepEqual(linksift.message(box), []);
  assert.throws(() => linksift.message(box, { archives: true }), RangeError);
  const opening = await load(await readFile(process.env.ARCHIVES));
  const failures = [];
  const links = opening.message(box, { archives: true, failed: (...why) => failures.push(why) });
  assert.deepEqual(links.map((link) => [link.uri, link.part, link.member, link.memberBytes]),
    Array(3).fill(["http://example.com/a", "1", "notes.txt", undefined]));
  assert.equal(links[0].end - links[0].start, 20);
  assert.deepEqual(failures.map(([member]) => member.split("!").at(-1)), ["bad.txt"]);
  assert.ok(failures[0][1].length > 0);
  const notices = [];
  const noticed = (...notice) => notices.push(notice);
  opening.message(bytes("Content-Type: multipart/mixed; boundary=b\n\n--b\nContent-Transfer-Encoding: odd\n\ntext\n--b--\n"),
    { archives: true, noticed });
  assert.deepEqual(notices, [["", "unknown-transfer", "1"]]);
  // A tar whose name is not UTF-8.
  const tar = new Uint8Array(1024);
  tar.set([0x62, 0xe4, 0x64]);
  tar.set(bytes("00000000015 "), 124);
  tar.set(bytes("        ustar\0").slice(0, 8), 148);
  tar.set(bytes("ustar\0"), 257);
  tar.set(bytes(`${tar.slice(0, 512).reduce((sum, byte) => sum + byte, 0).toString(8).padStart(6, "0")}\0 `), 148);
  tar.set(bytes("a example.com"), 512);
  const [link] = opening.document(tar, { archives: true });
  assert.equal(link.uri, "https://example.com");
  assert.deepEqual([...link.memberBytes], [0x62, 0xe4, 0x64]);
});

test("what becomes of links that deceive", () => {
  const html = (onSuspect) => linksift.finder({ onSuspect }).linkify("http://www.bank.com.evil.test/");
  assert.match(html("mark"), /class="suspect" title="suspect: The host begins/);
  assert.doesNotMatch(html("text"), /<a/);
  assert.doesNotMatch(html("link"), /class/);
});

test("HTML", () => {
  const html = linksift.linkify("<b> http://e.example/?a=1&b=2");
  assert.match(html, /^&lt;b&gt; <a [^>]*href="http:\/\/e\.example\/\?a=1&amp;b=2"/);
  const plain = linksift.finder({ rel: "" });
  assert.equal(
    plain.linkifyHtml("<p>bb.de<a href=x>bb.de</a>"),
    '<p><a href="https://bb.de">bb.de</a><a href=x>bb.de</a>',
  );
});

test("a leading U+FEFF is kept", () => {
  assert.match(linksift.linkify("\ufeffbb.de"), /^\ufeff<a /);
  assert.equal(linksift.linkifyHtml("\ufeff<p>a"), "\ufeff<p>a");
  assert.equal(linksift.links("\ufeffbb.de")[0].raw, "bb.de");
});

test("a module that traps says what to do", async (context) => {
  const { exports } = await WebAssembly.instantiate(
    new WebAssembly.Module(await readFile(new URL(import.meta.resolve("linksift/linksift.wasm")))), {});
  const traps = new Set();
  const trapping = (name) => (...values) => {
    if (traps.has(name)) throw new WebAssembly.RuntimeError("unreachable");
    return exports[name](...values);
  };
  const names = ["linksift_alloc", "linksift_find", "linksift_free"];
  const all = { ...exports, ...Object.fromEntries(names.map((name) => [name, trapping(name)])) };
  context.mock.method(WebAssembly, "instantiate", () => ({ instance: { exports: all } }));
  const module = await load(new Uint8Array());
  context.mock.restoreAll();
  // An input that there is no memory for leaves the module as it was.
  traps.add("linksift_alloc");
  assert.throws(() => module.links("bb.de ".repeat(1000)), { name: "RangeError", message: /no memory for an input of 18000 bytes/ });
  traps.clear();
  const [link] = module.links("bb.de ".repeat(1000));
  assert.equal(link.uri, "https://bb.de");
  traps.add("linksift_find").add("linksift_free");
  for (const call of [
    () => module.links("bb.de"), () => module.linkify("bb.de"), () => module.document(bytes("bb.de")), () => module.finder({}),
    () => link.display,
  ]) {
    assert.throws(call, (error) => error.cause instanceof WebAssembly.RuntimeError && /call load\(\) for a new module/.test(error.message));
  }
  assert.equal(link.uri, "https://bb.de");
  assert.equal((await load()).links("bb.de").length, 1);
});

test("a long text, many finders", () => {
  const text = "see http://e.example/ä and more words. ".repeat(20000);
  assert.equal(linksift.links(text).length, 20000);
  for (let i = 0; i < 1000; i++) {
    linksift.finder({});
  }
  assert.equal(linksift.links("bb.de").length, 1);
});

test("other sources", async () => {
  const wasm = await readFile(new URL(import.meta.resolve("linksift/linksift.wasm")));
  assert.equal((await load(wasm)).links("bb.de").length, 1);
  assert.equal((await load(new WebAssembly.Module(wasm))).links("bb.de").length, 1);
});

test("an option that a method does not have is a TypeError", () => {
  for (const [method, value] of [["links", "a"], ["candidates", "a"], ["linkify", "a"], ["linkifyHtml", "a"]]) {
    assert.throws(() => linksift[method](value, { schemes: "any" }), {
      name: "TypeError",
      message: `${method}: unknown option "schemes": settings are arguments of finder()`,
    });
  }
  for (const method of ["document", "message"]) {
    assert.throws(() => linksift[method](new Uint8Array(), { archive: true }), {
      name: "TypeError",
      message: /unknown option "archive": expected one of rejected, archives, failed, noticed;/,
    });
  }
  assert.equal(["see http://a.example/"].flatMap((text, at, all) => linksift.links(text, at, all)).length, 1);
});

// The library's own tables, as blocks of a first line and others. `\u{…}` is a character.
const blocks = async (path) => {
  const text = await readFile(`${process.env.FIXTURES}/${path}`, "utf8");
  return text.split("\n@@ ").slice(1).map((block) => block.split("\n"));
};
const unescaped = (text) => text.replace(/\\u\{([0-9A-Fa-f]+)\}/g, (_, hex) => String.fromCodePoint(parseInt(hex, 16)));

test("dialects of links", { skip: !process.env.FIXTURES }, async () => {
  for (const [name, ...lines] of await blocks("dialects/rows.cases")) {
    // An answer of HTTP is one only in a module that opens archives.
    if (name === "saved") continue;
    const uris = lines.filter((line) => line.startsWith("= ")).map((line) => line.slice(2));
    const text = unescaped(lines.filter((line) => !line.startsWith("= ")).join("\n"));
    const links = linksift.finder({ format: "auto", name }).document(bytes(text));
    assert.deepEqual(links.map((link) => link.uri), uris, name);
  }
});

test("what links know", { skip: !process.env.FIXTURES }, async () => {
  for (const [name, ...lines] of await blocks("details/rows.cases")) {
    const is = (line) => line.startsWith("= ");
    const rows = lines.filter(is).map((line) => unescaped(line.slice(2)));
    const text = unescaped(lines.filter((line) => !is(line)).join("\n"));
    const links = linksift.finder({ format: "auto", name, details: true }).document(bytes(text));
    const known = ({ uri, role, isCode, rel, text }) =>
      [uri, role, isCode ? "code" : "prose", rel ?? "-", text ?? "-"].join(" | ");
    assert.deepEqual(links.map(known), rows, name);
  }
});

// Bytes of a document that is not text: hexadecimal, `XX*N` for N equal bytes.
const stored = (lines) => Uint8Array.from(
  lines.flatMap((line) => line.split(/\s+/)).flatMap((word) => {
    const [value, count] = word.split("*");
    const all = value.match(/../g).map((hex) => parseInt(hex, 16));
    return count === undefined ? all : Array(Number(count)).fill(all[0]);
  }),
);

test("documents that are not text", { skip: !process.env.FIXTURES }, async () => {
  let seen = 0;
  for (const [head, ...lines] of await blocks("binary/documents.cases")) {
    const [name, reason] = head.split(" | ");
    // PDF is not in this module.
    if (name.endsWith(".pdf")) continue;
    const of = (sign) => lines.filter((line) => line.startsWith(sign)).map((line) => line.slice(2));
    const document = stored(lines.filter((line) => /^[0-9A-F]/.test(line)));
    const notices = [];
    const noticed = (member, code) => notices.push(code);
    const read = () => linksift.finder({ format: "auto", name }).document(document, { noticed });
    if (reason === "-") {
      assert.deepEqual([read().map((link) => link.uri), notices], [of("= "), of("! ")], name);
    } else {
      assert.throws(read, { name: "NotReadError", code: reason }, name);
    }
    seen += 1;
  }
  assert.ok(seen > 15, seen);
});

test("what deceives", { skip: !process.env.FIXTURES }, async () => {
  for (const [head, ...lines] of await blocks("trust/codes.cases")) {
    const [code, kind = "text"] = head.split("; ");
    const format = kind === "value" ? "html" : kind;
    const finder = linksift.finder({ format, knownHosts: ["example.com", "bank.example"] });
    for (const line of lines.filter((one) => /^[+-] /.test(one))) {
      const text = unescaped(line.slice(2));
      const page = kind === "value" ? `<a href='${text}'>x</a>` : text;
      const links = finder.document(bytes(page), { rejected: true });
      assert.equal(links.some((link) => link.warnings.includes(code)), line.startsWith("+"), line);
    }
  }
});
