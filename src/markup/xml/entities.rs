//! Internal general entities, which a document declares in its DTD's internal subset.
//!
//! Nothing is ever fetched: neither external entities nor parameter entities are expanded. The size of all expansions of
//! one document is bounded, so that a few lines cannot become gigabytes, and a recursive entity is rejected. Markup in an
//! entity is read as text.

use std::collections::HashMap;
use std::ops::Range;

use super::content::one_reference;
use crate::scan::reference::{Rules, plainly_resolved};
use crate::source_map::SourceMap;

/// Maximum number of bytes that a document may declare.
const MOST_DECLARED: usize = 4 << 20;
/// Maximum number of bytes that a document may expand, in addition to its own size times `FACTOR`.
const BUDGET: usize = crate::limits::ENTITIES;
const FACTOR: usize = 8;
/// Maximum depth of nested entities.
const DEEPEST: usize = 16;
/// Maximum length of the text of one entity that is kept, and of all such texts.
const KEPT_EACH: usize = 64 << 10;
const KEPT: usize = 4 << 20;

/// Reason why an entity cannot be expanded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum EntityError {
    /// An entity is recursive, or nested too deeply.
    Loop,
    /// The document expands more than it may.
    Limit,
}

/// A reference that is not expanded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Unexpanded {
    /// Range in the given text.
    pub(crate) range: Range<usize>,
    pub(crate) why: EntityError,
}

/// The entities of one document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Entities {
    declared: HashMap<Box<[u8]>, Box<[u8]>>,
    bytes: usize,
    spent: usize,
    earned: usize,
    /// Entities that were expanded before.
    expanded: HashMap<Box<[u8]>, Expanded>,
    kept: usize,
}

/// Expansion of an entity, kept so that an entity within many others is expanded only once.
#[derive(Clone, Debug)]
struct Expanded {
    text: Box<str>,
    /// Cost of an expansion, taken from the budget.
    cost: usize,
    /// Depth of nested entities in it, including itself.
    height: usize,
}

/// Function that decodes stored bytes.
pub(crate) type DecodeFn<'d> = &'d dyn Fn(&[u8]) -> String;

impl Entities {
    /// Records an entity; returns `false` if the limit on declarations does not allow it.
    pub(super) fn declare(&mut self, name: &[u8], literal: &[u8]) -> bool {
        let is_predefined = [&b"amp"[..], b"lt", b"gt", b"quot", b"apos"].contains(&name);
        // The first declaration of a name counts (XML 1.0, §4.2).
        if is_predefined || self.declared.contains_key(name) {
            return true;
        }
        self.bytes += name.len() + literal.len();
        let is_kept = self.bytes <= MOST_DECLARED;
        if is_kept {
            self.declared.insert(name.into(), literal.into());
        }
        is_kept
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.declared.is_empty()
    }

    /// Returns `true` if `text` has a reference to a declared entity.
    pub(crate) fn are_in(&self, text: &[u8]) -> bool {
        !self.is_empty()
            && memchr::memchr_iter(b'&', text).any(|at| {
                let name = &text[at + 1..];
                let end = memchr::memchr2(b';', b'&', name).filter(|end| name[*end] == b';');
                end.is_some_and(|end| self.declared.contains_key(&name[..end]))
            })
    }

    /// Returns `text` with its references resolved, including those to the document's entities, and the source map to
    /// `text`, which begins at `source_start`; `None` if there are no references.
    ///
    /// # Errors
    ///
    /// Returns an error if an entity is recursive, or if the document expands more than it may.
    pub(crate) fn resolved(
        &mut self,
        text: &str,
        source_start: usize,
        decode: DecodeFn<'_>,
    ) -> Result<Option<(String, SourceMap)>, Unexpanded> {
        self.earned = self.earned.saturating_add(text.len() * FACTOR);
        let mut out = String::new();
        let mut map = SourceMap::default();
        let mut done = 0;
        for (at, _) in text.match_indices('&') {
            if at < done {
                continue;
            }
            let reference = one_reference(&text[at..]);
            let start = out.len();
            if at > done {
                map.copied(start, source_start + done);
                out.push_str(&text[done..at]);
            }
            let text_start = out.len();
            let range = at..at + reference.len();
            let expanded = self
                .expand(reference, decode, 0, &mut out)
                .map_err(|why| Unexpanded { range, why })?;
            if expanded.is_some() {
                let source = source_start + at;
                map.replaced(text_start, source..source + reference.len());
                done = at + reference.len();
            } else {
                // Text that is not a reference is copied with the text that follows it.
                out.push_str(reference);
                if at == done {
                    map.copied(text_start, source_start + at);
                }
                done = at + reference.len();
            }
        }
        if done == 0 {
            return Ok(None);
        }
        if done < text.len() {
            map.copied(out.len(), source_start + done);
            out.push_str(&text[done..]);
        }
        Ok(Some((out, map)))
    }

