//! Games and matches as plain values that serialise to JSON objects.

use std::time::Duration;

use serde::Serialize;

use crate::{Game, Outcome, Ply, Seat, Seats};

/// Refereed game as one JSON object. Pairs hold player 1 first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameSummary {
    /// Names of the players.
    pub names: [String; 2],
    /// Team codes of the handshake.
    pub teams: [Option<String>; 2],
    /// Number of the player that moved first.
    pub first: u8,
    /// Letters of the start cells, as in the codes `2X` and `3X`.
    pub starts: [char; 2],
    /// Accepted moves.
    pub plies: Vec<TimedPly>,
    /// Number of cells that each player covers.
    pub cells_placed: [u32; 2],
    /// Score of each player.
    pub score: [i32; 2],
    /// [Keyword](crate::Ending::word) of the ending.
    pub ending: &'static str,
    /// Ending in a sentence.
    pub detail: String,
    /// Number of the winner; `None` after a draw or without a result.
    pub winner: Option<u8>,
    /// Unsolicited bytes.
    #[serde(rename = "strays")]
    pub unsolicited: Vec<UnsolicitedSummary>,
    /// Time waited before the handshake for the reset of each device, in microseconds.
    #[serde(skip_serializing_if = "is_zero")]
    pub reset_us: [u64; 2],
}

/// Move in JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TimedPly {
    /// Number of the player.
    pub player: u8,
    /// Code as received.
    pub code: String,
    /// Number of legal placements before the move.
    pub legal: u32,
    /// Wall clock time of the reply in microseconds.
    pub us: u64,
    /// Simulated time of the reply in microseconds, if the player is simulated.
    pub sim_us: Option<u64>,
    /// Maximum host latency during the wait, in microseconds.
    pub host_us: u64,
    /// True if the move stands for one that the player forfeited because its time bank ran out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub forfeit: bool,
    /// Text that the player wrote behind the move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// Unsolicited bytes in JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnsolicitedSummary {
    /// Number of the player.
    pub player: u8,
    /// Number of moves played before the bytes were noticed.
    pub ply: usize,
    /// Bytes; those outside printable ASCII are escaped.
    pub bytes: String,
}

impl From<&Game> for GameSummary {
    fn from(game: &Game) -> Self {
        let letter = |seat| char::from(game.setup.start(seat).letter());
        let unsolicited = game
            .unsolicited
            .iter()
            .map(|unsolicited| UnsolicitedSummary {
                player: unsolicited.seat.number(),
                ply: unsolicited.ply,
                bytes: unsolicited.bytes.escape_ascii().to_string(),
            });
        Self {
            names: game.names.0.clone(),
            teams: game.teams.0.map(|team| team.map(|team| team.to_string())),
            first: game.setup.first.number(),
            starts: Seat::BOTH.map(letter),
            plies: game.plies.iter().map(TimedPly::from).collect(),
            cells_placed: game.cells_placed.0,
            score: game.score.0,
            ending: game.ending.word(),
            detail: game.ending.to_string(),
            winner: game.outcome.winner().map(Seat::number),
            unsolicited: unsolicited.collect(),
            reset_us: game.resets.0.map(micros),
        }
    }
}

/// Time in microseconds.
fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// True if both numbers are zero.
fn is_zero<T: Default + PartialEq>(numbers: &[T; 2]) -> bool {
    numbers.iter().all(|number| *number == T::default())
}

impl From<&Ply> for TimedPly {
    fn from(ply: &Ply) -> Self {
        Self {
            player: ply.seat.number(),
            code: ply.code.escape_ascii().to_string(),
            legal: ply.legal,
            us: micros(ply.time.wall),
            sim_us: ply.time.simulated.map(micros),
            host_us: micros(ply.time.host),
            forfeit: ply.forfeit,
            text: ply.text.clone(),
        }
    }
}

/// Result of several games between the same players. Pairs hold player 1 first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Number of games added.
    pub games: u32,
    /// Number of games won by each player.
    pub wins: [u32; 2],
    /// Number of games with equal scores.
    pub draws: u32,
    /// Number of games without a result, such as those without a handshake.
    pub open: u32,
    /// Number of games that each player lost by a violation of the rules or the protocol.
    pub violations: [u32; 2],
    /// Cells that each player covered, summed over the games.
    pub cells_placed: [u32; 2],
    /// Scores, summed over the games.
    pub score: [i32; 2],
    /// Maximum reply time of each player in microseconds, as compared with the limit.
    pub slowest_us: [u64; 2],
    /// Number of games that began after a reset, by device.
    #[serde(skip_serializing_if = "is_zero")]
    pub resets: [u32; 2],
    /// Time of these resets in microseconds.
    #[serde(skip_serializing_if = "is_zero")]
    pub reset_us: [u64; 2],
}

impl Tally {
    /// Adds a game.
    pub fn add(&mut self, game: &Game) {
        let loser = game.ending.loser();
        let violator = loser.filter(|_| game.ending.is_violation());
        self.count(game.outcome, violator, game.cells_placed.0, game.score.0);
        for seat in Seat::BOTH {
            let slowest = game.slowest(seat).unwrap_or_default().judged();
            self.time(seat, micros(slowest));
        }
        self.add_resets(game.resets.0.map(micros));
    }

    /// Adds a game without its reply times; `violator` lost the game by a violation of the rules or
    /// the protocol.
    pub fn count(
        &mut self,
        outcome: Outcome,
        violator: Option<Seat>,
        cells_placed: [u32; 2],
        score: [i32; 2],
    ) {
        self.games += 1;
        match outcome {
            Outcome::Win(seat) => self.wins[seat as usize] += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Open => self.open += 1,
        }
        if let Some(seat) = violator {
            self.violations[seat as usize] += 1;
        }
        for i in 0..2 {
            self.cells_placed[i] += cells_placed[i];
            self.score[i] += score[i];
        }
    }

    /// Adds the waits for resets before a game, in microseconds.
    pub fn add_resets(&mut self, waited_us: [u64; 2]) {
        for (seat, us) in waited_us.into_iter().enumerate() {
            self.resets[seat] += u32::from(us > 0);
            self.reset_us[seat] += us;
        }
    }

    /// Adds a reply time in microseconds, as compared with the limit.
    pub fn time(&mut self, seat: Seat, micros: u64) {
        let slowest = &mut self.slowest_us[seat as usize];
        *slowest = micros.max(*slowest);
    }

    /// Maximum reply time of each player, as compared with the limit.
    #[must_use]
    pub fn slowest(&self) -> Seats<Duration> {
        Seats(self.slowest_us.map(Duration::from_micros))
    }
}

impl<'a> FromIterator<&'a Game> for Tally {
    fn from_iter<I: IntoIterator<Item = &'a Game>>(games: I) -> Self {
        let mut tally = Self::default();
        games.into_iter().for_each(|game| tally.add(game));
        tally
    }
}
