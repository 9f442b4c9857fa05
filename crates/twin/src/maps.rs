use duoforge_rules::{Bitboard, Colour, Duo, DuoBoard};

/// Maps of the pattern policy: five sets of cells, from the point of view of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PolicyMaps {
    /// Allowed cells of the player.
    pub allowed: Bitboard<Duo>,
    /// Corner points of the player.
    pub corner: Bitboard<Duo>,
    /// Allowed cells with at least three allowed edge neighbours.
    pub open_cells: Bitboard<Duo>,
    /// Corner points of the opponent.
    pub opponent_corner: Bitboard<Duo>,
    /// Allowed cells of the opponent that share an edge with one of its corner points and are not
    /// corner points themselves.
    pub opponent_near: Bitboard<Duo>,
}

impl PolicyMaps {
    /// Computes the maps of `player` on a two-player board.
    pub fn new(board: &DuoBoard, player: Colour) -> Self {
        let opponent = Colour(1 - player.0);
        let allowed = board.allowed(player);
        let corner = board.corner_points(player);
        let opponent_corner = board.corner_points(opponent);
        let [n, s, w, e] = [
            allowed.south(),
            allowed.north(),
            allowed.east(),
            allowed.west(),
        ];
        Self {
            allowed,
            corner,
            open_cells: allowed & ((n & s & (w | e)) | (w & e & (n | s))),
            opponent_corner,
            opponent_near: (opponent_corner.edge_neighbours() & board.allowed(opponent))
                - opponent_corner,
        }
    }
}
