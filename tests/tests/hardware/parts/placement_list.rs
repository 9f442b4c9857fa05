//! Tests of the placement list: every word as appended, one cycle after its index, and the number
//! of words, for lists of every length.

use duoforge_hdl::search::placement_list::{MOVE, PlacementList, twin};
use duoforge_sim::{Backend, Options, Simulator, open};
use duoforge_twin::Rng;

use crate::support::reactive::number;
use crate::support::{bench::Bench, in_every_simulator};

in_every_simulator!(bench; verilator 20_000, icarus 2_000, rust 2_000);

/// Maximum number of words.
const WORDS: usize = 63;

fn bench(backend: Backend, cycles: u32) {
    let mut dut = Bench::of(filled(backend));
    let [clear, append, entry, index] =
        ["clear", "append", "entry", "index"].map(|name| dut.input(name));
    let [count, word] = ["count", "word"].map(|name| dut.output(name));
    let mut rng = Rng::new(40);
    let mut list = Vec::new();
    let mut read = None;
    let mut longest = 0;
    for _ in 0..cycles {
        let clearing = rng.below(160) == 0 || list.len() == WORDS;
        let value = number(&mut rng, MOVE as u32);
        // Unless it is appended, the entry has no effect.
        let appending = rng.below(8) > 0;
        let place = rng.below(list.len().max(1) as u32) as usize;
        dut.drive(clear, clearing.into());
        dut.drive(append, appending.into());
        dut.drive(entry, value);
        dut.drive(index, place as u64);
        dut.expect(count, list.len() as u64);
        if let Some(value) = read {
            dut.expect(word, value);
        }
        read = list.get(place).copied();
        dut.clock();
        twin(&mut list, clearing, appending.then_some(value));
        longest = longest.max(list.len());
    }
    let compared = dut.finish();
    println!("{backend}: {longest} words at most, {compared} values");
    assert_eq!(longest, WORDS);
}

/// Opens a list whose memory has been written once: it is undefined at first.
fn filled(backend: Backend) -> Box<dyn Simulator> {
    let sim = open(
        backend,
        PlacementList::default(),
        "moves",
        &Options::default(),
    );
    let mut sim = sim.expect("the model can be built");
    for (name, cycles) in [("append", WORDS as u64 + 1), ("clear", 2)] {
        let port = sim.port(name).expect("the list has the port");
        for (value, cycles) in [(1, cycles), (0, 1)] {
            sim.poke(port, value).expect("the value fits");
            sim.step(cycles).expect("it runs");
        }
    }
    sim
}
