//! Tests of the legality checks on random rows and random sets of tiles.

use duoforge_hdl::generator::legality::{ORIENTATIONS, twin};
use duoforge_hdl::generator::window::ROWS;
use duoforge_hdl::harness::LegalityUnit;
use duoforge_sim::Backend;
use duoforge_twin::Rng;

use crate::support::{bench::Bench, in_every_simulator};

in_every_simulator!(bench; verilator 6000, icarus 200, rust 60);

/// Tests rows of every density.
fn bench(backend: Backend, cycles: u32) {
    let mut dut = Bench::open(backend, LegalityUnit::default(), "legality_unit");
    let [push, allowed, corner, tiles, take] =
        ["push", "allowed", "corner", "tiles", "take"].map(|name| dut.input(name));
    let legal: [_; ORIENTATIONS] = dut.outputs("legal");
    let mut rng = Rng::new(4);
    let mut windows = [[0_u16; ROWS]; 2];
    let mut verdict = [0_u16; ORIENTATIONS];
    let mut placements = 0;
    for _ in 0..cycles {
        let density = [rng.below(5), rng.below(5)];
        let rows = density.map(|density| random_row(&mut rng, density));
        let left = tile_set(&mut rng);
        let (pushing, taking) = (rng.below(8) > 0, rng.below(8) > 0);
        for (port, value) in [
            (push, pushing.into()),
            (allowed, rows[0].into()),
            (corner, rows[1].into()),
            (tiles, left.into()),
            (take, taking.into()),
        ] {
            dut.drive(port, value);
        }
        for (port, columns) in legal.into_iter().zip(verdict) {
            dut.expect(port, columns.into());
        }
        dut.clock();
        if taking {
            let [allowed, corner] =
                windows.map(|window| std::array::from_fn(|row| window[row + 1]));
            verdict = twin(&allowed, &corner, left);
            placements += verdict.iter().map(|row| row.count_ones()).sum::<u32>();
        }
        if pushing {
            for (window, row) in windows.iter_mut().zip(rows) {
                window.rotate_left(1);
                window[ROWS - 1] = row;
            }
        }
    }
    assert!(placements > 10 * cycles, "{placements} placements");
    dut.finish();
}

/// Returns a row in which each cell is set with probability `density` / 4.
fn random_row(rng: &mut Rng, density: u32) -> u16 {
    (0..14).fold(0, |row, x| row | u16::from(rng.below(4) < density) << x)
}

/// Returns all tiles, all but one, one, none, or a random set.
fn tile_set(rng: &mut Rng) -> u32 {
    const ALL: u32 = (1 << 21) - 1;
    match rng.below(8) {
        0 => 1 << rng.below(21),
        1 => ALL ^ (1 << rng.below(21)),
        2 => 0,
        3 | 4 => ALL,
        _ => rng.next_u32() & ALL,
    }
}
