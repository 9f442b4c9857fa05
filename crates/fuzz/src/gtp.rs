//! Go Text Protocol.

use duoforge_gtp::{GtpEngine, read_answer, serve};
use duoforge_rules::{DuoBoard, Move};

use crate::text::accepted;

/// Engine that plays the first legal placement.
#[derive(Debug)]
struct First;

impl GtpEngine for First {
    fn name(&self) -> &str {
        "first"
    }

    fn version(&self) -> &str {
        "1"
    }

    fn choose(&mut self, board: &DuoBoard) -> Result<Move, String> {
        let placement = board.legal().next().ok_or("no placement is legal")?;
        Ok(placement.into())
    }
}

/// Commands of a controller: the server has one answer at most for each line, and the client reads
/// all of its output as answers.
pub fn gtp_commands(bytes: &[u8]) -> bool {
    let mut output = Vec::new();
    serve(&mut First, bytes, &mut output).expect("the output is in memory");
    let (mut input, mut good, mut count) = (output.as_slice(), false, 0);
    while let Some(answer) = read_answer(&mut input).expect("the input is in memory") {
        let answer = answer.expect("the server writes nothing but answers");
        assert!(answer.good || !answer.text.is_empty());
        good |= answer.good;
        count += 1;
    }
    assert!(input.is_empty(), "{}", output.escape_ascii());
    assert!(count <= bytes.split(|&byte| byte == b'\n').count());
    good
}

/// Output of an engine: every answer takes at least one line, and is read again as it was written.
pub fn gtp_answers(bytes: &[u8]) -> bool {
    let (mut input, mut good) = (bytes, false);
    for _ in 0..=bytes.len() {
        let Some(answer) = accepted(read_answer(&mut input)).flatten() else {
            return good;
        };
        let Ok(answer) = answer else {
            continue;
        };
        good = true;
        let mark = if answer.good { '=' } else { '?' };
        let id = answer.id.map(|id| id.to_string()).unwrap_or_default();
        let text = Some(&answer.text).filter(|text| !text.is_empty());
        let text = text.map(|text| format!("{text}\n")).unwrap_or_default();
        let written = format!("{mark}{id}\n{text}\n");
        let again = read_answer(&mut written.as_bytes()).expect("the input is in memory");
        // An empty line ends an answer, and so no text has one.
        assert_eq!(again, Some(Ok(answer)));
    }
    panic!("more answers than bytes");
}
