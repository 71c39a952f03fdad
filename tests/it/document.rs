//! Documents by the one general path, and strings of UTF-16 in what is not text.

#[cfg(all(feature = "office", feature = "pdf"))]
mod binary_cases;
#[cfg(all(feature = "office", feature = "files"))]
mod large_store;
#[cfg(feature = "office")]
mod office;
mod one_route;
mod wide;
