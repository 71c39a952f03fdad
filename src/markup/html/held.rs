//! The table of places, for XML documents that hold elements of HTML, SVG or MathML.

use super::element::Element;
use super::places::{Attribute, Note, Use};
use crate::markup::Grammar;

/// By which grammar an attribute of this element holds IRIs; both names without a prefix, but for
/// `xlink:`. What depends on other attributes (`content` of a `meta`) is given as `AbsoluteOnly`.
pub(crate) fn held(element: &[u8], attribute: &[u8], is_foreign: bool) -> Option<Grammar> {
    match Attribute::of(attribute).on(Element::of(element), is_foreign)?.0 {
        Use::Holds(grammar) => Some(grammar),
        Use::Notes(Note::Content) => Some(Grammar::AbsoluteOnly),
        Use::Notes(_) => None,
    }
}
