//! The inputs of a work, as `texts.py` packs them.

pub type Fault = Box<dyn std::error::Error>;

/// A text, a document, a message.
pub struct Input<'a> {
    pub name: &'a str,
    pub bytes: &'a [u8],
    /// The same, if it is UTF-8; looked at once, before anything is counted.
    pub text: Option<&'a str>,
}

/// Inputs as they are packed: for each the length of its name, its name, its length, its bytes.
pub fn unpacked(mut packed: &[u8]) -> Result<Vec<Input<'_>>, Fault> {
    fn take<'a>(packed: &mut &'a [u8]) -> Result<&'a [u8], Fault> {
        let (len, rest) = packed.split_first_chunk::<4>().ok_or("a length is cut")?;
        let len = u32::from_le_bytes(*len) as usize;
        let (bytes, rest) = rest.split_at_checked(len).ok_or("an input is cut")?;
        *packed = rest;
        Ok(bytes)
    }
    let mut inputs = Vec::new();
    while !packed.is_empty() {
        let name = std::str::from_utf8(take(&mut packed)?)?;
        let bytes = take(&mut packed)?;
        inputs.push(Input { name, bytes, text: std::str::from_utf8(bytes).ok() });
    }
    match inputs.is_empty() {
        true => Err("there are no inputs".into()),
        false => Ok(inputs),
    }
}
