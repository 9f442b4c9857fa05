//! Ranking: keeps the best placements of a stream in order.
//!
//! Timing: a placement that is sampled with `insert` is in the list from the next cycle on; one may
//! come per cycle. `drain` instead moves the list by one place towards its end. The last place is
//! on `last_...` in the same cycle. So [`LENGTH`] such cycles output the list from its end and
//! leave it empty. `best` is the score in the first place.
//!
//! Encoding: a row of places, each of which compares the new placement with its own. A beaten place
//! copies the place before it, or the new placement if the place before it is not beaten. Of equal
//! scores the earlier one stays in front. Scores are stored inverted: the new placement is better
//! if the sum of its score and the stored one has a carry. That takes half the logic of a
//! comparison.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use super::SCORE;
use crate::block::block;
use crate::search::position_ring::PLACEMENT;

/// Places of the list.
pub const LENGTH: usize = 32;

block! {
    /// Systolic list of the best placements.
    pub struct Ranking from RankingParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,

        // Stream of scored placements.
        /// Inserts `placement`.
        pub insert: Signal<In, Bit>,
        /// Score of the placement.
        pub score: Signal<In, Bits<SCORE>>,
        /// Placement to insert.
        pub placement: Signal<In, Bits<PLACEMENT>>,

        // Output of the list.
        /// Moves the list by one place towards its end.
        pub drain: Signal<In, Bit>,
        /// High if the list is not empty.
        pub any: Signal<Out, Bit>,
        /// Best score.
        pub best: Signal<Out, Bits<SCORE>>,
        /// High if the last place is occupied.
        pub last: Signal<Out, Bit>,
        /// Score in the last place.
        pub last_score: Signal<Out, Bits<SCORE>>,
        /// Placement in the last place.
        pub last_placement: Signal<Out, Bits<PLACEMENT>>,
        occupied: [DFF<Bit>; LENGTH] = given,
        inverse: [DFF<Bits<SCORE>>; LENGTH],
        placements: [DFF<Bits<PLACEMENT>>; LENGTH],
        beaten: [Signal<Local, Bit>; LENGTH],
        held_score: Signal<Local, Bits<SCORE>>,
        carry: Signal<Local, Bits<14>>,
        new_inverse: Signal<Local, Bits<SCORE>>,
        shifts: Signal<Local, Bit>,
    }
}

impl Default for Ranking {
    fn default() -> Self {
        Self::from(RankingParts {
            occupied: std::array::from_fn(|_| Default::default()),
        })
    }
}

impl Logic for Ranking {
    #[hdl_gen]
    fn update(&mut self) {
        self.new_inverse.next = !self.score.val();
        for i in 0..32 {
            self.occupied[i].clock.next = self.clock.val();
            self.inverse[i].clock.next = self.clock.val();
            self.placements[i].clock.next = self.clock.val();
            self.occupied[i].d.next = self.occupied[i].q.val();
            self.inverse[i].d.next = self.inverse[i].q.val();
            self.placements[i].d.next = self.placements[i].q.val();
            self.held_score.next = self.inverse[i].q.val();
            self.carry.next =
                bit_cast::<14, 13>(self.score.val()) + bit_cast::<14, 13>(self.held_score.val());
            self.beaten[i].next = (!self.occupied[i].q.val()) | self.carry.val().get_bit(13);
        }
        if self.drain.val() | (self.insert.val() & self.beaten[0].val()) {
            self.occupied[0].d.next = !self.drain.val();
            self.inverse[0].d.next = self.new_inverse.val();
            self.placements[0].d.next = self.placement.val();
        }
        for i in 1..32 {
            self.shifts.next = self.drain.val() | (self.insert.val() & self.beaten[i].val());
            if self.shifts.val() {
                if self.drain.val() | self.beaten[i - 1].val() {
                    self.occupied[i].d.next = self.occupied[i - 1].q.val();
                    self.inverse[i].d.next = self.inverse[i - 1].q.val();
                    self.placements[i].d.next = self.placements[i - 1].q.val();
                } else {
                    self.occupied[i].d.next = true;
                    self.inverse[i].d.next = self.new_inverse.val();
                    self.placements[i].d.next = self.placement.val();
                }
            }
        }
        self.any.next = self.occupied[0].q.val();
        self.best.next = !self.inverse[0].q.val();
        self.last.next = self.occupied[31].q.val();
        self.last_score.next = !self.inverse[31].q.val();
        self.last_placement.next = self.placements[31].q.val();
    }
}

/// Returns the list after a stream of scores and placements: the twin function of this block.
pub fn twin(stream: &[(u16, u16)]) -> Vec<(u16, u16)> {
    let mut list = stream.to_vec();
    list.sort_by_key(|&(score, _)| std::cmp::Reverse(score));
    list.truncate(LENGTH);
    list
}
