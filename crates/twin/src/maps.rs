use duoforge_rules::{Bitboard, Duo, DuoBoard, Player};

/// Maps of the pattern policy: five sets of cells, from the point of view of one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Maps {
    /// Allowed cells of the player.
    pub allowed: Bitboard<Duo>,
    /// Corner points of the player.
    pub corner: Bitboard<Duo>,
    /// Allowed cells with at least three allowed edge neighbours.
    pub roomy: Bitboard<Duo>,
    /// Corner points of the opponent.
    pub rival_corner: Bitboard<Duo>,
    /// Allowed cells of the opponent that share an edge with one of its corner points and are not
    /// corner points themselves.
    pub rival_near: Bitboard<Duo>,
}

impl Maps {
    /// Computes the maps of `player` on a two-player board.
    pub fn new(board: &DuoBoard, player: Player) -> Self {
        let rival = Player(1 - player.0);
        let allowed = board.allowed(player);
        let corner = board.corner_points(player);
        let rival_corner = board.corner_points(rival);
        let [n, s, w, e] = [
            allowed.south(),
            allowed.north(),
            allowed.east(),
            allowed.west(),
        ];
        Self {
            allowed,
            corner,
            roomy: allowed & ((n & s & (w | e)) | (w & e & (n | s))),
            rival_corner,
            rival_near: (rival_corner.edge_neighbours() & board.allowed(rival)) - rival_corner,
        }
    }
}
