//! Host's end of one process of a text bot.

use std::fmt::Write as _;
use std::thread;
use std::time::{Duration, Instant};

use duoforge_links::wirelog::Direction;
use duoforge_process::{End, Line, LineChild, LineError};
use duoforge_rules::{Game, GameVariant, Move};
use duoforge_view::{State, read_move};

use super::positions::list;
use super::tester::{BotTester, BotWire};
use super::{BotOptions, BotProtocolFault as Fault};
use crate::device::CheckError;

/// Maximum size of the log of a game that the referee keeps, in bytes.
pub const LOG_LIMIT: usize = 1 << 20;

/// Number of bytes of the log in a fault.
const TAIL: usize = 2000;

/// Time for the exit of a program that closed its output, or whose input was closed.
const EXIT: Duration = Duration::from_secs(2);

/// Form of the position before a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// The moves, and the state if the bot asked for it.
    AsAsked,
    /// The moves and the state.
    WithState,
}

/// Host's end of one process of a text bot. Dropping it kills the bot.
pub struct BotHost {
    child: LineChild,
    options: BotOptions,
    wire: BotWire,
    wants_state: bool,
    has_begun: bool,
    impatient: bool,
    last: String,
    log: Vec<u8>,
}

impl BotHost {
    /// Starts the program without a word to it.
    pub fn start(tester: &BotTester) -> Result<Self, CheckError> {
        let options = tester.options.clone();
        let command = options.limits.command(&options.words);
        let child = command.and_then(|mut command| LineChild::start(&mut command, LOG_LIMIT));
        let child = child.map_err(|error| {
            let reason = error.to_string();
            CheckError::from(Fault::Start { reason })
        })?;
        tester.wire.note("the bot starts");
        Ok(Self {
            child,
            options,
            wire: tester.wire.clone(),
            wants_state: false,
            has_begun: false,
            impatient: tester.impatient,
            last: "start".to_owned(),
            log: Vec::new(),
        })
    }

    /// True if the bot asked for the state before `ready`.
    pub const fn wants_state(&self) -> bool {
        self.wants_state
    }

    /// Sends lines. A program that does not read them shows when its answer is awaited.
    pub fn send(&mut self, text: &str) -> Result<(), CheckError> {
        self.wire.lines(Direction::ToBoard, text);
        if let Some(line) = text.lines().last() {
            line.clone_into(&mut self.last);
        }
        self.write(text)
    }

    /// Sends lines in pieces of 5 bytes, with a pause after each.
    pub fn send_in_pieces(&mut self, text: &str) -> Result<(), CheckError> {
        self.wire.lines(Direction::ToBoard, text);
        if let Some(line) = text.lines().last() {
            line.clone_into(&mut self.last);
        }
        for piece in text.as_bytes().chunks(5) {
            self.write(std::str::from_utf8(piece).expect("the lines are ASCII"))?;
            thread::sleep(self.options.pause);
        }
        Ok(())
    }

    fn write(&mut self, text: &str) -> Result<(), CheckError> {
        match self.child.send(text, Instant::now() + self.options.warmup) {
            Ok(()) | Err(LineError::Closed | LineError::Timeout) => Ok(()),
            Err(LineError::Io(error)) => Err(self.broken(&error)),
        }
    }

    /// Returns the lines before the input test; `extra` follows them.
    pub fn settings(&self, variant: &GameVariant, extra: &str) -> String {
        let BotOptions {
            timebank,
            move_time,
            ..
        } = &self.options;
        format!(
            "settings variant {}\nsettings timebank {}\nsettings move_time {}\n{extra}",
            variant.name(),
            timebank.as_millis(),
            move_time.as_millis()
        )
    }

    /// Sends `action warmup` and waits for `ready`. Other lines before it are ignored.
    pub fn warm_up(&mut self) -> Result<(), CheckError> {
        let limit = self.options.warmup;
        self.send(&format!("action warmup {}\n", limit.as_millis()))?;
        let deadline = Instant::now() + limit;
        loop {
            let Some(line) = self.receive(deadline)? else {
                return Err(Fault::NotReady { limit }.into());
            };
            let words: Vec<_> = line.text.split_whitespace().collect();
            match words[..] {
                ["ready", ..] => return Ok(()),
                ["settings", "state", "json"] => self.wants_state = true,
                _ => {}
            }
        }
    }

