//! Slow model of a node and its children.

use std::cmp::Reverse;

use duoforge_rules::{Colour, Placement};
use duoforge_twin::search::arithmetic::{MAX_VALUE, Reciprocal, exp2_neg, exploration_scale};
use duoforge_twin::search::prior::Candidate;
use duoforge_twin::search::{Formulas, SearchParameters};

/// Maximum value.
pub const MAX: i128 = MAX_VALUE as i128;

/// Number divided by a divisor, rounded down.
pub fn floor(number: i128, divisor: i128) -> i128 {
    number.div_euclid(divisor)
}

/// Successor of a child in the model.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Next {
    Leaf,
    Node(usize),
    End,
}

/// Child in the model.
pub struct ModelChild {
    pub placement: Placement,
    pub prior: i128,
    pub visits: u32,
    /// Value count in 16ths of a visit; 65,535 is skipped, since it marks proven values.
    pub count: i128,
    /// Mean value in units of 2^-24.
    pub mean: i128,
    pub is_proven: bool,
    pub next: Next,
}

impl ModelChild {
    pub fn value(&self) -> i128 {
        floor(self.mean, 256)
    }

    pub fn grow(&mut self, weight: i128, formulas: &Formulas) {
        let end = 1_i128 << formulas.value_count_bits;
        if !self.is_proven && self.count < end - 64 {
            self.count = (self.count + weight).min(end - 2);
            self.count += i128::from(self.count == 65_535);
        }
    }

    /// Moves the mean by the weight's share of the value count; the difference is in 64ths.
    pub fn approach(&mut self, value: i128, weight: i128, formulas: &Formulas) {
        if self.is_proven {
            return;
        }
        let Reciprocal { factor, shift } = Reciprocal::of(self.count as u32);
        let unit = 1_i128 << (shift - 6);
        let rounding = match formulas.value_count_bits {
            16 => 0,
            _ => unit / 2,
        };
        let difference = floor(value * 256 - self.mean, 64);
        let step = floor(difference * weight * i128::from(factor) + rounding, unit);
        self.mean = (self.mean + step).clamp(0, (1 << 24) - 1);
    }

    pub fn prove(&mut self, value: i128) {
        if !self.is_proven {
            (self.is_proven, self.mean) = (true, value * 256);
        }
    }
}

/// Node in the model.
pub struct ModelNode {
    pub player: Colour,
    pub visits: u32,
    pub children: Vec<ModelChild>,
}

impl ModelNode {
    pub fn new(
        player: Colour,
        candidates: &[Candidate],
        value: i128,
        p: &SearchParameters,
    ) -> Self {
        let child = |candidate: &Candidate| {
            let gap = i128::from(candidate.score_gap) * i128::from(p.fpu_reduction);
            let loss = exp2_neg(floor(gap, 16).min(255) as u32);
            ModelChild {
                placement: candidate.placement,
                prior: i128::from(candidate.prior).min(MAX),
                visits: 0,
                count: p.fpu_weight.into(),
                mean: floor(value * i128::from(loss), 1 << 16) * 256,
                is_proven: false,
                next: Next::Leaf,
            }
        };
        Self {
            player,
            visits: 0,
            children: candidates.iter().map(child).collect(),
        }
    }

    /// Number of children that can be selected.
    pub fn open(&self, formulas: &Formulas) -> usize {
        let further = match formulas.widen {
            0 => 0,
            widen => self.visits / widen,
        };
        match formulas.first_children {
            0 => self.children.len(),
            first => self.children.len().min(first + further as usize),
        }
    }

    /// First child of the highest key among the first `open` ones that are proven, or are not.
    fn best(
        &self,
        open: usize,
        proven: bool,
        key: impl Fn(&ModelChild) -> i128,
    ) -> Option<(i128, usize)> {
        let children = self.children[..open].iter().enumerate();
        let of_kind = children.filter(|(_, child)| child.is_proven == proven);
        of_kind
            .map(|(i, child)| (key(child), i))
            .max_by_key(|&(key, i)| (key, Reverse(i)))
    }

    /// Selects a child: its index, a better proven value, and whether the node is solved.
    pub fn select(&self, p: &SearchParameters) -> (usize, Option<u32>, bool) {
        let scale = exploration_scale(p.exploration, self.visits + 1);
        let score = |child: &ModelChild| {
            let share = floor(i128::from(scale) * child.prior, 1 << 10);
            let capped = floor(child.count, 16).min(p.value_count_cap.into());
            let (divisor, factor_of_units) = match p.formulas.value_count_divisor {
                true => (child.count, 256),
                false => (i128::from(child.visits) + capped, 16),
            };
            let Reciprocal { factor, shift } = Reciprocal::of(divisor as u32);
            let exploration = share * i128::from(factor) * factor_of_units;
            child.value() + floor(exploration, 1 << shift).min(16 * (MAX + 1) - 1)
        };
        let mut open = self.open(&p.formulas);
        while open < self.children.len() && self.best(open, false, score).is_none() {
            open += 1;
        }
        let proven = self.best(open, true, ModelChild::value);
        match (self.best(open, false, score), proven) {
            (Some((score, i)), Some((value, _))) if value > score => (i, Some(value as u32), false),
            (Some((_, i)), _) => (i, None, false),
            (None, best) => {
                let (_, i) = best.expect("a child");
                (i, None, self.children.len() < p.children)
            }
        }
    }

    /// Indices of the children: the one to play first, the others by visit count.
    pub fn ranking(&self, formulas: &Formulas) -> Vec<usize> {
        let open = self.best(self.children.len(), false, |child| {
            let factor = if formulas.final_wins {
                child.value()
            } else {
                1
            };
            i128::from(child.visits) * factor
        });
        let proven = self.best(self.children.len(), true, ModelChild::value);
        let best = match (open, proven) {
            (Some((_, i)), Some((value, _))) if value < self.children[i].value() => i,
            (_, Some((_, i))) | (Some((_, i)), None) => i,
            (None, None) => return Vec::new(),
        };
        let mut others: Vec<_> = (0..self.children.len()).filter(|&i| i != best).collect();
        others.sort_by_key(|&i| Reverse(self.children[i].visits));
        [vec![best], others].concat()
    }
}
