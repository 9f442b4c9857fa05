//! `duoforge sim`: games of the simulated hardware, compared with the twin at every ply.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

use duoforge_hdl::chooser::PlayerConfig;
use duoforge_sim::Backend;
use duoforge_sim::campaign::{Campaign, GameReport, Report};
use duoforge_sim::gates::Technology;
use indicatif::ProgressBar;
use serde::Serialize;

use crate::failure::{Failure, Result};
use crate::junit;
use crate::output::{self, Verdict, grouped};
use crate::play::watch::progress;
use crate::players::HARDWARE_PLAYER;

/// Compare the simulated hardware with its twin in complete games
///
/// At every ply of the pattern player, compares the complete legal set, the scores, the chosen move
/// and the number of cycles. At every ply of a search player, compares the chosen move and the
/// number of simulations. Any mismatch makes the exit status 1.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Simulator: verilator, icarus or rust
    #[arg(long, default_value = "verilator")]
    pub backend: Backend,
    /// Hardware player
    #[arg(long, value_name = "PLAYER", default_value_t)]
    #[arg(help = "Hardware player: pattern, search or search:KEY=VALUE,...")]
    #[arg(long_help = HARDWARE_PLAYER)]
    pub player: PlayerConfig,
    /// Synthesise the hardware player and simulate its netlist: ecp5 or ice40
    #[arg(long, value_name = "TECHNOLOGY")]
    pub gates: Option<Technology>,
    /// Number of games
    #[arg(short, long, value_name = "N", default_value_t = 10)]
    #[arg(value_parser = clap::value_parser!(u64).range(1..))]
    pub games: u64,
    /// Seed of the first game; each further game has the next seed
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Also write a JUnit file
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write a waveform of each failed game to this directory [default: .]
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = ".")]
    pub wave_on_failure: Option<PathBuf>,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
}

/// Campaign in JSON.
#[derive(Serialize)]
struct Summary {
    backend: &'static str,
    /// Technology of the simulated netlist.
    gates: Option<&'static str>,
    player: String,
    seed: u64,
    games: usize,
    plies: u64,
    legal_sets: u64,
    mismatches: usize,
    cycles: u64,
    seconds: f64,
    cycles_per_second: f64,
    /// Maximum number of cycles from the prompt's last stop bit to the first start bit of the
    /// reply.
    longest_delay: u64,
    failures: Vec<Failed>,
}

/// Failed game in JSON.
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

/// Plays the games.
pub fn run(args: &Args) -> Result<Verdict> {
    if args.gates.is_some() && args.backend == Backend::Rust {
        return Err(Failure::new(
            "duoforge::usage",
            "--gates needs a simulator of Verilog, which --backend rust is not",
        )
        .help("omit --backend, or choose verilator or icarus"));
    }
    let campaign = Campaign {
        gates: args.gates,
        waves: args.wave_on_failure.clone(),
        ..Campaign::new(args.backend, args.games, args.seed)
    };
    let campaign = campaign.with(&args.player);
    if let Some(folder) = &args.wave_on_failure {
        fs::create_dir_all(folder).map_err(|error| Failure::file("created", folder, &error))?;
    }
    let bar = (io::stderr().is_terminal() && args.games > 1).then(|| progress(args.games));
    let report = campaign.run(|game| show(game, bar.as_ref(), &campaign))?;
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    if let Some(path) = &args.junit {
        fs::write(path, junit::campaign::write(&report, &campaign))
            .map_err(|error| Failure::file("written", path, &error))?;
    }
    if args.json {
        output::json(&summary(&report, &campaign))?;
    } else {
        print(&report, &campaign)?;
    }
    Ok(Verdict::of(report.mismatches() == 0))
}

/// Reports a finished game.
fn show(game: &GameReport, bar: Option<&ProgressBar>, campaign: &Campaign) {
    if let Some(mismatch) = &game.mismatch {
        let seed = game.seed;
        let replay = campaign.replay_command(seed);
        let text = format!("game with seed {seed}: {mismatch}\nto replay it: {replay}");
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
        cycles: report.cycles,
        seconds: report.wall.as_secs_f64(),
        cycles_per_second: report.cycles_per_second(),
        longest_delay: report.longest_delay(),
        failures: report.games.iter().filter_map(failed).collect(),
    }
}

fn print(report: &Report, campaign: &Campaign) -> Result<()> {
    let gates = campaign
        .gates
        .map_or(String::new(), |it| format!(", {it} netlist"));
    output::line(format!(
        "{}{gates}: {} games, {} plies and {} legal sets compared, {} mismatches",
        report.backend,
        report.games.len(),
        grouped(report.plies()),
        grouped(report.legal_sets()),
        report.mismatches(),
    ))?;
    output::line(format!(
        "{} cycles in {:.1} s, {} cycles per second",
        grouped(report.cycles),
        report.wall.as_secs_f64(),
        grouped(report.cycles_per_second() as u64),
    ))?;
    output::line(format!(
        "longest reply delay: {} cycles from the prompt's last stop bit to the first start bit",
        grouped(report.longest_delay()),
    ))
}
