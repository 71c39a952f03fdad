//! Text of pages: fonts, gaps, order, lines.

use super::in_text;
use crate::made::pdfs::{PdfMaker, page};

fn links(content: &str) -> Vec<String> {
    in_text(&page(content, "", &[]).file())
}

/// Content with a font of 10 units, from the top of the page.
pub(super) fn text(operators: &str) -> String {
    format!("BT /F 10 Tf 100 700 Td {operators} ET")
}

/// The links of content whose font is the object 5, with these objects after it.
fn with_font(content: &str, font: &str, further: &[(&str, &[u8])]) -> Vec<String> {
    let maker = PdfMaker::default()
        .with("<< /Type /Catalog /Pages 2 0 R >>")
        .with("<< /Type /Pages /Kids [3 0 R] /Count 1 >>")
        .with("<< /Type /Page /Contents [4 0 R] /Resources << /Font << /F 5 0 R >> >> >>")
        .with_stream("", content)
        .with(font);
    let maker =
        further.iter().fold(maker, |maker, (entries, data)| maker.with_flate(entries, data));
    in_text(&maker.file())
}

#[test]
fn operators_of_text_show_one_line_after_the_other() {
    for operators in [
        "(see http://e.com/a now) Tj",
        "[(see ht) 20 (tp://e.com) -30 (/a now)] TJ",
        "(see) Tj 30 0 Td (http://e.com/a) Tj",
        "12 TL (see) Tj T* (http://e.com/a) Tj",
        "12 TL (see) Tj (http://e.com/a) '",
        "12 TL (see) Tj 1 0 (http://e.com/a) \"",
        "(see) Tj 0 -20 TD (http://e.com/a) Tj",
        "<7365652068747470> Tj <3A2F2F652E636F6D2F61> Tj",
        "(see \\150ttp://e\\056com/\\\na) Tj",
    ] {
        assert_eq!(links(&text(operators)), ["http://e.com/a"], "{operators}");
    }
}

#[test]
fn gaps_are_spaces_and_columns_stay_apart() {
    assert_eq!(links(&text("[(http://e.com/a) -300 (b)] TJ")), ["http://e.com/a"]);
    assert_eq!(links(&text("(http://e.com/a) Tj 200 0 Td (b) Tj")), ["http://e.com/a"]);
    // The number of a note is raised, and small.
    let note = "(http://e.com/a) Tj 4 Ts /F 6 Tf (2) Tj 0 Ts /F 10 Tf ( b) Tj";
    assert_eq!(links(&text(note)), ["http://e.com/a"]);
}

#[test]
fn text_that_is_drawn_again_for_bold_is_read_once() {
    let at = |x: f32, y: f32, shown: &str| format!("1 0 0 1 {x} {y} Tm {shown} ");
    for link in ["a", "y", "i", "m", "ill", "iil", "11", "f.", "a/", "lll.lil"] {
        let link = &format!("http://e.com/{link}");
        let expected = [link.trim_end_matches('.')];
        for (right, up) in [(0.3, 0.0), (0.0, 0.0), (0.1, 0.0), (1.0, 0.0), (-0.3, 0.0), (0.0, 0.3)]
        {
            let moved = |shown: &str| at(100.0 + right, 700.0 + up, shown);
            // The word, also several times, in kerned pieces, with words around it.
            let shown = format!("({link}) Tj");
            let word = at(100.0, 700.0, &shown) + &moved(&shown);
            assert_eq!(links(&text(&word)), expected, "{link} {right} {up}");
            let often = word.repeat(2);
            assert_eq!(links(&text(&often)), expected, "{link} {right} {up}");
            let (front, back) = link.split_at(link.len() - 1);
            let shown = format!("[(see {front}) 40 ({back}) -300 (till)] TJ");
            let line = at(100.0, 700.0, &shown) + &moved(&shown);
            assert_eq!(links(&text(&line)), expected, "{link} {right} {up}");
            // One letter after the other, in a font whose letters have one width.
            let letters = link.chars().enumerate().map(|(number, letter)| {
                let (x, shown) = (100.0 + 6.0 * number as f32, format!("({letter}) Tj"));
                at(x, 700.0, &shown) + &at(x + right, 700.0 + up, &shown)
            });
            let font = "<< /Type /Font /Subtype /Type1 /BaseFont /Courier >>";
            let content = text(&letters.collect::<String>());
            assert_eq!(with_font(&content, font, &[]), expected, "{link} {right} {up}");
        }
        // The next word, and letters that stand close.
        let next = format!("{0} -1 Tc {0}", format_args!("({link}) Tj 0 -20 Td"));
        assert_eq!(links(&text(&next)), [expected[0]; 2], "{link}");
    }
}

