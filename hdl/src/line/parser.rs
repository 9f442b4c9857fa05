//! Host code parser of the hardware player: bytes to host codes.
//!
//! The twin is `duoforge_protocol::HostCodeParser`, with the same transitions.
//!
//! Encoding: a host code is a kind and at most five further bytes. The kind determines their
//! number, so the parser is a countdown. The four letters of a move are accepted whatever they are:
//! a broken code loses its meaning, but later codes stay framed. The inter-byte timeout (`gap`)
//! drops a partial code, so a `0` after a pause always starts a handshake.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;
use crate::model::PortValue;

/// Kind of a host code.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum Kind {
    /// Handshake `0`: the reply is the team code.
    Hello,
    /// Prompt `2X`: this player moves first.
    First,
    /// Prompt `3XYYYY`: this player moves second.
    Second,
    /// Prompt `4XXXX`: the opponent's move.
    Turn,
    /// End of the game, `9`.
    End,
    /// Build query `????`: the reply is the build id. Recognised only outside a game.
    Identify,
}

/// States of the parser.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum LineState {
    /// Waits for the first byte of a code.
    Lead,
    /// Waits for the letter of the start cell after `2` or `3`.
    Start,
    /// Waits for the letters of a move.
    Letters,
    /// Waits for the other three `?` of a build query.
    Query,
}

block! {
    /// Host code parser.
    pub struct HostCodeParser from HostCodeParserParts {
        /// The only clock.
        pub clock: Signal<In, Clock>,
        /// Discards a partial code and a waiting one.
        pub reset: Signal<In, Bit>,
        /// High for one cycle when `data` is a byte from the host.
        pub strobe: Signal<In, Bit>,
        /// Received byte.
        pub data: Signal<In, Bits<8>>,
        /// High for one cycle when a byte was lost to a framing error.
        pub framing: Signal<In, Bit>,
        /// High while a byte is being received; the inter-byte timeout does not run.
        pub receiving: Signal<In, Bit>,
        /// High while a complete code waits to be taken; a newer code replaces it.
        pub waiting: Signal<Out, Bit>,
        /// Takes the waiting code.
        pub take: Signal<In, Bit>,
        /// Kind of the waiting code.
        pub kind: Signal<Out, Kind>,
        /// Own start cell, high for (a,a), low for (5,5); valid for `First` and `Second`.
        pub start_is_a: Signal<Out, Bit>,
        /// Opponent's move, first letter in the lowest byte; valid for `Second` and `Turn`.
        pub code: Signal<Out, Bits<32>>,
        /// High for one cycle when bytes that belong to no code were dropped.
        pub garbage: Signal<Out, Bit>,
        state: DFF<LineState>,
        // High between a code that starts a game and the one that ends it.
        game: DFF<Bit>,
        second: DFF<Bit>,
        start: DFF<Bit>,
        letters: DFF<Bits<32>>,
        left: DFF<Bits<2>>,
        silence: DFF<Bits<32>>,
        // The waiting code.
        full: DFF<Bit>,
        full_kind: DFF<Kind>,
        full_start: DFF<Bit>,
        full_code: DFF<Bits<32>>,
        blank: Signal<Local, Bit>,
        lead: Signal<Local, Bit>,
        appended: Signal<Local, Bits<32>>,
        gap: Constant<Bits<32>> = given,
    }
}

impl HostCodeParser {
    /// Creates a parser with an inter-byte timeout of `gap` cycles.
    pub fn new(gap: u32) -> Self {
        Self::from(HostCodeParserParts {
            gap: Constant::new(gap.to_bits()),
        })
    }
}

