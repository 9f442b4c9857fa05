//! Options of a variant: passes, end of the game and ties.

/// Turn of a colour that has no legal placement.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
pub enum ForcedPass {
    /// The colour has the turn and must pass; the pass is a ply of the game.
    Played,
    /// The colour has no turn; the game has no ply for it. The game ends when no colour has a turn.
    #[default]
    Skipped,
}

/// Permission to pass although a tile could be placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
pub enum VoluntaryPass {
    /// Never.
    #[default]
    Never,
    /// On every turn but the colour's first one.
    AfterFirstTurn,
    /// On every turn.
    Always,
}

/// Passes of a variant.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct Passing {
    /// Turn of a colour that has no legal placement.
    pub forced: ForcedPass,
    /// Permission to pass although a tile could be placed.
    pub voluntary: VoluntaryPass,
    /// True if a colour that has passed takes no further turn.
    #[cfg_attr(feature = "serde", serde(rename = "final"))]
    pub is_final: bool,
}

impl Passing {
    /// Passes of the contest: every forced pass is a ply, and a voluntary pass is legal after the
    /// colour's first turn.
    pub const CONTEST: Self = Self {
        forced: ForcedPass::Played,
        voluntary: VoluntaryPass::AfterFirstTurn,
        is_final: false,
    };

    /// As [`CONTEST`](Self::CONTEST), but a colour that has passed takes no further turn.
    pub const FINAL: Self = Self {
        is_final: true,
        ..Self::CONTEST
    };

    /// No passes: a colour without a legal placement has no turn.
    pub const SKIPPED: Self = Self {
        forced: ForcedPass::Skipped,
        voluntary: VoluntaryPass::Never,
        is_final: false,
    };
}

/// Conditions that end a game. In every variant it also ends once all colours that still take
/// turns have passed since the last placement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(default, deny_unknown_fields)
)]
pub struct Ending {
    /// True if the game ends as soon as a colour has placed every tile.
    pub all_placed: bool,
    /// True if the game ends as soon as no colour that still takes turns has a legal placement.
    pub no_placement: bool,
}

/// The game ends when no colour has a legal placement.
impl Default for Ending {
    fn default() -> Self {
        Self {
            all_placed: false,
            no_placement: true,
        }
    }
}

/// Places of seats with equal scores.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
pub enum Ties {
    /// Seats with equal scores share a place. Several seats in the first place draw.
    #[default]
    Shared,
    /// Of two seats with equal scores, the one with the higher number has the better place: a
    /// compensation for moving later.
    LaterSeat,
}
