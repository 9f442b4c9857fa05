//! `duoforge engine`: server of a player for the Go Text Protocol.

mod timed;

use std::io;

use duoforge_gtp::GtpEngine;
use duoforge_players::{Mover, PlayerSpec};
use duoforge_rules::{DuoBoard, Move};

use crate::failure::Result;
use crate::output::Verdict;
use crate::players::player;

/// Serve a player to a controller of the Go Text Protocol, on standard input and output
///
/// The game is Blokus Duo, in the dialect of Pentobi: a move is the list of its cells, as in `play
/// b e8,d9,e9,f9,e10`. The command list_commands lists all commands. The command param lists and
/// sets the parameters of the player engine, as in `param threads 2`; `duoforge players engine`
/// lists them with their ranges. With time_settings and time_left that player distributes the time
/// of a game over its moves, in place of `ms`; `sims` remains a limit.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example: twogtp --black \"duoforge engine\" --white \"pentobi-gtp --level 1 --nobook\" \\
           --game duo --file result")]
pub struct Args {
    /// Player: engine or engine:KEY=VALUE,..., search, pattern, random or gtp:COMMAND LINE
    #[arg(value_name = "PLAYER", value_parser = player, default_value = "engine")]
    pub player: PlayerSpec,
    /// Seed of all random choices
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
}

/// Serves until the controller quits.
pub fn run(args: &Args) -> Result<Verdict> {
    let mut engine = open(&args.player)?;
    engine.seed(args.seed);
    duoforge_gtp::serve(&mut *engine, io::stdin().lock(), io::stdout().lock())?;
    Ok(Verdict::Good)
}

/// Creates the engine of a player.
fn open(spec: &PlayerSpec) -> Result<Box<dyn GtpEngine>> {
    let name = format!("duoforge {spec}");
    Ok(match spec {
        PlayerSpec::Engine(settings) => Box::new(timed::TimedEngine::new(settings, name)),
        _ => Box::new(Chooser {
            mover: spec.mover()?,
            name,
        }),
    })
}

/// Engine of a player that only chooses moves.
struct Chooser {
    mover: Box<dyn Mover>,
    name: String,
}

impl GtpEngine for Chooser {
    fn name(&self) -> &str {
        &self.name
    }

    fn version(&self) -> &str {
        env!("CARGO_PKG_VERSION")
    }

    fn choose(&mut self, board: &DuoBoard) -> std::result::Result<Move, String> {
        self.mover.choose(board).map_err(|error| error.to_string())
    }

    fn begin(&mut self) {
        self.mover.begin();
    }

    fn seed(&mut self, seed: u64) {
        self.mover.seed(seed);
    }
}
