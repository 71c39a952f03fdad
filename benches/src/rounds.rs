//! Timing: contenders take turns round by round, after one round that is not counted.

use std::time::{Duration, Instant};

use crate::clock;
use crate::contenders::{Contender, Found};

/// How long to go on.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Never fewer rounds than this.
    pub at_least: usize,
    /// No new round once this much time has gone.
    pub time: Duration,
}

/// The rounds of one contender.
pub struct Rounds {
    pub found: Found,
    /// Seconds, one for each round.
    pub seconds: Vec<f64>,
}

impl Rounds {
    pub fn median(&self) -> f64 {
        median(self.seconds.clone())
    }

    pub fn min(&self) -> f64 {
        self.seconds.iter().copied().fold(f64::INFINITY, f64::min)
    }

    /// How many times as fast as `peer` this is: the median of the ratios of each round.
    pub fn times_as_fast_as(&self, peer: &Rounds) -> f64 {
        median(peer.seconds.iter().zip(&self.seconds).map(|(theirs, ours)| theirs / ours).collect())
    }
}

/// Runs all contenders over `text` in turns.
///
/// # Panics
///
/// If a contender does not find the same in every round, or nothing at all in any.
pub fn measure(contenders: &[Contender], text: &str, limits: Limits) -> Vec<Rounds> {
    let warm: Vec<Found> = contenders.iter().map(|c| c.run(text)).collect();
    for (contender, found) in contenders.iter().zip(&warm) {
        assert!(found.count > 0, "{}: found nothing", contender.name);
    }
    let mut all: Vec<Rounds> =
        warm.into_iter().map(|found| Rounds { found, seconds: Vec::new() }).collect();
    let begin = Instant::now();
    for round in 0.. {
        if round >= limits.at_least && begin.elapsed() >= limits.time {
            break;
        }
        for (contender, rounds) in contenders.iter().zip(&mut all) {
            let mut found = Found::default();
            let seconds = clock::seconds(|| found = contender.run(text));
            assert_eq!(found, rounds.found, "{}: another result in round {round}", contender.name);
            rounds.seconds.push(seconds);
        }
    }
    all
}

/// The middle value; of an even number the upper one. Not a number if there is none.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(f64::NAN)
}
