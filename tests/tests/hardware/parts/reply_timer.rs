//! Tests of the reply timer: age, deadline and limit, cycle by cycle.

use duoforge_hdl::controller::reply_timer::{ReplyTimer, twin};
use duoforge_hdl::parameters::PlayerParameters;
use duoforge_sim::{Backend, Options, open};
use duoforge_twin::Rng;

use crate::support::{bench::Bench, coverage::covered, in_every_simulator};

in_every_simulator!(bench; verilator 4_000, icarus 300, rust 300);

/// Tests codes that wait and are taken at once or late, and codes that are replaced in the cycle in
/// which they are taken. Work ends before the deadline, between deadline and limit, and after the
/// limit.
fn bench(backend: Backend, codes: usize) {
    for (deadline, limit) in [(0, 9), (20, 24), (20, 33)] {
        run(backend, deadline, limit, codes / 3);
    }
    if backend == Backend::Verilator {
        long(0x2_5a5a, 0x3_a5a5);
    }
}

/// Tests one code that is not taken until long after the limit: all lower bits of the age.
fn long(deadline: u32, limit: u32) {
    let timer = ReplyTimer::new(deadline, limit);
    let mut bench = Bench::open(Backend::Verilator, timer, "reply_timer");
    let [waiting, idle] = ["waiting", "idle"].map(|name| bench.input(name));
    let [age, late, expired] = ["age", "late", "expired"].map(|name| bench.output(name));
    bench.drive(idle, 1);
    bench.clock();
    bench.drive(waiting, 1);
    bench.clock();
    for cycles in 1..limit + 1_000 {
        let shown = twin(deadline, limit, cycles);
        bench.expect(age, shown.0.into());
        bench.expect(late, shown.1.into());
        bench.expect(expired, shown.2.into());
        bench.clock();
    }
    bench.finish();
}

fn run(backend: Backend, deadline: u32, limit: u32, codes: usize) {
    let mut bench = Bench::open(backend, ReplyTimer::new(deadline, limit), "reply_timer");
    let [waiting, take, idle] = ["waiting", "take", "idle"].map(|name| bench.input(name));
    let [age, late, expired] = ["age", "late", "expired"].map(|name| bench.output(name));
    let mut rng = Rng::new(u64::from(deadline + limit));
    // Cycles since the newest code began to wait; `None` while idle.
    let mut cycles: Option<u32> = None;
    let (mut waits, mut waited, mut works) = (false, false, false);
    let mut seen = [0; 3];
    let mut came = 0;
    while came < codes {
        let patience = if rng.below(4) == 0 { 50 } else { 3 };
        let takes = waits && !works && rng.below(patience) == 0;
        bench.drive(waiting, waits.into());
        bench.drive(take, takes.into());
        bench.drive(idle, (!works).into());
        let shown = cycles.map_or((0, false, false), |cycles| twin(deadline, limit, cycles));
        bench.expect(age, shown.0.into());
        bench.expect(late, shown.1.into());
        bench.expect(expired, shown.2.into());
        seen[usize::from(shown.1) + usize::from(shown.2)] += 1;
        bench.clock();
        let begins = waits && !waited;
        came += usize::from(begins);
        cycles = match cycles {
            _ if begins => Some(1),
            Some(cycles) if waits || works => Some(cycles + 1),
            _ => None,
        };
        // A newer code replaces one that waits; the age continues.
        waited = waits && !takes;
        waits = waited || rng.below(if works { 40 } else { 6 }) == 0;
        works = takes || (works && rng.below(30) > 0);
    }
    assert!(seen.iter().all(|&count| count > 10), "{seen:?}");
    bench.finish();
}

/// Tests the contest's deadline and limit, which need 26 bits of the age.
#[test]
fn the_contest_s_times() {
    let p = PlayerParameters::contest(50_000_000);
    let block = ReplyTimer::new(p.deadline_cycles, p.reply_limit_cycles);
    let sim = open(
        Backend::Verilator,
        block,
        "reply_timer",
        &Options::default(),
    );
    let mut sim = sim.expect("the model can be built");
    let [waiting, late, expired] =
        ["waiting", "late", "expired"].map(|name| sim.port(name).expect("a port"));
    sim.poke(waiting, 1).expect("it runs");
    let mut cycles = 0;
    for (port, bound, row) in [
        (
            late,
            p.deadline_cycles,
            "reply timer: cycles of the deadline",
        ),
        (
            expired,
            p.reply_limit_cycles,
            "reply timer: cycles of the limit",
        ),
    ] {
        let run = sim.run_until(port, 1, u64::from(bound) + 10);
        let run = run.expect("it runs");
        cycles += run.cycles;
        assert_eq!((run.reached, cycles), (true, u64::from(bound) + 2));
        covered(row, &bound);
    }
}
