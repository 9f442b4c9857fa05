//! `duoforge sim-game`: one decision of a given game, by the simulated hardware and its twin.

use std::path::{Path, PathBuf};

use duoforge_protocol::StartCell;
use duoforge_rules::{Colour, GameVariant, Move};
use duoforge_sim::Backend;
use duoforge_sim::campaign::{Campaign, Decided, Followed, KnownGame, Mismatch};
use duoforge_sim::waves::Wave;
use serde::Serialize;

use crate::failure::{Failure, Result};
use crate::output::{self, Verdict};
use crate::variant::PlayedGame;

/// Compare one decision of the simulated pattern player with its twin in a given game
///
/// The player replies at every second move before the decision, and must choose the moves of the
/// game: a device cannot be set to a position. At the decision, compares the complete legal set,
/// the scores, the chosen move and the number of cycles. Any mismatch makes the exit status 1.
#[derive(Debug, clap::Args)]
#[command(after_help = "Example: duoforge sim-game 53e0 a8e0 --ply 2 --wave ply-2.vcd")]
pub struct Args {
    /// Four-letter codes of the moves of the game, 0000 for a pass
    pub codes: Vec<String>,
    /// Number of moves before the decision [default: all]
    #[arg(long, value_name = "N")]
    pub ply: Option<usize>,
    /// Simulator: verilator, icarus or rust
    #[arg(long, default_value = "verilator")]
    pub backend: Backend,
    /// Write a waveform of the decision, with save files for Surfer and GTKWave; FST if the
    /// extension is fst, otherwise VCD
    #[arg(long, value_name = "FILE")]
    pub wave: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Comparison in JSON.
#[derive(Serialize)]
struct Summary<'a> {
    ply: usize,
    twin: Side<'a>,
    hardware: Side<'a>,
    mismatch: Option<Differs<'a>>,
    wave: Option<&'a Path>,
    /// Command lines that open the waveform in Surfer and in GTKWave.
    view: Option<[String; 2]>,
}

/// Decision in JSON.
#[derive(Serialize)]
struct Side<'a> {
    reply: &'a str,
    score: Option<u16>,
    legal: u32,
    cycles: u32,
}

impl<'a> Side<'a> {
    fn new(decided: &'a Decided) -> Self {
        Self {
            reply: &decided.reply,
            score: decided.score(),
            legal: decided.legal_count,
            cycles: decided.cycles,
        }
    }
}

/// Mismatch in JSON.
#[derive(Serialize)]
struct Differs<'a> {
    what: &'a str,
    twin: &'a str,
    hardware: &'a str,
}

/// Compares the decision.
pub fn run(args: &Args) -> Result<Verdict> {
    let codes = PlayedGame::parse(&args.codes)?;
    let played = PlayedGame::new(&GameVariant::DUO, &codes);
    if let Some(rejected) = &played.rejected {
        eprintln!("{rejected}");
        return Ok(Verdict::Bad);
    }
    let moves: Vec<Move> = played.game.plies().iter().map(|ply| ply.mv).collect();
    let ply = args.ply.unwrap_or(moves.len());
    if ply > moves.len() {
        let message = format!("--ply {ply} is out of range: expected 0 to {}", moves.len());
        return Err(Failure::new("duoforge::usage", message).help("count the codes from 0"));
    }
    let starts = played.game.variant().starts(Colour(0));
    let is_second = starts.as_slice().iter().all(|cell| cell.x == 9);
    let start = if is_second {
        StartCell::A
    } else {
        StartCell::Five
    };
    let game = KnownGame { moves, start, ply };
    let campaign = Campaign::new(args.backend, 1, 0);
    match campaign.follow(&game, args.wave.as_deref(), || false)? {
        Followed::Compared(compared, wave) => {
            let mismatch = compared.mismatch.as_ref();
            if args.json {
                output::json(&Summary {
                    ply,
                    twin: Side::new(&compared.twin),
                    hardware: Side::new(&compared.hardware),
                    mismatch: mismatch.map(|it| Differs {
                        what: &it.what,
                        twin: &it.twin,
                        hardware: &it.board,
                    }),
                    wave: wave.as_ref().map(|wave| wave.file.as_path()),
                    view: wave.as_ref().map(Wave::commands),
                })?;
            } else {
                let Decided {
                    legal_count,
                    reply,
                    cycles,
                    ..
                } = &compared.hardware;
                output::line(format!(
                    "ply {ply}: {reply} of {legal_count} legal placements, {cycles} cycles"
                ))?;
                output::line(agreement(mismatch))?;
                if let Some([surfer, gtkwave]) = wave.as_ref().map(Wave::commands) {
                    output::line(format!("to view it: {surfer}\n        or: {gtkwave}"))?;
                }
            }
            Ok(verdict(mismatch.is_none()))
        }
        Followed::Deviated {
            ply,
            chosen,
            played,
        } => {
            eprintln!("ply {ply}: the pattern player chooses {chosen}, and the game has {played}");
            Ok(Verdict::Bad)
        }
        Followed::Mismatched(mismatch) => {
            eprintln!("{mismatch}");
            Ok(Verdict::Bad)
        }
        Followed::Stopped => unreachable!("nothing stops it"),
    }
}

fn agreement(mismatch: Option<&Mismatch>) -> String {
    match mismatch {
        None => "hardware and twin agree".to_owned(),
        Some(mismatch) => mismatch.to_string(),
    }
}

const fn verdict(is_good: bool) -> Verdict {
    if is_good { Verdict::Good } else { Verdict::Bad }
}
