//! Last good replies: answers to the preceding placements that won their simulation.

use std::cmp::Ordering;

use duoforge_rules::{Colour, Orientation, Placement};

use super::arithmetic::MAX_VALUE;

/// Bits of the index of the table for two preceding placements; several pairs may share an entry.
const PAIR_BITS: u32 = 18;

/// Number of indices of placements.
const PLACEMENTS: usize = Orientation::COUNT * 14 * 14;

/// Tables of replies of both sides.
///
/// A reply is kept while the simulations that play it are won, and forgotten with the first one
/// that is lost. Each lane has its own tables, so results do not depend on the timing of lanes.
#[derive(Clone, Debug, Default)]
pub struct Replies {
    /// Replies to one placement, by side and placement.
    one: Vec<Option<Placement>>,
    /// Replies to two placements, by a hash of side and placements.
    two: Vec<Option<Placement>>,
}

/// Two placements before a reply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Context {
    last: Option<Placement>,
    before: Option<Placement>,
}

impl Context {
    /// Returns the context after these placements of a simulation.
    pub fn after(moves: &[(Colour, Placement)]) -> Self {
        let mut context = Self::default();
        for &(_, placement) in &moves[moves.len().saturating_sub(2)..] {
            context.push(placement);
        }
        context
    }

    /// Adds the next placement.
    pub fn push(&mut self, placement: Placement) {
        self.before = self.last.replace(placement);
    }
}

impl Replies {
    /// Creates empty tables for contexts of `depth` placements: 0, 1 or 2.
    pub fn new(depth: u32) -> Self {
        let table = |used: bool, len| vec![None; if used { len } else { 0 }];
        Self {
            one: table(depth > 0, 2 * PLACEMENTS),
            two: table(depth > 1, 1 << PAIR_BITS),
        }
    }

    /// Returns the replies to try, the one to two placements first.
    pub fn get(&self, player: Colour, context: Context) -> impl Iterator<Item = Placement> {
        let [one, two] = self.indices(player, context);
        let two = two.and_then(|index| self.two[index]);
        let one = one.and_then(|index| self.one[index]);
        two.into_iter().chain(one)
    }

    /// Records all placements of a simulation with the value of its result for `side`; a value
    /// above that of a draw is a win.
    pub fn record_result(&mut self, moves: &[(Colour, Placement)], value: u32, side: Colour) {
        let winner = match value.cmp(&MAX_VALUE.div_ceil(2)) {
            Ordering::Less => Some(side.opponent()),
            Ordering::Equal => None,
            Ordering::Greater => Some(side),
        };
        self.record(moves, winner);
    }

    /// Records all placements of a simulation; a draw changes nothing. `winner` is `None` for a
    /// draw.
    pub fn record(&mut self, moves: &[(Colour, Placement)], winner: Option<Colour>) {
        let Some(winner) = winner.filter(|_| !self.one.is_empty()) else {
            return;
        };
        let mut context = Context::default();
        for &(player, placement) in moves {
            let [one, two] = self.indices(player, context);
            let entries = [
                one.map(|index| &mut self.one[index]),
                two.map(|index| &mut self.two[index]),
            ];
            for entry in entries.into_iter().flatten() {
                if player == winner {
                    *entry = Some(placement);
                } else if *entry == Some(placement) {
                    *entry = None;
                }
            }
            context.push(placement);
        }
    }

    fn indices(&self, player: Colour, context: Context) -> [Option<usize>; 2] {
        let one = context.last.filter(|_| !self.one.is_empty());
        let pair = context.last.zip(context.before);
        let pair = pair.filter(|_| !self.two.is_empty());
        [
            one.map(|last| number(last) * 2 + player.index()),
            pair.map(|(last, before)| {
                // Shifts and XORs: no multiplication in hardware.
                let (last, before) = (number(last), number(before));
                let mixed = last ^ before << 3 ^ before >> 12 ^ player.index() << 17;
                mixed & ((1 << PAIR_BITS) - 1)
            }),
        ]
    }
}

/// Returns a unique index for a placement.
fn number(placement: Placement) -> usize {
    let Placement { orientation, x, y } = placement;
    (orientation.index() * 14 + usize::from(y)) * 14 + usize::from(x)
}

#[cfg(test)]
mod tests {
    use duoforge_rules::{ActionSpace, DuoBoard};

    use super::*;

