//! Comparison of searches on a reference table.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use duoforge_players::PlayerSpec;
use duoforge_rules::{Code, Move, Placement};
use serde::{Deserialize, Serialize};

use super::evaluate::command_line;
use super::lines::Appender;
use super::spec::SearchSpec;
use super::split::{Split, key};
use super::supplement::Supplement;
use super::table::{Entry, Table};
use crate::game::codes;
use crate::match_score::{Mean, show};
use crate::regret::{LEAST, MOST};
use crate::seed::derive;

/// Compare searches on a reference table
///
/// Each search chooses a placement in every position. The regret is the value of the reference
/// engine's choice minus the value of the chosen placement, both from the table. The limited regret
/// lies between -0.03 and 0.12, since a few large values dominate the variance. Each search is
/// compared with the first one, position by position; errors are standard errors over positions.
///
/// The table's values of placements with fewer than --min-visits visits are not reliable. For such
/// placements, and for those that are not listed, the regret is the difference between two separate
/// searches by the reference engine: of the position after its own choice, and of the position
/// after the placement. A supplement keeps these values; --reference adds the missing ones. Without
/// them, the placement has the lowest listed value of its position. The column `unlisted` counts
/// these choices.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Searches: KEY=VALUE,... for the twin of the search player, or a player, such as engine:level=7 or
gtp:COMMAND LINE. For example
  duoforge-lab compare table.jsonl sims=40000 sims=40000,value_count_cap=64")]
pub struct Args {
    /// Table, written by `evaluate`
    pub table: PathBuf,
    /// Searches to compare
    #[arg(required = true, value_name = "SEARCH")]
    pub searches: Vec<SearchSpec>,
    /// Further file of the same table, such as that of another shard; repeatable
    #[arg(long, value_name = "FILE")]
    pub more: Vec<PathBuf>,
    /// Half of the positions
    #[arg(long, value_name = "HALF", default_value = "training")]
    pub split: Split,
    /// Use all positions, of both halves
    #[arg(long, conflicts_with = "split")]
    pub all: bool,
    /// Number of positions [default: all of the half]
    #[arg(long, value_name = "N")]
    pub count: Option<usize>,
    /// Number of simultaneous searches
    #[arg(long, value_name = "J", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: u16,
    /// Seed from which the players' seeds are derived; the twin has its own key
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Minimum visit count of a placement whose value is taken from the table
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    pub min_visits: u32,
    /// Supplement: file of values by separate searches
    #[arg(long, value_name = "FILE")]
    pub supplement: Option<PathBuf>,
    /// Engine that adds missing values to the supplement, as gtp:COMMAND LINE
    #[arg(long, value_name = "ENGINE", requires = "supplement")]
    pub reference: Option<PlayerSpec>,
    /// File of choices: choices in it are not searched again, and new ones are appended. Delete it
    /// after a change of the code
    #[arg(long, value_name = "FILE")]
    pub choices: Option<PathBuf>,
    /// Write the results and all choices to FILE, as one JSON object
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
}

/// Choice of a search in one position, as a line of a file.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct ChoiceLine {
    search: String,
    moves: String,
    code: String,
    seconds: f64,
}

/// First line of a file of choices.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct ChoicesHeader {
    format: String,
    seed: u64,
}

/// Results of a comparison as one JSON object.
#[derive(Debug, Serialize)]
struct Comparison {
    /// Name and version of the reference engine.
    engine: String,
    /// Half of the positions; `None` for both halves.
    split: Option<Split>,
    /// Number of positions.
    positions: usize,
    /// Searches, in the order of the command line.
    searches: Vec<Summary>,
}

/// Results of one search.
#[derive(Debug, Serialize)]
struct Summary {
    search: String,
    /// Mean limited regret.
    limited_regret: Option<f64>,
    /// Standard error of `limited_regret` over positions.
    limited_regret_error: Option<f64>,
    /// Mean limited regret of the first search minus that of this one, over common positions.
    less: Option<f64>,
    /// Standard error of `less`.
    less_error: Option<f64>,
    /// Mean regret.
    regret: Option<f64>,
    /// Share of the positions with the reference engine's choice, from 0 to 1.
    agreement: Option<f64>,
    /// Number of choices whose regret is not from the table's values alone.
    unlisted: usize,
    /// Mean duration of a search in seconds.
    seconds: Option<f64>,
    /// Judged choices, in the order of the table.
    choices: Vec<ChoiceSummary>,
}

