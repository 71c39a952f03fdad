//! The net over all code paths that a document can come by, to the library and to the command.

mod net;
mod odd;
mod ways;
