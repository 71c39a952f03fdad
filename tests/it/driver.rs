//! Memory and streams: any reads, any pauses, any budget give the links of the whole.

mod feed;
mod pauses;
mod rescan;
mod streams;
mod within;
