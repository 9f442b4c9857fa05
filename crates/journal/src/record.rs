//! Records of a journal.

use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};

use crate::{CasualRecord, VariantBegun, VariantEnded, VariantMoved};

/// Name of the format in every journal.
pub const FORMAT: &str = "duoforge-journal";

/// Version of the records that this program writes, and the only one that it reads.
pub const VERSION: u32 = 2;

/// Oldest version of a journal that can be read. Version 1 has `squares` for `cells_placed` and
/// `voided` for `annulled`.
pub const OLDEST_VERSION: u32 = 1;

/// Record: one line of a journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Record {
    /// First line: description of the event.
    Header(Header),
    /// A process reopened the journal.
    Opened(Reopened),
    /// The input of a player was tested before its first game.
    #[serde(rename = "input-test")]
    InputTest(InputTest),
    /// A game begins.
    Begun(Begun),
    /// A move was accepted.
    Moved(Moved),
    /// A game has ended and counts.
    Ended(Ended),
    /// A game of a variant begins.
    #[serde(rename = "variant-begun")]
    VariantBegun(VariantBegun),
    /// A move of a game of a variant was accepted.
    #[serde(rename = "variant-moved")]
    VariantMoved(VariantMoved),
    /// A game of a variant has ended and counts.
    #[serde(rename = "variant-ended")]
    VariantEnded(VariantEnded),
    /// An attempt at a game was annulled; the game is played again.
    #[serde(alias = "voided")]
    Annulled(Annulled),
    /// All games have been played, or the event was decided.
    Finished(Finished),
    /// Step of a casual game.
    Casual(CasualRecord),
}

/// Description of the event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Header {
    /// Name of the format: [`FORMAT`].
    pub format: String,
    /// Version of the records: [`VERSION`].
    pub version: u32,
    /// Id of the journal, distinct even for events of the same name.
    pub id: String,
    /// Kind of event.
    pub kind: Kind,
    /// Name of the event.
    pub event: String,
    /// Plan in the format of the program that plays it; for a tournament its TOML text.
    pub plan: String,
    /// Creation time in milliseconds since 1970.
    pub made_ms: u64,
}

impl Header {
    /// Creates a header with the current time.
    #[must_use]
    pub fn new(kind: Kind, event: impl Into<String>, plan: impl Into<String>) -> Self {
        let made_ms = now_ms();
        // Processes of one machine differ in their number, and journals of one process in their
        // time. The id only serves to distinguish journals.
        let process = u64::from(std::process::id());
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            id: format!("{made_ms:x}-{process:x}"),
            kind,
            event: event.into(),
            plan: plan.into(),
            made_ms,
        }
    }
}

/// Kind of event, written to the journal as its keyword.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub enum Kind {
    /// Tournament, with the keyword `tournament`.
    Tournament,
    /// Match of two players, with the keyword `match`.
    Match,
    /// Casual game of a person, with the keyword `casual`.
    Casual,
    /// Keyword of a kind that this version does not know.
    Other(String),
}

impl Kind {
    /// Keyword in the journal.
    #[must_use]
    pub const fn word(&self) -> &str {
        match self {
            Self::Tournament => "tournament",
            Self::Match => "match",
            Self::Casual => "casual",
            Self::Other(word) => word.as_str(),
        }
    }
}

impl From<String> for Kind {
    fn from(word: String) -> Self {
        match word.as_str() {
            "tournament" => Self::Tournament,
            "match" => Self::Match,
            "casual" => Self::Casual,
            _ => Self::Other(word),
        }
    }
}

impl From<Kind> for String {
    fn from(kind: Kind) -> Self {
        match kind {
            Kind::Other(word) => word,
            known => known.word().to_owned(),
        }
    }
}

/// Prints the keyword.
impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

/// Record of a process that reopened the journal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reopened {
    /// Time in milliseconds since 1970.
    pub at_ms: u64,
    /// Number of bytes removed from a torn end.
    pub torn: u64,
}

