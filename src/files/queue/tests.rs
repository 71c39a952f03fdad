//! Tests of the queue: each order in which tasks finish gives the results of one thread.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::mpsc;
use std::{thread, vec};

use super::*;
use crate::container::{Budget, WorkUnit};
use crate::detect::document::Hints;
use crate::dice::Dice;
use crate::files::parts::SharedInput;
use crate::files::task_output::TaskOutput;

/// The sequences of the numbers below `n`.
fn permutations(n: usize) -> Vec<Vec<usize>> {
    let Some(last) = n.checked_sub(1) else { return vec![Vec::new()] };
    let shorter = permutations(last);
    let with = |shorter: &Vec<usize>, at| {
        let mut longer = shorter.clone();
        longer.insert(at, last);
        longer
    };
    shorter.iter().flat_map(|shorter| (0..n).map(move |at| with(shorter, at))).collect()
}

/// An input without a budget.
fn shared_input() -> SharedInput {
    let budget = Arc::new(Budget::new(u64::MAX));
    SharedInput { path: PathBuf::new(), hints: Hints::new(), budget }
}

fn unit() -> WorkUnit {
    WorkUnit::free(0, |_, _| {})
}

fn text(from: &str) -> Vec<u8> {
    from.as_bytes().to_vec()
}

/// The holder of an input, with units that it has shared and not yet settled.
struct Holder {
    number: u64,
    at: PartPosition,
    units: Vec<(usize, Arc<Job>)>,
}

impl Holder {
    /// Shares units of these numbers; its own results come before, between and after them.
    fn new(queue: &OrderedQueue<Vec<u8>>, number: u64, units: &[usize]) -> Holder {
        let mut holder = Holder { number, at: PartPosition::of_input(number), units: Vec::new() };
        for &unit_number in units {
            let at = holder.at.after(false);
            let job = Arc::new(Job::new(unit(), Arc::new(shared_input()), at));
            queue.share(holder.at, &mut text(&format!("[{number}<{unit_number}]")), &job);
            holder.at = at.after(false);
            holder.units.push((unit_number, job));
        }
        holder
    }

    /// Settles the units that are done, in their order, of which those in `void` are processed again.
    fn settle(&mut self, queue: &OrderedQueue<Vec<u8>>, void: usize) {
        while let Some((unit_number, job)) = self.units.first() {
            if !queue.is_done(job) {
                return;
            }
            let mut last = Vec::new();
            match void >> unit_number & 1 {
                0 => queue.release(job),
                _ => {
                    queue.give_up(job);
                    // Its task learns of that late.
                    queue.put_ahead(job, &mut text("late"));
                    last = text(&format!("({unit_number}a)({unit_number}b)"));
                }
            }
            queue.end(false, [(job.at, &mut last)]);
            self.units.remove(0);
            if self.units.is_empty() {
                let mut last = text(&format!("[{} ends]", self.number));
                queue.end(true, [(self.at, &mut last)]);
            }
        }
    }
}

/// Five units of two inputs, with an input between them: every order in which they finish, and every choice of
/// those whose results are void.
#[test]
fn units_in_every_order_give_the_results_of_one_thread() {
    let wanted =
        "[0<0](0a)(0b)[0<1](1a)(1b)[0<2](2a)(2b)[0 ends][1][2<3](3a)(3b)[2<4](4a)(4b)[2 ends]";
    for order in permutations(5) {
        for void in 0..1 << order.len() {
            let queue = OrderedQueue::new(2, false, None);
            let mut holders = [Holder::new(&queue, 2, &[3, 4]), Holder::new(&queue, 0, &[0, 1, 2])];
            queue.end(true, [(PartPosition::of_input(1), &mut text("[1]"))]);
            let mut jobs = Vec::new();
            while let Assignment::Unit(job) = queue.assign() {
                jobs.push(job);
            }
            let mut found = Vec::new();
            for &number in &order {
                queue.put_ahead(&jobs[number], &mut text(&format!("({number}a)")));
                queue.finish(&jobs[number], &mut text(&format!("({number}b)")), Tally::default());
                holders.iter_mut().for_each(|holder| holder.settle(&queue, void));
                let mut batch = Vec::new();
                queue.take_ready(1, &mut batch);
                found.append(&mut batch);
            }
            let found = String::from_utf8(found).unwrap();
            assert!(found == wanted, "{order:?}, void {void:05b}: {found}");
            assert_eq!(queue.lock().parts.ahead(), (0, 0));
        }
    }
}

/// The holder of an input processes a unit ahead of its turn and gives it up, since its part is full. What it still adds,
/// as a failure at the end, is dropped: the unit is processed again.
#[test]
fn a_unit_that_is_given_up_keeps_nothing() {
    let queue = OrderedQueue::<Vec<u8>>::new(2, true, None);
    let holder = Holder::new(&queue, 0, &[0, 1]);
    let (_, job) = &holder.units[1];
    assert!(queue.begin(job));
    for _ in 0..LIMIT / ENOUGH + 3 {
        queue.put_or_give_up(job, &mut vec![b'x'; ENOUGH]);
    }
    assert!(job.is_given_up());
    let state = queue.lock();
    assert_eq!((state.parts.size(job.at), state.parts.ahead().1), (0, "[0<1]".len()));
}

/// A unit or an input of a run in which chance decides.
struct Script {
    input: usize,
    /// Number of lines in each of its units.
    units: Vec<usize>,
}

/// A line of results, so long that a few of them fill a part.
fn line(name: &str) -> Vec<u8> {
    text(&format!("{name:10000}\n"))
}

