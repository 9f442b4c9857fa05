//! `duoforge annotate`: evaluation of a game, move by move.

mod evaluate;
mod report;

use std::path::{Path, PathBuf};
use std::time::Duration;

use duoforge_engine::EngineSettings;
use duoforge_page::Replay as ReplayFile;
use duoforge_pictures::curve_svg;
use duoforge_records::{Record, write_blksgf};
use duoforge_referee::{Replay, Seat};
use duoforge_rules::GameVariant;
use duoforge_twin::search::Limit;

use crate::failure::{Failure, Result};
use crate::game_files::{read_one, save};
use crate::output::{self, Style, Verdict};
use crate::play::files::distinct_from;
use crate::position::Position;
use crate::variant::WithState;
use evaluate::evaluate;
use report::Annotation;

/// Evaluate a game, move by move
///
/// For each move, prints the first player's winning chance (a draw counts half), the expected
/// margin in points, the engine's own move, and the winning chance that the move lost against it.
/// Near the end the result is exact. With --sims and one thread the result is repeatable.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// List of four-letter codes or blksgf; - is standard input
    pub file: PathBuf,
    /// Number of the game in the file, from 1
    #[arg(long, value_name = "N")]
    pub game: Option<usize>,
    /// Search time per position in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 500)]
    pub ms: u64,
    /// Number of simulations per position instead of a time; one thread unless --threads is given
    #[arg(long, value_name = "N", conflicts_with = "ms", value_parser = clap::value_parser!(u64).range(1..))]
    pub sims: Option<u64>,
    /// Number of threads, 1 to 1024 [default: one per core]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// Seed of all random choices
    #[arg(long, value_name = "SEED", default_value_t = 1)]
    pub seed: u64,
    /// Print one JSON object
    #[arg(long)]
    pub json: bool,
    /// Write the game with values and comments for Pentobi to this file; - is standard output
    #[arg(long, value_name = "PATH")]
    pub blksgf: Option<PathBuf>,
    /// Write the curve of chance and margin as SVG to this file; - is standard output
    #[arg(long, value_name = "PATH")]
    pub svg: Option<PathBuf>,
    /// Write a replay with the evaluations to this HTML file, which opens in any browser without a
    /// service; - is standard output
    #[arg(long, value_name = "PATH")]
    pub html: Option<PathBuf>,
}

impl Args {
    /// Limit of the search of each position.
    fn limit(&self) -> Limit {
        match self.sims {
            Some(sims) => Limit::Simulations(sims),
            None => Limit::Time(Duration::from_millis(self.ms)),
        }
    }

    fn settings(&self) -> EngineSettings {
        let mut settings = EngineSettings::default();
        settings.seed = self.seed;
        settings.threads = match (self.threads, self.sims) {
            (Some(threads), _) => threads.into(),
            (None, Some(_)) => 1,
            (None, None) => settings.threads,
        };
        settings
    }
}

/// Annotates the game up to a violation. The result is negative if the moves break the rules.
pub fn run(args: &Args, style: Style) -> Result<Verdict> {
    let outputs = [&args.blksgf, &args.svg, &args.html];
    let to_stdout = outputs
        .iter()
        .filter(|path| path.as_deref() == Some(Path::new("-")));
    let taken = to_stdout.count();
    if taken + usize::from(args.json) > 1 {
        let message =
            "only one of --json, --blksgf -, --svg - and --html - can go to standard output";
        return Err(Failure::new("duoforge::usage", message));
    }
    distinct_from([&args.file], outputs.into_iter().flatten())?;
    let game = read_one(&args.file, args.game, "only one can be annotated")?;
    let position = Position::after(&game.codes)?;
    let refusal = position.refusal();
    let replay = &position.replay;
    let record = legal_record(game.record, replay);
    let standings = evaluate(&replay.board, args.settings(), args.limit());
    let annotation = Annotation::new(&record, &standings, replay);
    let how = how(args);
    if let Some(path) = &args.html {
        let game = annotation.replay(&record, replay, &how);
        save(path, &ReplayFile::of(game).html())?;
    }
    if let Some(path) = &args.blksgf {
        let annotated = annotation.record(record.clone(), &how);
        let text = write_blksgf(&[annotated]).map_err(|error| Failure::bug(error.to_string()))?;
        save(path, &text)?;
    }
    if let Some(path) = &args.svg {
        let names = [Seat::One, Seat::Two].map(|seat| annotation.name(seat));
        let names = names.each_ref().map(String::as_str);
        save(path, &curve_svg(names, &annotation.curve()))?;
    }
    if args.json {
        let starts = Seat::BOTH.map(|seat| replay.setup.start(seat));
        let codes: Vec<_> = replay.plies.iter().map(|ply| ply.code).collect();
        output::json(&WithState::contest(annotation, starts, &codes))?;
    } else if taken == 0 {
        annotation.print(style)?;
    }
    if let Some(message) = &refusal {
        note!("{message}");
    }
    Ok(Verdict::of(refusal.is_none()))
}

/// Returns the record of the game, limited to the legal moves.
fn legal_record(known: Option<Record>, replay: &Replay) -> Record {
    let moves = replay.board.moves();
    match known {
        Some(mut record) => {
            record.plies.truncate(moves.len());
            record
        }
        None => Record::new(GameVariant::DUO, moves.iter().copied()),
    }
}

fn how(args: &Args) -> String {
    let (version, seed) = (env!("CARGO_PKG_VERSION"), args.seed);
    match args.sims {
        Some(sims) => {
            format!("Annotated by duoforge {version}: {sims} simulations per position, seed {seed}")
        }
        None => format!(
            "Annotated by duoforge {version}: {} ms per position",
            args.ms
        ),
    }
}
