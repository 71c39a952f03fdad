// What the packed module does in Node: node --test.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { load } from "linksift";

const linksift = await load();
const bytes = (text) => new TextEncoder().encode(text);

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
    start: 4, end: 23, kind: "iri", uri: "https://e.example/%C3%A4", iri: "https://e.example/ä",
    raw: "https://e.example/ä", host: "e.example", context: "text", charset: "utf-8",
  });
});

test("settings", () => {
  const finder = linksift.finder({ schemes: ["foo"], schemeless: false, emails: false });
  assert.deepEqual(finder.links("foo://a/b http://a.de a.de m@a.de").map((one) => one.uri), ["foo://a/b"]);
  assert.throws(() => linksift.finder({ scheme: "any" }), TypeError);
  assert.throws(() => linksift.finder({ boundaries: "none" }), RangeError);
  assert.equal(linksift.finder({ defaultScheme: "http" }).links("bb.de")[0].uri, "http://bb.de");
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

test("HTML", () => {
  const html = linksift.linkify("<b> http://e.example/?a=1&b=2");
  assert.match(html, /^&lt;b&gt; <a [^>]*href="http:\/\/e\.example\/\?a=1&amp;b=2"/);
  const plain = linksift.finder({ rel: "" });
  assert.equal(
    plain.linkifyHtml("<p>bb.de<a href=x>bb.de</a>"),
    '<p><a href="https://bb.de">bb.de</a><a href=x>bb.de</a>',
  );
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
