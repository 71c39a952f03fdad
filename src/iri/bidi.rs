//! Rules for bidirectional IRIs (RFC 3987 §4.2).
//!
//! Components are those of the section, divided where it allows: labels of the host, segments of the path and the
//! extensions in them, names and values of the query; and userinfo and fragment, the former at its colon. Both rules are
//! SHOULDs, so they result in warnings. The formatting characters of §4.1 are not handled here: a text with one of them is
//! not an IRI.

use super::components::IriRef;
use crate::codes::coded;
use crate::tables::direction::{is_ltr, is_rtl};
use crate::tables::identifiers::class;

/// Violation of the rules for bidirectional IRIs in a component.
///
/// ```
/// use linksift::iri::{BidiRule, Iri};
///
/// let iri = Iri::parse("http://example.com/aא")?;
/// let found: Vec<_> = iri.bidi_findings().collect();
/// assert_eq!((found[0].index, found[0].rule), (19, BidiRule::Mixed));
/// # Ok::<(), linksift::iri::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BidiFinding {
    /// Byte offset of the component.
    pub index: usize,
    /// Rule of §4.2 that the component breaks.
    pub rule: BidiRule,
}

coded! {
    /// The two rules of RFC 3987 §4.2.
    ///
    /// ```
    /// assert_eq!(linksift::iri::BidiRule::ALL.len(), 2);
    /// ```
    pub enum BidiRule in "linksift::iri" via as_str {
        /// "A component SHOULD NOT use both right-to-left and left-to-right characters."
        Mixed = "mixed",
        /// "A component using right-to-left characters SHOULD start and end with right-to-left
        /// characters."
        Ends = "ends",
    }
}

impl<'a> IriRef<'a> {
    /// Returns the components that break the rules for bidirectional IRIs (RFC 3987 §4.2), in order; each
    /// once, for the first rule it breaks. Labels without right-to-left characters break no rule.
    ///
    /// ```
    /// use linksift::iri::{BidiRule, Iri};
    ///
    /// let rule = |iri| Iri::parse(iri).unwrap().bidi_findings().next().map(|f| f.rule);
    /// assert_eq!(rule("http://ab.אבג.ij/kl/אבג.html"), None);
    /// assert_eq!(rule("http://ab.cd.ef/אב1/2גד/kl.html"), Some(BidiRule::Ends));
    /// assert_eq!(rule("http://ab.cd.ef/אבcd"), Some(BidiRule::Mixed));
    /// ```
    pub fn bidi_findings(&self) -> impl Iterator<Item = BidiFinding> + use<'a> {
        let iri = *self;
        // Right-to-left characters begin at U+0590.
        let any = iri.text.bytes().any(|b| b >= 0xD6);
        let p = iri.parts;
        let sections: [(u32, u32, &'static [char]); 5] = [
            (if any { p.hier_start } else { p.host_start }, p.host_start, &[':', '@', '/']),
            (p.host_start, p.host_end, &['.']),
            (p.path_start, p.path_end, &['/', '.']),
            (p.path_end, p.query_end, &['?', '&', ';', '=']),
            (p.query_end, iri.text.len() as u32, &['#']),
        ];
        sections.into_iter().filter(move |_| any).flat_map(move |(start, end, delimiters)| {
            let section = iri.slice(start, end);
            let base = section.as_ptr() as usize;
            section.split(delimiters).filter_map(move |component| {
                let index = start as usize + (component.as_ptr() as usize - base);
                broken(component).map(|rule| BidiFinding { index, rule })
            })
        })
    }
}

/// Returns the first rule that a component violates.
fn broken(component: &str) -> Option<BidiRule> {
    if component.is_ascii() || !component.chars().any(is_rtl) {
        return None;
    }
    if component.chars().any(is_ltr) {
        return Some(BidiRule::Mixed);
    }
    let first = component.chars().next().is_some_and(is_rtl);
    // Combining marks have no direction: the last letter may have some.
    let last = component
        .chars()
        .rev()
        .find(|&c| !class(u32::from(c)).is_nonspacing_mark())
        .is_some_and(is_rtl);
    (!first || !last).then_some(BidiRule::Ends)
}
