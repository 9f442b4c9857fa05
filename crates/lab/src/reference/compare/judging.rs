//! Choices of searches, searched or read from a file, and their judgement by the table.

use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use duoforge_rules::{Code, Move, Placement};
use serde::{Deserialize, Serialize};

use super::super::evaluate::command_line;
use super::super::lines::Appender;
use super::super::spec::SearchSpec;
use super::super::split::key;
use super::super::supplement::Supplement;
use super::super::table::Entry;
use super::Args;
use crate::game::codes;
use crate::regret::{LEAST, MOST};
use crate::seed::derive;

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

/// Judgement of one choice.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Judged {
    pub placement: Placement,
    /// Value of the reference engine's choice minus the value of the chosen placement.
    pub regret: f64,
    /// True if the regret is not from the table's values alone.
    pub unlisted: bool,
    /// True if the reference engine chooses the placement too.
    pub agrees: bool,
    /// Duration of the search.
    pub time: Duration,
}

impl Judged {
    pub fn limited(self) -> f64 {
        self.regret.clamp(LEAST, MOST)
    }
}

/// Judgements of the choices of one search, by position.
pub type Judgements = Vec<Option<Judged>>;

/// Comparison in progress.
pub struct Session<'a> {
    args: &'a Args,
    entries: &'a [&'a Entry],
    choices: Option<Appender>,
    known: HashMap<(String, String), (Placement, Duration)>,
    supplement: Option<Supplement>,
}

impl<'a> Session<'a> {
    pub fn new(args: &'a Args, entries: &'a [&'a Entry]) -> Result<Self> {
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
                let parse = || -> Result<Placement> {
                    let placement = line.code.parse::<Code>()?.placement();
                    placement.context("it is off the board")
                };
                let placement = parse().with_context(|| {
                    format!("{}: {} in [{}]", path.display(), line.code, line.moves)
                })?;
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
    pub fn judge(
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
        let failed = AtomicBool::new(false);
        let choose = || -> Result<()> {
            let mut player = search.open()?;
            while let Some(&i) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                if stop() || failed.load(Ordering::Relaxed) {
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
        // The other searches end with the one in progress after a failure.
        let work = || choose().inspect_err(|_| failed.store(true, Ordering::Relaxed));
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
