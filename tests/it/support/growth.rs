//! How the time grows with the size of what takes it.
//!
//! An input is taken against one eight times as long, on the processor time of this thread, and the
//! growth is judged, never the time. One that seems to curve is measured again, and the least counts.

use std::hint::black_box;
use std::time::{Duration, Instant};

use super::clock::clock;

/// The longer input is so many times as long.
pub(crate) const TIMES: usize = 8;
/// Time grows with this power of the size at most. A quadratic step grows with 2; caches and a machine
/// that other programs use have made up to 1.35 of a linear one. `benches/growth` counts instructions,
/// and has a closer limit.
const LINEAR: f64 = 1.5;
/// Seconds at one size after which the next is not tried.
const LONG: f64 = 0.2;

/// The least time of a few runs, more of them when they are short.
fn seconds<T: ?Sized>(input: &T, run: &impl Fn(&T)) -> f64 {
    let begin = Instant::now();
    let mut least = f64::INFINITY;
    for turn in 0..20 {
        if turn >= 2 && begin.elapsed() > Duration::from_millis(2) {
            break;
        }
        let start = clock();
        run(black_box(input));
        least = least.min(clock() - start);
    }
    // A clock that stands still must not divide by nothing.
    least.max(1e-7)
}

/// The power of the size that the time of `run` grows with from `small` on, for inputs that `make` makes
/// of a size, if it is not linear three times in a row, nor at sizes further up: a buffer that is full
/// for the first time is a step, which quadratic time is not.
pub(crate) fn curved<O, T>(small: usize, make: impl Fn(usize) -> O, run: impl Fn(&T)) -> Option<f64>
where
    O: std::borrow::Borrow<T>,
    T: ?Sized,
{
    let mut least = f64::INFINITY;
    for size in [small, small, small, small * TIMES, small * TIMES * TIMES] {
        let before = seconds(make(size).borrow(), &run);
        let time = seconds(make(size * TIMES).borrow(), &run);
        least = least.min((time / before).ln() / (TIMES as f64).ln());
        if least <= LINEAR {
            return None;
        }
        // Were it quadratic, the next size would take too long.
        if size > small && time > LONG {
            break;
        }
    }
    Some(least)
}
