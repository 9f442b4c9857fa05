//! UART receiver: two-stage synchroniser, majority vote, glitch rejection, framing errors.
//!
//! A falling edge starts a frame. Each bit is sampled three times around its middle, an eighth of a
//! bit apart; the majority decides. A start bit that is high by majority is a glitch and is
//! ignored. A stop bit that is low is a framing error (or a break): the byte is dropped, and the
//! line must go high before the next frame can start.
//!
//! Encoding: the bit time is counted in cycles, not in sixteenths of a bit. No rounding error
//! therefore accumulates over a frame when 16 does not divide the divisor. The synchroniser's
//! registers hold the line inverted, because registers power up to zero and an idle line is high.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;

/// States of the receiver.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum RxState {
    /// Waits for a falling edge.
    Idle,
    /// Receives a frame.
    Frame,
    /// Waits for the line to go high after a framing error.
    Break,
}

block! {
    /// UART receiver, 8N1.
    pub struct UartRx from UartRxParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// Serial input, asynchronous to the clock; high when idle.
        pub rx: Signal<In, Bit>,
        /// High for one cycle when `data` holds a new byte.
        pub strobe: Signal<Out, Bit>,
        /// Received byte, valid while `strobe` is high.
        pub data: Signal<Out, Bits<8>>,
        /// High for one cycle when the stop bit of a frame was low.
        pub framing: Signal<Out, Bit>,
        /// High during a frame, and after a framing error until the line is high again.
        pub busy: Signal<Out, Bit>,
        sync_one: DFF<Bit>,
        sync_two: DFF<Bit>,
        state: DFF<RxState>,
        // Cycles since the start of the bit, index of the bit (0 is the start bit), first two votes
        // for low.
        elapsed: DFF<Bits<16>>,
        index: DFF<Bits<4>>,
        early_vote: DFF<Bit>,
        middle_vote: DFF<Bit>,
        shift: DFF<Bits<8>>,
        done: DFF<Bit>,
        stop_bit_low: DFF<Bit>,
        low: Signal<Local, Bit>,
        bit_is_low: Signal<Local, Bit>,
        high_bit: Signal<Local, Bits<8>>,
        sample_early: Constant<Bits<16>> = given,
        sample_middle: Constant<Bits<16>> = given,
        sample_late: Constant<Bits<16>> = given,
        last_cycle: Constant<Bits<16>> = given,
    }
}

/// Cycles from the first low sample of a start bit to the middle vote of a bit.
///
/// The edge lies up to one cycle before the sample that shows it. The vote is therefore half a
/// cycle early, which makes errors to both sides equally likely. The stop bit is also sampled early
/// enough for back-to-back bytes of a sender that is 3 % fast, even at 8 cycles per bit.
const fn middle(divisor: u16) -> u16 {
    (divisor - 1) / 2
}

impl UartRx {
    /// Creates a receiver with `divisor` cycles per bit.
    ///
    /// # Panics
    /// If `divisor` is below 8: the three samples of a bit would coincide.
    pub fn new(divisor: u16) -> Self {
        assert!(divisor >= 8, "a bit takes at least 8 cycles");
        let (middle, apart) = (middle(divisor), divisor / 8);
        Self::from(UartRxParts {
            sample_early: Constant::new((middle - apart).to_bits()),
            sample_middle: Constant::new(middle.to_bits()),
            sample_late: Constant::new((middle + apart).to_bits()),
            last_cycle: Constant::new((divisor - 1).to_bits()),
        })
    }
}

impl Logic for UartRx {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(self, clock, sync_one, sync_two, state, elapsed, index);
        dff_setup!(
            self,
            clock,
            early_vote,
            middle_vote,
            shift,
            done,
            stop_bit_low
        );
        self.sync_one.d.next = !self.rx.val();
        self.sync_two.d.next = self.sync_one.q.val();
        self.low.next = self.sync_two.q.val();
        self.done.d.next = false;
        self.stop_bit_low.d.next = false;

        self.bit_is_low.next = (self.early_vote.q.val() & self.middle_vote.q.val())
            | (self.early_vote.q.val() & self.low.val())
            | (self.middle_vote.q.val() & self.low.val());
        self.high_bit.next = bits::<8>(0x80);
        if self.bit_is_low.val() {
            self.high_bit.next = bits::<8>(0);
        }