#[test]
fn rotated_and_scaled_text_is_read() {
    for matrix in
        ["0 1 -1 0 300 100", "-1 0 0 -1 500 500", "0.7 0.7 -0.7 0.7 100 100", "1 0 0 -1 10 10"]
    {
        let content =
            format!("BT /F 10 Tf {matrix} Tm [(http://e.com) 10 (/a)] TJ 0 -12 Td (b) Tj ET");
        assert_eq!(links(&content), ["http://e.com/a"], "{matrix}");
    }
    let page =
        "0.1 0 0 0.1 0 0 cm BT /F 100 Tf 1 0 0 1 500 500 Tm (http://e.com) Tj [-20 (/a)] TJ ET";
    assert_eq!(links(page), ["http://e.com/a"]);
}

#[test]
fn actual_text_replaces_glyphs() {
    let content = text("(http://e.com/) Tj /Span << /ActualText (ffi) >> BDC (xyz) Tj EMC (ce) Tj");
    assert_eq!(links(&content), ["http://e.com/ffice"]);
}

#[test]
fn forms_and_inline_images_are_content() {
    let form = "<< /Type /XObject /Subtype /Form /Matrix [1 0 0 1 50 0] /Length 43 >>\nstream\nBT /F 10 Tf 9 9 Td (http://e.com/form) Tj ET\nendstream";
    let content = "BI /W 1 /H 1 ID \u{1}(EI( EI Q /X Do BT /F 10 Tf (http://e.com/a) Tj ET";
    let file = page(content, "/Resources << /XObject << /X 5 0 R >> /Font << /F << /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >> >> >>", &[form]).file();
    assert_eq!(in_text(&file), ["http://e.com/form", "http://e.com/a"]);
}

#[test]
fn to_unicode_says_what_codes_show() {
    let map = b"/CIDInit /ProcSet findresource begin begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange
        2 beginbfrange <0001> <001A> <0061> <0030> <0032> [<003A> <002F> <002E>] endbfrange
        2 beginbfchar <0040> <0066006C> <0041> <4F8B3048> endbfchar endcmap";
    let font = "<< /Type /Font /Subtype /Type0 /Encoding /Identity-H /ToUnicode 6 0 R /DescendantFonts [<< /Subtype /CIDFontType2 /DW 500 >>] >>";
    // http://例え.jp/fl
    let content =
        "BT /F 10 Tf <0008001400140010003000310031> Tj <0041> Tj <0032000A001000310040> Tj ET";
    assert_eq!(with_font(content, font, &[("", map)]), ["http://xn--r8jz45g.jp/fl"]);
}

/// An OpenType font with these tables.
fn open_type(version: &[u8; 4], tables: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut font = version.to_vec();
    font.extend((tables.len() as u16).to_be_bytes());
    font.extend([0; 6]);
    let mut at = 12 + 16 * tables.len() as u32;
    for (tag, table) in tables {
        font.extend(*tag);
        font.extend([0; 4]);
        font.extend(at.to_be_bytes());
        font.extend((table.len() as u32).to_be_bytes());
        at += table.len() as u32;
    }
    tables.iter().for_each(|(_, table)| font.extend(table));
    font
}

fn shorts(numbers: &[u16]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
}

/// A table `cmap` with one subtable for Unicode.
fn cmap(encoding: u16, subtable: &[u8]) -> Vec<u8> {
    [shorts(&[0, 1, 3, encoding, 0, 12]), subtable.to_vec()].concat()
}