/// Choice of a search in one position.
#[derive(Debug, Serialize)]
struct ChoiceSummary {
    /// Codes of the moves that lead to the position.
    moves: String,
    code: String,
    regret: f64,
    limited_regret: f64,
    unlisted: bool,
    agrees: bool,
    seconds: f64,
}

/// Judgement of one choice.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Judged {
    placement: Placement,
    /// Value of the reference engine's choice minus the value of the chosen placement.
    regret: f64,
    /// True if the regret is not from the table's values alone.
    unlisted: bool,
    /// True if the reference engine chooses the placement too.
    agrees: bool,
    /// Duration of the search.
    time: Duration,
}

impl Judged {
    fn limited(self) -> f64 {
        self.regret.clamp(LEAST, MOST)
    }
}

/// Judgements of the choices of one search, by position.
type Judgements = Vec<Option<Judged>>;

/// Compares the searches and prints a row for each, until `stop` returns true.
///
/// # Errors
/// As for [`rows`]; a file of `--json` that cannot be written.
pub fn run(args: &Args, stop: impl Fn() -> bool + Sync) -> Result<()> {
    let comparison = compare(args, stop, |line| println!("{line}"))?;
    if let Some(path) = &args.json {
        let text = serde_json::to_string(&comparison)? + "\n";
        let written = std::fs::write(path, text);
        written.with_context(|| format!("{} cannot be written", path.display()))?;
    }
    Ok(())
}

/// Compares the searches and returns a row for each, until `stop` returns true.
///
/// # Errors
/// A table that cannot be read or has no position of the half; a player or an engine that fails.
pub fn rows(args: &Args, stop: impl Fn() -> bool + Sync) -> Result<Vec<String>> {
    let mut lines = Vec::new();
    compare(args, stop, |line| lines.push(line))?;
    lines.drain(..HEAD);
    Ok(lines)
}

/// Number of lines before the row of the first search.
const HEAD: usize = 3;

fn compare(
    args: &Args,
    stop: impl Fn() -> bool + Sync,
    mut print: impl FnMut(String),
) -> Result<Comparison> {
    let paths: Vec<_> = std::iter::once(&args.table)
        .chain(&args.more)
        .cloned()
        .collect();
    let table = Table::read(&paths)?;
    let wanted = |entry: &&Entry| args.all || entry.split == args.split;
    let entries: Vec<&Entry> = table.entries.iter().filter(wanted).collect();
    let entries = &entries[..args.count.unwrap_or(entries.len()).min(entries.len())];
    ensure!(
        !entries.is_empty(),
        "the table has no position of this half"
    );
    let mut session = Session::new(args, entries)?;
    let columns = "search | limited regret | less than the first by | regret | agreement | unlisted \
                   | s each";
    print(format!(
        "{} positions of {}",
        entries.len(),
        table.recipe.engine
    ));
    print(format!("| {columns} |"));
    print("|---|--:|--:|--:|--:|--:|--:|".to_owned());
    let mut first: Option<Judgements> = None;
    let mut searches = Vec::new();
    for search in &args.searches {
        let judged = session.judge(search, &stop)?;
        let first = first.get_or_insert_with(|| judged.clone());
        let mut summary = Summary::new(&search.to_string(), &judged, first);
        print(summary.row());
        let choices = entries.iter().zip(&judged);
        summary.choices = choices
            .filter_map(|(entry, judged)| Some(ChoiceSummary::new(entry, (*judged)?)))
            .collect();
        searches.push(summary);
        if stop() {
            break;
        }
    }
    Ok(Comparison {
        engine: table.recipe.engine,
        split: (!args.all).then_some(args.split),
        positions: entries.len(),
        searches,
    })
}

/// Comparison in progress.
struct Session<'a> {
    args: &'a Args,
    entries: &'a [&'a Entry],
    choices: Option<Appender>,
    known: HashMap<(String, String), (Placement, Duration)>,
    supplement: Option<Supplement>,
}

