// linksift for browsers and Node: links out of text, documents and messages.
//
//   import { load } from "linksift";
//   const linksift = await load();
//   for (const link of linksift.links("見て http://例え.jp/パス")) console.log(link.start, link.uri);

const KINDS = ["iri", "schemeless", "email", "reference"];
const FIELDS = [
  "uri", "iri", "raw", "host", "context", "charset", "reason", "warnings", "shown", "part", "transfer",
  "messageId", "source", "severity", "findings", "member", "memberBytes",
];
// As src/block.rs has them.
const NOTICED = 1 << 7;
const REJECTED = 1 << 8;
const FAILED = 1 << 9;
const HAS = 10;
// So many numbers are copied one by one sooner than by a view of them.
const FEW = 120;
// What a message needs at most is kept; more is given back.
const KEPT = 1 << 16;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

// A module with one function, which makes a vector: only what runs vectors takes it.
const VECTORS = Uint8Array.of(
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 8, 1, 6, 0, 65, 0, 253, 15, 11,
);

/** Loads the module: from beside this file, or from what is given (a URL, bytes, a WebAssembly.Module). */
export async function load(source) {
  return new Linksift(new Module((await instance(source ?? beside())).exports));
}

/** The module beside this file: the one with vectors, where they run. */
function beside() {
  // Each address whole: bundlers look for such expressions.
  return WebAssembly.validate(VECTORS)
    ? new URL("linksift-simd.wasm", import.meta.url)
    : new URL("linksift.wasm", import.meta.url);
}

