//! The line protocol, board side: host codes out of bytes.
//!
//! The twin is `duoforge_protocol::BoardParser`, transition for transition.
//!
//! Encoding: a host code is a kind and at most five bytes whose number follows from the kind, so the
//! parser is a countdown. A code's four letters are taken whatever they are: a broken move costs its
//! meaning, but never the framing of what follows. A code that stops half-way is forgotten after a
//! silence, so that a `0` after a pause is always a `0`.

use rust_hdl_core::prelude::*;
use rust_hdl_widgets::prelude::*;

use crate::block::block;
use crate::model::PortValue;

/// What the host says.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum Kind {
    /// `0`: a match begins; the board names itself.
    Hello,
    /// `2X`: move first.
    First,
    /// `3XYYYY`: move second.
    Second,
    /// `4XXXX`: move.
    Turn,
    /// `9`: the match is over.
    End,
    /// `????`: the board names its build. It comes outside games only.
    Identify,
}

/// States of the parser.
#[derive(Copy, Clone, Debug, PartialEq, LogicState)]
pub enum LineState {
    /// Between codes.
    Lead,
    /// `2` or `3` has come: wait for the start cell's letter.
    Start,
    /// Wait for the letters of a move.
    Letters,
    /// `?` has come outside a game: wait for three more.
    Query,
}

/// Parses what the host sends.
#[derive(LogicBlock)]
pub struct Line {
    /// The only clock.
    pub clock: Signal<In, Clock>,
    /// Forgets an unfinished code and a waiting one.
    pub reset: Signal<In, Bit>,
    /// For one clock: `data` is a byte from the host.
    pub strobe: Signal<In, Bit>,
    /// The byte.
    pub data: Signal<In, Bits<8>>,
    /// For one clock: a byte was lost to a framing error.
    pub framing: Signal<In, Bit>,
    /// A byte is on its way, so that the line is not silent.
    pub receiving: Signal<In, Bit>,
    /// A complete code waits to be taken; a newer one replaces it.
    pub waiting: Signal<Out, Bit>,
    /// Takes the code.
    pub take: Signal<In, Bit>,
    /// What kind it is.
    pub kind: Signal<Out, Kind>,
    /// My start cell is (a,a); holds for `First` and `Second`.
    pub start_is_a: Signal<Out, Bit>,
    /// The rival's move, first letter lowest; holds for `Second` and `Turn`.
    pub code: Signal<Out, Bits<32>>,
    /// For one clock: bytes were dropped that belong to no code.
    pub garbage: Signal<Out, Bit>,
    state: DFF<LineState>,
    // A code has begun a game, and none has ended it.
    game: DFF<Bit>,
    second: DFF<Bit>,
    start: DFF<Bit>,
    letters: DFF<Bits<32>>,
    left: DFF<Bits<2>>,
    silence: DFF<Bits<32>>,
    // The code that waits.
    full: DFF<Bit>,
    full_kind: DFF<Kind>,
    full_start: DFF<Bit>,
    full_code: DFF<Bits<32>>,
    blank: Signal<Local, Bit>,
    lead: Signal<Local, Bit>,
    appended: Signal<Local, Bits<32>>,
    gap: Constant<Bits<32>>,
}

impl Line {
    /// A parser that forgets an unfinished code after `gap` clocks of silence.
    pub fn new(gap: u32) -> Self {
        block!(Self {
            gap: Constant::new(gap.to_bits()),
        } default
            clock reset strobe data framing receiving waiting take kind start_is_a code garbage
            state game second start letters left silence full full_kind full_start full_code blank
            lead appended
        )
    }
}

impl Logic for Line {
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

        // A byte inside a code.
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
                        // Not a start cell, so it may be the first byte of the next code.
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

        // The first byte of a code.
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

        // Silence, a lost byte and the reset end a code half-way.
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

crate::ported!(Line;
    in reset strobe data framing receiving take;
    out waiting kind start_is_a code garbage);
