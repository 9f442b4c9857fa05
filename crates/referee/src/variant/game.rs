//! Record of a game of any variant.

use std::fmt;
use std::time::Duration;

use duoforge_rules::{Game, IllegalMove, Move, PlayedMove, Seat};

/// Accepted move of a game of any variant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VariantPly {
    /// Colour, seat and move.
    pub played: PlayedMove,
    /// Number of legal placements before the move.
    pub legal: u32,
    /// Time of the reply, without host stalls; zero for a move of the referee after a fault.
    pub time: Duration,
    /// Maximum host latency during the wait.
    pub host: Duration,
    /// True if the referee entered the move: the bank ran out, or the seat has a fault.
    pub forfeit: bool,
    /// Text that the player added to the move.
    pub remark: Option<String>,
    /// Lines that the player wrote to its log before the move was accepted.
    pub log: Option<String>,
}

/// Violation or resignation of a seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatFault {
    /// Number of plies played before the fault.
    pub ply: usize,
    /// Kind of the fault.
    pub kind: SeatFaultKind,
    /// Lines that the player wrote to its log before the fault.
    pub log: Option<String>,
}

/// Kind of a fault.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SeatFaultKind {
    /// The player made a move against the rules.
    Illegal {
        /// The move.
        mv: Move,
        /// Violated rule.
        reason: IllegalMove,
    },
    /// The reply is not a move.
    Invalid {
        /// Reply, without control characters.
        reply: String,
        /// Fault of the reply.
        reason: String,
    },
    /// The reply was late or missing.
    Timeout {
        /// Time of the reply; `None` if there was none.
        after: Option<Duration>,
        /// Time limit of the reply.
        limit: Duration,
    },
    /// The player's program ended or failed.
    Failed(String),
    /// The player resigned.
    Resigned,
}

impl SeatFaultKind {
    /// Keyword for programs, stable between versions; the same as that of the
    /// [`Ending`](crate::Ending) of a contest game.
    #[must_use]
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Illegal { .. } => "illegal",
            Self::Invalid { .. } => "broken-code",
            Self::Timeout { .. } => "timeout",
            Self::Failed(_) => "link-lost",
            Self::Resigned => "resigned",
        }
    }

    /// True for a violation: every fault but a resignation.
    #[must_use]
    pub const fn is_violation(&self) -> bool {
        !matches!(self, Self::Resigned)
    }
}

/// Describes the fault as a predicate of a seat: `made the illegal move 11a0: ...`.
impl fmt::Display for SeatFaultKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Illegal { mv, reason } => write!(f, "made the illegal move {mv}: {reason}"),
            Self::Invalid { reply, reason } => {
                write!(f, "replied '{reply}', which is not a move: {reason}")
            }
            Self::Timeout { after, limit } => {
                let limit = limit.as_secs_f64();
                match after {
                    Some(after) => {
                        let after = after.as_secs_f64();
                        write!(f, "exceeded the time limit: {after:.6} s of {limit:.6} s")
                    }
                    None => write!(f, "exceeded the time limit: no reply, limit {limit:.6} s"),
                }
            }
            Self::Failed(reason) => write!(f, "failed: {reason}"),
            Self::Resigned => f.write_str("resigned"),
        }
    }
}

/// Result of a seat in a finished game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SeatRecord {
    /// Name of the player.
    pub name: String,
    /// Score in points: the sum over the seat's colours.
    pub score: i32,
    /// Place, from 1 for the best. Seats with a fault come after the others, the first fault last.
    pub place: u8,
    /// Number of cells that the seat's colours cover.
    pub cells: u32,
    /// Violation or resignation.
    pub fault: Option<SeatFault>,
    /// Lines that the player wrote to its log after its last accepted move, those before a fault
    /// included. A program in another process adds its exit status.
    pub log: Option<String>,
}

/// Finished game of any variant.
#[derive(Clone, Debug)]
pub struct VariantGame {
    /// Last position, with the variant and all moves.
    pub game: Game,
    /// Accepted moves with their times.
    pub plies: Vec<VariantPly>,
    /// Results in the order of seats.
    pub seats: Vec<SeatRecord>,
}

