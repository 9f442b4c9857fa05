//! Gate-level tests: the player after synthesis, with the technology's cell models, against the
//! twin.

use duoforge_sim::device::SimDevice;
use duoforge_sim::gates::Technology;
use duoforge_sim::{Backend, Options};

use super::{lockstep, parameters};
use crate::support::share::share;

#[test]
fn verilator_games_on_ecp5() {
    lockstep::equal(Backend::Verilator, Some(Technology::Ecp5), share(50), 5001);
}

#[test]
fn verilator_games_on_ice40() {
    lockstep::equal(Backend::Verilator, Some(Technology::Ice40), share(25), 5101);
}

/// Compares a few positions in Icarus. Icarus tracks unknown bits, so a register that lost its
/// power-up value is visible, and it uses the technology's own model of every cell. A whole game
/// takes it a minute and a half.
fn positions(technology: Technology) {
    let parameters = parameters();
    let options = Options::default();
    let board = SimDevice::open_gates(Backend::Icarus, technology, &parameters, &options);
    let mut board = board.expect("the model can be built");
    lockstep::positions(&mut board, &parameters);
}

#[test]
fn icarus_positions_on_ecp5() {
    positions(Technology::Ecp5);
}

#[test]
fn icarus_positions_on_ice40() {
    positions(Technology::Ice40);
}
