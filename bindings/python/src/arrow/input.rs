//! Columns that come in: texts and bytes of every layout of Arrow, read where they are.
//!
//! Offsets, keys and lengths are looked at before they are used where the interface tells what they must
//! fit into; the lengths of buffers it does not tell.
#![allow(unsafe_code, reason = "buffers of another library")]

use std::ffi::c_void;
use std::ptr;
use std::slice;
use std::sync::Arc;

use pyo3::PyErr;
use pyo3::exceptions::{PyTypeError, PyValueError};

use super::abi::{Array, Schema};
use super::column::Column;

/// Arrays that came in, or texts that were gathered, for as long as somebody reads them.
pub(crate) enum Chunk {
    Foreign { schema: Arc<Schema>, array: Array },
    Own { texts: Column, is_text: bool },
}

/// A column of texts or bytes.
pub(crate) struct Cells {
    cells: Layout,
    /// Structs that the column is in, and where their nulls are.
    outer: Option<Validity>,
    pub(crate) len: usize,
    /// Whether it is UTF-8 by its type.
    pub(crate) is_text: bool,
    _keep: Arc<Chunk>,
}

// SAFETY: all pointers are into what `_keep` keeps, which nobody writes.
unsafe impl Send for Cells {}
// SAFETY: as above.
unsafe impl Sync for Cells {}

/// Which values are there: bits from an offset on.
struct Validity {
    bits: *const u8,
    offset: usize,
}

impl Validity {
    fn of(array: &Array, offset: usize) -> Validity {
        let bits = if array.null_count == 0 { ptr::null() } else { array.buffer(0) };
        Validity { bits: bits.cast(), offset }
    }

    fn is_valid(&self, at: usize) -> bool {
        let at = at + self.offset;
        // SAFETY: an array's bitmap, if it has one, has a bit for each of its values.
        self.bits.is_null() || unsafe { *self.bits.add(at / 8) } & 1 << (at % 8) != 0
    }
}

/// How a column is laid out, and where it is.
struct Layout {
    kind: Kind,
    validity: Validity,
    offset: usize,
    len: usize,
}

enum Kind {
    Null,
    /// `held` bytes are there: the last offset says so.
    Small {
        offsets: *const i32,
        bytes: *const u8,
        held: i64,
    },
    Large {
        offsets: *const i64,
        bytes: *const u8,
        held: i64,
    },
    View {
        views: *const [u8; 16],
        buffers: Vec<(*const u8, usize)>,
    },
    Fixed {
        width: usize,
        bytes: *const u8,
    },
    Dictionary {
        keys: Integers,
        values: Box<Layout>,
    },
    Runs {
        ends: Integers,
        values: Box<Layout>,
    },
}

/// Integers, as keys and run ends are: those of an array, from its own offset on.
#[derive(Clone, Copy)]
struct Integers {
    format: u8,
    values: *const u8,
    offset: usize,
    len: usize,
}

impl Integers {
    fn of(schema: &Schema, array: &Array) -> Result<Integers, PyErr> {
        let &[format @ (b'c' | b'C' | b's' | b'S' | b'i' | b'I' | b'l' | b'L')] =
            schema.format().as_bytes()
        else {
            return Err(broken("keys are not integers"));
        };
        let width = match format {
            b'c' | b'C' => 1,
            b's' | b'S' => 2,
            b'i' | b'I' => 4,
            _ => 8,
        };
        let (offset, len) = extent(array, width)?;
        let values: *const u8 = array.buffer(1).cast();
        match values.is_null() && len > 0 {
            true => Err(broken("a buffer is missing")),
            false => Ok(Integers { format, values, offset, len }),
        }
    }

    /// The integer there; `None` if it is negative, or there is none.
    fn get(self, at: usize) -> Option<usize> {
        if at >= self.len {
            return None;
        }
        let at = self.offset + at;
        macro_rules! read {
            ($T:ty) => {
                // SAFETY: a buffer of this type has a value for each of the array's, and is aligned or not.
                usize::try_from(unsafe { self.values.cast::<$T>().add(at).read_unaligned() }).ok()
            };
        }
        match self.format {
            b'c' => read!(i8),
            b'C' => read!(u8),
            b's' => read!(i16),
            b'S' => read!(u16),
            b'i' => read!(i32),
            b'I' => read!(u32),
            b'l' => read!(i64),
            _ => read!(u64),
        }
    }
}

