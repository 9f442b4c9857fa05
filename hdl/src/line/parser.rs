//! Host code parser of the hardware player: bytes to host codes.
//!
//! The twin is `duoforge_protocol::HostCodeParser`, with the same transitions.
//!
//! Encoding: a host code is a kind and at most five further bytes. The kind determines their
//! number, so the parser is a countdown. The four letters of a move are accepted whatever they are:
//! a broken code loses its meaning, but later codes stay framed. The inter-byte timeout
//! drops a partial code, so a `0` after a pause always starts a handshake.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;
use crate::model::PortValue;

/// Kind of a host code.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum HostCodeKind {
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
pub enum ParserState {
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
        /// High while a byte, or a pulse that may be a start bit, is being received; the inter-byte
        /// timeout does not run.
        pub receiving: Signal<In, Bit>,
        /// High while a complete code waits to be taken; a newer code replaces it.
        pub waiting: Signal<Out, Bit>,
        /// Takes the waiting code.
        pub take: Signal<In, Bit>,
        /// Kind of the waiting code.
        pub kind: Signal<Out, HostCodeKind>,
        /// Own start cell, high for (a,a), low for (5,5); valid for `First` and `Second`.
        pub start_is_a: Signal<Out, Bit>,
        /// Opponent's move, first letter in the lowest byte; valid for `Second` and `Turn`.
        pub code: Signal<Out, Bits<32>>,
        /// High for one cycle when bytes that belong to no code were dropped.
        pub garbage: Signal<Out, Bit>,
        state: DFF<ParserState>,
        // High between a code that starts a game and the one that ends it.
        in_game: DFF<Bit>,
        is_second: DFF<Bit>,
        partial_start_is_a: DFF<Bit>,
        letters: DFF<Bits<32>>,
        letters_left: DFF<Bits<2>>,
        silence: DFF<Bits<32>>,
        // The waiting code.
        complete: DFF<Bit>,
        complete_kind: DFF<HostCodeKind>,
        complete_start_is_a: DFF<Bit>,
        complete_code: DFF<Bits<32>>,
        ignored: Signal<Local, Bit>,
        is_first_byte: Signal<Local, Bit>,
        appended: Signal<Local, Bits<32>>,
        inter_byte_timeout_cycles: Constant<Bits<32>> = given,
    }
}

impl HostCodeParser {
    /// Creates a parser with an inter-byte timeout of `inter_byte_timeout_cycles` cycles.
    pub fn new(inter_byte_timeout_cycles: u32) -> Self {
        Self::from(HostCodeParserParts {
            inter_byte_timeout_cycles: Constant::new(inter_byte_timeout_cycles.to_bits()),
        })
    }
}

