//! Normaliser: splits a number into the position of its leading one and the bits below it.
//!
//! The result indexes the tables of reciprocals and exploration scales.

use rust_hdl_core::prelude::*;

use crate::block::block;

/// Bits of a number.
pub const NUMBER: usize = 25;

/// Bits of the mantissa, the bits after the leading one that are kept.
pub const MANTISSA: usize = 8;

block! {
    /// Normaliser; combinational.
    pub struct Normaliser {
        /// Positive number.
        pub number: Signal<In, Bits<NUMBER>>,
        /// Position of the leading one.
        pub exponent: Signal<Out, Bits<5>>,
        /// The eight bits below the leading one; missing ones are 0.
        pub mantissa: Signal<Out, Bits<MANTISSA>>,
        shifted: Signal<Local, Bits<NUMBER>>,
        sixteen: Signal<Local, Bits<16>>,
        eight: Signal<Local, Bits<8>>,
        four: Signal<Local, Bits<4>>,
        two: Signal<Local, Bits<2>>,
        one: Signal<Local, Bits<1>>,
        zeros: Signal<Local, Bits<5>>,
    }
}

impl Logic for Normaliser {
    #[hdl_gen]
    fn update(&mut self) {
        self.shifted.next = self.number.val();
        self.zeros.next = bits::<5>(0);
        self.sixteen.next = self.shifted.val().get_bits::<16>(9);
        if !self.sixteen.val().any() {
            self.shifted.next = self.shifted.val() << 16;
            self.zeros.next = self.zeros.val() | bits::<5>(16);
        }
        self.eight.next = self.shifted.val().get_bits::<8>(17);
        if !self.eight.val().any() {
            self.shifted.next = self.shifted.val() << 8;
            self.zeros.next = self.zeros.val() | bits::<5>(8);
        }
        self.four.next = self.shifted.val().get_bits::<4>(21);
        if !self.four.val().any() {
            self.shifted.next = self.shifted.val() << 4;
            self.zeros.next = self.zeros.val() | bits::<5>(4);
        }
        self.two.next = self.shifted.val().get_bits::<2>(23);
        if !self.two.val().any() {
            self.shifted.next = self.shifted.val() << 2;
            self.zeros.next = self.zeros.val() | bits::<5>(2);
        }
        self.one.next = self.shifted.val().get_bits::<1>(24);
        if !self.one.val().any() {
            self.shifted.next = self.shifted.val() << 1;
            self.zeros.next = self.zeros.val() | bits::<5>(1);
        }
        self.exponent.next = bits::<5>(24) - self.zeros.val();
        self.mantissa.next = self.shifted.val().get_bits::<8>(16);
    }
}