async function instance(from) {
  if (from instanceof WebAssembly.Module) {
    return WebAssembly.instantiate(from, {});
  }
  if (isBuffer(from) || ArrayBuffer.isView(from)) {
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

/** Whether it is an ArrayBuffer or a SharedArrayBuffer, of this window or of another one. */
function isBuffer(value) {
  return /^\[object (Shared)?ArrayBuffer\]$/.test(Object.prototype.toString.call(value));
}

/** The bytes of a buffer, of a typed array of any kind or of a DataView, where they are. */
function bytesOf(value) {
  if (ArrayBuffer.isView(value)) {
    return new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
  }
  if (isBuffer(value)) {
    return new Uint8Array(value);
  }
  const hint = typeof value === "string" ? ": new TextEncoder().encode(text) makes them, links(text) reads a text" : "";
  throw new TypeError(`bytes are expected (Uint8Array, ArrayBuffer and their like), not ${kindOf(value)}${hint}`);
}

/** A text, which nothing else is taken for. */
function textOf(value) {
  if (typeof value === "string") {
    return value;
  }
  if (value instanceof String) {
    return value.valueOf();
  }
  const hint = ArrayBuffer.isView(value) || isBuffer(value) ? ": document(bytes) reads them" : "";
  throw new TypeError(`a string is expected, not ${kindOf(value)}${hint}`);
}

/** What to call a value in a message. */
function kindOf(value) {
  if (value === null) {
    return "null";
  }
  return typeof value === "object" ? (value.constructor?.name ?? "Object") : typeof value;
}

/** What was found at once: rows of numbers as src/block.rs writes them, and what their texts are cut out of. */
class Block {
  constructor(module, rows, texts, source) {
    this.module = module;
    this.rows = rows;
    this.texts = texts;
    this.source = source;
  }

  text(row, field) {
    const { rows } = this;
    const has = rows[row + 2] >>> HAS;
    if (((has >>> field) & 1) === 0) {
      return undefined;
    }
    const at = row + 3 + 2 * ones(has & ((1 << field) - 1));
    const start = rows[at];
    return ((start & 1) === 0 ? this.texts : this.source).slice(start >>> 1, rows[at + 1]);
  }
}

/** How many bits are 1. */
function ones(bits) {
  let count = 0;
  for (; bits !== 0; bits &= bits - 1) {
    count++;
  }
  return count;
}

/** Numbers out of the module's memory, which the next call writes over. */
function copy(numbers, at, length) {
  if (length > FEW) {
    return numbers.slice(at, at + length);
  }
  const few = [];
  for (let n = at; n < at + length; n++) {
    few.push(numbers[n]);
  }
  return few;
}

/** A link, or a candidate that was rejected (`link.rejected`). Texts are made when they are asked for. */
export class Link {
  #block;
  #row;

  constructor(block, row) {
    const { rows } = block;
    this.#block = block;
    this.#row = row;
    this.start = rows[row];
    this.end = rows[row + 1];
    const what = rows[row + 2];
    this.kind = KINDS[what & 0xff];
    this.rejected = (what & REJECTED) !== 0;
  }

  #text(field) {
    return this.#block.text(this.#row, field);
  }

  // What most links have is not written (src/block.rs).
  get uri() { return this.#text(0) ?? (this.rejected ? undefined : this.iri); }
  get iri() { return this.#text(1) ?? this.raw; }
  get raw() { return this.#text(2) ?? this.#block.source.slice(this.start, this.end); }
  get host() { return this.#text(3); }
  get context() { return this.#text(4) ?? "text"; }
  get charset() { return this.#text(5) ?? "utf-8"; }
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
  get member() { return this.#text(15); }
  get memberBytes() {
    const text = this.#text(16);
    return text === undefined ? undefined : Uint8Array.from(text, (byte) => byte.charCodeAt(0));
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
        json[field] = field === "memberBytes" ? [...value] : value;
      }
    }
    return json;
  }
}

/** The module's memory and functions, with texts in place of pointers. */
class Module {
  #room = 0;
  #at = 0;
  #lent = new Uint8Array();
  #numbers = new Uint32Array();

  constructor(exports) {
    this.exports = exports;
  }

  /** What `use` makes of a text in the module's memory. */
  lendText(value, use) {
    const text = textOf(value);
    // A unit of UTF-16 is three bytes of UTF-8 at most.
    const lent = this.#lend(text.length * 3);
    try {
      return use(this.#at, write(text, lent));
    } finally {
      this.#giveBack();
    }
  }

  /** What `use` makes of bytes in the module's memory. */
  lendBytes(value, use) {
    const bytes = bytesOf(value);
    this.#lend(bytes.length).set(bytes);
    try {
      return use(this.#at, bytes.length);
    } finally {
      this.#giveBack();
    }
  }

  /** Room in the module's memory, which is used again and again. */
  #lend(room) {
    const { exports } = this;
    if (room > this.#room) {
      this.#free();
      this.#room = Math.max(room, 1024);
      this.#at = exports.linksift_alloc(this.#room);
    }
    // Memory that has grown is another buffer.
    if (this.#lent.buffer !== exports.memory.buffer || this.#lent.length !== this.#room) {
      this.#lent = new Uint8Array(exports.memory.buffer, this.#at, this.#room);
    }
    return this.#lent;
  }

  #giveBack() {
    if (this.#room > KEPT) {
      this.#free();
    }
  }

  #free() {
    if (this.#room > 0) {
      this.exports.linksift_free(this.#at, this.#room);
      this.#room = 0;
    }
  }

  result() {
    const { memory, linksift_result, linksift_result_len } = this.exports;
    return new Uint8Array(memory.buffer, linksift_result(), linksift_result_len());
  }

  resultText() {
    return decoder.decode(this.result());
  }

  /** All of the memory, by numbers of 32 bits. */
  #memory() {
    const { buffer } = this.exports.memory;
    if (this.#numbers.buffer !== buffer) {
      this.#numbers = new Uint32Array(buffer);
    }
    return this.#numbers;
  }

  /**
   * What was found, in `source` if that is a text; `failed` is told of members that failed, `noticed` of what is to be known
   * of documents.
   */
  links(count, source, failed, noticed) {
    if (count === 0) {
      return [];
    }
    if (count < 0) {
      throw new RangeError(this.resultText());
    }
    const numbers = this.#memory();
    const at = this.exports.linksift_rows() >>> 2;
    const length = numbers[at];
    const rows = copy(numbers, at + 3, length);
    const bytes = numbers[at + 2];
    const texts = bytes === 0 ? "" : decoder.decode(new Uint8Array(numbers.buffer, numbers[at + 1], bytes));
    const block = new Block(this, rows, texts, source);
    const links = [];
    for (let row = 0; row < length; ) {
      const what = rows[row + 2];
      if ((what & FAILED) !== 0) {
        failed?.(block.text(row, 15), block.text(row, 6));
      } else if ((what & NOTICED) !== 0) {
        noticed?.(block.text(row, 15), block.text(row, 6));
      } else {
        links.push(new Link(block, row));
      }
      row += 3 + 2 * ones(what >>> HAS);
    }
    return links;
  }

  display(uri) {
    const done = this.lendText(uri, (at, len) => this.exports.linksift_display(at, len));
    return done < 0 ? uri : this.resultText();
  }
}

/** Writes a text in UTF-8; returns how many bytes it has. A short one that is ASCII is written at once. */
function write(text, memory) {
  const { length } = text;
  if (length < 100) {
    let at = 0;
    for (; at < length; at++) {
      const unit = text.charCodeAt(at);
      if (unit > 0x7f) {
        break;
      }
      memory[at] = unit;
    }
    if (at === length) {
      return length;
    }
  }
  return encoder.encodeInto(text, memory).written;
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

  /**
   * The links of a document in any charset, given as its bytes: an ArrayBuffer, a typed array or a DataView; `start` and
   * `end` are its bytes. TypeError for anything else, a string among it. With `archives` what is
   * compressed or an archive is opened, and they are bytes of `link.member`; `failed` is told of each member that
   * cannot be read, or not to its end, and why. `noticed` is called with the member (empty for the document itself) and the
   * code of a notice for what is not read as one may expect: a picture, an encoding that is not decoded.
   */
  document(bytes, options) {
    return this.#read(bytes, 0, options);
  }

  /** The links of a message; `start` and `end` are its bytes. Bytes and options as those of `document`. */
  message(bytes, options) {
    return this.#read(bytes, 2, options);
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

  #find(value, rejected) {
    const module = this.#module;
    const text = textOf(value);
    const find = (at, len) => {
      // It is ASCII if it has as many bytes as units.
      const flags = rejected | (len === text.length ? 2 : 0);
      return module.exports.linksift_find(this.#number, at, len, flags);
    };
    return module.links(module.lendText(text, find), text);
  }

  #read(bytes, flags, { rejected = false, archives = false, failed, noticed } = {}) {
    const module = this.#module;
    const all = flags | (rejected ? 1 : 0) | (archives ? 4 : 0);
    const read = (at, len) => module.exports.linksift_document(this.#number, at, len, all);
    return module.links(module.lendBytes(bytes, read), "", failed, noticed);
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
