//! `duoforge sim`: games of the simulated hardware, compared with the twin at every ply.

mod failures;
mod progress;
mod stored;

use std::fs;
use std::path::PathBuf;

use duoforge_hdl::chooser::PlayerConfig;
use duoforge_sim::Backend;
use duoforge_sim::campaign::{Campaign, GameReport, Report};
use duoforge_sim::gates::Technology;
use duoforge_sim::waves::{Span, Wave, WaveFormat, Waves};
use serde::Serialize;

use self::failures::page_of;
use self::progress::Progress;
use crate::failure::{Failure, Result};
use crate::junit;
use crate::output::{self, Verdict, grouped};
use crate::players::HARDWARE_PLAYER;
use crate::report_files::in_directory;
use crate::shards::ShardArgs;

pub use failures::file as replay_file;
pub use stored::{CAMPAIGN, StoredGame};

/// Compare the simulated hardware with its twin in complete games
///
/// At every ply of the pattern player, compares the complete legal set, the scores, the chosen move
/// and the number of cycles. At every ply of a search player, compares the chosen move and the
/// number of simulations. Any mismatch makes the exit status 1.
///
/// Games come in pairs: a reset of the device precedes every second game. A game thus depends on
/// its seed and at most one game before it, and is the same for all values of --jobs, --only and
/// --shard.
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
    /// Number of simulators that play at the same time
    #[arg(short, long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: u16,
    /// Print the names of the games without playing them
    #[arg(long, conflicts_with = "json")]
    pub list: bool,
    /// Play only this game, such as game-8; repeatable
    #[arg(long, value_name = "NAME", conflicts_with = "results")]
    pub only: Vec<String>,
    #[command(flatten)]
    pub shards: ShardArgs,
    /// Also write a JUnit file
    #[arg(long, value_name = "FILE")]
    pub junit: Option<PathBuf>,
    /// Write a replay of all failing games to this HTML file, which opens in any browser without a
    /// service
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write a waveform of each failing ply to this directory, with save files for Surfer and
    /// GTKWave, and a replay of the game as HTML [default: .]
    #[arg(long, value_name = "DIR", num_args = 0..=1, default_missing_value = ".")]
    pub wave_on_failure: Option<PathBuf>,
    /// Format of waveforms: vcd or fst
    #[arg(long, value_name = "FORMAT", default_value_t)]
    pub wave_format: WaveFormat,
    /// Record the whole game, not the failing ply alone
    #[arg(long)]
    pub wave_game: bool,
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
    shard: String,
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
    /// Command lines that open the waveform in Surfer and in GTKWave.
    view: Option<[String; 2]>,
    /// Replay next to the waveform.
    html: Option<PathBuf>,
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
    if let (Some(_), PlayerConfig::Search(search)) = (args.gates, &args.player)
        && let Some(lines) = search.lines
    {
        let message =
            format!("--gates simulates a netlist without an SDRAM, which lines={lines} needs");
        return Err(Failure::new("duoforge::usage", message)
            .help("omit --gates, or omit lines and choose at most 1024 nodes"));
    }
    let waves = args.wave_on_failure.as_ref().map(|directory| Waves {
        directory: directory.clone(),
        format: args.wave_format,
        span: match args.wave_game {
            true => Span::Game,
            false => Span::Ply,
        },
    });
    let campaign = Campaign {
        gates: args.gates,
        jobs: args.jobs,
        waves,
        ..Campaign::new(args.backend, args.games, args.seed)
    };
    let campaign = campaign.with(&args.player);
    if args.list {
        let games = selected(
            args,
            &campaign,
            stored::plan(&campaign).items_of(args.shards.shard),
        )?;
        return list(&games, &campaign);
    }
    if let Some(directory) = &args.wave_on_failure {
        fs::create_dir_all(directory)
            .map_err(|error| Failure::file("created", directory, &error))?;
    }
    for path in args.junit.iter().chain(&args.html) {
        in_directory(path)?;
    }
    let report = play(args, &campaign)?;
    let printed = if args.json {
        output::json(&summary(&report, &campaign, args))
    } else {
        print(&report, &campaign)
    };
    if let Some(path) = &args.junit {
        fs::write(path, junit::campaign::write(&report, &campaign))
            .map_err(|error| Failure::file("written", path, &error))?;
    }
    if let Some(path) = &args.html {
        fs::write(path, page_of(&report, &campaign)?.html())
            .map_err(|error| Failure::file("written", path, &error))?;
    }
    output::concluded(printed, Verdict::of(report.mismatches() == 0))
}

