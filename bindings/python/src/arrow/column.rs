//! Columns as they grow: the buffers of Arrow's layouts, which leave as they are.

use super::Overflow;

/// The type of a column.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Type {
    /// Signed, of 64 bits: Spark knows no others.
    Integer,
    /// A bit for each value.
    Flag,
    /// UTF-8, with offsets of 32 bits.
    Text,
    List(Box<Named>),
    Struct(Vec<Named>),
}

/// A column's name and type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Named {
    pub(crate) name: &'static str,
    pub(crate) kind: Type,
    pub(crate) is_nullable: bool,
}

impl Named {
    pub(crate) fn new(name: &'static str, kind: Type, is_nullable: bool) -> Named {
        Named { name, kind, is_nullable }
    }
}

/// A column of any type.
#[derive(Debug)]
pub(crate) enum Column {
    Integer { values: Vec<i64>, nulls: Nulls },
    Flag { values: Bits, nulls: Nulls },
    Text { offsets: Vec<i32>, bytes: Vec<u8>, nulls: Nulls },
    List { offsets: Vec<i32>, child: Box<Column>, nulls: Nulls },
    Struct { children: Vec<Column>, len: usize },
}

/// Values of one bit each, the lowest first.
#[derive(Debug, Default)]
pub(crate) struct Bits {
    bytes: Vec<u8>,
    len: usize,
}

impl Bits {
    fn push(&mut self, is_set: bool) {
        if self.len.is_multiple_of(8) {
            self.bytes.push(0);
        }
        self.bytes[self.len / 8] |= u8::from(is_set) << (self.len % 8);
        self.len += 1;
    }

    fn append(&mut self, later: &Bits) {
        (0..later.len).for_each(|at| self.push(later.get(at)));
    }

