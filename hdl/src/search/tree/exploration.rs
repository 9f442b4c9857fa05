//! Exploration scale of a node, looked up by its visit count.
//!
//! Encoding: the table is indexed by the exponent of the visit count and the four bits below its
//! leading one. So 18 * 16 + 1 words cover all counts up to 2^18.
//!
//! Timing: `scale` belongs to the `visits` of two cycles before.

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
        pub scale: Signal<Out, Bits<SPREAD>>,
        normaliser: Normaliser,
        scales: SyncROM<Bits<SPREAD>, 9> = given,
        // A block RAM is slow, and a multiplier follows.
        held_scale: DFF<Bits<SPREAD>>,
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
            scales: table.into_iter().map(|spread| spread.to_bits()).into(),
        })
    }
}

impl Logic for Exploration {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, scales);
        dff_setup!(self, clock, held_scale);
        self.normaliser.number.next = self.visits.val();
        self.scales.address.next =
            bit_cast::<9, 4>(self.normaliser.mantissa.val().get_bits::<4>(4))
                | (bit_cast::<9, 5>(self.normaliser.exponent.val())
                    << SpreadAddress::EXPONENT.val());
        self.held_scale.d.next = self.scales.data.val();
        self.scale.next = self.held_scale.q.val();
    }
}
