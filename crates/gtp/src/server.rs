//! Engine side: reads commands and writes responses.

use std::io::{self, BufRead, Read, Write};

use crate::GtpEngine;
use crate::session::Session;

/// Maximum size of a command in bytes. Real commands are far shorter; a longer one is rejected
/// without being stored.
const MOST: u64 = 4096;

/// Line of the controller.
enum Line {
    /// Text without comment and control characters; `None` if the line is too long.
    Text(Option<String>),
    End,
}

/// Parsed command line.
struct Command<'a> {
    id: Option<u32>,
    words: Vec<&'a str>,
}

/// Serves an engine until the controller sends `quit` or closes its output.
///
/// Every line with more than a comment gets exactly one response.
///
/// # Errors
/// I/O errors of input and output.
pub fn serve(
    engine: &mut dyn GtpEngine,
    mut input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    let mut session = Session::new(engine);
    while !session.is_over() {
        let text = match read(&mut input)? {
            Line::End => break,
            Line::Text(text) => text,
        };
        let (id, reply) = match &text {
            None => (None, Err(format!("the line is longer than {MOST} bytes"))),
            Some(text) => match parse(text) {
                None => continue,
                Some(Command { id, words }) => (id, session.answer(&words)),
            },
        };
        let (mark, text) = match &reply {
            Ok(text) => ('=', text),
            Err(text) => ('?', text),
        };
        let id = id.map(|id| id.to_string()).unwrap_or_default();
        write!(output, "{mark}{id} {}\n\n", text.trim_end())?;
        output.flush()?;
    }
    Ok(())
}

fn read(input: &mut impl BufRead) -> io::Result<Line> {
    let mut bytes = Vec::new();
    if input.by_ref().take(MOST).read_until(b'\n', &mut bytes)? == 0 {
        return Ok(Line::End);
    }
    if bytes.len() as u64 == MOST && bytes.last() != Some(&b'\n') && !skip(input)? {
        return Ok(Line::Text(None));
    }
    let text = bytes.split(|&byte| byte == b'#').next().unwrap_or_default();
    let text: Vec<u8> = text
        .iter()
        .map(|&byte| if byte == b'\t' { b' ' } else { byte })
        .filter(|byte| !byte.is_ascii_control())
        .collect();
    Ok(Line::Text(Some(
        String::from_utf8_lossy(&text).into_owned(),
    )))
}

/// Skips the rest of the line; returns true if it was empty.
fn skip(input: &mut impl BufRead) -> io::Result<bool> {
    let mut nothing = true;
    loop {
        let buffer = input.fill_buf()?;
        let end = buffer.iter().position(|&byte| byte == b'\n');
        let used = end.unwrap_or(buffer.len());
        nothing &= used == 0;
        let done = end.is_some() || buffer.is_empty();
        input.consume(used + usize::from(end.is_some()));
        if done {
            return Ok(nothing);
        }
    }
}

/// Parses a command line; returns `None` if the line is blank.
fn parse(text: &str) -> Option<Command<'_>> {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    let first = *words.first()?;
    let id = first.parse().ok();
    let id = id.filter(|_| first.bytes().all(|byte| byte.is_ascii_digit()));
    if id.is_some() {
        words.remove(0);
    }
    Some(Command { id, words })
}
