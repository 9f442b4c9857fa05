//! What a server serves.

use std::time::Duration;

use duoforge_rules::{DuoBoard, Move, Placement, Player};

/// A program that chooses moves of Blokus Duo.
///
/// The server keeps the board, knows the rules and the protocol; this chooses moves.
pub trait Engine {
    /// The engine's name.
    fn name(&self) -> &str;

    /// The version of the program.
    fn version(&self) -> &str;

    /// The move of the player whose turn it is. There is a legal placement, and the board never
    /// says that the game is over: controllers may ask one side more often than the other.
    ///
    /// # Errors
    /// Why there is none, as a short text; the controller is told.
    fn choose(&mut self, board: &DuoBoard) -> Result<Move, String>;

    /// A new game begins.
    fn begin(&mut self) {}

    /// Makes what is random in the choices depend on this number.
    fn seed(&mut self, seed: u64) {
        let _ = seed;
    }

    /// What the last search thought of its move: from 0, a lost game, to 1 for the side that moved.
    fn value(&self) -> Option<f64> {
        None
    }

    /// What the last search thought of placements, its move first; none where it does not say.
    fn move_values(&self) -> Vec<MoveValue> {
        Vec::new()
    }

    /// The parameters that can be set while it runs, and their values.
    fn parameters(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Sets a parameter.
    ///
    /// # Errors
    /// That there is no such parameter, or why it cannot have this value.
    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let _ = value;
        Err(format!("unknown parameter {key}"))
    }

    /// How the time of a game is counted; both players have the same.
    fn time_settings(&mut self, settings: TimeSettings) {
        let _ = settings;
    }

    /// What a player has left: the time, and the moves to be made in it, where it is counted for a
    /// number of moves.
    fn time_left(&mut self, player: Player, left: Duration, moves: u32) {
        let _ = (player, left, moves);
    }
}

/// What a search thought of a placement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveValue {
    /// The placement.
    pub placement: Placement,
    /// Simulations that went through it; 0 where it was not searched but solved.
    pub visits: u32,
    /// From 0, a lost game, to 1 for the side that moved.
    pub value: f64,
}

/// The time for a game: a main time, after which periods begin that are long enough for some moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeSettings {
    /// The main time.
    pub main: Duration,
    /// The length of a period.
    pub period: Duration,
    /// Moves to be made in a period; 0 with a period that is not 0 means that there is no limit.
    pub moves: u32,
}
