//! Results of games that several checks examine.

use std::time::Duration;

use duoforge_links::wirelog::WireEntry;

use crate::Fault;

/// Record of the first game, up to its end or first fatal fault.
#[derive(Clone, Debug)]
pub struct FirstGame {
    /// Faults in the order in which they occurred.
    pub faults: Vec<Fault>,
    /// Fault that ended the game early.
    pub cut: Option<Fault>,
    /// Number of replies to prompts for a move.
    pub answers: usize,
    /// Maximum time of a complete reply to a prompt for a move.
    pub slowest: Duration,
    /// Log of the traffic.
    pub wire: Vec<WireEntry>,
}

/// Results of games against an opponent that passes.
#[derive(Clone, Debug, Default)]
pub struct Alone {
    /// Number of games played.
    pub games: u32,
    /// Maximum number of tiles that the device placed after a pass of the opponent in one game.
    pub moves: usize,
    /// Last tile, if the device placed all its tiles.
    pub all: Option<String>,
    /// First voluntary pass.
    pub early_pass: Option<Fault>,
}