impl<'a> Session<'a> {
    fn new(args: &'a Args, entries: &'a [&'a Entry]) -> Result<Self> {
        let supplement = args.supplement.as_deref();
        let engine = args.reference.as_ref().map(command_line).transpose()?;
        let supplement = supplement.map(|path| Supplement::open(path, engine, args.seed));
        let mut known = HashMap::new();
        let mut choices = None;
        if let Some(path) = &args.choices {
            let header = ChoicesHeader {
                format: "duoforge choices".into(),
                seed: args.seed,
            };
            let (file, lines) = Appender::open::<_, ChoiceLine>(path, &header)?;
            choices = Some(file);
            for line in lines {
                let placement = line.code.parse::<Code>()?.placement();
                let placement =
                    placement.with_context(|| format!("{} is off the board", line.code))?;
                let time = Duration::from_secs_f64(line.seconds.max(0.0));
                known.insert((line.search, line.moves), (placement, time));
            }
        }
        Ok(Self {
            args,
            entries,
            choices,
            known,
            supplement: supplement.transpose()?,
        })
    }

    /// Judges the choices of a search in all positions; in those before an interrupt only, if
    /// `stop` returns true.
    fn judge(
        &mut self,
        search: &SearchSpec,
        stop: &(impl Fn() -> bool + Sync),
    ) -> Result<Judgements> {
        let choices = self.choose(search, stop)?;
        let mut judged = Vec::new();
        for (&entry, choice) in self.entries.iter().zip(choices) {
            judged.push(match choice {
                Some((placement, time)) => Some(self.judge_one(entry, placement, time)?),
                None => None,
            });
        }
        Ok(judged)
    }

    fn judge_one(&mut self, entry: &Entry, placement: Placement, time: Duration) -> Result<Judged> {
        let min_visits = self.args.min_visits;
        let best = entry.best(min_visits);
        let found = entry.find(placement);
        let judged = |regret, unlisted| Judged {
            placement,
            regret,
            unlisted,
            agrees: placement == best.placement,
            time,
        };
        match found {
            Some(found) if found.placement == best.placement || found.visits >= min_visits => {
                return Ok(judged(best.value - found.value, false));
            }
            _ => {}
        }
        if let Some(supplement) = &mut self.supplement {
            let best = supplement.value(&entry.board, best.placement)?;
            let own = supplement.value(&entry.board, placement)?;
            if let (Some(best), Some(own)) = (best, own) {
                return Ok(judged(best - own, true));
            }
        }
        let lowest = entry.lowest(min_visits);
        let value = found.map_or(lowest, |found| found.value.min(lowest));
        Ok(judged(best.value - value, true))
    }

    /// Returns the choices of a search, by position.
    fn choose(
        &mut self,
        search: &SearchSpec,
        stop: &(impl Fn() -> bool + Sync),
    ) -> Result<Vec<Option<(Placement, Duration)>>> {
        let (args, entries) = (self.args, self.entries);
        let name = search.to_string();
        let id = |entry: &Entry| (name.clone(), codes(entry.board.moves()));
        let known = self
            .entries
            .iter()
            .map(|entry| self.known.get(&id(entry)).copied());
        let known: Vec<_> = known.collect();
        let open: Vec<_> = (0..known.len()).filter(|&i| known[i].is_none()).collect();
        let found = Mutex::new((known, self.choices.as_mut()));
        let next = AtomicUsize::new(0);
        let work = || -> Result<()> {
            let mut player = search.open()?;
            while let Some(&i) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                if stop() {
                    break;
                }
                let entry = entries[i];
                let rows = key(&entry.board).into_iter().flatten().map(u64::from);
                player.begin();
                if search.is_seeded() {
                    player.seed(derive(args.seed, &rows.collect::<Vec<_>>()));
                }
                let start = Instant::now();
                let mv = player.choose(&entry.board)?;
                let time = start.elapsed();
                let Move::Place(placement) = mv else {
                    bail!(
                        "{search} passes in the position [{}]",
                        codes(entry.board.moves())
                    );
                };
                entry.board.check(mv)?;
                let mut found = found.lock().expect("no thread panics with the lock");
                found.0[i] = Some((placement, time));
                if let Some(file) = &mut found.1 {
                    file.push(&ChoiceLine {
                        search: name.clone(),
                        moves: codes(entry.board.moves()),
                        code: placement.to_string(),
                        seconds: (time.as_secs_f64() * 1e4).round() / 1e4,
                    })?;
                }
            }
            Ok(())
        };
        let jobs = usize::from(self.args.jobs).min(open.len());
        thread::scope(|scope| {
            let threads: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
            threads
                .into_iter()
                .try_for_each(|thread| thread.join().expect("a search does not panic"))
        })?;
        Ok(found
            .into_inner()
            .expect("no thread panics with the lock")
            .0)
    }
}

