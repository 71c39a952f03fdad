// linksift for browsers and Node: links out of text, documents and messages.
//
//   import { load } from "linksift";
//   const linksift = await load();
//   for (const link of linksift.links("見て http://例え.jp/パス")) console.log(link.start, link.uri);

const KINDS = ["iri", "schemeless", "email", "reference"];
const FIELDS = [
  "uri", "iri", "raw", "host", "context", "charset", "reason", "warnings", "shown", "part", "transfer",
  "messageId", "source", "severity", "findings",
];
const ROW = 4 * (3 + 2 * FIELDS.length);
const ABSENT = 0xffffffff;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Loads the module: from beside this file, or from what is given (a URL, bytes, a WebAssembly.Module). */
export async function load(source) {
  const from = source ?? new URL("linksift.wasm", import.meta.url);
  return new Linksift(new Module((await instance(from)).exports));
}

async function instance(from) {
  if (from instanceof WebAssembly.Module) {
    return WebAssembly.instantiate(from, {});
  }
  if (from instanceof ArrayBuffer || ArrayBuffer.isView(from)) {
    return (await WebAssembly.instantiate(from, {})).instance;
  }
  const url = new URL(from, import.meta.url);
  if (url.protocol === "file:" && typeof process !== "undefined") {
    const { readFile } = await import("node:fs/promises");
    return (await WebAssembly.instantiate(await readFile(url), {})).instance;
  }
  const bytes = await (await fetch(url)).arrayBuffer();
  return (await WebAssembly.instantiate(bytes, {})).instance;
}

/** A link, or a candidate that was rejected (`link.rejected`). Texts are made when they are asked for. */
export class Link {
  #block;
  #row;

