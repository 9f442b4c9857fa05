//! Nearest member of a set to a number; the distance of two numbers is their exclusive or.
//!
//! Encoding: a tournament of seven rounds. In round `n` the remaining members meet whose numbers
//! differ in bit `n` and agree in all higher bits. Bit `n` of the number that is searched for
//! decides which of two remains. The set arrives with the bits of its numbers reversed. So the
//! members that meet are half the vector apart, and a round is a few operations on whole vectors.
//! The upper half after a round is not used, and synthesis removes it.

use rust_hdl_core::prelude::*;

use crate::block::block;

/// Bits of a number.
pub const BITS: usize = 7;

/// Number of values that a set can contain.
pub const NUMBERS: usize = 1 << BITS;

block! {
    /// Nearest member of a set; combinational. The output for an empty set is undefined.
    pub struct Nearest from NearestParts {
        /// Set: the bit at [`place`] of a number is high if the number is a member.
        pub set: Signal<In, Bits<NUMBERS>>,
        /// Number that the member should be nearest to.
        pub wish: Signal<In, Bits<BITS>>,
        /// Nearest member.
        pub number: Signal<Out, Bits<BITS>>,
        any: Signal<Local, Bits<NUMBERS>>,
        high: Signal<Local, Bits<NUMBERS>>,
        up: Signal<Local, Bits<NUMBERS>>,
        down: Signal<Local, Bits<NUMBERS>>,
        index: [Signal<Local, Bits<NUMBERS>>; BITS],
        result: Signal<Local, Bits<BITS>>,
        half: [Constant<Bits<7>>; BITS] = given,
    }
}

impl Default for Nearest {
    fn default() -> Self {
        Self::from(NearestParts {
            half: std::array::from_fn(|round| Constant::new((NUMBERS >> (round + 1)).to_bits())),
        })
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

/// Returns the position of a number's bit in a set.
pub const fn place(number: usize) -> usize {
    number.reverse_bits() >> (usize::BITS as usize - BITS)
}

/// Returns the member of a set that is nearest to a number, or `None` if the set is empty: the
/// twin function of this block.
pub fn twin(members: &[usize], wish: usize) -> Option<usize> {
    let nearest = members.iter().min_by_key(|&&member| member ^ wish);
    nearest.copied()
}
