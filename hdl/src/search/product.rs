//! A multiplier with a register behind it.
//!
//! Timing: the product of what is on the inputs at a rising edge is on `product` from that edge to the
//! next one. The multiplication is written in Verilog, because rust-hdl's own knows one width only.

use rust_hdl_core::prelude::*;

/// `C` bits of the product of `A` and `B` bits, a clock later.
#[derive(LogicBlock)]
pub struct Product<const A: usize, const B: usize, const C: usize> {
    /// The only clock.
    pub clock: Signal<In, Clock>,
    /// The one factor.
    pub a: Signal<In, Bits<A>>,
    /// The other one.
    pub b: Signal<In, Bits<B>>,
    /// Their product less its lowest bits, as many as there are too many.
    pub product: Signal<Out, Bits<C>>,
    _signed: bool,
}

impl<const A: usize, const B: usize, const C: usize> Product<A, B, C> {
    /// Bits of the product that are dropped: the `C` highest ones stay.
    const DROPPED: usize = A + B - C;

    /// Of numbers without a sign.
    pub fn unsigned() -> Self {
        Self::new(false)
    }

    /// Of a factor `a` and a product in two's complement; `b` has no sign.
    pub fn signed() -> Self {
        Self::new(true)
    }

    fn new(signed: bool) -> Self {
        assert!(A + B <= 63 && C <= A + B);
        Self {
            clock: Signal::default(),
            a: Signal::default(),
            b: Signal::default(),
            product: Signal::default(),
            _signed: signed,
        }
    }
}

impl<const A: usize, const B: usize, const C: usize> Logic for Product<A, B, C> {
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
wire {sign}[{high}:0] whole;
assign whole = {a};
initial product = 0;

always @(posedge clock) begin
    product <= whole[{high}:{low}];
end"
        ))
    }
}
