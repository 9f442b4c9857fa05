//! Prior: probability of each placement before the search visits it.
//!
//! The model is log-linear. The score of a placement is the weight of its tile, plus for each
//! [`Feature`] its weight times its count. All features count cells, so the weights of a position
//! are first added up for each cell.

mod maps;

use multiversion::multiversion;

use maps::{FEATURE_MAPS, Maps};

use crate::position::{Key, Position, cells, key_at};
use crate::shapes::{BEFORE_CENTRE, CELLS, Grid, PAD, STRIDE, Shape, index, window};
use crate::tree::NewChild;
use crate::weights::{FEATURES, Weights};

/// Scores below the best one at which a placement is left out, in 16ths of an octave.
const MAX_SCORE_GAP: i32 = 255;

/// Powers of two with exponents 0, -1/16, -2/16 and so on.
#[derive(Clone, Debug)]
pub struct Powers([f32; MAX_SCORE_GAP as usize + 1]);

impl Default for Powers {
    /// Square roots and products only: every processor has the same table.
    fn default() -> Self {
        let sixteenth = 0.5_f64.sqrt().sqrt().sqrt().sqrt();
        let mut power = 1.0_f64;
        let mut powers = [0.0; MAX_SCORE_GAP as usize + 1];
        for entry in &mut powers {
            *entry = power as f32;
            power *= sixteenth;
        }
        Self(powers)
    }
}

/// Lists the candidates of a position with their priors and initial values.
#[derive(Clone, Debug, Default)]
pub struct Expander {
    powers: Powers,
    scored: Vec<Scored>,
    children: Vec<NewChild>,
}

#[derive(Clone, Copy, Debug)]
struct Scored {
    key: Key,
    score: i32,
    size: u8,
}

impl Expander {
    /// Returns the candidates of the colour to move, in the order of their numbers: at most `limit`
    /// of the greatest prior. Every placement is one at the root, where `all` is true; elsewhere
    /// small tiles early in the game are left out, and placements of negligible prior.
    ///
    /// `value` is the initial value of the best candidate, see [`NewChild::value`]. It falls with
    /// the square root of the ratio of the priors.
    pub fn expand(
        &mut self,
        position: &Position,
        weights: &Weights,
        limit: usize,
        all: bool,
        value: f32,
    ) -> &[NewChild] {
        self.scored.clear();
        self.children.clear();
        list(position, weights, &mut self.scored);
        if !all {
            leave_small_tiles(position, &mut self.scored);
        }
        let best = self.scored.iter().map(|it| it.score).max().unwrap_or(0);
        if !all {
            self.scored.retain(|it| best - it.score <= MAX_SCORE_GAP);
        }
        if self.scored.len() > limit {
            let order = |it: &Scored| (-it.score, it.key);
            self.scored.select_nth_unstable_by_key(limit, order);
            self.scored.truncate(limit);
        }
        self.scored.sort_unstable_by_key(|it| it.key);
        let score_gap = |it: &Scored| (best - it.score).min(MAX_SCORE_GAP) as usize;
        let sum: f32 = self
            .scored
            .iter()
            .map(|it| self.powers.0[score_gap(it)])
            .sum();
        let children = self.scored.iter().map(|it| NewChild {
            key: it.key,
            prior: self.powers.0[score_gap(it)] / sum,
            value: value * self.powers.0[score_gap(it) / 2],
        });
        self.children.extend(children);
        &self.children
    }
}

/// Removes tiles below a size that depends on the number of tiles that the colour has placed, if
/// larger ones fit.
fn leave_small_tiles(position: &Position, scored: &mut Vec<Scored>) {
    let placed = position.placed(position.colour());
    let least = match placed {
        0..=2 => 5,
        3 => 4,
        4..=6 => 3,
        _ => return,
    };
    let largest = scored.iter().map(|it| it.size).max().unwrap_or(0);
    scored.retain(|it| it.size >= least.min(largest));
}

/// Lists all placements of the colour to move with their scores.
#[multiversion(targets("x86_64+avx2+bmi1+bmi2+lzcnt+popcnt"))]
fn list(position: &Position, weights: &Weights, scored: &mut Vec<Scored>) {
    let colour = position.colour();
    let phase = phase(position);
    let maps = CellWeights::new(position, &weights.features[phase]);
    let points = position.corner_points(colour);
    for cell in cells(&points) {
        // A placement that covers several corner points is listed at the first of them.
        let earlier = window(&points, cell.0.into(), cell.1.into()) & BEFORE_CENTRE;
        let (list, forbidden) = position.window_list(colour, cell);
        for it in list
            .iter()
            .filter(|it| it.mask & (forbidden | earlier) == 0)
        {
            let shape = &position.shapes().shapes[usize::from(it.orientation)];
            let (x, y) = (cell.0 - it.dx, cell.1 - it.dy);
            let tile = weights.tiles[phase][shape.tile as usize];
            scored.push(Scored {
                key: key_at(it, cell),
                score: i32::from(tile) + maps.score(shape, x.into(), y.into()),
                size: it.size,
            });
        }
    }
}

