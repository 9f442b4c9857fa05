//! Tests of the nearest member: sets of one number, of a few, of most and of all numbers.

use duoforge_hdl::harness::scans::NearestUnit;
use duoforge_hdl::search::playout::nearest::{NUMBERS, place, twin};
use duoforge_sim::{Backend, PortId};
use duoforge_twin::Rng;

use crate::support::{bench::Bench, in_every_simulator};

in_every_simulator!(bench; verilator 3_000, icarus 200, rust 200);

/// Numbers that are searched for in each set.
const WISHES: u32 = 12;

fn bench(backend: Backend, sets: u32) {
    let mut dut = Bench::open(backend, NearestUnit::default(), "nearest_unit");
    let set: [PortId; 4] = std::array::from_fn(|part| dut.input(&format!("set${part}")));
    let (wish, number) = (dut.input("wish"), dut.output("number"));
    let mut rng = Rng::new(33);
    // The result is registered, so it is compared one cycle later.
    let mut before = None;
    for round in 0..sets {
        let members = members(&mut rng, round as usize);
        let mut bits = [0_u64; 4];
        for &member in &members {
            bits[place(member) / 32] |= 1 << (place(member) % 32);
        }
        for (port, bits) in set.into_iter().zip(bits) {
            dut.drive(port, bits);
        }
        for _ in 0..WISHES {
            let wished = rng.below(NUMBERS as u32) as usize;
            dut.drive(wish, wished as u64);
            if let Some(nearest) = before {
                dut.expect(number, nearest as u64);
            }
            before = twin(&members, wished);
            dut.clock();
        }
    }
    assert_eq!(dut.finish(), u64::from(sets * WISHES - 1));
}

/// Returns a set that is not empty: first each number alone, then sets of all densities.
fn members(rng: &mut Rng, round: usize) -> Vec<usize> {
    if round < NUMBERS {
        return vec![round];
    }
    let share = rng.below(9);
    let mut members: Vec<usize> = (0..NUMBERS).filter(|_| rng.below(8) < share).collect();
    members.push(rng.below(NUMBERS as u32) as usize);
    members
}
