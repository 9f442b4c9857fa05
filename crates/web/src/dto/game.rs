//! Games.

use duoforge_view::{State, ToMove, Version};
use serde::Serialize;
use utoipa::ToSchema;

use super::schema::{StateSchema, ToMoveSchema};
use crate::serial::is_board;

/// Games, the newest first.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct GameList {
    /// Version of the object.
    #[schema(value_type = u32)]
    pub version: Version,
    /// Number of games that match.
    pub total: usize,
    /// Games of this part of the list.
    pub games: Vec<GameSummary>,
}

/// Progress of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// In progress, or interrupted.
    Running,
    /// Ended; the result counts.
    Ended,
    /// Annulled; the game is to be replayed.
    Annulled,
    /// In progress in a journal that cannot be followed any more.
    Damaged,
}

/// Kind of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum SeatKind {
    /// Person at a page.
    Person,
    /// Program or device.
    Player,
    /// The journal does not state it.
    Unknown,
}

/// Seat of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct SeatView {
    /// Name of the player.
    pub name: String,
    /// Kind of the player.
    pub kind: SeatKind,
    /// Name of the program in requests, if the game was created with one; that of a board in a
    /// browser is not shown, since its page alone may use it.
    #[serde(skip_serializing_if = "is_hidden")]
    pub player: Option<String>,
    /// Level of the program.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub level: Option<u8>,
    /// True if the times of the seat are unofficial: they contain those of a browser.
    pub unofficial: bool,
    /// Colours that the seat owns.
    pub colours: Vec<u8>,
}

/// True if the name of a program is absent, or that of a board in a browser.
fn is_hidden(player: &Option<String>) -> bool {
    player.as_deref().is_none_or(is_board)
}

/// Result of a game that ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct GameOutcome {
    /// Points by seat.
    pub scores: Vec<i32>,
    /// Seats that won; several share a draw, none if the game was not decided.
    pub winners: Vec<u8>,
    /// True if several seats won.
    pub draw: bool,
    /// Keyword of the ending.
    pub ending: String,
    /// Ending in a sentence.
    pub detail: String,
}

/// Game in a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct GameSummary {
    /// Id: that of the journal, a point, and the number.
    pub id: String,
    /// Id of the journal.
    pub journal: String,
    /// Number of the game in its journal, from 1.
    pub number: u32,
    /// Number of the attempt, from 1.
    pub attempt: u32,
    /// Round of the event, from 1.
    pub round: u32,
    /// Kind of event: `tournament`, `match`, `casual`.
    pub kind: String,
    /// Name of the variant.
    pub variant: String,
    /// Progress.
    pub status: Status,
    /// Seats; seat 0 moves first.
    pub seats: Vec<SeatView>,
    /// Number of plies played.
    pub ply: usize,
    /// Colour and seat to move; null after the end.
    #[schema(value_type = Option<ToMoveSchema>)]
    pub to_move: Option<ToMove>,
    /// True while a program of a casual game is to move.
    pub thinking: bool,
    /// Result; null before the end.
    pub result: Option<GameOutcome>,
    /// Points by seat, as if the game ended now.
    pub scores: Vec<i32>,
    /// Begin in milliseconds since 1970.
    pub begun_ms: u64,
    /// End in milliseconds since 1970.
    pub ended_ms: Option<u64>,
    /// True for a game of this service in which persons move.
    pub playable: bool,
}

/// Move of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct MoveView {
    /// Number of plies before the move.
    pub ply: usize,
    /// Colour.
    pub colour: u8,
    /// Seat that decided.
    pub seat: u8,
    /// Canonical code; `0000` is a pass.
    pub code: String,
    /// Number of legal placements before the move.
    pub legal: u32,
    /// Time of the reply in microseconds.
    pub us: u64,
    /// Simulated time of the reply in microseconds.
    pub sim_us: Option<u64>,
    /// Maximum host latency during the wait in microseconds.
    pub host_us: Option<u64>,
    /// True for a pass that the referee entered because the time bank ran out.
    pub forfeit: bool,
    /// Time in milliseconds since 1970.
    pub at_ms: Option<u64>,
}

/// Game with its moves and the state at one of its plies.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct GameView {
    /// Summary.
    #[serde(flatten)]
    pub summary: GameSummary,
    /// Moves that stand.
    pub moves: Vec<MoveView>,
    /// State after the requested number of plies.
    #[schema(value_type = StateSchema)]
    pub state: State,
    /// True if a move can be taken back now.
    pub undo: bool,
    /// True if `GET games/{id}/wire` has the bytes of devices.
    pub wire: bool,
    /// Number of records of the journal that this answer contains.
    pub records: u64,
}

/// Last move of a game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct LastMove {
    /// Number of plies before the move.
    pub ply: usize,
    /// Colour.
    pub colour: u8,
    /// Canonical code.
    pub code: String,
    /// Time of the reply in microseconds.
    pub us: u64,
}

/// Colour of a game on a wall.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ColourBrief {
    /// Seat that places the colour's next tile.
    pub seat: u8,
    /// Letters of the tiles that are not placed.
    pub left: String,
    /// Number of cells that the colour covers.
    pub cells_placed: u32,
    /// Points, as if the game ended now.
    pub score: i32,
    /// Number of void cells.
    pub void: u32,
    /// Mobility.
    pub mobility: u32,
    /// True if the colour takes no further turn.
    pub out: bool,
}

/// Game on a wall: what is drawn, without legal moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Live {
    /// Summary.
    #[serde(flatten)]
    pub summary: GameSummary,
    /// Last move.
    pub last: Option<LastMove>,
    /// Rows of the board as in the state.
    pub board: Vec<String>,
    /// Colours.
    pub colours: Vec<ColourBrief>,
}
