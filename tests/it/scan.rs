//! Running text: cases, references, terminal sequences, hostile texts.

mod colours;
mod hostile;
mod reference;
mod text;