fn broken(what: &str) -> PyErr {
    PyValueError::new_err(format!("invalid Arrow data: {what}"))
}

fn size(value: i64, what: &str) -> Result<usize, PyErr> {
    usize::try_from(value).map_err(|_| broken(what))
}

/// Offset and length of an array whose buffer has so many bytes for each value: no memory has more than can be counted.
fn extent(array: &Array, width: usize) -> Result<(usize, usize), PyErr> {
    let offset = size(array.offset, "a negative offset")?;
    let len = size(array.length, "a negative length")?;
    // An offset more than there are values.
    let values = offset.checked_add(len).and_then(|end| end.checked_add(1));
    match values.and_then(|values| values.checked_mul(width.max(1))) {
        Some(bytes) if isize::try_from(bytes).is_ok() => Ok((offset, len)),
        _ => Err(broken("an array is longer than memory")),
    }
}

/// The width of a type of values of fixed length: `w:16`. Arrow counts it in 32 bits.
fn fixed_width(schema: &Schema) -> Result<Option<usize>, PyErr> {
    let Some(digits) = schema.format().strip_prefix("w:") else { return Ok(None) };
    match digits.parse::<i32>().ok().and_then(|width| usize::try_from(width).ok()) {
        Some(width) => Ok(Some(width)),
        None => Err(broken(&format!("values of {digits:?} bytes"))),
    }
}

/// How deep dictionaries and runs may be in each other.
const DEEPEST: usize = 16;

impl Layout {
    fn of(schema: &Schema, array: &Array) -> Result<Layout, PyErr> {
        Layout::at(schema, array, 0)
    }

    fn at(schema: &Schema, array: &Array, depth: usize) -> Result<Layout, PyErr> {
        if depth > DEEPEST {
            return Err(broken("dictionaries or runs are nested without end"));
        }
        let fixed = fixed_width(schema)?;
        let (offset, len) = extent(array, fixed.unwrap_or(16))?;
        let held = |last: &dyn Fn(*const c_void, usize) -> i64| {
            let offsets = array.buffer(1);
            if offsets.is_null() || len == 0 { 0 } else { last(offsets, offset + len) }
        };
        let kind = if let Some(values) = schema.dictionary() {
            let of_values = array.dictionary().ok_or_else(|| broken("no dictionary"))?;
            // The layout's own offset is that of the keys.
            let keys = Integers { offset: 0, len: offset + len, ..Integers::of(schema, array)? };
            Kind::Dictionary { keys, values: Box::new(Layout::at(values, of_values, depth + 1)?) }
        } else {
            let bytes = array.buffer(2).cast();
            match (schema.format(), fixed) {
                ("n", _) => Kind::Null,
                ("u" | "z", _) => {
                    // SAFETY: there is one more offset than values.
                    let held = held(&|offsets, at| unsafe {
                        i64::from(offsets.cast::<i32>().add(at).read_unaligned())
                    });
                    Kind::Small { offsets: array.buffer(1).cast(), bytes, held }
                }
                ("U" | "Z", _) => {
                    // SAFETY: as above.
                    let held = held(&|offsets, at| unsafe {
                        offsets.cast::<i64>().add(at).read_unaligned()
                    });
                    Kind::Large { offsets: array.buffer(1).cast(), bytes, held }
                }
                ("vu" | "vz", _) => {
                    Kind::View { views: array.buffer(1).cast(), buffers: view_buffers(array)? }
                }
                ("+r", _) => {
                    let (schemas, arrays) = (schema.children(), array.children());
                    let ([ends, values], [of_ends, of_values]) = (&schemas[..], &arrays[..]) else {
                        return Err(broken("runs have no ends or values"));
                    };
                    Kind::Runs {
                        ends: Integers::of(ends, of_ends)?,
                        values: Box::new(Layout::at(values, of_values, depth + 1)?),
                    }
                }
                (_, Some(width)) => Kind::Fixed { width, bytes: array.buffer(1).cast() },
                _ => return Err(no_text(schema)),
            }
        };
        let has_no_bits = matches!(kind, Kind::Null | Kind::Runs { .. });
        let validity = match has_no_bits {
            true => Validity { bits: ptr::null(), offset },
            false => Validity::of(array, offset),
        };
        let layout = Layout { kind, validity, offset, len };
        layout.has_buffers().then_some(layout).ok_or_else(|| broken("a buffer is missing"))
    }

