//! Tests of the backup: the jobs of the tree for random lists, with a tree that is ready now and
//! then, late results, requests while it is busy, and lists that are emptied meanwhile.

use duoforge_hdl::search::backup::{Backup, BackupJob, twin};
use duoforge_hdl::search::placement_list::StepWord;
use duoforge_sim::Backend;
use duoforge_twin::Rng;

use crate::support::in_every_simulator;
use crate::support::reactive::{Reactive, number};

in_every_simulator!(bench; verilator 90, icarus 8, rust 40);

/// Words of the list's memory.
const WORDS: usize = 64;

/// Maximum number of placements of a game.
const LONGEST: u32 = 42;

/// Cycles within which the backup ends after its list has become empty, with a tree and a result that
/// are ready: two passes, and an update of each index.
const ENDING: u64 = 4 * WORDS as u64;

struct Unit {
    dut: Reactive<6, 9>,
    rng: Rng,
    /// Memory of the list, with old words above the list.
    memory: [u64; WORDS],
    /// Index of the last cycle.
    index: usize,
}

/// Tree that is ready in each cycle, in one of some cycles, or seldom.
const PACES: [u32; 4] = [1, 1, 2, 9];

/// Result of a simulation, which is valid from a cycle after the request on.
#[derive(Clone, Copy)]
struct LateResult {
    value: u64,
    ready_at: u64,
}

/// Greatest number of cycles until a result is valid.
const LATEST: u32 = 90;

fn bench(backend: Backend, lists: u32) {
    let inputs = [
        "start",
        "result",
        "result_ready",
        "count",
        "word",
        "tree_ready",
    ];
    let outputs = [
        "busy",
        "taken",
        "index",
        "amaf_enter",
        "amaf_remove",
        "ply",
        "update",
        "value",
        "prove",
    ];
    let mut unit = Unit {
        dut: Reactive::open(backend, Backup::default(), "backup", inputs, outputs),
        rng: Rng::new(35),
        memory: [0; WORDS],
        index: 0,
    };
    let [mut proven, mut alternatives, mut ended, mut late] = [0; 4];
    for round in 0..lists {
        let list = random_list(&mut unit.rng, round);
        // Each second result is ready from the start.
        let result = LateResult {
            value: number(&mut unit.rng, 16),
            ready_at: (round % 2 * unit.rng.below(LATEST)).into(),
        };
        let pace = PACES[round as usize % PACES.len()];
        let jobs = twin(&list, result.value as u16);
        if round % 5 == 4 {
            // The list is emptied: the backup ends, and the next one is not affected.
            let cut = 1 + u64::from(unit.rng.below(jobs.len() as u32));
            unit.run(&list, result, pace, Some(cut));
            continue;
        }
        let (seen, cycles) = unit.run(&list, result, pace, None);
        assert_eq!(seen, jobs, "{backend}: list {round}");
        let path = jobs.len() - 2 * list.len();
        // The first pass reads a word in each cycle, and the last one is entered two cycles later.
        let waiting = result.ready_at.saturating_sub(list.len() as u64 + 2);
        late += u64::from(waiting > 0);
        if pace == 1 {
            let whole = 2 * (list.len() + path) as u64 + 4;
            assert_eq!(cycles, whole + waiting, "list {round}");
        }
        for job in &jobs {
            if let BackupJob::Update {
                word, proven: leaf, ..
            } = *job
            {
                proven += u64::from(leaf);
                alternatives += word >> StepWord::ALTERNATIVE & 1;
            }
        }
        ended += u64::from(path == list.len());
    }
    println!(
        "{backend}: {lists} lists, {ended} of them paths to the end of a game, {proven} proven \
         values, {alternatives} alternatives, {late} late results"
    );
    assert!(proven > 0 && alternatives > 0 && ended > 0 && late > 0);
}

impl Unit {
    /// Backs a list up and returns the jobs and the number of busy cycles. After `cut` cycles the
    /// list is empty, and the tree and the result are always ready.
    fn run(
        &mut self,
        list: &[u64],
        result: LateResult,
        pace: u32,
        cut: Option<u64>,
    ) -> (Vec<BackupJob>, u64) {
        self.memory[..list.len()].copy_from_slice(list);
        let (mut jobs, mut taken) = (Vec::new(), false);
        for cycle in 0.. {
            let last = cut.map_or(10_000, |cut| cut + ENDING);
            assert!(cycle < last, "busy after {last} cycles");
            let cut = cut.is_some_and(|cut| cycle >= cut);
            let word = self.memory[self.index];
            let ready = cut || self.rng.below(pace) == 0;
            let count = if cut { 0 } else { list.len() as u64 };
            let valid = cut || cycle >= result.ready_at;
            // The result is valid until it is taken.
            let value = match valid && !taken {
                true => result.value,
                false => number(&mut self.rng, 16),
            };
            let mut inputs = [0, value, valid.into(), count, word, ready.into()];
            let [busy, takes, index, mark, unmark, ply, step, value, settle] =
                self.dut.look(inputs);
            if cycle == 0 {
                assert_eq!(busy, 0, "before the request");
            } else if busy == 0 {
                return (jobs, cycle - 1);
            }
            assert!(mark + unmark + step + takes <= 1);
            if takes == 1 {
                assert!(valid && !taken, "a result that is late or taken");
                taken = true;
            }
            if mark == 1 {
                jobs.push(BackupJob::Mark { ply, word });
            }
            if step == 1 {
                assert!(taken, "an update without a result");
                assert!(ready, "an update while the tree is busy");
                jobs.push(BackupJob::Update {
                    ply,
                    word,
                    value: value as u16,
                    proven: settle == 1,
                });
            }
            if unmark == 1 {
                jobs.push(BackupJob::Unmark { word });
            }
            self.index = index as usize;
            // A request while it is busy has no effect.
            inputs[0] = u64::from(cycle == 0 || self.rng.below(3) == 0);
            self.dut.clock(inputs);
        }
        unreachable!()
    }
}

/// Returns a list whose path has at least one step. Some lists are paths to the end of a game.
fn random_list(rng: &mut Rng, round: u32) -> Vec<u64> {
    let length = match round % 16 {
        7 => 1,
        11 => LONGEST,
        15 => WORDS as u32 - 1,
        _ => 1 + rng.below(LONGEST),
    };
    let path = match rng.below(4) {
        0 => length,
        _ => 1 + rng.below(length),
    };
    let words = (0..length).map(|place| {
        // A placement and its side; of a step also child, node, marks and value.
        let step = number(rng, StepWord::BITS as u32) | 1 << StepWord::IN_PATH;
        let value = number(rng, 16) << StepWord::VALUE;
        let step = step & ((1 << StepWord::VALUE) - 1) | value;
        if place < path {
            step
        } else {
            step & ((1 << StepWord::IN_PATH) - 1)
        }
    });
    words.collect()
}
