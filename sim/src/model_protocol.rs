//! Line protocol between this process and a model in a separate process.
//!
//! Commands go to the model's standard input, one per line. All numbers are hexadecimal without a
//! prefix. Ports are numbered in the order of the design, without the clock. Answers are lines that
//! begin with the control character SOH; `=` stands for it here.
//!
//! | command | meaning | answer |
//! |---|---|---|
//! | `p PORT VALUE` | drive an input | |
//! | `s CLOCKS` | run a number of cycles | |
//! | `u PORT VALUE MAX` | run until a port has a value | `=u CLOCKS REACHED` |
//! | `g PORT` | read a port | `=v VALUE` |
//! | `w PORT` | watch a port | |
//! | `m VALID COUNT PORT...` | set up the next sample list | |
//! | `d PATH` | start a waveform; the path is the rest of the line | |
//! | `D` | complete the waveform | |
//! | `f` | flush all answers so far | `=f` |
//!
//! Cycles add answers in their order: `=e CLOCK PORT VALUE` for a watched port that changed, `=s
//! CLOCK LIST VALUE...` for a sample, and occasionally `=h`, a sign of life. Values may contain `x`
//! and `z`. Other lines are the design's own output. It may end without a line break, so the model
//! writes one before its answers. The model exits at the end of its input.

use std::fmt::Write;

use crate::port::PortId;

/// First character of an answer, SOH. The design's output rarely has it.
const ANSWER: char = '\x01';

/// Command to the model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Command<'a> {
    Poke(PortId, u64),
    Step(u64),
    Until(PortId, u64, u64),
    Get(PortId),
    Watch(PortId),
    Sample(PortId, &'a [PortId]),
    WaveStart(&'a str),
    WaveStop,
    Flush,
}

impl Command<'_> {
    /// Appends the command as a line.
    pub(crate) fn write_to(self, out: &mut String) {
        let written = match self {
            Self::Poke(port, value) => writeln!(out, "p {:x} {value:x}", port.0),
            Self::Step(cycles) => writeln!(out, "s {cycles:x}"),
            Self::Until(port, value, max) => writeln!(out, "u {:x} {value:x} {max:x}", port.0),
            Self::Get(port) => writeln!(out, "g {:x}", port.0),
            Self::Watch(port) => writeln!(out, "w {:x}", port.0),
            Self::Sample(valid, ports) => {
                let head = write!(out, "m {:x} {:x}", valid.0, ports.len());
                let body = ports
                    .iter()
                    .try_for_each(|port| write!(out, " {:x}", port.0));
                head.and(body).and_then(|()| writeln!(out))
            }
            Self::WaveStart(path) => writeln!(out, "d {path}"),
            Self::WaveStop => writeln!(out, "D"),
            Self::Flush => writeln!(out, "f"),
        };
        debug_assert!(written.is_ok(), "writing to a string cannot fail");
    }
}

/// Value as the model wrote it. Unknown digits become an error later, where the port is known.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Digits {
    Known(u64),
    Unknown(String),
}

/// Line from the model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Answer {
    Event {
        clock: u64,
        port: PortId,
        value: Digits,
    },
    Sample {
        clock: u64,
        list: u32,
        values: Vec<Digits>,
    },
    Value(Digits),
    Until {
        cycles: u64,
        reached: bool,
    },
    Flushed,
    Alive,
    Chatter(String),
}

impl Answer {
    /// Parses a line without its line break. Returns `None` if the line starts with SOH and is not
    /// a valid answer.
    pub(crate) fn read(line: &str) -> Option<Self> {
        let Some(answer) = line.strip_prefix(ANSWER) else {
            return Some(Self::Chatter(line.to_owned()));
        };
        let mut words = answer.split_ascii_whitespace();
        let tag = words.next()?;
        let answer = match tag {
            "e" => Self::Event {
                clock: number(words.next()?)?,
                port: PortId(number(words.next()?)?.try_into().ok()?),
                value: digits(words.next()?)?,
            },
            "s" => Self::Sample {
                clock: number(words.next()?)?,
                list: number(words.next()?)?.try_into().ok()?,
                values: words.by_ref().map(digits).collect::<Option<_>>()?,
            },
            "v" => Self::Value(digits(words.next()?)?),
            "u" => Self::Until {
                cycles: number(words.next()?)?,
                reached: match words.next()? {
                    "0" => false,
                    "1" => true,
                    _ => return None,
                },
            },
            "f" => Self::Flushed,
            "h" => Self::Alive,
            _ => return None,
        };
        words.next().is_none().then_some(answer)
    }
}

fn number(word: &str) -> Option<u64> {
    // `from_str_radix` accepts a sign.
    let plain = word.bytes().all(|byte| byte.is_ascii_hexdigit());
    plain.then(|| u64::from_str_radix(word, 16).ok())?
}

fn digits(word: &str) -> Option<Digits> {
    if let Some(value) = number(word) {
        return Some(Digits::Known(value));
    }
    let unknown = |byte: u8| matches!(byte, b'x' | b'X' | b'z' | b'Z');
    let legal = word
        .bytes()
        .all(|byte| byte.is_ascii_hexdigit() || unknown(byte));
    (legal && word.bytes().any(unknown)).then(|| Digits::Unknown(word.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(command: Command<'_>) -> String {
        let mut out = String::new();
        command.write_to(&mut out);
        out
    }

    #[test]
    fn commands_are_lines() {
        assert_eq!(
            line(Command::Poke(PortId(11), u64::MAX)),
            "p b ffffffffffffffff\n"
        );
        assert_eq!(line(Command::Step(1_000_000)), "s f4240\n");
        assert_eq!(line(Command::Until(PortId(1), 0, 255)), "u 1 0 ff\n");
        assert_eq!(
            line(Command::Sample(PortId(3), &[PortId(0), PortId(17)])),
            "m 3 2 0 11\n"
        );
        assert_eq!(line(Command::WaveStart("a b.vcd")), "d a b.vcd\n");
    }

    #[test]
    fn answers_are_read() {
        let event = Answer::Event {
            clock: 16,
            port: PortId(2),
            value: Digits::Known(255),
        };
        assert_eq!(Answer::read("\x01e 10 2 ff"), Some(event));
        let values = vec![Digits::Known(1), Digits::Unknown("1X".into())];
        assert_eq!(
            Answer::read("\x01s 0 3 1 1X"),
            Some(Answer::Sample {
                clock: 0,
                list: 3,
                values
            })
        );
        let until = Answer::Until {
            cycles: 10,
            reached: true,
        };
        assert_eq!(Answer::read("\x01u a 1"), Some(until));
        assert_eq!(
            Answer::read("\x01v 0"),
            Some(Answer::Value(Digits::Known(0)))
        );
        assert_eq!(Answer::read("\x01f"), Some(Answer::Flushed));
        assert_eq!(Answer::read("\x01h"), Some(Answer::Alive));
        let chatter = "VCD info: dumpfile x opened for output.";
        assert_eq!(Answer::read(chatter), Some(Answer::Chatter(chatter.into())));
        assert_eq!(Answer::read("=f"), Some(Answer::Chatter("=f".into())));
    }

    #[test]
    fn broken_answers_are_refused() {
        for line in [
            "\x01",
            "\x01q",
            "\x01v",
            "\x01v g",
            "\x01v 1 2",
            "\x01v 10000000000000000",
            "\x01u 1 2",
            "\x01e 1 +2 3",
            "\x01e 1",
        ] {
            assert_eq!(Answer::read(line), None, "{line}");
        }
    }
}