/// Beginning of a game. Pairs hold player 1 first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Begun {
    /// Number of the game in the event, from 1.
    pub game: u32,
    /// Number of the attempt, from 1.
    pub attempt: u32,
    /// Names of the players.
    pub players: [String; 2],
    /// Number of the player that moves first.
    pub first: u8,
    /// Letters of the start cells, as in the codes `2X` and `3X`.
    pub starts: [char; 2],
    /// Round of the event, from 1.
    pub round: u32,
    /// Seeds of the players.
    pub seeds: [u64; 2],
    /// Version of each player, as declared or as its settings determine it.
    #[serde(default, skip_serializing_if = "is_unknown")]
    pub versions: [Option<String>; 2],
    /// Reset time of each device after its last game, in microseconds.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub reset_us: [u64; 2],
    /// Moves of the opening, separated by blanks.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub opening: String,
    /// Time in milliseconds since 1970.
    pub at_ms: u64,
}

impl Begun {
    /// Creates the beginning of a game in round 1; player 1 moves first from (5,5).
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
            versions: [None, None],
            reset_us: [0; 2],
            opening: String::new(),
            at_ms: now_ms(),
        }
    }
}

/// Accepted move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Moved {
    /// Number of the game.
    pub game: u32,
    /// Number of the attempt.
    pub attempt: u32,
    /// Number of the move, from 1.
    pub ply: u32,
    /// Number of the player.
    pub player: u8,
    /// Code as received.
    pub code: String,
    /// Number of legal placements before the move.
    pub legal: u32,
    /// Wall clock time of the reply in microseconds.
    pub us: u64,
    /// Simulated time of the reply in microseconds, if the player is simulated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sim_us: Option<u64>,
    /// Maximum host latency during the wait, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub host_us: Option<u64>,
    /// True if the move is a pass that the referee entered because the time bank ran out.
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

/// True if no device was reset.
fn is_zero(waited_us: &[u64; 2]) -> bool {
    *waited_us == [0; 2]
}

/// True if no version is known.
fn is_unknown(versions: &[Option<String>; 2]) -> bool {
    versions.iter().all(Option::is_none)
}

/// Result of a game.
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
    /// No winner: the game was not decided.
    #[serde(rename = "*")]
    Open,
}

impl GameResult {
    /// Text of the result: `1-0`, `0-1`, `1/2-1/2` or `*`, player 1 first.
    #[must_use]
    pub const fn text(self) -> &'static str {
        match self {
            Self::One => "1-0",
            Self::Two => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Open => "*",
        }
    }

    /// Parses the text of a result.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        let all = [Self::One, Self::Two, Self::Draw, Self::Open];
        all.into_iter().find(|result| result.text() == text)
    }
}

/// End of a game that counts. Pairs hold player 1 first.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ended {
    /// Number of the game.
    pub game: u32,
    /// Number of the attempt.
    pub attempt: u32,
    /// Result of the game.
    pub result: GameResult,
    /// Keyword of the ending, such as `both-passed` or `timeout`.
    pub ending: String,
    /// Ending in a sentence.
    pub detail: String,
    /// Score of each player.
    pub score: [i32; 2],
    /// Number of cells that each player covers.
    #[serde(alias = "squares")]
    pub cells_placed: [u32; 2],
    /// Team codes of the handshake.
    pub teams: [Option<String>; 2],
    /// Number of moves.
    pub plies: u32,
    /// Directory of the evidence, relative to that of the journal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub evidence: Option<String>,
    /// Time in milliseconds since 1970.
    pub at_ms: u64,
}

/// Input test of a player before its first game. A player that fails is excluded from the event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct InputTest {
    /// Name of the player.
    pub player: String,
    /// Fault of the player; `None` if it passed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<String>,
    /// Time in milliseconds since 1970.
    pub at_ms: u64,
}

/// Annulled attempt at a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Annulled {
    /// Number of the game.
    pub game: u32,
    /// Number of the attempt.
    pub attempt: u32,
    /// Reason of the annulment.
    pub reason: String,
}

/// End of the event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finished {
    /// Number of games that count.
    pub games: u32,
    /// Time in milliseconds since 1970.
    pub at_ms: u64,
}

/// Current time in milliseconds since 1970; 0 if the machine's clock is earlier.
#[must_use]
pub fn now_ms() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |time| {
        u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
    })
}
