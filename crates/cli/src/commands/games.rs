//! `duoforge games`: finished games of journals.

use std::path::{Path, PathBuf};

use chrono::DateTime;
use clap::ValueEnum;
use duoforge_journal::{Ended, GameHistory, GameResult, Header, History, read};
use duoforge_page::{Replay, ReplayGame, ReplayResult};
use duoforge_records::{Format, Record, write_blksgf, write_list};
use duoforge_rules::{GameVariant, Move};
use serde::Serialize;

use crate::commands::variant_games::{self, VariantRow};
use crate::failure::{Failure, Result};
use crate::game_files::save;
use crate::output::{self, Style, Verdict};

/// List the games of journals, and extract them
///
/// Lists finished games that match all filters. `duoforge tournament` and `duoforge match
/// --journal` write journals. With --out, writes the moves for `duoforge show`, `duoforge annotate`
/// and Pentobi.
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
    /// Games with this result; with --player, from the view of that player
    #[arg(long, value_enum)]
    pub result: Option<Wanted>,
    /// Games with this ending, such as timeout, illegal or both-passed
    #[arg(long, value_name = "WORD")]
    pub ending: Option<String>,
    /// Games of this event, by name or id
    #[arg(long, value_name = "NAME")]
    pub event: Option<String>,
    /// Game with this number
    #[arg(long, value_name = "N")]
    pub game: Option<u32>,
    /// Print one JSON object per game, with its moves
    #[arg(long)]
    pub json: bool,
    /// Write the moves to this file: blksgf for that extension, otherwise a list; - is standard
    /// output
    #[arg(long, value_name = "PATH", conflicts_with = "json")]
    pub out: Option<PathBuf>,
    /// Write a list of the games with a replay of each to this HTML file, which opens in any
    /// browser without a service; - is standard output
    #[arg(long, value_name = "PATH", conflicts_with_all = ["json", "out"])]
    pub html: Option<PathBuf>,
}

/// Result of a filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Wanted {
    /// The player won; without --player, either player won
    Won,
    /// The player lost; without --player, either player lost
    Lost,
    /// Equal scores
    Drawn,
    /// Not decided
    Open,
}

/// Finished game of a journal.
struct Played<'a> {
    event: &'a Header,
    game: &'a GameHistory,
    ended: &'a Ended,
}

/// Game in JSON. Pairs hold player 1 first.
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
    cells_placed: [u32; 2],
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<&'a str>,
    ended: String,
    moves: Vec<&'a str>,
    /// Time of each reply in microseconds.
    us: Vec<u64>,
}

/// Lists the games. The result is negative if no game matches.
pub fn run(args: &Args, style: Style) -> Result<Verdict> {
    let histories = histories(&args.journals)?;
    let games: Vec<_> = histories
        .iter()
        .flat_map(|history| {
            history.ended().map(move |(game, ended)| Played {
                event: &history.header,
                game,
                ended,
            })
        })
        .filter(|played| played.matches(args))
        .collect();
    let variant_games = variant_games::matching(&histories, args);
    if games.is_empty() && variant_games.is_empty() {
        eprintln!("no finished game matches");
        return Ok(Verdict::Bad);
    }
    if let Some(path) = &args.html {
        save(path, &replays(&games, &variant_games)?.html())?;
        return Ok(Verdict::Good);
    }
    match &args.out {
        Some(path) => save(path, &written(path, &games, &variant_games)?)?,
        None if args.json => {
            games
                .iter()
                .try_for_each(|played| output::json(&played.row()))?;
            variant_games
                .iter()
                .try_for_each(|row| output::json(&row.object()))?;
        }
        None => {
            if !games.is_empty() {
                print(&games, style)?;
            }
            if !variant_games.is_empty() {
                print_variants(&variant_games, style)?;
            }
        }
    }
    Ok(Verdict::Good)
}

/// Reads journals, the oldest event first. A journal that is named twice is listed once.
fn histories(journals: &[PathBuf]) -> Result<Vec<History>> {
    let mut histories = Vec::new();
    for path in journals {
        histories.push(read(path)?.history);
    }
    let order = |history: &History| (history.header.made_ms, history.header.id.clone());
    histories.sort_by_key(order);
    histories.dedup_by_key(|history| order(history));
    Ok(histories)
}

