//! `duoforge replay`: adjudication of recorded games.

use std::path::PathBuf;

use duoforge_pictures::{Caption, svg};
use duoforge_protocol::MoveCode;
use duoforge_records::{GameTree, TreeData};
use duoforge_referee::{Replay, ReplaySummary, Seat, Seats};
use duoforge_rules::GameVariant;
use duoforge_view::State;
use serde::Serialize;

use crate::failure::{Failure, Result};
use crate::game_files::{GameFile, no_games, one, save, several};
use crate::output::{self, Verdict};
use crate::play::files::distinct_from;
use crate::variant::{PlayedGame, VariantArgs, WithState, games_of, result};

/// Replay recorded games and adjudicate them
///
/// A list contains four-letter codes separated by blanks, one game per line; # begins a comment.
/// The other format is blksgf, the format of Pentobi. In duo, the first move may cover either start
/// cell. In variants that skip a colour without a placement, 0000 may stand for its turn. The main
/// line of a blksgf is adjudicated; --json also prints the tree of a game with variations, comments
/// or other annotations.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// List or blksgf; - is standard input
    pub file: PathBuf,
    /// Number of the only game to replay, from 1
    #[arg(long, value_name = "N")]
    pub game: Option<usize>,
    #[command(flatten)]
    pub variant: VariantArgs,
    /// Also print every move, with the number of legal placements before it
    #[arg(long)]
    pub plies: bool,
    /// Print one JSON object per game
    #[arg(long)]
    pub json: bool,
    /// Write the last position of the game as SVG to this file; needs --game if there are several
    /// games
    #[arg(long, value_name = "PATH")]
    pub svg: Option<PathBuf>,
}

/// Replays the games. The result is negative if a game breaks the rules.
pub fn run(args: &Args) -> Result<Verdict> {
    distinct_from([&args.file], &args.svg)?;
    let file = GameFile::read(&args.file)?;
    let mut games = games_of(&file, &args.file, args.variant.load()?.as_ref())?;
    let mut number = 1;
    let trees = trees(args, &file)?;
    if games.is_empty() {
        return Err(no_games(&args.file));
    }
    if let Some(wanted) = args.game {
        games = vec![one(games, wanted, &args.file)?];
        number = wanted;
    }
    if args.svg.is_some() && games.len() != 1 {
        return Err(several(games.len(), &args.file, "a picture shows only one"));
    }
    let is_other = |(variant, _): &&(GameVariant, _)| *variant != GameVariant::DUO;
    if let Some((variant, _)) = games.iter().find(is_other)
        && args.svg.is_some()
    {
        return Err(only_duo(variant));
    }
    let mut good = true;
    for ((variant, game), number) in games.iter().zip(number..) {
        let tree = trees.get(number - 1);
        if *variant != GameVariant::DUO {
            let played = PlayedGame::new(variant, &game.codes);
            good &= played.rejected.is_none();
            print_variant(&played, number, game.line, args, tree)?;
            continue;
        }
        let replay = Replay::new(&game.codes)?;
        good &= !replay.ending.is_violation();
        if args.json {
            output::json(&WithTree::new(with_state(&replay), tree))?;
        } else {
            print(&replay, number, game.line, args.plies)?;
            print_variations(tree)?;
        }
        if let Some(path) = &args.svg {
            save(path, &svg(&replay.board, &caption(&replay, &game.names())))?;
        }
    }
    Ok(Verdict::of(good))
}

/// Returns the trees of a blksgf. An illegal move in a variation is reported, and no tree is shown.
fn trees(args: &Args, file: &GameFile) -> Result<Vec<GameTree>> {
    match file.trees()? {
        Ok(trees) => Ok(trees),
        Err(error) => {
            let name = args.file.display();
            note!("{name}, {error}; variations are not shown");
            Ok(Vec::new())
        }
    }
}

/// Game in JSON, with its tree.
#[derive(Serialize)]
struct WithTree<T> {
    #[serde(flatten)]
    game: T,
    #[serde(skip_serializing_if = "Option::is_none")]
    tree: Option<TreeData>,
}

impl<T> WithTree<T> {
    /// Adds a tree that has more than the moves of the main line.
    fn new(game: T, tree: Option<&GameTree>) -> Self {
        let is_more = |tree: &&GameTree| {
            let mut nodes = (0..tree.node_count()).map(|node| tree.node(node));
            tree.variation_count() > 0 || nodes.any(|node| !node.notes.is_empty())
        };
        let tree = tree.filter(is_more).map(TreeData::from);
        Self { game, tree }
    }
}

