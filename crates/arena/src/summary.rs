//! Games and matches for programs: plain values that become JSON objects.

use std::time::Duration;

use serde::Serialize;

use crate::{Game, Outcome, Ply, Seat, Seats};

/// A refereed game as one JSON object. Pairs hold player 1 first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct GameSummary {
    /// The players' names.
    pub names: [String; 2],
    /// The team codes of the handshake.
    pub teams: [Option<String>; 2],
    /// Number of the player who moved first.
    pub first: u8,
    /// Letters of the start cells, as in the codes `2X` and `3X`.
    pub starts: [char; 2],
    /// The accepted moves.
    pub plies: Vec<TimedPly>,
    /// Cells that each player covers.
    pub squares: [u32; 2],
    /// Each player's score.
    pub score: [i32; 2],
    /// The ending's [word](crate::Ending::word).
    pub ending: &'static str,
    /// The ending in a sentence.
    pub detail: String,
    /// Number of the winner; none after a draw or where nothing was decided.
    pub winner: Option<u8>,
    /// Bytes that came while nothing was due.
    pub strays: Vec<StraySummary>,
}

/// A move in JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TimedPly {
    /// Number of the player.
    pub player: u8,
    /// The code as it came.
    pub code: String,
    /// Number of legal placements before the move.
    pub legal: u32,
    /// Time for the answer in microseconds by the wall clock.
    pub us: u64,
    /// The same in simulated time, where the player is simulated.
    pub sim_us: Option<u64>,
    /// How late the host itself was at most meanwhile, in microseconds.
    pub host_us: u64,
    /// Whether it is a pass that was entered for a player whose time bank ran out.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub forfeit: bool,
}

/// Unsolicited bytes in JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct StraySummary {
    /// Number of the player.
    pub player: u8,
    /// Number of moves before they were noticed.
    pub ply: usize,
    /// The bytes, everything but printable ASCII escaped.
    pub bytes: String,
}

impl From<&Game> for GameSummary {
    fn from(game: &Game) -> Self {
        let letter = |seat| char::from(game.setup.start(seat).letter());
        let strays = game.strays.iter().map(|stray| StraySummary {
            player: stray.seat.number(),
            ply: stray.ply,
            bytes: stray.bytes.escape_ascii().to_string(),
        });
        Self {
            names: game.names.0.clone(),
            teams: game.teams.0.map(|team| team.map(|team| team.to_string())),
            first: game.setup.first.number(),
            starts: Seat::BOTH.map(letter),
            plies: game.plies.iter().map(TimedPly::from).collect(),
            squares: game.squares.0,
            score: game.score.0,
            ending: game.ending.word(),
            detail: game.ending.to_string(),
            winner: game.outcome.winner().map(Seat::number),
            strays: strays.collect(),
        }
    }
}

impl From<&Ply> for TimedPly {
    fn from(ply: &Ply) -> Self {
        let micros = |time: Duration| u64::try_from(time.as_micros()).unwrap_or(u64::MAX);
        Self {
            player: ply.seat.number(),
            code: ply.code.escape_ascii().to_string(),
            legal: ply.legal,
            us: micros(ply.time.wall),
            sim_us: ply.time.simulated.map(micros),
            host_us: micros(ply.time.host),
            forfeit: ply.forfeit,
        }
    }
}

/// The result of several games between the same players. Pairs hold player 1 first.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Games that were begun.
    pub games: u32,
    /// Games that each player won.
    pub wins: [u32; 2],
    /// Games with equal scores.
    pub draws: u32,
    /// Games in which nothing was decided, such as those without a handshake.
    pub open: u32,
    /// Games that each player lost by breaking a rule of the game or of the line.
    pub violations: [u32; 2],
    /// Cells that each player covered, summed over the games.
    pub squares: [u32; 2],
    /// Scores, summed over the games.
    pub score: [i32; 2],
    /// The longest time that an answer of each player took, in microseconds, as it was judged.
    pub slowest_us: [u64; 2],
}

impl Tally {
    /// Adds a game.
    pub fn add(&mut self, game: &Game) {
        let loser = game.ending.loser();
        let violator = loser.filter(|_| game.ending.is_violation());
        self.count(game.outcome, violator, game.squares.0, game.score.0);
        for seat in Seat::BOTH {
            let slowest = game.slowest(seat).unwrap_or_default().judged();
            let micros = u64::try_from(slowest.as_micros()).unwrap_or(u64::MAX);
            self.time(seat, micros);
        }
    }

    /// Adds a game without the times of its answers; `violator` lost it by breaking a rule of the game or
    /// of the line.
    pub fn count(
        &mut self,
        outcome: Outcome,
        violator: Option<Seat>,
        squares: [u32; 2],
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
            self.squares[i] += squares[i];
            self.score[i] += score[i];
        }
    }

    /// Adds the time of an answer, in microseconds, as it was judged.
    pub fn time(&mut self, seat: Seat, micros: u64) {
        let slowest = &mut self.slowest_us[seat as usize];
        *slowest = micros.max(*slowest);
    }

    /// The longest time that an answer of a player took, as it was judged.
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
