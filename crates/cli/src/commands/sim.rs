//! `duoforge sim`: games of the simulated board, compared with the twin at every ply.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

use duoforge_arena::ArenaError;
use duoforge_hdl::chooser::Chooser;
use duoforge_sim::Backend;
use duoforge_sim::campaign::{Campaign, GameReport, Report};
use duoforge_sim::gates::Technology;
use indicatif::ProgressBar;
use serde::Serialize;

use crate::failure::{Failure, Result};
use crate::output::{self, Verdict, grouped};
use crate::play::watch::progress;

/// Compare the simulated board with its twin in complete games
///
/// For every ply the full legal sets, the scores, the chosen move and the number of clocks are
/// compared; of a board that searches the chosen move and the number of simulations. The result is
/// negative at any difference.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The simulator: verilator, icarus or rust
    #[arg(long, default_value = "verilator")]
    pub backend: Backend,
    /// What chooses the board's placements: pattern, search or search:KEY=VALUE,...
    ///
    /// Keys of a search: lanes (1, 2 or 4 playout cores), nodes (up to 1023), children (up to 32),
    /// threshold, sims, seed and others. Searches end by sims if it is named, else by ms. Default keys:
    /// lanes=4,nodes=511,children=32,threshold=240,ms=880, the search that ships for the ULX3S-85F.
    #[arg(long, value_name = "PLAYER", default_value_t)]
    pub player: Chooser,
    /// Synthesise the board and simulate its gates: ecp5 or ice40
    #[arg(long, value_name = "TECHNOLOGY")]
    pub gates: Option<Technology>,
    /// Number of games
    #[arg(short, long, value_name = "N", default_value_t = 10)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Seed of the first game; game n has the seed SEED + n
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Also write a JUnit file
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write a waveform of each game that fails into this folder [default: .]
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = ".")]
    pub wave_on_failure: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// The campaign in JSON.
#[derive(Serialize)]
struct Summary {
    backend: &'static str,
    /// The technology whose netlist was simulated.
    gates: Option<&'static str>,
    player: String,
    seed: u64,
    games: usize,
    plies: u64,
    legal_sets: u64,
    mismatches: usize,
    clocks: u64,
    seconds: f64,
    clocks_per_second: f64,
    /// Clocks from the last byte of a request to the first of the answer, at most.
    longest_delay: u64,
    failures: Vec<Failed>,
}

/// A game that failed, in JSON.
#[derive(Serialize)]
struct Failed {
    seed: u64,
    ply: usize,
    request: String,
    what: String,
    twin: String,
    board: String,
    moves: Vec<String>,
    wave: Option<PathBuf>,
    replay: String,
}

/// Plays them.
pub fn run(args: &Args) -> Result<Verdict> {
    if args.gates.is_some() && args.backend == Backend::Rust {
        return Err(Failure::new(
            "duoforge::usage",
            "--gates needs a simulator of Verilog, and the rust back end steps the design itself",
        )
        .help("leave out --backend, or take verilator or icarus"));
    }
    let campaign = Campaign {
        gates: args.gates,
        waves: args.wave_on_failure.clone(),
        ..Campaign::new(args.backend, args.games, args.seed)
    };
    let campaign = campaign.with(&args.player);
    if let Some(folder) = &args.wave_on_failure {
        fs::create_dir_all(folder).map_err(|error| Failure::file("made", folder, &error))?;
    }
    let bar = (io::stderr().is_terminal() && args.games > 1).then(|| progress(args.games));
    let report = campaign
        .run(|game| show(game, bar.as_ref(), &campaign))
        .map_err(ArenaError::from)?;
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    if let Some(path) = &args.junit {
        fs::write(path, report.junit(&campaign))
            .map_err(|error| Failure::file("written", path, &error))?;
    }
    if args.json {
        output::json(&summary(&report, &campaign))?;
    } else {
        print(&report, &campaign)?;
    }
    Ok(Verdict::of(report.mismatches() == 0))
}

/// Tells of a game that is over.
fn show(game: &GameReport, bar: Option<&ProgressBar>, campaign: &Campaign) {
    if let Some(mismatch) = &game.mismatch {
        let seed = game.seed;
        let replay = campaign.replay_command(seed);
        let text = format!("game with seed {seed}: {mismatch}\nagain with: {replay}");
        match bar {
            Some(bar) => bar.suspend(|| eprintln!("{text}")),
            None => eprintln!("{text}"),
        }
    }
    if let Some(bar) = bar {
        bar.inc(1);
    }
}

fn summary(report: &Report, campaign: &Campaign) -> Summary {
    let failed = |game: &GameReport| {
        let mismatch = game.mismatch.as_ref()?;
        Some(Failed {
            seed: game.seed,
            ply: mismatch.ply,
            request: mismatch.request.clone(),
            what: mismatch.what.clone(),
            twin: mismatch.twin.clone(),
            board: mismatch.board.clone(),
            moves: game.codes.clone(),
            wave: game.wave.clone(),
            replay: campaign.replay_command(game.seed),
        })
    };
    Summary {
        backend: report.backend.name(),
        gates: campaign.gates.map(Technology::name),
        player: campaign.player.to_string(),
        seed: campaign.seed,
        games: report.games.len(),
        plies: report.plies(),
        legal_sets: report.legal_sets(),
        mismatches: report.mismatches(),
        clocks: report.clocks,
        seconds: report.wall.as_secs_f64(),
        clocks_per_second: report.clocks_per_second(),
        longest_delay: report.longest_delay(),
        failures: report.games.iter().filter_map(failed).collect(),
    }
}

fn print(report: &Report, campaign: &Campaign) -> Result<()> {
    let gates = campaign
        .gates
        .map_or(String::new(), |it| format!(", {it} gates"));
    output::line(format!(
        "{}{gates}: {} games, {} plies and {} legal sets compared, {} mismatches",
        report.backend,
        report.games.len(),
        grouped(report.plies()),
        grouped(report.legal_sets()),
        report.mismatches(),
    ))?;
    output::line(format!(
        "{} clocks in {:.1} s, {} clocks a second",
        grouped(report.clocks),
        report.wall.as_secs_f64(),
        grouped(report.clocks_per_second() as u64),
    ))?;
    output::line(format!(
        "at most {} clocks from the end of a request to the begin of its answer",
        grouped(report.longest_delay()),
    ))
}
