//! Prior: probability of each placement before the search visits it.
//!
//! The prior is a log-linear model. The score of a placement is the weight of its tile plus, for
//! each feature, the weight of the feature times its count. The weights depend on the phase of the
//! game and are fitted to games (`duoforge-lab learn`).

use duoforge_rules::{Bitboard, Duo, Placement, Tile, legal_anchors};
use duoforge_rules::{Orientation, TileSet};

use super::arithmetic::{Reciprocal, exp2_neg};
use super::parameters::SearchParameters;
use super::position::Position;

pub mod network;
mod scores;

use network::PriorNetwork;
pub use scores::CellScores;

/// Number of features: kinds of cells that the prior counts, see [`count_features`].
pub const FEATURES: usize = 10;

/// Number of phases of the game, each with its own weights, see [`phase`].
pub const PHASES: usize = 4;

/// Number of tiles placed per phase.
const PHASE: u32 = 6;

/// Weights of the log-linear model, in 16ths of an octave: +16 doubles the probability of a
/// placement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights {
    /// Weight of each tile, by phase.
    pub tiles: [[i8; Tile::COUNT]; PHASES],
    /// Weight of each feature, by phase.
    pub kinds: [[i8; FEATURES]; PHASES],
}

impl Weights {
    /// Returns the score of a placement of `tile` with these feature counts.
    pub fn score(&self, phase: usize, tile: Tile, counts: &[u8; FEATURES]) -> i32 {
        let terms = counts.iter().zip(&self.kinds[phase]);
        let sum: i32 = terms
            .map(|(&n, &weight)| i32::from(n) * i32::from(weight))
            .sum();
        sum + i32::from(self.tiles[phase][tile.index()])
    }
}

impl Default for Weights {
    fn default() -> Self {
        Self {
            tiles: [
                [
                    -37, -37, -37, -37, -52, -83, -89, -48, -93, 0, -11, -18, -49, -19, -30, -27,
                    -8, -28, -19, -36, -20,
                ],
                [
                    -96, -91, -103, -127, -85, -118, -117, -101, -112, 0, -23, -35, -56, -36, -44,
                    -34, -19, -47, -31, -53, -52,
                ],
                [
                    -85, -85, -85, -104, -49, -70, -77, -64, -71, 0, -14, -28, -39, -21, -26, -10,
                    -8, -26, -5, -32, -34,
                ],
                [
                    -106, -96, -74, -86, -45, -55, -58, -48, -54, 0, -12, -19, -29, -15, -24, -9,
                    -6, -17, -4, -32, -29,
                ],
            ],
            kinds: [
                [29, -18, 7, 17, -21, -11, -23, 15, 31, -12],
                [19, -9, 8, 16, -20, -9, -18, 13, 24, -10],
                [22, -5, 15, 12, -17, -8, -12, 9, 17, -7],
                [18, -4, 12, 16, -16, -9, -11, 10, 13, -5],
            ],
        }
    }
}

/// Returns the phase of the game by the number of tiles placed: below 6, below 12, below 18, or
/// more.
pub fn phase(position: &Position) -> usize {
    let phase = on_board(position) / PHASE;
    (phase as usize).min(PHASES - 1)
}

fn on_board(position: &Position) -> u32 {
    let player = position.to_move();
    let left = position.tiles(player).len() + position.tiles(player.opponent()).len();
    2 * Tile::COUNT as u32 - left
}

/// PriorMaps from which the prior counts its features, for the side to move.
///
/// Every map is a subset of the allowed cells of the side or of the opponent. A row of a map
/// depends on at most two rows above and below.
struct PriorMaps {
    allowed: Bitboard<Duo>,
    corner: Bitboard<Duo>,
    /// Allowed cells in the 3x3 neighbourhoods of corner points.
    around: Bitboard<Duo>,
    opponent_corner: Bitboard<Duo>,
    /// Allowed cells of the opponent that share an edge with its corner points and are not corner
    /// points.
    opponent_beside: Bitboard<Duo>,
    /// Allowed cells of the opponent in the 3x3 neighbourhoods of its corner points.
    opponent_around: Bitboard<Duo>,
}

impl PriorMaps {
    fn new(position: &Position) -> Self {
        let (me, opponent) = (position.to_move(), position.to_move().opponent());
        let (allowed, opponent_allowed) = (position.allowed(me), position.allowed(opponent));
        let (corner, opponent_corner) =
            (position.corner_points(me), position.corner_points(opponent));
        Self {
            allowed,
            corner,
            around: dilated(corner) & allowed,
            opponent_corner,
            opponent_beside: (opponent_corner.edge_neighbours() & opponent_allowed)
                - opponent_corner,
            opponent_around: dilated(opponent_corner) & opponent_allowed,
        }
    }

    fn counts(&self, placement: Placement) -> [u8; FEATURES] {
        let cells = Bitboard::<Duo>::from_placement(placement).expect("it is on the board");
        let edges = cells.edge_neighbours();
        let corners = cells.diagonal_neighbours() - cells - edges;
        [
            cells & self.corner,
            cells & self.around,
            cells & self.opponent_beside,
            cells & self.opponent_around,
            edges & self.allowed,
            edges & self.around,
            edges & self.opponent_corner,
            edges & self.opponent_around,
            corners & self.allowed,
            corners & self.around,
        ]
        .map(|set| set.len() as u8)
    }
}