impl Script {
    fn new(input: usize, dice: &mut Dice) -> Script {
        let count = if dice.once_in(3) { dice.below(7) } else { 0 };
        Script { input, units: (0..count).map(|_| dice.below(30)).collect() }
    }

    /// Names of the lines of a unit.
    fn lines(&self, unit: usize) -> Vec<String> {
        (0..self.units[unit]).map(|n| format!("{} {unit} {n}", self.input)).collect()
    }

    fn results(&self) -> Vec<u8> {
        let lines = (0..self.units.len()).flat_map(|unit| self.lines(unit));
        lines.chain([format!("{} ends", self.input)]).flat_map(|name| line(&name)).collect()
    }

    /// Processes the input: shares its units, and settles them.
    fn run(&self, output: &mut TaskOutput<'_, Vec<u8>>, dice: &mut Dice) {
        output.begin(self.input as u64);
        let mut jobs = Vec::new();
        for number in 0..self.units.len() {
            let input =
                SharedInput { path: self.lines(number).join("\n").into(), ..shared_input() };
            jobs.push(output.share(&mut Vec::new(), |at| Job::new(unit(), Arc::new(input), at)));
            dawdle(dice);
        }
        for (number, job) in jobs.iter().enumerate() {
            let at = output.enter(job);
            let is_void = dice.once_in(4);
            if is_void && !output.queue.take_back(job) {
                output.queue.give_up(job);
            }
            if is_void || output.outcome(job).is_none() {
                for name in self.lines(number) {
                    output.put(&mut line(&name), false);
                    dawdle(dice);
                }
            }
            output.leave(&mut Vec::new(), at);
        }
        output.finish(&mut line(&format!("{} ends", self.input)));
    }
}

fn dawdle(dice: &mut Dice) {
    match dice.below(20) {
        0 => thread::sleep(Duration::from_micros(50)),
        1..6 => thread::yield_now(),
        _ => {}
    }
}

/// A task of a run.
fn task(queue: &OrderedQueue<Vec<u8>>, scripts: &Mutex<vec::IntoIter<Script>>, seed: u64) {
    let (guard, mut dice) = (TaskGuard(queue), Dice::new(seed));
    let mut output = TaskOutput::new(queue, None);
    let is_parked = loop {
        match queue.assign() {
            Assignment::Unit(job) => {
                for name in job.input.path.to_str().unwrap().lines() {
                    queue.put_ahead(&job, &mut line(name));
                    dawdle(&mut dice);
                }
                queue.finish(&job, &mut Vec::new(), Tally::default());
            }
            Assignment::Input => {
                // Results of several inputs may be handed over at once.
                let is_over = loop {
                    let Some(script) = scripts.lock().unwrap().next() else { break true };
                    script.run(&mut output, &mut dice);
                    if dice.once_in(3) {
                        break false;
                    }
                };
                output.hand_over();
                if is_over {
                    break false;
                }
            }
            Assignment::Parked => break true,
            Assignment::Over => break false,
        }
    };
    if is_parked {
        guard.park();
    }
}

/// Chance decides how many results inputs and units have, how long they take, and which results are void. Parts have
/// room for a few lines, so tasks wait for room.
#[test]
fn tasks_at_every_pace_give_the_results_of_one_thread() {
    for seed in 0..60 {
        let mut dice = Dice::new(seed);
        let scripts: Vec<_> = (0..30).map(|input| Script::new(input, &mut dice)).collect();
        let wanted: Vec<u8> = scripts.iter().flat_map(Script::results).collect();
        let scripts = Mutex::new(scripts.into_iter());
        let (sent, received) = mpsc::channel();
        thread::spawn(move || {
            let threads = 1 + seed as usize % 4;
            let queue = OrderedQueue { limit: 80_000, ..OrderedQueue::new(threads, false, None) };
            let mut found = Vec::new();
            thread::scope(|scope| {
                let _taking = TakeGuard(&queue);
                let mut batch = Vec::new();
                while queue.take(&mut batch) {
                    for _ in 0..queue.due() {
                        let (queue, scripts, seed) = (&queue, &scripts, dice.next());
                        scope.spawn(move || task(queue, scripts, seed));
                    }
                    found.append(&mut batch);
                }
            });
            sent.send((found, queue.lock().parts.ahead())).unwrap();
        });
        let (found, ahead) = received.recv_timeout(Duration::from_secs(60)).expect("the run ends");
        assert!(found == wanted, "seed {seed}");
        assert_eq!(ahead, (0, 0), "seed {seed}");
    }
}

#[derive(Default)]
struct Names(BTreeSet<String>);

impl Batch for Names {
    fn size(&self) -> usize {
        self.0.iter().map(String::len).sum()
    }

    fn append(&mut self, later: &mut Self) {
        self.0.append(&mut later.0);
    }
}

/// A set of names is not larger when it gets the same names again, and its size is given back when its turn comes.
#[test]
fn results_that_become_fewer_in_one_batch_leave_room() {
    let queue = OrderedQueue::new(1, false, None);
    let names = || Names((0..1000).map(|n| format!("{n:01000}")).collect());
    let [first, second] = [0, 1].map(PartPosition::of_input);
    for _ in 0..20 {
        queue.put(second, &mut names(), false);
    }
    assert_eq!(queue.lock().parts.ahead(), (1, 1_000_000));
    queue.end(true, [(first, &mut names()), (second, &mut names())]);
    assert_eq!(queue.lock().parts.ahead(), (0, 0));
    assert!(matches!(queue.assign(), Assignment::Input));
}
