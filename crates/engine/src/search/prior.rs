//! How promising a placement looks before it was ever tried.

use duoforge_rules::{Bitboard, Duo, Placement, Tile, legal_anchors};
use duoforge_rules::{Orientation, TileSet};

use super::arithmetic::{Reciprocal, halves};
use super::position::Position;

/// Kinds of cells that the prior counts.
pub const KINDS: usize = 8;

/// Weights of a log-linear model, in 16ths of an octave: 16 more make a placement twice as likely.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// By the tile's number of cells, from one on.
    pub size: [i32; 5],
    /// By the kind of a cell, see [`Maps::counts`].
    pub kinds: [i32; KINDS],
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            size: [-120, -90, -60, -28, 0],
            kinds: [8, 30, 12, 4, 5, -4, -8, 0],
        }
    }
}

/// What the prior looks at, for the player to move.
struct Maps {
    allowed: Bitboard<Duo>,
    corner: Bitboard<Duo>,
    roomy: Bitboard<Duo>,
    rival_corner: Bitboard<Duo>,
    rival_fresh: Bitboard<Duo>,
    rival_near: Bitboard<Duo>,
}

impl Maps {
    fn new(position: &Position) -> Self {
        let (me, rival) = (position.to_move(), position.to_move().rival());
        let allowed = position.allowed(me);
        let rival_corner = position.corner_points(rival);
        let [n, s, w, e] = [
            allowed.south(),
            allowed.north(),
            allowed.east(),
            allowed.west(),
        ];
        Self {
            allowed,
            corner: position.corner_points(me),
            roomy: allowed & ((n & s & (w | e)) | (w & e & (n | s))),
            rival_corner,
            rival_fresh: position.fresh_points(rival),
            rival_near: (rival_corner.edge_neighbours() & position.allowed(rival)) - rival_corner,
        }
    }

    /// Cells of each kind: covered corner points of the rival, those of them that its last two tiles
    /// opened, covered cells next to one; corner points opened, those of them with room around;
    /// allowed cells lost at the edges, corner points lost there; covered own corner points.
    fn counts(&self, placement: Placement) -> [u32; KINDS] {
        let cells = Bitboard::<Duo>::from_placement(placement).expect("it is on the board");
        let edges = cells.edge_neighbours();
        let corners = cells.diagonal_neighbours() - cells - edges - self.corner;
        [
            cells & self.rival_corner,
            cells & self.rival_fresh,
            cells & self.rival_near,
            corners & self.allowed,
            corners & self.roomy,
            edges & self.allowed,
            edges & self.corner,
            cells & self.corner,
        ]
        .map(|set| set.len())
    }
}

/// A placement with its prior.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scored {
    /// What is placed.
    pub placement: Placement,
    /// 16ths of an octave behind the best one.
    pub behind: u32,
    /// Its probability among those that are kept, of 2^16.
    pub prior: u32,
}

/// Tiles of a set that are big enough in the opening, when small ones are not worth a thought.
pub fn worthwhile(position: &Position) -> TileSet {
    let tiles = position.tiles(position.to_move());
    let left = tiles.len() + position.tiles(position.to_move().rival()).len();
    let least = match 2 * Tile::COUNT as u32 - left {
        0..4 => 5,
        4..6 => 4,
        6..10 => 3,
        _ => 1,
    };
    tiles.iter().filter(|tile| tile.size() >= least).collect()
}

/// The best legal placements of the player to move, at most `keep`, the best first; of equal ones the
/// first by row, column and orientation, the order of the hardware's scan.
pub fn best(position: &Position, weights: &Weights, keep: usize) -> Vec<Scored> {
    let me = position.to_move();
    let (allowed, corners) = (position.allowed(me), position.corner_points(me));
    let mut scored = score(position, weights, worthwhile(position), &allowed, &corners);
    if scored.is_empty() {
        scored = score(position, weights, position.tiles(me), &allowed, &corners);
    }
    scored.sort_by_key(|&(p, score)| (std::cmp::Reverse(score), p.y, p.x, p.orientation));
    scored.truncate(keep);
    let Some(&(_, top)) = scored.first() else {
        return Vec::new();
    };
    let behind = |score: i32| (top - score).min(255) as u32;
    let sum: u32 = scored.iter().map(|&(_, score)| halves(behind(score))).sum();
    let reciprocal = Reciprocal::of(sum);
    let scored = scored.into_iter().map(|(placement, score)| Scored {
        placement,
        behind: behind(score),
        prior: reciprocal.times(i64::from(halves(behind(score))) << 16) as u32,
    });
    scored.collect()
}

fn score(
    position: &Position,
    weights: &Weights,
    tiles: TileSet,
    allowed: &Bitboard<Duo>,
    corners: &Bitboard<Duo>,
) -> Vec<(Placement, i32)> {
    let maps = Maps::new(position);
    let anchors = legal_anchors(allowed, corners, tiles);
    let mut scored = Vec::new();
    for orientation in Orientation::all() {
        let size = weights.size[usize::from(orientation.tile().size()) - 1];
        for anchor in anchors[orientation.index()].iter() {
            let placement = Placement::new(orientation, anchor.x, anchor.y);
            let counts = maps.counts(placement);
            let terms = counts.iter().zip(&weights.kinds);
            let sum: i32 = terms.map(|(&count, weight)| count as i32 * weight).sum();
            scored.push((placement, size + sum));
        }
    }
    scored
}
