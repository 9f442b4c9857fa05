//! Record of a game.

use std::time::Duration;

use duoforge_links::wirelog::WireEntry;
use duoforge_protocol::{MoveCode, TeamCode};
use duoforge_rules::{DuoBoard, Move};

use crate::{Ending, Outcome, Seat, Seats, Setup};

/// Time of a reply, from the last byte sent to the last byte received.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Time {
    /// Wall clock time.
    pub wall: Duration,
    /// Simulated time, if the player is simulated.
    pub simulated: Option<Duration>,
    /// Maximum host latency during the wait, see [`StallMonitor`](crate::StallMonitor). The host
    /// may have caused this part of the wall clock time.
    pub host: Duration,
}

impl Time {
    /// Time that is compared with the limit: simulated time if known, otherwise wall clock time.
    #[must_use]
    pub fn judged(&self) -> Duration {
        self.simulated.unwrap_or(self.wall)
    }
}

/// Accepted move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The player that moved.
    pub seat: Seat,
    /// Code as received; aliases are kept.
    pub code: MoveCode,
    /// Move that the code denotes.
    pub mv: Move,
    /// Number of legal placements before the move.
    pub legal: u32,
    /// Time of the reply.
    pub time: Time,
    /// True if the move stands for one that the player forfeited because its time bank ran out: a
    /// pass, or on the first turn of a text bot a placement.
    pub forfeit: bool,
    /// Text that the player wrote behind the move.
    pub text: Option<String>,
}

/// Unsolicited bytes: received while no reply was due.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsolicited {
    /// The player that sent them.
    pub seat: Seat,
    /// Number of moves played before the bytes were noticed.
    pub ply: usize,
    /// Received bytes without blanks.
    pub bytes: Vec<u8>,
}

/// Finished game with its evidence.
#[derive(Clone, Debug)]
pub struct Game {
    /// First player and start cells.
    pub setup: Setup,
    /// Names of the players.
    pub names: Seats<String>,
    /// Team codes of the handshake.
    pub teams: Seats<Option<TeamCode>>,
    /// Accepted moves.
    pub plies: Vec<Ply>,
    /// Position after these moves.
    pub board: DuoBoard,
    /// Number of cells that each player covers.
    pub cells_placed: Seats<u32>,
    /// Score of each player by the contest's rule.
    pub score: Seats<i32>,
    /// Reason why the game ended.
    pub ending: Ending,
    /// Result of the game.
    pub outcome: Outcome,
    /// Unsolicited bytes; they do not affect the result.
    pub unsolicited: Vec<Unsolicited>,
    /// Time waited before the handshake for the reset of each device after its last game.
    pub resets: Seats<Duration>,
    /// Logs of the players whose program this process started and reads the log of.
    pub logs: Seats<Option<String>>,
    /// Bytes on both connections with their times.
    pub wire: Vec<WireEntry>,
}

impl Game {
    /// Returns the moves as codes separated by blanks: one line of a record file.
    #[must_use]
    pub fn codes(&self) -> String {
        let codes: Vec<_> = self
            .plies
            .iter()
            .map(|ply| ply.code.escape_ascii().to_string())
            .collect();
        codes.join(" ")
    }

    /// Maximum reply time of a player.
    #[must_use]
    pub fn slowest(&self, seat: Seat) -> Option<Time> {
        let plies = self.plies.iter().filter(|ply| ply.seat == seat);
        plies.map(|ply| ply.time).max_by_key(Time::judged)
    }
}