/// Lists all placements of the colour to move with the counts of their features.
pub fn count_features(position: &Position) -> Vec<(Key, [u8; FEATURES])> {
    let rules = position.rules();
    let mut listed = Vec::new();
    list(position, Weights::for_size(rules.size), &mut listed);
    let maps = Maps::new(position);
    let rows = PAD..PAD + rules.size;
    let is_on = |map: &Grid, at: usize| {
        let (x, y) = (at % STRIDE, at / STRIDE);
        rows.contains(&y) && map[y] >> x & 1 != 0
    };
    let counts = |key: Key| {
        let shape = &position.shapes().shapes[(key >> 16) as usize];
        let (x, y) = (usize::from((key >> 8) as u8), usize::from(key as u8));
        let anchor = index(x + PAD, y + PAD) as isize;
        FEATURE_MAPS.map(|feature| {
            let (part, map) = feature(&maps);
            let begin = part.checked_sub(1).map_or(0, |part| shape.ends[part]);
            let offsets = &shape.offsets[begin.into()..shape.ends[part].into()];
            let cells = offsets
                .iter()
                .map(|&it| (anchor + isize::from(it)) as usize);
            cells.filter(|&at| is_on(map, at)).count() as u8
        })
    };
    let keys = listed.iter().map(|it| it.key);
    keys.map(|key| (key, counts(key))).collect()
}

/// Returns the phase of the game by the number of tiles placed: below 3 for each colour, below 6,
/// below 9, or more.
pub fn phase(position: &Position) -> usize {
    let colours = position.rules().colours;
    let placed: u32 = (0..colours).map(|colour| position.placed(colour)).sum();
    (placed as usize / (3 * colours)).min(3)
}

/// Weights of the cells of a position: of covered cells, edge neighbours and diagonal neighbours.
struct CellWeights([[i16; CELLS]; 3]);

impl CellWeights {
    #[inline(always)]
    fn new(position: &Position, weights: &[i8; FEATURES]) -> Self {
        let maps = Maps::new(position);
        let mut sums = [[0; CELLS]; 3];
        let end = PAD + position.rules().size;
        for (feature, weight) in FEATURE_MAPS.iter().zip(weights) {
            let (part, map) = feature(&maps);
            for y in PAD..end {
                let mut rest = map[y];
                while rest != 0 {
                    sums[part][index(rest.trailing_zeros() as usize, y)] += i16::from(*weight);
                    rest &= rest - 1;
                }
            }
        }
        Self(sums)
    }

    #[inline(always)]
    fn score(&self, shape: &Shape, x: usize, y: usize) -> i32 {
        let anchor = index(x, y) as isize;
        let mut sum = 0;
        let mut start = 0;
        for (weights, end) in self.0.iter().zip(shape.ends) {
            for &offset in &shape.offsets[start..usize::from(end)] {
                sum += i32::from(weights[(anchor + isize::from(offset)) as usize]);
            }
            start = end.into();
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use duoforge_rules::{Game, GameVariant, Move};
    use duoforge_twin::Rng;

    use super::*;
    use crate::position::placement;

    /// The sum of the weights by counts is the score by maps of the search, of every placement.
    #[test]
    fn counts_give_the_scores_of_the_search() {
        let mut rng = Rng::new(5);
        for name in ["duo", "classic-2", "classic-3"] {
            let variant = GameVariant::named(name).expect("a built-in variant");
            let mut game = Game::new(variant);
            let mut checked = 0;
            while game.to_move().is_some() {
                let position = Position::new(&game);
                let weights = Weights::for_size(position.rules().size);
                let mut listed = Vec::new();
                list(&position, weights, &mut listed);
                let counted = count_features(&position);
                assert_eq!(counted.len(), listed.len());
                for (it, (key, counts)) in listed.iter().zip(&counted) {
                    let tile = placement(*key).tile();
                    let score = weights.score(phase(&position), tile, counts);
                    assert_eq!((it.key, it.score), (*key, score), "{name}");
                }
                checked += counted.len();
                let mv = match counted.len() as u32 {
                    0 => Move::Pass,
                    len => Move::Place(placement(counted[rng.below(len) as usize].0)),
                };
                game.play(mv).expect("a legal move");
            }
            assert!(checked > 1_000, "{checked}");
        }
    }
}
