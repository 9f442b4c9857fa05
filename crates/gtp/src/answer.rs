//! GTP responses, parsed from the output of an engine.

use std::io::{self, BufRead, Read};

/// Maximum size of a response in bytes. The longest real ones list some thousand moves.
const MOST: u64 = 4 << 20;

/// Response of an engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// Id of the command.
    pub id: Option<u32>,
    /// True if the command succeeded.
    pub good: bool,
    /// Text of the response, trimmed.
    pub text: String,
}

/// Unexpected line: a line at the place of a response that does not start one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnexpectedLine(pub String);

/// Reads a response, or a line that does not start one. Returns `None` at the end of the input; an
/// incomplete response counts as the end.
///
/// # Errors
/// I/O errors of the input.
pub fn read_answer(
    input: &mut impl BufRead,
) -> io::Result<Option<Result<Response, UnexpectedLine>>> {
    let mut input = input.take(MOST);
    let first = loop {
        match read_line(&mut input)? {
            None => return Ok(None),
            Some(line) if line.trim().is_empty() => {}
            Some(line) => break line,
        }
    };
    let good = match first.as_bytes()[0] {
        b'=' => true,
        b'?' => false,
        _ => return Ok(Some(Err(UnexpectedLine(first)))),
    };
    let rest = &first[1..];
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let (id, rest) = rest.split_at(digits);
    let mut text = rest.trim().to_owned();
    loop {
        match read_line(&mut input)? {
            None => return Ok(None),
            Some(line) if line.is_empty() => break,
            Some(line) => {
                text.push('\n');
                text.push_str(&line);
            }
        }
    }
    Ok(Some(Ok(Response {
        id: id.parse().ok(),
        good,
        text: text.trim().to_owned(),
    })))
}

/// Reads a line without its terminator; `None` at the end of the input.
fn read_line(input: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = Vec::new();
    if input.read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    let line = String::from_utf8_lossy(&line);
    Ok(Some(line.trim_end_matches(['\n', '\r']).to_owned()))
}

#[cfg(test)]
mod tests {
    use duoforge_arbitrary::Inputs;

    use super::*;

    fn answers(mut input: &[u8]) -> Vec<Result<Response, UnexpectedLine>> {
        std::iter::from_fn(|| read_answer(&mut input).unwrap()).collect()
    }

    fn answer(id: Option<u32>, good: bool, text: &str) -> Result<Response, UnexpectedLine> {
        Ok(Response {
            id,
            good,
            text: text.to_owned(),
        })
    }

    #[test]
    fn answers_end_with_an_empty_line() {
        assert_eq!(
            answers(b"= \n\n=7 e8,e9\r\n\r\n\n\n?12 unknown command\n\n=3 a\nb c\n\n"),
            [
                answer(None, true, ""),
                answer(Some(7), true, "e8,e9"),
                answer(Some(12), false, "unknown command"),
                answer(Some(3), true, "a\nb c"),
            ]
        );
    }

    #[test]
    fn other_lines_are_unexpected_and_half_an_answer_is_none() {
        assert_eq!(
            answers(b"Hello\n=1 x\n\n=2 y\n"),
            [
                Err(UnexpectedLine("Hello".into())),
                answer(Some(1), true, "x")
            ]
        );
        assert_eq!(answers(b""), []);
        assert_eq!(answers(b"=1 x"), []);
        assert_eq!(answers(b"=\xff\n\n"), [answer(None, true, "\u{fffd}")]);
    }

    #[test]
    fn an_answer_has_four_mebibytes_at_most() {
        let of_length = |length: usize| {
            let mut bytes = b"=1 ".to_vec();
            bytes.resize(length - 2, b'x');
            bytes.extend(b"\n\n");
            bytes
        };
        let read = |length| read_answer(&mut &of_length(length)[..]).unwrap();
        assert!(matches!(read(4 * 1024 * 1024), Some(Ok(answer)) if answer.id == Some(1)));
        assert_eq!(read(4 * 1024 * 1024 + 1), None);
    }

    #[test]
    fn whatever_comes_as_answers_is_read_to_its_end() {
        let inputs = Inputs {
            name: "GTP answers",
            pieces: &[
                "=",
                "?",
                "1",
                "12345678901234567890",
                "\n",
                "\n\n",
                " ",
                "e10",
                "\r",
                "\t",
                "ü",
                "stray",
            ],
            real: &[
                b"= Pentobi\n\n=1 e10,e11\n\n? unknown command\n\n",
                b"noise\n=7\nplay\ngenmove\n\n= \n\n",
            ],
        };
        inputs.try_all(|bytes| {
            let (mut input, mut good) = (bytes, false);
            // Each response takes at least one line.
            for _ in 0..=bytes.len() {
                match read_answer(&mut input) {
                    Ok(Some(answer)) => good |= answer.is_ok(),
                    Ok(None) => break,
                    Err(error) => {
                        assert!(!error.to_string().is_empty());
                        break;
                    }
                }
            }
            good
        });
    }
}