    /// Whether the buffers are there that a column that is not empty must have.
    fn has_buffers(&self) -> bool {
        let is_there = |pointer: *const u8| !pointer.is_null() || self.len == 0;
        match &self.kind {
            Kind::Null => true,
            Kind::Small { offsets, .. } => is_there(offsets.cast()),
            Kind::Large { offsets, .. } => is_there(offsets.cast()),
            Kind::View { views, .. } => is_there(views.cast()),
            Kind::Fixed { width, bytes } => *width == 0 || is_there(*bytes),
            // Asked when they were read.
            Kind::Dictionary { .. } | Kind::Runs { .. } => true,
        }
    }

    /// Whether its type says that it is UTF-8.
    fn is_text(schema: &Schema) -> bool {
        match schema.dictionary() {
            Some(values) => Layout::is_text(values),
            None if schema.format() == "+r" => {
                schema.children().get(1).is_some_and(|values| Layout::is_text(values))
            }
            None => matches!(schema.format(), "u" | "U" | "vu" | "n"),
        }
    }

    /// The value there; `None` if it is null.
    fn get(&self, at: usize) -> Option<&[u8]> {
        if at >= self.len || !self.validity.is_valid(at) {
            return None;
        }
        let place = self.offset + at;
        match &self.kind {
            Kind::Null => None,
            // SAFETY: there is one more offset than values.
            Kind::Small { offsets, bytes, held } => unsafe {
                let ends =
                    (offsets.add(place).read_unaligned(), offsets.add(place + 1).read_unaligned());
                lent(*bytes, i64::from(ends.0), i64::from(ends.1), *held)
            },
            // SAFETY: as above.
            Kind::Large { offsets, bytes, held } => unsafe {
                let ends =
                    (offsets.add(place).read_unaligned(), offsets.add(place + 1).read_unaligned());
                lent(*bytes, ends.0, ends.1, *held)
            },
            Kind::View { views, buffers } => {
                // SAFETY: there is a view for each value.
                let view = unsafe { &*views.add(place) };
                let word = |at: usize| {
                    i32::from_le_bytes([view[at], view[at + 1], view[at + 2], view[at + 3]])
                };
                let len = usize::try_from(word(0)).ok()?;
                if len <= 12 {
                    return view.get(4..4 + len);
                }
                let (bytes, held) = *buffers.get(usize::try_from(word(8)).ok()?)?;
                let start = usize::try_from(word(12)).ok()?;
                // SAFETY: the bytes are in the buffer, whose length is reported.
                (start.checked_add(len)? <= held)
                    .then(|| unsafe { slice::from_raw_parts(bytes.add(start), len) })
            }
            Kind::Fixed { width: 0, .. } => Some(&[]),
            Kind::Fixed { width, bytes } => {
                // SAFETY: there are so many bytes for each value.
                Some(unsafe { slice::from_raw_parts(bytes.add(place * width), *width) })
            }
            Kind::Dictionary { keys, values } => values.get(keys.get(place)?),
            Kind::Runs { ends, values } => {
                let (mut low, mut high) = (0, ends.len);
                while low < high {
                    let middle = low.midpoint(high);
                    match ends.get(middle)? <= place {
                        true => low = middle + 1,
                        false => high = middle,
                    }
                }
                values.get(low)
            }
        }
    }
}

/// The bytes of a value, if its offsets can be.
///
/// # Safety
///
/// There are `held` bytes at `bytes`.
unsafe fn lent<'a>(bytes: *const u8, start: i64, end: i64, held: i64) -> Option<&'a [u8]> {
    if end > held {
        return None;
    }
    let (start, end) = (usize::try_from(start).ok()?, usize::try_from(end).ok()?);
    match end.checked_sub(start)? {
        0 => Some(&[]),
        _ if bytes.is_null() => None,
        // SAFETY: by the contract of this function.
        len => Some(unsafe { slice::from_raw_parts(bytes.add(start), len) }),
    }
}

