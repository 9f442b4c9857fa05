//! The states of the player's controller.

use rust_hdl_core::prelude::*;

/// States of the controller.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum State {
    /// Waits for a host code.
    Idle,
    /// Reads the rival's code.
    Read,
    /// Looks the rival's placement up in its legal set.
    Check,
    /// Starts the own legal set.
    Think,
    /// Scores the own legal set.
    Search,
    /// Gets the footprint of the placement.
    Fetch,
    /// Starts to write the placement into the board.
    Stamp,
    /// Waits until it is written.
    Settle,
    /// Sends the answer.
    Send,
}
