//! Resolves references against a base, and relativizes IRIs (RFC 3986 §5; RFC 3987 §6.5: the same for IRIs).
//!
//! Resolution is the strict algorithm, in which `%2E` is not a dot. There is one addition: if the result has no authority
//! and its path begins with `//`, `/.` is inserted before the path, since the result would otherwise have an authority (RFC
//! 3986 §3.3 forbids that path).

use super::components::{Iri, IriRef};

impl Iri<'_> {
    /// Returns the target of a reference against this base (RFC 3986 §5.2).
    ///
    /// The base's fragment does not count (§5.1). There is no error: any reference resolves against
    /// any IRI.
    ///
    /// ```
    /// use linksift::iri::{Iri, IriRef};
    ///
    /// let base = Iri::parse("http://a/b/c/d;p?q")?;
    /// assert_eq!(base.resolve(&IriRef::parse("../g")?), "http://a/b/g");
    /// let base = Iri::parse("a:/")?;
    /// assert_eq!(base.resolve(&IriRef::parse(".//b")?), "a:/.//b");
    /// # Ok::<(), linksift::iri::Error>(())
    /// ```
    #[must_use]
    pub fn resolve(&self, reference: &IriRef<'_>) -> String {
        let mut target = String::with_capacity(self.text.len() + reference.text.len() + 2);
        self.resolve_into(reference, &mut target);
        target
    }

    /// Like [`resolve`](Iri::resolve), but appends to a string, whose buffer can be reused.
    ///
    /// ```
    /// use linksift::iri::{Iri, IriRef};
    ///
    /// let mut target = String::new();
    /// Iri::parse("a:b")?.resolve_into(&IriRef::parse("?c")?, &mut target);
    /// assert_eq!(target, "a:b?c");
    /// # Ok::<(), linksift::iri::Error>(())
    /// ```
    pub fn resolve_into(&self, reference: &IriRef<'_>, target: &mut String) {
        // The text after the path of the reference is copied: `?query#fragment`.
        let r = &reference.parts;
        let tail = reference.text.get(r.path_end as usize..).unwrap_or_default();
        if reference.parts.hier_start != 0 || reference.has_authority() {
            // §5.2.2: T.scheme = R.scheme, or Base.scheme; T.authority = R.authority.
            if r.hier_start == 0 {
                target.push_str(self.slice(0, self.parts.hier_start));
            }
            target.push_str(reference.slice(0, r.path_start));
            let rooted = reference.has_authority();
            push_without_dots(target, "", reference.path(), rooted);
            target.push_str(tail);
            return;
        }
        let b = &self.parts;
        target.push_str(self.slice(0, b.path_start));
        let path = reference.path();
        if path.is_empty() {
            target.push_str(self.path());
            if reference.query().is_none() {
                target.push_str(self.slice(b.path_end, b.query_end));
            }
        } else if path.starts_with('/') {
            push_without_dots(target, "", path, self.has_authority());
        } else {
            push_without_dots(target, self.merge_base(), path, self.has_authority());
        }
        target.push_str(tail);
    }

    /// §5.2.3: returns the part of the base's path that precedes a relative one.
    fn merge_base(&self) -> &str {
        let path = self.path();
        if path.is_empty() && self.has_authority() {
            return "/";
        }
        path.rfind('/').and_then(|slash| path.get(..=slash)).unwrap_or_default()
    }

    /// Returns a short reference that resolves to the target against this base: the inverse of §5.2.
    ///
    /// Returns `None` if resolution never results in this target, because its path has dot segments.
    ///
    /// ```
    /// use linksift::iri::Iri;
    ///
    /// let base = Iri::parse("http://例え.jp/a/b/c?q")?;
    /// let to = |target| base.relativize(&Iri::parse(target).unwrap());
    /// assert_eq!(to("http://例え.jp/a/é").as_deref(), Some("../é"));
    /// assert_eq!(to("http://例え.jp/a/b/c?q#top").as_deref(), Some("#top"));
    /// assert_eq!(to("https://例え.jp/a/").as_deref(), Some("https://例え.jp/a/"));
    /// assert_eq!(to("http://例え.jp/a/../b"), None);
    /// # Ok::<(), linksift::iri::Error>(())
    /// ```
    #[must_use]
    pub fn relativize(&self, target: &Iri<'_>) -> Option<String> {
        let whole = target.as_str();
        // The candidates, shortest kind first; each is resolved, so that the result is right by construction.
        let mut tried = String::new();
        let mut holds = |candidate: &str| {
            tried.clear();
            IriRef::parse(candidate).is_ok_and(|reference| {
                self.resolve_into(&reference, &mut tried);
                tried == whole
            })
        };
        if target.scheme() == self.scheme() {
            let t = &target.parts;
            let tail = |from: u32| target.text.get(from as usize..).unwrap_or_default();
            if target.authority() == self.authority() {
                let mut candidates = vec![tail(t.query_end).to_owned()];
                candidates.push(tail(t.path_end).to_owned());
                let relative = relative_path(self.path(), target.path()) + tail(t.path_end);
                let absolute = tail(t.path_start).to_owned();
                // Use `./` at the beginning only if there is nothing shorter.
                let detour = relative.starts_with("./") && relative.len() > absolute.len();
                candidates.extend(if detour { [absolute, relative] } else { [relative, absolute] });
                if let Some(found) = candidates.into_iter().find(|c| holds(c)) {
                    return Some(found);
                }
            }
            let network = tail(t.hier_start);
            if target.has_authority() && holds(network) {
                return Some(network.to_owned());
            }
        }
        holds(whole).then(|| whole.to_owned())
    }
}