#[test]
fn embedded_fonts_say_what_their_glyphs_show() {
    // The number of the glyph of each character is its code, less 0x40 for letters, plus 0x60 for others.
    let text = "http://e.com/a";
    let number = |c: char| if c.is_ascii_lowercase() { c as u16 - 0x40 } else { c as u16 + 0x60 };
    let shown = |number: &dyn Fn(char) -> u16| -> String {
        let hex: String = text.chars().map(|c| format!("{:04X}", number(c))).collect();
        format!("BT /F 10 Tf <{hex}> Tj ET")
    };
    let segments = [
        shorts(&[4, 0, 0, 6, 0, 0, 0, 0x3F, 0x7A, 0xFFFF, 0, 0x20, 0x61, 0xFFFF]),
        shorts(&[0x60, 0_u16.wrapping_sub(0x40), 1, 0, 0, 0]),
    ]
    .concat();
    let listed = [
        // The offset of the second segment leads to the list of its glyphs behind the offsets.
        shorts(&[4, 0, 0, 4, 0, 0, 0, 0x3F, 0x7A, 0, 0x20, 0x61, 0x60, 0, 0, 2]),
        shorts(&('a'..='z').map(number).collect::<Vec<_>>()),
    ]
    .concat();
    let groups = {
        let words = [0x20_u32, 0x3F, 0x80, 0x61, 0x7A, 0x21];
        let words: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
        [shorts(&[12, 0, 0, 40, 0, 0, 0, 2]), words].concat()
    };
    let names = {
        let own: Vec<u16> = (0..0x40_u16).map(|at| 258 + at).collect();
        let mut table = [shorts(&[2, 0]), vec![0; 28], shorts(&[0x40])].concat();
        table.extend(shorts(&own));
        for at in 0..0x40_u8 {
            let name = match at {
                0x21..=0x3A => char::from(at + 0x40).to_string(),
                1 => "colon".into(),
                2 => "slash".into(),
                3 => "period".into(),
                _ => ".notdef".into(),
            };
            table.push(name.len() as u8);
            table.extend(name.bytes());
        }
        table
    };
    let named = |c: char| match c {
        ':' => 1,
        '/' => 2,
        '.' => 3,
        _ => number(c),
    };
    let true_type = b"\0\x01\0\0";
    let (mapped, by_name): (&dyn Fn(char) -> u16, &dyn Fn(char) -> u16) = (&number, &named);
    for (what, number, font) in [
        ("segments", mapped, open_type(true_type, &[(b"cmap", cmap(1, &segments))])),
        ("listed", mapped, open_type(true_type, &[(b"cmap", cmap(1, &listed))])),
        ("groups", mapped, open_type(true_type, &[(b"cmap", cmap(10, &groups))])),
        ("names", by_name, open_type(true_type, &[(b"post", names)])),
    ] {
        let descendant =
            "<< /Subtype /CIDFontType2 /DW 500 /FontDescriptor << /FontFile2 6 0 R >> >>";
        let dictionary = format!(
            "<< /Type /Font /Subtype /Type0 /Encoding /Identity-H /DescendantFonts [{descendant}] >>"
        );
        assert_eq!(with_font(&shown(number), &dictionary, &[("", &font)]), [text], "{what}");
        for end in 0..font.len() {
            with_font(&shown(number), &dictionary, &[("", &font[..end])]);
        }
    }
    // The numbers of strings lead to glyphs by a table of the file.
    let font = open_type(true_type, &[(b"cmap", cmap(1, &segments))]);
    let glyphs = shorts(
        &(0..0x80_u8).map(|c| number(char::from(c).to_ascii_lowercase())).collect::<Vec<_>>(),
    );
    let dictionary = "<< /Type /Font /Subtype /Type0 /Encoding /Identity-H /DescendantFonts [<< /Subtype /CIDFontType2 /DW 500 /CIDToGIDMap 7 0 R /FontDescriptor << /FontFile2 6 0 R >> >>] >>";
    let content = shown(&|c| c as u16);
    assert_eq!(with_font(&content, dictionary, &[("", &font), ("", &glyphs)]), [text]);
}

/// An index of a CFF font with these elements, whose offsets have two bytes.
fn index(elements: &[&[u8]]) -> Vec<u8> {
    let mut index = shorts(&[elements.len() as u16]);
    index.push(2);
    let mut offset = 1;
    index.extend(shorts(&[offset]));
    for element in elements {
        offset += element.len() as u16;
        index.extend(shorts(&[offset]));
    }
    index.extend(elements.concat());
    index
}

#[test]
fn names_of_a_cff_font_say_what_its_glyphs_show() {
    // Numbers of standard strings: those of ASCII are in the order of the codes, from 1 for the space.
    let text = "http://e.com/a";
    let strings: Vec<u16> = text.bytes().map(|byte| u16::from(byte) - 31).collect();
    let charset = [vec![0], shorts(&strings)].concat();
    let outlines: Vec<&[u8]> = vec![b"\x0E"; text.len() + 1];
    let (head, names) = (b"\x01\0\x04\x02".to_vec(), index(&[b"F"]));
    let wide = |number: usize| [vec![29], (number as u32).to_be_bytes().to_vec()].concat();
    let top = |charset: usize, outlines: usize| {
        index(&[&[wide(charset), vec![15], wide(outlines), vec![17]].concat()])
    };
    let start = head.len() + names.len() + top(0, 0).len() + 4;
    let tops = top(start, start + charset.len());
    let font = [head, names, tops, shorts(&[0, 0]), charset, index(&outlines)].concat();
    let dictionary = "<< /Type /Font /Subtype /Type0 /Encoding /Identity-H /DescendantFonts [<< /Subtype /CIDFontType0 /DW 500 /FontDescriptor << /FontFile3 6 0 R >> >>] >>";
    let hex: String = (1..=text.len()).map(|glyph| format!("{glyph:04X}")).collect();
    let content = format!("BT /F 10 Tf <{hex}> Tj ET");
    assert_eq!(with_font(&content, dictionary, &[("/Subtype /CIDFontType0C", &font)]), [text]);
}

