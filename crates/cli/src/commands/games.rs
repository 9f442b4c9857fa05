//! `duoforge games`: what was played, from journals.

use std::path::PathBuf;

use chrono::DateTime;
use clap::ValueEnum;
use duoforge_journal::{Archive, ArchivedGame, GameResult, GameRow, JournalError, Query};
use duoforge_records::{Format, Kind, Record, write_blksgf, write_list};
use duoforge_rules::Move;
use serde::Serialize;

use crate::failure::{Failure, Result};
use crate::game_files::save;
use crate::output::{self, Style, Verdict};

/// List the games of tournaments, and take them out
///
/// Journals are what `duoforge tournament` writes. Only games that have ended are listed, and all that
/// is asked for must hold of a game. With --out their moves are written, so that `duoforge show`,
/// `duoforge annotate` and Pentobi can read them.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Journals
    #[arg(required = true, value_name = "JOURNAL")]
    pub journals: Vec<PathBuf>,
    /// Games of this player
    #[arg(long, value_name = "NAME")]
    pub player: Option<String>,
    /// Games against this player
    #[arg(long, value_name = "NAME")]
    pub against: Option<String>,
    /// Games that ended like this; with --player, for that player
    #[arg(long, value_enum)]
    pub result: Option<Wanted>,
    /// Games with this ending, such as timeout, illegal or both-passed
    #[arg(long, value_name = "WORD")]
    pub ending: Option<String>,
    /// Games of this event, by name or id
    #[arg(long, value_name = "NAME")]
    pub event: Option<String>,
    /// The game with this number
    #[arg(long, value_name = "N")]
    pub game: Option<u32>,
    /// Print one JSON object a game, with its moves
    #[arg(long)]
    pub json: bool,
    /// Write the moves, as blksgf where the name ends so, else as a list; - is standard output
    #[arg(long, value_name = "PATH", conflicts_with = "json")]
    pub out: Option<PathBuf>,
}

/// Results that can be asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Wanted {
    /// One of the players won
    Won,
    /// The player who is asked for lost
    Lost,
    /// Equal scores
    Drawn,
    /// Nothing was decided
    Open,
}

/// A game for programs. Pairs hold player 1 first.
#[derive(Serialize)]
struct Row<'a> {
    event: &'a str,
    game: u32,
    round: u32,
    players: &'a [String; 2],
    first: u8,
    start: char,
    result: &'static str,
    ending: &'a str,
    detail: &'a str,
    score: [i32; 2],
    squares: [u32; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<&'a str>,
    ended: String,
    moves: Vec<&'a str>,
    /// Time for each answer in microseconds.
    us: Vec<u64>,
}

/// Lists them. The result is negative if there is none.
pub fn run(args: &Args, style: Style) -> Result<Verdict> {
    let folder = tempfile::tempdir()?;
    let index = folder.path().join("index.sqlite");
    let archive = Archive::rebuild(&index, &args.journals).map_err(|error| failure(&error))?;
    let mut rows = archive
        .games(&query(args))
        .map_err(|error| failure(&error))?;
    rows.retain(|row| fits(row, args));
    if rows.is_empty() {
        eprintln!("no game that has ended is like that");
        return Ok(Verdict::Bad);
    }
    if !args.json && args.out.is_none() {
        print(&rows, style)?;
        return Ok(Verdict::Good);
    }
    let mut games = Vec::new();
    for row in &rows {
        let game = archive.game(&row.event, row.number);
        games.extend(game.map_err(|error| failure(&error))?);
    }
    match &args.out {
        Some(path) => save(path, &written(path, &games)?)?,
        None => games
            .iter()
            .try_for_each(|game| output::json(&json(game)))?,
    }
    Ok(Verdict::Good)
}

fn query(args: &Args) -> Query {
    Query {
        player: args.player.clone(),
        against: args.against.clone(),
        result: match args.result {
            Some(Wanted::Drawn) => Some(GameResult::Draw),
            Some(Wanted::Open) => Some(GameResult::Open),
            Some(Wanted::Won | Wanted::Lost) | None => None,
        },
        ending: args.ending.clone(),
        event: args.event.clone(),
        ..Query::default()
    }
}

/// What the index is not asked.
fn fits(row: &GameRow, args: &Args) -> bool {
    let winner = match row.result {
        GameResult::One => Some(&row.players[0]),
        GameResult::Two => Some(&row.players[1]),
        GameResult::Draw | GameResult::Open => None,
    };
    let player = args.player.as_ref();
    let result = match args.result {
        Some(Wanted::Won) => winner.is_some_and(|name| player.is_none_or(|player| player == name)),
        Some(Wanted::Lost) => winner.is_some_and(|name| player.is_none_or(|player| player != name)),
        Some(Wanted::Drawn | Wanted::Open) | None => true,
    };
    result && args.game.is_none_or(|number| number == row.number)
}

