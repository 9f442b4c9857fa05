//! Exploration scale of a node, looked up by its visit count.
//!
//! Encoding: the table is indexed by the exponent of the visit count and the four bits below its
//! leading one. So 18 * 16 + 1 words cover all counts up to 2^18.
//!
//! Timing: `scale` belongs to the `visits` of two cycles before.

use duoforge_twin::search::arithmetic::exploration_scale;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::normaliser::Normaliser;
use crate::block::block;
use crate::word::{ShiftBy, word};

word! {
    /// Address of the table.
    pub(crate) ScaleAddress {
        /// Four bits below the leading one of the visit count.
        MANTISSA: 4,
        /// Exponent of the visit count.
        EXPONENT: 5,
    }
}

/// Bits of a visit count that includes the visit in progress.
pub const VISITS: usize = 19;

/// Bits of the exploration scale.
pub const SCALE: usize = 20;

block! {
    /// Table of `duoforge_twin::search::arithmetic::exploration_scale`.
    pub struct Exploration from ExplorationParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// Visit count of the node plus the visit in progress: from 1 to 2^18.
        pub visits: Signal<In, Bits<VISITS>>,
        /// Exploration scale of the node, in 64ths.
        pub scale: Signal<Out, Bits<SCALE>>,
        normaliser: Normaliser,
        scales: SyncROM<Bits<SCALE>, 9> = given,
        // A block RAM is slow, and a multiplier follows.
        held_scale: DFF<Bits<SCALE>>,
    }
}

impl Exploration {
    /// Creates the table for an exploration weight in 64ths.
    ///
    /// # Panics
    /// If a number of the table is wider than [`SCALE`] bits.
    pub fn new(explore: u32) -> Self {
        // Returns the number with the leading one and the four bits below it that an index encodes.
        let number = |index: u32| ((16 + index % 16) << (index / 16)) >> 4;
        let table = (0..=18 * 16).map(|index| exploration_scale(explore, number(index)));
        let table: Vec<_> = table.collect();
        assert!(
            table.iter().all(|&scale| scale < 1 << SCALE),
            "an exploration scale has {SCALE} bits"
        );
        Self::from(ExplorationParts {
            scales: table.into_iter().map(|scale| scale.to_bits()).into(),
        })
    }
}

impl Logic for Exploration {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, scales);
        dff_setup!(self, clock, held_scale);
        self.normaliser.number.next = bit_cast::<25, 19>(self.visits.val());
        self.scales.address.next =
            bit_cast::<9, 4>(self.normaliser.mantissa.val().get_bits::<4>(4))
                | (bit_cast::<9, 5>(self.normaliser.exponent.val())
                    << ScaleAddress::EXPONENT.val());
        self.held_scale.d.next = self.scales.data.val();
        self.scale.next = self.held_scale.q.val();
    }
}
