//! References against a base, and back (RFC 3986 §5; RFC 3987 §6.5: the same for IRIs).
//!
//! Resolution is the strict one, to the letter, `%2E` not being a dot. One thing is added: where no
//! authority is in front and the path comes out as `//…`, `/.` is put before it, or the result
//! would read as an authority (RFC 3986 §3.3 forbids that path).

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
        // What is after the path in the reference goes over as it stands: `?query#fragment`.
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

    /// §5.2.3: what of the base's path goes in front of a relative one.
    fn merge_base(&self) -> &str {
        let path = self.path();
        if path.is_empty() && self.has_authority() {
            return "/";
        }
        path.rfind('/').and_then(|slash| path.get(..=slash)).unwrap_or_default()
    }

    /// Returns a short reference that resolves to the target against this base: the inverse of §5.2.
    ///
    /// `None` if resolution never yields this target: its path has dot
    /// segments.
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
        // The candidates, shortest kind first; each is tried, so that the law holds by construction.
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
                // `./` in front is only for want of something better.
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

/// From one path to another, without a root: `../` for each segment that is not shared.
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
    // An empty first segment, or one with a colon, would be read as something else (§4.2).
    let first = rest.split('/').next().unwrap_or_default();
    if up == 0 && (first.is_empty() || first.contains(':')) {
        path.push_str("./");
    }
    path.push_str(rest);
    path
}

/// `remove_dot_segments` (RFC 3986 §5.2.4) of `base` and `path` together, appended; in one pass,
/// each octet written once and taken back at most once.
fn push_without_dots(out: &mut String, base: &str, path: &str, authority: bool) {
    let start = out.len();
    // Rooted, and the base is a directory without dots: what nearly all are. The segments of the
    // path can then be taken one by one as they come, without putting the two together first.
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

/// Rules B, C and E, for segments that each have a slash in front, the first one's left out.
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

/// `remove_dot_segments` of what is in the string from an offset on.
pub(crate) fn remove_dots_in(out: &mut String, start: usize, authority: bool) {
    // Nothing begins with a dot: nothing to remove. Most paths are so.
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
    // Rules A and D: dots in front of anything, without a root.
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

/// Keeps a path of `//…` from being read as an authority.
fn guard(out: &mut String, start: usize, authority: bool) {
    if !authority && out[start..].starts_with("//") {
        out.insert_str(start, "/.");
    }
}
