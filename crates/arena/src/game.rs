//! What is kept of a game.

use std::time::Duration;

use duoforge_protocol::wirelog::WireEntry;
use duoforge_protocol::{MoveCode, TeamCode};
use duoforge_rules::{DuoBoard, Move};

use crate::{Ending, Outcome, Seat, Seats, Setup};

/// How long an answer took, from the last byte sent to the last byte received.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Time {
    /// By the wall clock.
    pub wall: Duration,
    /// In simulated time, where the player is simulated.
    pub simulated: Option<Duration>,
    /// How late the host itself was at most meanwhile, see [`Pulse`](crate::Pulse). It is a part of
    /// the wall time that may not be the player's.
    pub host: Duration,
}

impl Time {
    /// The time that counts: the simulated one where it is known.
    #[must_use]
    pub fn judged(&self) -> Duration {
        self.simulated.unwrap_or(self.wall)
    }
}

/// One accepted move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// Whose move.
    pub seat: Seat,
    /// The code as it came; aliases are kept.
    pub code: MoveCode,
    /// The move it names.
    pub turn: Move,
    /// Number of legal placements before the move.
    pub legal: u32,
    /// How long it took.
    pub time: Time,
    /// Whether it is a pass that was entered for a player whose time bank ran out.
    pub forfeit: bool,
}

/// Bytes that came while nothing was due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stray {
    /// From whom.
    pub seat: Seat,
    /// Number of moves before they were noticed.
    pub ply: usize,
    /// The bytes, blanks left out.
    pub bytes: Vec<u8>,
}

/// A game that has ended, with its evidence.
#[derive(Clone, Debug)]
pub struct Game {
    /// Who moved first, and who started where.
    pub setup: Setup,
    /// The players' names.
    pub names: Seats<String>,
    /// The team codes of the handshake.
    pub teams: Seats<Option<TeamCode>>,
    /// The accepted moves.
    pub plies: Vec<Ply>,
    /// The position after them.
    pub board: DuoBoard,
    /// Cells that each player covers.
    pub squares: Seats<u32>,
    /// Each player's score by the contest's rule.
    pub score: Seats<i32>,
    /// Why it ended.
    pub ending: Ending,
    /// Who won.
    pub outcome: Outcome,
    /// Bytes that came while nothing was due. They decide nothing.
    pub strays: Vec<Stray>,
    /// Every byte on both lines, with its time.
    pub wire: Vec<WireEntry>,
}

impl Game {
    /// The moves as a list of codes separated by blanks, a line of a record file.
    #[must_use]
    pub fn codes(&self) -> String {
        let codes: Vec<_> = self
            .plies
            .iter()
            .map(|ply| ply.code.escape_ascii().to_string())
            .collect();
        codes.join(" ")
    }

    /// The longest time that an answer of a player took.
    #[must_use]
    pub fn slowest(&self, seat: Seat) -> Option<Time> {
        let plies = self.plies.iter().filter(|ply| ply.seat == seat);
        plies.map(|ply| ply.time).max_by_key(Time::judged)
    }
}
