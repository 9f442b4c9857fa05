//! `duoforge convert`: games from one format into another.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use duoforge_records::{Format, Kind, Record, write_blksgf, write_list};

use crate::commands::perft::Game;
use crate::failure::{Failure, Result};
use crate::game_files::{StoredGame, one, read_all, save};
use crate::output::Verdict;

/// Convert games between lists and the files of Pentobi
///
/// What FILE is, its first character tells. Into which format it goes follows from --to, else from the
/// name of OUT, else it is the other one. From blksgf the main line is taken, of each fork the first way.
/// A list keeps moves and names only. Games that break the rules can go into lists, but into no blksgf.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// A list of four-letter codes or a blksgf; - is standard input
    pub file: PathBuf,
    /// Where to write; - is standard output
    #[arg(default_value = "-")]
    pub out: PathBuf,
    /// Format to write
    #[arg(long, value_enum)]
    pub to: Option<Target>,
    /// Only this game, counted from 1
    #[arg(long, value_name = "N")]
    pub game: Option<usize>,
    /// Only this number of moves of each game
    #[arg(long, value_name = "N")]
    pub ply: Option<usize>,
    /// Which game a list is of, as it does not say so itself
    #[arg(long, value_enum, default_value_t)]
    pub variant: Game,
    /// A file for each game, numbered before the dot of OUT: Pentobi reads one game a file
    #[arg(long)]
    pub split: bool,
}

/// Formats that can be written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// Four-letter codes, one game a line
    List,
    /// Pentobi's Blokus SGF
    Blksgf,
}

/// Converts them. The result is negative if a game breaks the rules that should go into a blksgf.
pub fn run(args: &Args) -> Result<Verdict> {
    let (from, mut games) = read_all(&args.file)?;
    let mut number = 1;
    if let Some(wanted) = args.game {
        games = vec![one(games, wanted, &args.file)?];
        number = wanted;
    }
    let to = target(args, from);
    let mut records = Vec::new();
    for (game, number) in games.iter().zip(number..) {
        match record(game, args) {
            Ok(record) => records.push(record),
            Err(reason) => return Ok(refused(args, number, game.line, &reason)),
        }
    }
    if to == Format::Blksgf {
        for ((record, game), number) in records.iter().zip(&games).zip(number..) {
            if let Err(reason) = write_blksgf(std::slice::from_ref(record)) {
                return Ok(refused(args, number, game.line, &reason.to_string()));
            }
        }
    }
    if args.split {
        write_each(args, to, &records, number)?;
    } else {
        save(&args.out, &written(to, &records))?;
        if to == Format::Blksgf && records.len() > 1 {
            let total = records.len();
            eprintln!(
                "{total} games in one file; Pentobi reads one game a file, as --split writes"
            );
        }
    }
    Ok(Verdict::Good)
}

fn target(args: &Args, from: Format) -> Format {
    let extension = args
        .out
        .extension()
        .and_then(|extension| extension.to_str());
    match args.to {
        Some(Target::List) => Format::List,
        Some(Target::Blksgf) => Format::Blksgf,
        None => extension
            .and_then(Format::of_extension)
            .unwrap_or(match from {
                Format::List => Format::Blksgf,
                Format::Blksgf => Format::List,
            }),
    }
}

fn record(game: &StoredGame, args: &Args) -> std::result::Result<Record, String> {
    let kind = match args.variant {
        Game::Duo => Kind::Duo,
        Game::Classic => Kind::Classic,
    };
    let mut game = game.clone();
    if let Some(ply) = args.ply {
        game.codes.truncate(ply);
        if let Some(record) = &mut game.record {
            record.plies.truncate(ply);
        }
    }
    game.record(kind).map_err(|error| error.to_string())
}

/// What was checked to be legal, if that is needed.
fn written(to: Format, records: &[Record]) -> String {
    match to {
        Format::List => write_list(records),
        Format::Blksgf => write_blksgf(records).unwrap_or_default(),
    }
}

fn write_each(args: &Args, to: Format, records: &[Record], first: usize) -> Result<()> {
    let out = &args.out;
    if out == Path::new("-") {
        let message = "--split needs the name of a file, as in games.blksgf";
        return Err(Failure::new("duoforge::usage", message));
    }
    let stem = out.file_stem().unwrap_or_default().to_string_lossy();
    let extension = match (out.extension(), to) {
        (Some(extension), _) => extension.to_string_lossy(),
        (None, Format::List) => "txt".into(),
        (None, Format::Blksgf) => "blksgf".into(),
    };
    let digits = (first + records.len()).to_string().len().max(3);
    for (record, number) in records.iter().zip(first..) {
        let name = format!("{stem}-{number:0digits$}.{extension}");
        let text = written(to, std::slice::from_ref(record));
        save(&out.with_file_name(name), &text)?;
    }
    Ok(())
}

fn refused(args: &Args, number: usize, line: usize, reason: &str) -> Verdict {
    let name = args.file.display();
    eprintln!(
        "{name}, game {number} (line {line}): {reason}; nothing was written: --ply cuts games before it, \
         --game chooses others"
    );
    Verdict::Bad
}
