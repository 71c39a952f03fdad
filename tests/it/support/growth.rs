//! How the time grows with the size of what takes it.
//!
//! An input is taken against one eight times as long, on the processor time of this thread, and the
//! growth is judged, never the time. One that seems to curve is measured again, with more runs, and the least
//! counts.

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

/// The least time of `least` to `most` runs, more of them when they are short.
fn seconds<T: ?Sized>(input: &T, run: &impl Fn(&T), least: usize, most: usize) -> f64 {
    let begin = Instant::now();
    let mut shortest = f64::INFINITY;
    for turn in 0..most {
        if turn >= least && begin.elapsed() > Duration::from_millis(2) {
            break;
        }
        let start = clock();
        run(black_box(input));
        shortest = shortest.min(clock() - start);
    }
    // A clock that stands still must not divide by nothing.
    shortest.max(1e-7)
}

/// The power of the size that the time of `run` grows with from `size` on, by a quick measure or by a careful one.
fn power<O, T>(
    size: usize,
    make: &impl Fn(usize) -> O,
    run: &impl Fn(&T),
    is_quick: bool,
) -> (f64, f64)
where
    O: std::borrow::Borrow<T>,
    T: ?Sized,
{
    // Nothing makes a run shorter than it is. One long run is enough to see that the time is linear, if the short one
    // it is compared with is not a first run alone, whose caches are cold.
    let (short, long) = if is_quick { ((3, 4), (1, 1)) } else { ((2, 20), (2, 20)) };
    let before = seconds(make(size).borrow(), run, short.0, short.1);
    let time = seconds(make(size * TIMES).borrow(), run, long.0, long.1);
    ((time / before).ln() / (TIMES as f64).ln(), time)
}

/// The power of the size that the time of `run` grows with from `small` on, for inputs that `make` makes
/// of a size, if it is not linear three times in a row, nor at sizes further up: a buffer that is full
/// for the first time is a step, which quadratic time is not.
pub(crate) fn curved<O, T>(small: usize, make: impl Fn(usize) -> O, run: impl Fn(&T)) -> Option<f64>
where
    O: std::borrow::Borrow<T>,
    T: ?Sized,
{
    if power(small, &make, &run, true).0 <= LINEAR {
        return None;
    }
    let mut least = f64::INFINITY;
    for size in [small, small, small, small * TIMES, small * TIMES * TIMES] {
        let (power, time) = power(size, &make, &run, false);
        least = least.min(power);
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