/// The buffers that views are of: all between the second and the last, which has their lengths.
fn view_buffers(array: &Array) -> Result<Vec<(*const u8, usize)>, PyErr> {
    let count = size(array.n_buffers.saturating_sub(3), "views have no lengths")?;
    let lengths: *const i64 = array.buffer(count + 2).cast();
    let one = |number: usize| {
        // SAFETY: the last buffer has the length of each.
        let length = unsafe { lengths.add(number).read_unaligned() };
        Ok((array.buffer(number + 2).cast(), size(length, "a negative length")?))
    };
    match lengths.is_null() && count > 0 {
        true => Err(broken("views have no lengths")),
        false => (0..count).map(one).collect(),
    }
}

fn no_text(schema: &Schema) -> PyErr {
    let (name, format) = (schema.name(), schema.format());
    PyTypeError::new_err(format!(
        "the column {name:?} contains neither text nor bytes: its Arrow format is {format:?}"
    ))
}

impl Cells {
    /// The cells of a chunk: of the column of this name, if it is a table's.
    pub(crate) fn of(chunk: &Arc<Chunk>, column: Option<&str>) -> Result<Cells, PyErr> {
        let keep = Arc::clone(chunk);
        match &**chunk {
            Chunk::Own { texts, is_text } => {
                let (Column::Text { offsets, bytes, nulls }, None) = (texts, column) else {
                    return Err(PyTypeError::new_err("expected columns, not values"));
                };
                let bits = nulls.bits().map_or(ptr::null(), <[u8]>::as_ptr);
                let held = bytes.len() as i64;
                let kind = Kind::Small { offsets: offsets.as_ptr(), bytes: bytes.as_ptr(), held };
                let validity = Validity { bits, offset: 0 };
                let cells = Layout { kind, validity, offset: 0, len: texts.len() };
                let len = texts.len();
                Ok(Cells { cells, outer: None, len, is_text: *is_text, _keep: keep })
            }
            Chunk::Foreign { schema, array } => Cells::foreign(schema, array, column, keep),
        }
    }

    fn foreign(
        schema: &Schema,
        array: &Array,
        column: Option<&str>,
        keep: Arc<Chunk>,
    ) -> Result<Cells, PyErr> {
        if schema.format() != "+s" {
            if let Some(column) = column {
                let text = format!("unknown column {column:?}: the data is a single column");
                return Err(PyTypeError::new_err(text));
            }
            let cells = Layout::of(schema, array)?;
            let (len, is_text) = (cells.len, Layout::is_text(schema));
            return Ok(Cells { cells, outer: None, len, is_text, _keep: keep });
        }
        let number = number(schema, column)?;
        let (Some(inner), Some(values)) =
            (schema.children().get(number).copied(), array.children().get(number).copied())
        else {
            return Err(broken("a column is missing"));
        };
        let offset = size(array.offset, "a negative offset")?;
        let len = size(array.length, "a negative length")?;
        let mut cells = Layout::of(inner, values)?;
        if offset.checked_add(len).is_none_or(|end| end > cells.len) {
            return Err(broken("a column is shorter than its table"));
        }
        // The struct's own offset is in front of its columns'.
        cells.offset += offset;
        cells.validity.offset += offset;
        cells.len = len;
        let outer = Some(Validity::of(array, offset));
        Ok(Cells { cells, outer, len, is_text: Layout::is_text(inner), _keep: keep })
    }

    /// The value there; `None` if it is null.
    pub(crate) fn get(&self, at: usize) -> Option<&[u8]> {
        match &self.outer {
            Some(outer) if !outer.is_valid(at) => None,
            _ => self.cells.get(at),
        }
    }
}

/// The number of a table's column: of the one with this name, or of the only one.
fn number(schema: &Schema, column: Option<&str>) -> Result<usize, PyErr> {
    let names: Vec<_> = schema.children().iter().map(|child| child.name()).collect();
    match column {
        Some(column) => names.iter().position(|name| *name == column).ok_or_else(|| {
            let text = format!("unknown column {column:?}: expected one of {}", names.join(", "));
            PyValueError::new_err(text)
        }),
        None if names.len() == 1 => Ok(0),
        None => {
            let text = format!("a column name is required: expected one of {}", names.join(", "));
            Err(PyValueError::new_err(text))
        }
    }
}

/// Whether a table has a column of this name.
pub(crate) fn has_column(chunk: &Chunk, name: &str) -> bool {
    match chunk {
        Chunk::Own { .. } => false,
        Chunk::Foreign { schema, .. } => {
            schema.format() == "+s" && schema.children().iter().any(|child| child.name() == name)
        }
    }
}
