//! Compares every operation with scalar code, for all vectors of this processor.

use super::*;
use crate::dice::Dice;

type Plain = [u8; LANES];

/// Inputs of the operations.
struct Operations<'b>(&'b Plain, &'b Plain, &'b [u8; 16]);

impl VectorKernel for Operations<'_> {
    type Output = ();

    fn run(self, vectors: impl Vectors) {
        compare(vectors, self.0, self.1, self.2);
    }
}

/// The bytes of a vector, read bit by bit.
fn stored<V: Vectors>(v: V, bytes: V::Bytes) -> Plain {
    let of_bit = |bit: u8| {
        let has_it = v.is(v.and(bytes, v.splat(1 << bit)), 1 << bit);
        v.bits(has_it)
    };
    let bits: [u32; 8] = std::array::from_fn(|bit| of_bit(bit as u8));
    std::array::from_fn(|n| (0..8).fold(0, |byte, bit| byte | ((bits[bit] >> n & 1) as u8) << bit))
}

fn compare<V: Vectors>(v: V, one: &Plain, other: &Plain, table: &[u8; 16]) {
    let (a, b) = (v.load(one, 0), v.load(other, 0));
    let each = |f: &dyn Fn(u8, u8) -> u8| -> Plain { std::array::from_fn(|n| f(one[n], other[n])) };
    let all = |is: bool| if is { 0xFF } else { 0 };
    assert_eq!(stored(v, a), *one);
    let (low, high) = one.split_first_chunk().unwrap();
    assert_eq!(stored(v, v.load_halves(low, high.first_chunk().unwrap())), *one);
    assert_eq!(stored(v, v.eq(a, b)), each(&|x, y| all(x == y)));
    assert_eq!(stored(v, v.and(a, b)), each(&|x, y| x & y));
    assert_eq!(stored(v, v.or(a, b)), each(&|x, y| x | y));
    assert_eq!(stored(v, v.xor(a, b)), each(&|x, y| x ^ y));
    assert_eq!(stored(v, v.without(a, b)), each(&|x, y| x & !y));
    assert_eq!(stored(v, v.wrapping_sub(a, b)), each(&u8::wrapping_sub));
    assert_eq!(stored(v, v.saturating_sub(a, b)), each(&u8::saturating_sub));
    assert_eq!(stored(v, v.min(a, b)), each(&|x, y| x.min(y)));
    assert_eq!(stored(v, v.max(a, b)), each(&|x, y| x.max(y)));
    assert_eq!(stored(v, v.not_below(a, b)), each(&|x, y| all(x >= y)));
    assert_eq!(stored(v, v.upper_half(a)), each(&|x, _| x >> 4));
    assert_eq!(stored(v, v.whole(a)), *one);
    let entry = |x: u8| if x < 0x80 { table[usize::from(x & 0x0F)] } else { 0 };
    assert_eq!(stored(v, v.lookup(v.table(table), a)), each(&|x, _| entry(x)));

    let mask =
        |is: &dyn Fn(u8) -> bool| one.iter().rev().fold(0, |mask, x| mask << 1 | u32::from(is(*x)));
    assert_eq!((v.bits(a), v.bits_apart(a)), (mask(&|x| x >= 0x80), mask(&|x| x >= 0x80)));
    for byte in [1, other[0], other[1], one[0], one[31]] {
        assert_eq!(stored(v, v.splat(byte)), [byte; LANES]);
        assert_eq!(v.bits(v.is(a, byte)), mask(&|x| x == byte));
        let least = byte.clamp(1, 0x80);
        assert_eq!(v.bits(v.at_least(a, least)), mask(&|x| x >= least), "{least}");
        let least = byte.max(1);
        assert_eq!(v.has_from(a, least), one.iter().any(|x| *x >= least), "{one:?} {least}");
        let less = v.wrapping_sub(a, v.splat(byte));
        assert_eq!(v.has_zero(less), one.contains(&byte), "{one:?} {byte}");
    }
}

#[test]
fn operations_are_what_they_are_byte_by_byte() {
    let mut dice = Dice::new(7);
    for round in 0..if cfg!(miri) { 5 } else { 3_000 } {
        // All bytes, or few different ones, so that some are equal.
        let range = [256, 3, 20][round % 3];
        let first = dice.below(256);
        let mut bytes = || std::array::from_fn(|_| (first + dice.below(range)) as u8);
        let (one, other): (Plain, Plain) = (bytes(), bytes());
        let table = *bytes().first_chunk().unwrap();
        _ = dispatch(Operations(&one, &other, &table));
        _ = dispatch_baseline(Operations(&one, &other, &table));
    }
}

/// A single byte at each position.
#[test]
fn operations_know_each_place() {
    for at in 0..LANES {
        for byte in [0, 1, 0x7F, 0x80, 0xE3, 0xFF] {
            for filler in [0, 0x41, 0x80, 0xFF] {
                let mut one = [filler; LANES];
                one[at] = byte;
                let table = std::array::from_fn(|n| 200 - n as u8);
                _ = dispatch(Operations(&one, &[filler; LANES], &table));
                _ = dispatch_baseline(Operations(&one, &[byte; LANES], &table));
            }
        }
    }
}
