//! The member of a set that is nearest to a number, where the distance is the exclusive or.
//!
//! Encoding: a tournament. In round `n` the members whose numbers differ in bit `n` and in no bit
//! below it that is still open meet, and the wish's bit `n` says which of two goes on. The set comes
//! with its numbers' bits reversed, so that those who meet in round `n` are one half of the vector
//! away from each other and a round is a few operations on whole vectors. What a round leaves in the
//! upper half is never looked at, and synthesis drops it.

use rust_hdl_core::prelude::*;

use crate::block::block;

/// Bits of a number.
pub const BITS: usize = 7;

/// Numbers that a set can hold.
pub const NUMBERS: usize = 1 << BITS;

/// Finds the nearest member of a set; combinational. The result of an empty set is of no meaning.
#[derive(LogicBlock)]
pub struct Nearest {
    /// The set: the bit [`place`] of a number is set if it is a member.
    pub set: Signal<In, Bits<NUMBERS>>,
    /// The wish.
    pub wish: Signal<In, Bits<BITS>>,
    /// The number of the nearest member.
    pub number: Signal<Out, Bits<BITS>>,
    any: Signal<Local, Bits<NUMBERS>>,
    high: Signal<Local, Bits<NUMBERS>>,
    up: Signal<Local, Bits<NUMBERS>>,
    down: Signal<Local, Bits<NUMBERS>>,
    index: [Signal<Local, Bits<NUMBERS>>; BITS],
    result: Signal<Local, Bits<BITS>>,
    half: [Constant<Bits<7>>; BITS],
}

impl Default for Nearest {
    fn default() -> Self {
        block!(Self {
            half: std::array::from_fn(|round| Constant::new((NUMBERS >> (round + 1)).to_bits())),
        } default
            set wish number any high up down index result
        )
    }
}

impl Logic for Nearest {
    #[hdl_gen]
    fn update(&mut self) {
        self.any.next = self.set.val();
        for i in 0..7 {
            self.index[i].next = bits::<128>(0);
        }
        for i in 0..7 {
            self.high.next = self.any.val() >> self.half[i].val();
            if self.wish.val().get_bit(i) {
                self.up.next = self.high.val();
            } else {
                self.up.next = !self.any.val();
            }
            self.down.next = !self.up.val();
            for j in 0..7 {
                self.index[j].next = (self.up.val() & (self.index[j].val() >> self.half[i].val()))
                    | (self.down.val() & self.index[j].val());
            }
            self.index[i].next = self.up.val();
            self.any.next = self.any.val() | self.high.val();
        }
        self.result.next = bits::<7>(0);
        for i in 0..7 {
            self.result.next = self
                .result
                .val()
                .replace_bit(i, self.index[i].val().get_bit(0));
        }
        self.number.next = self.result.val();
    }
}

/// The bit of a number in a set.
pub const fn place(number: usize) -> usize {
    number.reverse_bits() >> (usize::BITS as usize - BITS)
}
