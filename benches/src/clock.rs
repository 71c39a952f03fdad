//! The clock of the benches: the processor time of this thread.
//!
//! Contenders neither wait nor start threads, so on an idle machine it is what a wall clock says; on a
//! machine that others use it leaves out the time in which they ran.

use std::time::Duration;

/// Seconds that `run` takes.
pub fn seconds(run: impl FnOnce()) -> f64 {
    let start = now();
    run();
    (now() - start).as_secs_f64()
}

#[cfg(unix)]
fn now() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec.unsigned_abs(), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Elsewhere the wall clock has to do.
#[cfg(not(unix))]
fn now() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}