  constructor(block, row) {
    const { view } = block;
    this.#block = block;
    this.#row = row * ROW;
    this.start = view.getUint32(this.#row, true);
    this.end = view.getUint32(this.#row + 4, true);
    const kind = view.getUint32(this.#row + 8, true);
    this.kind = KINDS[kind & 0xff];
    this.rejected = kind > 0xff;
  }

  #text(field) {
    const { bytes, view, texts } = this.#block;
    const at = this.#row + 12 + 8 * field;
    const start = view.getUint32(at, true);
    if (start === ABSENT) {
      return undefined;
    }
    return decoder.decode(bytes.subarray(texts + start, texts + start + view.getUint32(at + 4, true)));
  }

  get uri() { return this.#text(0); }
  get iri() { return this.#text(1); }
  get raw() { return this.#text(2); }
  get host() { return this.#text(3); }
  get context() { return this.#text(4); }
  get charset() { return this.#text(5); }
  get reason() { return this.#text(6); }
  get warnings() { return this.#text(7)?.split(" ") ?? []; }
  get shown() { return this.#text(8); }
  get part() { return this.#text(9); }
  get transfer() { return this.#text(10); }
  get messageId() { return this.#text(11); }
  get source() { return this.#text(12); }
  get severity() { return this.#text(13); }
  get findings() {
    const lines = this.#text(14)?.split("\n") ?? [];
    return lines.map((line) => {
      const [code, severity, start, end] = line.split(" ");
      return { code, severity, start: Number(start), end: Number(end) };
    });
  }
  get display() {
    const { uri } = this;
    return uri === undefined ? undefined : this.#block.module.display(uri);
  }

  /** All that it has, for `JSON.stringify`. */
  toJSON() {
    const json = { start: this.start, end: this.end, kind: this.kind };
    for (const field of FIELDS) {
      const value = this[field];
      if (value !== undefined && value.length > 0) {
        json[field] = value;
      }
    }
    return json;
  }
}

/** The module's memory and functions, with texts in place of pointers. */
class Module {
  constructor(exports) {
    this.exports = exports;
  }

  /** What `use` makes of a text in the module's memory. */
  lendText(text, use) {
    // A unit of UTF-16 is three bytes of UTF-8 at most.
    const room = text.length * 3;
    return this.#lend(room, (at, memory) => use(at, encoder.encodeInto(text, memory).written));
  }

  /** What `use` makes of bytes in the module's memory. */
  lendBytes(bytes, use) {
    return this.#lend(bytes.length, (at, memory) => {
      memory.set(bytes);
      return use(at, bytes.length);
    });
  }

  #lend(room, use) {
    const { exports } = this;
    const at = exports.linksift_alloc(room);
    try {
      return use(at, new Uint8Array(exports.memory.buffer, at, room));
    } finally {
      exports.linksift_free(at, room);
    }
  }

  result() {
    const { memory, linksift_result, linksift_result_len } = this.exports;
    return new Uint8Array(memory.buffer, linksift_result(), linksift_result_len());
  }

  resultText() {
    return decoder.decode(this.result());
  }

  links(count) {
    if (count < 0) {
      throw new RangeError(this.resultText());
    }
    const bytes = this.result().slice();
    const block = { bytes, view: new DataView(bytes.buffer), texts: count * ROW, module: this };
    return Array.from({ length: count }, (_, row) => new Link(block, row));
  }

  display(uri) {
    const done = this.lendText(uri, (at, len) => this.exports.linksift_display(at, len));
    return done < 0 ? uri : this.resultText();
  }
}

const freed = new FinalizationRegistry(({ exports, number }) => exports.linksift_finder_free(number));

/** Finds links by its settings, which have the names of the command's options. */
export class Finder {
  #module;
  #number;

  constructor(module, settings = {}) {
    this.#module = module;
    const words = Object.entries(settings).flatMap(([name, value]) => [kebab(name), word(value)]);
    const text = words.map((one) => one + "\0").join("");
    const number = module.lendText(text, (at, len) => module.exports.linksift_finder(at, len));
    if (number < 0) {
      throw new (number === -1 ? TypeError : RangeError)(module.resultText());
    }
    this.#number = number;
    freed.register(this, { exports: module.exports, number });
  }

  /** The links of a text; `start` and `end` are places in the string. */
  links(text) {
    return this.#find(text, 0);
  }

  /** The links of a text and the candidates that were rejected, in order. */
  candidates(text) {
    return this.#find(text, 1);
  }

  /** The links of a document (`Uint8Array`) in any charset; `start` and `end` are its bytes. */
  document(bytes, { rejected = false } = {}) {
    return this.#read(bytes, rejected, 0);
  }

  /** The links of a message (`Uint8Array`); `start` and `end` are its bytes. */
  message(bytes, { rejected = false } = {}) {
    return this.#read(bytes, rejected, 1);
  }

  /** HTML of a text, its links marked; all else is escaped. */
  linkify(text) {
    return this.#html(text, 0);
  }

  /** HTML with the bare links in its text marked; all else stays. It does not make HTML safe that is not. */
  linkifyHtml(html) {
    return this.#html(html, 1);
  }

  #html(text, isHtml) {
    const module = this.#module;
    module.lendText(text, (at, len) => module.exports.linksift_html(this.#number, at, len, isHtml));
    return module.resultText();
  }

  #find(text, rejected) {
    const module = this.#module;
    const find = (at, len) => module.exports.linksift_find(this.#number, at, len, rejected);
    return module.links(module.lendText(text, find));
  }

  #read(bytes, rejected, message) {
    const module = this.#module;
    const read = (at, len) =>
      module.exports.linksift_document(this.#number, at, len, rejected ? 1 : 0, message);
    return module.links(module.lendBytes(bytes, read));
  }
}

/** What `load` gives: the functions of a finder with the default settings, and other finders. */
class Linksift extends Finder {
  #module;

  constructor(module) {
    super(module);
    this.#module = module;
  }

  /** A finder with other settings, such as `{ schemes: "any", schemeless: false }`. */
  finder(settings) {
    return new Finder(this.#module, settings);
  }
}

const kebab = (name) => name.replace(/[A-Z]/g, (capital) => "-" + capital.toLowerCase());
const word = (value) =>
  typeof value === "boolean" ? (value ? "yes" : "no") : Array.isArray(value) ? value.join(",") : String(value);
