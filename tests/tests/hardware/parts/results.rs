//! Tests of the running statistics: values and means of random results, cycle by cycle, and a search
//! that is longer than both counts.

use duoforge_hdl::search::results::{CYCLES, Results, VALUE};
use duoforge_rules::Colour;
use duoforge_sim::{Backend, Options, open};
use duoforge_twin::Rng;
use duoforge_twin::search::{Formulas, Results as Twin, SearchParameters};

use crate::support::{bench::Bench, in_every_simulator};

in_every_simulator!(bench; verilator 4_000, icarus 300, rust 150);

/// Cells of all tiles of a side, the greatest margin.
const CELLS: i32 = 89;

/// Greatest number of placements of a simulation.
const LONGEST: u32 = 42;

/// Side to move at the root.
const ROOT: Colour = Colour(0);

fn parameters(margin_bonus: u32, length_bonus: u32) -> SearchParameters {
    SearchParameters {
        formulas: Formulas {
            margin_bonus,
            length_bonus,
            ..Formulas::default()
        },
        ..SearchParameters::default()
    }
}

/// Random results of one kind.
struct Kind {
    /// Greatest distance from the middle.
    margin: i32,
    middle: i32,
    lengths: [u32; 2],
}

/// Games of equal players, won games, results without any deviation, and the greatest margins.
const KINDS: [Kind; 5] = [
    kind(20, 0, [20, 34]),
    kind(8, 15, [24, 40]),
    kind(0, 0, [30, 30]),
    kind(0, -3, [0, LONGEST]),
    kind(CELLS, 0, [0, LONGEST]),
];

const fn kind(margin: i32, middle: i32, lengths: [u32; 2]) -> Kind {
    Kind {
        margin,
        middle,
        lengths,
    }
}

impl Kind {
    fn sample(&self, rng: &mut Rng) -> (i32, u32) {
        let offset = rng.below(2 * self.margin as u32 + 1) as i32 - self.margin;
        let [shortest, longest] = self.lengths;
        // Every fourth margin is the greatest one.
        let margin = match rng.below(8) {
            0 => self.middle + self.margin,
            1 => self.middle - self.margin,
            _ => self.middle + offset,
        };
        (margin, shortest + rng.below(longest - shortest + 1))
    }
}

/// Returns a margin as the port takes it.
fn port_value(margin: i32) -> u64 {
    u64::from(margin as i8 as u8)
}

fn bench(backend: Backend, results: usize) {
    for (margin_bonus, length_bonus) in [(12_288, 4_096), (65_535, 65_535), (0, 1)] {
        run(
            backend,
            &parameters(margin_bonus, length_bonus),
            results / 3,
        );
    }
}

fn run(backend: Backend, p: &SearchParameters, results: usize) {
    let mut bench = Bench::open(backend, Results::new(p), "results");
    let inputs = ["clear", "start", "margin", "length"].map(|name| bench.input(name));
    let [clear, start, margin, length] = inputs;
    let [busy, ready, value, mean] =
        ["busy", "ready", "value", "mean"].map(|name| bench.output(name));
    let mut rng = Rng::new(p.formulas.margin_bonus.into());
    let mut twin = Twin::default();
    let (mut cut, mut extremes) = (0, [0; 2]);
    for number in 0..results {
        // Each kind lasts for some results, also after others.
        let kind = &KINDS[number / 40 % KINDS.len()];
        let sample = kind.sample(&mut rng);
        bench.drive(start, 1);
        bench.drive(margin, port_value(sample.0));
        bench.drive(length, sample.1.into());
        bench.expect(busy, 0);
        bench.clock();
        let result = twin.value(sample.0, sample.1 as usize, &p.formulas);
        twin.add(result);
        extremes[0] += usize::from(result == 0);
        extremes[1] += usize::from(result == 0xffff);
        let cleared_at = (rng.below(60) == 0).then(|| u64::from(rng.below(CYCLES as u32)));
        for cycle in 0..CYCLES {
            // Requests while it is busy have no effect.
            bench.drive(start, rng.below(2).into());
            bench.drive(margin, rng.below(256).into());
            bench.drive(length, rng.below(64).into());
            bench.drive(clear, (cleared_at == Some(cycle)).into());
            bench.expect(busy, 1);
            bench.expect(ready, (cycle >= VALUE).into());
            if cycle >= VALUE {
                bench.expect(value, result.into());
            }
            bench.clock();
            if cleared_at == Some(cycle) {
                twin = Twin::default();
                cut += 1;
                break;
            }
        }
        bench.drive(start, 0);
        bench.drive(clear, 0);
        for _ in 0..rng.below(3) {
            bench.expect(busy, 0);
            bench.expect(ready, 1);
            bench.expect(mean, twin.mean(ROOT, ROOT).into());
            bench.clock();
        }
    }
    println!("{backend}: {results} results, {cut} cleared, {extremes:?} at the ends of the range");
    assert!(cut > 0 || results < 100);
    if p.formulas.margin_bonus > 60_000 && results > 1_000 {
        assert!(extremes.iter().all(|&count| count > 0));
    }
    bench.finish();
}

/// The statistics forget after 4,096 results, the mean value after 65,536.
#[test]
fn a_long_search_forgets_old_results() {
    let p = parameters(12_288, 4_096);
    let sim = open(
        Backend::Verilator,
        Results::new(&p),
        "results",
        &Options::default(),
    );
    let mut sim = sim.expect("the model can be built");
    let [start, margin, length, value, mean] =
        ["start", "margin", "length", "value", "mean"].map(|name| sim.port(name).expect("a port"));
    let mut rng = Rng::new(17);
    let mut twin = Twin::default();
    // The block is cleared before a search.
    let clear = sim.port("clear").expect("a port");
    sim.poke(clear, 1).expect("it runs");
    sim.step(1).expect("it runs");
    sim.poke(clear, 0).expect("it runs");
    for number in 0..70_000_usize {
        let kind = &KINDS[number / 20_000];
        let sample = kind.sample(&mut rng);
        sim.poke(start, 1).expect("it runs");
        sim.poke(margin, port_value(sample.0)).expect("it runs");
        sim.poke(length, sample.1.into()).expect("it runs");
        sim.step(1).expect("it runs");
        sim.poke(start, 0).expect("it runs");
        sim.step(CYCLES).expect("it runs");
        let result = twin.value(sample.0, sample.1 as usize, &p.formulas);
        twin.add(result);
        if number % 16 == 0 || number > 65_530 {
            let seen = sim.peek_all(&[value, mean]).expect("it runs");
            let expected = [result, twin.mean(ROOT, ROOT)].map(u64::from);
            assert_eq!(seen, expected, "result {number}");
        }
    }
}
