//! Compressed files and archives, made by generators of our own, through the public API.

#![cfg(feature = "archives")]

mod compressed;
mod run;
mod tars;
mod warcs;
mod zips;
