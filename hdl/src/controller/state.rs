//! States of the controller.

use rust_hdl_core::prelude::*;

/// States of the controller.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum State {
    /// Waits for a host code.
    Idle,
    /// Decodes the opponent's code.
    Read,
    /// Searches the opponent's legal set for its placement.
    Check,
    /// Starts the chooser.
    Think,
    /// Waits for the chooser's best placement.
    Search,
    /// Reads the footprint of the placement.
    Fetch,
    /// Starts to write the placement into the board.
    Stamp,
    /// Waits until the placement is on the board.
    Settle,
    /// Sends the reply.
    Send,
}
