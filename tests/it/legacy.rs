//! What the tests of charsets share: encodings' names, documents made in them, the routes they go.

pub(crate) mod ascii;
pub(crate) mod marked;
pub(crate) mod names;
pub(crate) mod plain;
pub(crate) mod routes;
