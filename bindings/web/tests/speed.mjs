// How long messages take: linksift against linkify-it on the same ones, in µs of processor time a message.
//   npm install linkify-it@5 && node speed.mjs
// Both give ranges and URLs; the number of links of each is printed, since they do not find the same.
import LinkifyIt from "linkify-it";
import { load } from "linksift";

const linksift = await load();
const linkify = new LinkifyIt();
const lines = [
  "Deploy is done, logs are at https://ci.example.com/job/1 today.",
  "no link here, only some words about lunch and the weather",
  "見て http://例え.jp/パス。 Mail an jörg@example.com, or www.example.org/a_(b).",
  "Подробнее: https://пример.рф/путь! docs.rs/serde, nicht main.rs oder v1.2.3.",
  "ok 👍 see you at 8.30, bring the files report.pdf and notes.txt",
];
const messages = Array.from({ length: 20000 }, (_, n) => `${n} ${lines[n % lines.length]}`);
const long = messages.slice(0, 2000).join("\n");

const peers = {
  linksift: (text) => linksift.links(text).reduce((sum, link) => sum + (link.uri.length > 0), 0),
  "linkify-it": (text) => (linkify.match(text) ?? []).reduce((sum, match) => sum + (match.url.length > 0), 0),
};
const line = "- see https://www.example.org/manual/part?chapter=12 for all\n";
const works = [
  ["43 bytes without a link", Array(20000).fill("The release is out and the build looks fine")],
  ["60 bytes with a link", Array(20000).fill(line.slice(0, 60))],
  ["4 KB with 64 links", Array(1000).fill(line.repeat(64))],
  ["short messages", messages],
  ["one text of 2,000 lines", [long, long, long]],
];
for (const [what, texts] of works) {
  const bytes = texts.reduce((sum, text) => sum + new TextEncoder().encode(text).length, 0);
  for (const [name, find] of Object.entries(peers)) {
    let best = Infinity;
    let found = 0;
    for (let round = 0; round < 5; round++) {
      const before = process.cpuUsage();
      found = texts.reduce((sum, text) => sum + find(text), 0);
      const { user, system } = process.cpuUsage(before);
      best = Math.min(best, user + system);
    }
    const each = (best / texts.length).toFixed(2);
    console.log(`${what}: ${name}: ${each} µs each, ${(bytes / best).toFixed(1)} MB/s, ${found} links`);
  }
}