    /// Appends the text that `reference` represents; returns the depth of nested entities in it, and `None` if it
    /// represents nothing.
    fn expand(
        &mut self,
        reference: &str,
        decode: DecodeFn<'_>,
        depth: usize,
        out: &mut String,
    ) -> Result<Option<usize>, EntityError> {
        let plain = plainly_resolved(reference, Rules::Xml);
        if plain != reference {
            out.push_str(&plain);
            return Ok(Some(0));
        }
        let name = reference.strip_prefix('&').and_then(|name| name.strip_suffix(';'));
        let Some((name, literal)) =
            name.and_then(|name| self.declared.get_key_value(name.as_bytes()))
        else {
            return Ok(None);
        };
        let budget = BUDGET.saturating_add(self.earned);
        // If a limit could be reached inside it, it is expanded again, and rejected there.
        if let Some(Expanded { text, cost, height }) = self.expanded.get(name)
            && depth + height <= DEEPEST
            && self.spent + cost <= budget
        {
            self.spent += cost;
            out.push_str(text);
            return Ok(Some(*height));
        }
        if depth == DEEPEST {
            return Err(EntityError::Loop);
        }
        let (name, literal) = (name.clone(), decode(literal));
        let (start, before) = (out.len(), self.spent);
        self.spent += 1 + literal.len();
        if self.spent > budget {
            return Err(EntityError::Limit);
        }
        // Numeric references are resolved in the declaration, and the resulting text is parsed again where the entity is
        // used (XML 1.0, §4.5 and appendix D).
        let replacement = numbers_resolved(&literal);
        let mut done = 0;
        let mut below = 0;
        for (at, _) in replacement.match_indices('&') {
            if at < done {
                continue;
            }
            let inner = one_reference(&replacement[at..]);
            out.push_str(&replacement[done..at]);
            match self.expand(inner, decode, depth + 1, out)? {
                Some(height) => below = below.max(height),
                None => out.push_str(inner),
            }
            done = at + inner.len();
        }
        out.push_str(&replacement[done..]);
        let (text, height) = (&out[start..], below + 1);
        if text.len() <= KEPT_EACH && self.kept + text.len() <= KEPT {
            self.kept += text.len();
            let cost = self.spent - before;
            self.expanded.insert(name, Expanded { text: text.into(), cost, height });
        }
        Ok(Some(height))
    }
}

