//! How much a node explores, by its visits.
//!
//! Timing: visits that are there at a rising edge have their `spread` from the edge after it to the one
//! after that.

use duoforge_engine::search::arithmetic::spread;
use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::normal::{NUMBER, Normal};
use crate::block::block;

/// Bits of what explores.
pub const SPREAD: usize = 20;

/// The table of `duoforge_engine::search::arithmetic::spread`.
#[derive(LogicBlock)]
pub struct Exploration {
    /// The only clock.
    pub clock: Signal<In, Clock>,
    /// Visits of a node, with the one that is under way: at most 2^18.
    pub visits: Signal<In, Bits<NUMBER>>,
    /// What explores there.
    pub spread: Signal<Out, Bits<SPREAD>>,
    normal: Normal,
    spreads: SyncROM<Bits<SPREAD>, 9>,
    // A block of memory is slow, and a multiplier follows.
    found: DFF<Bits<SPREAD>>,
}

impl Exploration {
    /// With this weight.
    ///
    /// # Panics
    /// If the table's numbers become too wide.
    pub fn new(explore: u32) -> Self {
        // The number whose leading one and the four bits below it these are.
        let number = |index: u32| ((16 + index % 16) << (index / 16)) >> 4;
        let table = (0..=18 * 16).map(|index| spread(explore, number(index)));
        let table: Vec<_> = table.collect();
        assert!(
            table.iter().all(|&spread| spread < 1 << SPREAD),
            "what explores has {SPREAD} bits"
        );
        block!(Self {
            spreads: table.into_iter().map(|spread| spread.to_bits()).into(),
        } default
            clock visits spread normal found
        )
    }
}

impl Logic for Exploration {
    #[hdl_gen]
    fn update(&mut self) {
        clock!(self, clock, spreads);
        dff_setup!(self, clock, found);
        self.normal.number.next = self.visits.val();
        self.spreads.address.next = bit_cast::<9, 4>(self.normal.mantissa.val().get_bits::<4>(4))
            | (bit_cast::<9, 5>(self.normal.exponent.val()) << 4);
        self.found.d.next = self.spreads.data.val();
        self.spread.next = self.found.q.val();
    }
}