/// Returns the cells and their eight neighbours.
fn dilated(cells: Bitboard<Duo>) -> Bitboard<Duo> {
    let columns = cells | cells.north() | cells.south();
    columns | columns.west() | columns.east()
}

/// Returns the placements that the search considers for the side to move, with their feature
/// counts.
///
/// These are the legal placements of the candidate tiles, see [`candidate_tiles`]. If there are
/// none, these are all legal placements. The edges of a placement are the cells that share an edge
/// with it; its corners are the cells that are only diagonal to it. `C` are the corner points of
/// the side to move, `R` those of the opponent. `around` is the 3x3 neighbourhood, restricted to
/// the allowed cells of the same side.
///
/// | feature | counted cells |
/// |--:|---|
/// | 0 | cells in C: own corner points that the tile covers |
/// | 1 | cells around C |
/// | 2 | cells next to R and not in R that the opponent may cover |
/// | 3 | cells around R: cells that the opponent is likely to use |
/// | 4 | edges that the side may cover, and loses |
/// | 5 | edges around C: own cells near corner points, which are lost |
/// | 6 | edges in R: corner points that the opponent keeps |
/// | 7 | edges around R |
/// | 8 | corners that the side may cover: corner points after the placement |
/// | 9 | corners around C: cells that were in reach before |
pub fn count_features(position: &Position) -> Vec<(Placement, [u8; FEATURES])> {
    let maps = PriorMaps::new(position);
    let (tiles, anchors) = candidate_anchors(position);
    let mut list = Vec::new();
    for orientation in tiles.iter().flat_map(Orientation::of_tile) {
        for anchor in anchors[orientation.index()].iter() {
            let placement = Placement::new(orientation, anchor.x, anchor.y);
            list.push((placement, maps.counts(placement)));
        }
    }
    list
}

/// Returns the tiles that the search considers for the side to move, with their legal anchors: the
/// candidate tiles, see [`candidate_tiles`], or all tiles if none of these has a legal placement.
pub fn candidate_anchors(position: &Position) -> (TileSet, [Bitboard<Duo>; Orientation::COUNT]) {
    let me = position.to_move();
    let (allowed, corners) = (position.allowed(me), position.corner_points(me));
    let of = |tiles| (tiles, legal_anchors(&allowed, &corners, tiles));
    let candidates = of(candidate_tiles(position));
    if candidates.1.iter().all(Bitboard::is_empty) {
        return of(position.tiles(me));
    }
    candidates
}

/// Candidate: a placement with its prior.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// Placement.
    pub placement: Placement,
    /// Score gap to the best candidate, in 16ths of an octave; saturates at 255.
    pub score_gap: u32,
    /// Probability among the candidates that are kept, in units of 2^-16.
    pub prior: u32,
}

/// Returns the candidate tiles of the side to move. In the opening, small tiles are left out.
pub fn candidate_tiles(position: &Position) -> TileSet {
    let least = match on_board(position) {
        0..4 => 5,
        4..6 => 4,
        6..10 => 3,
        _ => 1,
    };
    let tiles = position.tiles(position.to_move());
    tiles.iter().filter(|tile| tile.size() >= least).collect()
}

/// Returns the candidates that a node of the search keeps, best first.
pub fn node_candidates(position: &Position, p: &SearchParameters) -> Vec<Candidate> {
    match p.formulas.prior_network {
        false => top_candidates(position, &p.weights, p.children),
        true => top_by_scores(
            position,
            &PriorNetwork::shipped().scores(position),
            p.children,
        ),
    }
}

/// Returns the top `keep` candidates of the side to move, best first. Ties go to the first by row,
/// column and orientation: the order of the hardware's scan.
pub fn top_candidates(position: &Position, weights: &Weights, keep: usize) -> Vec<Candidate> {
    top_by_scores(position, &CellScores::of_features(position, weights), keep)
}

/// Returns the top `keep` candidates of the side to move like [`top_candidates`], by scores of
/// another model.
pub fn top_by_scores(position: &Position, scores: &CellScores, keep: usize) -> Vec<Candidate> {
    with_priors(&scores::ranking(position, scores, keep))
}

/// Returns the priors of placements from their scores, best first: softmax with base 2 and a
/// temperature of 16, normalised to 2^16. Score gaps saturate at 255.
pub fn with_priors(ranking: &[(Placement, i32)]) -> Vec<Candidate> {
    let Some(&(_, top)) = ranking.first() else {
        return Vec::new();
    };
    let behind = |score: i32| (top - score).min(255) as u32;
    let scores = ranking.iter().map(|&(_, score)| score);
    let reciprocal = Reciprocal::of(scores.map(|score| exp2_neg(behind(score))).sum());
    let candidates = ranking.iter().map(|&(placement, score)| Candidate {
        placement,
        score_gap: behind(score),
        prior: reciprocal.times(i64::from(exp2_neg(behind(score))) << 16) as u32,
    });
    candidates.collect()
}

#[cfg(test)]
mod tests;
