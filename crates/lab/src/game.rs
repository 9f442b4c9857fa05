//! Single game between two movers.

use std::time::{Duration, Instant};

use duoforge_players::{MoveError, Mover};
use duoforge_rules::{Colour, DuoBoard, IllegalMove, Move};

/// Finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// All moves, opening included.
    pub moves: Vec<Move>,
    /// Final scores, first player first.
    pub score: [i32; 2],
    /// Player that resigned.
    pub resigned: Option<Colour>,
    /// Thinking time of each player.
    pub time: [Thinking; 2],
}

/// Thinking time of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Thinking {
    /// Number of moves that the player was asked for. Forced passes are not asked for.
    pub moves: u32,
    /// Total time.
    pub total: Duration,
    /// Time of the slowest move.
    pub slowest: Duration,
}

/// Reason why a game has no result. A fault is not a loss: a player that fails has not been
/// measured.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The engine of a player failed.
    #[error(transparent)]
    Failed(MoveError),
    /// A player made an illegal move.
    #[error("the move {mv} is illegal after [{moves}]: {reason}")]
    Illegal {
        /// Illegal move.
        mv: Move,
        /// Moves before it, separated by blanks.
        moves: String,
        /// Reason why the move is illegal.
        reason: IllegalMove,
    },
}

impl Played {
    /// Returns the result for the first player in half points: 2 for a win, 1 for a draw.
    #[must_use]
    pub fn halves(&self) -> u32 {
        match (self.resigned, self.score) {
            (Some(Colour(0)), _) => 0,
            (Some(_), _) => 2,
            (None, [first, second]) => match first.cmp(&second) {
                std::cmp::Ordering::Less => 0,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Greater => 2,
            },
        }
    }

    /// Returns the margin of the first player in points; `None` if a player resigned.
    #[must_use]
    pub fn margin(&self) -> Option<i32> {
        let [first, second] = self.score;
        self.resigned.is_none().then(|| first - second)
    }
}

impl Thinking {
    /// Adds the player's time in another game.
    pub fn add(&mut self, other: Self) {
        self.moves += other.moves;
        self.total += other.total;
        self.slowest = self.slowest.max(other.slowest);
    }

    /// Returns the mean time per move in seconds.
    #[must_use]
    pub fn mean(&self) -> f64 {
        self.total.as_secs_f64() / f64::from(self.moves.max(1))
    }

    fn count(&mut self, time: Duration) {
        self.add(Self {
            moves: 1,
            total: time,
            slowest: time,
        });
    }
}

/// Plays a game by the contest's rules from an opening; `players` are in the order of turns.
/// Returns `None` if `stop` returns true before the end.
///
/// # Errors
/// The player at fault, and the fault.
///
/// # Panics
/// If the opening is illegal.
pub fn play(
    opening: &[Move],
    players: [&mut dyn Mover; 2],
    mut stop: impl FnMut() -> bool,
) -> Result<Option<Played>, (Colour, Fault)> {
    let mut board = DuoBoard::duo();
    for &mv in opening {
        board.play(mv).expect("an opening is legal");
    }
    let mut time = [Thinking::default(); 2];
    let mut resigned = None;
    while !board.is_over() {
        if stop() {
            return Ok(None);
        }
        let player = board.to_move();
        if !board.has_legal() {
            board.play(Move::Pass).expect("who cannot place may pass");
            continue;
        }
        let start = Instant::now();
        let mv = match players[player.index()].choose(&board) {
            Ok(mv) => mv,
            Err(MoveError::Resigned(_)) => {
                resigned = Some(player);
                break;
            }
            Err(reason) => return Err((player, Fault::Failed(reason))),
        };
        time[player.index()].count(start.elapsed());
        if let Err(reason) = board.play(mv) {
            let moves = codes(board.moves());
            let fault = Fault::Illegal { mv, moves, reason };
            return Err((player, fault));
        }
    }
    Ok(Some(Played {
        moves: board.moves().to_vec(),
        score: [0, 1].map(|player| board.score(Colour(player))),
        resigned,
        time,
    }))
}

/// Formats moves as a line of codes.
#[must_use]
pub fn codes(moves: &[Move]) -> String {
    let codes: Vec<_> = moves.iter().map(ToString::to_string).collect();
    codes.join(" ")
}
