//! Exploration scale of a node, looked up by its visit count.
//!
//! Encoding: the table is indexed by the exponent of the visit count and the four bits below its
//! leading one. So 18 * 16 + 1 words cover all counts up to 2^18.
//!
//! Timing: `spread` belongs to the `visits` of two cycles before.

use duoforge_twin::search::arithmetic::exploration_scale;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::normaliser::{NUMBER, Normaliser};
use crate::block::block;
use crate::word::{ShiftBy, word};

word! {
    /// Address of the table.
    pub(crate) SpreadAddress {
        /// Four bits below the leading one of the visit count.
        MANTISSA: 4,
        /// Exponent of the visit count.
        EXPONENT: 5,
    }
}

/// Bits of the exploration scale.
pub const SPREAD: usize = 20;

block! {
    /// Table of `duoforge_twin::search::arithmetic::spread`.
    pub struct Exploration from ExplorationParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// Visit count of the node plus the visit in progress: from 1 to 2^18.
        pub visits: Signal<In, Bits<NUMBER>>,
        /// Exploration scale of the node, in 64ths.
        pub spread: Signal<Out, Bits<SPREAD>>,
        normal: Normaliser,
        spreads: SyncROM<Bits<SPREAD>, 9> = given,
        // A block RAM is slow, and a multiplier follows.
        found: DFF<Bits<SPREAD>>,
    }
}

impl Exploration {
    /// Creates the table for an exploration weight in 64ths.
    ///
    /// # Panics
    /// If a number of the table is wider than [`SPREAD`] bits.
    pub fn new(explore: u32) -> Self {
        // Returns the number with the leading one and the four bits below it that an index encodes.
        let number = |index: u32| ((16 + index % 16) << (index / 16)) >> 4;
        let table = (0..=18 * 16).map(|index| exploration_scale(explore, number(index)));
        let table: Vec<_> = table.collect();
        assert!(
            table.iter().all(|&spread| spread < 1 << SPREAD),
            "what explores has {SPREAD} bits"
        );
        Self::from(ExplorationParts {
            spreads: table.into_iter().map(|spread| spread.to_bits()).into(),
        })
    }
}

impl Logic for Exploration {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, spreads);
        dff_setup!(self, clock, found);
        self.normal.number.next = self.visits.val();
        self.spreads.address.next = bit_cast::<9, 4>(self.normal.mantissa.val().get_bits::<4>(4))
            | (bit_cast::<9, 5>(self.normal.exponent.val()) << SpreadAddress::EXPONENT.val());
        self.found.d.next = self.spreads.data.val();
        self.spread.next = self.found.q.val();
    }
}
