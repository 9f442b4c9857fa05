//! Tests of the window: its seven rows after every push and every pause.

use duoforge_hdl::generator::window::{ROWS, twin};
use duoforge_hdl::harness::WindowUnit;
use duoforge_sim::Backend;
use duoforge_twin::Rng;

use crate::support::{bench::Bench, in_every_simulator};

in_every_simulator!(bench; verilator 1000, icarus 60, rust 60);

/// Streams maps of random rows, each followed by as many empty rows as the window holds.
fn bench(backend: Backend, maps: u32) {
    let mut dut = Bench::open(backend, WindowUnit::default(), "window_unit");
    let [push, row] = ["push", "row"].map(|name| dut.input(name));
    let rows: [_; ROWS] = dut.outputs("rows");
    let mut rng = Rng::new(2);
    for _ in 0..maps {
        let map: [u16; 14] = std::array::from_fn(|_| rng.next_u32() as u16 & 0x3fff);
        // Before push number `n` the window is centred on anchor row `n - 6`.
        for n in 0..14 + ROWS {
            while rng.below(4) == 0 {
                dut.drive(push, 0);
                dut.drive(row, u64::from(rng.next_u32()) & 0x3fff);
                expect(&mut dut, rows, &map, n);
            }
            dut.drive(push, 1);
            dut.drive(row, map.get(n).copied().unwrap_or(0).into());
            expect(&mut dut, rows, &map, n);
        }
    }
    dut.finish();
}

fn expect(dut: &mut Bench, rows: [duoforge_sim::PortId; ROWS], map: &[u16; 14], pushed: usize) {
    let expected = twin(map, pushed as i32 - 6);
    for (port, bits) in rows.into_iter().zip(expected) {
        dut.expect(port, bits.into());
    }
    dut.clock();
}
