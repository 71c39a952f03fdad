//! Names of glyphs (Adobe Glyph List), and the encodings of fonts that PDF names.

use std::collections::HashMap;
use std::sync::LazyLock;

/// Names of glyphs, each with its character.
#[rustfmt::skip]
const NAMES: &str = "\
    A A AE Æ AEacute Ǽ Aacute Á Abreve Ă Acircumflex Â Adieresis Ä Agrave À Alpha Α Alphatonos Ά Amacron Ā Aogonek Ą \
    Aring Å Aringacute Ǻ Atilde Ã B B Beta Β C C Cacute Ć Ccaron Č Ccedilla Ç Ccircumflex Ĉ Cdotaccent Ċ Chi Χ D D \
    Dcaron Ď Dcroat Đ Delta Δ E E Eacute É Ebreve Ĕ Ecaron Ě Ecircumflex Ê Edieresis Ë Edotaccent Ė Egrave È \
    Emacron Ē Eng Ŋ Eogonek Ę Epsilon Ε Epsilontonos Έ Eta Η Etatonos Ή Eth Ð Euro € F F G G Gamma Γ Gbreve Ğ \
    Gcaron Ǧ Gcircumflex Ĝ Gdotaccent Ġ H H Hbar Ħ Hcircumflex Ĥ I I IJ Ĳ Iacute Í Ibreve Ĭ Icircumflex Î \
    Idieresis Ï Idotaccent İ Ifraktur ℑ Igrave Ì Imacron Ī Iogonek Į Iota Ι Iotadieresis Ϊ Iotatonos Ί Itilde Ĩ J J \
    Jcircumflex Ĵ K K Kappa Κ L L Lacute Ĺ Lambda Λ Lcaron Ľ Ldot Ŀ Lslash Ł M M Mu Μ N N Nacute Ń Ncaron Ň Ntilde Ñ \
    Nu Ν O O OE Œ Oacute Ó Obreve Ŏ Ocircumflex Ô Odieresis Ö Ograve Ò Ohorn Ơ Ohungarumlaut Ő Omacron Ō Omega Ω \
    Omegatonos Ώ Omicron Ο Omicrontonos Ό Oslash Ø Oslashacute Ǿ Otilde Õ P P Phi Φ Pi Π Psi Ψ Q Q R R Racute Ŕ \
    Rcaron Ř Rfraktur ℜ Rho Ρ S S Sacute Ś Scaron Š Scedilla Ş Scircumflex Ŝ Sigma Σ T T Tau Τ Tbar Ŧ Tcaron Ť \
    Tcommaaccent Ţ Theta Θ Thorn Þ U U Uacute Ú Ubreve Ŭ Ucircumflex Û Udieresis Ü Ugrave Ù Uhorn Ư Uhungarumlaut Ű \
    Umacron Ū Uogonek Ų Upsilon Υ Upsilon1 ϒ Upsilondieresis Ϋ Upsilontonos Ύ Uring Ů Utilde Ũ V V W W Wcircumflex Ŵ \
    X X Xi Ξ Y Y Yacute Ý Ycircumflex Ŷ Ydieresis Ÿ Z Z Zacute Ź Zcaron Ž Zdotaccent Ż Zeta Ζ a a aacute á abreve ă \
    acircumflex â acute ´ adieresis ä ae æ aeacute ǽ afii00208 ― afii10017 А afii10018 Б afii10019 В afii10020 Г \
    afii10021 Д afii10022 Е afii10023 Ё afii10024 Ж afii10025 З afii10026 И afii10027 Й afii10028 К afii10029 Л \
    afii10030 М afii10031 Н afii10032 О afii10033 П afii10034 Р afii10035 С afii10036 Т afii10037 У afii10038 Ф \
    afii10039 Х afii10040 Ц afii10041 Ч afii10042 Ш afii10043 Щ afii10044 Ъ afii10045 Ы afii10046 Ь afii10047 Э \
    afii10048 Ю afii10049 Я afii10050 Ґ afii10051 Ђ afii10052 Ѓ afii10053 Є afii10054 Ѕ afii10055 І afii10056 Ї \
    afii10057 Ј afii10058 Љ afii10059 Њ afii10060 Ћ afii10061 Ќ afii10062 Ў afii10065 а afii10066 б afii10067 в \
    afii10068 г afii10069 д afii10070 е afii10071 ё afii10072 ж afii10073 з afii10074 и afii10075 й afii10076 к \
    afii10077 л afii10078 м afii10079 н afii10080 о afii10081 п afii10082 р afii10083 с afii10084 т afii10085 у \
    afii10086 ф afii10087 х afii10088 ц afii10089 ч afii10090 ш afii10091 щ afii10092 ъ afii10093 ы afii10094 ь \
    afii10095 э afii10096 ю afii10097 я afii10098 ґ afii10099 ђ afii10100 ѓ afii10101 є afii10102 ѕ afii10103 і \
    afii10104 ї afii10105 ј afii10106 љ afii10107 њ afii10108 ћ afii10109 ќ afii10110 ў afii10145 Џ afii10193 џ \
    afii57664 \u{5D0} afii57665 \u{5D1} afii57666 \u{5D2} afii57667 \u{5D3} afii57668 \u{5D4} afii57669 \u{5D5} \
    afii57670 \u{5D6} afii57671 \u{5D7} afii57672 \u{5D8} afii57673 \u{5D9} afii57674 \u{5DA} afii57675 \u{5DB} \
    afii57676 \u{5DC} afii57677 \u{5DD} afii57678 \u{5DE} afii57679 \u{5DF} afii57680 \u{5E0} afii57681 \u{5E1} \
    afii57682 \u{5E2} afii57683 \u{5E3} afii57684 \u{5E4} afii57685 \u{5E5} afii57686 \u{5E6} afii57687 \u{5E7} \
    afii57688 \u{5E8} afii57689 \u{5E9} afii57690 \u{5EA} afii57716 \u{5F0} afii57717 \u{5F1} afii57718 \u{5F2} \
    afii61248 ℅ afii61289 ℓ afii61352 № afii61573 \u{202C} afii61574 \u{202D} afii61575 \u{202E} agrave à aleph ℵ \
    alpha α alphatonos ά amacron ā ampersand & angbracketleft ⟨ angbracketright ⟩ angleleft ⟨ angleright ⟩ \
    anoteleia · aogonek ą approxequal ≈ aring å aringacute ǻ arrowboth ↔ arrowdown ↓ arrowleft ← arrowright → \
    arrowup ↑ asciicircum ^ asciitilde ~ asterisk * asteriskmath ∗ at @ atilde ã b b backslash \u{5C} bar | bardbl ‖ \
    beta β braceleft { braceright } bracketleft [ bracketright ] breve ˘ brokenbar ¦ bullet • c c cacute ć caron ˇ \
    ccaron č ccedilla ç ccircumflex ĉ cdotaccent ċ cedilla ¸ cent ¢ chi χ circlecopyrt © circlemultiply ⊗ \
    circleplus ⊕ circumflex ˆ colon : comma , copyright © currency ¤ d d dagger † daggerdbl ‡ dcaron ď dcroat đ \
    degree ° delta δ diamond ⋄ dieresis ¨ dieresistonos ΅ divide ÷ dollar $ dotaccent ˙ dotlessi ı dotlessj ȷ e e \
    eacute é ebreve ĕ ecaron ě ecircumflex ê edieresis ë edotaccent ė egrave è eight 8 element ∈ ellipsis … \
    emacron ē emdash — emptyset ∅ endash – eng ŋ eogonek ę epsilon ε epsilon1 ϵ epsilontonos έ equal = equivalence ≡ \
    estimated ℮ eta η etatonos ή eth ð exclam ! exclamdbl ‼ exclamdown ¡ f f figuredash ‒ five 5 florin ƒ four 4 \
    fraction ⁄ g g gamma γ gbreve ğ gcaron ǧ gcircumflex ĝ gdotaccent ġ germandbls ß grave ` greater > \
    greaterequal ≥ guillemotleft « guillemotright » guilsinglleft ‹ guilsinglright › h h hbar ħ hcircumflex ĥ \
    hungarumlaut ˝ hyphen - i i iacute í ibreve ĭ icircumflex î idieresis ï igrave ì ij ĳ imacron ī infinity ∞ \
    integral ∫ intersection ∩ iogonek į iota ι iotadieresis ϊ iotadieresistonos ΐ iotatonos ί itilde ĩ j j \
    jcircumflex ĵ k k kappa κ kgreenlandic ĸ l l lacute ĺ lambda λ lcaron ľ ldot ŀ less < lessequal ≤ logicaland ∧ \
    logicalnot ¬ logicalor ∨ longs ſ lozenge ◊ lscript ℓ lslash ł m m macron ¯ mapsto ↦ minus − minute ′ mu µ \
    multiply × n n nabla ∇ nacute ń napostrophe ŉ ncaron ň nine 9 notequal ≠ ntilde ñ nu ν numbersign # o o oacute ó \
    obreve ŏ ocircumflex ô odieresis ö oe œ ogonek ˛ ograve ò ohorn ơ ohungarumlaut ő omacron ō omega ω omega1 ϖ \
    omegatonos ώ omicron ο omicrontonos ό one 1 onedotenleader ․ onehalf ½ onequarter ¼ onesuperior ¹ openbullet ◦ \
    ordfeminine ª ordmasculine º oslash ø oslashacute ǿ otilde õ p p paragraph ¶ parenleft ( parenright ) \
    partialdiff ∂ percent % period . periodcentered · perthousand ‰ phi φ phi1 ϕ pi π pi1 ϖ plus + plusminus ± \
    prescription ℞ prime ′ product ∏ proportional ∝ psi ψ q q question ? questiondown ¿ quotedbl \u{22} \
    quotedblbase „ quotedblleft “ quotedblright ” quoteleft ‘ quotereversed ‛ quoteright ’ quotesinglbase ‚ \
    quotesingle ' r r racute ŕ radical √ rcaron ř registered ® rho ρ rho1 ϱ ring ˚ s s sacute ś scaron š scedilla ş \
    scircumflex ŝ second ″ section § semicolon ; seven 7 sigma σ sigma1 ς similar ∼ similarequal ≃ six 6 slash / \
    star ⋆ sterling £ summation ∑ t t tau τ tbar ŧ tcaron ť tcommaaccent ţ theta θ theta1 ϑ thorn þ three 3 \
    threequarters ¾ threequartersemdash — threesuperior ³ tilde ˜ tildelow ˷ tonos ΄ trademark ™ twelveudash – two 2 \
    twodotenleader ‥ twosuperior ² u u uacute ú ubreve ŭ ucircumflex û udieresis ü ugrave ù uhorn ư uhungarumlaut ű \
    umacron ū underscore _ underscoredbl ‗ union ∪ uogonek ų upsilon υ upsilondieresis ϋ upsilondieresistonos ΰ \
    upsilontonos ύ uring ů utilde ũ v v w w wcircumflex ŵ weierstrass ℘ x x xi ξ y y yacute ý ycircumflex ŷ \
    ydieresis ÿ yen ¥ z z zacute ź zcaron ž zdotaccent ż zero 0 zeta ζ";

