//! `duoforge convert`: conversion between formats of games.

use std::path::{Path, PathBuf};

use clap::ValueEnum;
use duoforge_records::{
    Format, GameTree, Record, SgfError, write_blksgf, write_blksgf_trees, write_list,
};
use duoforge_rules::GameVariant;

use crate::failure::{Failure, Result};
use crate::game_files::{GameFile, StoredGame, no_games, one, save};
use crate::output::Verdict;
use crate::play::files::distinct_from;
use crate::variant::{VariantArgs, games_of};

/// Convert games between lists and the files of Pentobi
///
/// The format of FILE is detected from its first character. The output format is --to, else OUT's
/// extension, else the other format. From blksgf to blksgf, all variations and comments are kept. A
/// list keeps only the moves of the main line, which takes the first branch of each variation, and
/// the names. Games that break the rules can be written as lists, but not as blksgf. Moves that --ply
/// or --game leave out are not judged. A blksgf states its variant; --variant states that of a
/// list.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// List of four-letter codes or blksgf; - is standard input
    pub file: PathBuf,
    /// File to write; - is standard output
    #[arg(default_value = "-")]
    pub out: PathBuf,
    /// Output format
    #[arg(long, value_enum)]
    pub to: Option<OutputFormat>,
    /// Number of the only game to convert, from 1
    #[arg(long, value_name = "N")]
    pub game: Option<usize>,
    /// Maximum number of moves of each game
    #[arg(long, value_name = "N")]
    pub ply: Option<usize>,
    /// Leave variations out of a blksgf
    #[arg(long)]
    pub main_line: bool,
    #[command(flatten)]
    pub variant: VariantArgs,
    /// Write one file per game, numbered before the dot of OUT: Pentobi reads one game per file
    #[arg(long)]
    pub split: bool,
}

/// Output format.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum OutputFormat {
    /// Four-letter codes, one game per line
    List,
    /// Pentobi's Blokus SGF
    Blksgf,
}

