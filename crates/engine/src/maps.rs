use duoforge_rules::{Bitboard, Duo, DuoBoard, Player};

/// What the policy looks at: five sets of cells, seen by one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Maps {
    /// Cells that the player may cover.
    pub allowed: Bitboard<Duo>,
    /// The player's corner points.
    pub corner: Bitboard<Duo>,
    /// Allowed cells with at least three allowed edge neighbours.
    pub roomy: Bitboard<Duo>,
    /// The rival's corner points.
    pub rival_corner: Bitboard<Duo>,
    /// Cells that the rival may cover, next to one of its corner points and none themselves.
    pub rival_near: Bitboard<Duo>,
}

impl Maps {
    /// The maps of `player` on a board for two.
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