impl VariantGame {
    /// Ranks the seats of a game. `names`, `faults` and `logs` are in the order of seats; `logs` is
    /// what the players wrote since a fault, or since their last moves.
    pub(super) fn new(
        game: Game,
        plies: Vec<VariantPly>,
        names: Vec<String>,
        faults: Vec<Option<SeatFault>>,
        logs: Vec<Option<String>>,
    ) -> Self {
        let result = game.result();
        // Plies before the fault; a seat without a fault was never stopped.
        let stopped = |seat: Seat| {
            let fault = faults[seat.index()].as_ref();
            fault.map_or(usize::MAX, |fault| fault.ply)
        };
        let is_better = |a: Seat, b: Seat| match stopped(a).cmp(&stopped(b)) {
            std::cmp::Ordering::Equal => {
                // Two seats cannot have a fault at the same ply but before the first one.
                stopped(a) == usize::MAX
                    && result.seats()[a.index()].place < result.seats()[b.index()].place
            }
            order => order.is_gt(),
        };
        let record = |seat: Seat| SeatRecord {
            name: names[seat.index()].clone(),
            score: result.seats()[seat.index()].score,
            place: 1 + game.seats().filter(|&other| is_better(other, seat)).count() as u8,
            cells: game
                .variant()
                .colours_of(seat)
                .map(|colour| game.cells_placed(colour))
                .sum(),
            fault: faults[seat.index()].clone(),
            log: {
                let fault = faults[seat.index()].as_ref();
                let parts = [
                    fault.and_then(|it| it.log.as_ref()),
                    logs[seat.index()].as_ref(),
                ];
                let text: String = parts.into_iter().flatten().map(String::as_str).collect();
                Some(text).filter(|text| !text.is_empty())
            },
        };
        let seats = game.seats().map(record).collect();
        Self { game, plies, seats }
    }

    /// Returns the seats in the first place; several of them draw.
    #[must_use]
    pub fn winners(&self) -> Vec<Seat> {
        let seats = self.game.seats();
        seats
            .filter(|seat| self.seats[seat.index()].place == 1)
            .collect()
    }

    /// Returns the first fault and its seat.
    #[must_use]
    pub fn first_fault(&self) -> Option<(Seat, &SeatFault)> {
        let faults = self.game.seats().filter_map(|seat| {
            let fault = self.seats[seat.index()].fault.as_ref();
            fault.map(|fault| (seat, fault))
        });
        faults.min_by_key(|(_, fault)| fault.ply)
    }

    /// True if a seat broke a rule of the game or of its protocol.
    #[must_use]
    pub fn has_violation(&self) -> bool {
        let faults = self.seats.iter().filter_map(|seat| seat.fault.as_ref());
        faults.into_iter().any(|fault| fault.kind.is_violation())
    }

    /// Keyword of the ending: `finished`, or that of the first fault.
    #[must_use]
    pub fn word(&self) -> &'static str {
        self.first_fault()
            .map_or("finished", |(_, fault)| fault.kind.word())
    }

    /// Returns the moves as codes separated by blanks: one line of a list.
    #[must_use]
    pub fn codes(&self) -> String {
        let plies = self.game.plies().iter();
        let codes: Vec<_> = plies.map(|ply| ply.mv.to_string()).collect();
        codes.join(" ")
    }

    /// Returns what the player of a seat wrote to its log during the game; empty without a log.
    #[must_use]
    pub fn log(&self, seat: Seat) -> String {
        let plies = self.plies.iter().filter(|ply| ply.played.seat == seat);
        let plies = plies.filter_map(|ply| ply.log.as_deref());
        plies
            .chain(self.seats[seat.index()].log.as_deref())
            .collect()
    }

    /// Maximum reply time of a seat.
    #[must_use]
    pub fn slowest(&self, seat: Seat) -> Duration {
        let plies = self.plies.iter().filter(|ply| ply.played.seat == seat);
        plies.map(|ply| ply.time).max().unwrap_or_default()
    }
}

/// Describes the ending in a sentence: the faults in the order of seats.
impl fmt::Display for VariantGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut mark = "";
        for seat in self.game.seats() {
            if let Some(fault) = &self.seats[seat.index()].fault {
                write!(f, "{mark}seat {seat} {}", fault.kind)?;
                mark = "; ";
            }
        }
        if mark.is_empty() {
            f.write_str("finished")?;
        }
        Ok(())
    }
}