impl Played<'_> {
    /// Names of the players, player 1 first.
    fn players(&self) -> &[String; 2] {
        &self.game.begun.players
    }

    /// Name of the winner, if any.
    fn winner(&self) -> Option<&String> {
        let [one, two] = self.players();
        match self.ended.result {
            GameResult::One => Some(one),
            GameResult::Two => Some(two),
            GameResult::Draw | GameResult::Open => None,
        }
    }

    /// True if the game matches all filters.
    fn matches(&self, args: &Args) -> bool {
        let player = args.player.as_ref();
        let result = match args.result {
            None => true,
            Some(Wanted::Won) => self
                .winner()
                .is_some_and(|winner| player.is_none_or(|player| player == winner)),
            Some(Wanted::Lost) => self
                .winner()
                .is_some_and(|winner| player.is_none_or(|player| player != winner)),
            Some(Wanted::Drawn) => self.ended.result == GameResult::Draw,
            Some(Wanted::Open) => self.ended.result == GameResult::Open,
        };
        let event = |event: &String| [&self.event.id, &self.event.event].contains(&event);
        result
            && self.is_between(player, args.against.as_ref())
            && args.game.is_none_or(|number| number == self.ended.game)
            && args
                .ending
                .as_ref()
                .is_none_or(|word| *word == self.ended.ending)
            && args.event.as_ref().is_none_or(event)
    }

    /// True if one player has the name `player` and the other has the name `against`; `None` is any
    /// name.
    fn is_between(&self, player: Option<&String>, against: Option<&String>) -> bool {
        let [one, two] = self.players();
        let fits = |wanted: Option<&String>, name: &String| wanted.is_none_or(|it| it == name);
        fits(player, one) && fits(against, two) || fits(player, two) && fits(against, one)
    }

    fn row(&self) -> Row<'_> {
        let Self { event, game, ended } = self;
        Row {
            event: &event.event,
            game: ended.game,
            round: game.begun.round,
            players: self.players(),
            first: game.begun.first,
            start: game.begun.starts[0],
            result: ended.result.text(),
            ending: &ended.ending,
            detail: &ended.detail,
            score: ended.score,
            cells_placed: ended.cells_placed,
            evidence: ended.evidence.as_deref(),
            ended: time(ended.at_ms, "%Y-%m-%dT%H:%M:%SZ"),
            moves: game.moves.iter().map(|moved| moved.code.as_str()).collect(),
            us: game.moves.iter().map(|moved| moved.us).collect(),
        }
    }

    /// Record of the accepted moves. Its first player is the player that moved first.
    fn record(&self) -> Result<Record> {
        let Self { event, game, ended } = self;
        let moves = game.moves.iter().map(|moved| moved.code.parse::<Move>());
        let moves: Vec<_> = moves
            .collect::<std::result::Result<_, _>>()
            .map_err(|error| damaged(&error.to_string()))?;
        let mut record = Record::new(GameVariant::DUO, moves);
        record.players = self.players().to_vec();
        let mut score = ended.score[0] - ended.score[1];
        let first = game.begun.first;
        if first == 2 {
            record.players.reverse();
            score = -score;
        }
        let winner = match ended.result {
            GameResult::One => Some(first == 1),
            GameResult::Two => Some(first == 2),
            GameResult::Draw | GameResult::Open => None,
        };
        let normal = matches!(ended.ending.as_str(), "both-passed" | "all-placed");
        let result = match winner {
            Some(first) => {
                let colour = if first { "B" } else { "W" };
                let by = match ended.ending.as_str() {
                    _ if normal => score.abs().to_string(),
                    "timeout" => "Time".to_owned(),
                    "resigned" => "Resign".to_owned(),
                    _ => "Forfeit".to_owned(),
                };
                format!("{colour}+{by}")
            }
            None if ended.result == GameResult::Draw => "0".to_owned(),
            None => "?".to_owned(),
        };
        let facts = [
            ("EV", event.event.clone()),
            ("RO", game.begun.round.to_string()),
            ("DT", time(ended.at_ms, "%Y-%m-%d")),
            ("RE", result),
        ];
        record.facts = facts.map(|(name, fact)| (name.to_owned(), fact)).into();
        if !normal {
            record.comment.clone_from(&ended.detail);
        }
        Ok(record)
    }

    /// Replay of the accepted moves, with their times.
    fn replay(&self) -> Result<ReplayGame> {
        let Self { event, game, ended } = self;
        let record = self.record()?;
        let variant = record.played_variant();
        let mut replay = ReplayGame::new(&variant, &record.players, record.moves());
        complete(&replay, &record)?;
        for (shown, moved) in replay.moves.iter_mut().zip(&game.moves) {
            shown.us = Some(moved.us);
            (shown.sim_us, shown.host_us) = (moved.sim_us, moved.host_us);
            shown.forfeit = moved.forfeit;
        }
        let second = u8::from(game.begun.first == 2);
        let winners = match ended.result {
            GameResult::One => vec![second],
            GameResult::Two => vec![1 - second],
            GameResult::Draw => vec![0, 1],
            GameResult::Open => Vec::new(),
        };
        let mut scores = ended.score;
        scores.rotate_left(second.into());
        replay.id = ended.game.to_string();
        replay.ended_ms = Some(ended.at_ms);
        replay.result = Some(ReplayResult {
            scores: scores.to_vec(),
            draw: winners.len() > 1,
            winners,
            ending: ended.ending.clone(),
            detail: ended.detail.clone(),
        });
        replay.fact("event", &event.event);
        replay.fact("round", game.begun.round.to_string());
        replay.fact("game", replay.id.clone());
        replay.fact("evidence", ended.evidence.as_deref().unwrap_or_default());
        Ok(replay)
    }
}

