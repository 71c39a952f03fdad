//! The slow check, over the markup of a folder.
