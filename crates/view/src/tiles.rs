//! Reference data of the tiles: the cells of every orientation, and those around it.

use duoforge_rules::{ActionSpace, Move, Offset, Orientation, Placement, ShapeReference};
use serde::{Deserialize, Serialize};

use crate::{CellPair, Version, pair};

/// Cells of all orientations, for boards of one size.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TileTable {
    /// Version of the object.
    pub version: Version,
    /// Number of columns of the board, equal to the number of rows.
    #[cfg_attr(feature = "schema", schemars(range(min = 5, max = 20)))]
    pub size: u8,
    /// Action number of the pass, the greatest one.
    pub pass: u32,
    /// The 91 orientations, in the order of action numbers.
    #[cfg_attr(feature = "schema", schemars(length(min = 91, max = 91)))]
    pub orientations: Vec<TileShape>,
}

/// Cells of an orientation, relative to the upper left cell of its bounding box (the anchor), and
/// those around it. Lists are sorted by row and then column.
///
/// The action number of the placement at the anchor `[x, y]` is
/// `first_action + y * (size - width + 1) + x`. Its code names the tile, the rotation and the cell
/// at `centre` from the anchor.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct TileShape {
    /// Letter of the tile.
    #[cfg_attr(feature = "schema", schemars(regex(pattern = "^[a-u]$")))]
    pub tile: String,
    /// Rotation of the canonical code.
    #[cfg_attr(feature = "schema", schemars(range(max = 7)))]
    pub rotation: u8,
    /// Columns of the bounding box.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 5)))]
    pub width: u8,
    /// Rows of the bounding box.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 5)))]
    pub height: u8,
    /// Cell that the code names.
    #[cfg_attr(feature = "schema", schemars(inner(range(max = 4))))]
    pub centre: CellPair,
    /// Action number of the placement in the upper left corner of the board.
    pub first_action: u32,
    /// Cells of the tile.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = 5)))]
    pub pos: Vec<[i8; 2]>,
    /// Cells that share an edge with the tile.
    #[cfg_attr(feature = "schema", schemars(length(min = 4, max = 12)))]
    pub side: Vec<[i8; 2]>,
    /// Cells that touch the tile at a corner and share no edge with it.
    #[cfg_attr(feature = "schema", schemars(length(min = 4, max = 8)))]
    pub corner: Vec<[i8; 2]>,
}

impl TileTable {
    /// Returns the table for boards of `size` columns.
    ///
    /// # Panics
    ///
    /// If the size is not 5 to 20: some orientations do not fit on smaller boards.
    ///
    /// ```
    /// use duoforge_view::TileTable;
    ///
    /// let table = TileTable::new(14);
    /// assert_eq!((table.pass, table.orientations.len()), (13_729, 91));
    /// let monomino = &table.orientations[0];
    /// assert_eq!((monomino.tile.as_str(), monomino.pos[0]), ("a", [0, 0]));
    /// assert_eq!(monomino.side, [[0, -1], [-1, 0], [1, 0], [0, 1]]);
    /// ```
    #[must_use]
    pub fn new(size: u8) -> Self {
        let actions = ActionSpace::new(size);
        let shape = |orientation| TileShape::new(orientation, &actions);
        Self {
            version: Version,
            size,
            pass: actions.pass(),
            orientations: Orientation::all().map(shape).collect(),
        }
    }
}

impl TileShape {
    fn new(orientation: Orientation, actions: &ActionSpace) -> Self {
        let reference = ShapeReference::new(orientation);
        let first = Move::Place(Placement::new(orientation, 0, 0));
        let first_action = actions.number(first);
        Self {
            tile: orientation.tile().to_string(),
            rotation: orientation.rotation().index() as u8,
            width: orientation.width(),
            height: orientation.height(),
            centre: pair(orientation.centre()),
            first_action: first_action.expect("every orientation fits on five columns"),
            pos: offsets(&reference.pos),
            side: offsets(&reference.side),
            corner: offsets(&reference.corner),
        }
    }
}

fn offsets(list: &[Offset]) -> Vec<[i8; 2]> {
    list.iter().map(|offset| [offset.x, offset.y]).collect()
}
