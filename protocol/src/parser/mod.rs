//! Parser of the host's bytes on the device side: bytes in, [`HostCode`]s out.
//!
//! [`HostCodeParser`] is the bit-exact twin of the hardware's host code parser. Tests check both
//! against this transition table; the counters allow a comparison after every byte.
//!
//! | state | byte | action |
//! |---|---|---|
//! | any | CR, LF, space | ignored |
//! | idle | `0` | code `0` |
//! | idle | `9` | code `9` |
//! | idle | `2`, `3` | wait for the start letter |
//! | idle | `4` | wait for four bytes |
//! | idle, no game | `?` | wait for three more |
//! | idle | other | dropped, counted as garbage |
//! | start letter | `5`, `A` | after `2`: code `2X`; after `3`: wait for four bytes |
//! | start letter | other | counted as a bad start; back to idle, byte processed there |
//! | three `?` | `?` | the third completes the code `????` |
//! | three `?` | other | one count of garbage; back to idle, byte processed there |
//! | four bytes | any | collected; the fourth completes the code |
//! | any but idle | inter-byte timeout | partial code dropped and counted, back to idle |
//! | any | framing error | partial code dropped, framing error counted, back to idle |
//!
//! A game runs from `2X` or `3XYYYY` to `0` or `9`. During a game `????` is garbage, so that noise
//! cannot put a build id between the replies of a game.

use crate::code::{HostCode, MoveCode, StartCell};
use crate::is_ignored;

/// Error counters since the parser was created; each wraps at 2^32.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Counters {
    /// Bytes dropped because no code begins with them; a partial `????` counts once.
    pub garbage: u32,
    /// `2` or `3` followed by another byte than `5` or `A`.
    pub bad_start: u32,
    /// Partial codes dropped at the inter-byte timeout.
    pub unfinished: u32,
    /// Framing errors reported by the receiver, inside a code or between codes.
    pub framing: u32,
}

/// Result of one byte.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ParserOutput {
    /// The byte is neither `5` nor `A` where a start letter is due. The parser then processes it as
    /// in the idle state, so `code` or `garbage` may be set as well.
    pub bad_start: bool,
    /// The byte was dropped because no code begins with it, or it interrupted a `????`.
    pub garbage: bool,
    /// Code that the byte completed.
    pub code: Option<HostCode>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum State {
    Idle,
    /// After `2` (`second` is false) or `3`.
    Start {
        second: bool,
    },
    /// After `?` outside a game; `left` more bytes are due before the last one.
    Query {
        left: u8,
    },
    /// After `3X` (`start` is set) or `4`; `code` holds `len` bytes.
    Code {
        start: Option<StartCell>,
        code: MoveCode,
        len: u8,
    },
}

/// Parser of host codes, with resynchronisation after errors.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct HostCodeParser {
    state: State,
    in_game: bool,
    counters: Counters,
}

impl Default for HostCodeParser {
    fn default() -> Self {
        Self::new()
    }
}

impl HostCodeParser {
    /// Creates a parser in the idle state with all counters at 0.
    #[must_use]
    pub const fn new() -> Self {
        let counters = Counters {
            garbage: 0,
            bad_start: 0,
            unfinished: 0,
            framing: 0,
        };
        Self {
            state: State::Idle,
            in_game: false,
            counters,
        }
    }

    /// Takes the next byte from the host.
    pub fn feed(&mut self, byte: u8) -> ParserOutput {
        let mut step = ParserOutput::default();
        if is_ignored(byte) {
            return step;
        }
        match self.state {
            State::Idle => self.feed_idle(byte, &mut step),
            State::Start { second } => match (StartCell::from_letter(byte), second) {
                (Some(start), false) => {
                    self.state = State::Idle;
                    step.code = Some(HostCode::First { start });
                }
                (Some(start), true) => {
                    self.state = State::Code {
                        start: Some(start),
                        code: [0; 4],
                        len: 0,
                    };
                }
                (None, _) => {
                    step.bad_start = true;
                    self.counters.bad_start = self.counters.bad_start.wrapping_add(1);
                    self.feed_idle(byte, &mut step);
                }
            },
            State::Query { left } if byte == b'?' => match left {
                0 => {
                    self.state = State::Idle;
                    step.code = Some(HostCode::Identify);
                }
                left => self.state = State::Query { left: left - 1 },
            },
            State::Query { .. } => {
                self.count_garbage(&mut step);
                self.feed_idle(byte, &mut step);
            }
            State::Code {
                start,
                mut code,
                len,
            } => {
                code[usize::from(len)] = byte;
                if len < 3 {
                    self.state = State::Code {
                        start,
                        code,
                        len: len + 1,
                    };
                } else {
                    self.state = State::Idle;
                    step.code = Some(match start {
                        Some(start) => HostCode::Second { start, code },
                        None => HostCode::Turn { code },
                    });
                }
            }
        }
        match step.code {
            Some(HostCode::First { .. } | HostCode::Second { .. }) => self.in_game = true,
            Some(HostCode::Handshake | HostCode::End) => self.in_game = false,
            _ => {}
        }
        step
    }

    fn feed_idle(&mut self, byte: u8, step: &mut ParserOutput) {
        self.state = State::Idle;
        match byte {
            b'0' => step.code = Some(HostCode::Handshake),
            b'9' => step.code = Some(HostCode::End),
            b'2' => self.state = State::Start { second: false },
            b'3' => self.state = State::Start { second: true },
            b'4' => {
                self.state = State::Code {
                    start: None,
                    code: [0; 4],
                    len: 0,
                }
            }
            b'?' if !self.in_game => self.state = State::Query { left: 2 },
            _ => self.count_garbage(step),
        }
    }

    fn count_garbage(&mut self, step: &mut ParserOutput) {
        step.garbage = true;
        self.counters.garbage = self.counters.garbage.wrapping_add(1);
    }

    /// Signals the inter-byte timeout ([`crate::INTER_BYTE_TIMEOUT`]): drops and counts a partial
    /// code. Returns true if there was one. Further calls have no effect until the next byte.
    pub fn on_silence(&mut self) -> bool {
        let unfinished = self.drop_unfinished();
        if unfinished {
            self.counters.unfinished = self.counters.unfinished.wrapping_add(1);
        }
        unfinished
    }

    /// Signals a framing error: drops a partial code and counts the error. Returns true if a code
    /// was dropped; that code does not count as unfinished.
    pub fn framing_error(&mut self) -> bool {
        self.counters.framing = self.counters.framing.wrapping_add(1);
        self.drop_unfinished()
    }

    fn drop_unfinished(&mut self) -> bool {
        let unfinished = !self.is_idle();
        self.state = State::Idle;
        unfinished
    }

    /// True if the parser is between codes.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.state == State::Idle
    }

    /// Error counters since the parser was created.
    #[must_use]
    pub const fn counters(&self) -> Counters {
        self.counters
    }
}

#[cfg(test)]
mod tests;