fn numbers_resolved(literal: &str) -> String {
    let mut out = String::new();
    let mut done = 0;
    for (at, _) in literal.match_indices("&#") {
        if at < done {
            continue;
        }
        let reference = one_reference(&literal[at..]);
        out.push_str(&literal[done..at]);
        out.push_str(&plainly_resolved(reference, Rules::Xml));
        done = at + reference.len();
    }
    out.push_str(&literal[done..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn utf8(bytes: &[u8]) -> String {
        String::from_utf8_lossy(bytes).into_owned()
    }

    fn entities(declared: &[(&str, &str)]) -> Entities {
        let mut entities = Entities::default();
        for (name, literal) in declared {
            entities.declare(name.as_bytes(), literal.as_bytes());
        }
        entities
    }

    #[test]
    fn entities_stand_for_their_text() {
        let mut known = entities(&[
            ("site", "http://example.com"),
            ("page", "&site;/a?b&#38;amp;c"),
            ("site", "http://other.example"),
            ("amp", "no"),
            ("lt2", "&#38;#60;"),
        ]);
        for (text, wanted) in [
            ("&site;/x", "http://example.com/x"),
            ("&page;", "http://example.com/a?b&c"),
            ("a&amp;b&nosuch;&site", "a&b&nosuch;&site"),
            ("&lt2;", "<"),
            ("&&site;&", "&http://example.com&"),
            ("&#65;&site;&#x42;", "Ahttp://example.comB"),
        ] {
            let (found, _) = known.resolved(text, 0, &utf8).unwrap().unwrap();
            assert_eq!(found, wanted, "{text}");
        }
        assert!(known.resolved("plain", 0, &utf8).unwrap().is_none());
        assert!(known.are_in(b"a & b &site;") && !known.are_in(b"&site &nosuch;&amp;"));
    }

    #[test]
    fn the_map_leads_back() {
        let mut known = entities(&[("s", "http://e.com")]);
        let (text, map) = known.resolved("a &x; &s;/b", 10, &utf8).unwrap().unwrap();
        assert_eq!(text, "a &x; http://e.com/b");
        assert_eq!(
            [0, 2, 6, 18, 19].map(|t| map.edges(text.as_bytes(), t).start),
            [10, 12, 16, 19, 20]
        );
    }

    #[test]
    fn an_entity_in_itself_is_refused() {
        let mut known = entities(&[("a", "x&b;"), ("b", "y&a;"), ("c", "&c;")]);
        for text in ["&a;", "&b;", "&c;"] {
            let refused = Unexpanded { range: 2..5, why: EntityError::Loop };
            let text = format!("= {text} &a;");
            assert_eq!(known.resolved(&text, 0, &utf8).map(|_| ()), Err(refused), "{text}");
        }
    }

    /// The text, cost and rejection are the same with kept expansions and without.
    #[test]
    fn what_is_kept_changes_nothing() {
        let mut dice = crate::dice::Dice::new(3);
        let names = ["a", "b", "c", "d", "e"];
        let mut limits = 0;
        for _ in 0..3000 {
            let mut known = Entities::default();
            for name in names {
                let literal: String = (0..dice.below(6))
                    .map(|_| match dice.below(3) {
                        0 => "x".repeat(dice.below(3000)),
                        1 => "&#38;amp;".to_owned(),
                        _ => {
                            let from = dice.below(4);
                            format!("&{};", dice.pick(&names[from..]))
                        }
                    })
                    .collect();
                known.declare(name.as_bytes(), literal.as_bytes());
            }
            // Start close to the limits, so that they are reached.
            known.spent = BUDGET - dice.below(200_000);
            for _ in 0..6 {
                let text = format!("&{};&{};", dice.pick(&names), dice.pick(&names));
                let mut fresh =
                    Entities { expanded: HashMap::new(), kept: KEPT + 1, ..known.clone() };
                let outcomes = [&mut known, &mut fresh].map(|entities| {
                    let text = entities.resolved(&text, 0, &utf8).map(|found| found.unwrap().0);
                    (text, entities.spent)
                });
                limits += usize::from(outcomes[0].0.is_err());
                assert_eq!(outcomes[0].0, outcomes[1].0);
                if outcomes[0].0.is_ok() {
                    assert_eq!(outcomes[0].1, outcomes[1].1);
                }
            }
        }
        assert!(limits > 1000, "{limits}");
    }

    #[test]
    fn a_bomb_is_refused() {
        let ten = |name: &str| format!("&{name};").repeat(10);
        let lines: Vec<_> =
            (1..12).map(|n| (format!("l{n}"), ten(&format!("l{}", n - 1)))).collect();
        let mut known = entities(&[("l0", "lol")]);
        let mut empty = entities(&[("l0", "")]);
        for (name, literal) in &lines {
            known.declare(name.as_bytes(), literal.as_bytes());
            empty.declare(name.as_bytes(), literal.as_bytes());
        }
        for bomb in [&mut known, &mut empty] {
            let why = |entities: &mut Entities, text: &str| {
                entities.resolved(text, 0, &utf8).map(|_| ()).map_err(|unexpanded| unexpanded.why)
            };
            assert_eq!(why(bomb, "&l11;"), Err(EntityError::Limit));
            assert_eq!(why(bomb, "&l2;"), Err(EntityError::Limit), "spent");
        }
    }
}
