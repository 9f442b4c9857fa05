//! Players in other processes that speak the text protocol of bots.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use duoforge_bots::{BotError, BotFault, BotReply, BotSession, BotSpec};
use duoforge_protocol::MoveCode;
use duoforge_referee::{Remark, SideChannel, StallMonitor, TimeControl};
use duoforge_rules::{Cell, DuoBoard, Game, GameVariant, Move};

use crate::{MoveError, Mover};

/// Text bot in another process, as a player of Duo.
///
/// Each game has its own process: it starts with the input test at the handshake, and ends after
/// the game. The bot's time bank replaces the referee's time limit.
#[derive(Debug)]
pub struct BotMover {
    spec: BotSpec,
    session: Option<BotSession>,
    /// True if the session has passed its input test and its game has not begun.
    is_fresh: bool,
    /// Fault of the input test of a game that began without a handshake.
    fault: Option<Box<BotError>>,
    channel: Arc<Channel>,
}

/// Side channel to the bot.
#[derive(Debug, Default)]
struct Channel(Mutex<Shared>);

#[derive(Debug, Default)]
struct Shared {
    /// Time control in place of the bot's own.
    control: Option<TimeControl>,
    remark: Remark,
    log: Option<String>,
}

impl Channel {
    fn lock(&self) -> MutexGuard<'_, Shared> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl SideChannel for Channel {
    fn keeps_time(&self) -> bool {
        true
    }

    fn set_time_control(&self, control: TimeControl) {
        self.lock().control = Some(control);
    }

    fn take_remark(&self) -> Remark {
        std::mem::take(&mut self.lock().remark)
    }

    fn take_log(&self) -> Option<String> {
        self.lock().log.take()
    }
}

impl BotMover {
    /// Creates a player for a bot, which starts at the first handshake.
    ///
    /// # Errors
    /// [`BotFault::Start`] if the program does not exist or is not executable.
    pub fn new(spec: &BotSpec) -> Result<Self, Box<BotError>> {
        BotSession::find(spec)?;
        Ok(Self {
            spec: spec.clone(),
            session: None,
            is_fresh: false,
            fault: None,
            channel: Arc::default(),
        })
    }

    /// Bot with the time control of the match.
    fn timed_spec(&self) -> BotSpec {
        let mut spec = self.spec.clone();
        if let Some(control) = self.channel.lock().control {
            set_time_control(&mut spec, control);
        }
        spec
    }

    /// Starts the bot for the next game and tests its input, unless that has been done.
    fn start(&mut self) -> Result<(), Box<BotError>> {
        if self.is_fresh {
            return Ok(());
        }
        self.finish();
        match BotSession::start(&self.timed_spec(), &GameVariant::DUO) {
            Ok(session) => {
                let stall = |from, to| StallMonitor::of_host().stall(from, to).stopped;
                self.session = Some(session.with_host_stall(stall));
                self.is_fresh = true;
                Ok(())
            }
            Err(error) => {
                self.channel.lock().log = Some(format!("--- {} ---\n{error}\n", error.phase));
                Err(Box::new(error))
            }
        }
    }

    /// Ends the bot's process and publishes its log.
    fn finish(&mut self) {
        self.is_fresh = false;
        let Some(mut session) = self.session.take() else {
            return;
        };
        let end = session.finish();
        let log = session.log();
        self.channel.lock().log = Some(format!("{log}--- the program {end} ---\n"));
    }

    fn ask(&mut self, board: &DuoBoard) -> Result<BotReply, MoveError> {
        if let Some(fault) = self.fault.take() {
            return Err(fault.into());
        }
        if self.session.is_none() {
            self.start()?;
        }
        self.is_fresh = false;
        let session = self.session.as_mut().expect("it has just started");
        let reply = session.ask(&game(board)).map_err(Box::new)?;
        self.channel.lock().remark = Remark {
            text: reply.text.clone(),
            forfeit: reply.forfeit,
        };
        Ok(reply)
    }
}

/// Replaces the time bank of a bot. A fixed limit is a bank that each request fills.
pub(crate) const fn set_time_control(spec: &mut BotSpec, control: TimeControl) {
    (spec.timebank, spec.move_time) = match control {
        TimeControl::Fixed(limit) => (limit, limit),
        TimeControl::TimeBank { start, increment } => (start, increment),
    };
}

/// Returns the game of a board. A board of the contest's protocol continues after the end of the
/// game; those passes are left out.
fn game(board: &DuoBoard) -> Game {
    let starts: Vec<Cell> = board.players().map(|player| board.start(player)).collect();
    let mut game = Game::new(&GameVariant::DUO.with_starts(&starts));
    for &mv in board.moves() {
        if game.play(mv).is_err() {
            break;
        }
    }
    game
}

impl Mover for BotMover {
    fn choose(&mut self, board: &DuoBoard) -> Result<Move, MoveError> {
        if game(board).is_over() {
            return Ok(Move::Pass);
        }
        Ok(self.ask(board)?.mv)
    }

    /// Returns the code as the bot wrote it. The referee adjudicates a text of four characters,
    /// even if it is not a code.
    fn choose_code(&mut self, board: &DuoBoard) -> Result<MoveCode, MoveError> {
        if game(board).is_over() {
            return Ok(Move::PASS_CODE);
        }
        match self.ask(board) {
            // A forfeited move has no word.
            Ok(reply) => Ok(four(&reply.word).unwrap_or(reply.mv.to_code_bytes())),
            Err(MoveError::Bot(error)) => match &error.fault {
                BotFault::Malformed { word, .. } => four(word).ok_or(error.into()),
                _ => Err(error.into()),
            },
            Err(error) => Err(error),
        }
    }

    fn prepare(&mut self) -> Result<(), MoveError> {
        self.fault = None;
        Ok(self.start()?)
    }

    fn begin(&mut self) {
        self.fault = self.start().err();
        self.is_fresh = false;
    }

    fn end(&mut self) {
        self.finish();
    }

    fn side_channel(&self) -> Option<Arc<dyn SideChannel>> {
        Some(Arc::clone(&self.channel) as Arc<dyn SideChannel>)
    }
}

/// Returns four printable characters that are neither an action number nor the code of a pass.
fn four(word: &str) -> Option<MoveCode> {
    let code: MoveCode = word.as_bytes().try_into().ok()?;
    let is_number = code.iter().all(u8::is_ascii_digit);
    (code.iter().all(u8::is_ascii_graphic) && !is_number).then_some(code)
}
