//! Referee of games of every variant.

use std::fmt;
use std::time::{Duration, Instant};

use duoforge_rules::{Game, GameVariant, Move, PlayedMove, Seat};

use super::seat_clock::{Punctuality, SeatClock};
use super::{
    MoverFault, SeatFault, SeatFaultKind, TimeLeft, VariantGame, VariantJudge, VariantMover,
    VariantPly,
};
use crate::{RefereeError, StallMonitor, TimeControl};

/// Player of games of any variant.
pub struct VariantPlayer {
    name: String,
    mover: Box<dyn VariantMover>,
    time: Option<TimeControl>,
}

impl VariantPlayer {
    /// Creates a player without a time limit.
    #[must_use]
    pub fn new(name: impl Into<String>, mover: impl VariantMover + 'static) -> Self {
        Self {
            name: name.into(),
            mover: Box::new(mover),
            time: None,
        }
    }

    /// Sets the time control.
    #[must_use]
    pub fn with_time(mut self, control: TimeControl) -> Self {
        self.mover.set_time_control(control);
        self.time = Some(control);
        self
    }

    /// Name of the player.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The program or person.
    pub fn mover(&mut self) -> &mut dyn VariantMover {
        &mut *self.mover
    }
}

impl fmt::Debug for VariantPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("VariantPlayer")
            .field("name", &self.name)
            .field("time", &self.time)
            .finish_non_exhaustive()
    }
}

/// Observer of games of any variant. The default methods do nothing.
#[expect(unused_variables, reason = "the default methods do nothing")]
pub trait VariantObserver {
    /// Called when a game begins. Entry `i` of `seating` is the index of the player in seat `i`.
    fn begun(&mut self, seating: &[usize]) {}

    /// Called after an accepted move was played.
    fn moved(&mut self, ply: &VariantPly, game: &Game) {}

    /// Called when a game has ended.
    fn ended(&mut self, game: &VariantGame) {}

    /// True aborts the game after this move, without a result.
    fn breaks_off(&mut self) -> bool {
        false
    }
}

/// Observer that ignores all events.
impl VariantObserver for () {}

/// Players and the variant of their games.
///
/// ```
/// use duoforge_referee::variant::{MoverFault, TimeLeft, VariantMover, VariantPlayer,
/// VariantReferee}; use duoforge_rules::{Game, GameVariant, Move};
///
/// struct First;
///
/// impl VariantMover for First {
///     fn choose(&mut self, game: &Game, _: TimeLeft) -> Result<Move, MoverFault> {
///         Ok(game.legal_moves()[0])
///     }
/// }
///
/// let players = ["A", "B", "C", "D"].map(|name| VariantPlayer::new(name, First));
/// let mut referee = VariantReferee::new(&GameVariant::CLASSIC, players.into())?;
/// let game = referee.play(&[3, 0, 1, 2], &mut ())?;
/// assert_eq!(game.seats[0].name, "D");
/// assert_eq!(game.word(), "finished");
/// # Ok::<(), duoforge_referee::RefereeError>(())
/// ```
#[derive(Debug)]
pub struct VariantReferee {
    variant: GameVariant,
    players: Vec<VariantPlayer>,
}

impl VariantReferee {
    /// Creates a referee for one player for each seat of the variant.
    ///
    /// # Errors
    /// [`RefereeError::PlayerCount`].
    pub fn new(variant: &GameVariant, players: Vec<VariantPlayer>) -> Result<Self, RefereeError> {
        if players.len() != variant.seat_count() {
            return Err(RefereeError::PlayerCount {
                variant: variant.name().to_owned(),
                seats: variant.seat_count(),
                players: players.len(),
            });
        }
        Ok(Self {
            variant: variant.clone(),
            players,
        })
    }

