// The module with vectors against the one without: the same links, in texts of all kinds; and how fast each is.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { load } from "linksift";

const module = (name) => readFile(new URL(import.meta.resolve(`linksift/${name}`)));
const plain = await load(await module("linksift.wasm"));
const vectors = await load(await module("linksift-simd.wasm"));

const pieces = [
  "see ", "http://", "例え.jp", "/パス", "。", "a@b.de", " ", "\n", "www.", "x.com", "<a href='", "'>", "</a>", "&amp;", "&#46;",
  "é", ".", ":", "tel:+1", "\"", ",", "é.рф", "｡jp", "=3D", "word ".repeat(9), "слово ".repeat(20), "<p class=x>",
];
let state = 1;
const below = (n) => {
  state = (Math.imul(state, 1103515245) + 12345) >>> 0;
  return (state >>> 8) % n;
};
const made = () => Array.from({ length: below(120) }, () => pieces[below(pieces.length)]).join("");

test("both give the same", () => {
  const settings = [
    { format: "text" }, { format: "html" }, { format: "xml" }, { format: "json" }, { format: "csv" }, { format: "markdown" },
    { format: "text", charset: "windows-1251" }, { format: "html", charset: "shift_jis" }, { format: "text", charset: "utf-16le" },
  ];
  let links = 0;
  for (const setting of settings) {
    const [one, other] = [plain.finder(setting), vectors.finder(setting)];
    for (let round = 0; round < 300; round++) {
      const text = made();
      const bytes = setting.charset === "utf-16le" ? Buffer.from(text, "utf16le") : new TextEncoder().encode(text);
      const [wanted, found] = [one, other].map((finder) => JSON.stringify(finder.document(bytes)));
      assert.equal(found, wanted, text);
      assert.equal(JSON.stringify(other.candidates(text)), JSON.stringify(one.candidates(text)), text);
      links += JSON.parse(found).length;
    }
  }
  assert.ok(links > 1000, `${links} links`);
});

test("what load() takes is the one with vectors", async () => {
  const taken = await load();
  assert.deepEqual(taken.links("see example.com").length, 1);
});

// FIGURES=1: megabytes a second, the best of seven rounds of processor time.
test("figures", { skip: !process.env.FIGURES }, () => {
  const words = "It was a long way to the sea, and no one of them had said a word since they left (see notes). ";
  const russian = "Это было давно, и никто из них не сказал ни слова с тех пор, как они ушли. ";
  const cell = "<tr class=\"row\"><td align=left>Some words, and <b>more</b> of them</td></tr>\n";
  const encoder = new TextEncoder();
  const of = (text, link) => encoder.encode(Array.from({ length: 40 }, () => text.repeat(500) + link).join(""));
  const works = {
    prose: [{ format: "text" }, of(words, "https://example.com/a ")],
    Russian: [{ format: "text" }, of(russian, "https://пример.рф/а ")],
    HTML: [{ format: "html" }, of(cell, "<a href=/b>b</a>")],
    "windows-1252": [{ format: "text", charset: "windows-1252" }, of(words, "https://example.com/a ")],
  };
  for (const [name, [setting, bytes]] of Object.entries(works)) {
    const speeds = [plain, vectors].map((module) => {
      const finder = module.finder(setting);
      let best = Infinity;
      for (let round = 0; round < 7; round++) {
        const before = process.cpuUsage();
        finder.document(bytes);
        const { user, system } = process.cpuUsage(before);
        best = Math.min(best, user + system);
      }
      return (bytes.length / best).toFixed(0);
    });
    console.log(`${name}, ${(bytes.length / 1e6).toFixed(1)} MB: ${speeds[0]} MB/s, with vectors ${speeds[1]} MB/s`);
  }
});