impl Logic for HostCodeParser {
    #[hdl_gen]
    fn update(&mut self) {
        dff_setup!(
            self,
            clock,
            state,
            in_game,
            is_second,
            partial_start_is_a,
            letters,
            letters_left,
            silence
        );
        dff_setup!(
            self,
            clock,
            complete,
            complete_kind,
            complete_start_is_a,
            complete_code
        );
        self.garbage.next = false;
        self.is_first_byte.next = false;
        self.ignored.next = (self.data.val() == bits::<8>(0x0a))
            | (self.data.val() == bits::<8>(0x0d))
            | (self.data.val() == bits::<8>(0x20));
        self.appended.next =
            (self.letters.q.val() >> 8) | (bit_cast::<32, 8>(self.data.val()) << 24);
        if self.take.val() {
            self.complete.d.next = false;
        }

        // Byte inside a code; line feed, carriage return and space are ignored.
        if self.strobe.val() & (!self.ignored.val()) {
            match self.state.q.val() {
                ParserState::Lead => {
                    self.is_first_byte.next = true;
                }
                ParserState::Start => {
                    if (self.data.val() == bits::<8>(0x35)) | (self.data.val() == bits::<8>(0x41)) {
                        self.partial_start_is_a.d.next = self.data.val() == bits::<8>(0x41);
                        if self.is_second.q.val() {
                            self.state.d.next = ParserState::Letters;
                            self.letters_left.d.next = bits::<2>(3);
                        } else {
                            self.state.d.next = ParserState::Lead;
                            self.complete.d.next = true;
                            self.in_game.d.next = true;
                            self.complete_kind.d.next = HostCodeKind::First;
                            self.complete_start_is_a.d.next = self.data.val() == bits::<8>(0x41);
                        }
                    } else {
                        // The byte is not a start cell: it may be the first byte of the next code.
                        self.garbage.next = true;
                        self.is_first_byte.next = true;
                    }
                }
                ParserState::Letters => {
                    self.letters.d.next = self.appended.val();
                    self.letters_left.d.next = self.letters_left.q.val() - 1;
                    if !self.letters_left.q.val().any() {
                        self.state.d.next = ParserState::Lead;
                        self.complete.d.next = true;
                        self.complete_code.d.next = self.appended.val();
                        self.complete_start_is_a.d.next = self.partial_start_is_a.q.val();
                        if self.is_second.q.val() {
                            self.in_game.d.next = true;
                            self.complete_kind.d.next = HostCodeKind::Second;
                        } else {
                            self.complete_kind.d.next = HostCodeKind::Turn;
                        }
                    }
                }
                ParserState::Query => {
                    if self.data.val() == bits::<8>(0x3f) {
                        self.letters_left.d.next = self.letters_left.q.val() - 1;
                        if !self.letters_left.q.val().any() {
                            self.state.d.next = ParserState::Lead;
                            self.complete.d.next = true;
                            self.complete_kind.d.next = HostCodeKind::Identify;
                        }
                    } else {
                        self.garbage.next = true;
                        self.is_first_byte.next = true;
                    }
                }
                _ => {
                    self.state.d.next = ParserState::Lead;
                }
            }
        }

        // First byte of a code.
        if self.is_first_byte.val() {
            self.state.d.next = ParserState::Lead;
            if self.data.val() == bits::<8>(0x30) {
                self.complete.d.next = true;
                self.in_game.d.next = false;
                self.complete_kind.d.next = HostCodeKind::Hello;
            } else if self.data.val() == bits::<8>(0x39) {
                self.complete.d.next = true;
                self.in_game.d.next = false;
                self.complete_kind.d.next = HostCodeKind::End;
            } else if (self.data.val() == bits::<8>(0x32)) | (self.data.val() == bits::<8>(0x33)) {
                self.state.d.next = ParserState::Start;
                self.is_second.d.next = self.data.val() == bits::<8>(0x33);
            } else if self.data.val() == bits::<8>(0x34) {
                self.state.d.next = ParserState::Letters;
                self.is_second.d.next = false;
                self.letters_left.d.next = bits::<2>(3);
            } else if (self.data.val() == bits::<8>(0x3f)) & (!self.in_game.q.val()) {
                self.state.d.next = ParserState::Query;
                self.letters_left.d.next = bits::<2>(2);
            } else {
                self.garbage.next = true;
            }
        }

        // The inter-byte timeout, a framing error and a reset drop a partial code.
        self.silence.d.next = self.silence.q.val() + 1;
        if self.receiving.val() {
            self.silence.d.next = self.silence.q.val();
        }
        if self.strobe.val() | (self.state.q.val() == ParserState::Lead) {
            self.silence.d.next = bits::<32>(0);
        }
        if self.silence.q.val() >= self.inter_byte_timeout_cycles.val() {
            self.silence.d.next = bits::<32>(0);
            self.state.d.next = ParserState::Lead;
        }
        if self.framing.val() {
            self.state.d.next = ParserState::Lead;
        }
        if self.reset.val() {
            self.state.d.next = ParserState::Lead;
            self.in_game.d.next = false;
            self.complete.d.next = false;
        }

        self.waiting.next = self.complete.q.val();
        self.kind.next = self.complete_kind.q.val();
        self.start_is_a.next = self.complete_start_is_a.q.val();
        self.code.next = self.complete_code.q.val();
    }
}

impl PortValue for HostCodeKind {
    /// # Panics
    /// Always: the kind is an output.
    fn from_number(_value: u64) -> Self {
        unreachable!("the kind of a host code is an output")
    }

    fn number(self) -> u64 {
        self as u64
    }
}
