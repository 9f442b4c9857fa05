//! Program `mock_bot`: command line of the text bots with a fault.

use std::io::{self, Read, Write};
use std::process::ExitCode;
use std::thread;
use std::time::Duration;

use clap::Parser;

use super::{BotMock, BotMockAction, BotMockKind};

/// Text bot with one specific fault, to test referees
#[derive(Debug, Parser)]
#[command(name = "mock_bot", max_term_width = 100)]
struct Args {
    /// Kind of fault
    #[arg(value_enum)]
    kind: BotMockKind,
}

/// Time for which a bot that does not end with its input stays.
const STAY: Duration = Duration::from_secs(600);

/// Runs the program with the arguments of this process.
#[must_use]
pub fn main() -> ExitCode {
    let kind = Args::parse().kind;
    match run(kind) {
        Ok(status) => ExitCode::from(status),
        // The host has closed a pipe.
        Err(_) => ExitCode::from(2),
    }
}

/// Reads chunks of input until it ends or the bot exits; returns the exit status.
fn run(kind: BotMockKind) -> io::Result<u8> {
    let mut mock = BotMock::new(kind);
    let mut held_back = Vec::new();
    if let Some(status) = perform(mock.begin(), &mut held_back)? {
        return Ok(status);
    }
    let mut unread = Vec::new();
    let mut chunk = vec![0; 1 << 16];
    loop {
        let length = io::stdin().lock().read(&mut chunk)?;
        if length == 0 {
            break;
        }
        unread.extend_from_slice(&chunk[..length]);
        while let Some(end) = unread.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = unread.drain(..=end).collect();
            let actions = mock.hear(&String::from_utf8_lossy(&line));
            if let Some(status) = perform(actions, &mut held_back)? {
                return Ok(status);
            }
        }
        if kind == BotMockKind::Split {
            unread.clear();
        }
    }
    if kind == BotMockKind::Orphan {
        thread::sleep(STAY);
    }
    let held_back = held_back.into_iter().map(BotMockAction::Say).collect();
    perform(held_back, &mut Vec::new())?;
    Ok(0)
}

/// Performs actions; returns the exit status if one of them ends the program.
fn perform(actions: Vec<BotMockAction>, held_back: &mut Vec<String>) -> io::Result<Option<u8>> {
    for action in actions {
        match action {
            BotMockAction::Say(line) => {
                let mut output = io::stdout().lock();
                writeln!(output, "{line}")?;
                output.flush()?;
            }
            BotMockAction::HoldBack(line) => held_back.push(line),
            BotMockAction::Log(bytes) => {
                let line = [b'x'; 1023];
                for _ in 0..bytes / 1024 {
                    io::stderr().write_all(&[&line[..], b"\n"].concat())?;
                }
            }
            BotMockAction::Wait(time) => thread::sleep(time),
            BotMockAction::Exit { status, log } => {
                eprintln!("{log}");
                return Ok(Some(status));
            }
        }
    }
    Ok(None)
}