    /// Names of the players.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let names = self.players.iter().map(|player| player.name.clone());
        names.collect()
    }

    /// Players in the order of [`new`](Self::new).
    pub fn players(&mut self) -> &mut [VariantPlayer] {
        &mut self.players
    }

    /// Returns the players, for games with other opponents.
    #[must_use]
    pub fn into_players(self) -> Vec<VariantPlayer> {
        self.players
    }

    /// Plays one game. Entry `i` of `seating` is the index of the player in seat `i`.
    ///
    /// # Errors
    /// [`RefereeError::CheckersDisagree`], a failure of this program, [`RefereeError::Unsuitable`],
    /// and [`RefereeError::BrokenOff`]. Every fault of a player is a [`SeatFault`] instead.
    ///
    /// # Panics
    /// If `seating` does not name each player once.
    pub fn play(
        &mut self,
        seating: &[usize],
        observer: &mut dyn VariantObserver,
    ) -> Result<VariantGame, RefereeError> {
        let mut sorted = seating.to_vec();
        sorted.sort_unstable();
        assert!(
            sorted.iter().copied().eq(0..self.players.len()),
            "a seating names each player once"
        );
        let clock = |&index: &usize| self.players[index].time.map(SeatClock::full);
        let mut play = Play {
            clocks: seating.iter().map(clock).collect(),
            players: &mut self.players,
            seating,
            judge: VariantJudge::new(&self.variant),
            plies: Vec::new(),
            faults: vec![None; seating.len()],
        };
        play.begin()?;
        observer.begun(seating);
        let played = play.moves(observer);
        let logs = play.end();
        played?;
        let names = seating
            .iter()
            .map(|&index| play.players[index].name.clone());
        let names = names.collect();
        let game = VariantGame::new(play.judge.into_game(), play.plies, names, play.faults, logs);
        observer.ended(&game);
        Ok(game)
    }
}

/// Game in progress. Lists but `players` are in the order of seats.
struct Play<'a> {
    players: &'a mut [VariantPlayer],
    seating: &'a [usize],
    clocks: Vec<Option<SeatClock>>,
    judge: VariantJudge,
    plies: Vec<VariantPly>,
    faults: Vec<Option<SeatFault>>,
}

/// Reply of a player, judged by its time.
enum Reply {
    Move(Move),
    /// The bank ran out for the first time.
    Forfeit,
    Fault(SeatFaultKind),
}

