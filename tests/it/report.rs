//! Records and serde.

mod serial;
