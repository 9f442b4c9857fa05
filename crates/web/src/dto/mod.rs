//! Objects of the answers. States, tiles and hints are those of `duoforge-view`.

mod analysis;
mod comparison;
mod event;
mod examination;
mod game;
mod ladder;
pub mod schema;
mod tree;
mod wire;

pub use analysis::{
    Analysis, AnalysisLimit, AnalysisList, AnalysisStatus, CandidateView, SolvedView,
};
pub use comparison::{Comparison, DecisionView, DeviceView, DifferenceView, JobStatus};
pub use event::{
    Cross, EventList, EventSummary, EventView, GameCount, RunStatus, RunView, StandingView,
};
pub use examination::{CheckView, Conformance, ConformanceList, Identification};
pub use game::{
    ColourBrief, GameList, GameOutcome, GameSummary, GameView, LastMove, Live, MoveView, SeatKind,
    SeatView, Status,
};
pub use ladder::{LadderUnitView, LadderView};
pub use tree::{TreeDocument, TreeRequest};
pub use wire::{WireEntryView, WireView, meaning};

use duoforge_rules::{ActionSpace, GameVariant, Move, Owner};
use duoforge_view::Version;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Role;

/// Condition of the service.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Health {
    /// Version of the object.
    #[schema(value_type = u32)]
    pub version: Version,
    /// Always `ok`.
    pub status: &'static str,
    /// Release of duoforge.
    pub release: &'static str,
    /// Time since the start in milliseconds.
    pub uptime_ms: u64,
    /// Number of journals that are followed.
    pub journals: usize,
    /// Number of files that cannot be followed: damaged or unreadable journals, and files of other
    /// kinds. The service prints them to standard error; of more than 64 at once, the number of the
    /// others.
    pub faults: usize,
    /// Number of games in progress.
    pub games_running: usize,
    /// Event streams.
    pub streams: StreamCount,
}

/// Number of event streams.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct StreamCount {
    /// Open streams.
    pub open: usize,
    /// Maximum number of open streams.
    pub limit: usize,
}

/// Rights of the client.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Session {
    /// Version of the object.
    #[schema(value_type = u32)]
    pub version: Version,
    /// Role of the client.
    pub role: Role,
    /// True if clients need tokens.
    pub tokens: bool,
}

/// Built-in variants.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct VariantList {
    /// Version of the object.
    #[schema(value_type = u32)]
    pub version: Version,
    /// The variants.
    pub variants: Vec<VariantView>,
}

/// Variant of the game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct VariantView {
    /// Name.
    pub name: String,
    /// Number of columns, equal to the number of rows.
    pub size: u8,
    /// Number of seats.
    pub seats: usize,
    /// Colours in the order of turns.
    pub colours: Vec<ColourView>,
    /// Scoring rule.
    pub scoring: &'static str,
    /// Maximum number of plies of a position that the service accepts.
    pub plies_max: usize,
}

/// Colour of a variant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ColourView {
    /// Seat that owns the colour; null for a shared colour.
    pub seat: Option<u8>,
    /// True if the seats place the colour's tiles in turn.
    pub shared: bool,
    /// Start cells `[x, y]`.
    pub starts: Vec<[u8; 2]>,
}

impl VariantView {
    /// Describes a variant.
    pub fn new(variant: &GameVariant) -> Self {
        let colour = |colour| ColourView {
            seat: match variant.owner(colour) {
                Owner::Seat(seat) => Some(seat.0),
                Owner::Shared => None,
            },
            shared: variant.owner(colour) == Owner::Shared,
            starts: {
                let cells = variant.starts(colour);
                cells
                    .as_slice()
                    .iter()
                    .map(|cell| [cell.x, cell.y])
                    .collect()
            },
        };
        Self {
            name: variant.name().to_owned(),
            size: variant.size(),
            seats: variant.seat_count(),
            colours: variant.colours().map(colour).collect(),
            scoring: variant.scoring().name(),
            plies_max: crate::position::MAX_PLIES,
        }
    }
}

/// All actions of a variant's board.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ActionList {
    /// Version of the object.
    #[schema(value_type = u32)]
    pub version: Version,
    /// Name of the variant.
    pub variant: String,
    /// Number of columns of the board.
    pub size: u8,
    /// Action number of the pass.
    pub pass: u32,
    /// Canonical codes by action number.
    pub codes: Vec<String>,
}

impl ActionList {
    /// Lists the actions of a variant.
    pub fn new(variant: &GameVariant) -> Self {
        let actions = ActionSpace::new(variant.size());
        let moves = (0..=actions.pass()).filter_map(|number| actions.mv(number));
        Self {
            version: Version,
            variant: variant.name().to_owned(),
            size: variant.size(),
            pass: actions.pass(),
            codes: moves.map(|mv: Move| mv.to_string()).collect(),
        }
    }
}

/// Position by its moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct PositionRequest {
    /// Name of a built-in variant.
    #[schema(example = "duo")]
    pub variant: String,
    /// Codes (any alias) or action numbers, at most 200.
    #[schema(example = json!(["53e0", "a8e0"]))]
    #[serde(default)]
    pub codes: Vec<String>,
}

/// Players that games can be created with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PlayerList {
    /// Version of the object.
    #[schema(value_type = u32)]
    pub version: Version,
    /// The players.
    pub players: Vec<PlayerView>,
}

/// Player that games can be created with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct PlayerView {
    /// Name in requests.
    pub name: String,
    /// Name for people.
    pub label: String,
    /// `software`; `profile` or `device` for a program or a device that the operator named.
    pub kind: &'static str,
    /// Number of levels, from 1; null for a player without levels.
    pub levels: Option<u8>,
    /// Names of the variants that it plays.
    pub variants: Vec<String>,
    /// True if moves can be taken back against it.
    pub undo: bool,
    /// True if only one instance exists, which plays one game at a time.
    pub single: bool,
    /// True if a game, an examination or a tournament uses the only instance now.
    pub busy: bool,
}
