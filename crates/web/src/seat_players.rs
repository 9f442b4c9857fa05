//! Players of seats: programs that are asked for one move at a time.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::SystemTime;

use duoforge_engine::{Engine, SearchObserver};
use duoforge_links::wirelog::WireEntry;
use duoforge_maxn::MaxnEngine;
use duoforge_players::{Mover, TimeLeft, VariantMover};
use duoforge_rules::{Colour, DuoBoard, Game, Move, Placement};
use duoforge_twin::Rng;

/// Player of a seat, for one game.
pub trait SeatPlayer: Send {
    /// Returns the move of the colour to move. The game is not over. A player may return any legal
    /// move early once `cancel` is true: its move is then dropped.
    ///
    /// # Errors
    /// A sentence for the journal if the player failed or resigned, or if there can be no result.
    fn choose(&mut self, game: &Game, cancel: &AtomicBool) -> Result<Move, NoMove>;

    /// Times of the last reply, if the player is a device.
    fn measured(&self) -> Option<Measured> {
        None
    }

    /// Takes the bytes on the connection to a device, each part with the origin of its times.
    fn take_bytes(&mut self) -> Vec<(SystemTime, Vec<WireEntry>)> {
        Vec::new()
    }

    /// Ends the game for a device.
    fn finish(&mut self) {}

    /// True if the player computes on this machine.
    fn uses_processor(&self) -> bool {
        true
    }
}

/// Reason why there is no move: a sentence for the journal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoMove {
    /// The player failed or resigned, and loses.
    #[error("{0}")]
    Lost(String),
    /// The game has no result: the player could not be reached, or this machine failed.
    #[error("{0}")]
    BrokenOff(String),
}

impl From<String> for NoMove {
    fn from(reason: String) -> Self {
        Self::Lost(reason)
    }
}

/// Times of the reply of a device, in microseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured {
    /// Wall clock time.
    pub us: u64,
    /// Simulated time, if the device is simulated.
    pub sim_us: Option<u64>,
    /// Maximum host latency.
    pub host_us: u64,
}

/// The engine for processors, whose search can be cancelled.
pub struct EngineSeat(pub Engine);

/// Observer that cancels a search.
struct Cancel<'a>(&'a AtomicBool);

impl SearchObserver for Cancel<'_> {
    fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl SeatPlayer for EngineSeat {
    fn choose(&mut self, game: &Game, cancel: &AtomicBool) -> Result<Move, NoMove> {
        let limit = self.0.settings().limit;
        let found = self
            .0
            .choose_observed(&board(game)?, limit, &Cancel(cancel));
        Ok(found.mv)
    }
}

/// The engine for every variant, whose search can be cancelled.
pub struct MaxnSeat(pub MaxnEngine);

impl SeatPlayer for MaxnSeat {
    fn choose(&mut self, game: &Game, cancel: &AtomicBool) -> Result<Move, NoMove> {
        let limit = self.0.settings().limit;
        let result = self.0.choose_while(game, limit, |_| {
            if cancel.load(Ordering::Relaxed) {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            }
        });
        result
            .map(|result| result.mv)
            .ok_or_else(|| NoMove::Lost("the game is over".to_owned()))
    }
}

/// Player of Blokus Duo that is asked for moves on a board.
pub struct DuoSeat(pub Box<dyn Mover>);

/// Board of a game of Blokus Duo.
fn board(game: &Game) -> Result<DuoBoard, String> {
    let mut board = DuoBoard::duo();
    for played in game.plies() {
        board.play(played.mv).map_err(|error| error.to_string())?;
    }
    Ok(board)
}

impl SeatPlayer for DuoSeat {
    fn choose(&mut self, game: &Game, _: &AtomicBool) -> Result<Move, NoMove> {
        self.0
            .choose(&board(game)?)
            .map_err(|error| NoMove::Lost(error.to_string()))
    }
}

/// Player of any variant, such as a bot or an engine in another process.
pub struct VariantSeat {
    mover: Box<dyn VariantMover>,
    has_begun: bool,
}

impl VariantSeat {
    /// Creates the player of a seat; its game begins with its first move.
    pub fn new(mover: Box<dyn VariantMover>) -> Self {
        Self {
            mover,
            has_begun: false,
        }
    }
}

impl SeatPlayer for VariantSeat {
    fn choose(&mut self, game: &Game, _: &AtomicBool) -> Result<Move, NoMove> {
        let Some(seat) = game.seat_to_move() else {
            return Ok(Move::Pass);
        };
        let lost = |fault: duoforge_players::MoverFault| NoMove::Lost(fault.to_string());
        if !self.has_begun {
            self.mover.begin(game.variant(), seat).map_err(lost)?;
            self.has_begun = true;
        }
        self.mover.choose(game, TimeLeft::UNLIMITED).map_err(lost)
    }
}

/// Board in a browser that is not plugged in: its game is broken off.
pub struct UnpluggedSeat;

impl SeatPlayer for UnpluggedSeat {
    fn choose(&mut self, _: &Game, _: &AtomicBool) -> Result<Move, NoMove> {
        let reason = "the board is not plugged into the browser any more";
        Err(NoMove::BrokenOff(reason.to_owned()))
    }

    fn uses_processor(&self) -> bool {
        false
    }
}

/// Random placements.
pub struct RandomSeat(pub Rng);

impl SeatPlayer for RandomSeat {
    fn choose(&mut self, game: &Game, _: &AtomicBool) -> Result<Move, NoMove> {
        let legal = game.legal();
        if legal.is_empty() {
            return Ok(Move::Pass);
        }
        Ok(Move::Place(
            legal[self.0.below(legal.len() as u32) as usize],
        ))
    }
}

/// The placement after which the seat's lead in cells and corner points is greatest.
pub struct GreedySeat;

impl SeatPlayer for GreedySeat {
    fn choose(&mut self, game: &Game, cancel: &AtomicBool) -> Result<Move, NoMove> {
        let Some(own) = game.to_move() else {
            return Ok(Move::Pass);
        };
        let mut best: Option<(i32, Placement)> = None;
        for placement in game.legal() {
            if cancel.load(Ordering::Relaxed) {
                break;
            }
            let mut after = game.clone();
            after
                .play(Move::Place(placement))
                .map_err(|error| error.to_string())?;
            let value = lead(&after, own);
            if best.is_none_or(|(most, _)| value > most) {
                best = Some((value, placement));
            }
        }
        Ok(best.map_or(Move::Pass, |(_, placement)| Move::Place(placement)))
    }
}

/// Lead of a colour's seat: cells count three, corner points one; those of opponents count half.
fn lead(game: &Game, own: Colour) -> i32 {
    let value =
        |colour| 3 * game.cells_placed(colour) as i32 + game.corner_points(colour).len() as i32;
    let seat = game.seat_of(own);
    let colours = game.colours();
    let values = colours.map(|colour| {
        let is_own = colour == own || game.variant().colours_of(seat).any(|it| it == colour);
        if is_own {
            2 * value(colour)
        } else {
            -value(colour)
        }
    });
    values.sum()
}
