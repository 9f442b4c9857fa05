//! Formulas that the twin can compute in place of those that the targets ship.

use super::arithmetic::MAX_VALUE;
use super::keys::{Key, Row, Values};
use super::parameters::SearchParameters;

/// Switches of the formulas; the default values are the formulas that the targets ship.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Formulas {
    /// True if the divisor of the exploration term is the value count alone, in-flight visits
    /// included. Otherwise it is the visit count plus the capped value count.
    pub value_count_divisor: bool,
    /// Width of the value count in bits, in 16ths of a visit: 16 to 24. With more than 16 bits,
    /// steps of means are rounded to the nearest instead of rounded down.
    pub value_count_bits: u32,
    /// True if the initial value (FPU) derives from the value of the root, not of the parent.
    pub fpu_root: bool,
    /// Increase of the expansion threshold for each ply below the root, in 16ths of a visit.
    pub expand_ply: u32,
    /// Number of children of a node that can be selected at first, the best by prior; 0 for all.
    pub first_children: usize,
    /// Visits of a node for each further child; 0 for no further child.
    pub widen: u32,
    /// Maximum number of reply cells that raises the class of a placement in playouts, 1 to 4. Above
    /// 1, the reply cells include the opponent's cells next to its recent corner points.
    pub reply_count_max: u32,
    /// True if playouts draw by weights of tiles and by the number of reply cells, not by placement
    /// class.
    pub playout_weights: bool,
    /// Number of preceding placements in the context of a last good reply: 0 (none), 1 or 2.
    pub replies: u32,
    /// Range of the bonus for the margin, in units of 2^-16. If any bonus is not 0, results are
    /// win, draw or loss with bonuses by running statistics.
    pub margin_bonus: u32,
    /// Range of the bonus for the length of a simulation, in units of 2^-16.
    pub length_bonus: u32,
    /// True if the final move has the greatest product of value, in units of 2^-16, and visit count,
    /// not the greatest visit count.
    pub final_wins: bool,
    /// True if a small network computes the prior, not the weights of tiles and features.
    pub prior_network: bool,
}

impl Default for Formulas {
    fn default() -> Self {
        Self {
            value_count_divisor: false,
            value_count_bits: 16,
            fpu_root: false,
            expand_ply: 0,
            first_children: 0,
            widen: 0,
            reply_count_max: 1,
            playout_weights: false,
            replies: 0,
            margin_bonus: 0,
            length_bonus: 0,
            final_wins: false,
            prior_network: false,
        }
    }
}

/// Row of a switch: its field, which is also the name of the key, its range and its meaning. A
/// switch without a range is 0 or 1.
macro_rules! switch {
    ($field:ident, $about:literal) => {
        Row::<SearchParameters>::number(
            Key::new(stringify!($field), $about, Values::FLAG),
            |p| Some(p.formulas.$field.into()),
            |p, number| p.formulas.$field = number == 1,
        )
    };
    ($field:ident as $type:ty, $min:literal..=$max:expr, $about:literal) => {
        Row::<SearchParameters>::number(
            Key::new(stringify!($field), $about, Values::range($min, $max)),
            |p| Some(p.formulas.$field as u64),
            |p, number| p.formulas.$field = number as $type,
        )
    };
}

