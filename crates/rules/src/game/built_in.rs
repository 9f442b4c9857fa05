//! Built-in variants.

use std::borrow::Cow;

use super::variant::{ColourRules, VariantRules};
use super::{Ending, GameVariant, Owner, Passing, ScoringRule, StartCells, Ties};
use crate::Cell;

impl GameVariant {
    /// `duo`: two seats on 14x14 cells, by the rules of the contest.
    pub const DUO: Self = Self {
        name: Cow::Borrowed("duo"),
        rules: DUO,
    };

    /// `duo-corner`: two seats on 14x14 cells. Colour 0 starts in either upper corner, colour 1 in
    /// either lower one. The corner that a colour did not use remains a cell to connect to. A pass
    /// is final, and the score is the number of cells placed.
    pub const DUO_CORNER: Self = Self {
        name: Cow::Borrowed("duo-corner"),
        rules: DUO_CORNER,
    };

    /// `classic`: four seats on 20x20 cells, each with one colour that starts in its corner. A
    /// colour without a legal placement is out.
    pub const CLASSIC: Self = Self {
        name: Cow::Borrowed("classic"),
        rules: CLASSIC,
    };

    /// `classic-free`: as [`CLASSIC`](Self::CLASSIC), but each colour starts in any free corner,
    /// and the score is the number of cells placed.
    pub const CLASSIC_FREE: Self = Self {
        name: Cow::Borrowed("classic-free"),
        rules: CLASSIC_FREE,
    };

    /// `classic-2`: as [`CLASSIC`](Self::CLASSIC) with two seats: seat 0 owns colours 0 and 2, seat
    /// 1 owns colours 1 and 3. A seat's score is the sum of both colours.
    pub const CLASSIC_2: Self = Self {
        name: Cow::Borrowed("classic-2"),
        rules: CLASSIC_2,
    };

    /// `classic-3`: as [`CLASSIC`](Self::CLASSIC) with three seats. They place the tiles of colour
    /// 3 in turn; it counts for no seat.
    pub const CLASSIC_3: Self = Self {
        name: Cow::Borrowed("classic-3"),
        rules: CLASSIC_3,
    };

    /// All built-in variants.
    pub const BUILT_IN: [Self; 6] = [
        Self::DUO,
        Self::DUO_CORNER,
        Self::CLASSIC,
        Self::CLASSIC_FREE,
        Self::CLASSIC_2,
        Self::CLASSIC_3,
    ];

    /// Returns the built-in variant of a name, or `None` if no built-in variant has it.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        static BUILT_IN: [GameVariant; 6] = GameVariant::BUILT_IN;
        BUILT_IN.iter().find(|variant| variant.name == name)
    }

    /// Returns the name of the game in the Go Text Protocol and in blksgf files, or `None` if they
    /// have no name for the variant.
    ///
    /// ```
    /// use duoforge_rules::GameVariant;
    ///
    /// assert_eq!(GameVariant::CLASSIC_2.engine_name(), Some("Blokus Two-Player"));
    /// assert_eq!(GameVariant::DUO_CORNER.engine_name(), None);
    /// ```
    #[must_use]
    pub fn engine_name(&self) -> Option<&'static str> {
        let named = ENGINE_NAMES.iter().find(|(_, variant)| self == variant);
        named.map(|(name, _)| *name)
    }

    /// Returns the built-in variant that the Go Text Protocol and blksgf files call `name`, or
    /// `None` if they call none so.
    #[must_use]
    pub fn of_engine_name(name: &str) -> Option<&'static Self> {
        let named = ENGINE_NAMES.iter().find(|(known, _)| *known == name);
        named.map(|(_, variant)| variant)
    }
}

/// Variants that engines know, with their names in the Go Text Protocol and in blksgf files.
static ENGINE_NAMES: [(&str, GameVariant); 4] = [
    ("Blokus Duo", GameVariant::DUO),
    ("Blokus", GameVariant::CLASSIC),
    ("Blokus Two-Player", GameVariant::CLASSIC_2),
    ("Blokus Three-Player", GameVariant::CLASSIC_3),
];

/// Corners of a 20x20 board, clockwise from the upper left.
const CORNERS: [Cell; 4] = [
    Cell::new(0, 0),
    Cell::new(19, 0),
    Cell::new(19, 19),
    Cell::new(0, 19),
];

const DUO: VariantRules = VariantRules {
    size: 14,
    seats: 2,
    colours: [
        ColourRules::owned(0, &[Cell::new(4, 4)]),
        ColourRules::owned(1, &[Cell::new(9, 9)]),
        ColourRules::UNUSED,
        ColourRules::UNUSED,
    ],
    colour_count: 2,
    starts_stay: false,
    scoring: ScoringRule::Advanced,
    passing: Passing::CONTEST,
    ending: Ending {
        all_placed: true,
        no_placement: false,
    },
    ties: Ties::Shared,
};

const DUO_CORNER: VariantRules = VariantRules {
    colours: [
        ColourRules::owned(0, &[Cell::new(0, 0), Cell::new(13, 0)]),
        ColourRules::owned(1, &[Cell::new(0, 13), Cell::new(13, 13)]),
        ColourRules::UNUSED,
        ColourRules::UNUSED,
    ],
    starts_stay: true,
    scoring: ScoringRule::Cells,
    passing: Passing::FINAL,
    ending: Ending {
        all_placed: false,
        no_placement: false,
    },
    ..DUO
};

const CLASSIC: VariantRules = VariantRules {
    size: 20,
    seats: 4,
    colours: [
        ColourRules::owned(0, &[CORNERS[0]]),
        ColourRules::owned(1, &[CORNERS[1]]),
        ColourRules::owned(2, &[CORNERS[2]]),
        ColourRules::owned(3, &[CORNERS[3]]),
    ],
    colour_count: 4,
    passing: Passing::SKIPPED,
    ending: Ending {
        all_placed: false,
        no_placement: true,
    },
    ..DUO
};

const CLASSIC_FREE: VariantRules = VariantRules {
    colours: [
        ColourRules::owned(0, &CORNERS),
        ColourRules::owned(1, &CORNERS),
        ColourRules::owned(2, &CORNERS),
        ColourRules::owned(3, &CORNERS),
    ],
    scoring: ScoringRule::Cells,
    ..CLASSIC
};

const CLASSIC_2: VariantRules = VariantRules {
    seats: 2,
    colours: [
        ColourRules::owned(0, &[CORNERS[0]]),
        ColourRules::owned(1, &[CORNERS[1]]),
        ColourRules::owned(0, &[CORNERS[2]]),
        ColourRules::owned(1, &[CORNERS[3]]),
    ],
    ..CLASSIC
};

const CLASSIC_3: VariantRules = VariantRules {
    seats: 3,
    colours: [
        ColourRules::owned(0, &[CORNERS[0]]),
        ColourRules::owned(1, &[CORNERS[1]]),
        ColourRules::owned(2, &[CORNERS[2]]),
        ColourRules {
            owner: Owner::Shared,
            starts: StartCells::new(&[CORNERS[3]]),
        },
    ],
    ..CLASSIC
};