/// Characters of `StandardEncoding` from 0xA1 on.
const STANDARD_HIGH: &str = "¡¢£⁄¥ƒ§¤'“«‹›ﬁﬂ\u{FFFD}–†‡·\u{FFFD}¶•‚„”»…‰\u{FFFD}¿\u{FFFD}`´ˆ˜¯˘˙¨\u{FFFD}˚¸\u{FFFD}˝˛ˇ—\
    \u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\
    Æ\u{FFFD}ª\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}ŁØŒº\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}æ\u{FFFD}\u{FFFD}\u{FFFD}ı\u{FFFD}\u{FFFD}łøœß";

/// Widths of the characters from the space to `~` in Helvetica and Times, in thousandths of the font size.
#[rustfmt::skip]
const HELVETICA: [u16; 95] = [278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584];
#[rustfmt::skip]
const TIMES: [u16; 95] = [250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278, 500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 278, 278, 564, 564, 564, 444, 921, 722, 667, 667, 722, 611, 556, 722, 722, 333, 389, 722, 611, 889, 722, 722, 556, 722, 667, 556, 611, 722, 722, 944, 722, 722, 611, 333, 278, 333, 469, 500, 333, 444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500, 278, 778, 500, 500, 500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541];

/// Ligatures and presentation forms of Latin as letters.
const LIGATURES: [&str; 7] = ["ff", "fi", "fl", "ffi", "ffl", "st", "st"];

