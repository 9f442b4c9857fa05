//! Tests of the node cache: random accesses on a chip with refreshes, against an array of nodes and
//! the twin's counts.

use std::collections::HashMap;

use duoforge_hdl::harness::cached_nodes::CachedNodesUnit;
use duoforge_hdl::memory::sdram::timing::SdramTiming;
use duoforge_hdl::search::tree::LINE_WORDS;
use duoforge_sim::Backend;
use duoforge_sim::sdram::{IS42S16160_7, Sdram};
use duoforge_twin::Rng;
use duoforge_twin::search::node_cache::{NodeCache, Transfers};

use super::{PINS, clock, pins};
use crate::support::in_every_simulator;
use crate::support::reactive::Reactive;
use crate::support::share::share;

in_every_simulator!(bench; verilator 1_500, icarus share(120), rust 120);

const CLOCK_HZ: u32 = 50_000_000;

/// Inputs of the harness, in their order.
const INPUTS: [&str; 10] = [
    "clear",
    "request",
    "node",
    "is_new",
    "write",
    "word_index",
    "get",
    "put",
    "new_word",
    "data_in",
];

/// Harness with a chip.
struct Unit {
    dut: Reactive<10, 15>,
    chip: Sdram,
    rng: Rng,
    cycle: u64,
}

/// Outputs that a test reads.
#[derive(Clone, Copy)]
struct Seen {
    ready: bool,
    present: bool,
    word: u16,
    finished: bool,
}

impl Unit {
    fn open(backend: Backend, lines: usize, words: usize) -> Self {
        let timing = SdramTiming::at(CLOCK_HZ).expect("in range");
        let unit = CachedNodesUnit::new(lines, words, &timing).expect("it can be built");
        let outputs = ["ready", "present", "word", "finished", "failed"];
        let outputs: Vec<_> = outputs.into_iter().chain(PINS).collect();
        let outputs = outputs.try_into().expect("15 names");
        Self {
            dut: Reactive::open(backend, unit, "cached_nodes_unit", INPUTS, outputs),
            chip: Sdram::new(IS42S16160_7, CLOCK_HZ),
            rng: Rng::new((lines * words) as u64),
            cycle: 0,
        }
    }

    /// Runs a cycle with these inputs, without `data_in`, and returns the outputs in it.
    fn clock(&mut self, inputs: [u64; 9]) -> Seen {
        let noise = self.rng.next_u32() as u16;
        let mut values = [0; 10];
        values[..9].copy_from_slice(&inputs);
        values[9] = self.chip.output().unwrap_or(noise).into();
        let out = self.dut.look(values);
        assert_eq!(out[4], 0, "the self-test failed");
        clock(&mut self.chip, &pins(&out[5..]), self.cycle);
        self.dut.clock(values);
        self.cycle += 1;
        Seen {
            ready: out[0] == 1,
            present: out[1] == 1,
            word: out[2] as u16,
            finished: out[3] == 1,
        }
    }

    fn idle(&mut self) -> Seen {
        self.clock([0; 9])
    }

    /// Requests a node and returns the cycles until it is present.
    fn access(&mut self, node: u16, is_new: bool, write: bool) -> u64 {
        let flags = [is_new, write].map(u64::from);
        let seen = self.clock([0, 1, node.into(), flags[0], flags[1], 0, 0, 0, 0]);
        assert!(seen.ready && !seen.present);
        // The inputs matter only with the request.
        let noise = self.rng.next_u32();
        (1..2000)
            .find(|_| {
                let put = u64::from(noise & 1);
                let inputs = [0, 0, noise.into(), 1, 1, 0, 0, put, noise.into()];
                let inputs = inputs.map(|value: u64| value & 0xffff);
                self.clock(inputs).present
            })
            .expect("the node becomes present")
    }

    /// Reads a word of the present node.
    fn word(&mut self, index: usize) -> u16 {
        self.clock([0, 0, 0, 0, 0, index as u64, 1, 0, 0]);
        self.idle().word
    }

    fn put(&mut self, index: usize, word: u16) {
        self.clock([0, 0, 0, 0, 0, index as u64, 0, 1, word.into()]);
    }
}

