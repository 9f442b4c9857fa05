//! Players in other processes that speak the Go Text Protocol.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use duoforge_gtp::{Client, ClientError, write_colour};
use duoforge_referee::SideChannel;
use duoforge_referee::variant::TimeLeft;
use duoforge_rules::{Cell, Colour, DuoBoard, Move, Notation};

use crate::gtp_time::{LATE, TimeSender};
use crate::{MoveError, Mover, Resigned};

/// Time limit of a move without a time control, for engines that hang.
const THINKING: Duration = Duration::from_secs(600);

/// Time limit of the reply to any other command.
const ANSWER: Duration = Duration::from_secs(30);

/// Command that sets the seed of the engine's random choices.
const SEED: &str = "set_random_seed";

/// Command that lists the engine's evaluations of moves.
const VALUES: &str = "move_values";

/// Engine in another process.
///
/// Before each request for a move, the engine receives the moves that it does not know yet, and the
/// time left if the referee has set one and the engine knows `time_left`. If the position does not
/// continue the known moves, the board of the engine is cleared first.
#[derive(Debug)]
pub struct GtpMover {
    client: Client,
    /// True if the engine knows [`SEED`].
    seeded: bool,
    /// True if the engine accepts a pass of the opponent as a move. Pentobi does not accept it and
    /// does not need it, since each request names the colour to move.
    takes_passes: bool,
    known: Option<Known>,
    times: TimeSender,
    channel: Arc<TimeChannel>,
}

/// Side channel on which the referee sets the time for the next move.
#[derive(Debug)]
struct TimeChannel(Mutex<TimeLeft>);

impl SideChannel for TimeChannel {
    fn set_time_left(&self, time: TimeLeft) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = time;
    }
}

/// Moves that an engine has received.
#[derive(Debug)]
struct Known {
    starts: Vec<Cell>,
    moves: Vec<Move>,
}

impl GtpMover {
    /// Starts the engine with a command line and selects the game.
    ///
    /// # Errors
    /// [`ClientError`] if the engine cannot be started or does not speak the protocol.
    pub fn start(words: &[String]) -> Result<Self, ClientError> {
        let mut client = Client::start(words)?;
        let commands = client.send("list_commands", ANSWER)?;
        let knows = |command| commands.lines().any(|line| line.trim() == command);
        let (seeded, games) = (knows(SEED), knows("set_game"));
        // An engine without this command supports one game; its first move shows which.
        if games {
            client.send("set_game Blokus Duo", ANSWER)?;
        }
        Ok(Self {
            client,
            seeded,
            takes_passes: true,
            known: None,
            times: TimeSender::new(&commands),
            channel: Arc::new(TimeChannel(Mutex::new(TimeLeft::UNLIMITED))),
        })
    }

    /// Brings the engine to the position of `board`.
    fn follow(&mut self, board: &DuoBoard) -> Result<(), ClientError> {
        let starts: Vec<Cell> = board.players().map(|player| board.start(player)).collect();
        // Until the last command succeeds, the state of the engine is unknown.
        let known = self.known.take();
        let mut known = match known {
            Some(known) if known.starts == starts && board.moves().starts_with(&known.moves) => {
                known
            }
            _ => {
                self.client.send("clear_board", ANSWER)?;
                let moves = Vec::new();
                Known { starts, moves }
            }
        };
        for ply in known.moves.len()..board.ply() {
            let mv = board.moves()[ply];
            self.tell(Notation::for_board(board), Colour((ply % 2) as u8), mv)?;
            known.moves.push(mv);
        }
        self.known = Some(known);
        Ok(())
    }

    /// Returns the move that the engine prefers, and its value for the side to move, from 0 (loss)
    /// to 1 (win). The engine must support the commands `reg_genmove` and `move_values`, as Pentobi
    /// does.
    ///
    /// # Errors
    /// [`ClientError`] if the engine fails, lacks the commands, or lists no value of its move.
    pub fn judge(&mut self, board: &DuoBoard) -> Result<(Move, f64), ClientError> {
        self.follow(board)?;
        let command = format!("reg_genmove {}", write_colour(board.to_move(), 2));
        let answer = self.client.send(&command, THINKING)?;
        let mv = self.read(board, &command, &answer)?;
        let list = self.client.send(VALUES, ANSWER)?;
        let notation = Notation::for_board(board);
        let value = list.lines().find_map(|line| {
            let (values, cells) = line.split_once(']')?;
            let same = notation.read(cells.trim()).is_ok_and(|other| other == mv);
            let value = values.split_whitespace().nth(2).filter(|_| same)?;
            value.parse().ok()
        });
        let value = value.ok_or_else(|| {
            let reason = format!("reports no value of {answer}");
            self.client.malformed(VALUES, &list, reason)
        })?;
        Ok((mv, value))
    }

    fn read(&self, board: &DuoBoard, command: &str, answer: &str) -> Result<Move, ClientError> {
        let mv = Notation::for_board(board).read(answer);
        mv.map_err(|error| {
            let reason = format!("is not a move: {error}");
            self.client.malformed(command, answer, reason)
        })
    }

    fn tell(&mut self, notation: Notation, player: Colour, mv: Move) -> Result<(), ClientError> {
        if mv == Move::Pass && !self.takes_passes {
            return Ok(());
        }
        let colour = write_colour(player, 2);
        let command = format!("play {colour} {}", notation.write(mv));
        match self.client.send(&command, ANSWER) {
            Err(ClientError::Refused { .. }) if mv == Move::Pass => self.takes_passes = false,
            answer => drop(answer?),
        }
        Ok(())
    }
}

impl Mover for GtpMover {
    fn choose(&mut self, board: &DuoBoard) -> Result<Move, MoveError> {
        self.follow(board)?;
        let colour = write_colour(board.to_move(), 2);
        let time = *self
            .channel
            .0
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        self.times.send(&mut self.client, colour, time)?;
        let command = format!("genmove {colour}");
        let limit = time.longest_wait().map_or(THINKING, |wait| wait + LATE);
        let answer = self.client.send(&command, limit);
        let mut known = self.known.take();
        let answer = answer.map_err(|error| match (error, time.left) {
            (ClientError::Timeout { .. }, Some(limit)) => MoveError::OutOfTime { limit },
            (error, _) => error.into(),
        })?;
        if answer.eq_ignore_ascii_case("resign") {
            return Err(Resigned.into());
        }
        let mv = self.read(board, &command, &answer)?;
        if let Some(known) = &mut known {
            known.moves.push(mv);
        }
        self.known = known;
        Ok(mv)
    }

    fn begin(&mut self) {
        self.known = None;
    }

    fn side_channel(&self) -> Option<Arc<dyn SideChannel>> {
        Some(Arc::clone(&self.channel) as Arc<dyn SideChannel>)
    }

    fn seed(&mut self, seed: u64) {
        if self.seeded {
            // Engines differ in the range of the seed; 31 bits fit everywhere. A failed engine
            // shows at the next move.
            let _ = self.client.send(&format!("{SEED} {}", seed >> 33), ANSWER);
        }
    }
}
