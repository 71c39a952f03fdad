//! Escapes of strings of JSON and JavaScript: `\u0026`, `\x26`, `\\/`.

use super::Twin;

impl Twin<'_> {
    /// The character of the escape at `i`, and the escape's length. `None` in it: one that ends a link.
    pub(super) fn string_escape(&self, i: usize) -> Option<(Option<char>, usize)> {
        let backslashes = (i..i + 4).take_while(|&k| self.written(k) == Some('\\')).count();
        let first = i + backslashes;
        if !self.prose() || backslashes == 0 {
            return None;
        }
        if self.written(first) == Some('/') {
            return (2..4).contains(&backslashes).then_some((Some('/'), backslashes + 1));
        }
        if backslashes > 2 {
            return None;
        }
        let braced = ["u{", "x{"].iter().any(|one| self.is_plain(first, one));
        let (digits, len) = if braced {
            let inside: String = (first + 2..first + 9)
                .map_while(|k| self.written(k))
                .take_while(|c| *c != '}')
                .collect();
            let closed = self.written(first + 2 + inside.len()) == Some('}');
            (closed.then_some(inside.clone())?, inside.len() + 3)
        } else {
            let count = match self.written(first)? {
                'u' => 4,
                'x' => 2,
                _ => return None,
            };
            let digits: String = (1..=count).map_while(|k| self.written(first + k)).collect();
            (Some(digits).filter(|digits| digits.len() == count)?, count + 1)
        };
        let is_number = digits.chars().all(|c| c.is_ascii_hexdigit()) && digits.len() < 7;
        let code = u32::from_str_radix(&digits, 16).ok().filter(|_| is_number)?;
        let mut len = backslashes + len;
        if len == backslashes + 3 && code > 0x7F {
            return self.escaped_bytes(i, backslashes);
        }
        let mut c = char::from_u32(code);
        if (0xD800..0xDC00).contains(&code) {
            let next = self.string(i + len, i + 2 * len);
            let low = next.strip_prefix(&*("\\".repeat(backslashes) + "u"))?;
            let low = u16::from_str_radix(low, 16).ok().filter(|_| low.len() == 4)?;
            c = char::decode_utf16([code as u16, low]).next()?.ok();
            len *= 2;
        }
        let c = c?;
        let belongs =
            c.is_ascii_alphanumeric() || !c.is_ascii() || "-._~:/?#@!$&()*+,;=%".contains(c);
        Some((belongs.then_some(c), len))
    }

    /// The characters `first..end`, with those that escapes are.
    pub(super) fn unescaped(&self, mut first: usize, end: usize) -> String {
        let mut text = String::new();
        while first < end {
            let (c, len) = match self.string_escape(first) {
                Some((Some(c), len)) => (Some(c), len),
                _ => (self.at(first), 1),
            };
            text.extend(c);
            first += len;
        }
        text
    }

    /// The character that the bytes `\xC3\xA9` from `i` on are in UTF-8, or the first of them in Latin-1.
    fn escaped_bytes(&self, i: usize, backslashes: usize) -> Option<(Option<char>, usize)> {
        let one = backslashes + 3;
        let bytes: Vec<u8> = (0..4)
            .map_while(|k| {
                let escape = self.string(i + k * one, i + (k + 1) * one);
                let digits = escape.strip_prefix(&*("\\".repeat(backslashes) + "x"))?;
                let is_number = digits.len() == 2 && !digits.contains('+');
                u8::from_str_radix(digits, 16).ok().filter(|_| is_number)
            })
            .collect();
        let utf8 = (1..=bytes.len()).find_map(|n| std::str::from_utf8(&bytes[..n]).ok());
        match utf8 {
            Some(text) => Some((text.chars().next(), text.len() * one)),
            None => (bytes[0] >= 0xA0).then_some((Some(char::from(bytes[0])), one)),
        }
    }

    /// The index after the slash at `i`, as it is or escaped.
    pub(super) fn after_slash(&self, i: usize) -> Option<usize> {
        match self.string_escape(i) {
            Some((c, len)) => (c == Some('/')).then_some(i + len),
            None => self.is(i, r"\/").then_some(i + 2),
        }
    }

    /// The index after the `://` at `i`.
    pub(super) fn authority_start(&self, i: usize) -> Option<usize> {
        if self.is(i, "://") {
            return Some(i + 3);
        }
        if let Some((Some(':'), len)) = self.string_escape(i) {
            let first = i + len;
            let plain = self.is_plain(first, "//").then_some(first + 2);
            return plain.or_else(|| self.after_slash(self.after_slash(first)?));
        }
        let colon = self.prose() && self.is_plain(i, ":");
        if colon { self.after_slash(self.after_slash(i + 1)?) } else { None }
    }

    /// The colon that is written as an escape before `//` and the name `run..dot`.
    pub(super) fn escaped_colon(&self, run: usize, dot: usize) -> Option<usize> {
        let first = run.saturating_sub(33).max(self.floor);
        let colon = (first..run).find(|&i| {
            let escaped = matches!(self.string_escape(i), Some((Some(':'), _)));
            escaped && self.authority_start(i).is_some()
        })?;
        self.authority_start(colon).filter(|at| (run..dot).contains(at)).map(|_| colon)
    }

    /// Where a scheme of the web begins that stands before `start` without its `://`.
    pub(super) fn damaged_scheme(&self, start: usize) -> Option<usize> {
        let back = |i: usize| (i > self.floor).then(|| self.written(i - 1)).flatten();
        let mut first = start;
        while start - first < 16 && back(first).is_some_and(|c| "/\\".contains(c)) {
            first -= 1;
        }
        let two = self.string(first, start) == "//";
        let mark = back(first).filter(|&c| c == ':' || two && ";.,".contains(c));
        if mark.is_none() && !two {
            return None;
        }
        let end = first - usize::from(mark.is_some());
        let scheme = ["https", "http", "ftp"].iter().find_map(|name| {
            let first = end.checked_sub(name.len()).filter(|&first| first >= self.floor)?;
            self.is_written(first, name).then_some(first)
        })?;
        let alone = |c: char| !c.is_ascii_alphanumeric() && (mark.is_some() || !"/.-_".contains(c));
        back(scheme).is_none_or(alone).then_some(scheme)
    }
}
