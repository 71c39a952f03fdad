//! Running text: cases, references, terminal sequences, hostile texts.

#[cfg(feature = "report")]
mod colours;
mod hostile;
mod reference;
mod text;
