//! Multiplies two numbers in one clock.
//!
//! Timing: the product of what is on the inputs at a rising edge is on `product` from that edge to the
//! next one. rust-hdl multiplies 16 bits by 16 only, hence the module in Verilog.

use rust_hdl_core::prelude::*;

/// A product of `LEFT` times `RIGHT` bits; `PRODUCT` is their sum, at most 64.
#[derive(LogicBlock, Default)]
pub struct Multiplier<const LEFT: usize, const RIGHT: usize, const PRODUCT: usize> {
    /// The only clock.
    pub clock: Signal<In, Clock>,
    /// One number.
    pub left: Signal<In, Bits<LEFT>>,
    /// The other one.
    pub right: Signal<In, Bits<RIGHT>>,
    /// Their product, a clock later.
    pub product: Signal<Out, Bits<PRODUCT>>,
}

impl<const LEFT: usize, const RIGHT: usize, const PRODUCT: usize> Logic
    for Multiplier<LEFT, RIGHT, PRODUCT>
{
    fn update(&mut self) {
        if self.clock.pos_edge() {
            let product = self.left.val().to_u64() * self.right.val().to_u64();
            self.product.next = product.to_bits();
        }
    }

    fn connect(&mut self) {
        self.product.connect();
    }

    fn hdl(&self) -> Verilog {
        assert_eq!(
            LEFT + RIGHT,
            PRODUCT,
            "a product is as wide as both numbers"
        );
        Verilog::Custom(
            "\
initial product = 0;

always @(posedge clock) product <= left * right;"
                .into(),
        )
    }
}

crate::ported!(Multiplier<17, 17, 34>; in left right; out product);
