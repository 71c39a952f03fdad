//! Documents by the one general path, and strings of UTF-16 in what is not text.

mod binary_cases;
mod large_store;
mod office;
mod one_route;
mod wide;