impl Summary {
    /// Summarises the judgements of a search, without its choices: `first` are those of the first
    /// search.
    fn new(search: &str, judged: &Judgements, first: &Judgements) -> Self {
        let all: Vec<Judged> = judged.iter().copied().flatten().collect();
        let mean =
            |value: &dyn Fn(&Judged) -> f64| Mean::of(&all.iter().map(value).collect::<Vec<_>>());
        let value = |of: &dyn Fn(&Judged) -> f64| mean(of).map(|mean| mean.value);
        let pairs = judged.iter().zip(first);
        let less: Vec<f64> = pairs
            .filter_map(|(own, first)| Some((*first)?.limited() - (*own)?.limited()))
            .collect();
        let (limited, less) = (mean(&|judged| judged.limited()), Mean::of(&less));
        Self {
            search: search.to_owned(),
            limited_regret: limited.map(|mean| mean.value),
            limited_regret_error: limited.and_then(|mean| mean.error),
            less: less.map(|mean| mean.value),
            less_error: less.and_then(|mean| mean.error),
            regret: value(&|judged| judged.regret),
            agreement: value(&|judged| f64::from(u8::from(judged.agrees))),
            unlisted: all.iter().filter(|judged| judged.unlisted).count(),
            seconds: value(&|judged| judged.time.as_secs_f64()),
            choices: Vec::new(),
        }
    }

    /// Formats the row of the search.
    fn row(&self) -> String {
        let digits = |value: Option<f64>, digits: usize| {
            value.map_or("-".into(), |value| format!("{value:.digits$}"))
        };
        let mean = |value: Option<f64>, error| value.map(|value| Mean { value, error });
        format!(
            "| {} | {} | {} | {} | {} | {} | {} |",
            self.search,
            show(
                mean(self.limited_regret, self.limited_regret_error),
                4,
                false
            ),
            show(mean(self.less, self.less_error), 4, true),
            digits(self.regret, 4),
            digits(self.agreement, 3),
            self.unlisted,
            digits(self.seconds, 2),
        )
    }
}

impl ChoiceSummary {
    fn new(entry: &Entry, judged: Judged) -> Self {
        Self {
            moves: codes(entry.board.moves()),
            code: judged.placement.to_string(),
            regret: judged.regret,
            limited_regret: judged.limited(),
            unlisted: judged.unlisted,
            agrees: judged.agrees,
            seconds: judged.time.as_secs_f64(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(regret: f64, unlisted: bool) -> Option<Judged> {
        let placement = "53e0".parse::<Code>().expect("a code").placement();
        Some(Judged {
            placement: placement.expect("a placement on the board"),
            regret,
            unlisted,
            agrees: regret == 0.0,
            time: Duration::from_millis(500),
        })
    }

    #[test]
    fn rows_compare_limited_regrets_position_by_position() {
        let first = vec![
            judged(0.5, false),
            judged(0.02, false),
            None,
            judged(-0.4, false),
        ];
        let second = vec![
            judged(0.02, false),
            judged(0.0, false),
            judged(0.1, true),
            judged(-0.02, true),
        ];
        assert_eq!(
            Summary::new("a", &first, &first).row(),
            "| a | 0.0367 +- 0.0441 | +0.0000 +- 0.0000 | 0.0400 | 0.000 | 0 | 0.50 |"
        );
        // The second search is better by 0.10, 0.02 and -0.01.
        assert_eq!(
            Summary::new("b", &second, &first).row(),
            "| b | 0.0250 +- 0.0263 | +0.0367 +- 0.0328 | 0.0250 | 0.250 | 2 | 0.50 |"
        );
    }
}
