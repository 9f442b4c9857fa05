//! `duoforge games`: finished games of journals.

mod played;
mod table;

use std::cmp::Reverse;
use std::path::{Path, PathBuf};

use chrono::DateTime;
use clap::ValueEnum;
use duoforge_journal::{Header, History, read};
use duoforge_page::{Replay, ReplayGame};
use duoforge_records::{Format, Record, write_blksgf, write_list};

use crate::commands::variant_games::{self, VariantRow};
use crate::failure::{Failure, Result};
use crate::game_files::save;
use crate::output::{self, Style, Verdict};
use crate::play::files::distinct;

use played::Played;

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

/// Lists the games. The result is negative if no game matches.
pub fn run(args: &Args, style: Style) -> Result<Verdict> {
    for output in args.out.iter().chain(&args.html) {
        for journal in &args.journals {
            distinct(&[journal, output])?;
        }
    }
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
        note!("no finished game matches");
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
                table::print(&games, style)?;
            }
            if !variant_games.is_empty() {
                table::print_variants(&variant_games, style)?;
            }
        }
    }
    Ok(Verdict::Good)
}

/// Reads journals, the oldest event first. Of several copies of a journal, the one with the most games
/// is listed.
fn histories(journals: &[PathBuf]) -> Result<Vec<History>> {
    let mut histories = Vec::new();
    for path in journals {
        histories.push(read(path)?.history);
    }
    let order = |history: &History| (history.header.made_ms, history.header.id.clone());
    let games = |history: &History| history.ended().count() + history.variant_games.ended().count();
    histories.sort_by_key(|history| (order(history), Reverse(games(history)), !history.finished));
    histories.dedup_by_key(|history| order(history));
    Ok(histories)
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
