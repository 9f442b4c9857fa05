//! Host's end of one game with a bot.

mod end;
mod exchange;

pub use end::BotEnd;

use std::fmt;
use std::fmt::Write as _;
use std::io;
use std::time::{Duration, Instant};

use duoforge_process::LineChild;
use duoforge_rules::{Game, GameVariant};
use duoforge_view::{ActionError, read_move};

use self::exchange::{Answer, Waited};
use crate::answer::{shortened, split};
use crate::{BotError, BotFault, BotLog, BotReply, BotSpec, LOG_LIMIT, Phase, TimeBank};

/// Time for a bot to exit after `quit` or after it closed a pipe, before it is killed.
const QUIT: Duration = Duration::from_millis(500);

/// Time limit for sending `quit`.
const SEND_QUIT: Duration = Duration::from_millis(100);

/// Number of bytes of the log in an error.
const TAIL: usize = 2000;

/// Time for the answer to a request without a limit.
const UNLIMITED: Duration = Duration::from_secs(24 * 3600);

/// Measures for how long this process was not scheduled between two times.
type HostStall = dyn Fn(Instant, Instant) -> Duration + Send;

/// Host's end of one game with a bot, in any variant.
///
/// Dropping the session kills the bot and its descendants; [`finish`](Self::finish) lets it exit.
pub struct BotSession {
    program: String,
    child: LineChild,
    bank: TimeBank,
    /// True if the bot asked for the state.
    wants_state: bool,
    /// True once the bot knows its seat.
    has_begun: bool,
    phase: Phase,
    log: BotLog,
    end: Option<BotEnd>,
    host_stall: Box<HostStall>,
}

impl BotSession {
    /// Starts a bot, sends it the variant and its time control, and tests its input: the bot must
    /// answer `action warmup` with `ready` within [`BotSpec::warmup`].
    ///
    /// # Errors
    /// [`BotFault::Start`], [`BotFault::InputTest`], [`BotFault::Ended`].
    pub fn start(spec: &BotSpec, variant: &GameVariant) -> Result<Self, BotError> {
        let mut session = Self::spawn(spec)?;
        let warmup = spec.warmup();
        let mut text = format!("settings variant {}\n", variant.name());
        let _ = writeln!(text, "settings timebank {}", spec.timebank.as_millis());
        let _ = writeln!(text, "settings move_time {}", spec.move_time.as_millis());
        let _ = writeln!(text, "action warmup {}", warmup.as_millis());
        let deadline = Instant::now() + warmup;
        session.send(&text, deadline)?;
        loop {
            match session.wait(Instant::now(), deadline)? {
                Waited::Line(line) => {
                    if session.warmed_up(&line.text) {
                        session.collect();
                        return Ok(session);
                    }
                }
                Waited::TimedOut { .. } => {
                    return Err(session.fault(BotFault::InputTest { limit: warmup }));
                }
                Waited::Ended => return Err(session.ended()),
            }
        }
    }

    /// Checks that the program of a bot exists and is executable.
    ///
    /// # Errors
    /// [`BotFault::Start`].
    pub fn find(spec: &BotSpec) -> Result<(), BotError> {
        match spec.limits().command(&spec.words) {
            Ok(_) => Ok(()),
            Err(error) => Err(Self::not_started(spec, error)),
        }
    }

    fn not_started(spec: &BotSpec, error: io::Error) -> BotError {
        BotError {
            program: spec.words.first().cloned().unwrap_or_default(),
            phase: Phase::InputTest,
            fault: BotFault::Start(error),
            tail: String::new(),
        }
    }

    /// Starts a bot without a word to it.
    fn spawn(spec: &BotSpec) -> Result<Self, BotError> {
        let command = spec.limits().command(&spec.words);
        let child = command.and_then(|mut command| LineChild::start(&mut command, LOG_LIMIT));
        let program = spec.words.first().cloned().unwrap_or_default();
        match child {
            Ok(child) => Ok(Self {
                program,
                child,
                bank: TimeBank::full(spec.timebank, spec.move_time),
                wants_state: false,
                has_begun: false,
                phase: Phase::InputTest,
                log: BotLog::default(),
                end: None,
                host_stall: Box::new(|_, _| Duration::ZERO),
            }),
            Err(error) => Err(Self::not_started(spec, error)),
        }
    }

    /// Sets the function that measures for how long this process was not scheduled between two
    /// times. That time does not count against the bot.
    #[must_use]
    pub fn with_host_stall(
        mut self,
        stall: impl Fn(Instant, Instant) -> Duration + Send + 'static,
    ) -> Self {
        self.host_stall = Box::new(stall);
        self
    }

    /// Sends the bot the position and asks it for the move of the side to move, by the time bank of
    /// the session.
    ///
    /// The first time-out forfeits the move: the session waits up to the capacity of the bank for
    /// the late answer, drops it, and returns [`Game::forfeited_move`]. An answer that is later still, or
    /// an additional one, is dropped if it arrives before the next request.
    ///
    /// # Errors
    /// [`BotFault::TimedOut`] for the second time-out, [`BotFault::Malformed`],
    /// [`BotFault::Ended`], [`BotFault::Io`]. The game of the bot has ended then.
    ///
    /// # Panics
    /// If the game has ended.
    pub fn ask(&mut self, game: &Game) -> Result<BotReply, BotError> {
        let left = self.bank.request();
        match self.exchange(game, left, self.bank.grace())? {
            Answer::InTime { line, time } => {
                self.bank.pay(time);
                self.reply(game, &line.text, time)
            }
            Answer::Late { .. } if self.bank.time_out() => {
                Err(self.fault(BotFault::TimedOut { limit: left }))
            }
            Answer::Late { line, time } => {
                if let Some(line) = line {
                    self.remark(&format!("dropped, as it came late: {}", line.text));
                }
                Ok(BotReply {
                    mv: game.forfeited_move(),
                    word: String::new(),
                    text: None,
                    time,
                    forfeit: true,
                })
            }
        }
    }

