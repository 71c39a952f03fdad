//! What a program fills in: placeholders in a host and in user information.

use super::Twin;
use super::chars;
use super::host::Set;

const LENGTH: usize = 64;

fn is_letter(c: Option<char>) -> bool {
    c.is_some_and(|c| "sdiuvx".contains(c))
}

impl Twin<'_> {
    /// The end of the host `first..end` with the dots up to `run`, if a placeholder behind it is a part of it.
    pub(super) fn end_of_template(&self, first: usize, end: usize, run: usize) -> Option<usize> {
        let mut last = self.template(run)?;
        let host = self.string(first, end);
        let labels = host.split(chars::is_dot).filter(|label| !label.is_empty()).count();
        let domain = self.string(self.last_label(first, end), end);
        let named = chars::is_tld(&domain) || super::host::is_ipv4(&host);
        let goes_on = self.name_end(last).1 > last;
        let brace = self.written(run) == Some('{');
        if !(labels == 0 || run > end || !named && (!brace || goes_on) || labels == 1 && goes_on) {
            return None;
        }
        loop {
            let (dots, name) = self.name_end(last);
            match self.template(dots) {
                Some(behind) => last = behind,
                None => {
                    last = name;
                    break;
                }
            }
        }
        let port = (self.written(last) == Some(':')).then(|| self.template(last + 1)).flatten();
        Some(port.unwrap_or(last))
    }

    /// Where host characters end, with dots and without them.
    fn name_end(&self, from: usize) -> (usize, usize) {
        let run = self.host_run(Set::Schemed, from);
        (run, self.without_dots(from, run))
    }

    /// `{{ name }}`, `$(name x)`, `<name>`: its end, in user information.
    pub(super) fn template_with_blank(&self, i: usize) -> Option<usize> {
        let opens = match self.written(i)? {
            '{' => true,
            '<' => matches!(self.written(i.wrapping_sub(1)), Some('/' | ':' | '@')),
            '(' => self.written(i.wrapping_sub(1)) == Some('$'),
            _ => false,
        };
        let end = self.closing(i).filter(|_| opens && self.prose())?;
        (self.written(i) == Some('<') || (i..end).any(|k| self.written(k) == Some(' ')))
            .then_some(end)
    }

    /// `$NAME`, `${…}`, `$(…)`, `{…}`, `%s`, `%1$s`, `%(name)s`: its end.
    fn template(&self, i: usize) -> Option<usize> {
        let run = |from: usize, is: fn(char) -> bool| {
            (from..from + LENGTH).take_while(|&k| self.written(k).is_some_and(is)).count()
        };
        match self.written(i)? {
            '{' => self.closing(i),
            '$' if matches!(self.written(i + 1), Some('{' | '(')) => self.closing(i + 1),
            '$' => {
                let len = run(i + 1, |c| c.is_ascii_alphanumeric() || c == '_');
                (len > 0).then_some(i + 1 + len)
            }
            '%' if self.written(i + 1) == Some('(') => {
                let named = self.closing(i + 1)?;
                let digits = named + run(named, |c| c.is_ascii_digit());
                let dollar = digits > named && self.written(digits) == Some('$');
                let last = digits + usize::from(dollar);
                is_letter(self.written(last)).then_some(last + 1)
            }
            '%' => {
                let digits = i + 1 + run(i + 1, |c| c.is_ascii_digit());
                let number = digits > i + 1;
                let dollar = number && self.written(digits) == Some('$');
                let last = digits + usize::from(dollar);
                match is_letter(self.written(last)) {
                    true => Some(last + 1),
                    false => (number && !dollar).then_some(last),
                }
            }
            _ => None,
        }
    }

    /// Behind the bracket that closes the one at `i`, on the line and without a slash between them.
    fn closing(&self, i: usize) -> Option<usize> {
        let open = self.written(i)?;
        let close = match open {
            '{' => '}',
            '(' => ')',
            _ => '>',
        };
        let mut depth = 0;
        let mut k = i;
        loop {
            let (first, end) = self.text.stored(i, k);
            if end - first >= LENGTH {
                return None;
            }
            match self.at(k)? {
                '/' | '\0'..' ' | '\u{7F}' => return None,
                c if c == open => depth += 1,
                c if c == close => {
                    depth -= 1;
                    if depth == 0 {
                        return Some(k + 1);
                    }
                }
                c if c != ' ' && chars::is_white_space(c) => return None,
                _ => {}
            }
            k += 1;
        }
    }

    /// `%s.example.com`, `%1$s.example.com`, `%(name)s.example.com`
    pub(super) fn is_in_conversion(&self, start: usize) -> bool {
        let letter = self.written(start);
        let back = |n: usize| start.checked_sub(n).and_then(|k| self.written(k));
        let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
        let name =
            (2..66).take_while(|&n| back(n).is_some_and(|c| c.is_ascii_alphanumeric() || c == '_'));
        let len = name.count();
        self.prose()
            && self.written(start + 1) == Some('.')
            && match back(1) {
                Some('%') => is_letter(letter) || digit(letter),
                Some('$') => is_letter(letter) && digit(back(2)) && back(3) == Some('%'),
                Some(')') => {
                    let named = back(2 + len) == Some('(') && back(3 + len) == Some('%');
                    is_letter(letter) && len > 0 && named
                }
                _ => false,
            }
    }
}
