//! The Arrow C data and stream interfaces: structs that are handed over between libraries, and who
//! releases them.
//!
//! The layout is that of <https://arrow.apache.org/docs/format/CDataInterface.html>. A struct whose `release`
//! is null holds nothing; one that holds something releases it when it is dropped.
#![allow(unsafe_code, reason = "structs of another language")]

use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr;

use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

#[repr(C)]
pub(crate) struct Schema {
    pub(crate) format: *const c_char,
    pub(crate) name: *const c_char,
    pub(crate) metadata: *const c_char,
    pub(crate) flags: i64,
    pub(crate) n_children: i64,
    pub(crate) children: *mut *mut Schema,
    pub(crate) dictionary: *mut Schema,
    pub(crate) release: Option<unsafe extern "C" fn(*mut Schema)>,
    pub(crate) private: *mut c_void,
}

#[repr(C)]
pub(crate) struct Array {
    pub(crate) length: i64,
    pub(crate) null_count: i64,
    pub(crate) offset: i64,
    pub(crate) n_buffers: i64,
    pub(crate) n_children: i64,
    pub(crate) buffers: *mut *const c_void,
    pub(crate) children: *mut *mut Array,
    pub(crate) dictionary: *mut Array,
    pub(crate) release: Option<unsafe extern "C" fn(*mut Array)>,
    pub(crate) private: *mut c_void,
}

#[repr(C)]
pub(crate) struct Stream {
    pub(crate) get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int>,
    pub(crate) get_next: Option<unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int>,
    pub(crate) get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    pub(crate) release: Option<unsafe extern "C" fn(*mut Stream)>,
    pub(crate) private: *mut c_void,
}

/// A struct of the interface.
pub(crate) trait Released: Sized {
    /// The name of its capsules.
    const CAPSULE: &'static CStr;

    /// One that holds nothing.
    fn empty() -> Self;

    fn is_empty(&self) -> bool;
}

macro_rules! released {
    ($Struct:ident, $capsule:literal) => {
        impl Released for $Struct {
            const CAPSULE: &'static CStr = $capsule;

            fn empty() -> Self {
                // SAFETY: null pointers, zeros and absent functions are values of all its fields.
                unsafe { std::mem::zeroed() }
            }

            fn is_empty(&self) -> bool {
                self.release.is_none()
            }
        }

        impl Drop for $Struct {
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: it was not released yet, and is not used again.
                    unsafe { release(self) }
                }
            }
        }

        // SAFETY: the interface lets a struct be moved to, and released on, any thread.
        unsafe impl Send for $Struct {}
    };
}

released!(Schema, c"arrow_schema");
released!(Array, c"arrow_array");
released!(Stream, c"arrow_array_stream");

// SAFETY: what a schema or an array points to is not written before it is released.
unsafe impl Sync for Schema {}
// SAFETY: as above.
unsafe impl Sync for Array {}

/// Takes what is in a capsule; the capsule holds nothing then.
pub(crate) fn take<T: Released>(capsule: &Bound<'_, PyAny>) -> PyResult<T> {
    let capsule = capsule
        .cast::<PyCapsule>()
        .map_err(|_| PyTypeError::new_err("an Arrow method did not return a capsule"))?;
    let pointer = capsule.pointer_checked(Some(T::CAPSULE))?.cast::<T>();
    // SAFETY: a capsule of this name holds a struct of this type, and we have the interpreter's lock.
    let taken = unsafe { ptr::replace(pointer.as_ptr(), T::empty()) };
    match taken.is_empty() {
        true => Err(PyRuntimeError::new_err("the Arrow data has already been consumed")),
        false => Ok(taken),
    }
}

/// A capsule that hands it over.
pub(crate) fn give<T: Released + Send + 'static>(
    py: Python<'_>,
    value: T,
) -> PyResult<Bound<'_, PyCapsule>> {
    PyCapsule::new_with_value(py, value, T::CAPSULE)
}

impl Schema {
    pub(crate) fn format(&self) -> &str {
        // SAFETY: the format of a schema that is not released is a C string.
        let text = (!self.format.is_null()).then(|| unsafe { CStr::from_ptr(self.format) });
        text.and_then(|text| text.to_str().ok()).unwrap_or_default()
    }

    pub(crate) fn name(&self) -> &str {
        // SAFETY: the name of a schema that is not released is a C string or null.
        let text = (!self.name.is_null()).then(|| unsafe { CStr::from_ptr(self.name) });
        text.and_then(|text| text.to_str().ok()).unwrap_or_default()
    }

    pub(crate) fn children(&self) -> Vec<&Schema> {
        // SAFETY: a schema that is not released has as many children as it says.
        unsafe { pointed(self.children, self.n_children) }
    }

    pub(crate) fn dictionary(&self) -> Option<&Schema> {
        // SAFETY: null, or a schema that is released with this one.
        unsafe { self.dictionary.as_ref() }
    }
}

impl Array {
    pub(crate) fn children(&self) -> Vec<&Array> {
        // SAFETY: an array that is not released has as many children as it says.
        unsafe { pointed(self.children, self.n_children) }
    }

    pub(crate) fn dictionary(&self) -> Option<&Array> {
        // SAFETY: null, or an array that is released with this one.
        unsafe { self.dictionary.as_ref() }
    }

    /// The buffer of this number; null if there is none.
    pub(crate) fn buffer(&self, number: usize) -> *const c_void {
        match self.buffers.is_null() || number as i64 >= self.n_buffers {
            true => ptr::null(),
            // SAFETY: it has as many buffers as it says.
            false => unsafe { *self.buffers.add(number) },
        }
    }
}

/// What `count` pointers point to.
///
/// # Safety
///
/// There are `count` pointers at `pointers`, each to a value that lives as long as `'a`.
unsafe fn pointed<'a, T>(pointers: *mut *mut T, count: i64) -> Vec<&'a T> {
    let count = if pointers.is_null() { 0 } else { usize::try_from(count).unwrap_or(0) };
    // SAFETY: by the contract of this function.
    (0..count).filter_map(|at| unsafe { (*pointers.add(at)).as_ref() }).collect()
}

impl Stream {
    /// The schema of its arrays.
    pub(crate) fn schema(&mut self) -> Result<Schema, String> {
        let mut schema = Schema::empty();
        let Some(get) = self.get_schema else { return Err("no schema".to_owned()) };
        // SAFETY: the stream was not released, and there is room for a schema.
        match unsafe { get(self, &mut schema) } {
            0 => Ok(schema),
            code => Err(self.error(code)),
        }
    }

    /// Its next array; `None` at the end.
    pub(crate) fn next(&mut self) -> Result<Option<Array>, String> {
        let mut array = Array::empty();
        let Some(get) = self.get_next else { return Ok(None) };
        // SAFETY: the stream was not released, and there is room for an array.
        match unsafe { get(self, &mut array) } {
            0 => Ok((!array.is_empty()).then_some(array)),
            code => Err(self.error(code)),
        }
    }

    fn error(&mut self, code: c_int) -> String {
        let get = self.get_last_error;
        // SAFETY: the last call of the stream failed, and it was not released.
        let text = get.map_or(ptr::null(), |get| unsafe { get(self) });
        match text.is_null() {
            true => format!("error {code}"),
            // SAFETY: a C string that lives until the stream's next call.
            false => unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned(),
        }
    }
}