/// Returns the text of a glyph's name; `None` for a name that says nothing.
pub(super) fn text_of(name: &[u8]) -> Option<String> {
    static KNOWN: LazyLock<HashMap<&'static str, char>> = LazyLock::new(|| {
        let words: Vec<&str> = NAMES.split(' ').collect();
        let pair = |pair: &[&'static str]| Some((pair[0], pair[1].chars().next()?));
        words.chunks_exact(2).filter_map(pair).collect()
    });
    let name = std::str::from_utf8(name).ok()?;
    // A suffix names a variant of the glyph.
    let base = name.split('.').next().filter(|base| !base.is_empty())?;
    let mut text = String::new();
    for part in base.split('_') {
        match part {
            "space" | "nbspace" | "nonbreakingspace" => text.push(' '),
            "ff" | "fi" | "fl" | "ffi" | "ffl" | "st" => text.push_str(part),
            _ => {
                let known = |part| KNOWN.get(part).copied();
                // Figures and small capitals of another form.
                let base = || part.strip_suffix("oldstyle").or_else(|| part.strip_suffix("small"));
                text.push(known(part).or_else(|| of_code(part)).or_else(|| known(base()?))?);
            }
        }
    }
    Some(text)
}

/// Returns the character of a name that has its number: `uni0041`, `u1F600`.
fn of_code(name: &str) -> Option<char> {
    let digits = name.strip_prefix("uni").or_else(|| name.strip_prefix('u'))?;
    let is_hex = digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let code = (is_hex && (4..=6).contains(&digits.len()))
        .then(|| u32::from_str_radix(digits, 16).ok())?;
    char::from_u32(code?)
}