impl Formulas {
    /// Keys of all switches.
    pub const KEYS: [Row<SearchParameters>; 13] = [
        switch!(
            value_count_divisor,
            "divisor of the exploration term is the value count alone, in-flight visits included"
        ),
        switch!(
            value_count_bits as u32,
            16..=24,
            "width of the value count, in bits; above 16, steps of values are rounded"
        ),
        switch!(fpu_root, "initial values derive from the value of the root"),
        switch!(
            expand_ply as u32,
            0..=255,
            "increase of the expansion threshold per ply below the root, in 16ths of a visit"
        ),
        switch!(
            first_children as usize,
            0..=4_096,
            "children that can be selected at first, the best by prior; 0 is all"
        ),
        switch!(
            widen as u32,
            0..=u32::MAX as u64,
            "visits of a node for each further child; 0 is none"
        ),
        switch!(
            reply_count_max as u32,
            1..=4,
            "maximum number of reply cells that raises the class of a placement; above 1, cells next to recent corner points count too"
        ),
        switch!(
            playout_weights,
            "playouts draw by weights of tiles and count reply cells; ignores reply_min_size and reply_count_max"
        ),
        switch!(
            replies as u32,
            0..=2,
            "placements before a last good reply; 0 disables these replies"
        ),
        switch!(
            margin_bonus as u32,
            0..=MAX_VALUE as u64,
            "bonus for the margin, in units of 2^-16; replaces win_value and margin_value"
        ),
        switch!(
            length_bonus as u32,
            0..=MAX_VALUE as u64,
            "bonus for the length, in units of 2^-16; replaces win_value and margin_value"
        ),
        switch!(
            final_wins,
            "final move by the product of value and visit count, not by the visit count"
        ),
        switch!(
            prior_network,
            "small learned network for the prior, in place of its weights"
        ),
    ];

    /// True if results have bonuses by running statistics.
    pub fn has_bonus(&self) -> bool {
        self.margin_bonus > 0 || self.length_bonus > 0
    }

    /// Returns the number of children that can be selected, for a node with this number of children
    /// and visits.
    pub fn open_children(&self, children: usize, visits: u32) -> usize {
        if self.first_children == 0 {
            return children;
        }
        let more = visits.checked_div(self.widen).unwrap_or(0) as usize;
        (self.first_children + more).min(children)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_sets_its_value_within_its_range_and_no_other() {
        let ends = [
            ("value_count_divisor", 0, 1),
            ("value_count_bits", 16, 24),
            ("fpu_root", 0, 1),
            ("expand_ply", 0, 255),
            ("first_children", 0, 4_096),
            ("widen", 0, u64::from(u32::MAX)),
            ("reply_count_max", 1, 4),
            ("playout_weights", 0, 1),
            ("replies", 0, 2),
            ("margin_bonus", 0, 65_535),
            ("length_bonus", 0, 65_535),
            ("final_wins", 0, 1),
            ("prior_network", 0, 1),
        ];
        assert_eq!(
            ends.map(|end| end.0),
            Formulas::KEYS.map(|row| row.key.name)
        );
        let default = SearchParameters::default();
        for (row, (key, min, max)) in Formulas::KEYS.into_iter().zip(ends) {
            let own = row.get(&default).expect("a number");
            for value in [min, max].map(|value| value.to_string()) {
                let mut changed = default.clone();
                assert_eq!(row.set(&mut changed, &value), Ok(()), "{key}");
                assert_eq!(row.get(&changed), Some(value), "{key}");
                // All other parameters are unchanged.
                row.set(&mut changed, &own).expect("the default");
                assert_eq!(changed, default, "{key}");
            }
            let mut unchanged = default.clone();
            let below = min
                .checked_sub(1)
                .map_or("-1".to_owned(), |below| below.to_string());
            for value in [below, (max + 1).to_string()] {
                assert!(row.set(&mut unchanged, &value).is_err(), "{key}={value}");
            }
            assert_eq!(unchanged, default, "{key}");
        }
    }

    #[test]
    fn either_bonus_needs_statistics() {
        for (margin_bonus, length_bonus) in [(0, 0), (1, 0), (0, 1), (65_535, 65_535)] {
            let formulas = Formulas {
                margin_bonus,
                length_bonus,
                ..Formulas::default()
            };
            assert_eq!(formulas.has_bonus(), margin_bonus + length_bonus > 0);
        }
    }

    #[test]
    fn nodes_widen_with_their_visits() {
        let formulas = Formulas {
            first_children: 32,
            widen: 100,
            ..Formulas::default()
        };
        let open = |visits| formulas.open_children(40, visits);
        assert_eq!(
            [0, 99, 100, 799, 800, 5_000].map(open),
            [32, 32, 33, 39, 40, 40]
        );
        assert_eq!(formulas.open_children(7, 0), 7);
        assert_eq!(Formulas::default().open_children(40, 0), 40);
        let fixed = Formulas {
            widen: 0,
            ..formulas
        };
        assert_eq!(fixed.open_children(40, 5_000), 32);
    }
}
