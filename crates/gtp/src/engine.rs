//! Interface of an engine that the server exposes.

use std::time::Duration;

use duoforge_rules::{Colour, DuoBoard, Move, Placement};

/// Program that chooses moves of Blokus Duo.
///
/// The server tracks the board and implements the rules and the protocol; the engine only chooses
/// moves.
pub trait GtpEngine {
    /// Returns the name of the engine.
    fn name(&self) -> &str;

    /// Returns the version of the program.
    fn version(&self) -> &str;

    /// Chooses a move for the side to move. There is a legal placement, and the board is never
    /// over: controllers may prompt one side more often than the other.
    ///
    /// # Errors
    /// The reason why the engine has no move, as a short text for the controller.
    fn choose(&mut self, board: &DuoBoard) -> Result<Move, String>;

    /// Starts a new game.
    fn begin(&mut self) {}

    /// Seeds the random choices.
    fn seed(&mut self, seed: u64) {
        let _ = seed;
    }

    /// Returns the value of the last search's move for the side that moved, from 0 (loss) to 1
    /// (win).
    fn value(&self) -> Option<f64> {
        None
    }

    /// Returns the values of placements in the last search, its move first; empty if the engine
    /// does not report them.
    fn move_values(&self) -> Vec<MoveValue> {
        Vec::new()
    }

    /// Returns the parameters that can be set at run time, with their values.
    fn parameters(&self) -> Vec<(String, String)> {
        Vec::new()
    }

    /// Sets a parameter.
    ///
    /// # Errors
    /// The parameter is unknown, or does not accept this value.
    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let _ = value;
        Err(format!("unknown parameter {key}"))
    }

    /// Sets the time control of a game, the same for both players.
    fn time_settings(&mut self, settings: TimeSettings) {
        let _ = settings;
    }

    /// Sets the remaining time of a player; with byo-yomi periods, `moves` is the number of moves
    /// to play in it.
    fn time_left(&mut self, player: Colour, left: Duration, moves: u32) {
        let _ = (player, left, moves);
    }
}

/// Search result for a placement.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MoveValue {
    /// Placement.
    pub placement: Placement,
    /// Visit count; 0 if the endgame solver found the value.
    pub visits: u32,
    /// Value for the side that moved, from 0 (loss) to 1 (win).
    pub value: f64,
}

/// Time control of a game: a main time, then periods for a number of moves each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeSettings {
    /// Main time.
    pub main: Duration,
    /// Length of a period.
    pub period: Duration,
    /// Moves to play in a period; 0 with a non-zero period means no limit.
    pub moves: u32,
}
