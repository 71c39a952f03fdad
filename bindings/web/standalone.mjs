// node standalone.mjs FILE: writes the page with the module in it, one file that a browser opens from disk.
import { readFile, writeFile } from "node:fs/promises";

const here = (name) => new URL(name, import.meta.url);
const [page, script, wasm] = await Promise.all([
  readFile(here("index.html"), "utf8"),
  readFile(here("linksift.js"), "utf8"),
  readFile(here("linksift.wasm")),
]);
const bytes = `Uint8Array.from(atob("${wasm.toString("base64")}"), (c) => c.charCodeAt(0))`;
// The call first: the script has one in a comment.
const parts = [
  ["await load()", `await load(${bytes})`],
  ['import { load } from "./linksift.js";', script.replace(/^export /gm, "")],
];
let whole = page;
for (const [part, instead] of parts) {
  if (!whole.includes(part)) {
    throw new Error(`index.html has no ${part}`);
  }
  whole = whole.replace(part, () => instead);
}
await writeFile(process.argv[2], whole);