/// Numbers in the names of glyphs of a font that has no others: `a65`, `C0065`, `G41`.
#[derive(Clone, Copy, Debug)]
pub(super) struct NumberedNames {
    radix: u32,
    /// The numbers are the codes, whatever letters they follow.
    are_codes: bool,
    /// The font is drawn by the file, as TeX's are, which names no glyph otherwise.
    is_drawn: bool,
    /// It has codes of 8 bits, of which those of ligatures are others.
    is_wide: bool,
}

impl NumberedNames {
    /// Finds out how the names of these codes are numbers.
    pub(super) fn of(names: &[(u8, Vec<u8>)], is_drawn: bool) -> NumberedNames {
        let agreeing = |radix: u32| {
            names
                .iter()
                .filter(|(code, name)| number(name, radix) == Some(u32::from(*code)))
                .count()
        };
        let (decimal, hex) = (agreeing(10), agreeing(16));
        let has_hex_digits = || {
            names.iter().any(|(_, name)| number(name, 16).is_some() && number(name, 10).is_none())
        };
        let are_codes = decimal.max(hex) * 2 > names.len();
        let is_hex = if are_codes { hex > decimal } else { has_hex_digits() };
        let is_wide = names.iter().any(|(code, _)| *code >= 0x80);
        NumberedNames { radix: if is_hex { 16 } else { 10 }, are_codes, is_drawn, is_wide }
    }

    /// Returns the text of a name that says nothing but a number.
    pub(super) fn text_of(self, name: &[u8]) -> Option<String> {
        let letters = name.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        let number = number(name, self.radix).filter(|_| self.are_codes || letters <= 2)?;
        match number {
            // Beyond ASCII the encoding is unknown: Latin as likely as Cyrillic.
            0x20..=0x7E => Some(char::from(number as u8).to_string()),
            27..=31 if self.is_drawn => Some(LIGATURES[number as usize - 27].to_owned()),
            11..=15 if self.is_drawn && !self.is_wide => {
                Some(LIGATURES[number as usize - 11].to_owned())
            }
            _ => None,
        }
    }
}

/// Returns the number after the letters of a name. A hexadecimal one has two digits, since letters may be digits.
fn number(name: &[u8], radix: u32) -> Option<u32> {
    let name = name.split(|byte| *byte == b'.').next()?;
    let letters = name.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let digits = match radix {
        10 => &name[letters..],
        _ if name.len() <= 4 => &name[name.len().checked_sub(2)?..],
        _ => return None,
    };
    let is_number = (1..=6).contains(&digits.len())
        && digits.iter().all(|digit| char::from(*digit).is_digit(radix));
    is_number.then(|| u32::from_str_radix(std::str::from_utf8(digits).ok()?, radix).ok())?
}

/// Appends a character as text: ligatures as letters, blanks as spaces.
pub(super) fn push(c: char, text: &mut String) {
    match c {
        '\u{FB00}'..='\u{FB06}' => text.push_str(LIGATURES[c as usize - 0xFB00]),
        '\u{A0}' | '\u{2000}'..='\u{200A}' | '\u{202F}' | '\u{3000}' => text.push(' '),
        '\0' => {}
        _ if c.is_control() => text.push(' '),
        _ => text.push(c),
    }
}

/// Returns the character of `StandardEncoding`.
pub(super) fn standard(code: u8) -> Option<char> {
    match code {
        b'\'' => Some('’'),
        b'`' => Some('‘'),
        0x20..=0x7E => Some(char::from(code)),
        0xA1.. => STANDARD_HIGH.chars().nth(usize::from(code - 0xA1)).filter(|c| *c != '\u{FFFD}'),
        _ => None,
    }
}

/// Returns the width of a character in a standard font of this name, in thousandths of the font size.
pub(super) fn standard_width(font: &[u8], code: u8) -> f64 {
    let has = |word: &[u8]| memchr::memmem::find(font, word).is_some();
    let table = match () {
        () if has(b"Courier") => return 600.0,
        () if has(b"Times") => TIMES,
        () => HELVETICA,
    };
    let at = usize::from(code.wrapping_sub(b' '));
    f64::from(table.get(at).copied().unwrap_or(556))
}