/// Returns those of the games that --only names, or all.
fn selected(
    args: &Args,
    campaign: &Campaign,
    games: impl IntoIterator<Item = u64>,
) -> Result<Vec<u64>> {
    let find = |name: &String| {
        campaign.find(name).ok_or_else(|| {
            let [first, last] = [0, campaign.games - 1].map(|number| campaign.name_of(number));
            let message = format!("unknown game '{name}': expected {first} to {last}");
            Failure::new("duoforge::usage", message).help("`duoforge sim --list` lists the games")
        })
    };
    let only: Vec<u64> = args.only.iter().map(find).collect::<Result<_>>()?;
    let chosen = |number: &u64| only.is_empty() || only.contains(number);
    Ok(games.into_iter().filter(chosen).collect())
}

fn list(games: &[u64], campaign: &Campaign) -> Result<Verdict> {
    for &number in games {
        output::line(campaign.name_of(number))?;
    }
    Ok(Verdict::Good)
}

/// Plays the games that are not stored yet, and returns the report of all.
fn play(args: &Args, campaign: &Campaign) -> Result<Report> {
    let plan = stored::plan(campaign);
    let mut results = args.shards.open(&plan)?;
    let earlier = results
        .as_ref()
        .map(|results| results.stored::<StoredGame>());
    let earlier = earlier.transpose()?.unwrap_or_default();
    if !earlier.is_empty() {
        note!("{} games are stored already", earlier.len());
    }
    let games = selected(args, campaign, args.shards.items(&plan, results.as_ref()))?;
    let mut progress = Progress::new(games.len() as u64);
    let mut written = Ok(());
    let mut report = campaign.run_games(&games, |number, game| {
        if let Some(text) = fault(game, campaign) {
            progress.print(&text);
        }
        if let (Some(path), Ok(())) = (failures::file(game), &written) {
            written = failures::write(&path, game, campaign);
        }
        if let (Some(results), Ok(())) = (&mut results, &written) {
            written = results
                .add(number, &StoredGame::from(game))
                .map_err(Failure::from);
        }
        progress.advance();
    })?;
    progress.finish();
    written?;
    let earlier = earlier.into_iter().map(|(_, game)| GameReport::from(game));
    report.games = earlier.chain(report.games).collect();
    Ok(report)
}

/// Returns the text about a failed game.
fn fault(game: &GameReport, campaign: &Campaign) -> Option<String> {
    let mismatch = game.mismatch.as_ref()?;
    let (seed, replay) = (game.seed, campaign.replay_command(game.seed));
    let mut text = format!("game with seed {seed}: {mismatch}\nto replay it: {replay}");
    if let Some([surfer, gtkwave]) = game.wave.as_ref().map(Wave::commands) {
        text += &format!("\nto view it: {surfer}\n        or: {gtkwave}");
    }
    if let Some(path) = failures::file(game) {
        text += &format!("\nin a browser: {}", path.display());
    }
    Some(text)
}

fn summary(report: &Report, campaign: &Campaign, args: &Args) -> Summary {
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
            wave: game.wave.as_ref().map(|wave| wave.file.clone()),
            view: game.wave.as_ref().map(Wave::commands),
            html: failures::file(game),
            replay: campaign.replay_command(game.seed),
        })
    };
    Summary {
        backend: report.backend.name(),
        gates: campaign.gates.map(Technology::name),
        player: campaign.player.to_string(),
        seed: campaign.seed,
        shard: args.shards.shard.to_string(),
        games: report.games.len(),
        plies: report.plies(),
        legal_sets: report.legal_sets(),
        mismatches: report.mismatches(),
        cycles: report.cycles(),
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
        grouped(report.cycles()),
        report.wall.as_secs_f64(),
        grouped(report.cycles_per_second() as u64),
    ))?;
    output::line(format!(
        "longest reply delay: {} cycles from the prompt's last stop bit to the first start bit",
        grouped(report.longest_delay()),
    ))
}