fn bench(backend: Backend, accesses: u32) {
    run(backend, 512, 16, accesses);
    run(backend, 4, LINE_WORDS, accesses / 12);
}

/// Returns addresses of nodes that differ from one in a single bit, and a further node for each of
/// their lines. So no bit of an address can be lost, in the cache or in the SDRAM.
fn addresses(lines: usize, rng: &mut Rng) -> Vec<u16> {
    let (base, line_bits) = (rng.next_u32() as u16, lines.ilog2());
    let mut addresses: Vec<u16> = (line_bits..16).map(|bit| base ^ 1 << bit).collect();
    for other in [0].into_iter().chain((0..line_bits).map(|bit| 1 << bit)) {
        let upper = line_bits + rng.below(16 - line_bits);
        addresses.extend([base ^ other, base ^ other ^ 1 << upper]);
    }
    addresses.sort_unstable();
    addresses.dedup();
    addresses
}

/// Tests random accesses to a cache of `lines` lines of `words` words.
fn run(backend: Backend, lines: usize, words: usize, accesses: u32) {
    let mut unit = Unit::open(backend, lines, words);
    while !unit.idle().finished {}
    let counts_before = unit.chip.counts();
    let addresses = addresses(lines, &mut unit.rng);
    let mut nodes: HashMap<u16, Vec<u16>> = HashMap::new();
    let mut twin = NodeCache::new(lines, 1);
    // Accesses and cycles by kind: hits, reads, writes, both.
    let mut kinds = [(0, 0, u64::MAX, 0); 4];
    let mut clears = 0;
    for _ in 0..accesses {
        for _ in 0..[0, 0, 1, unit.rng.below(450)][unit.rng.below(4) as usize] {
            assert!(unit.idle().ready);
        }
        if unit.rng.below(150) == 0 {
            // A request together with a clearing is ignored.
            let request = unit.rng.below(2).into();
            unit.clock([1, request, 0, 1, 1, 0, 0, 0, 0]);
            for _ in 0..lines {
                let seen = unit.idle();
                assert!(!seen.ready && !seen.present);
            }
            nodes.clear();
            twin.clear();
            clears += 1;
        }
        let node = addresses[unit.rng.below(addresses.len() as u32) as usize];
        let is_new = !nodes.contains_key(&node);
        let write = unit.rng.below(3) == 0;
        let cycles = unit.access(node, is_new, write);
        let Transfers { write_back, read } = twin.access(node.into(), is_new, write);
        let kind = usize::from(read) + 2 * usize::from(write_back.is_some());
        let (count, sum, least, most) = kinds[kind];
        kinds[kind] = (count + 1, sum + cycles, least.min(cycles), most.max(cycles));
        if is_new {
            let new: Vec<u16> = (0..words).map(|_| unit.rng.next_u32() as u16).collect();
            for (index, &word) in new.iter().enumerate() {
                unit.put(index, word);
            }
            nodes.insert(node, new);
        }
        let whole = unit.rng.below(8) == 0;
        for index in 0..words {
            if whole || index + 1 == words || unit.rng.below(words as u32) < 3 {
                assert_eq!(
                    unit.word(index),
                    nodes[&node][index],
                    "word {index} of {node}"
                );
            }
            if write && unit.rng.below(words as u32) < 3 {
                let word = unit.rng.next_u32() as u16;
                unit.put(index, word);
                nodes.get_mut(&node).expect("a node")[index] = word;
            }
        }
    }
    let counts = unit.chip.counts();
    let reads = (counts.reads - counts_before.reads) / words as u64;
    let writes = (counts.writes - counts_before.writes) / words as u64;
    assert_eq!((reads, writes), (twin.reads(), twin.write_backs()));
    println!("{backend}: {lines} lines of {words} words, {clears} clearings");
    let names = ["none", "read", "write", "write, read"];
    for (name, (count, sum, least, most)) in names.iter().zip(kinds) {
        assert!(
            count > 0 || accesses < 50,
            "no access has the transfers: {name}"
        );
        if count > 0 {
            let mean = sum as f64 / f64::from(count);
            println!("  {name}: {count} accesses, {least} to {most} cycles, {mean:.1} on average");
        }
    }
    let (_, _, least, most) = kinds[0];
    assert_eq!((least, most), (1, 1), "a hit takes one cycle");
}
