//! HTML's named character references: a name, the characters that it represents, and whether it needs a semicolon.
//!
//! The names are stored consecutively in one text, in byte order, and so are their characters: 28 KB with the offsets.
//! Pointers to 2,125 names would take 34 KB by themselves.

use super::entity_list::{CHARACTER_STARTS, CHARACTERS, NAME_STARTS, NAMES, NEEDLESS};

/// Number of names in the standard's list, those with a semicolon and those without counted separately.
pub const COUNT: usize = NAME_STARTS.len() - 1 + NEEDLESS;

/// Length in bytes of the longest name, without its semicolon.
pub const LONGEST: usize = longest(false);

/// Length in bytes of the longest name that may be without a semicolon.
pub const LONGEST_BARE: usize = longest(true);

/// Flag in the start of a name that may be without its semicolon.
const BARE: u16 = 1 << 15;

const fn longest(bare: bool) -> usize {
    let (mut at, mut most) = (0, 0);
    while at + 1 < NAME_STARTS.len() {
        let len = (NAME_STARTS[at + 1] & !BARE) - (NAME_STARTS[at] & !BARE);
        if len > most && (!bare || NAME_STARTS[at] & BARE != 0) {
            most = len;
        }
        at += 1;
    }
    most as usize
}

/// The names that begin with byte `b` are those from `FIRST[b]` to `FIRST[b + 1]`.
static FIRST: [u16; 129] = {
    let mut first = [0; 129];
    let (mut at, mut b) = (0, 0);
    while b < 129 {
        while at + 1 < NAME_STARTS.len()
            && (NAMES.as_bytes()[(NAME_STARTS[at] & !BARE) as usize] as usize) < b
        {
            at += 1;
        }
        first[b] = at as u16;
        b += 1;
    }
    first
};

/// The characters that a name represents.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entity {
    /// One character or two.
    pub characters: &'static str,
    /// Whether the name may be without its semicolon.
    pub is_bare: bool,
}

/// Returns all names, without `&` and `;`, with the characters that they represent, in byte order. A name that may be with
/// or without its semicolon is included once.
///
/// ```
/// assert_eq!(linksift::tables::entities::all().next(), Some(("AElig", "Æ")));
/// ```
pub fn all() -> impl Iterator<Item = (&'static str, &'static str)> {
    (0..NAME_STARTS.len() - 1).map(|at| {
        let start = |at: usize| usize::from(NAME_STARTS[at] & !BARE);
        let characters = CHARACTER_STARTS[at].into()..CHARACTER_STARTS[at + 1].into();
        (&NAMES[start(at)..start(at + 1)], &CHARACTERS[characters])
    })
}

/// Returns the characters that a name represents, given without `&` and `;`.
///
/// ```
/// use linksift::tables::entities::entity;
/// assert_eq!(entity(b"commat").unwrap().characters, "@");
/// assert!(entity(b"amp").unwrap().is_bare && !entity(b"commat").unwrap().is_bare);
/// assert_eq!(entity(b"Commat"), None);
/// ```
pub fn entity(name: &[u8]) -> Option<Entity> {
    let first = usize::from(*name.first()?);
    let (mut low, mut high) = match (FIRST.get(first), FIRST.get(first + 1)) {
        (Some(&low), Some(&high)) => (usize::from(low), usize::from(high)),
        _ => return None,
    };
    let start = |at: usize| usize::from(NAME_STARTS[at] & !BARE);
    while low < high {
        let middle = (low + high) / 2;
        match NAMES.as_bytes()[start(middle)..start(middle + 1)].cmp(name) {
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
            std::cmp::Ordering::Equal => {
                let range = CHARACTER_STARTS[middle].into()..CHARACTER_STARTS[middle + 1].into();
                let is_bare = NAME_STARTS[middle] & BARE != 0;
                return Some(Entity { characters: &CHARACTERS[range], is_bare });
            }
        }
    }
    None
}
