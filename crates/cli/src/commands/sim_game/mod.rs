//! `duoforge sim-game`: one decision of a given game, by the simulated hardware and its twin.

mod picture;
mod search;

use std::path::{Path, PathBuf};

use duoforge_hdl::chooser::PlayerConfig;
use duoforge_protocol::StartCell;
use duoforge_rules::{Colour, GameVariant, Move};
use duoforge_sim::Backend;
use duoforge_sim::campaign::{Campaign, Decided, Followed, KnownGame, Mismatch};
use duoforge_sim::waves::Wave;
use serde::Serialize;
use tempfile::TempDir;

use crate::failure::{Failure, Result};
use crate::output::{self, Verdict};
use crate::players::HARDWARE_PLAYER;
use crate::variant::PlayedGame;

/// Compare one decision of a simulated hardware player with its twin in a given game
///
/// The pattern player replies at every second move before the decision, and must choose the moves
/// of the game: a device cannot be set to a position. At the decision, compares the complete legal
/// set, the scores, the chosen move and the number of cycles. Any mismatch makes the exit status 1.
///
/// A search is compared without its player, from the position itself: the complete legal set, the
/// children of the root, every simulation, and visits, values and choice at the end.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  duoforge sim-game 54u0 a8e0 --wave ply-2.vcd
  duoforge sim-game 54u0 --player search:lanes=1,nodes=63 --simulations 200")]
pub struct Args {
    /// Four-letter codes of the moves of the game, 0000 for a pass
    pub codes: Vec<String>,
    /// Number of moves before the decision [default: all]
    #[arg(long, value_name = "N")]
    pub ply: Option<usize>,
    /// Simulator: verilator, icarus or rust
    #[arg(long, default_value = "verilator")]
    pub backend: Backend,
    /// Hardware player
    #[arg(long, value_name = "PLAYER", default_value_t)]
    #[arg(help = "Hardware player: pattern, search or search:KEY=VALUE,...")]
    #[arg(long_help = HARDWARE_PLAYER)]
    pub player: PlayerConfig,
    /// Number of simulations of a search, 4 to 262143; ms is ignored [default: sims, at most 300]
    #[arg(long, value_name = "N")]
    pub simulations: Option<u32>,
    /// Begin the waveform of a search with simulation N, from 0, and end it with the backup of that
    /// simulation [default: from the legal set to the first backup]
    #[arg(long, value_name = "N", requires = "wave")]
    pub from_simulation: Option<u64>,
    /// Write a waveform of the decision, with save files for Surfer and GTKWave; FST if the
    /// extension is fst, otherwise VCD
    #[arg(long, value_name = "FILE")]
    pub wave: Option<PathBuf>,
    /// Draw the decision from the prompt to the reply as SVG: line, states of the controller, legal
    /// sets and scores
    #[arg(long, value_name = "FILE")]
    pub picture: Option<PathBuf>,
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
    picture: Option<&'a Path>,
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
        note!("{rejected}");
        return Ok(Verdict::Bad);
    }
    let moves: Vec<Move> = played.game.plies().iter().map(|ply| ply.mv).collect();
    let ply = args.ply.unwrap_or(moves.len());
    if ply > moves.len() {
        let message = format!("--ply {ply} is out of range: expected 0 to {}", moves.len());
        return Err(Failure::new("duoforge::usage", message).help("count the codes from 0"));
    }
    if let PlayerConfig::Search(settings) = &args.player {
        return match args.picture {
            None => search::run(args, settings, &moves[..ply]),
            Some(_) => Err(only("--picture", "pattern")),
        };
    }
    if args.simulations.is_some() || args.from_simulation.is_some() {
        return Err(only("--simulations and --from-simulation", "search"));
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
    let directory = directory_of_picture(args)?;
    let temporary = directory.as_ref().map(|it| it.path().join("decision.vcd"));
    let wave = args.wave.as_deref().or(temporary.as_deref());
    match campaign.follow(&game, wave, || false)? {
        Followed::Compared(compared, wave) => {
            if let (Some(file), Some(wave)) = (&args.picture, &wave) {
                let bit = campaign.parameters.divisor();
                let picture = picture::draw(&wave.file, args.backend, f64::from(bit))?;
                std::fs::write(file, picture)
                    .map_err(|error| Failure::file("written", file, &error))?;
            }
            let wave = wave.filter(|_| args.wave.is_some());
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
                    picture: args.picture.as_deref(),
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
                output::line(agreement(mismatch.map(Mismatch::to_string)))?;
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
            note!("ply {ply}: the pattern player chooses {chosen}, and the game has {played}");
            Ok(Verdict::Bad)
        }
        Followed::Mismatched(mismatch) => {
            note!("{mismatch}");
            Ok(Verdict::Bad)
        }
        Followed::Stopped => unreachable!("nothing stops it"),
    }
}

/// Returns the directory of a waveform that only the picture needs; it is removed with the value.
fn directory_of_picture(args: &Args) -> Result<Option<TempDir>> {
    match (&args.picture, &args.wave) {
        (None, _) => Ok(None),
        (Some(_), Some(wave)) if wave.extension().is_some_and(|it| it == "fst") => {
            let message = "--picture reads a waveform in VCD, and --wave names an FST file";
            Err(Failure::new("duoforge::usage", message).help("name the waveform FILE.vcd"))
        }
        (Some(_), Some(_)) => Ok(None),
        (Some(_), None) => match tempfile::tempdir() {
            Ok(directory) => Ok(Some(directory)),
            Err(error) => {
                let parent = std::env::temp_dir();
                let message = format!("{}: no directory can be created: {error}", parent.display());
                Err(Failure::new("duoforge::file", message)
                    .help("TMPDIR names the directory of temporary files"))
            }
        },
    }
}

fn agreement(mismatch: Option<String>) -> String {
    mismatch.unwrap_or_else(|| "hardware and twin agree".to_owned())
}

/// Error: an option that another player does not have.
fn only(options: &str, player: &str) -> Failure {
    let message = format!("{options}: expected --player {player}");
    Failure::new("duoforge::usage", message).help("`duoforge sim-game --help` lists the options")
}

const fn verdict(is_good: bool) -> Verdict {
    if is_good { Verdict::Good } else { Verdict::Bad }
}
