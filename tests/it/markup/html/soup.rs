//! Random documents: fixtures with their bytes changed, and tags thrown together.

use crate::support::dice::Dice;

/// A fixture, or two spliced, with bytes changed, cut out, doubled.
pub(crate) fn mutated(seeds: &[String], dice: &mut Dice) -> String {
    let mut bytes = seeds[dice.below(seeds.len())].clone().into_bytes();
    for _ in 0..1 + dice.below(6) {
        if bytes.is_empty() {
            break;
        }
        let at = dice.below(bytes.len());
        match dice.below(6) {
            0 => bytes[at] = dice.pick(b"<>\"'=/!-&; \n\tax[]?\0\r"),
            1 => bytes[at] = dice.next() as u8,
            2 => drop(bytes.drain(at..(at + 1 + dice.below(20)).min(bytes.len()))),
            3 => {
                let piece = bytes[at..(at + 1 + dice.below(40)).min(bytes.len())].to_vec();
                let to = dice.below(bytes.len());
                bytes.splice(to..to, piece);
            }
            4 => {
                let other = seeds[dice.below(seeds.len())].as_bytes();
                if !other.is_empty() {
                    let from = dice.below(other.len());
                    let end = (from + dice.below(200)).min(other.len());
                    bytes.splice(at..at, other[from..end].iter().copied());
                }
            }
            _ => {
                let piece = dice.pick(PIECES).as_bytes();
                bytes.splice(at..at, piece.iter().copied());
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Tags, texts and what looks like them.
pub(crate) fn tags(dice: &mut Dice) -> String {
    let mut text = String::new();
    for _ in 0..1 + dice.below(14) {
        text.push_str(dice.pick(PIECES));
        if dice.once_in(12) {
            text.push(char::from(dice.pick(b"<>\"'=/!-&; \n\tax[]?\0\r")));
        }
    }
    text
}

const PIECES: &[&str] = &[
    "<a href=\"x\">",
    "<a href='y' HREF=z>",
    "<a\nhref = q>",
    "<A HREF=R/>",
    "</a>",
    "<a href>",
    "<a href=>",
    "<img src=a&amp;b srcset=\"c 1x\">",
    "<image src=i>",
    "<div>",
    "</div>",
    "<p>",
    "</p>",
    "<br>",
    "</br>",
    "<svg>",
    "</svg>",
    "<math>",
    "</math>",
    "<g>",
    "</g>",
    "<path fill='url(#a)'/>",
    "<use xlink:href=\"#u\"/>",
    "<foreignObject>",
    "</foreignObject>",
    "<desc>",
    "</desc>",
    "<mi>",
    "</mi>",
    "<annotation-xml>",
    "<annotation-xml encoding=text/html>",
    "</annotation-xml>",
    "<font color=red>",
    "<font>",
    "<mglyph href=m>",
    "<title>",
    "</title>",
    "<textarea>",
    "</textarea>",
    "<style>",
    "</style>",
    "<script>",
    "</script>",
    "</script >",
    "<script src=s>",
    "<xmp>",
    "</xmp>",
    "<noscript>",
    "</noscript>",
    "<iframe src=f>",
    "</iframe>",
    "<noembed>",
    "</noembed>",
    "<plaintext>",
    "<template>",
    "</template>",
    "<table>",
    "</table>",
    "<tr>",
    "<td background=b>",
    "</td>",
    "<select>",
    "</select>",
    "<option>",
    "<frameset>",
    "</frameset>",
    "<frame src=r>",
    "<body background=k>",
    "<html manifest=m>",
    "<head profile='p q'>",
    "<base href=/b/>",
    "<link href=l>",
    "<meta http-equiv=refresh content='1;url=u'>",
    "<meta content=c name=og:url>",
    "<form action=f>",
    "<input src=i formaction=j>",
    "<object data=d>",
    "<param name=src value=v>",
    "</object>",
    "<!--",
    "-->",
    "--!>",
    "<!-->",
    "<!--->",
    "<!---->",
    "<!",
    "<!x>",
    "<?",
    "<?x>",
    "</>",
    "</ x>",
    "<!doctype html>",
    "<![CDATA[",
    "]]>",
    "<",
    ">",
    "&",
    "&amp",
    "&lt;",
    "text",
    " ",
    "\n",
    "\"",
    "'",
    "=",
    "/",
    "a b",
    "<a href=\"",
    "<a href='",
    "<a href=&copy=1>",
    "<a href=\"&copy=1&copy;&notit;\">",
    "<b about=x resource=\"y\">",
    "<a x=1 x=2 href=3 href=4>",
    "<li>",
    "</li>",
    "<h1>",
    "</h1>",
    "<nobr>",
    "<span style='a:b'>",
    "</span>",
    "<video poster=p src=v>",
    "<wbr>",
    "<a/href=s/t>",
    "<a =href=x>",
    "<a href=\"x\"ping=y>",
    "<!--<script>",
    "<script><!--",
    "<script>-->",
    "<style><!--",
];