    /// Returns the lines of a request for a move, with `extra` before the last two or three.
    pub fn request(&mut self, game: &Game, left: Duration, sent: Sent, extra: &str) -> String {
        let mut text = String::new();
        if !self.has_begun {
            self.has_begun = true;
            let seat = game.seat_to_move().expect("the game has not ended");
            let _ = writeln!(text, "settings your_seat {}", seat.0);
            for colour in game.colours() {
                let starts = game.variant().starts(colour);
                let starts = starts.to_string().replace(',', "");
                let _ = writeln!(text, "settings starts {} {starts}", colour.0);
            }
        }
        text.push_str(extra);
        let moves = format!("update game moves {}", list(game));
        let _ = writeln!(text, "{}", moves.trim_end());
        if self.wants_state || sent == Sent::WithState {
            let state = serde_json::to_string(&State::new(game));
            let state = state.expect("a state has only string keys");
            let _ = writeln!(text, "update game state {state}");
        }
        let _ = writeln!(text, "action move {}", left.as_millis());
        text
    }

    /// Asks for a move with the full bank and returns the answer, which must be legal.
    pub fn ask(&mut self, game: &Game) -> Result<Move, CheckError> {
        let left = self.options.timebank;
        let text = self.request(game, left, Sent::AsAsked, "");
        self.send(&text)?;
        let answer = self.answer(left)?;
        judged(game, &answer)
    }

    /// Waits for the answer to a request: one line, within `left`.
    pub fn answer(&mut self, left: Duration) -> Result<String, CheckError> {
        let begun = Instant::now();
        let grace = if self.impatient {
            Duration::ZERO
        } else {
            self.options.grace
        };
        let Some(line) = self.receive(begun + left + grace)? else {
            return Err(self.silent(left + grace));
        };
        let words: Vec<_> = line.text.split_whitespace().collect();
        match words[..] {
            ["ready", ..] => return Err(Fault::EarlyReady.into()),
            ["settings", "state", ..] => return Err(Fault::LateState.into()),
            _ => {}
        }
        let after = line.at.saturating_duration_since(begun);
        if after > left {
            let (asked, limit) = (self.last.clone(), left);
            return Err(Fault::Late {
                asked,
                after,
                limit,
            }
            .into());
        }
        Ok(line.text)
    }

    /// Distinguishes an answer in a buffer of the bot from none: closes the input.
    fn silent(&mut self, waited: Duration) -> CheckError {
        self.wire.note("the input is closed");
        let _ = self.child.end(EXIT);
        let lines = self.child.take_waiting().unwrap_or_default();
        let late = lines.into_iter().find(|line| !line.text.is_empty());
        let asked = self.last.clone();
        match late {
            Some(line) => {
                self.wire.lines(Direction::FromBoard, &line.text);
                let got = line.text;
                Fault::Unflushed { asked, got }.into()
            }
            None => Fault::Silent { asked, waited }.into(),
        }
    }

    /// Waits for a line that is not blank; `None` at the deadline.
    pub fn receive(&mut self, deadline: Instant) -> Result<Option<Line>, CheckError> {
        loop {
            match self.child.receive(deadline) {
                Ok(line) if line.text.trim().is_empty() => {
                    // A flood of blank lines does not extend the wait.
                    if line.at > deadline {
                        return Ok(None);
                    }
                }
                Ok(line) => {
                    self.wire.lines(Direction::FromBoard, &line.text);
                    return Ok(Some(line));
                }
                Err(LineError::Timeout) => return Ok(None),
                Err(LineError::Closed) => return Err(self.ended()),
                Err(LineError::Io(error)) => return Err(self.broken(&error)),
            }
        }
    }

