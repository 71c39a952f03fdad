//! CRC-32, the checksum of gzip and zip.

/// The checksum of bytes.
pub(in super::super) fn crc32(bytes: &[u8]) -> u32 {
    let mut sum = Sum::new(0);
    sum.update(bytes);
    sum.value()
}

/// A checksum to be compared.
pub(in super::super) struct Sum {
    crc: flate2::Crc,
    expected: u32,
}

impl Sum {
    pub(in super::super) fn new(expected: u32) -> Sum {
        Sum { crc: flate2::Crc::new(), expected }
    }

    pub(in super::super) fn update(&mut self, bytes: &[u8]) {
        self.crc.update(bytes);
    }

    pub(in super::super) fn value(&self) -> u32 {
        self.crc.sum()
    }

    pub(in super::super) fn fits(&self) -> bool {
        self.value() == self.expected
    }
}
