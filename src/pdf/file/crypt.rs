//! Standard security handler with an empty user password (ISO 32000-2 §7.6): RC4, AES-128 and AES-256.

use aes::cipher::{BlockCipherDecrypt, BlockCipherEncrypt, KeyInit};
use aes::{Aes128, Aes256, Block};
use md5::{Digest, Md5};
use sha2::{Sha256, Sha384, Sha512};

use super::super::syntax::{ObjectId, PdfDictionary, PdfObject};

/// Padding of passwords (ISO 32000-2 §7.6.4.3.2).
const PADDING: [u8; 32] = [
    0x28, 0xBF, 0x4E, 0x5E, 0x4E, 0x75, 0x8A, 0x41, 0x64, 0x00, 0x4E, 0x56, 0xFF, 0xFA, 0x01, 0x08,
    0x2E, 0x2E, 0x00, 0xB6, 0xD0, 0x68, 0x3E, 0x80, 0x2F, 0x0C, 0xA9, 0xFE, 0x64, 0x53, 0x69, 0x7A,
];

/// Cipher of strings or of streams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PdfCipher {
    Identity,
    Rc4,
    Aes128,
    Aes256,
}

/// Key of a file, and what it decrypts.
#[derive(Clone, Debug)]
pub(super) struct PdfKey {
    key: Vec<u8>,
    strings: PdfCipher,
    streams: PdfCipher,
    has_encrypted_metadata: bool,
}

/// Content that is decrypted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Encrypted {
    String,
    Stream,
}

impl PdfKey {
    /// Returns the key of an encryption dictionary whose values are resolved, and of the first identifier of the file; `None` if it needs
    /// a password, or has another handler.
    pub(super) fn of(encrypt: &PdfDictionary, first_id: &[u8]) -> Option<PdfKey> {
        let integer = |key: &str| encrypt.get(key).integer();
        if encrypt.has("Filter") && !encrypt.get("Filter").is_name("Standard") {
            return None;
        }
        let (version, revision) = (integer("V").unwrap_or(0), integer("R")?);
        let has_encrypted_metadata = *encrypt.get("EncryptMetadata") != PdfObject::Boolean(false);
        let cipher = |key: &str| cipher_of(encrypt, key);
        let (strings, streams) = match version {
            1..=3 => (PdfCipher::Rc4, PdfCipher::Rc4),
            4 | 5 => (cipher("StrF")?, cipher("StmF")?),
            _ => return None,
        };
        let key = match revision {
            2..=4 => {
                let length = match (version, integer("Length")) {
                    (1, _) => 5,
                    (4, _) => 16,
                    (_, bits) => usize::try_from(bits.unwrap_or(40) / 8).ok()?.clamp(5, 16),
                };
                key_of_md5(encrypt, first_id, revision, length, has_encrypted_metadata)?
            }
            5 | 6 => key_of_sha(encrypt, revision)?,
            _ => return None,
        };
        Some(PdfKey { key, strings, streams, has_encrypted_metadata })
    }

    /// Decrypts a string or the data of a stream of an object.
    pub(super) fn decrypt(&self, what: Encrypted, id: ObjectId, data: &[u8]) -> Vec<u8> {
        let cipher = match what {
            Encrypted::String => self.strings,
            Encrypted::Stream => self.streams,
        };
        match cipher {
            PdfCipher::Identity => data.to_vec(),
            PdfCipher::Rc4 => rc4(&self.of_object(id, false), data),
            PdfCipher::Aes128 => match <&[u8; 16]>::try_from(&*self.of_object(id, true)) {
                Ok(key) => cbc(&Aes128::new(key.into()), data),
                Err(_) => data.to_vec(),
            },
            PdfCipher::Aes256 => match <&[u8; 32]>::try_from(&*self.key) {
                Ok(key) => cbc(&Aes256::new(key.into()), data),
                Err(_) => data.to_vec(),
            },
        }
    }

    /// Returns `true` if metadata streams are encrypted too.
    pub(super) fn has_encrypted_metadata(&self) -> bool {
        self.has_encrypted_metadata
    }

    /// Returns the key of an object (§7.6.3.1).
    fn of_object(&self, id: ObjectId, is_aes: bool) -> Vec<u8> {
        let mut hash = Md5::new();
        hash.update(&self.key);
        hash.update(&id.number.to_le_bytes()[..3]);
        hash.update(id.generation.to_le_bytes());
        if is_aes {
            hash.update(b"sAlT");
        }
        hash.finalize()[..(self.key.len() + 5).min(16)].to_vec()
    }
}

fn cipher_of(encrypt: &PdfDictionary, key: &str) -> Option<PdfCipher> {
    let Some(name) = encrypt.get(key).name().filter(|name| *name != b"Identity") else {
        return Some(PdfCipher::Identity);
    };
    let filters = encrypt.get("CF").dictionary()?;
    let (_, filter) = filters.entries().find(|(key, _)| *key == name)?;
    Some(match filter.dictionary()?.get("CFM").name() {
        Some(b"V2") => PdfCipher::Rc4,
        Some(b"AESV2") => PdfCipher::Aes128,
        Some(b"AESV3") => PdfCipher::Aes256,
        None | Some(b"None") => PdfCipher::Identity,
        Some(_) => return None,
    })
}

