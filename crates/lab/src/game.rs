//! One game between two movers.

use std::time::{Duration, Instant};

use duoforge_arena::{Mover, NoMove};
use duoforge_rules::{DuoBoard, Illegal, Move, Player};

/// A game that was played to its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// All moves, those of the opening first.
    pub moves: Vec<Move>,
    /// Scores at the end, the first player's first.
    pub score: [i32; 2],
    /// Who gave up.
    pub resigned: Option<Player>,
    /// What each of them took for the moves that it was asked for.
    pub time: [Thinking; 2],
}

/// Time that a player took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Thinking {
    /// Moves that it was asked for. Where no tile can be placed, nobody is asked.
    pub moves: u32,
    /// The time for all of them.
    pub total: Duration,
    /// The time for the slowest of them.
    pub slowest: Duration,
}

/// Why a game has no result. None of this is a lost game: a player that fails has not been
/// measured.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The engine behind a player failed.
    #[error(transparent)]
    Failed(NoMove),
    /// A player made an illegal move.
    #[error("the move {turn} is illegal after [{moves}]: {reason}")]
    Illegal {
        /// The move.
        turn: Move,
        /// The moves before it, separated by blanks.
        moves: String,
        /// The rule.
        reason: Illegal,
    },
}

impl Played {
    /// The result for the first player in half points: 2 for a win, 1 for a draw.
    #[must_use]
    pub fn halves(&self) -> u32 {
        match (self.resigned, self.score) {
            (Some(Player(0)), _) => 0,
            (Some(_), _) => 2,
            (None, [first, second]) => match first.cmp(&second) {
                std::cmp::Ordering::Less => 0,
                std::cmp::Ordering::Equal => 1,
                std::cmp::Ordering::Greater => 2,
            },
        }
    }

    /// The first player's score less the second's; none where somebody gave up.
    #[must_use]
    pub fn margin(&self) -> Option<i32> {
        let [first, second] = self.score;
        self.resigned.is_none().then(|| first - second)
    }
}

impl Thinking {
    /// Adds a player's time in another game.
    pub fn add(&mut self, other: Self) {
        self.moves += other.moves;
        self.total += other.total;
        self.slowest = self.slowest.max(other.slowest);
    }

    /// Seconds for a move, on average.
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

/// Plays a game by the contest's rules from an opening, between players in the order of turns.
/// Nothing comes of it if `stop` says so before its end.
///
/// # Errors
/// Whose fault ended the game, and which.
///
/// # Panics
/// If the opening is illegal.
pub fn play(
    opening: &[Move],
    players: [&mut dyn Mover; 2],
    mut stop: impl FnMut() -> bool,
) -> Result<Option<Played>, (Player, Fault)> {
    let mut board = DuoBoard::duo();
    for &turn in opening {
        board.play(turn).expect("an opening is legal");
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
        let turn = match players[player.index()].choose(&board) {
            Ok(turn) => turn,
            Err(NoMove::Resigned(_)) => {
                resigned = Some(player);
                break;
            }
            Err(reason) => return Err((player, Fault::Failed(reason))),
        };
        time[player.index()].count(start.elapsed());
        if let Err(reason) = board.play(turn) {
            let moves = codes(board.moves());
            let fault = Fault::Illegal {
                turn,
                moves,
                reason,
            };
            return Err((player, fault));
        }
    }
    Ok(Some(Played {
        moves: board.moves().to_vec(),
        score: [0, 1].map(|player| board.score(Player(player))),
        resigned,
        time,
    }))
}

/// Moves as a line of codes.
#[must_use]
pub fn codes(moves: &[Move]) -> String {
    let codes: Vec<_> = moves.iter().map(ToString::to_string).collect();
    codes.join(" ")
}
