//! Objects of PDF (ISO 32000-2 §7.3).

use std::ops::Range;

/// Number and generation of an indirect object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::pdf) struct ObjectId {
    pub(in crate::pdf) number: u32,
    pub(in crate::pdf) generation: u16,
}

impl std::fmt::Display for ObjectId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {}", self.number, self.generation)
    }
}

/// Object of PDF.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::pdf) enum PdfObject {
    #[default]
    Null,
    Boolean(bool),
    Integer(i64),
    Real(f64),
    String(Vec<u8>),
    Name(Vec<u8>),
    Array(Vec<PdfObject>),
    Dictionary(PdfDictionary),
    Stream(Box<PdfStream>),
    Reference(ObjectId),
}

/// Dictionary: its entries in stored order.
#[derive(Clone, Debug, Default, PartialEq)]
pub(in crate::pdf) struct PdfDictionary {
    entries: Vec<(Vec<u8>, PdfObject)>,
}

/// Stream: its dictionary, and where its encoded bytes are in the file.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::pdf) struct PdfStream {
    pub(in crate::pdf) id: ObjectId,
    pub(in crate::pdf) dictionary: PdfDictionary,
    pub(in crate::pdf) range: Range<usize>,
}

impl PdfDictionary {
    pub(in crate::pdf) fn push(&mut self, key: Vec<u8>, value: PdfObject) {
        self.entries.push((key, value));
    }

    /// Returns the value of a key as it is stored, which may be a reference; null if the key is missing.
    pub(in crate::pdf) fn get(&self, key: &str) -> &PdfObject {
        let entry = self.entries.iter().find(|(name, _)| name == key.as_bytes());
        entry.map_or(&PdfObject::Null, |(_, value)| value)
    }

    pub(in crate::pdf) fn has(&self, key: &str) -> bool {
        *self.get(key) != PdfObject::Null
    }

    pub(in crate::pdf) fn entries(&self) -> impl Iterator<Item = (&[u8], &PdfObject)> {
        self.entries.iter().map(|(key, value)| (&**key, value))
    }

    /// Returns the work of a copy, as [`PdfObject::weight`] does.
    fn weight(&self) -> usize {
        self.entries.iter().map(|(key, value)| 1 + key.len() + value.weight()).sum()
    }

    /// Returns the number of entries.
    pub(in crate::pdf) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(in crate::pdf) fn values_mut(&mut self) -> impl Iterator<Item = &mut PdfObject> {
        self.entries.iter_mut().map(|(_, value)| value)
    }
}

impl PdfObject {
    /// Returns the work of a copy: bytes of strings and names, and the number of objects within.
    pub(in crate::pdf) fn weight(&self) -> usize {
        match self {
            PdfObject::String(bytes) | PdfObject::Name(bytes) => bytes.len(),
            PdfObject::Array(elements) => elements.iter().map(|element| 1 + element.weight()).sum(),
            PdfObject::Dictionary(dictionary) => dictionary.weight(),
            PdfObject::Stream(stream) => stream.dictionary.weight(),
            _ => 0,
        }
    }

    pub(in crate::pdf) fn integer(&self) -> Option<i64> {
        match *self {
            PdfObject::Integer(number) => Some(number),
            PdfObject::Real(number) => Some(number as i64),
            _ => None,
        }
    }

    pub(in crate::pdf) fn number(&self) -> Option<f64> {
        match *self {
            PdfObject::Integer(number) => Some(number as f64),
            PdfObject::Real(number) => Some(number),
            _ => None,
        }
    }

    /// Returns the number if it counts something.
    pub(in crate::pdf) fn count(&self) -> Option<usize> {
        usize::try_from(self.integer()?).ok()
    }

    pub(in crate::pdf) fn name(&self) -> Option<&[u8]> {
        match self {
            PdfObject::Name(name) => Some(name),
            _ => None,
        }
    }

    pub(in crate::pdf) fn is_name(&self, name: &str) -> bool {
        self.name() == Some(name.as_bytes())
    }

    pub(in crate::pdf) fn string(&self) -> Option<&[u8]> {
        match self {
            PdfObject::String(string) => Some(string),
            _ => None,
        }
    }

    /// Returns the elements of an array; none if it is another object.
    pub(in crate::pdf) fn elements(&self) -> &[PdfObject] {
        match self {
            PdfObject::Array(elements) => elements,
            _ => &[],
        }
    }

    /// Returns a dictionary, or that of a stream.
    pub(in crate::pdf) fn dictionary(&self) -> Option<&PdfDictionary> {
        match self {
            PdfObject::Dictionary(dictionary) => Some(dictionary),
            PdfObject::Stream(stream) => Some(&stream.dictionary),
            _ => None,
        }
    }

    pub(in crate::pdf) fn stream(&self) -> Option<&PdfStream> {
        match self {
            PdfObject::Stream(stream) => Some(stream),
            _ => None,
        }
    }

    pub(in crate::pdf) fn reference(&self) -> Option<ObjectId> {
        match self {
            PdfObject::Reference(id) => Some(*id),
            _ => None,
        }
    }
}