fn print(rows: &[GameRow], style: Style) -> Result<()> {
    let events: Vec<_> = rows.iter().map(|row| &row.event).collect();
    let several = events.iter().any(|event| *event != events[0]);
    let mut table = vec![
        [
            "game", "round", "player 1", "player 2", "result", "score", "moves", "ending",
        ]
        .map(str::to_owned),
    ];
    table.extend(rows.iter().map(|row| {
        let number = if several {
            format!("{} {}", row.event_name, row.number)
        } else {
            row.number.to_string()
        };
        // Whoever moved first is marked, since player 1 may not be the one.
        let name = |player: usize| {
            let mark = if usize::from(row.first) == player + 1 {
                "*"
            } else {
                ""
            };
            format!("{}{mark}", row.players[player])
        };
        [
            number,
            row.round.to_string(),
            name(0),
            name(1),
            row.result.text().to_owned(),
            format!("{}:{}", row.score[0], row.score[1]),
            row.plies.to_string(),
            row.ending.clone(),
        ]
    }));
    let width = |column: usize| table.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..8).map(|column| width(column).unwrap_or(0)).collect();
    for (index, row) in table.iter().enumerate() {
        let cells = row.iter().zip(&widths).enumerate();
        let cells: Vec<_> = cells
            .map(|(column, (text, &width))| match column {
                1 | 5 | 6 => format!("{text:>width$}"),
                _ => format!("{text:width$}"),
            })
            .collect();
        let line = cells.join("  ");
        output::line(style.paint(if index == 0 { "1" } else { "" }, line.trim_end()))?;
    }
    Ok(())
}

fn json(game: &ArchivedGame) -> Row<'_> {
    let row = &game.row;
    Row {
        event: &row.event_name,
        game: row.number,
        round: row.round,
        players: &row.players,
        first: row.first,
        start: row.start,
        result: row.result.text(),
        ending: &row.ending,
        detail: &row.detail,
        score: row.score,
        squares: row.squares,
        evidence: row.evidence.as_deref(),
        ended: time(row.at_ms, "%Y-%m-%dT%H:%M:%SZ"),
        moves: game
            .moves
            .iter()
            .map(|played| played.code.as_str())
            .collect(),
        us: game.moves.iter().map(|played| played.us).collect(),
    }
}

fn time(ms: u64, form: &str) -> String {
    let time = i64::try_from(ms)
        .ok()
        .and_then(DateTime::from_timestamp_millis);
    time.map_or(String::new(), |time| time.format(form).to_string())
}

fn written(path: &std::path::Path, games: &[ArchivedGame]) -> Result<String> {
    let records = games.iter().map(record).collect::<Result<Vec<_>>>()?;
    let extension = path.extension().and_then(|extension| extension.to_str());
    match extension.and_then(Format::of_extension) {
        Some(Format::Blksgf) => write_blksgf(&records).map_err(|error| damaged(&error.to_string())),
        Some(Format::List) | None => Ok(write_list(&records)),
    }
}

/// The accepted moves of a game, whose first player is whoever moved first.
fn record(game: &ArchivedGame) -> Result<Record> {
    let row = &game.row;
    let moves = game.moves.iter().map(|played| played.code.parse::<Move>());
    let moves: Vec<_> = moves
        .collect::<std::result::Result<_, _>>()
        .map_err(|error| damaged(&error.to_string()))?;
    let mut record = Record::new(Kind::Duo, moves);
    record.players = row.players.to_vec();
    let mut score = row.score[0] - row.score[1];
    if row.first == 2 {
        record.players.reverse();
        score = -score;
    }
    let winner = match row.result {
        GameResult::One => Some(row.first == 1),
        GameResult::Two => Some(row.first == 2),
        GameResult::Draw | GameResult::Open => None,
    };
    let normal = matches!(row.ending.as_str(), "both-passed" | "all-placed");
    let result = match winner {
        Some(first) => {
            let colour = if first { "B" } else { "W" };
            let by = match row.ending.as_str() {
                _ if normal => score.abs().to_string(),
                "timeout" => "Time".to_owned(),
                "resigned" => "Resign".to_owned(),
                _ => "Forfeit".to_owned(),
            };
            format!("{colour}+{by}")
        }
        None if row.result == GameResult::Draw => "0".to_owned(),
        None => "?".to_owned(),
    };
    let round = row.round.to_string();
    let date = time(row.at_ms, "%Y-%m-%d");
    let facts = [
        ("EV", row.event_name.clone()),
        ("RO", round),
        ("DT", date),
        ("RE", result),
    ];
    record.facts = facts.map(|(name, fact)| (name.to_owned(), fact)).into();
    if !normal {
        record.comment.clone_from(&row.detail);
    }
    Ok(record)
}

fn damaged(reason: &str) -> Failure {
    Failure::new(
        "duoforge::journal",
        format!("a game of the journal cannot be replayed: {reason}"),
    )
    .help("`duoforge games --json` prints it as it stands there")
}

fn failure(error: &JournalError) -> Failure {
    Failure::new("duoforge::journal", error.to_string())
        .help("journals are written by `duoforge tournament`; is it this file?")
}