/// Returns the replay of the games. Their names hold the event if there are several events.
fn replays(games: &[Played<'_>], variants: &[VariantRow<'_>]) -> Result<Replay> {
    let contest = games.iter().map(|played| (played.event, played.replay()));
    let variants = variants.iter().map(|row| (row.event(), row.replay()));
    let all: Vec<_> = contest.chain(variants).collect();
    let first = all[0].0;
    let several = all.iter().any(|(event, _)| event.id != first.id);
    let named = |(event, game): (&Header, Result<ReplayGame>)| {
        let mut game = game?;
        if several {
            game.id = format!("{} {}", event.event, game.id);
        }
        Ok(game)
    };
    let title = if several { "Games" } else { &first.event };
    let text = match all.len() {
        1 => String::new(),
        count => format!("{count} games"),
    };
    let games = all.into_iter().map(named).collect::<Result<_>>()?;
    Ok(Replay::new(title, text, games))
}

fn print(games: &[Played<'_>], style: Style) -> Result<()> {
    let several = games
        .iter()
        .any(|played| played.event.id != games[0].event.id);
    let mut table = vec![
        [
            "game", "round", "player 1", "player 2", "result", "score", "moves", "ending",
        ]
        .map(str::to_owned),
    ];
    table.extend(games.iter().map(|played| {
        let Played { event, game, ended } = played;
        let number = if several {
            format!("{} {}", event.event, ended.game)
        } else {
            ended.game.to_string()
        };
        // The player that moved first is marked; it may be player 2.
        let name = |player: usize| {
            let mark = if usize::from(game.begun.first) == player + 1 {
                "*"
            } else {
                ""
            };
            format!("{}{mark}", played.players()[player])
        };
        [
            number,
            game.begun.round.to_string(),
            name(0),
            name(1),
            ended.result.text().to_owned(),
            format!("{}:{}", ended.score[0], ended.score[1]),
            ended.plies.to_string(),
            ended.ending.clone(),
        ]
    }));
    print_table(&table, &[1, 5, 6], style)
}

fn print_variants(rows: &[VariantRow<'_>], style: Style) -> Result<()> {
    let several = rows.iter().any(|row| row.id() != rows[0].id());
    let mut table = vec![VariantRow::HEAD.map(str::to_owned)];
    table.extend(rows.iter().map(|row| row.cells(several)));
    print_table(&table, &[3, 4, 5], style)
}

/// Prints a table whose first row is the head; the columns `right` are aligned right.
fn print_table<const N: usize>(table: &[[String; N]], right: &[usize], style: Style) -> Result<()> {
    let width = |column: usize| table.iter().map(|row| row[column].chars().count()).max();
    let widths: Vec<usize> = (0..N).map(|column| width(column).unwrap_or(0)).collect();
    for (index, row) in table.iter().enumerate() {
        let cells = row.iter().zip(&widths).enumerate();
        let cells: Vec<_> = cells
            .map(|(column, (text, &width))| {
                if right.contains(&column) {
                    format!("{text:>width$}")
                } else {
                    format!("{text:width$}")
                }
            })
            .collect();
        let line = cells.join("  ");
        output::line(style.paint(if index == 0 { "1" } else { "" }, line.trim_end()))?;
    }
    Ok(())
}

/// Formats a time in milliseconds since 1970.
pub fn time(ms: u64, form: &str) -> String {
    let time = i64::try_from(ms)
        .ok()
        .and_then(DateTime::from_timestamp_millis);
    time.map_or(String::new(), |time| time.format(form).to_string())
}

fn written(path: &Path, games: &[Played<'_>], variants: &[VariantRow<'_>]) -> Result<String> {
    let contest = games.iter().map(Played::record);
    let variants = variants.iter().map(VariantRow::record);
    let records = contest.chain(variants).collect::<Result<Vec<_>>>()?;
    let extension = path.extension().and_then(|extension| extension.to_str());
    match extension.and_then(Format::of_extension) {
        Some(Format::Blksgf) => write_blksgf(&records).map_err(|error| damaged(&error.to_string())),
        Some(Format::List) | None => Ok(write_list(&records)),
    }
}

/// Checks that a replay has all moves of its record.
pub fn complete(replay: &ReplayGame, record: &Record) -> Result<()> {
    if replay.ply == record.plies.len() {
        return Ok(());
    }
    Err(damaged(&format!(
        "move {} breaks the rules",
        replay.ply + 1
    )))
}

/// Failure of a game that cannot be replayed.
pub fn damaged(reason: &str) -> Failure {
    Failure::new(
        "duoforge::journal",
        format!("a game of the journal cannot be replayed: {reason}"),
    )
    .help("`duoforge games --json` prints its moves")
}
