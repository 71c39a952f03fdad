//! Names in a path of Windows.

use super::Twin;

impl Twin<'_> {
    /// A backslash is before it, and a folder before that.
    pub(super) fn is_in_folder(&self, start: usize) -> bool {
        if self.before(start) != Some('\\') {
            return false;
        }
        let folder = |c: char| c.is_ascii_alphanumeric() || "_-.%:)}".contains(c) || !c.is_ascii();
        start > 1 && self.before(start - 1).is_some_and(folder) || self.is_surely_in_folder(start)
    }

    /// The path begins with a drive, or has a folder in it whose first letter begins no escape.
    pub(super) fn is_surely_in_folder(&self, start: usize) -> bool {
        let (text, from) = self.stored_before(start);
        let inner =
            |c: char| c.is_ascii_alphanumeric() || "\\ _-.~%$#@&()".contains(c) || !c.is_ascii();
        let front = text.trim_end_matches(inner);
        let path = &text[front.len()..];
        let mut back = front.chars().rev();
        let drive = back.next() == Some(':')
            && back.next().is_some_and(|c| c.is_ascii_alphabetic())
            && back.next().map_or(from == 0, |c| !c.is_ascii_alphanumeric())
            && path.starts_with('\\');
        let folder = path.split('\\').skip(1).any(|name| {
            name.chars().count() > 1
                && name.chars().take(2).all(|c| c.is_ascii_alphabetic())
                && !name.starts_with(['a', 'b', 'e', 'f', 'n', 'r', 't', 'u', 'v', 'x'])
        });
        drive || folder
    }
}
