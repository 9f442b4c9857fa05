//! Position without move history, small enough to copy for every simulation.

use duoforge_rules::{Bitboard, Colour, Duo, DuoBoard, Move, Placement, TileSet};

use super::draw::PlayoutMaps;

/// Number of maps that networks read, see [`Position::network_planes`].
pub const NETWORK_PLANES: usize = 8;

/// State of one side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Side {
    /// Cells that are blocked for further tiles of the side: its own cells and their edge
    /// neighbours.
    blocked: Bitboard<Duo>,
    /// Start cell and cells diagonal to the side's tiles, free or not.
    corner_cells: Bitboard<Duo>,
    /// Cells diagonal to the side's last two tiles, most recent first.
    recent: [Bitboard<Duo>; 2],
    tiles: TileSet,
}

/// Position of a two-player game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    occupied: Bitboard<Duo>,
    sides: [Side; 2],
    to_move: Colour,
}

impl Position {
    /// Creates the position of a board.
    pub fn new(board: &DuoBoard) -> Self {
        let side = |player: Colour| {
            let cells = board.cells(player);
            let start = [board.start(player)].into_iter().collect();
            Side {
                blocked: cells | cells.edge_neighbours(),
                corner_cells: cells.diagonal_neighbours() | start,
                recent: [Bitboard::EMPTY; 2],
                tiles: board.tiles_left(player),
            }
        };
        let mut position = Self {
            occupied: board.occupied(),
            sides: [side(Colour(0)), side(Colour(1))],
            to_move: board.to_move(),
        };
        // Before the first tile, the start cell is the only corner point.
        for player in [Colour(0), Colour(1)] {
            let side = &mut position.sides[player.index()];
            let start = [board.start(player)].into_iter().collect();
            side.recent = [start, Bitboard::EMPTY];
            let placed = board
                .moves()
                .iter()
                .enumerate()
                .filter_map(|(ply, mv)| match mv {
                    Move::Place(placement) if ply % 2 == player.index() => Some(*placement),
                    _ => None,
                });
            for placement in placed {
                side.recent = [corners(placement), side.recent[0]];
            }
        }
        position
    }

    /// Returns the cells that either side covers.
    pub fn occupied(&self) -> Bitboard<Duo> {
        self.occupied
    }

    /// Returns the side to move.
    #[inline(always)]
    pub fn to_move(&self) -> Colour {
        self.to_move
    }

    /// Sets the side to move.
    #[inline(always)]
    pub fn set_to_move(&mut self, player: Colour) {
        self.to_move = player;
    }

    /// Returns the tiles that a player has not placed.
    #[inline(always)]
    pub fn tiles(&self, player: Colour) -> TileSet {
        self.sides[player.index()].tiles
    }

    /// Returns the allowed cells of a player.
    #[inline(always)]
    pub fn allowed(&self, player: Colour) -> Bitboard<Duo> {
        !(self.occupied | self.sides[player.index()].blocked)
    }

    /// Returns the corner points of a player.
    #[inline(always)]
    pub fn corner_points(&self, player: Colour) -> Bitboard<Duo> {
        self.allowed(player) & self.sides[player.index()].corner_cells
    }

    /// Returns the recent corner points of a player: allowed cells diagonal to its last two tiles.
    #[inline(always)]
    pub fn recent_corner_points(&self, player: Colour) -> Bitboard<Duo> {
        let [last, before] = self.sides[player.index()].recent;
        self.allowed(player) & (last | before)
    }

    /// Returns the playout maps of the side to move; the reply cells are the opponent's recent
    /// corner points.
    #[inline(always)]
    pub fn playout_maps(&self) -> PlayoutMaps<Duo> {
        let (me, opponent) = (self.to_move, self.to_move.opponent());
        let allowed = self.allowed(me);
        PlayoutMaps {
            allowed,
            corners: allowed & self.sides[me.index()].corner_cells,
            reply_cells: self.recent_corner_points(opponent) & allowed,
        }
    }

    /// Returns the playout maps of the side to move like [`playout_maps`](Self::playout_maps), but the reply
    /// cells include the opponent's cells that share an edge with its recent corner points.
    #[inline(always)]
    pub fn wide_playout_maps(&self) -> PlayoutMaps<Duo> {
        let opponent = self.to_move.opponent();
        let mut playout_maps = self.playout_maps();
        let recent = self.recent_corner_points(opponent);
        let beside = recent.edge_neighbours() & self.allowed(opponent);
        playout_maps.reply_cells = (recent | beside) & playout_maps.allowed;
        playout_maps
    }

    /// Returns the maps that networks read, for the side to move: occupied cells; allowed cells of
    /// the side and of its opponent; corner points of both; recent corner points of both; all cells of
    /// the board.
    pub fn network_planes(&self) -> [Bitboard<Duo>; NETWORK_PLANES] {
        let (me, opponent) = (self.to_move, self.to_move.opponent());
        [
            self.occupied,
            self.allowed(me),
            self.allowed(opponent),
            self.corner_points(me),
            self.corner_points(opponent),
            self.recent_corner_points(me),
            self.recent_corner_points(opponent),
            Bitboard::FULL,
        ]
    }

    /// True if the side to move may play the placement, which must be on the board.
    #[inline(always)]
    pub fn is_legal(&self, placement: Placement) -> bool {
        let player = self.to_move;
        let cells = Bitboard::from_placement(placement).expect("the placement is on the board");
        self.tiles(player).contains(placement.tile())
            && cells.is_subset(&self.allowed(player))
            && !cells.is_disjoint(&self.corner_points(player))
    }

    /// Places a tile for the side to move and passes the turn to the opponent; the placement must
    /// be legal.
    #[inline(always)]
    pub fn place(&mut self, placement: Placement) {
        let cells = Bitboard::from_placement(placement).expect("a legal placement is on the board");
        let edges = cells.edge_neighbours();
        let corners = cells.diagonal_neighbours();
        let side = &mut self.sides[self.to_move.index()];
        side.blocked |= cells | edges;
        side.corner_cells |= corners;
        side.recent = [corners, side.recent[0]];
        side.tiles.remove(placement.tile());
        self.occupied |= cells;
        self.to_move = self.to_move.opponent();
    }

    /// Returns the margin of a player in cells, as if the game ended now.
    pub fn margin(&self, player: Colour) -> i32 {
        let count = |player| self.tiles(player).cell_count() as i32;
        count(player.opponent()) - count(player)
    }
}

fn corners(placement: Placement) -> Bitboard<Duo> {
    let cells: Bitboard<Duo> = placement.cells().collect();
    cells.diagonal_neighbours()
}
