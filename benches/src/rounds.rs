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

    /// How many times as fast as `peer` this is: the median of the ratios.
    pub fn times_as_fast_as(&self, peer: &Rounds) -> f64 {
        self.quartiles_beside(peer)[1]
    }

    /// The quartiles of the ratios of every two rounds, one of each order: how many times as fast as `peer` this is.
    pub fn quartiles_beside(&self, peer: &Rounds) -> [f64; 3] {
        let sums = |rounds: &Rounds| -> Vec<f64> {
            rounds.seconds.chunks(2).map(|two| two.iter().sum()).collect()
        };
        let (theirs, ours) = (sums(peer), sums(self));
        let mut ratios: Vec<f64> = theirs.iter().zip(&ours).map(|(a, b)| a / b).collect();
        ratios.sort_by(f64::total_cmp);
        [1, 2, 3].map(|n| ratios.get(ratios.len() * n / 4).copied().unwrap_or(f64::NAN))
    }
}

/// Runs all contenders over `text` in turns.
///
/// # Panics
///
/// If a contender does not find the same in every round, or nothing at all in any.
pub fn measure(contenders: &[Contender], text: &str, limits: Limits) -> Vec<Rounds> {
    let run = |contender: &Contender| contender.run(text);
    let all = in_turns(contenders, run, |contender| contender.name, limits);
    for (contender, rounds) in contenders.iter().zip(&all) {
        assert!(rounds.found.count > 0, "{}: found nothing", contender.name);
    }
    all
}

/// Runs each of `contenders` by `run`, in turns. Every second round swaps the first two, so that each of them comes
/// after the other as often as after the last: backwards, the first would come after itself, with its caches warm.
///
/// # Panics
///
/// If a contender does not find the same in every round.
pub fn in_turns<C>(
    contenders: &[C],
    run: impl Fn(&C) -> Found,
    name: impl Fn(&C) -> &str,
    limits: Limits,
) -> Vec<Rounds> {
    let warm = |contender: &C| Rounds { found: run(contender), seconds: Vec::new() };
    let mut all: Vec<Rounds> = contenders.iter().map(warm).collect();
    let begin = Instant::now();
    for round in 0.. {
        if round >= limits.at_least && begin.elapsed() >= limits.time {
            break;
        }
        for turn in 0..contenders.len() {
            let is_swapped = round % 2 == 1 && turn < 2 && contenders.len() > 1;
            let at = if is_swapped { 1 - turn } else { turn };
            let (contender, rounds) = (&contenders[at], &mut all[at]);
            let mut found = Found::default();
            let seconds = clock::seconds(|| found = run(contender));
            assert_eq!(found, rounds.found, "{}: another result, round {round}", name(contender));
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