#[test]
fn encodings_say_what_codes_show() {
    let differences = "<< /Type /Font /Subtype /Type1 /Encoding << /Differences [1 /h /t /p /colon /slash /e /period /c /o /m /fi /uni00E4 /f_l] >> /Widths [] >>";
    let content = "BT /F 10 Tf <0102020304050506070809 0A 05 0B 0C 0D> Tj ET";
    assert_eq!(with_font(content, differences, &[]), ["http://e.com/fi%C3%A4fl"]);
    // The encoding that is built into a font of Type 1.
    let embedded = "<< /Type /Font /Subtype /Type1 /FontDescriptor << /FontFile 6 0 R >> >>";
    let program = b"%!PS-AdobeFont-1.0\n/Encoding 256 array\n0 1 255 {1 index exch /.notdef put} for\ndup 1 /h put\ndup 2 /t put\ndup 3 /p put\ndup 4 /colon put\ndup 5 /slash put\ndup 6 /e put\ndup 7 /period put\nreadonly def\ncurrentfile eexec";
    let content = "BT /F 10 Tf <0102020304050506070606> Tj ET";
    assert_eq!(with_font(content, embedded, &[("", program)]), ["http://e.ee"]);
}

/// The links of `text` in a font whose codes have these names.
fn with_names(kind: &str, text: &[u8], name: impl Fn(u8) -> String) -> Vec<String> {
    let names: String = (1..=255).map(|code| format!("/{} ", name(code))).collect();
    let font = format!(
        "<< /Type /Font /Subtype /{kind} /FontMatrix [0.001 0 0 0.001 0 0] /Encoding << /Differences [1 {names}] >> /Widths [] >>"
    );
    let hex: String = text.iter().map(|byte| format!("{byte:02X}")).collect();
    with_font(&format!("BT /F 10 Tf <{hex}> Tj ET"), &font, &[])
}

#[test]
fn names_that_are_numbers_say_which_characters_they_are() {
    let link = b"http://E.com/a-b";
    for kind in ["Type3", "Type1", "TrueType"] {
        let found = |name: fn(u8) -> String| with_names(kind, link, name);
        for found in [
            found(|code| format!("a{code}")),
            found(|code| format!("C{code:04}")),
            found(|code| format!("{code}")),
            found(|code| format!("char{code}")),
            found(|code| format!("cid{code:05}")),
            found(|code| format!("G{code:02x}")),
            found(|code| format!("{code:02X}")),
            found(|code| format!("uni{code:04X}")),
            found(|code| format!("a{code}.alt")),
        ] {
            assert_eq!(found, ["http://E.com/a-b"], "{kind}");
        }
        // Other codes than the numbers.
        let moved: Vec<u8> = link.iter().map(|byte| byte - 30).collect();
        for found in [
            with_names(kind, &moved, |code| format!("a{}", u16::from(code) + 30)),
            with_names(kind, &moved, |code| format!("x{:02x}", code.wrapping_add(30))),
        ] {
            assert_eq!(found, ["http://E.com/a-b"], "{kind}");
        }
        // Numbers of glyphs, of which nothing is known.
        let found = with_names(kind, &moved, |code| format!("glyph{}", u16::from(code) + 30));
        assert_eq!(found, Vec::<String>::new(), "{kind}");
    }
    // Ligatures of fonts that TeX draws, in its old encoding, and in one of 8 bits.
    let found = with_names("Type3", b"mailto:o\x1Ece@e.com", |code| format!("a{code}"));
    assert_eq!(found, ["mailto:office@e.com"]);
    let old = "<< /Type /Font /Subtype /Type3 /FontMatrix [0.001 0 0 0.001 0 0] /Encoding << /Differences [14 /a14 46 /a46 64 /a64 99 /a99 101 /a101 109 /a109 111 /a111] >> /Widths [] >>";
    let found = with_font("BT /F 10 Tf (o\\016ce@e.com) Tj ET", old, &[]);
    assert_eq!(found, ["mailto:office@e.com"]);
}