    #[test]
    fn replies_are_kept_while_they_win() {
        let legal: Vec<_> = DuoBoard::duo().legal().take(5).collect();
        let [first, second] = [Colour(0), Colour(1)];
        let moves = [(first, legal[0]), (second, legal[1]), (first, legal[2])];
        let mut replies = Replies::new(2);
        let got = |replies: &Replies, len: usize| -> Vec<_> {
            let player = moves[len].0;
            replies.get(player, Context::after(&moves[..len])).collect()
        };
        replies.record(&moves, Some(first));
        // The loser's reply is not kept; the winner's answers one and two placements.
        assert_eq!(got(&replies, 1), []);
        assert_eq!(got(&replies, 2), [legal[2], legal[2]]);
        assert_eq!(replies.get(second, Context::after(&moves[..2])).count(), 0);
        replies.record(&moves, None);
        assert_eq!(got(&replies, 2), [legal[2], legal[2]]);
        // A different reply that loses changes nothing.
        let other = [moves[0], moves[1], (first, legal[3])];
        replies.record(&other, Some(second));
        assert_eq!(got(&replies, 2), [legal[2], legal[2]]);
        assert_eq!(got(&replies, 1), [legal[1]]);
        replies.record(&moves, Some(second));
        assert_eq!(got(&replies, 2), []);
        let mut none = Replies::new(0);
        none.record(&moves, Some(first));
        assert_eq!(got(&none, 2), []);
    }

    #[test]
    fn every_placement_of_a_side_has_a_reply_of_its_own() {
        assert_eq!(PLACEMENTS, 17_836);
        let replies = Replies::new(1);
        let mut seen = vec![false; 2 * 17_836];
        let contexts = ActionSpace::new(14).placements();
        for (last, player) in contexts.flat_map(|p| [(p, Colour(0)), (p, Colour(1))]) {
            let [one, two] = replies.indices(player, Context::after(&[(player, last)]));
            let index = one.expect("one placement before");
            assert!(!std::mem::replace(&mut seen[index], true), "{index}");
            assert_eq!(two, None);
        }
    }

    /// The index of two placements is the XOR of the last one, the one before rotated by three bits
    /// within 15 and the side at bit 17, 18 bits wide.
    #[test]
    fn pairs_of_placements_are_mixed() {
        let replies = Replies::new(2);
        let placements: Vec<_> = ActionSpace::new(14).placements().collect();
        let number =
            |p: Placement| p.orientation.index() * 196 + usize::from(p.y) * 14 + usize::from(p.x);
        let pairs = placements
            .iter()
            .zip(placements.iter().rev().cycle().skip(77));
        for (&last, &before) in pairs {
            for player in [Colour(0), Colour(1)] {
                let context = Context::after(&[(player, before), (player.opponent(), last)]);
                let [one, two] = replies.indices(player, context);
                assert_eq!(one, Some(number(last) * 2 + player.index()));
                let shifted = number(before) * 8 + number(before) / 4_096;
                let side = player.index() * 131_072;
                assert_eq!(two, Some((shifted ^ number(last) ^ side) % (1 << 18)));
            }
        }
    }

    /// A value above that of a draw is a win of the side it is for.
    #[test]
    fn the_winner_of_a_result_keeps_its_replies() {
        let legal: Vec<_> = DuoBoard::duo().legal().take(3).collect();
        let moves = [0, 1, 0].map(Colour).into_iter().zip(legal.iter().copied());
        let moves: Vec<_> = moves.collect();
        for (value, side, kept) in [
            (32_768, 0, [0, 0]),
            (32_769, 0, [0, 2]),
            (32_767, 0, [1, 0]),
            (65_535, 1, [1, 0]),
            (0, 1, [0, 2]),
        ] {
            let mut replies = Replies::new(2);
            replies.record_result(&moves, value, Colour(side));
            let counts = [1, 2].map(|len| {
                let (player, _) = moves[len];
                replies.get(player, Context::after(&moves[..len])).count()
            });
            assert_eq!(counts, kept, "{value} for {side}");
        }
    }

    #[test]
    fn one_placement_has_no_pair() {
        let legal: Vec<_> = DuoBoard::duo().legal().take(3).collect();
        let moves = [(Colour(0), legal[0]), (Colour(1), legal[1])];
        for depth in [1, 2] {
            let mut replies = Replies::new(depth);
            replies.record(&moves, Some(Colour(1)));
            let found = replies.get(Colour(1), Context::after(&moves[..1]));
            assert_eq!(found.collect::<Vec<_>>(), [legal[1]]);
        }
    }
}