/// Returns the path from one path to another, without a root: `../` for each segment that is not shared.
fn relative_path(base: &str, target: &str) -> String {
    let shared = base
        .bytes()
        .zip(target.bytes())
        .take_while(|(a, b)| a == b)
        .enumerate()
        .filter(|&(_, (b, _))| b == b'/')
        .last()
        .map_or(0, |(at, _)| at + 1);
    let up = base.get(shared..).unwrap_or_default().matches('/').count();
    let rest = target.get(shared..).unwrap_or_default();
    let mut path = "../".repeat(up);
    // An empty first segment, or one with a colon, would be parsed as something else (§4.2).
    let first = rest.split('/').next().unwrap_or_default();
    if up == 0 && (first.is_empty() || first.contains(':')) {
        path.push_str("./");
    }
    path.push_str(rest);
    path
}

/// Appends `remove_dot_segments` (RFC 3986 §5.2.4) of `base` and `path` together, in one pass; each octet is written once
/// and removed at most once.
fn push_without_dots(out: &mut String, base: &str, path: &str, authority: bool) {
    let start = out.len();
    // The path has a root, or the base is a directory without dots, as nearly always. The segments of the path can then be
    // processed one by one, without joining the two first.
    let segments = match base {
        "" => path.strip_prefix('/'),
        _ if base.starts_with('/') && !has_dot_segment(base) => Some(path),
        _ => None,
    };
    let Some(segments) = segments else {
        out.push_str(base);
        out.push_str(path);
        remove_dots_in(out, start, authority);
        return;
    };
    if !has_dot_segment(path) {
        out.push_str(base);
        out.push_str(path);
    } else {
        out.push_str(base.strip_suffix('/').unwrap_or_default());
        push_segments(out, start, segments);
    }
    guard(out, start, authority);
}

/// Applies rules B, C and E to segments, each of which follows a slash; the slash of the first is not included.
fn push_segments(out: &mut String, start: usize, segments: &str) {
    let mut rest = segments;
    loop {
        let end = memchr::memchr(b'/', rest.as_bytes());
        let segment = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        match segment {
            "." => {}
            ".." => {
                let keep = memchr::memrchr(b'/', &out.as_bytes()[start..]).unwrap_or(0);
                out.truncate(start + keep);
            }
            _ => {
                out.push('/');
                out.push_str(segment);
            }
        }
        let Some(end) = end else {
            // A path that ends in a dot segment ends in a slash.
            if matches!(segment, "." | "..") {
                out.push('/');
            }
            return;
        };
        rest = rest.get(end + 1..).unwrap_or_default();
    }
}

/// Applies `remove_dot_segments` to the string from an offset on.
pub(crate) fn remove_dots_in(out: &mut String, start: usize, authority: bool) {
    // No segment begins with a dot, so nothing needs to be removed, as in most paths.
    if !has_dot_segment(&out[start..]) {
        guard(out, start, authority);
        return;
    }
    let input = out.split_off(start);
    remove_dots(out, start, &input);
    guard(out, start, authority);
}

fn has_dot_segment(path: &str) -> bool {
    let bytes = path.as_bytes();
    memchr::memchr_iter(b'.', bytes).any(|at| at == 0 || bytes[at - 1] == b'/')
}

fn remove_dots(out: &mut String, start: usize, input: &str) {
    let mut rest = input;
    // Rules A and D: dots at the beginning, without a root.
    loop {
        if let Some(after) = rest.strip_prefix("../").or_else(|| rest.strip_prefix("./")) {
            rest = after;
        } else {
            if rest == "." || rest == ".." {
                rest = "";
            }
            break;
        }
    }
    // A first segment without a root (rule E).
    let first = memchr::memchr(b'/', rest.as_bytes()).unwrap_or(rest.len());
    out.push_str(&rest[..first]);
    rest = &rest[first..];
    if let Some(segments) = rest.strip_prefix('/') {
        push_segments(out, start, segments);
    }
}

/// Prevents a path of `//…` from being parsed as an authority.
fn guard(out: &mut String, start: usize, authority: bool) {
    if !authority && out[start..].starts_with("//") {
        out.insert_str(start, "/.");
    }
}
