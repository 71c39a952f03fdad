//! Counts the bytes of a decoder, and ends it where the limits are exceeded.

use std::io::{self, Read};
use std::sync::Arc;

use super::budget::Budget;
use super::codec::PositionedDecoder;
use super::fault::{Fault, FaultCode, LateFault, told};
use super::limits::Limits;

/// A decoder whose output is counted.
pub(super) struct Metered<'d> {
    pub(super) decoder: Box<dyn PositionedDecoder + 'd>,
    pub(super) given: u64,
    pub(super) stored: Option<u64>,
    pub(super) limits: Limits,
    pub(super) budget: Arc<Budget>,
    pub(super) late: LateFault,
    pub(super) failed: bool,
}

impl Read for Metered<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.failed {
            return Err(told());
        }
        if self.late.is_set() {
            return Ok(0);
        }
        let read = self.late.keep(self.decoder.read(to))?;
        self.given += read as u64;
        let most = self.limits.of_member(self.stored.unwrap_or_else(|| self.decoder.at()));
        let is_in_budget = self.budget.spend(read as u64);
        if self.given > most || !is_in_budget {
            self.failed = true;
            let reason = match is_in_budget {
                false => "the input expands to too many bytes (--max-expansion)".to_owned(),
                true => format!("expands to more than {most} bytes (--max-expansion)"),
            };
            return Err(Fault::new(FaultCode::Expansion, self.decoder.at(), reason).into());
        }
        Ok(read)
    }
}