/// Converts the games. The result is negative if a game for a blksgf breaks the rules.
pub fn run(args: &Args) -> Result<Verdict> {
    if !args.split {
        distinct_from([&args.file], [&args.out])?;
    }
    let variant = args.variant.load()?;
    let file = GameFile::read(&args.file)?;
    let mut games = games_of(&file, &args.file, variant.as_ref())?;
    if games.is_empty() {
        return Err(no_games(&args.file));
    }
    let mut number = 1;
    if let Some(wanted) = args.game {
        games = vec![one(games, wanted, &args.file)?];
        number = wanted;
    }
    let to = target(args, file.format);
    let mut records = Vec::new();
    for ((variant, game), number) in games.iter().zip(number..) {
        match record(variant, game, args) {
            Ok(record) => records.push(record),
            Err(reason) => return Ok(refused(args, number, game.line, &reason)),
        }
    }
    if to == Format::Blksgf {
        for ((record, (_, game)), number) in records.iter().zip(&games).zip(number..) {
            if let Err(reason) = write_blksgf(std::slice::from_ref(record)) {
                return Ok(refused(args, number, game.line, &reason.to_string()));
            }
        }
    }
    let trees = match trees(args, &file, &games, to, number)? {
        Ok(trees) => trees,
        Err(error) => return Ok(refused_variation(args, &error)),
    };
    let texts: Vec<_> = records
        .iter()
        .enumerate()
        .map(|(index, record)| {
            let tree = trees.get(index).and_then(Option::as_ref);
            written(to, record, tree)
        })
        .collect();
    if args.split {
        write_each(args, to, &texts, number)?;
    } else {
        save(&args.out, &together(to, &records, &texts))?;
        if to == Format::Blksgf && records.len() > 1 {
            let total = records.len();
            note!(
                "{total} games in one file; Pentobi reads one game per file: --split writes these"
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
        Some(OutputFormat::List) => Format::List,
        Some(OutputFormat::Blksgf) => Format::Blksgf,
        None => extension
            .and_then(Format::of_extension)
            .unwrap_or(match from {
                Format::List => Format::Blksgf,
                Format::Blksgf => Format::List,
            }),
    }
}

fn record(
    variant: &GameVariant,
    game: &StoredGame,
    args: &Args,
) -> std::result::Result<Record, String> {
    let mut game = game.clone();
    if let Some(ply) = args.ply {
        game.codes.truncate(ply);
        if let Some(record) = &mut game.record {
            record.plies.truncate(ply);
        }
    }
    game.record(variant).map_err(|error| error.to_string())
}

/// Returns the trees of the games, where the output keeps them; the inner error is an illegal move.
/// Other games of the file and later moves than --ply are not judged.
fn trees(
    args: &Args,
    file: &GameFile,
    games: &[(GameVariant, StoredGame)],
    to: Format,
    first: usize,
) -> Result<std::result::Result<Vec<Option<GameTree>>, SgfError>> {
    if to != Format::Blksgf || args.main_line {
        return Ok(Ok(Vec::new()));
    }
    let numbers = first - 1..first - 1 + games.len();
    let chosen = match file.trees_of(numbers, args.ply.unwrap_or(usize::MAX))? {
        Ok(chosen) => chosen,
        Err(error) => return Ok(Err(error)),
    };
    let mut trees = Vec::new();
    for (tree, (variant, _)) in chosen.into_iter().zip(games) {
        if tree.variant() != variant && tree.variation_count() > 0 {
            let (name, stated) = (args.file.display(), tree.variant().name());
            let message = format!(
                "{name} has variations of `{stated}`, which cannot be converted to `{}`",
                variant.name()
            );
            return Err(Failure::new("duoforge::usage", message)
                .help("--main-line converts the main line alone"));
        }
        trees.push(Some(tree).filter(|tree| tree.variant() == variant));
    }
    Ok(Ok(trees))
}

/// Writes a game, which is legal if the format requires it.
fn written(to: Format, record: &Record, tree: Option<&GameTree>) -> String {
    let text = match (to, tree) {
        (Format::List, _) => return write_list(std::slice::from_ref(record)),
        (Format::Blksgf, Some(tree)) => write_blksgf_trees(std::slice::from_ref(tree)),
        (Format::Blksgf, None) => write_blksgf(std::slice::from_ref(record)),
    };
    text.unwrap_or_default()
}

/// Joins the texts of the games; those of a list have numbers.
fn together(to: Format, records: &[Record], texts: &[String]) -> String {
    match to {
        Format::List => write_list(records),
        Format::Blksgf => texts.concat(),
    }
}

fn write_each(args: &Args, to: Format, texts: &[String], first: usize) -> Result<()> {
    let out = &args.out;
    if out == Path::new("-") {
        let message = "--split needs a file name for OUT, as in games.blksgf";
        return Err(Failure::new("duoforge::usage", message));
    }
    let stem = out.file_stem().unwrap_or_default().to_string_lossy();
    let extension = match (out.extension(), to) {
        (Some(extension), _) => extension.to_string_lossy(),
        (None, Format::List) => "txt".into(),
        (None, Format::Blksgf) => "blksgf".into(),
    };
    let digits = (first + texts.len()).to_string().len().max(3);
    let numbers = first..first + texts.len();
    let files: Vec<_> = numbers
        .map(|number| out.with_file_name(format!("{stem}-{number:0digits$}.{extension}")))
        .collect();
    distinct_from([&args.file], &files)?;
    for (path, text) in files.iter().zip(texts) {
        save(path, text)?;
    }
    Ok(())
}

fn refused(args: &Args, number: usize, line: usize, reason: &str) -> Verdict {
    let name = args.file.display();
    note!(
        "{name}, game {number} (line {line}): {reason}; nothing was written. --ply N limits the \
         moves, --game N chooses a game"
    );
    Verdict::Bad
}

fn refused_variation(args: &Args, error: &SgfError) -> Verdict {
    note!(
        "{}, {error}; nothing was written. --main-line leaves variations out",
        args.file.display()
    );
    Verdict::Bad
}
