//! Server against a recorded session with another engine (see `data/README.md`).

use std::collections::{BTreeSet, VecDeque};

use duoforge_gtp::{GtpEngine, serve};
use duoforge_rules::{DuoBoard, Move, Notation};

const SESSION: &str = include_str!("data/session.txt");

/// Command and its response.
struct Exchange {
    command: String,
    good: bool,
    text: String,
}

fn exchanges(session: &str) -> Vec<Exchange> {
    let blocks = session.split("<\n").filter(|block| !block.is_empty());
    let exchange = |block: &str| {
        let (command, answer) = block.split_once('\n').unwrap();
        let command = command.strip_prefix("> ").unwrap();
        let (id, command) = command.split_once(' ').unwrap();
        let lines: Vec<_> = answer.lines().map(|line| &line[2..]).collect();
        let answer = lines.join("\n");
        let good = answer.starts_with('=');
        let text = answer[1..].strip_prefix(id).unwrap().trim();
        Exchange {
            command: command.to_owned(),
            good,
            text: text.to_owned(),
        }
    };
    blocks.map(exchange).collect()
}

/// Engine that replays the moves of the other engine.
struct Parrot(VecDeque<Move>);

impl GtpEngine for Parrot {
    fn name(&self) -> &str {
        "Pentobi"
    }

    fn version(&self) -> &str {
        "1"
    }

    fn choose(&mut self, _: &DuoBoard) -> Result<Move, String> {
        self.0.pop_front().ok_or_else(|| "no more moves".to_owned())
    }
}

fn words(text: &str) -> BTreeSet<&str> {
    text.split_whitespace().collect()
}

#[test]
fn the_server_answers_as_the_other_engine_did() {
    let session = exchanges(SESSION);
    let moves = session
        .iter()
        .filter(|exchange| exchange.command.starts_with("genmove") && exchange.text != "pass")
        .map(|exchange| Notation::DUO.read(&exchange.text).unwrap());
    let mut parrot = Parrot(moves.collect());
    assert!(parrot.0.len() > 20, "a whole game is recorded");

    let commands: Vec<_> = session.iter().map(|e| e.command.as_str()).collect();
    let mut output = Vec::new();
    serve(&mut parrot, commands.join("\n").as_bytes(), &mut output).unwrap();
    let output = String::from_utf8(output).unwrap();
    let answers: Vec<_> = output.split_terminator("\n\n").collect();
    assert_eq!(answers.len(), session.len());
    let mut legal = 0;
    for (expected, answer) in session.iter().zip(answers) {
        let command = &expected.command;
        // The other engine rejects passes, so it lists the moves of the other colour at any time.
        if command.ends_with("pass") {
            assert!(answer.starts_with('='), "{command}: {answer}");
            continue;
        }
        assert_eq!(
            answer.starts_with('='),
            expected.good,
            "{command}: {answer}"
        );
        if !expected.good {
            continue;
        }
        let answer = answer[1..].trim();
        if command.starts_with("all_legal") {
            assert_eq!(words(answer), words(&expected.text), "{command}");
            assert_eq!(answer.lines().count(), expected.text.lines().count());
            legal += words(answer).len();
        } else {
            assert_eq!(answer, expected.text, "{command}");
        }
    }
    assert!(legal > 1000, "{legal} legal moves were compared");
    assert!(parrot.0.is_empty());
}
