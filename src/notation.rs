//! Notations: how the text of a link is written in its document, from the outside to the inside. A value of JSON that is HTML has
//! the escapes of JSON around the character references of HTML.
//!
//! A link carries its notation in four bytes, so that [`rewrite`](crate::Finder::rewrite) can write another link in its place.

use crate::scan::reference::Rules;

/// Number of layers that a notation can have.
const LAYERS: usize = 4;

/// How the text of a link is written. The default is running text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct Notation([Option<Layer>; LAYERS]);

/// Layer of a notation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Layer {
    /// Character references or escapes.
    References(Rules),
    /// The escapes of CSS.
    Css,
    /// The backslashes and the character references of a destination in Markdown.
    Destination,
    /// The content of an XML element, which may have comments and CDATA sections in it.
    Content,
    /// Lines that are joined without the white space in them, with backslashes before characters.
    Joined,
    /// A notation in which nothing can be written, or a layer too many.
    Unwritable,
}

impl Notation {
    /// Notation of a link that cannot be written.
    pub(crate) const UNWRITABLE: Notation = Notation([Some(Layer::Unwritable), None, None, None]);

    /// Returns the notation of texts with these references.
    #[inline]
    pub(crate) const fn of(rules: Rules) -> Notation {
        Notation([Some(Layer::References(rules)), None, None, None])
    }

    /// Returns the notation with another layer inside.
    #[inline]
    pub(crate) fn with(mut self, layer: Layer) -> Notation {
        match self.0.iter().position(Option::is_none) {
            Some(end) => self.0[end] = Some(layer),
            None => return Notation::UNWRITABLE,
        }
        self
    }

    /// Returns the notation of a text that is written in `inner`, in a document whose notation this is.
    #[inline]
    pub(crate) fn around(self, inner: Notation) -> Notation {
        // Nearly always; the layers are filled from the first one on.
        if self.0[0].is_none() {
            return inner;
        }
        inner.layers().fold(self, Notation::with)
    }

    /// Returns the notation of running text in this one whose character references the scan has resolved. Of running text alone it
    /// is the default.
    pub(crate) fn referring(self) -> Notation {
        match self.0[0] {
            None => self,
            Some(_) => self.with(Layer::References(Rules::Plain)),
        }
    }

    /// Returns the notation, if nothing else has made the text.
    pub(crate) fn unless(self, is_made: bool) -> Notation {
        if is_made { Notation::UNWRITABLE } else { self }
    }

    /// Returns the layers, the outermost first.
    pub(crate) fn layers(self) -> impl DoubleEndedIterator<Item = Layer> {
        self.0.into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_added_inside() {
        const _: () = assert!(size_of::<Notation>() == 4);
        let json = Notation::of(Rules::Json);
        let html = json.around(Notation::of(Rules::HtmlAttribute).with(Layer::Css));
        let wanted =
            [Layer::References(Rules::Json), Layer::References(Rules::HtmlAttribute), Layer::Css];
        assert!(html.layers().eq(wanted));
        assert_eq!(Notation::default().around(json), json);
        assert_eq!(html.with(Layer::Css).with(Layer::Css), Notation::UNWRITABLE);
    }
}
