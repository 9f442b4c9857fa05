//! Referee: runs games between two players by the contest's rules.

use std::time::Duration;

use duoforge_links::wirelog::WireLog;
use duoforge_protocol::{REPLY_LIMIT, TeamCode};
use duoforge_rules as rules;

use crate::connection::Connection;
use crate::play::Play;
use crate::reset::{await_resets, take_waited};
use crate::{Ending, Fault, Game, Player, Ply, RefereeError, Seat, Seats, Setup};

/// Number of attempts at a game, annulled by host stalls, after which a series stops.
const STALLS: u32 = 5;

/// Options that the organisers choose.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RefereeOptions {
    /// Time limit of a reply, from the last byte sent to the last byte received.
    pub limit: Duration,
    /// Maximum number of `0` prompts per player before a game is abandoned, since no game has begun
    /// yet.
    pub handshakes: u32,
    /// Pause after a game, for devices outside this process.
    pub pause: Duration,
}

impl Default for RefereeOptions {
    /// The contest's options: 1 s per reply, 300 ms between games. Up to 3 handshakes.
    fn default() -> Self {
        Self {
            limit: REPLY_LIMIT,
            handshakes: 3,
            pause: Duration::from_millis(300),
        }
    }
}

/// Observer of a match. The default methods do nothing.
#[expect(unused_variables, reason = "the default methods do nothing")]
pub trait Observer {
    /// Called when both players have replied to `0` and the game begins.
    fn begun(&mut self, setup: Setup, teams: &Seats<TeamCode>) {}

    /// Called after an accepted move was played on the board.
    fn moved(&mut self, ply: &Ply, board: &rules::DuoBoard) {}

    /// Called when a game has ended, or was [annulled](Ending::Annulled).
    fn ended(&mut self, game: &Game) {}

    /// Called before the referee waits for the reset of a device after its last game.
    fn resets(&mut self, seat: Seat, time: Duration) {}

    /// True aborts the game after this move, without a result.
    fn breaks_off(&mut self) -> bool {
        false
    }

    /// True stops a series before the next game, also during the wait for a reset.
    fn wants_stop(&mut self) -> bool {
        false
    }
}

/// Observer that ignores all events.
impl Observer for () {}

/// Two players and the options of their games.
pub struct Referee {
    lines: Seats<Connection>,
    rules: RefereeOptions,
    log: WireLog,
}

impl Referee {
    /// Creates a referee for player 1 and player 2.
    #[must_use]
    pub fn new([one, two]: [Player; 2], rules: RefereeOptions) -> Self {
        let log = WireLog::new();
        let line = |player, seat| Connection::new(player, seat, log.clone(), rules.limit);
        Self {
            lines: Seats([line(one, Seat::One), line(two, Seat::Two)]),
            rules,
            log,
        }
    }

    /// Names of the players.
    #[must_use]
    pub fn names(&self) -> Seats<String> {
        Seats::each(|seat| self.lines[seat].name().to_owned())
    }

    /// Versions of the players that are known.
    #[must_use]
    pub fn versions(&self) -> Seats<Option<String>> {
        Seats::each(|seat| self.lines[seat].version().map(str::to_owned))
    }

    /// Wire log of both connections; each game takes its entries out when it ends.
    #[must_use]
    pub const fn log(&self) -> &WireLog {
        &self.log
    }

    /// Returns the players, for games with other opponents.
    #[must_use]
    pub fn into_players(self) -> [Player; 2] {
        self.lines.0.map(Connection::into_player)
    }

    /// Plays one game, from the handshake to `9` and the pause after it. Waits first until the
    /// devices have finished their resets after the last game.
    ///
    /// # Errors
    /// [`RefereeError::CheckersDisagree`], [`RefereeError::Order`] and [`RefereeError::Inside`],
    /// which are failures of this program, and [`RefereeError::BrokenOff`]. Every fault of a player
    /// is an [`Ending`] instead.
    pub fn play(
        &mut self,
        setup: Setup,
        observer: &mut dyn Observer,
    ) -> Result<Game, RefereeError> {
        await_resets(&mut self.lines, observer, false);
        let resets = take_waited(&mut self.lines, &self.log);
        let play = Play::new(&mut self.lines, &self.log, self.rules, setup, resets);
        let game = play.run(observer)?;
        observer.ended(&game);
        Ok(game)
    }

    /// Treats both devices as if they had just received `9`: they may be in their resets, because
    /// another process ended a game shortly before.
    pub fn begin_resets(&mut self) {
        for seat in Seat::BOTH {
            self.lines[seat].reset().begin();
        }
    }

    /// Plays games in succession on the same links, and returns those that count. An annulled game
    /// is replayed with the same setup.
    ///
    /// Stops early if a player is no longer reachable, or if the observer requests it.
    ///
    /// # Errors
    /// As [`play`](Self::play), and [`RefereeError::Stalled`] after five annulled attempts at a
    /// game.
    pub fn series(
        &mut self,
        setups: impl IntoIterator<Item = Setup>,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Game>, RefereeError> {
        let mut games = Vec::new();
        for setup in setups {
            let Some(game) = self.play_until_it_counts(setup, observer)? else {
                break;
            };
            let reachable = self.can_play_again(&game.ending);
            games.push(game);
            if !reachable {
                break;
            }
        }
        Ok(games)
    }

    /// Plays a game until an attempt is not annulled; `None` if the observer stops the series.
    fn play_until_it_counts(
        &mut self,
        setup: Setup,
        observer: &mut dyn Observer,
    ) -> Result<Option<Game>, RefereeError> {
        for _ in 0..STALLS {
            if observer.wants_stop() || !await_resets(&mut self.lines, observer, true) {
                return Ok(None);
            }
            let game = self.play(setup, observer)?;
            if !matches!(game.ending, Ending::Annulled { .. }) {
                return Ok(Some(game));
            }
        }
        Err(RefereeError::Stalled { times: STALLS })
    }

    /// True if both players are still reachable after a game with this ending.
    fn can_play_again(&self, ending: &Ending) -> bool {
        match ending {
            Ending::LinkLost { seat, .. } => self.lines[*seat].reconnects(),
            Ending::NoHandshake { faults } => Seat::BOTH.into_iter().all(|seat| {
                let returns = self.lines[seat].may_return();
                let fault = faults[seat].as_ref();
                fault.is_none_or(|fault| returns && matches!(fault, Fault::Lost(_)))
            }),
            _ => true,
        }
    }
}
