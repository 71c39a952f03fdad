//! Detects manifests of Kubernetes, which `kubectl` and `helm` print without a name.

/// Members that a manifest has before `apiVersion`.
const BEFORE: [&[u8]; 3] = [b"kind:", b"metadata:", b"spec:"];
const VERSION: &[u8] = b"apiVersion:";

/// Returns `true` if a line of the bytes begins with `apiVersion:`, after nothing but comments, markers of documents, and other members
/// of a manifest with their values; `None` if the following bytes decide.
pub(super) fn begins_manifest(bytes: &[u8]) -> Option<bool> {
    let mut is_in_member = false;
    let mut lines = bytes.split(|byte| *byte == b'\n').peekable();
    while let Some(line) = lines.next() {
        let is_cut = lines.peek().is_none();
        let may_be = |name: &[u8]| line.starts_with(name) || is_cut && name.starts_with(line);
        if line.starts_with(VERSION) {
            let next = line.get(VERSION.len());
            return next.map(u8::is_ascii_whitespace).or(if is_cut { None } else { Some(true) });
        }
        let is_member = BEFORE.iter().any(|name| may_be(name));
        is_in_member |= is_member;
        let goes_on = match line {
            [] | b"\r" | [b'#', ..] => true,
            [b' ' | b'-', ..] if is_in_member => true,
            _ => {
                is_member
                    || may_be(b"---")
                    || may_be(b"%YAML")
                    || is_cut && VERSION.starts_with(line)
            }
        };
        if !goes_on {
            return Some(false);
        }
    }
    None
}
