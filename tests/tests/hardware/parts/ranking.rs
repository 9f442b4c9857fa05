//! Tests of the ranking: the best of a stream in order, with many ties, output from the last place.

use duoforge_hdl::search::expansion::ranking::{self, LENGTH, Ranking};
use duoforge_sim::Backend;
use duoforge_twin::Rng;

use crate::support::{bench::Bench, in_every_simulator};

in_every_simulator!(bench; verilator 60, icarus 8, rust 4);

/// Tests streams of various lengths with frequent ties and pauses.
fn bench(backend: Backend, streams: u32) {
    let mut dut = Bench::open(backend, Ranking::default(), "ranking");
    let [insert, score, placement, drain] =
        ["insert", "score", "placement", "drain"].map(|name| dut.input(name));
    let [any, best, last, last_score, last_placement] =
        ["any", "best", "last", "last_score", "last_placement"].map(|name| dut.output(name));
    let mut rng = Rng::new(21);
    let mut ties = 0;
    for stream in 0..streams {
        let length = [0, 1, 5, 31, 32, 33, 60, 200][stream as usize % 8];
        let scores = [1 << 13, 40, 3][rng.below(3) as usize];
        let mut inserted = Vec::new();
        while inserted.len() < length {
            let entry = (rng.below(scores) as u16, rng.below(1 << 15) as u16);
            let entering = rng.below(4) > 0;
            dut.drive(insert, entering.into());
            dut.drive(score, entry.0.into());
            dut.drive(placement, entry.1.into());
            dut.expect(any, u64::from(!inserted.is_empty()));
            if let Some(&most) = inserted.iter().map(|(score, _)| score).max() {
                dut.expect(best, u64::from(most));
            }
            if entering {
                inserted.push(entry);
            }
            dut.clock();
        }
        dut.drive(insert, 0);
        let list = ranking::twin(&inserted);
        ties += list.windows(2).filter(|two| two[0].0 == two[1].0).count();
        dut.drive(drain, 1);
        for place in (0..LENGTH).rev() {
            let entry = list.get(place);
            dut.expect(last, entry.is_some().into());
            if let Some(&(score, placement)) = entry {
                dut.expect(last_score, score.into());
                dut.expect(last_placement, placement.into());
            }
            dut.clock();
        }
        dut.drive(drain, 0);
        dut.expect(any, 0);
        dut.clock();
    }
    let compared = dut.finish();
    println!("{backend}: {streams} streams, {ties} equal neighbours, {compared} values");
    assert!(ties > streams as usize);
}
