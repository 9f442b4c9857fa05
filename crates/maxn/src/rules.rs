//! Rules of a variant in the form that the search needs, and the value of a result.

use duoforge_rules::{
    Colour, Ending, ForcedPass, GameVariant, Owner, Passing, ScoringRule, Seat, Ties, Tile, TileSet,
};

/// Maximum number of seats and of colours.
pub const MAX: usize = GameVariant::MAX_COLOURS;

/// Number for each seat; entries beyond the variant's seats are 0.
pub type BySeat<T> = [T; MAX];

/// Rules of a variant, as plain numbers.
#[derive(Clone, Copy, Debug)]
pub struct FlatRules {
    /// Columns of the board.
    pub size: usize,
    /// Number of colours.
    pub colours: usize,
    /// Number of seats.
    pub seats: usize,
    /// Owner of each colour; `None` for a shared one.
    owners: [Option<u8>; MAX],
    /// True if start cells that are not covered stay cells to connect to.
    pub starts_stay: bool,
    /// True if a colour without a placement has no turn.
    pub skips: bool,
    passing: Passing,
    ending: Ending,
    scoring: ScoringRule,
    ties: Ties,
}

impl FlatRules {
    /// Creates the rules of a variant.
    pub fn new(variant: &GameVariant) -> Self {
        let mut owners = [None; MAX];
        for (owner, colour) in owners.iter_mut().zip(variant.colours()) {
            *owner = match variant.owner(colour) {
                Owner::Seat(Seat(seat)) => Some(seat),
                Owner::Shared => None,
            };
        }
        Self {
            size: variant.size().into(),
            colours: variant.colour_count(),
            seats: variant.seat_count(),
            owners,
            starts_stay: variant.starts_stay(),
            skips: variant.passing().forced == ForcedPass::Skipped,
            passing: variant.passing(),
            ending: variant.ending(),
            scoring: variant.scoring(),
            ties: variant.ties(),
        }
    }

    /// True if a pass takes the colour out of the game.
    pub fn pass_is_final(&self) -> bool {
        self.passing.is_final
    }

    /// True if the game ends once a colour has placed every tile.
    pub fn ends_when_all_placed(&self) -> bool {
        self.ending.all_placed
    }

    /// Returns the seat that places the next tile of a colour that has placed `placed` tiles.
    #[inline(always)]
    pub fn seat(&self, colour: usize, placed: u32) -> usize {
        match self.owners[colour] {
            Some(seat) => seat.into(),
            None => placed as usize % self.seats,
        }
    }

    /// Returns the colours of the other seats, as bits; a shared colour belongs to no seat.
    #[inline(always)]
    pub fn opponents(&self, seat: usize) -> u8 {
        self.colours_that(|owner| owner != seat)
    }

    /// Returns the colours of a seat, as bits.
    #[inline(always)]
    pub fn own(&self, seat: usize) -> u8 {
        self.colours_that(|owner| owner == seat)
    }

    #[inline(always)]
    fn colours_that(&self, holds: impl Fn(usize) -> bool) -> u8 {
        let mut set = 0;
        for (i, owner) in self.owners.iter().enumerate() {
            set |= u8::from(owner.is_some_and(|owner| holds(owner.into()))) << i;
        }
        set
    }

    /// Returns the score of each seat in points.
    pub fn scores(&self, used: &[u32; MAX], last: &[u8; MAX]) -> BySeat<i32> {
        let mut scores = [0; MAX];
        for colour in 0..self.colours {
            if let Some(seat) = self.owners[colour] {
                let left = TileSet::from_bits(!used[colour]);
                let last = Tile::from_index(last[colour].into());
                scores[usize::from(seat)] += self.scoring.points(left, last);
            }
        }
        scores
    }

    /// Returns each seat's share of the first place: 1 for a sole winner, 0.5 for each of two.
    pub fn shares(&self, scores: &BySeat<i32>) -> BySeat<f32> {
        let scores = &scores[..self.seats];
        let best = scores.iter().max().copied().unwrap_or(0);
        let is_first = |seat: usize| match self.ties {
            Ties::Shared => scores[seat] == best,
            Ties::LaterSeat => scores.iter().rposition(|&score| score == best) == Some(seat),
        };
        let winners = (0..self.seats).filter(|&seat| is_first(seat)).count();
        let mut shares = [0.0; MAX];
        for (seat, share) in shares.iter_mut().enumerate().take(self.seats) {
            if is_first(seat) {
                *share = 1.0 / winners as f32;
            }
        }
        shares
    }

    /// Returns each seat's margin: its score minus the best score of the other seats; the score
    /// itself if there is no other seat.
    pub fn margins(&self, scores: &BySeat<i32>) -> BySeat<i32> {
        let mut margins = [0; MAX];
        for (seat, margin) in margins.iter_mut().enumerate().take(self.seats) {
            let others = (0..self.seats).filter(|&other| other != seat);
            let best = others.map(|other| scores[other]).max();
            *margin = scores[seat] - best.unwrap_or(0);
        }
        margins
    }
}

/// Returns the bit of a colour in a set.
pub const fn bit(colour: Colour) -> u8 {
    1 << colour.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_place_is_shared_by_equal_scores() {
        let shares = |variant: &GameVariant, scores| FlatRules::new(variant).shares(&scores);
        let classic = GameVariant::CLASSIC;
        assert_eq!(shares(&classic, [3, 9, 9, 2]), [0.0, 0.5, 0.5, 0.0]);
        assert_eq!(shares(&classic, [-3, -9, -4, -4]), [1.0, 0.0, 0.0, 0.0]);
        // Entries beyond the seats do not count.
        assert_eq!(
            shares(&GameVariant::CLASSIC_2, [-5, -5, 0, 0]),
            [0.5, 0.5, 0.0, 0.0]
        );
        let margins = |variant: &GameVariant, scores| FlatRules::new(variant).margins(&scores);
        assert_eq!(margins(&classic, [3, 9, 7, 2]), [-6, 2, -2, -7]);
        assert_eq!(
            margins(&GameVariant::CLASSIC_3, [3, 9, 7, 0]),
            [-6, 2, -2, 0]
        );
    }

    #[test]
    fn colours_belong_to_seats() {
        let rules = FlatRules::new(&GameVariant::CLASSIC_2);
        assert_eq!([rules.own(0), rules.opponents(0)], [0b0101, 0b1010]);
        let rules = FlatRules::new(&GameVariant::CLASSIC_3);
        assert_eq!([rules.own(2), rules.opponents(2)], [0b0100, 0b0011]);
        assert_eq!(
            [0, 1, 2, 3].map(|placed| rules.seat(3, placed)),
            [0, 1, 2, 0]
        );
        assert_eq!(rules.seat(1, 5), 1);
    }
}
