//! The board's side of the line, byte by byte: host bytes in, [`HostCode`]s out.
//!
//! This is the twin of the hardware's line parser; both are held to the same
//! transitions, and the counters exist so that they can be compared byte for
//! byte:
//!
//! | state | byte | what happens |
//! |---|---|---|
//! | any | CR, LF, space | ignored |
//! | idle | `0` | code `0` |
//! | idle | `9` | code `9` |
//! | idle | `2`, `3` | wait for the start letter |
//! | idle | `4` | wait for four bytes |
//! | idle, no game | `?` | wait for three more |
//! | idle | other | dropped, counted as garbage |
//! | start letter | `5`, `A` | after `2`: code `2X`; after `3`: wait for four bytes |
//! | start letter | other | counted as a bad start, back to idle, the byte is judged again there |
//! | three `?` | `?` | the third completes the code `????` |
//! | three `?` | other | what came is counted as garbage once, back to idle, the byte is judged again there |
//! | four bytes | any | collected; the fourth completes the code |
//! | any but idle | gap | unfinished code dropped and counted, back to idle |
//! | any | framing error | unfinished code dropped, counted as a framing error, back to idle |
//!
//! A game is on from `2X` or `3XYYYY` up to `0` or `9`. `????` means nothing then: whatever noise puts
//! on the line, a game's answers stay alone on it.

use crate::code::{HostCode, MoveCode, StartCell};
use crate::is_blank;

/// How often each thing went wrong since the parser was made; each count wraps at 2^32.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Counters {
    /// Bytes dropped because no code begins with them; an unfinished `????` counts as one.
    pub garbage: u32,
    /// `2` or `3` followed by something else than `5` or `A`.
    pub bad_start: u32,
    /// Codes dropped because the line fell silent inside them.
    pub unfinished: u32,
    /// Framing errors reported by the receiver, inside a code or not.
    pub framing: u32,
}

/// What one byte did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Step {
    /// The byte stood where `5` or `A` is due. It was then judged again as if the line were
    /// idle, so `code` or `garbage` may be set as well.
    pub bad_start: bool,
    /// The byte was dropped because no code begins with it, or it broke off a `????`.
    pub garbage: bool,
    /// The code that the byte completed.
    pub code: Option<HostCode>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum State {
    Idle,
    /// After `2` (`second` is false) or `3`.
    Start {
        second: bool,
    },
    /// After `?` outside a game; `left` more must come, not counting the last.
    Query {
        left: u8,
    },
    /// After `3X` (`start` is set) or `4`; `len` bytes of `code` are there.
    Code {
        start: Option<StartCell>,
        code: MoveCode,
        len: u8,
    },
}

/// Parser of the bytes that a host sends, with resynchronisation.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct BoardParser {
    state: State,
    in_game: bool,
    counters: Counters,
}

impl Default for BoardParser {
    fn default() -> Self {
        Self::new()
    }
}

impl BoardParser {
    /// A parser on an idle line with all counters at 0.
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

    /// Takes the next byte of the line.
    pub fn feed(&mut self, byte: u8) -> Step {
        let mut step = Step::default();
        if is_blank(byte) {
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
            Some(HostCode::Hello | HostCode::End) => self.in_game = false,
            _ => {}
        }
        step
    }

    fn feed_idle(&mut self, byte: u8, step: &mut Step) {
        self.state = State::Idle;
        match byte {
            b'0' => step.code = Some(HostCode::Hello),
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

    fn count_garbage(&mut self, step: &mut Step) {
        step.garbage = true;
        self.counters.garbage = self.counters.garbage.wrapping_add(1);
    }

    /// The line was silent for the gap time ([`crate::GAP`]): drops an unfinished code and
    /// counts it. Returns whether there was one. Repeated calls do nothing more.
    pub fn gap(&mut self) -> bool {
        let unfinished = self.drop_unfinished();
        if unfinished {
            self.counters.unfinished = self.counters.unfinished.wrapping_add(1);
        }
        unfinished
    }

    /// The receiver saw a framing error: drops an unfinished code and counts the error.
    /// Returns whether a code was dropped; it is not counted as unfinished.
    pub fn framing_error(&mut self) -> bool {
        self.counters.framing = self.counters.framing.wrapping_add(1);
        self.drop_unfinished()
    }

    fn drop_unfinished(&mut self) -> bool {
        let unfinished = !self.is_idle();
        self.state = State::Idle;
        unfinished
    }

    /// Whether the parser is between codes.
    #[must_use]
    pub fn is_idle(&self) -> bool {
        self.state == State::Idle
    }

    /// What went wrong so far.
    #[must_use]
    pub const fn counters(&self) -> Counters {
        self.counters
    }
}

#[cfg(test)]
mod tests;
