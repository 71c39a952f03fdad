//! Stub, scalar.
use super::trigger::{BLOCK, Block, Kinds, is_event};

pub(crate) fn find(text: &[u8], from: usize, kinds: Kinds) -> Option<Block> {
    let mut base = from;
    while base < text.len() {
        let end = text.len().min(base + BLOCK);
        let mut events = 0;
        for at in base..end {
            events |= u64::from(is_event(text, at, kinds)) << (at - base);
        }
        if events != 0 {
            return Some(Block { base, events });
        }
        base = end;
    }
    None
}