impl Logic for HostCodeParser {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self, clock, state, game, second, start, letters, left, silence
        );
        dff_setup!(self, clock, full, full_kind, full_start, full_code);
        self.garbage.next = false;
        self.lead.next = false;
        self.blank.next = (self.data.val() == bits::<8>(0x0a))
            | (self.data.val() == bits::<8>(0x0d))
            | (self.data.val() == bits::<8>(0x20));
        self.appended.next =
            (self.letters.q.val() >> 8) | (bit_cast::<32, 8>(self.data.val()) << 24);
        if self.take.val() {
            self.full.d.next = false;
        }

        // Byte inside a code; line feed, carriage return and space are ignored.
        if self.strobe.val() & (!self.blank.val()) {
            match self.state.q.val() {
                LineState::Lead => {
                    self.lead.next = true;
                }
                LineState::Start => {
                    if (self.data.val() == bits::<8>(0x35)) | (self.data.val() == bits::<8>(0x41)) {
                        self.start.d.next = self.data.val() == bits::<8>(0x41);
                        if self.second.q.val() {
                            self.state.d.next = LineState::Letters;
                            self.left.d.next = bits::<2>(3);
                        } else {
                            self.state.d.next = LineState::Lead;
                            self.full.d.next = true;
                            self.game.d.next = true;
                            self.full_kind.d.next = Kind::First;
                            self.full_start.d.next = self.data.val() == bits::<8>(0x41);
                        }
                    } else {
                        // The byte is not a start cell: it may be the first byte of the next code.
                        self.garbage.next = true;
                        self.lead.next = true;
                    }
                }
                LineState::Letters => {
                    self.letters.d.next = self.appended.val();
                    self.left.d.next = self.left.q.val() - 1;
                    if !self.left.q.val().any() {
                        self.state.d.next = LineState::Lead;
                        self.full.d.next = true;
                        self.full_code.d.next = self.appended.val();
                        self.full_start.d.next = self.start.q.val();
                        if self.second.q.val() {
                            self.game.d.next = true;
                            self.full_kind.d.next = Kind::Second;
                        } else {
                            self.full_kind.d.next = Kind::Turn;
                        }
                    }
                }
                LineState::Query => {
                    if self.data.val() == bits::<8>(0x3f) {
                        self.left.d.next = self.left.q.val() - 1;
                        if !self.left.q.val().any() {
                            self.state.d.next = LineState::Lead;
                            self.full.d.next = true;
                            self.full_kind.d.next = Kind::Identify;
                        }
                    } else {
                        self.garbage.next = true;
                        self.lead.next = true;
                    }
                }
                _ => {
                    self.state.d.next = LineState::Lead;
                }
            }
        }

        // First byte of a code.
        if self.lead.val() {
            self.state.d.next = LineState::Lead;
            if self.data.val() == bits::<8>(0x30) {
                self.full.d.next = true;
                self.game.d.next = false;
                self.full_kind.d.next = Kind::Hello;
            } else if self.data.val() == bits::<8>(0x39) {
                self.full.d.next = true;
                self.game.d.next = false;
                self.full_kind.d.next = Kind::End;
            } else if (self.data.val() == bits::<8>(0x32)) | (self.data.val() == bits::<8>(0x33)) {
                self.state.d.next = LineState::Start;
                self.second.d.next = self.data.val() == bits::<8>(0x33);
            } else if self.data.val() == bits::<8>(0x34) {
                self.state.d.next = LineState::Letters;
                self.second.d.next = false;
                self.left.d.next = bits::<2>(3);
            } else if (self.data.val() == bits::<8>(0x3f)) & (!self.game.q.val()) {
                self.state.d.next = LineState::Query;
                self.left.d.next = bits::<2>(2);
            } else {
                self.garbage.next = true;
            }
        }

        // The inter-byte timeout, a framing error and a reset drop a partial code.
        self.silence.d.next = self.silence.q.val() + 1;
        if self.strobe.val() | self.receiving.val() | (self.state.q.val() == LineState::Lead) {
            self.silence.d.next = bits::<32>(0);
        }
        if self.silence.q.val() >= self.gap.val() {
            self.silence.d.next = bits::<32>(0);
            self.state.d.next = LineState::Lead;
        }
        if self.framing.val() {
            self.state.d.next = LineState::Lead;
        }
        if self.reset.val() {
            self.state.d.next = LineState::Lead;
            self.game.d.next = false;
            self.full.d.next = false;
        }

        self.waiting.next = self.full.q.val();
        self.kind.next = self.full_kind.q.val();
        self.start_is_a.next = self.full_start.q.val();
        self.code.next = self.full_code.q.val();
    }
}

impl PortValue for Kind {
    /// # Panics
    /// Always: the kind is an output.
    fn from_number(_value: u64) -> Self {
        unreachable!("the kind of a host code is an output")
    }

    fn number(self) -> u64 {
        self as u64
    }
}
