//! Text bots in games of every variant.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use duoforge_bots::{BotError, BotFault, BotLog, BotSession, BotSpec};
use duoforge_referee::variant::{MoverFault, TimeLeft, VariantMover};
use duoforge_referee::{StallMonitor, TimeControl};
use duoforge_rules::{Game, GameVariant, Move, Seat};

use crate::bot_player::set_time_control;

/// Text bot in another process, in games of any variant. Each game has its own process.
///
/// The referee keeps the time, and the bot learns the time left with each request. Without a limit
/// of the referee, the time bank of the bot's [`BotSpec`] limits its answers.
#[derive(Debug)]
pub struct BotVariantMover {
    spec: BotSpec,
    session: Option<BotSession>,
    remark: Option<String>,
    /// Part of the log that has not been taken since the bot ended.
    log: Option<String>,
    position: LogPosition,
}

/// Position in the log of a session up to which it was taken.
#[derive(Clone, Copy, Debug, Default)]
struct LogPosition {
    entry: usize,
    bytes: usize,
}

impl LogPosition {
    /// Returns the text behind the position, with a heading for each phase, and moves the position
    /// to the end.
    fn take(&mut self, log: &BotLog) -> String {
        let mut taken = String::new();
        for (index, (phase, text)) in log.entries().iter().enumerate().skip(self.entry) {
            let from = if index == self.entry { self.bytes } else { 0 };
            let new = &text[from..];
            // A phase without text is absent from the log.
            if from == 0 {
                let _ = writeln!(taken, "--- {phase} ---");
            }
            taken.push_str(new);
            if !new.is_empty() && !new.ends_with('\n') {
                taken.push('\n');
            }
            *self = Self {
                entry: index,
                bytes: text.len(),
            };
        }
        taken
    }
}

impl BotVariantMover {
    /// Creates a player for a bot, which starts with each game.
    ///
    /// # Errors
    /// [`BotFault::Start`] if the program does not exist or is not executable.
    pub fn new(spec: &BotSpec) -> Result<Self, Box<BotError>> {
        BotSession::find(spec)?;
        Ok(Self {
            spec: spec.clone(),
            session: None,
            remark: None,
            log: None,
            position: LogPosition::default(),
        })
    }

    /// Ends the process of the bot, and keeps the rest of its log with its exit status.
    fn finish(&mut self) {
        let Some(mut session) = self.session.take() else {
            return;
        };
        let end = session.finish();
        let log = session.log();
        let mut rest = self.position.take(log);
        if log.dropped() > 0 {
            let _ = writeln!(rest, "--- {} further bytes dropped ---", log.dropped());
        }
        let _ = writeln!(rest, "--- the program {end} ---");
        self.log.get_or_insert_default().push_str(&rest);
    }

    /// Returns the fault of a bot, and ends its process.
    fn fault(&mut self, error: BotError) -> MoverFault {
        self.finish();
        match error.fault {
            BotFault::Silent { .. } | BotFault::TimedOut { .. } => MoverFault::Silent,
            BotFault::Malformed { word, reason } => MoverFault::Unreadable {
                reply: word.escape_debug().to_string(),
                reason,
            },
            _ => MoverFault::Failed(error.to_string()),
        }
    }
}

impl VariantMover for BotVariantMover {
    fn set_time_control(&mut self, control: TimeControl) {
        set_time_control(&mut self.spec, control);
    }

    fn begin(&mut self, variant: &GameVariant, _: Seat) -> Result<(), MoverFault> {
        self.finish();
        (self.remark, self.log, self.position) = (None, None, LogPosition::default());
        match BotSession::start(&self.spec, variant) {
            Ok(session) => {
                let stall = |from, to| StallMonitor::of_host().stall(from, to).stopped;
                self.session = Some(session.with_host_stall(stall));
                Ok(())
            }
            Err(error) => {
                self.log = Some(format!("--- {} ---\n{error}\n", error.phase));
                Err(MoverFault::Failed(error.to_string()))
            }
        }
    }

    /// Returns the move of the bot. A bot that does not answer within the grace forfeits the move
    /// like one that answers late: a move that exceeds its time stands for the answer, and the
    /// referee drops it.
    fn choose(&mut self, game: &Game, time: TimeLeft) -> Result<Move, MoverFault> {
        let Some(session) = &mut self.session else {
            return Err(MoverFault::Failed("the bot has ended".to_owned()));
        };
        let begin = Instant::now();
        let reply = match time.left {
            None => session.ask(game),
            left => session.ask_within(game, left, time.grace),
        };
        let error = match reply {
            Ok(reply) => {
                self.remark = reply.text;
                return Ok(reply.mv);
            }
            Err(error) => error,
        };
        let stall = StallMonitor::of_host().stall(begin, Instant::now()).stopped;
        let elapsed = begin.elapsed().saturating_sub(stall);
        let is_late = time.left.is_some_and(|left| elapsed > left);
        let is_dropped = match error.fault {
            BotFault::Silent { .. } => time.grace > Duration::ZERO,
            BotFault::Malformed { .. } => is_late,
            _ => false,
        };
        if is_dropped {
            return Ok(game.forfeited_move());
        }
        Err(self.fault(error))
    }

    fn end(&mut self, _: &Game) {
        self.finish();
    }

    fn take_remark(&mut self) -> Option<String> {
        self.remark.take()
    }

    fn take_log(&mut self) -> Option<String> {
        let new = match (self.log.take(), &self.session) {
            (Some(log), _) => log,
            (None, Some(session)) => self.position.take(session.log()),
            (None, None) => return None,
        };
        (!new.is_empty()).then_some(new)
    }
}
