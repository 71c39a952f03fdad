//! Control words of RTF, as far as the text depends on them.

/// What the bytes of a group are (RTF 1.9.1, "Destination").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Destination {
    /// Text of the document.
    #[default]
    Text,
    /// Text of its own: a footnote, a title.
    Apart,
    /// Code of a field.
    Field,
    /// Code of a field that is in the code of another one.
    InnerField,
    /// URL of a shape, or the base of a document.
    Url,
    /// Template of the document: a path, or a URL.
    Template,
    /// Table of fonts.
    Fonts,
    /// Tag of the HTML that the document was made of.
    Tag,
    /// Not text; groups inside may be.
    Outer,
    /// Not text, nor is anything inside.
    Skipped,
}

impl Destination {
    /// Returns `true` if it is the code of a field.
    pub(super) fn is_code(self) -> bool {
        matches!(self, Destination::Field | Destination::InnerField)
    }

    /// Returns `true` if it has text of its own, which is no part of the text around it.
    pub(super) fn is_apart(self) -> bool {
        use Destination::{Apart, Field, InnerField, Template, Url};
        matches!(self, Apart | Field | InnerField | Template | Url)
    }
}

/// Effect of a control word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ControlWord {
    /// The group is this destination.
    Begins(Destination),
    /// A paragraph, a line, a cell ends.
    Ends,
    /// The word represents a character.
    Character(char),
    /// The code page of the document is a constant.
    CodePage(u32),
    AnsiCodePage,
    Font,
    FontCharset,
    FontCodePage,
    Plain,
    Fallback,
    Unicode,
    Binary,
    HtmlInRtf,
    /// The group is the visible text of the field before it.
    FieldResult,
    /// It changes nothing here.
    Other,
}

/// Returns the effect of a control word; `is_starred`: `\*` precedes it, so a reader that does not know it skips its group.
pub(super) fn control_word(word: &[u8], is_starred: bool) -> ControlWord {
    use ControlWord::{Begins, Character, Ends};
    use Destination::{Apart, Field, Fonts, Outer, Skipped, Tag, Template, Text, Url};
    match word {
        b"fldinst" => Begins(Field),
        b"hlinkbase" | b"hlsrc" => Begins(Url),
        b"template" => Begins(Template),
        b"shpinst" | b"do" | b"sp" | b"sn" | b"sv" | b"hl" | b"object" | b"info" | b"upr" => {
            Begins(Outer)
        }
        b"shptxt" | b"dptxbxtext" | b"annotation" | b"footnote" => Begins(Apart),
        b"ud" | b"result" => Begins(Text),
        b"htmltag" => Begins(Tag),
        _ if is_starred => Begins(Skipped),
        b"title" | b"subject" | b"author" | b"manager" | b"company" | b"operator" | b"category"
        | b"keywords" | b"comment" | b"doccomm" | b"header" | b"headerl" | b"headerr"
        | b"headerf" | b"footer" | b"footerl" | b"footerr" | b"footerf" => Begins(Apart),
        b"fonttbl" => Begins(Fonts),
        b"pict" | b"nonshppict" | b"shprslt" | b"objdata" | b"objclass" | b"objname"
        | b"colortbl" | b"stylesheet" | b"filetbl" | b"revtbl" | b"listtext" | b"pntext"
        | b"xe" | b"rxe" | b"tc" | b"bkmkstart" | b"bkmkend" | b"creatim" | b"revtim"
        | b"printim" | b"buptim" | b"private" => Begins(Skipped),
        b"par" | b"line" | b"lbr" | b"softline" | b"tab" | b"cell" | b"nestcell" | b"row"
        | b"nestrow" | b"sect" | b"page" | b"softpage" | b"column" | b"softcol" => Ends,
        b"emdash" => Character('\u{2014}'),
        b"endash" => Character('\u{2013}'),
        b"emspace" => Character('\u{2003}'),
        b"enspace" => Character('\u{2002}'),
        b"qmspace" => Character('\u{2005}'),
        b"bullet" => Character('\u{2022}'),
        b"lquote" => Character('\u{2018}'),
        b"rquote" => Character('\u{2019}'),
        b"ldblquote" => Character('\u{201C}'),
        b"rdblquote" => Character('\u{201D}'),
        b"ltrmark" => Character('\u{200E}'),
        b"rtlmark" => Character('\u{200F}'),
        b"zwj" => Character('\u{200D}'),
        b"zwnj" => Character('\u{200C}'),
        b"zwbo" => Character('\u{200B}'),
        b"zwnbo" => Character('\u{2060}'),
        b"mac" => ControlWord::CodePage(10000),
        b"ansicpg" => ControlWord::AnsiCodePage,
        b"f" => ControlWord::Font,
        b"fcharset" => ControlWord::FontCharset,
        b"cpg" => ControlWord::FontCodePage,
        b"plain" => ControlWord::Plain,
        b"uc" => ControlWord::Fallback,
        b"u" => ControlWord::Unicode,
        b"bin" => ControlWord::Binary,
        b"htmlrtf" => ControlWord::HtmlInRtf,
        b"fldrslt" => ControlWord::FieldResult,
        _ => ControlWord::Other,
    }
}
