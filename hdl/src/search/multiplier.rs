//! Multiplier with a registered output.
//!
//! Timing: `product` belongs to the inputs of the previous cycle. The multiplication is written in
//! Verilog, because rust-hdl's own supports one width only.

use rust_hdl_core::prelude::*;

use crate::block::block;

block! {
    /// Multiplier: the `C` highest bits of the product of `A` and `B` bits, one cycle later.
    pub struct Multiplier<const A: usize, const B: usize, const C: usize> from MultiplierParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// First factor.
        pub a: Signal<In, Bits<A>>,
        /// Second factor, unsigned.
        pub b: Signal<In, Bits<B>>,
        /// Product without its `A + B - C` lowest bits.
        pub product: Signal<Out, Bits<C>>,
        _signed: bool = given,
    }
}

impl<const A: usize, const B: usize, const C: usize> Multiplier<A, B, C> {
    /// Number of low bits of the product that are dropped.
    const DROPPED: usize = A + B - C;

    /// Creates a multiplier of unsigned numbers.
    pub fn unsigned() -> Self {
        Self::new(false)
    }

    /// Creates a multiplier with `a` and the product in two's complement; `b` is unsigned.
    pub fn signed() -> Self {
        Self::new(true)
    }

    fn new(signed: bool) -> Self {
        assert!(A + B <= 63 && C <= A + B);
        Self::from(MultiplierParts { _signed: signed })
    }
}

impl<const A: usize, const B: usize, const C: usize> Logic for Multiplier<A, B, C> {
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let (a, b) = (self.a.val().to_u64() as i64, self.b.val().to_u64() as i64);
            let below = self._signed && a >> (A - 1) == 1;
            let a = if below { a - (1 << A) } else { a };
            let product = (a * b) >> Self::DROPPED;
            self.product.next = (product as u64 & ((1 << C) - 1)).to_bits();
        }
    }

    fn connect(&mut self) {
        self.product.connect();
    }

    fn hdl(&self) -> Verilog {
        let (high, low) = (A + B - 1, Self::DROPPED);
        let (sign, a) = match self._signed {
            true => ("signed ", "$signed(a) * $signed({1'b0, b})"),
            false => ("", "a * b"),
        };
        Verilog::Custom(format!(
            "\
wire {sign}[{high}:0] full_product;
assign full_product = {a};
initial product = 0;

always @(posedge clock) begin
    product <= full_product[{high}:{low}];
end"
        ))
    }
}
