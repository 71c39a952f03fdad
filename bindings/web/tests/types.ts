// What the types of the package promise: compiled by tsc --strict, not run.
import { load, type Bytes, type Finding, type Finder, type Link, type Severity } from "linksift";

const linksift = await load();
const links: Link[] = linksift.links("bb.de");
const kinds: ("iri" | "schemeless" | "email" | "reference")[] = links.map((link) => link.kind);
const uris: string[] = links.flatMap((link) => link.uri ?? []);
const severity: Severity | undefined = links[0]?.severity;
const findings: Finding[] = links.flatMap((link) => link.findings);
const finder: Finder = linksift.finder({ schemes: ["https"], schemeless: false, maxLink: 100, knownHosts: ["a.example"] });
const html: string = finder.linkify("x") + finder.linkifyHtml("<p>x");
finder.document(new Uint8Array(), { rejected: true });
finder.document(new Uint8Array(), { noticed: (member: string, code: string, part: string) => void [member, code, part] });
finder.message(new ArrayBuffer(1));
const anywhere: Bytes[] = [new SharedArrayBuffer(1), new DataView(new ArrayBuffer(1)), new Float64Array(1)];
anywhere.forEach((bytes) => finder.document(bytes));
await load(new Uint8Array());
// @ts-expect-error: a text is no document
finder.document("x");
// @ts-expect-error: nor is it a message
finder.message("x");
// @ts-expect-error: bytes are no text
finder.links(new ArrayBuffer(1));
// @ts-expect-error: there are no such boundaries
linksift.finder({ boundaries: "none" });
// @ts-expect-error: a link is not to be written to
if (links[0]) links[0].start = 1;
export { findings, html, kinds, severity, uris };
