//! Requests to a bot, and the wait for its answers.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use duoforge_process::{Line, LineError};
use duoforge_rules::{Game, Seat};
use duoforge_view::State;

use super::BotSession;
use crate::{BotError, BotFault, Phase};

/// Least time by which a late answer exceeds its limit.
const TICK: Duration = Duration::from_micros(1);

/// Result of the wait for a line.
pub(super) enum Waited {
    Line(Line),
    /// No line in time.
    TimedOut {
        /// Line that had arrived too late already.
        late: Option<Line>,
    },
    Ended,
}

/// Answer to a request for a move.
pub(super) enum Answer {
    InTime { line: Line, time: Duration },
    Late { line: Option<Line>, time: Duration },
}

impl BotSession {
    /// Sends a request for a move, waits for the answer, and then up to `grace` for a late one.
    pub(super) fn exchange(
        &mut self,
        game: &Game,
        left: Duration,
        grace: Duration,
    ) -> Result<Answer, BotError> {
        let seat = game.seat_to_move().expect("the game has not ended");
        self.collect();
        self.phase = Phase::Ply(game.plies().len());
        self.drop_unsolicited()?;
        let text = self.request(game, seat, left);
        let asked = Instant::now();
        self.send(&text, asked + left)?;
        let waited = self.wait(asked, asked + left)?;
        self.collect();
        match waited {
            Waited::Line(line) => {
                let time = self.judged(asked, line.at);
                Ok(Answer::InTime { line, time })
            }
            Waited::TimedOut { late } => {
                self.remark(&format!("no answer within {} ms", left.as_millis()));
                self.late(asked, left, late, grace)
            }
            Waited::Ended => Err(self.ended()),
        }
    }

    /// Waits for a late answer, unless it has arrived.
    fn late(
        &mut self,
        asked: Instant,
        left: Duration,
        late: Option<Line>,
        grace: Duration,
    ) -> Result<Answer, BotError> {
        let line = match late {
            Some(line) => Some(line),
            None => match self.wait(asked, Instant::now() + grace)? {
                Waited::Line(line) => Some(line),
                Waited::TimedOut { late } => late,
                Waited::Ended => return Err(self.ended()),
            },
        };
        self.collect();
        let at = line.as_ref().map_or_else(Instant::now, |line| line.at);
        let time = at.saturating_duration_since(asked).max(left + TICK);
        Ok(Answer::Late { line, time })
    }

    /// Lines before a move, and the request for it.
    fn request(&mut self, game: &Game, seat: Seat, left: Duration) -> String {
        let mut text = String::new();
        if !self.has_begun {
            self.has_begun = true;
            let _ = writeln!(text, "settings your_seat {}", seat.0);
            for colour in game.colours() {
                let starts = game.variant().starts(colour);
                let starts = starts.to_string().replace(',', "");
                let _ = writeln!(text, "settings starts {} {starts}", colour.0);
            }
        }
        text.push_str("update game moves");
        for played in game.plies() {
            let _ = write!(text, " {}", played.mv);
        }
        text.push('\n');
        if self.wants_state {
            let state = serde_json::to_string(&State::new(game));
            let state = state.expect("a state has only string keys");
            let _ = writeln!(text, "update game state {state}");
        }
        let _ = writeln!(text, "action move {}", left.as_millis());
        text
    }

    /// Sends lines. A program that closed its input, or reads too slowly, shows when the answer is
    /// awaited.
    pub(super) fn send(&mut self, text: &str, deadline: Instant) -> Result<(), BotError> {
        match self.child.send(text, deadline) {
            Ok(()) | Err(LineError::Closed | LineError::Timeout) => Ok(()),
            Err(LineError::Io(error)) => Err(self.fault(BotFault::Io(error))),
        }
    }

    /// Waits for a line that is not blank and that is in time. A stall of this process extends the
    /// time once.
    pub(super) fn wait(&mut self, asked: Instant, deadline: Instant) -> Result<Waited, BotError> {
        let mut deadline = deadline;
        let mut is_extended = false;
        loop {
            match self.child.receive(deadline) {
                Ok(line) => {
                    let delay = line.at.saturating_duration_since(deadline);
                    let is_in_time = delay.is_zero() || delay <= (self.host_stall)(asked, line.at);
                    // A blank line is not an answer, and a flood of them must not extend the wait.
                    let line = Some(line).filter(|line| !line.text.trim().is_empty());
                    match line {
                        Some(line) if is_in_time => return Ok(Waited::Line(line)),
                        None if is_in_time => {}
                        late => return Ok(Waited::TimedOut { late }),
                    }
                }
                Err(LineError::Timeout) => {
                    let now = Instant::now();
                    let stall = (self.host_stall)(asked, now);
                    if is_extended || stall.is_zero() {
                        return Ok(Waited::TimedOut { late: None });
                    }
                    is_extended = true;
                    deadline = now + stall.min(self.bank.capacity());
                }
                Err(LineError::Closed) => return Ok(Waited::Ended),
                Err(LineError::Io(error)) => return Err(self.fault(BotFault::Io(error))),
            }
        }
    }

    /// Time of an answer without the stall of this process.
    fn judged(&self, asked: Instant, at: Instant) -> Duration {
        let stall = (self.host_stall)(asked, at);
        at.saturating_duration_since(asked).saturating_sub(stall)
    }

    /// Drops the lines that came while no answer was due.
    fn drop_unsolicited(&mut self) -> Result<(), BotError> {
        match self.child.take_waiting() {
            Ok(lines) => {
                for line in lines.iter().filter(|line| !line.text.trim().is_empty()) {
                    self.remark(&format!("dropped, as nothing was due: {}", line.text));
                }
                Ok(())
            }
            Err(error) => Err(self.fault(BotFault::Io(error))),
        }
    }
}
