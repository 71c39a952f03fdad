//! Columns that leave: their buffers are lent, not copied, and live until the last borrower lets them go.
#![allow(unsafe_code, reason = "the release functions of structs of another language")]

use std::any::Any;
use std::ffi::{CString, c_char, c_int, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::sync::Arc;

use super::abi::{Array, Released, Schema, Stream};
use super::column::{Column, Named, Nulls, Type};

const NULLABLE: i64 = 2;

/// What keeps the buffers of an array alive.
type Owner = Arc<dyn Any + Send + Sync>;

/// The schema of a column.
pub(crate) fn schema(column: &Named) -> Schema {
    let (format, children) = match &column.kind {
        Type::Integer => (c"l", Vec::new()),
        Type::Flag => (c"b", Vec::new()),
        Type::Text => (c"u", Vec::new()),
        Type::List(item) => (c"+l", vec![schema(item)]),
        Type::Struct(fields) => (c"+s", fields.iter().map(schema).collect()),
    };
    let children = children.into_iter().map(|child| Box::into_raw(Box::new(child))).collect();
    let name = CString::new(column.name).unwrap_or_default();
    let mut held = Box::new(HeldSchema { name, children });
    let mut schema = Schema::empty();
    schema.format = format.as_ptr();
    schema.name = held.name.as_ptr();
    schema.flags = if column.is_nullable { NULLABLE } else { 0 };
    schema.n_children = held.children.len() as i64;
    schema.children = held.children.as_mut_ptr();
    schema.private = Box::into_raw(held).cast();
    schema.release = Some(release_schema);
    schema
}

struct HeldSchema {
    name: CString,
    children: Vec<*mut Schema>,
}

unsafe extern "C" fn release_schema(schema: *mut Schema) {
    // SAFETY: it is one that `schema` made, and that was not released.
    let schema = unsafe { &mut *schema };
    // SAFETY: `private` came from a box of this type.
    let held = unsafe { Box::from_raw(schema.private.cast::<HeldSchema>()) };
    for &child in &held.children {
        // SAFETY: it came from a box; dropping it releases it, if nobody took it.
        drop(unsafe { Box::from_raw(child) });
    }
    schema.release = None;
}

struct HeldArray {
    _owner: Owner,
    buffers: Vec<*const c_void>,
    children: Vec<*mut Array>,
}

/// A column as an array; `owner` is what it is a part of.
pub(crate) fn array(column: &Column, owner: &Owner) -> Array {
    fn bits(nulls: &Nulls) -> *const c_void {
        nulls.bits().map_or(ptr::null(), |bits| bits.as_ptr().cast())
    }
    let (buffers, children, nulls) = match column {
        Column::Integer { values, nulls } => {
            (vec![bits(nulls), values.as_ptr().cast()], Vec::new(), nulls.count())
        }
        Column::Flag { values, nulls } => {
            (vec![bits(nulls), values.bytes().as_ptr().cast()], Vec::new(), nulls.count())
        }
        Column::Text { offsets, bytes, nulls } => {
            let buffers = vec![bits(nulls), offsets.as_ptr().cast(), bytes.as_ptr().cast()];
            (buffers, Vec::new(), nulls.count())
        }
        Column::List { offsets, child, nulls } => {
            let buffers = vec![bits(nulls), offsets.as_ptr().cast()];
            (buffers, vec![array(child, owner)], nulls.count())
        }
        Column::Struct { children, .. } => {
            let children = children.iter().map(|child| array(child, owner)).collect();
            (vec![ptr::null()], children, 0)
        }
    };
    let children = children.into_iter().map(|child| Box::into_raw(Box::new(child))).collect();
    let mut held = Box::new(HeldArray { _owner: Arc::clone(owner), buffers, children });
    let mut array = Array::empty();
    array.length = column.len() as i64;
    array.null_count = nulls as i64;
    array.n_buffers = held.buffers.len() as i64;
    array.n_children = held.children.len() as i64;
    array.buffers = held.buffers.as_mut_ptr();
    array.children = held.children.as_mut_ptr();
    array.private = Box::into_raw(held).cast();
    array.release = Some(release_array);
    array
}

unsafe extern "C" fn release_array(array: *mut Array) {
    // SAFETY: it is one that `array` made, and that was not released.
    let array = unsafe { &mut *array };
    // SAFETY: `private` came from a box of this type.
    let held = unsafe { Box::from_raw(array.private.cast::<HeldArray>()) };
    for &child in &held.children {
        // SAFETY: it came from a box; dropping it releases it, if nobody took it.
        drop(unsafe { Box::from_raw(child) });
    }
    array.release = None;
}

/// What a stream gives: the next array, `None` at the end, or what is wrong.
pub(crate) type Next = Box<dyn FnMut() -> Result<Option<Array>, String> + Send>;

struct HeldStream {
    column: Named,
    next: Next,
    error: CString,
}

/// A stream of arrays of this type.
pub(crate) fn stream(column: Named, next: Next) -> Stream {
    let held = Box::new(HeldStream { column, next, error: CString::default() });
    let mut stream = Stream::empty();
    stream.get_schema = Some(get_schema);
    stream.get_next = Some(get_next);
    stream.get_last_error = Some(get_last_error);
    stream.private = Box::into_raw(held).cast();
    stream.release = Some(release_stream);
    stream
}

/// EIO.
const FAILED: c_int = 5;

/// What a stream is made of.
///
/// # Safety
///
/// `stream` was made by [`stream`] and not released.
unsafe fn held<'a>(stream: *mut Stream) -> &'a mut HeldStream {
    // SAFETY: `private` came from a box of this type.
    unsafe { &mut *(*stream).private.cast() }
}

unsafe extern "C" fn get_schema(stream: *mut Stream, out: *mut Schema) -> c_int {
    // SAFETY: by the interface the stream is ours, and `out` is room for a schema.
    unsafe { out.write(schema(&held(stream).column)) };
    0
}

unsafe extern "C" fn get_next(stream: *mut Stream, out: *mut Array) -> c_int {
    // SAFETY: by the interface the stream is ours.
    let held = unsafe { held(stream) };
    let next = catch_unwind(AssertUnwindSafe(|| (held.next)()));
    let next = next.unwrap_or_else(|_| Err("a defect of linksift".to_owned()));
    match next {
        Ok(array) => {
            // SAFETY: by the interface it is room for an array.
            unsafe { out.write(array.unwrap_or_else(Array::empty)) };
            0
        }
        Err(error) => {
            held.error = CString::new(error.replace('\0', "\u{FFFD}")).unwrap_or_default();
            FAILED
        }
    }
}

unsafe extern "C" fn get_last_error(stream: *mut Stream) -> *const c_char {
    // SAFETY: by the interface the stream is ours.
    unsafe { held(stream) }.error.as_ptr()
}

unsafe extern "C" fn release_stream(stream: *mut Stream) {
    // SAFETY: by the interface the stream is ours and was not released.
    let stream = unsafe { &mut *stream };
    // SAFETY: `private` came from a box of this type.
    drop(unsafe { Box::from_raw(stream.private.cast::<HeldStream>()) });
    stream.release = None;
}