    /// Sends the bot the position and asks it for the move of the side to move, for a caller that
    /// keeps the time: `left` is the time for the answer, and `None` removes the limit. A late
    /// answer is returned if it arrives within `grace` after that.
    ///
    /// # Errors
    /// [`BotFault::Silent`] without any answer, [`BotFault::Malformed`], [`BotFault::Ended`],
    /// [`BotFault::Io`].
    ///
    /// # Panics
    /// If the game has ended.
    pub fn ask_within(
        &mut self,
        game: &Game,
        left: Option<Duration>,
        grace: Duration,
    ) -> Result<BotReply, BotError> {
        let left = left.unwrap_or(UNLIMITED);
        match self.exchange(game, left, grace)? {
            Answer::InTime { line, time }
            | Answer::Late {
                line: Some(line),
                time,
            } => self.reply(game, &line.text, time),
            Answer::Late { line: None, .. } => {
                let limit = left + grace;
                Err(self.fault(BotFault::Silent { limit }))
            }
        }
    }

    /// Ends the game: sends `quit`, waits briefly for the bot to exit, and kills it otherwise.
    /// Later calls return the same end.
    pub fn finish(&mut self) -> BotEnd {
        if self.end.is_none() {
            self.collect();
            self.phase = Phase::End;
            let deadline = Instant::now() + SEND_QUIT;
            // A bot that does not read is killed.
            let _ = self.child.send("quit\n", deadline);
        }
        self.exit()
    }

    /// Log of the bot; complete after [`finish`](Self::finish).
    #[must_use]
    pub const fn log(&self) -> &BotLog {
        &self.log
    }

    /// Name of the program.
    #[must_use]
    pub fn program(&self) -> &str {
        &self.program
    }

    /// True if the bot asked for the state before `ready`.
    #[must_use]
    pub const fn wants_state(&self) -> bool {
        self.wants_state
    }

    /// Reads a line of the input test; returns true for `ready`.
    fn warmed_up(&mut self, line: &str) -> bool {
        let words: Vec<_> = line.split_whitespace().collect();
        match words[..] {
            ["ready", ..] => return true,
            ["settings", "state", "json"] => self.wants_state = true,
            [] => {}
            _ => self.remark(&format!("ignored before 'ready': {line}")),
        }
        false
    }

    fn reply(&mut self, game: &Game, line: &str, time: Duration) -> Result<BotReply, BotError> {
        let (word, text) = split(line).expect("the line is not blank");
        match read_move(word, &game.actions()) {
            Ok(mv) => Ok(BotReply {
                mv,
                word: word.to_owned(),
                text,
                time,
                forfeit: false,
            }),
            Err(reason) => {
                self.remark(&format!("invalid answer: {line}"));
                let (word, reason) = (shortened(word), with_short_text(reason).to_string());
                Err(self.fault(BotFault::Malformed { word, reason }))
            }
        }
    }

    fn remark(&mut self, remark: &str) {
        self.collect();
        self.log.remark(self.phase, remark);
    }

    /// Moves what the bot has written to its standard error into the log.
    fn collect(&mut self) {
        let bytes = self.child.take_log();
        self.log.add(self.phase, &bytes, self.child.dropped());
    }

    /// Creates the error for a fault.
    fn fault(&mut self, fault: BotFault) -> BotError {
        self.collect();
        BotError {
            program: self.program.clone(),
            phase: self.phase,
            fault,
            tail: self.log.tail(TAIL),
        }
    }

    /// Creates the error for a bot that has ended or closed its output.
    fn ended(&mut self) -> BotError {
        let end = self.exit();
        self.fault(BotFault::Ended(end))
    }

    /// Waits briefly for the exit of the bot, and kills it otherwise.
    fn exit(&mut self) -> BotEnd {
        if let Some(end) = self.end {
            return end;
        }
        let end = match self.child.end(QUIT) {
            Ok(end) => BotEnd {
                status: (!end.killed).then_some(end.status),
                killed: end.killed,
            },
            Err(_) => BotEnd {
                status: None,
                killed: false,
            },
        };
        self.end = Some(end);
        self.collect();
        end
    }
}

/// Shortens the text that an error quotes.
fn with_short_text(error: ActionError) -> ActionError {
    match error {
        ActionError::Number { number, pass } => ActionError::Number {
            number: shortened(&number),
            pass,
        },
        ActionError::Code { text, reason } => ActionError::Code {
            text: shortened(&text),
            reason,
        },
        other => other,
    }
}

impl fmt::Debug for BotSession {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BotSession")
            .field("program", &self.program)
            .field("phase", &self.phase)
            .field("bank", &self.bank)
            .finish_non_exhaustive()
    }
}
