//! A position without its history, small enough to be copied for every simulation.

use duoforge_rules::{Bitboard, Duo, DuoBoard, Ground, Move, Placement, Player, TileSet};

/// What one player has on the board and still has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Side {
    /// Cells next to a tile, and those of the tiles: no other tile of the player may cover them.
    closed: Bitboard<Duo>,
    /// The start cell and the corners of tiles, whether free or not.
    joints: Bitboard<Duo>,
    /// The corners of the last two tiles, the last one first.
    fresh: [Bitboard<Duo>; 2],
    tiles: TileSet,
}

/// A position of two players.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    occupied: Bitboard<Duo>,
    sides: [Side; 2],
    to_move: Player,
}

impl Position {
    /// The position of a board.
    pub fn new(board: &DuoBoard) -> Self {
        let side = |player: Player| {
            let cells = board.cells(player);
            let start = [board.start(player)].into_iter().collect();
            Side {
                closed: cells | cells.edge_neighbours(),
                joints: cells.diagonal_neighbours() | start,
                fresh: [Bitboard::EMPTY; 2],
                tiles: board.tiles_left(player),
            }
        };
        let mut position = Self {
            occupied: board.occupied(),
            sides: [side(Player(0)), side(Player(1))],
            to_move: board.to_move(),
        };
        // Before its first tile, a player's corner point is its start cell.
        for player in [Player(0), Player(1)] {
            let side = &mut position.sides[player.index()];
            let start = [board.start(player)].into_iter().collect();
            side.fresh = [start, Bitboard::EMPTY];
            let placed = board
                .moves()
                .iter()
                .enumerate()
                .filter_map(|(ply, turn)| match turn {
                    Move::Place(placement) if ply % 2 == player.index() => Some(*placement),
                    _ => None,
                });
            for placement in placed {
                side.fresh = [corners(placement), side.fresh[0]];
            }
        }
        position
    }

    /// Whose turn it is.
    pub fn to_move(&self) -> Player {
        self.to_move
    }

    /// Gives the turn to a player.
    pub fn set_to_move(&mut self, player: Player) {
        self.to_move = player;
    }

    /// Tiles that a player has not placed.
    pub fn tiles(&self, player: Player) -> TileSet {
        self.sides[player.index()].tiles
    }

    /// Cells that a player may cover.
    pub fn allowed(&self, player: Player) -> Bitboard<Duo> {
        !(self.occupied | self.sides[player.index()].closed)
    }

    /// Corner points of a player.
    pub fn corner_points(&self, player: Player) -> Bitboard<Duo> {
        self.allowed(player) & self.sides[player.index()].joints
    }

    /// Corner points of a player that its last two tiles opened, or might have.
    pub fn fresh_points(&self, player: Player) -> Bitboard<Duo> {
        let [last, before] = self.sides[player.index()].fresh;
        self.allowed(player) & (last | before)
    }

    /// What the player to move draws its placements from; the rival's fresh points are marked.
    pub fn ground(&self) -> Ground<Duo> {
        let (me, rival) = (self.to_move, self.to_move.rival());
        let allowed = self.allowed(me);
        Ground {
            allowed,
            corners: allowed & self.sides[me.index()].joints,
            marked: self.fresh_points(rival) & allowed,
        }
    }

    /// Places a tile, which must be legal, for the player to move, and gives the turn to the other.
    pub fn place(&mut self, placement: Placement) {
        let cells = Bitboard::from_placement(placement).expect("a legal placement is on the board");
        let edges = cells.edge_neighbours();
        let corners = cells.diagonal_neighbours();
        let side = &mut self.sides[self.to_move.index()];
        side.closed |= cells | edges;
        side.joints |= corners;
        side.fresh = [corners, side.fresh[0]];
        side.tiles.remove(placement.tile());
        self.occupied |= cells;
        self.to_move = self.to_move.rival();
    }

    /// Cells that a player is ahead if the game ends now.
    pub fn margin(&self, player: Player) -> i32 {
        let squares = |player| self.tiles(player).squares() as i32;
        squares(player.rival()) - squares(player)
    }
}

fn corners(placement: Placement) -> Bitboard<Duo> {
    let cells: Bitboard<Duo> = placement.cells().collect();
    cells.diagonal_neighbours()
}