/// Returns the key of revisions 2 to 4 (algorithm 2), if the empty password opens the file (algorithm 6).
fn key_of_md5(
    encrypt: &PdfDictionary,
    first_id: &[u8],
    revision: i64,
    length: usize,
    has_encrypted_metadata: bool,
) -> Option<Vec<u8>> {
    let owner = encrypt.get("O").string()?;
    let user = encrypt.get("U").string()?;
    let permissions = encrypt.get("P").integer()? as u32;
    let mut hash = Md5::new();
    hash.update(PADDING);
    hash.update(&owner[..owner.len().min(32)]);
    hash.update(permissions.to_le_bytes());
    hash.update(first_id);
    if revision >= 4 && !has_encrypted_metadata {
        hash.update([0xFF; 4]);
    }
    let mut key = hash.finalize()[..].to_vec();
    if revision >= 3 {
        for _ in 0..50 {
            key = Md5::digest(&key[..length])[..].to_vec();
        }
    }
    key.truncate(length);
    let is_right = if revision == 2 {
        rc4(&key, &PADDING) == user
    } else {
        let mut hash = Md5::new();
        hash.update(PADDING);
        hash.update(first_id);
        let mut made = rc4(&key, &hash.finalize());
        for round in 1..20 {
            let key: Vec<u8> = key.iter().map(|byte| byte ^ round).collect();
            made = rc4(&key, &made);
        }
        user.starts_with(&made)
    };
    is_right.then_some(key)
}

/// Returns the key of revisions 5 and 6 (algorithm 2.A), if the empty password opens the file.
fn key_of_sha(encrypt: &PdfDictionary, revision: i64) -> Option<Vec<u8>> {
    let user = encrypt.get("U").string()?.get(..48)?;
    let sealed = encrypt.get("UE").string()?.get(..32)?;
    let (hash, salts) = user.split_at(32);
    let (of_check, of_key) = salts.split_at(8);
    let digest = |salt: &[u8]| match revision {
        5 => Sha256::digest(salt).to_vec(),
        _ => hardened(salt),
    };
    if digest(of_check) != hash {
        return None;
    }
    let key: [u8; 32] = digest(of_key).try_into().ok()?;
    let cipher = Aes256::new(&key.into());
    Some(chained(&cipher, &[0; 16], sealed))
}

/// Returns the hash of revision 6 for the empty password and a salt (algorithm 2.B).
fn hardened(salt: &[u8]) -> Vec<u8> {
    let mut key = Sha256::digest(salt).to_vec();
    let mut round = 0;
    loop {
        let mut blocks = key.repeat(64);
        let (Ok(secret), Ok(mut previous)) =
            (<[u8; 16]>::try_from(&key[..16]), <[u8; 16]>::try_from(&key[16..32]))
        else {
            return key;
        };
        let cipher = Aes128::new(&secret.into());
        for block in blocks.chunks_exact_mut(16) {
            let mut whole = Block::default();
            for (at, byte) in whole.iter_mut().enumerate() {
                *byte = block[at] ^ previous[at];
            }
            cipher.encrypt_block(&mut whole);
            block.copy_from_slice(&whole);
            previous.copy_from_slice(&whole);
        }
        let kind = blocks[..16].iter().map(|byte| u32::from(*byte)).sum::<u32>() % 3;
        key = match kind {
            0 => Sha256::digest(&blocks).to_vec(),
            1 => Sha384::digest(&blocks).to_vec(),
            _ => Sha512::digest(&blocks).to_vec(),
        };
        round += 1;
        if round >= 64 && usize::from(*blocks.last().unwrap_or(&0)) + 32 <= round {
            key.truncate(32);
            return key;
        }
    }
}

fn rc4(key: &[u8], data: &[u8]) -> Vec<u8> {
    let mut state: [u8; 256] = std::array::from_fn(|at| at as u8);
    let mut other = 0_u8;
    for at in 0..256 {
        other = other.wrapping_add(state[at]).wrapping_add(key[at % key.len().max(1)]);
        state.swap(at, usize::from(other));
    }
    let (mut at, mut other) = (0_u8, 0_u8);
    data.iter()
        .map(|byte| {
            at = at.wrapping_add(1);
            let one = state[usize::from(at)];
            other = other.wrapping_add(one);
            state.swap(usize::from(at), usize::from(other));
            let sum = one.wrapping_add(state[usize::from(at)]);
            byte ^ state[usize::from(sum)]
        })
        .collect()
}

/// Decrypts blocks that begin with their initial vector and end with padding (§7.6.3.1).
fn cbc(
    cipher: &impl BlockCipherDecrypt<BlockSize = aes::cipher::consts::U16>,
    data: &[u8],
) -> Vec<u8> {
    let Some((first, blocks)) = data.split_first_chunk::<16>() else { return Vec::new() };
    let mut decrypted = chained(cipher, first, blocks);
    // Data that are cut have no padding.
    if let Some(padding @ 1..=16) = decrypted.last().copied() {
        decrypted.truncate(decrypted.len() - usize::from(padding));
    }
    decrypted
}

fn chained(
    cipher: &impl BlockCipherDecrypt<BlockSize = aes::cipher::consts::U16>,
    first: &[u8; 16],
    blocks: &[u8],
) -> Vec<u8> {
    let mut decrypted = Vec::with_capacity(blocks.len());
    let mut previous = *first;
    let (blocks, _) = blocks.as_chunks::<16>();
    for block in blocks {
        let mut whole = Block::from(*block);
        cipher.decrypt_block(&mut whole);
        decrypted.extend(whole.iter().zip(&previous).map(|(byte, other)| byte ^ other));
        previous = *block;
    }
    decrypted
}
