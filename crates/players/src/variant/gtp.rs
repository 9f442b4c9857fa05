//! Engines of the Go Text Protocol in games of several variants.

use std::time::Duration;

use duoforge_gtp::{Client, ClientError, write_colour};
use duoforge_referee::variant::{MoverFault, TimeLeft, VariantMover};
use duoforge_rules::{Game, GameVariant, Move, Notation, PlayedMove, Seat};

use crate::gtp_time::{LATE, TimeSender};

/// Time limit of a move without a time control, for engines that hang.
const THINKING: Duration = Duration::from_secs(600);

/// Time limit of the reply to any other command.
const ANSWER: Duration = Duration::from_secs(30);

/// Engine in another process, in games of the variants that have an
/// [engine name](GameVariant::engine_name).
///
/// Before each request for a move, the engine receives the moves that it does not know yet, and the
/// time left if it knows `time_left`. If the position does not continue the known moves, the board
/// of the engine is cleared first.
#[derive(Debug)]
pub struct GtpVariantMover {
    client: Client,
    knows: Known,
    /// True if the engine accepts a pass as a move. Pentobi does not accept it and does not need
    /// it, since each request names the colour to move.
    takes_passes: bool,
    times: TimeSender,
    /// Moves that the engine has received; `None` if unknown.
    plies: Option<Vec<PlayedMove>>,
}

/// Commands that an engine knows.
#[derive(Clone, Copy, Debug)]
struct Known {
    set_game: bool,
    set_random_seed: bool,
}

impl GtpVariantMover {
    /// Starts the engine with a command line.
    ///
    /// # Errors
    /// [`ClientError`] if the engine cannot be started or does not speak the protocol.
    pub fn start(words: &[String]) -> Result<Self, ClientError> {
        let mut client = Client::start(words)?;
        let commands = client.send("list_commands", ANSWER)?;
        let knows = |command| commands.lines().any(|line| line.trim() == command);
        let knows = Known {
            set_game: knows("set_game"),
            set_random_seed: knows("set_random_seed"),
        };
        Ok(Self {
            client,
            knows,
            takes_passes: true,
            times: TimeSender::new(&commands),
            plies: None,
        })
    }

    /// Brings the engine to the position of `game`.
    fn follow(&mut self, game: &Game) -> Result<(), ClientError> {
        // Until the last command succeeds, the state of the engine is unknown.
        let known = self.plies.take();
        let mut known = match known.filter(|known| game.plies().starts_with(known)) {
            Some(known) => known,
            None => {
                self.client.send("clear_board", ANSWER)?;
                Vec::new()
            }
        };
        for &ply in &game.plies()[known.len()..] {
            self.send_ply(game, ply)?;
            known.push(ply);
        }
        self.plies = Some(known);
        Ok(())
    }

    fn send_ply(&mut self, game: &Game, ply: PlayedMove) -> Result<(), ClientError> {
        if ply.mv == Move::Pass && !self.takes_passes {
            return Ok(());
        }
        let colour = write_colour(ply.colour, game.variant().colour_count());
        let cells = Notation::of_size(game.size()).write(ply.mv);
        match self.client.send(&format!("play {colour} {cells}"), ANSWER) {
            Err(ClientError::Refused { .. }) if ply.mv == Move::Pass => self.takes_passes = false,
            answer => drop(answer?),
        }
        Ok(())
    }
}

impl VariantMover for GtpVariantMover {
    fn begin(&mut self, variant: &GameVariant, _: Seat) -> Result<(), MoverFault> {
        self.plies = None;
        let unsuitable = |reason: &str| {
            let program = self.client.program();
            MoverFault::Unsuitable(format!("{program} {reason}"))
        };
        let Some(name) = variant.engine_name() else {
            let reason = "is an engine of the Go Text Protocol, which has no name for this variant";
            return Err(unsuitable(reason));
        };
        if !self.knows.set_game {
            // An engine without this command supports one game; only its first move shows which.
            if *variant == GameVariant::DUO {
                return Ok(());
            }
            return Err(unsuitable(
                "lacks the command set_game, which chooses the variant",
            ));
        }
        match self.client.send(&format!("set_game {name}"), ANSWER) {
            Ok(_) => Ok(()),
            Err(ClientError::Refused { message, .. }) => {
                let reason = format!("refuses the game {name}: {message}");
                let program = self.client.program();
                Err(MoverFault::Unsuitable(format!("{program} {reason}")))
            }
            Err(error) => Err(failed(&error)),
        }
    }

    fn choose(&mut self, game: &Game, time: TimeLeft) -> Result<Move, MoverFault> {
        let (Some(colour), Some(seat)) = (game.to_move(), game.seat_to_move()) else {
            return Ok(Move::Pass);
        };
        self.follow(game).map_err(|error| failed(&error))?;
        let name = write_colour(colour, game.variant().colour_count());
        let sent = self.times.send(&mut self.client, name, time);
        sent.map_err(|error| failed(&error))?;
        let known = self.plies.take();
        let limit = time.longest_wait().map_or(THINKING, |wait| wait + LATE);
        let reply = match self.client.send(&format!("genmove {name}"), limit) {
            Ok(reply) => reply,
            Err(ClientError::Timeout { .. }) => return Err(MoverFault::Silent),
            Err(error) => return Err(failed(&error)),
        };
        if reply.eq_ignore_ascii_case("resign") {
            return Err(MoverFault::Resigned);
        }
        let mv = Notation::of_size(game.size()).read(&reply);
        let mv = mv.map_err(|error| MoverFault::Unreadable {
            reply: reply.escape_debug().to_string(),
            reason: error.to_string(),
        })?;
        self.plies = known.map(|mut known| {
            known.push(PlayedMove { colour, seat, mv });
            known
        });
        Ok(mv)
    }

    fn seed(&mut self, seed: u64) {
        if self.knows.set_random_seed {
            // Engines differ in the range of the seed; 31 bits fit everywhere. A failed engine
            // shows at the next move.
            let command = format!("set_random_seed {}", seed >> 33);
            let _ = self.client.send(&command, ANSWER);
        }
    }
}

fn failed(error: &ClientError) -> MoverFault {
    MoverFault::Failed(error.to_string())
}
