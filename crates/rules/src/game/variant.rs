//! Variants of a [`Game`](crate::Game), as data.

use std::borrow::Cow;

use super::{Ending, Owner, Passing, ScoringRule, Seat, StartCells, Ties};
use crate::{Cell, Colour, Variant};

/// Rules of a game that differ between variants: board size, colours, seats, passes, end, scores.
///
/// Values are consistent: constants of this type, or made from a checked
/// [`VariantDefinition`](crate::VariantDefinition).
///
/// ```
/// use duoforge_rules::{GameVariant, ScoringRule, Seat};
///
/// let variant = GameVariant::named("classic-2").expect("a built-in variant");
/// assert_eq!((variant.size(), variant.colour_count(), variant.seat_count()), (20, 4, 2));
/// let colours: Vec<_> = variant.colours_of(Seat(1)).map(|colour| colour.0).collect();
/// assert_eq!(colours, [1, 3]);
/// let basic = variant.clone().with_scoring(ScoringRule::Basic);
/// assert_eq!(basic.scoring().name(), "basic");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameVariant {
    pub(super) name: Cow<'static, str>,
    pub(super) rules: VariantRules,
}

/// Rules of a variant, without its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct VariantRules {
    pub(super) size: u8,
    pub(super) seats: u8,
    /// The first `colour_count` entries are the colours, in the order of turns.
    pub(super) colours: [ColourRules; Variant::MAX_PLAYERS],
    pub(super) colour_count: u8,
    pub(super) starts_stay: bool,
    pub(super) scoring: ScoringRule,
    pub(super) passing: Passing,
    pub(super) ending: Ending,
    pub(super) ties: Ties,
}

/// Rules of one colour.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ColourRules {
    pub(super) owner: Owner,
    pub(super) starts: StartCells,
}

impl ColourRules {
    pub(super) const fn owned(seat: u8, starts: &[Cell]) -> Self {
        Self {
            owner: Owner::Seat(Seat(seat)),
            starts: StartCells::new(starts),
        }
    }

    /// Entry beyond the colours of a variant.
    pub(super) const UNUSED: Self = Self {
        owner: Owner::Shared,
        starts: StartCells::new(&[]),
    };
}

impl GameVariant {
    /// Maximum number of colours.
    pub const MAX_COLOURS: usize = Variant::MAX_PLAYERS;

    /// Returns the variant with another scoring rule. Its name remains.
    #[must_use]
    pub fn with_scoring(mut self, scoring: ScoringRule) -> Self {
        self.rules.scoring = scoring;
        self
    }

    /// Returns the variant in which colour `i` starts at `starts[i]` alone: for contest games with
    /// exchanged start cells.
    ///
    /// # Panics
    ///
    /// If `starts` does not name exactly one cell of the board for each colour.
    #[must_use]
    pub fn with_starts(mut self, starts: &[Cell]) -> Self {
        let count = usize::from(self.rules.colour_count);
        assert_eq!(starts.len(), count, "each colour needs one start cell");
        for (colour, &start) in self.rules.colours.iter_mut().zip(starts) {
            assert!(
                start.x < self.rules.size && start.y < self.rules.size,
                "start cell {start} is not on the board"
            );
            colour.starts = StartCells::new(&[start]);
        }
        self
    }

    /// Returns the name, for example `classic-2`.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the number of columns, equal to the number of rows: 5 to 20.
    #[must_use]
    pub const fn size(&self) -> u8 {
        self.rules.size
    }

    /// Returns the number of colours, 1 to 4.
    #[must_use]
    pub const fn colour_count(&self) -> usize {
        self.rules.colour_count as usize
    }

    /// Iterates over the colours in the order of turns.
    pub fn colours(&self) -> impl DoubleEndedIterator<Item = Colour> + ExactSizeIterator + use<> {
        (0..self.rules.colour_count).map(Colour)
    }

    /// Returns the number of seats, 1 to 4.
    #[must_use]
    pub const fn seat_count(&self) -> usize {
        self.rules.seats as usize
    }

    /// Iterates over the seats.
    pub fn seats(&self) -> impl DoubleEndedIterator<Item = Seat> + ExactSizeIterator + use<> {
        (0..self.rules.seats).map(Seat)
    }

    /// Returns the owner of `colour`.
    ///
    /// This and every method that takes a colour panics if the variant has no such colour.
    #[must_use]
    pub fn owner(&self, colour: Colour) -> Owner {
        self.colour_rules(colour).owner
    }

    /// Iterates over the colours that `seat` owns, without a shared one.
    pub fn colours_of(&self, seat: Seat) -> impl Iterator<Item = Colour> {
        self.colours()
            .filter(move |&colour| self.owner(colour) == Owner::Seat(seat))
    }

    /// Returns the shared colour, if there is one.
    #[must_use]
    pub fn shared_colour(&self) -> Option<Colour> {
        self.colours()
            .find(|&colour| self.owner(colour) == Owner::Shared)
    }

    /// Returns the start cells of `colour`.
    #[must_use]
    pub fn starts(&self, colour: Colour) -> StartCells {
        self.colour_rules(colour).starts
    }

    /// True if start cells that a colour has not covered remain cells to connect to.
    #[must_use]
    pub const fn starts_stay(&self) -> bool {
        self.rules.starts_stay
    }

    /// Returns the scoring rule.
    #[must_use]
    pub const fn scoring(&self) -> ScoringRule {
        self.rules.scoring
    }

    /// Returns the rules of passes.
    #[must_use]
    pub const fn passing(&self) -> Passing {
        self.rules.passing
    }

    /// Returns the conditions that end a game.
    #[must_use]
    pub const fn ending(&self) -> Ending {
        self.rules.ending
    }

    /// Returns the rule for seats with equal scores.
    #[must_use]
    pub const fn ties(&self) -> Ties {
        self.rules.ties
    }

    fn colour_rules(&self, colour: Colour) -> &ColourRules {
        &self.rules.colours[..self.colour_count()][colour.index()]
    }
}