impl Play<'_> {
    fn player(&mut self, seat: Seat) -> &mut VariantPlayer {
        &mut self.players[self.seating[seat.index()]]
    }

    fn begin(&mut self) -> Result<(), RefereeError> {
        let variant = self.judge.game().variant().clone();
        for seat in variant.seats() {
            let player = self.player(seat);
            match player.mover.begin(&variant, seat) {
                Ok(()) => {}
                Err(MoverFault::Unsuitable(reason)) => {
                    return Err(RefereeError::Unsuitable {
                        name: player.name.clone(),
                        variant: variant.name().to_owned(),
                        reason,
                    });
                }
                Err(fault) => {
                    let kind = kind(fault, TimeLeft::UNLIMITED);
                    self.fault(seat, kind);
                }
            }
        }
        Ok(())
    }

    /// Ends the game of each player, and returns the rest of each seat's log.
    fn end(&mut self) -> Vec<Option<String>> {
        let game = self.judge.game();
        for player in self.players.iter_mut() {
            player.mover.end(game);
        }
        let rest = |&index: &usize| self.players[index].mover.take_log();
        self.seating.iter().map(rest).collect()
    }

    /// Plays moves until the game ends.
    fn moves(&mut self, observer: &mut dyn VariantObserver) -> Result<(), RefereeError> {
        while let Some(seat) = self.judge.game().seat_to_move()
            && self.is_contested()
        {
            let Some(ply) = self.ply(seat)? else {
                continue;
            };
            observer.moved(&ply, self.judge.game());
            self.plies.push(ply);
            if observer.breaks_off() {
                return Err(RefereeError::BrokenOff);
            }
        }
        Ok(())
    }

    /// True if several seats have no fault, or the only seat of the variant has none.
    fn is_contested(&self) -> bool {
        let sound = self.faults.iter().filter(|fault| fault.is_none()).count();
        sound > 1 || sound == 1 && self.faults.len() == 1
    }

    /// Plays a move of the seat to move; `None` if the seat has a fault from now on.
    fn ply(&mut self, seat: Seat) -> Result<Option<VariantPly>, RefereeError> {
        let game = self.judge.game();
        let legal = game.count_legal();
        let colour = game.to_move().expect("the game has not ended");
        let mut ply = VariantPly {
            played: PlayedMove {
                colour,
                seat,
                mv: Move::Pass,
            },
            legal,
            time: Duration::ZERO,
            host: Duration::ZERO,
            forfeit: false,
            remark: None,
            log: None,
        };
        let has_fault = self.faults[seat.index()].is_some();
        let reply = if has_fault {
            Reply::Forfeit
        } else {
            self.ask(seat, &mut ply)
        };
        let mv = match reply {
            Reply::Move(mv) => mv,
            Reply::Forfeit => {
                ply.forfeit = true;
                let game = self.judge.game();
                if has_fault {
                    game.substitute()
                } else {
                    game.forfeited_move()
                }
            }
            Reply::Fault(kind) => {
                self.fault(seat, kind);
                return Ok(None);
            }
        };
        ply.played.mv = mv;
        match self.judge.play(mv)? {
            Ok(()) => {
                let mover = &mut self.player(seat).mover;
                ply.remark = mover.take_remark();
                ply.log = mover.take_log();
                Ok(Some(ply))
            }
            Err(reason) => {
                self.fault(seat, SeatFaultKind::Illegal { mv, reason });
                Ok(None)
            }
        }
    }

    /// Asks the player of a seat for a move, and measures its time.
    fn ask(&mut self, seat: Seat, ply: &mut VariantPly) -> Reply {
        let stalls = StallMonitor::of_host();
        let clock = self.clocks[seat.index()];
        let time = clock.map_or(TimeLeft::UNLIMITED, |clock| clock.time_left());
        let index = self.seating[seat.index()];
        let begin = Instant::now();
        let reply = self.players[index].mover.choose(self.judge.game(), time);
        let end = Instant::now();
        // The player is not charged for time in which the host did not run it.
        let stall = stalls.stall(begin, end).stopped;
        ply.time = (end - begin).saturating_sub(stall);
        ply.host = stalls.latency(begin);
        let clock = self.clocks[seat.index()].as_mut();
        let punctuality = clock.map_or(Punctuality::InTime, |clock| clock.pay(ply.time));
        let limit = time.left.unwrap_or_default();
        match (reply, punctuality) {
            (Err(fault), _) => Reply::Fault(kind(fault, time)),
            (Ok(mv), Punctuality::InTime) => Reply::Move(mv),
            (Ok(_), Punctuality::Forfeit) => Reply::Forfeit,
            (Ok(_), Punctuality::Lost) => Reply::Fault(SeatFaultKind::Timeout {
                after: Some(ply.time),
                limit,
            }),
        }
    }

    fn fault(&mut self, seat: Seat, kind: SeatFaultKind) {
        let log = self.player(seat).mover.take_log();
        let ply = self.plies.len();
        self.faults[seat.index()] = Some(SeatFault { ply, kind, log });
    }
}

/// Fault of a seat whose player has no move.
fn kind(fault: MoverFault, time: TimeLeft) -> SeatFaultKind {
    match fault {
        MoverFault::Resigned => SeatFaultKind::Resigned,
        MoverFault::Silent => SeatFaultKind::Timeout {
            after: None,
            limit: time.left.unwrap_or_default(),
        },
        MoverFault::Unreadable { reply, reason } => SeatFaultKind::Invalid { reply, reason },
        MoverFault::Unsuitable(reason) | MoverFault::Failed(reason) => {
            SeatFaultKind::Failed(reason)
        }
    }
}
