//! What a journal holds.

use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

/// What every journal says of itself.
pub const FORMAT: &str = "duoforge-journal";

/// The version of the records that this program writes, and the only one that it reads.
pub const VERSION: u32 = 1;

/// One line of a journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Record {
    /// The first line: what is played.
    Header(Header),
    /// A process goes on with the journal.
    Opened(Opened),
    /// A game begins.
    Begun(Begun),
    /// A move was accepted.
    Moved(Moved),
    /// A game has ended, and counts.
    Ended(Ended),
    /// A game that had begun does not count; it is played again.
    Voided(Voided),
    /// Everything that was to be played has been played, or decided.
    Finished(Rest),
}

/// What is played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// [`FORMAT`].
    pub format: String,
    /// [`VERSION`].
    pub version: u32,
    /// Tells journals apart, also those of events with the same name.
    pub id: String,
    /// What wrote it: `tournament` or `match`.
    pub kind: String,
    /// The event's name.
    pub event: String,
    /// What is to be played, in the words of whoever plays it: a tournament's TOML.
    pub plan: String,
    /// When it was made, in milliseconds since 1970.
    pub made_ms: u64,
}

impl Header {
    /// A header for a journal that is made now.
    #[must_use]
    pub fn new(kind: impl Into<String>, event: impl Into<String>, plan: impl Into<String>) -> Self {
        let made_ms = now_ms();
        // Processes of one machine have different numbers, and journals of one process different
        // times: nothing depends on this number but that journals can be told apart.
        let process = u64::from(std::process::id());
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            id: format!("{made_ms:x}-{process:x}"),
            kind: kind.into(),
            event: event.into(),
            plan: plan.into(),
            made_ms,
        }
    }
}

/// A process goes on with the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opened {
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
    /// Bytes of a line that was cut short, which were cut off.
    pub torn: u64,
}

/// A game begins. Pairs hold player 1 first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Begun {
    /// Number of the game in the event, from 1.
    pub game: u32,
    /// Which attempt at it, from 1.
    pub attempt: u32,
    /// The players' names.
    pub players: [String; 2],
    /// Number of the player who moves first.
    pub first: u8,
    /// Letters of the start cells, as in the codes `2X` and `3X`.
    pub starts: [char; 2],
    /// Round of the event, from 1.
    pub round: u32,
    /// Seeds of whatever is random in the players.
    pub seeds: [u64; 2],
    /// Moves of the opening, separated by blanks.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub opening: String,
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
}

impl Begun {
    /// A game in which player 1 moves first from (5,5), in round 1.
    #[must_use]
    pub fn new(game: u32, attempt: u32, players: [&str; 2]) -> Self {
        Self {
            game,
            attempt,
            players: players.map(str::to_owned),
            first: 1,
            starts: ['5', 'A'],
            round: 1,
            seeds: [0; 2],
            opening: String::new(),
            at_ms: now_ms(),
        }
    }
}

/// A move was accepted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moved {
    /// Number of the game.
    pub game: u32,
    /// Which attempt.
    pub attempt: u32,
    /// Number of the move, from 1.
    pub ply: u32,
    /// Number of the player.
    pub player: u8,
    /// The code as it came.
    pub code: String,
    /// Number of legal placements before the move.
    pub legal: u32,
    /// Time for the answer in microseconds by the wall clock.
    pub us: u64,
    /// The same in simulated time, where the player is simulated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sim_us: Option<u64>,
    /// How late the host itself was at most while the answer was waited for, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_us: Option<u64>,
    /// Whether the pass was entered for a player whose time bank ran out.
    #[serde(default, skip_serializing_if = "is_false")]
    pub forfeit: bool,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde asks for a reference"
)]
const fn is_false(value: &bool) -> bool {
    !*value
}

/// How a game was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum GameResult {
    /// Player 1 won.
    #[serde(rename = "1-0")]
    One,
    /// Player 2 won.
    #[serde(rename = "0-1")]
    Two,
    /// Equal scores.
    #[serde(rename = "1/2-1/2")]
    Draw,
    /// Nobody won: nothing was decided.
    #[serde(rename = "*")]
    Open,
}

impl GameResult {
    /// As it is written: `1-0`, `0-1`, `1/2-1/2` or `*`, player 1 first.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::One => "1-0",
            Self::Two => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Open => "*",
        }
    }

    /// The result that is written like this.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        let all = [Self::One, Self::Two, Self::Draw, Self::Open];
        all.into_iter().find(|result| result.text() == text)
    }
}

/// A game has ended, and counts. Pairs hold player 1 first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// Number of the game.
    pub game: u32,
    /// Which attempt.
    pub attempt: u32,
    /// How it was decided.
    pub result: GameResult,
    /// One word for the ending, such as `both-passed` or `timeout`.
    pub ending: String,
    /// The ending in a sentence.
    pub detail: String,
    /// Each player's score.
    pub score: [i32; 2],
    /// Cells that each player covers.
    pub squares: [u32; 2],
    /// The team codes of the handshake.
    pub teams: [Option<String>; 2],
    /// Number of moves.
    pub plies: u32,
    /// Folder of the evidence, beside the journal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
}

/// A game that had begun does not count; it is played again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Voided {
    /// Number of the game.
    pub game: u32,
    /// Which attempt.
    pub attempt: u32,
    /// Why.
    pub reason: String,
}

/// How everything ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rest {
    /// Number of games that count.
    pub games: u32,
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
}

/// Milliseconds since 1970; 0 on a machine whose clock is before that.
#[must_use]
pub fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |time| {
        u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
    })
}
