//! Bar charts: values and their counts as a drawing in SVG.

use std::fmt::Write;

use super::text;

/// Maximum number of values with a separate bar.
const MOST: usize = 15;
/// Height of a row, start of the bar, and length of the longest bar.
const ROW: usize = 22;
const LEFT: usize = 190;
const LONG: f64 = 200.0;
const WIDTH: usize = 540;
/// Maximum number of characters of a value.
const ROOM: usize = 28;

/// A drawing with a title.
pub(crate) struct Bars<'b> {
    title: &'static str,
    values: Vec<(&'b str, u64)>,
    all: u64,
}

impl<'b> Bars<'b> {
    /// Creates a chart of values with their counts, the most frequent first.
    pub(crate) fn new(title: &'static str, values: Vec<(&'b str, u64)>) -> Bars<'b> {
        let all = values.iter().map(|(_, count)| count).sum();
        Bars { title, values, all }
    }

    /// Sets the total that the values are shares of.
    pub(crate) fn of(self, all: u64) -> Bars<'b> {
        Bars { all, ..self }
    }

    /// Appends the drawing, if there is anything to draw.
    pub(crate) fn push(&self, out: &mut String) {
        let Bars { title, values, all } = self;
        let Some((_, longest)) = values.first() else { return };
        let rest: u64 = values.iter().skip(MOST).map(|(_, count)| count).sum();
        let more = format!("{} others", grouped(values.len().saturating_sub(MOST) as u64));
        let mut rows: Vec<_> =
            values.iter().take(MOST).map(|(value, count)| (*value, *count, "bar")).collect();
        if rest > 0 {
            rows.push((&more, rest, "rest"));
        }
        let height = rows.len() * ROW + 4;
        // Writing to a `String` cannot fail.
        let _ = writeln!(out, "<figure><figcaption>{title}</figcaption>");
        let _ = writeln!(
            out,
            "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{title}\">"
        );
        for (number, (value, count, class)) in rows.into_iter().enumerate() {
            // The rest may be more than all values that are shown, and is not a value, so it has no bar.
            let width = match class {
                "rest" => 0.0,
                _ => (count as f64 / *longest as f64 * LONG).max(1.0),
            };
            let middle = number * ROW + ROW / 2 + 2;
            let top = number * ROW + 4;
            let percent = 100.0 * count as f64 / (*all).max(1) as f64;
            let end = LEFT as f64 + width + 6.0;
            let (full, name) = (text(value), text(&shortened(value)));
            let _ = writeln!(
                out,
                "<g><title>{full}: {}</title><text class=\"name\" x=\"{}\" y=\"{middle}\">{name}</text><rect class=\"{class}\" x=\"{LEFT}\" y=\"{top}\" width=\"{width:.1}\" height=\"{}\"/><text class=\"count\" x=\"{end:.1}\" y=\"{middle}\">{} <tspan>{percent:.1} %</tspan></text></g>",
                grouped(count),
                LEFT - 6,
                ROW - 5,
                grouped(count),
            );
        }
        *out += "</svg></figure>\n";
    }
}

/// Returns a value that fits before its bar. The end of a long one is kept, since a host's owner is at the end.
fn shortened(value: &str) -> String {
    let count = value.chars().count();
    match value.char_indices().nth(count.saturating_sub(ROOM)) {
        Some((start, _)) if count > ROOM => format!("…{}", &value[start..]),
        _ if value.is_empty() => "(none)".to_owned(),
        _ => value.to_owned(),
    }
}

/// Formats a number with separators between the thousands.
pub(crate) fn grouped(number: u64) -> String {
    indicatif::HumanCount(number).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_bar_of_its_own_is_summed_up() {
        let names: Vec<_> = (0..20).map(|number| format!("v{number}")).collect();
        let values: Vec<_> = names.iter().map(|name| (name.as_str(), 10)).collect();
        let mut out = String::new();
        Bars::new("Title", values).push(&mut out);
        assert_eq!(out.matches("class=\"bar\"").count(), MOST);
        assert!(out.contains("5 others: 50") && out.contains("<tspan>5.0 %"), "{out}");
        let mut none = String::new();
        Bars::new("Title", Vec::new()).push(&mut none);
        assert!(none.is_empty());
    }

    #[test]
    fn long_values_keep_their_end() {
        let short = shortened("a.very.long.host.name.somewhere.example.com");
        assert_eq!((&*short, short.chars().count()), ("…t.name.somewhere.example.com", ROOM + 1));
        assert_eq!((shortened(""), shortened("http")), ("(none)".to_owned(), "http".to_owned()));
    }
}
