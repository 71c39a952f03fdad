export type Severity = "note" | "suspect" | "deceptive";

/** What of a link deceives, or a reader should know. */
export interface Finding {
  readonly code: string;
  readonly severity: Severity;
  readonly start: number;
  readonly end: number;
}

/** A link, or a candidate that was rejected. */
export interface Link {
  /** In a string: units of UTF-16, so that `text.slice(start, end) === raw`; in a document: bytes. */
  readonly start: number;
  readonly end: number;
  readonly kind: "iri" | "schemeless" | "email" | "reference";
  readonly rejected: boolean;
  /** The URI that it maps to, ASCII; absent if it is rejected. */
  readonly uri?: string;
  readonly iri: string;
  readonly raw: string;
  readonly host?: string;
  readonly context: string;
  readonly charset: string;
  /** Why it is rejected. */
  readonly reason?: string;
  readonly warnings: string[];
  /** The host that the visible text names, where it is another one. */
  readonly shown?: string;
  readonly part?: string;
  readonly transfer?: string;
  readonly messageId?: string;
  /** The member of an archive that holds it, outermost first, steps joined by `!`; places are its bytes. */
  readonly member?: string;
  /** The bytes of that name, if they are not UTF-8. */
  readonly memberBytes?: Uint8Array;
  /** The document's own IRI, such as a part's Content-Location. */
  readonly source?: string;
  /** The readable form, with a host that could deceive in ASCII. */
  readonly display?: string;
  readonly severity?: Severity;
  /** One or more for each warning; places are those in `iri`. */
  readonly findings: Finding[];
  toJSON(): Record<string, unknown>;
}

/** By the names of the command's options, in camel case. */
export interface Settings {
  schemes?: "known" | "any" | (string & {}) | string[];
  schemeless?: boolean;
  emails?: boolean;
  defaultScheme?: string;
  boundaries?: "prose" | "uts58";
  userinfo?: "refuse" | "warn";
  references?: "auto" | "never";
  host?: "ascii" | "percent" | "unicode";
  forbidden?: "encode" | "refuse";
  queryCharset?: "auto" | "utf-8";
  maxLink?: number;
  lazy?: boolean;
  /** Hosts that others must not resemble. */
  knownHosts?: string | string[];
  /** Of documents. */
  format?: "auto" | "text" | "code" | "html" | "xml" | "css" | "json" | "csv" | "markdown" | "calendar" | "vcard" | "email" | "mbox";
  charset?: string;
  base?: string;
  /** Of documents: the name of the file, whose ending says what it is. */
  name?: string;
  /** Of documents: whether running text of markup is read. */
  text?: boolean;
  /** Of messages. */
  headers?: "none" | "links" | "all";
  alternatives?: "all" | "best";
  joinWrapped?: "auto" | "never";
  /** Of HTML that is made. */
  class?: string;
  target?: string;
  rel?: string;
  newlines?: "keep" | "break";
  citations?: boolean;
  linkifySchemes?: string | string[];
  linkifyJoinWrapped?: boolean;
  /** What becomes of links that deceive, or may. */
  onSuspect?: "link" | "mark" | "text";
  emphasizeHost?: boolean;
  isolate?: boolean;
}

/** How a document is read. */
export interface Reading {
  /** Gives the candidates that were rejected too. Default: false. */
  rejected?: boolean;
  /** Opens what is compressed or an archive, and what of it is attached to a message. Default: false. */
  archives?: boolean;
  /** Told of each member of an archive that cannot be read, or not to its end, and why. */
  failed?: (member: string, reason: string) => void;
  /**
   * Called with the code of each notice for what is not read as one may expect (`media-unread`, `undecodable`,
   * `unknown-charset`), and the member of an archive that it is about; empty for the document itself.
   */
  noticed?: (member: string, code: string) => void;
}

/** Bytes, wherever they are: `await file.arrayBuffer()`, Node's `Buffer`, a view of a part. */
export type Bytes = ArrayBuffer | SharedArrayBuffer | ArrayBufferView;

/** A function throws TypeError for a text where bytes are expected, and for anything else where a text is. */
export interface Finder {
  links(text: string): Link[];
  candidates(text: string): Link[];
  document(bytes: Bytes, options?: Reading): Link[];
  message(bytes: Bytes, options?: Reading): Link[];
  linkify(text: string): string;
  linkifyHtml(html: string): string;
}

export interface Linksift extends Finder {
  /** Throws TypeError for a setting that does not exist, RangeError for a value that it does not take. */
  finder(settings: Settings): Finder;
}

export function load(source?: string | URL | BufferSource | WebAssembly.Module): Promise<Linksift>;