/// Prints the number of variations of a game that has some.
fn print_variations(tree: Option<&GameTree>) -> Result<()> {
    match tree.map_or(0, GameTree::variation_count) {
        0 => Ok(()),
        1 => output::line("  1 variation besides the main line"),
        count => output::line(format!("  {count} variations besides the main line")),
    }
}

fn print(replay: &Replay, number: usize, line: usize, plies: bool) -> Result<()> {
    let (cells_placed, score) = (replay.cells_placed(), replay.score());
    output::line(format!(
        "game {number} (line {line}): {} moves, cells {}:{}, score {}:{}, {}",
        replay.plies.len(),
        cells_placed[Seat::One],
        cells_placed[Seat::Two],
        score[Seat::One],
        score[Seat::Two],
        replay.ending,
    ))?;
    if plies {
        for (ply, number) in replay.plies.iter().zip(1..) {
            let code = ply.code.escape_ascii();
            output::line(format!("{number:>6}  {code}  {:>5} legal", ply.legal))?;
        }
    }
    Ok(())
}

/// Returns the object of a game of the contest in JSON.
fn with_state(replay: &Replay) -> WithState<ReplaySummary> {
    let starts = Seat::BOTH.map(|seat| replay.setup.start(seat));
    let codes: Vec<MoveCode> = replay.plies.iter().map(|ply| ply.code).collect();
    WithState::contest(replay.summary(), starts, &codes)
}

/// Game of another variant in JSON.
#[derive(Serialize)]
struct GameSummary {
    plies: Vec<Ply>,
    ending: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    fault: Option<Fault>,
    state: State,
}

/// Move in JSON.
#[derive(Serialize)]
struct Ply {
    code: String,
    /// Mobility before the move.
    legal: u32,
    /// Colour that moved, from 0.
    colour: u8,
    /// Seat that decided, from 0.
    seat: u8,
}

/// Rejected move in JSON.
#[derive(Serialize)]
struct Fault {
    /// Number of the move in the file, from 1.
    ply: usize,
    code: String,
    reason: String,
}

impl GameSummary {
    fn new(played: &PlayedGame) -> Self {
        let plies = played.game.plies().iter().zip(&played.mobility);
        Self {
            plies: plies
                .map(|(ply, &legal)| Ply {
                    code: ply.mv.to_string(),
                    legal,
                    colour: ply.colour.0,
                    seat: ply.seat.0,
                })
                .collect(),
            ending: match &played.rejected {
                Some(_) => "illegal",
                None if played.game.is_over() => "over",
                None => "unfinished",
            },
            fault: played.rejected.as_ref().map(|rejected| Fault {
                ply: rejected.number,
                code: rejected.code.clone(),
                reason: rejected.reason.clone(),
            }),
            state: State::new(&played.game),
        }
    }
}

/// Prints a game of a variant other than the contest's.
fn print_variant(
    played: &PlayedGame,
    number: usize,
    line: usize,
    args: &Args,
    tree: Option<&GameTree>,
) -> Result<()> {
    if args.json {
        return output::json(&WithTree::new(GameSummary::new(played), tree));
    }
    let game = &played.game;
    let cells = game
        .colours()
        .map(|colour| game.cells_placed(colour).to_string());
    let ending = match &played.rejected {
        Some(rejected) => rejected.to_string(),
        None if game.is_over() => result(game),
        None => "unfinished".to_owned(),
    };
    output::line(format!(
        "game {number} (line {line}): {}, {} moves, cells {}, {ending}",
        game.variant().name(),
        game.plies().len(),
        cells.collect::<Vec<_>>().join(":"),
    ))?;
    if args.plies {
        for ((ply, legal), number) in game.plies().iter().zip(&played.mobility).zip(1..) {
            let (code, colour) = (ply.mv.to_string(), ply.colour);
            output::line(format!(
                "{number:>6}  {code}  {legal:>5} legal, colour {colour}"
            ))?;
        }
    }
    print_variations(tree)
}

/// Failure of a picture of another variant than the contest's.
pub fn only_duo(variant: &GameVariant) -> Failure {
    let message = format!("--svg draws duo only, and the game is `{}`", variant.name());
    Failure::new("duoforge::usage", message).help("without --svg, `duoforge show` draws it as text")
}

/// Returns the caption of a replayed game, with the names of the players if known.
pub fn caption(replay: &Replay, names: &Seats<String>) -> Caption {
    let (cells_placed, score) = (replay.cells_placed(), replay.score());
    let name = |seat: Seat| match names[seat].as_str() {
        "" => seat.to_string(),
        name => name.to_owned(),
    };
    let text = |seat| {
        let name = name(seat);
        format!(
            "{name}: {} cells, score {}",
            cells_placed[seat], score[seat]
        )
    };
    Caption {
        players: Seat::BOTH.map(text),
        ..Caption::default()
    }
}
