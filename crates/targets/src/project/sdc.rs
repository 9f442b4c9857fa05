//! Timing constraints that both vendors' tools accept.

use crate::target::{Pin, Role, Target};

/// Returns the clock constraint of the crystal.
pub(super) fn crystal(board: &Target) -> String {
    let clock = &board.clock_pin().port;
    let period = 1e9 / f64::from(board.clock.crystal_hz);
    format!("create_clock -name {{{clock}}} -period {period:.3} [get_ports {{{clock}}}]\n")
}

/// Returns false-path constraints for the other pins but those of a memory: their signals are
/// asynchronous.
pub(super) fn outside(board: &Target) -> String {
    let line = |pin: &Pin| {
        let direction = match pin.role {
            Role::Reset | Role::Rx => "from",
            Role::Tx | Role::Light | Role::Hold => "to",
            Role::Clock | Role::Memory => return None,
        };
        let port = &pin.port;
        Some(format!(
            "set_false_path -{direction} [get_ports {{{port}}}]\n"
        ))
    };
    board.pins.iter().filter_map(line).collect()
}
