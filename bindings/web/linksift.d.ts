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
  /** The readable form, with a host that could deceive in ASCII. */
  readonly display?: string;
  readonly severity?: "note" | "suspect" | "deceptive";
  toJSON(): Record<string, unknown>;
}

/** By the names of the command's options. */
export interface Settings {
  schemes?: "known" | "any" | string | string[];
  schemeless?: boolean;
  emails?: boolean;
  defaultScheme?: string;
  boundaries?: "prose" | "uts58";
  references?: "auto" | "never";
  host?: "ascii" | "percent" | "unicode";
  forbidden?: "encode" | "refuse";
  queryCharset?: "auto" | "utf-8";
  maxLink?: number;
  format?: string;
  charset?: string;
  base?: string;
  name?: string;
  text?: boolean;
  [name: string]: unknown;
}

export interface Finder {
  links(text: string): Link[];
  candidates(text: string): Link[];
  document(bytes: Uint8Array, options?: { rejected?: boolean }): Link[];
  message(bytes: Uint8Array, options?: { rejected?: boolean }): Link[];
  linkify(text: string): string;
}

export interface Linksift extends Finder {
  /** Throws TypeError for a setting that does not exist, RangeError for a value that it does not take. */
  finder(settings: Settings): Finder;
}

export function load(source?: string | URL | BufferSource | WebAssembly.Module): Promise<Linksift>;