        match self.state.q.val() {
            RxState::Idle => {
                self.elapsed.d.next = bits::<16>(1);
                self.index.d.next = bits::<4>(0);
                if self.low.val() {
                    self.state.d.next = RxState::Frame;
                }
            }
            RxState::Frame => {
                self.elapsed.d.next = self.elapsed.q.val() + 1;
                if self.elapsed.q.val() == self.last_cycle.val() {
                    self.elapsed.d.next = bits::<16>(0);
                    self.index.d.next = self.index.q.val() + 1;
                }
                if self.elapsed.q.val() == self.sample_early.val() {
                    self.early_vote.d.next = self.low.val();
                }
                if self.elapsed.q.val() == self.sample_middle.val() {
                    self.middle_vote.d.next = self.low.val();
                }
                if self.elapsed.q.val() == self.sample_late.val() {
                    if self.index.q.val() == bits::<4>(0) {
                        if !self.bit_is_low.val() {
                            self.state.d.next = RxState::Idle;
                        }
                    } else if self.index.q.val() == bits::<4>(9) {
                        if self.bit_is_low.val() {
                            self.stop_bit_low.d.next = true;
                            self.state.d.next = RxState::Break;
                        } else {
                            self.done.d.next = true;
                            self.state.d.next = RxState::Idle;
                        }
                    } else {
                        self.shift.d.next = (self.shift.q.val() >> 1) | self.high_bit.val();
                    }
                }
            }
            RxState::Break => {
                if !self.low.val() {
                    self.state.d.next = RxState::Idle;
                }
            }
            _ => {
                self.state.d.next = RxState::Idle;
            }
        }

        self.strobe.next = self.done.q.val();
        self.framing.next = self.stop_bit_low.q.val();
        self.data.next = self.shift.q.val();
        self.busy.next = self.state.q.val() != RxState::Idle;
    }
}

/// Result of a frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Received {
    /// Byte of a valid frame.
    Byte(u8),
    /// Framing error: a frame without a stop bit.
    Framing,
}

/// Twin: bytes and framing errors received from `line`, which has one level per cycle (true is
/// high).
///
/// The twin derives the times of the votes itself. Bit `n` lasts from `n * divisor` to
/// `(n + 1) * divisor` cycles after the edge, and the edge lies half a cycle before the first low
/// level. The votes are in the middle of the bit and an eighth of a bit to each side, rounded down
/// to cycles.
pub fn twin(divisor: u16, line: &[bool]) -> Vec<Received> {
    let divisor = usize::from(divisor);
    let votes = |index: usize| {
        let half_cycles = (2 * index + 1) * divisor - 1;
        let (middle, eighth) = (half_cycles / 2, divisor / 8);
        [middle - eighth, middle, middle + eighth]
    };
    let mut received = Vec::new();
    let mut start = 0;
    // The next frame starts at the first low level; an incomplete frame gives no result.
    while let Some(edge) = line[start..].iter().position(|&level| !level) {
        let frame = &line[start + edge..];
        let bit = |index: usize| {
            let votes = votes(index).map(|clock| frame.get(clock));
            let high = votes.iter().filter(|vote| **vote == Some(&true)).count();
            votes.iter().all(Option::is_some).then_some(high > 1)
        };
        let sampled = |index: usize| start + edge + votes(index)[2] + 1;
        match (bit(0), bit(9)) {
            (Some(true), _) => start = sampled(0),
            (Some(false), Some(true)) => {
                let byte = (1..9)
                    .filter(|&i| bit(i) == Some(true))
                    .fold(0, |b, i| b | 1 << (i - 1));
                received.push(Received::Byte(byte));
                start = sampled(9);
            }
            (Some(false), Some(false)) => {
                received.push(Received::Framing);
                let broken = sampled(9).min(line.len());
                let Some(high) = line[broken..].iter().position(|&level| level) else {
                    break;
                };
                start = broken + high + 1;
            }
            _ => break,
        }
        if start >= line.len() {
            break;
        }
    }
    received
}
