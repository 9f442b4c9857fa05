//! Scoring rules: points of a colour for its tiles.

use crate::{Tile, TileSet};

/// Scoring rule of a game. It applies to each colour; a seat's score is the sum over its colours.
///
/// Any variant can be played with any rule:
/// [`GameVariant::with_scoring`](crate::GameVariant::with_scoring).
///
/// | rule | cell placed | cell left | every tile placed | monomino last |
/// |---|--:|--:|--:|--:|
/// | `basic` | 0 | -1 | 0 | 0 |
/// | `advanced` | 0 | -1 | 15 | 20 |
/// | `alternative` | 1 | 0 | 15 | 20 |
/// | `cells` | 1 | 0 | 0 | 0 |
///
/// The bonus for the monomino replaces the other one, so `alternative` gives at most 109 points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "kebab-case")
)]
pub enum ScoringRule {
    /// Fewest cells left: -1 for each cell of a tile that was not placed.
    Basic,
    /// Contest scoring: `basic`, and a bonus of 15 or 20 for every tile placed.
    #[default]
    Advanced,
    /// 1 for each covered cell, and a bonus of 15 or 20 for every tile placed.
    Alternative,
    /// 1 for each covered cell, without a bonus.
    Cells,
}

impl ScoringRule {
    /// All rules.
    pub const ALL: [Self; 4] = [Self::Basic, Self::Advanced, Self::Alternative, Self::Cells];

    /// Returns the name of the rule: `basic`, `advanced`, `alternative` or `cells`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Basic => "basic",
            Self::Advanced => "advanced",
            Self::Alternative => "alternative",
            Self::Cells => "cells",
        }
    }

    /// Returns the rule of a name, or `None` if no rule has it.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|rule| rule.name() == name)
    }

    /// Returns the points of a colour with these tiles left, of which it placed `last` last.
    #[must_use]
    pub fn points(self, left: TileSet, last: Option<Tile>) -> i32 {
        let table = self.table();
        let cells_left = left.cell_count() as i32;
        let cells_placed = TileSet::FULL.cell_count() as i32 - cells_left;
        let bonus = match last {
            _ if !left.is_empty() => 0,
            Some(Tile::MONOMINO) => table.monomino_last,
            _ => table.all_placed,
        };
        cells_placed * table.cell_placed + cells_left * table.cell_left + bonus
    }

    const fn table(self) -> PointTable {
        let [cell_placed, cell_left, all_placed, monomino_last] = match self {
            Self::Basic => [0, -1, 0, 0],
            Self::Advanced => [0, -1, 15, 20],
            Self::Alternative => [1, 0, 15, 20],
            Self::Cells => [1, 0, 0, 0],
        };
        PointTable {
            cell_placed,
            cell_left,
            all_placed,
            monomino_last,
        }
    }
}

/// Points of one rule.
struct PointTable {
    /// For each covered cell.
    cell_placed: i32,
    /// For each cell of the tiles that were not placed.
    cell_left: i32,
    /// Bonus for placing every tile.
    all_placed: i32,
    /// Bonus that replaces `all_placed` if the monomino was placed last.
    monomino_last: i32,
}
