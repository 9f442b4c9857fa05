//! UART transmitter: one start bit, eight data bits, lowest first, one stop bit.
//!
//! Encoding: the line is the lowest bit of a shift register that holds the whole frame inverted,
//! because registers power up to zero and an idle line is high.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;

block! {
    /// UART transmitter, 8N1.
    pub struct UartTx from UartTxParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// Starts to send `data`; sampled while `ready` is high.
        pub strobe: Signal<In, Bit>,
        /// Byte to send.
        pub data: Signal<In, Bits<8>>,
        /// High if the transmitter can accept a byte in this cycle.
        pub ready: Signal<Out, Bit>,
        /// Serial output; high when idle.
        pub tx: Signal<Out, Bit>,
        // Bits still to send, inverted; zero is an idle line.
        frame: DFF<Bits<10>>,
        // Bits left, including the current one.
        bits_left: DFF<Bits<4>>,
        // Cycles left of the current bit, minus one.
        cycles_left: DFF<Bits<16>>,
        inverse: Signal<Local, Bits<8>>,
        period: Constant<Bits<16>> = given,
    }
}

impl UartTx {
    /// Creates a transmitter with `divisor` cycles per bit.
    pub fn new(divisor: u16) -> Self {
        Self::from(UartTxParts {
            period: Constant::new((divisor - 1).to_bits()),
        })
    }
}

impl Logic for UartTx {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, frame, bits_left, cycles_left);
        self.inverse.next = !self.data.val();
        self.ready.next = !self.bits_left.q.val().any();
        self.tx.next = !self.frame.q.val().get_bit(0);
        if self.bits_left.q.val().any() {
            if self.cycles_left.q.val().any() {
                self.cycles_left.d.next = self.cycles_left.q.val() - 1;
            } else {
                self.cycles_left.d.next = self.period.val();
                self.bits_left.d.next = self.bits_left.q.val() - 1;
                self.frame.d.next = self.frame.q.val() >> 1;
            }
        } else if self.strobe.val() {
            // The start bit is 0 on the line, so 1 here; the stop bit shifts in as 0.
            self.frame.d.next = (bit_cast::<10, 8>(self.inverse.val()) << 1) | bits::<10>(1);
            self.bits_left.d.next = bits::<4>(10);
            self.cycles_left.d.next = self.period.val();
        } else {
            // The register is zero already, unless an external disturbance changed it. The
            // assignment returns the line to high in any case.
            self.frame.d.next = bits::<10>(0);
        }
    }
}

/// Twin: line levels of a byte, one per bit (true is high).
pub fn twin(byte: u8) -> [bool; 10] {
    std::array::from_fn(|bit| match bit {
        0 => false,
        9 => true,
        _ => byte >> (bit - 1) & 1 == 1,
    })
}
