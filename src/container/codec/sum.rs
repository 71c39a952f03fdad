//! CRC-32, the checksum of gzip and zip.

/// The checksum of bytes, where a library for it is built in.
pub(in super::super) fn crc32(bytes: &[u8]) -> Option<u32> {
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

    #[cfg(not(feature = "archives"))]
    pub(in super::super) fn update(&mut self, _: &[u8]) {}

    pub(in super::super) fn value(&self) -> Option<u32> {
        Some(self.crc.sum())
    }

    #[cfg(not(feature = "archives"))]
    pub(in super::super) fn value(&self) -> Option<u32> {
        None
    }

    pub(in super::super) fn fits(&self) -> bool {
        self.value().is_none_or(|value| value == self.expected)
    }
}