#[test]
fn numbers_beyond_ascii_and_pictures_say_nothing() {
    // The letters are Cyrillic as likely as Latin.
    assert_eq!(
        with_names("Type3", b"http://e.com/\xE0\xE1", |code| format!("a{code}")),
        ["http://e.com/"]
    );
    let font = "<< /Type /Font /Subtype /Type1 /BaseFont /ZapfDingbats /Encoding << /Differences [97 /a97 46 /a46 99 /a99 111 /a111 109 /a109] >> >>";
    assert_eq!(with_font("BT /F 10 Tf (a.com) Tj ET", font, &[]), Vec::<String>::new());
}

#[test]
fn figures_of_another_form_and_the_tilde_of_tex_are_characters() {
    let names = |code: u8| match code {
        b'1' => "oneoldstyle".to_owned(),
        b'A' => "Asmall".to_owned(),
        b'~' => "similar".to_owned(),
        b'^' => "tilde".to_owned(),
        code => format!("uni{code:04X}"),
    };
    let found = |link: &[u8]| with_names("Type1", link, names);
    assert_eq!(found(b"http://A.com/1"), ["http://A.com/1"]);
    assert_eq!(found(b"http://a.com/~bush/b"), ["http://a.com/~bush/b"]);
    assert_eq!(found(b"http://a.com/^bush/b"), ["http://a.com/~bush/b"]);
}

#[test]
fn predefined_cmaps_are_encodings_of_text() {
    let font = |encoding: &str, ordering: &str| {
        format!(
            "<< /Type /Font /Subtype /Type0 /Encoding /{encoding} /DescendantFonts [<< /Subtype /CIDFontType0 /CIDSystemInfo << /Ordering ({ordering}) >> >>] >>"
        )
    };
    let content = |string: &str| format!("BT /F 10 Tf <{string}> Tj ET");
    let hex = |bytes: &[u8]| bytes.iter().map(|byte| format!("{byte:02X}")).collect::<String>();
    let wide = |text: &str| text.encode_utf16().flat_map(u16::to_be_bytes).collect::<Vec<u8>>();
    let all: [(&str, &str, Vec<u8>); 7] = [
        ("UniJIS-UTF16-H", "Japan1", wide("http://例.jp/")),
        ("UniGB-UCS2-V", "GB1", wide("http://例.jp/")),
        ("90ms-RKSJ-H", "Japan1", b"http://\x97\xE1.jp/".to_vec()),
        ("EUC-H", "Japan1", b"http://\xCE\xE3.jp/".to_vec()),
        ("GBK-EUC-H", "GB1", b"http://\xC0\xFD.jp/".to_vec()),
        ("ETen-B5-H", "CNS1", b"http://\xA8\xD2.jp/".to_vec()),
        ("KSCms-UHC-H", "Korea1", b"http://\xD6\xC7.jp/".to_vec()),
    ];
    for (encoding, ordering, bytes) in all {
        let found = with_font(&content(&hex(&bytes)), &font(encoding, ordering), &[]);
        assert_eq!(found, ["http://xn--fsq.jp/"], "{encoding}");
    }
    // The glyphs of a collection, of which those of ASCII are known.
    let glyphs = |start: u16| {
        "http://e.com/"
            .bytes()
            .flat_map(|byte| (u16::from(byte) - 0x20 + start).to_be_bytes())
            .collect::<Vec<u8>>()
    };
    for (ordering, start) in
        [("Japan1", 1), ("Japan1", 231), ("GB1", 814), ("CNS1", 13648), ("Korea1", 8094)]
    {
        let found = with_font(&content(&hex(&glyphs(start))), &font("Identity-H", ordering), &[]);
        assert_eq!(found, ["http://e.com/"], "{ordering}");
    }
}

#[test]
fn text_from_right_to_left_is_put_in_order() {
    // Hebrew in the order in which it is drawn, from left to right: the letters of each word come last first.
    let map = b"begincmap 1 begincodespacerange <00> <FF> endcodespacerange 1 beginbfrange <20> <7E> <0020> endbfrange
        1 beginbfrange <E0> <FA> <05D0> endbfrange endcmap";
    let font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 6 0 R >>";
    let word = "<F9F8F7> Tj";
    let content = format!("BT /F 10 Tf 100 700 Td {word} ( http://e.com/a?b=1 ) Tj {word} ET");
    assert_eq!(with_font(&content, font, &[("", map)]), ["http://e.com/a?b=1"]);
    // The same, drawn in the order in which it is read.
    let logical =
        "BT /F 10 Tf 300 700 Td <E0E1> Tj -100 0 Td (http://e.com/a?b=1) Tj -20 0 Td <E2E3> Tj ET";
    assert_eq!(with_font(logical, font, &[("", map)]), ["http://e.com/a?b=1"]);
}
