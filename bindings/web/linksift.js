// linksift for browsers and Node: links out of text, documents and messages.
//
//   import { load } from "linksift";
//   const linksift = await load();
//   for (const link of linksift.links("見て http://例え.jp/パス")) console.log(link.start, link.uri);

const KINDS = ["iri", "schemeless", "email", "reference"];
const FIELDS = [
  "uri", "iri", "raw", "host", "context", "charset", "reason", "warnings", "shown", "part", "transfer",
  "messageId", "display", "severity",
];
const ROW = 4 * (3 + 2 * FIELDS.length);
const ABSENT = 0xffffffff;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Loads the module: from beside this file, or from what is given (a URL, bytes, a WebAssembly.Module). */
export async function load(source) {
  const from = source ?? new URL("linksift.wasm", import.meta.url);
  return new Linksift((await instance(from)).exports);
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
  #count;

  constructor(block, row, count) {
    const view = new DataView(block.buffer, block.byteOffset + row * ROW, ROW);
    this.#block = block;
    this.#row = view;
    this.#count = count;
    this.start = view.getUint32(0, true);
    this.end = view.getUint32(4, true);
    const kind = view.getUint32(8, true);
    this.kind = KINDS[kind & 0xff];
    this.rejected = kind > 0xff;
  }

  text(field) {
    const at = this.#row.getUint32(12 + 8 * field, true);
    if (at === ABSENT) {
      return undefined;
    }
    const start = this.#count * ROW + at;
    return decoder.decode(this.#block.subarray(start, start + this.#row.getUint32(16 + 8 * field, true)));
  }

  get warnings() {
    return this.text(FIELDS.indexOf("warnings"))?.split(" ") ?? [];
  }

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
FIELDS.forEach((name, field) => {
  if (name !== "warnings") {
    Object.defineProperty(Link.prototype, name, {
      get() {
        return this.text(field);
      },
    });
  }
});

const freed = new FinalizationRegistry(({ exports, number }) => exports.linksift_finder_free(number));

/** Finds links by its settings, which have the names of the command's options. */
export class Finder {
  #exports;
  #number;

  constructor(exports, settings = {}) {
    this.#exports = exports;
    const words = Object.entries(settings).flatMap(([name, value]) => [kebab(name), word(value)]);
    const bytes = encoder.encode(words.map((one) => one + "\0").join(""));
    const number = this.#lend(bytes, (at) => exports.linksift_finder(at, bytes.length));
    if (number < 0) {
      throw new (number === -1 ? TypeError : RangeError)(decoder.decode(this.#result()));
    }
    this.#number = number;
    freed.register(this, { exports, number });
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
    const bytes = encoder.encode(text);
    this.#lend(bytes, (at) => this.#exports.linksift_html(this.#number, at, bytes.length));
    return decoder.decode(this.#result());
  }

  #find(text, rejected) {
    const bytes = encoder.encode(text);
    const find = (at) => this.#exports.linksift_find(this.#number, at, bytes.length, rejected);
    return this.#links(this.#lend(bytes, find));
  }

  #read(bytes, rejected, message) {
    const read = (at) =>
      this.#exports.linksift_document(this.#number, at, bytes.length, rejected ? 1 : 0, message);
    return this.#links(this.#lend(bytes, read));
  }

  #links(count) {
    if (count < 0) {
      throw new RangeError(decoder.decode(this.#result()));
    }
    const block = this.#result();
    return Array.from({ length: count }, (_, row) => new Link(block, row, count));
  }

  #lend(bytes, use) {
    const exports = this.#exports;
    const at = exports.linksift_alloc(bytes.length);
    try {
      new Uint8Array(exports.memory.buffer, at, bytes.length).set(bytes);
      return use(at);
    } finally {
      exports.linksift_free(at, bytes.length);
    }
  }

  #result() {
    const { memory, linksift_result, linksift_result_len } = this.#exports;
    return new Uint8Array(memory.buffer, linksift_result(), linksift_result_len()).slice();
  }
}

/** What `load` gives: the functions of a finder with the default settings, and other finders. */
class Linksift extends Finder {
  #exports;

  constructor(exports) {
    super(exports);
    this.#exports = exports;
  }

  /** A finder with other settings, such as `{ schemes: "any", schemeless: false }`. */
  finder(settings) {
    return new Finder(this.#exports, settings);
  }
}

const kebab = (name) => name.replace(/[A-Z]/g, (capital) => "-" + capital.toLowerCase());
const word = (value) =>
  typeof value === "boolean" ? (value ? "yes" : "no") : Array.isArray(value) ? value.join(",") : String(value);