    pub(crate) fn get(&self, at: usize) -> bool {
        self.bytes[at / 8] & 1 << (at % 8) != 0
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Which values of a column are there.
#[derive(Debug, Default)]
pub(crate) struct Nulls {
    /// A bit for each value, once one is null.
    bits: Vec<u8>,
    len: usize,
    count: usize,
}

impl Nulls {
    pub(crate) fn push(&mut self, is_valid: bool) {
        if !is_valid && self.count == 0 {
            self.bits = vec![0xFF; self.len / 8 + 1];
        }
        self.count += usize::from(!is_valid);
        if self.count > 0 {
            if self.bits.len() <= self.len / 8 {
                self.bits.push(0xFF);
            }
            if !is_valid {
                self.bits[self.len / 8] &= !(1 << (self.len % 8));
            }
        }
        self.len += 1;
    }

    fn append(&mut self, later: &Nulls) {
        match self.count + later.count {
            0 => self.len += later.len,
            _ => (0..later.len).for_each(|at| self.push(later.is_valid(at))),
        }
    }

    pub(crate) fn is_valid(&self, at: usize) -> bool {
        self.count == 0 || self.bits[at / 8] & 1 << (at % 8) != 0
    }

    pub(crate) fn count(&self) -> usize {
        self.count
    }

    /// The bits, if a value is null.
    pub(crate) fn bits(&self) -> Option<&[u8]> {
        (self.count > 0).then_some(&self.bits)
    }
}

/// An offset of 32 bits.
fn offset(at: usize) -> Result<i32, Overflow> {
    i32::try_from(at).map_err(|_| Overflow)
}

impl Column {
    pub(crate) fn new(kind: &Type) -> Column {
        match kind {
            Type::Integer => Column::Integer { values: Vec::new(), nulls: Nulls::default() },
            Type::Flag => Column::Flag { values: Bits::default(), nulls: Nulls::default() },
            Type::Text => {
                Column::Text { offsets: vec![0], bytes: Vec::new(), nulls: Nulls::default() }
            }
            Type::List(item) => Column::List {
                offsets: vec![0],
                child: Box::new(Column::new(&item.kind)),
                nulls: Nulls::default(),
            },
            Type::Struct(fields) => Column::Struct {
                children: fields.iter().map(|field| Column::new(&field.kind)).collect(),
                len: 0,
            },
        }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Column::Integer { nulls, .. }
            | Column::Flag { nulls, .. }
            | Column::Text { nulls, .. }
            | Column::List { nulls, .. } => nulls.len,
            Column::Struct { len, .. } => *len,
        }
    }

    /// About how many bytes it has.
    pub(crate) fn size(&self) -> usize {
        match self {
            Column::Integer { values, .. } => 8 * values.len(),
            Column::Flag { values, .. } => values.bytes.len(),
            Column::Text { offsets, bytes, .. } => 4 * offsets.len() + bytes.len(),
            Column::List { offsets, child, .. } => 4 * offsets.len() + child.size(),
            Column::Struct { children, .. } => children.iter().map(Column::size).sum(),
        }
    }

    pub(crate) fn push_integer(&mut self, value: Option<u64>) {
        if let Column::Integer { values, nulls } = self {
            values.push(value.map_or(0, |value| i64::try_from(value).unwrap_or(i64::MAX)));
            nulls.push(value.is_some());
        }
    }

    pub(crate) fn push_flag(&mut self, value: Option<bool>) {
        if let Column::Flag { values, nulls } = self {
            values.push(value.unwrap_or_default());
            nulls.push(value.is_some());
        }
    }

    pub(crate) fn push_text(&mut self, value: Option<&str>) -> Result<(), Overflow> {
        self.push_bytes(value.map(str::as_bytes))
    }

    pub(crate) fn push_bytes(&mut self, value: Option<&[u8]>) -> Result<(), Overflow> {
        if let Column::Text { offsets, bytes, nulls } = self {
            let value_bytes = value.unwrap_or_default();
            let end = offset(bytes.len() + value_bytes.len())?;
            bytes.extend_from_slice(value_bytes);
            offsets.push(end);
            nulls.push(value.is_some());
        }
        Ok(())
    }

    /// Ends a list, whose items were pushed to [`child`](Column::child).
    pub(crate) fn push_list(&mut self, is_valid: bool) -> Result<(), Overflow> {
        if let Column::List { offsets, child, nulls } = self {
            offsets.push(offset(child.len())?);
            nulls.push(is_valid);
        }
        Ok(())
    }

    /// Makes lists of all items at once, by where each ends and whether it is one. There are fewer items than
    /// offsets can count: their texts have more.
    pub(crate) fn set_lists(&mut self, items: Column, ends: impl Iterator<Item = (usize, bool)>) {
        if let Column::List { offsets, child, nulls } = self {
            **child = items;
            for (end, is_valid) in ends {
                offsets.push(i32::try_from(end).unwrap_or(i32::MAX));
                nulls.push(is_valid);
            }
        }
    }

    /// Ends a struct, whose values were pushed to its children.
    pub(crate) fn push_struct(&mut self) {
        if let Column::Struct { len, .. } = self {
            *len += 1;
        }
    }

    /// The items of a list.
    pub(crate) fn child(&mut self) -> &mut Column {
        match self {
            Column::List { child, .. } => child,
            other => other,
        }
    }

    /// The columns of a struct.
    pub(crate) fn children(&mut self) -> &mut [Column] {
        match self {
            Column::Struct { children, .. } => children,
            _ => &mut [],
        }
    }

    /// Puts what is in `later`, which is of the same type, after what is here.
    pub(crate) fn append(&mut self, later: &Column) -> Result<(), Overflow> {
        match (self, later) {
            (Column::Integer { values, nulls }, Column::Integer { values: more, nulls: other }) => {
                values.extend_from_slice(more);
                nulls.append(other);
            }
            (Column::Flag { values, nulls }, Column::Flag { values: more, nulls: other }) => {
                values.append(more);
                nulls.append(other);
            }
            (
                Column::Text { offsets, bytes, nulls },
                Column::Text { offsets: ends, bytes: more, nulls: other },
            ) => {
                let base = offset(bytes.len())?;
                offset(bytes.len() + more.len())?;
                offsets.extend(ends[1..].iter().map(|end| base + end));
                bytes.extend_from_slice(more);
                nulls.append(other);
            }
            (
                Column::List { offsets, child, nulls },
                Column::List { offsets: ends, child: more, nulls: other },
            ) => {
                let base = offset(child.len())?;
                offset(child.len() + more.len())?;
                offsets.extend(ends[1..].iter().map(|end| base + end));
                child.append(more)?;
                nulls.append(other);
            }
            (Column::Struct { children, len }, Column::Struct { children: others, len: more }) => {
                for (child, other) in children.iter_mut().zip(others) {
                    child.append(other)?;
                }
                *len += more;
            }
            _ => {}
        }
        Ok(())
    }
}