    /// Waits for the program to end by itself, with its input open, and drops its lines. Returns
    /// false if it has not ended at the deadline.
    pub fn exits(&mut self, deadline: Instant) -> Result<bool, CheckError> {
        loop {
            match self.child.receive(deadline) {
                Ok(line) => {
                    self.wire.lines(Direction::FromBoard, &line.text);
                    if line.at > deadline {
                        return Ok(false);
                    }
                }
                Err(LineError::Timeout) => return Ok(false),
                Err(LineError::Closed) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    return Ok(self.end(left).is_some_and(|end| !end.killed));
                }
                Err(LineError::Io(error)) => return Err(self.broken(&error)),
            }
        }
    }

    /// Closes the input, waits for the exit, kills the program otherwise, and returns its end.
    pub fn end(&mut self, grace: Duration) -> Option<End> {
        self.child.end(grace).ok()
    }

    /// Returns the lines that have arrived and that no answer was due for.
    pub fn unsolicited(&mut self) -> Vec<String> {
        let lines = self.child.take_waiting().unwrap_or_default();
        let texts = lines.into_iter().map(|line| line.text);
        texts.filter(|text| !text.trim().is_empty()).collect()
    }

    /// Size in bytes of what the program wrote to its standard error so far.
    pub fn log_bytes(&mut self) -> u64 {
        self.collect();
        self.log.len() as u64 + self.child.dropped()
    }

    fn collect(&mut self) {
        let bytes = self.child.take_log();
        self.log.extend_from_slice(&bytes);
    }

    /// Creates the fault of a program that has ended or closed its output.
    fn ended(&mut self) -> CheckError {
        let end = match self.child.end(EXIT) {
            Ok(end) if end.killed => "closed its output".to_owned(),
            // The standard library writes `exit status: 1`.
            Ok(end) => format!("ended with {}", end.status).replacen(": ", " ", 1),
            Err(_) => "ended with an unknown exit status".to_owned(),
        };
        self.wire.note(&end);
        self.collect();
        let from = self.log.len().saturating_sub(TAIL);
        let tail = String::from_utf8_lossy(&self.log[from..]).trim().to_owned();
        let asked = self.last.clone();
        Fault::Ended { asked, end, tail }.into()
    }

    fn broken(&self, error: &std::io::Error) -> CheckError {
        let (asked, end) = (self.last.clone(), format!("has a broken pipe: {error}"));
        let tail = String::new();
        Fault::Ended { asked, end, tail }.into()
    }
}

/// Returns the move of an answer, which must be legal in the position.
pub fn judged(game: &Game, answer: &str) -> Result<Move, CheckError> {
    let mv = read(game, answer)?;
    match game.check(mv) {
        Ok(()) => Ok(mv),
        Err(reason) => Err(Fault::Illegal {
            got: answer.to_owned(),
            reason,
            variant: game.variant().name().to_owned(),
            after: list(game),
        }
        .into()),
    }
}

/// Returns the move of an answer: a code or an action number, and any text behind it.
pub fn read(game: &Game, answer: &str) -> Result<Move, CheckError> {
    let got = answer.to_owned();
    let word = answer.split_whitespace().next().unwrap_or_default();
    let actions = game.actions();
    read_move(word, &actions).map_err(|reason| {
        let small = word.to_ascii_lowercase();
        if small != word && read_move(&small, &actions).is_ok() {
            return Fault::Capitals { got }.into();
        }
        let reason = reason.to_string();
        Fault::NoMove { got, reason }.into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_a_code_or_an_action_number_and_any_text() {
        let game = Game::new(&GameVariant::DUO);
        let placement = "54u0".parse().unwrap();
        let number = game.actions().number(placement).unwrap();
        for answer in [
            "54u0",
            " 54u0 by heart",
            &number.to_string(),
            &format!("{number} u"),
        ] {
            assert_eq!(read(&game, answer).unwrap(), placement, "{answer}");
        }
        assert_eq!(read(&game, "0000").unwrap(), Move::Pass);
        for (answer, kind) in [
            ("54U0", "capitals"),
            ("A4u0", "capitals"),
            ("resign", "no-move"),
            ("RESIGN", "no-move"),
            ("54Z0", "no-move"),
            ("99999", "no-move"),
            ("", "no-move"),
        ] {
            let Err(CheckError::Fault(fault)) = read(&game, answer) else {
                panic!("{answer} is read as a move");
            };
            assert_eq!(fault.kind(), kind, "{answer}");
        }
    }
    #[cfg(target_os = "linux")]
    #[test]
    fn waits_end_although_blank_lines_arrive() {
        let words = ["yes", ""].map(str::to_owned).to_vec();
        let tester = BotTester::new(BotOptions::new(words));
        let mut host = BotHost::start(&tester).unwrap();
        let soon = || Instant::now() + Duration::from_millis(100);
        assert_eq!(host.receive(soon()).unwrap(), None);
        assert!(!host.exits(soon()).unwrap());
    }
}
