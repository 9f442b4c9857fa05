//! Tests of the memory: every word as last written, one cycle after its address.

use duoforge_hdl::memory::Memory;
use duoforge_hdl::verilog;
use duoforge_sim::gates::{Technology, synthesised};
use duoforge_sim::{Backend, Options, open_design};
use duoforge_twin::Rng;
use rust_hdl_core::prelude::Block;

use crate::support::{bench::Bench, in_every_simulator};

in_every_simulator!(bench; verilator 60_000, icarus 4_000, rust 4_000);

/// Bits of a word.
const WIDTH: u32 = 18;

/// Bits of an address.
const ADDRESS: u32 = 10;

/// Tests random writes and reads in a memory that uses all addresses, and in a smaller one.
fn bench(backend: Backend, cycles: u32) {
    for words in [1 << ADDRESS, 1 << 6] {
        run(Bench::open(backend, memory(words), "memory"), words, cycles);
    }
}

/// After synthesis the memory is an ECP5 block memory, with this crate's cell model.
#[test]
fn on_ecp5() {
    for words in [1 << ADDRESS, 1 << 6] {
        let mut block = memory(words);
        block.connect_all();
        let design = verilog::design(&block, "memory").expect("it can be emitted");
        let options = Options::default();
        let netlist = synthesised(&design, Technology::Ecp5, Backend::Verilator, &options);
        let netlist = netlist.expect("it can be synthesised");
        assert!(netlist.verilog.contains("DP16KD #("), "it is a block");
        let sim = open_design(Backend::Verilator, &netlist, &options);
        run(
            Bench::of(sim.expect("the model can be built")),
            words,
            60_000,
        );
    }
}

fn memory(words: usize) -> Memory<{ WIDTH as usize }, { ADDRESS as usize }> {
    Memory::new(words)
}

fn run(mut dut: Bench, words: usize, cycles: u32) {
    let [write, place, word, address] =
        ["write", "write_address", "word", "address"].map(|name| dut.input(name));
    let mut rng = Rng::new(words as u64);
    let mut model: Vec<_> = (0..words)
        .map(|_| u64::from(rng.below(1 << WIDTH)))
        .collect();
    dut.drive(write, 1);
    for (to, &value) in model.iter().enumerate().rev() {
        dut.drive(place, to as u64);
        dut.drive(word, value);
        dut.drive(address, (to as u64 + 1) % words as u64);
        dut.clock();
    }
    // Every word is known now, and so is `data`: it was read one cycle after it was written.
    let data = dut.output("data");
    // Expected `data`; `None` if the word was written in the same cycle.
    let mut expected = Some(model[1]);
    for _ in 0..cycles {
        if let Some(expected) = expected {
            dut.expect(data, expected);
        }
        // Half of the cycles use only a few words, so that recently written words are read.
        let near = if rng.below(2) == 0 { 4 } else { 1 << ADDRESS };
        let [to, from] = [(); 2].map(|()| rng.below(near) as usize);
        let (writing, value) = (rng.below(3) > 0, u64::from(rng.below(1 << WIDTH)));
        dut.drive(write, writing.into());
        dut.drive(place, to as u64);
        dut.drive(word, value);
        dut.drive(address, from as u64);
        dut.clock();
        let (to, from) = (to % words, from % words);
        expected = (!(writing && to == from)).then(|| model[from]);
        if writing {
            model[to] = value;
        }
    }
    let compared = dut.finish();
    assert!(compared > u64::from(cycles) / 2, "{compared} words");
}
