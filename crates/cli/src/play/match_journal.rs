//! Journal of a match.

use std::path::{Path, PathBuf};
use std::time::Duration;

use duoforge_journal::{
    Annulled, Begun, Finished, GameResult, Header, History, Journal, JournalError, Kind, Record,
    now_ms,
};
use duoforge_referee::{Game, Outcome, Ply, Referee, Seat, Seats, Setup, Tally};
use duoforge_tournament::{Played, ended, moved, result};

use crate::failure::{Failure, Result};
use crate::play::former;

/// Journal to which a match writes.
pub struct MatchJournal {
    journal: Journal,
    names: Seats<String>,
    versions: Seats<Option<String>>,
    game: u32,
    attempt: u32,
    /// Number of moves of the current game.
    plies: usize,
    begun: bool,
    /// Number of annulled attempts at the next game.
    annulled: u32,
}

impl MatchJournal {
    /// Opens the journal of a match: a new one, or that of the same match if it was interrupted. An
    /// interrupted game is annulled and replayed. Returns the journal and its history.
    pub fn open(path: &Path, referee: &Referee, args: &KeptArgs) -> Result<(Self, History)> {
        let names = referee.names();
        let [one, two] = &names.0;
        let (journal, history) = open_match(path, format!("{one} - {two}"), &args.words)?;
        let mut kept = Self {
            journal,
            names,
            versions: referee.versions(),
            game: history.ended().count() as u32,
            attempt: 1,
            plies: 0,
            begun: false,
            annulled: 0,
        };
        kept.void(&history)?;
        note!(
            "to continue after an interruption: duoforge resume '{}'",
            path.display()
        );
        Ok((kept, history))
    }

    /// True if the journal holds a game, so that another process has played in this match.
    pub fn is_resumed(&self) -> bool {
        self.game > 0 || self.annulled > 0
    }

    /// Annuls the interrupted game.
    fn void(&mut self, history: &History) -> Result<()> {
        for game in history.running() {
            let Begun { game, attempt, .. } = game.begun;
            let reason = "the process stopped, and a device cannot be set to a position";
            note!("game {game} restarts: {reason}");
            self.journal.append(&Record::Annulled(Annulled {
                game,
                attempt,
                reason: reason.to_owned(),
            }))?;
        }
        let next = history.games.get(&(self.game + 1));
        self.annulled = next.map_or(0, |game| game.begun.attempt);
        Ok(())
    }

    /// Records the beginning of a game, with the waits for resets before it in microseconds.
    pub fn begin(&mut self, setup: Setup, reset_us: [u64; 2]) -> Result<()> {
        self.game += 1;
        self.attempt = 1 + std::mem::take(&mut self.annulled);
        self.plies = 0;
        self.begun = true;
        let record = Record::Begun(Begun {
            game: self.game,
            attempt: self.attempt,
            players: self.names.0.clone(),
            first: setup.first.number(),
            starts: Seat::BOTH.map(|seat| setup.start(seat).letter().into()),
            round: 1,
            seeds: [0; 2],
            versions: self.versions.0.clone(),
            reset_us,
            opening: String::new(),
            at_ms: now_ms(),
        });
        Ok(self.journal.append(&record)?)
    }

    /// Records an accepted move.
    pub fn add(&mut self, ply: &Ply) -> Result<()> {
        self.plies += 1;
        let record = Record::Moved(moved(self.game, self.attempt, self.plies, ply));
        Ok(self.journal.append(&record)?)
    }

    /// Records the end of a game.
    pub fn end(&mut self, game: &Game) -> Result<()> {
        self.ensure_begun(game)?;
        let result = result(game.outcome);
        let record = Record::Ended(ended(game, self.game, self.attempt, result, None));
        Ok(self.journal.append(&record)?)
    }

    /// Records that an attempt at a game was annulled; the next attempt has the same number.
    pub fn annul(&mut self, game: &Game) -> Result<()> {
        self.ensure_begun(game)?;
        self.journal.append(&Record::Annulled(Annulled {
            game: self.game,
            attempt: self.attempt,
            reason: game.ending.to_string(),
        }))?;
        self.game -= 1;
        self.annulled = self.attempt;
        Ok(())
    }

    /// Records the beginning of a game that ended before it.
    fn ensure_begun(&mut self, game: &Game) -> Result<()> {
        if !std::mem::take(&mut self.begun) {
            self.begin(game.setup, game.resets.0.map(micros))?;
            self.begun = false;
        }
        Ok(())
    }

    /// Records the end of the match.
    pub fn finish(&self) -> Result<()> {
        let rest = Finished {
            games: self.game,
            at_ms: now_ms(),
        };
        Ok(self.journal.append(&Record::Finished(rest))?)
    }
}

/// Opens the journal of a match: a new one, or that of the same match if it was interrupted.
/// `words` is the command line of the match, if it is not that of this process.
pub fn open_match(path: &Path, event: String, words: &[String]) -> Result<(Journal, History)> {
    let words = match words {
        [] => command_line()?,
        words => words.to_vec(),
    };
    let plan = serde_json::to_string(&words).expect("words are texts");
    match Journal::create(path, Header::new(Kind::Match, event, plan.clone())) {
        // The new journal is opened again below, like an existing one.
        Ok(journal) => drop(journal),
        Err(JournalError::Exists(_)) => {
            let history = duoforge_journal::read(path)?.history;
            if history.header.kind != Kind::Match || history.header.plan != plan {
                return Err(of_another_match(path));
            }
            if history.finished {
                return Err(finished(path).help(
                    "`duoforge games JOURNAL` lists its games; --journal with another file plays the match again",
                ));
            }
            former::check(path, &history.header, words)?;
        }
        Err(error) => return Err(error.into()),
    }
    opened(path)
}

/// Failure of a journal whose match is finished.
pub fn finished(path: &Path) -> Failure {
    let message = format!("{}: the match is finished", path.display());
    Failure::new("duoforge::journal::finished", message)
}

/// Failure of an existing journal that is not of the match of this command line.
fn of_another_match(path: &Path) -> Failure {
    let message = format!(
        "{} already exists, and is the journal of another match or event",
        path.display()
    );
    Failure::new("duoforge::journal::exists", message).help(
        "--journal names another file; `duoforge resume JOURNAL` continues the event of a journal",
    )
}

/// Time in microseconds.
pub fn micros(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// Opens a journal to continue it, and reports the bytes that were removed from its end.
pub fn opened(path: &Path) -> Result<(Journal, History)> {
    let (journal, history, torn) = Journal::open(path)?;
    if let Some(torn) = torn {
        note!(
            "{}: moved {} bytes of an incomplete last line to a separate file ({})",
            path.display(),
            torn.len,
            torn.reason
        );
    }
    Ok((journal, history))
}

/// Returns the words of the command line that started a match, from its journal.
pub fn words(history: &History, path: &Path) -> Result<Vec<String>> {
    serde_json::from_str(&history.header.plan).map_err(|_| {
        let message = format!(
            "{} does not contain the command line of a match",
            path.display()
        );
        Failure::new("duoforge::journal::other", message)
            .help("`duoforge games JOURNAL` lists the finished games")
    })
}

/// Returns the words of the command line of this process. A journal stores them as UTF-8 text.
fn command_line() -> Result<Vec<String>> {
    let words = std::env::args_os().skip(1);
    words
        .map(|word| {
            word.into_string().map_err(|word| {
                let message = format!(
                    "argument '{}' is not UTF-8, and a journal stores the command line as UTF-8 text",
                    word.display()
                );
                Failure::new("duoforge::usage", message).help(
                    "use names of files and directories in UTF-8, or leave out --journal",
                )
            })
        })
        .collect()
}

/// True if a finished game ended by a violation, also by one without a loser.
pub fn has_violation(history: &History) -> bool {
    // Former versions counted annulled games.
    let mut games = history.ended().map(|(_, ended)| Played::from(ended));
    games.any(|game| game.is_violation() && game.ending != "annulled")
}

/// Returns the tally of the finished games.
pub fn tally(history: &History) -> Tally {
    let mut tally = Tally::default();
    for (game, ended) in history.ended() {
        let outcome = match ended.result {
            GameResult::One => Outcome::Win(Seat::One),
            GameResult::Two => Outcome::Win(Seat::Two),
            GameResult::Draw => Outcome::Draw,
            GameResult::Open => Outcome::Open,
        };
        let violator = Played::from(ended).violator();
        let violator = violator.map(|player| Seat::BOTH[player]);
        tally.count(outcome, violator, ended.cells_placed, ended.score);
        tally.add_resets(game.begun.reset_us);
        for moved in &game.moves {
            let seat = if moved.player == 2 {
                Seat::Two
            } else {
                Seat::One
            };
            tally.time(seat, moved.sim_us.unwrap_or(moved.us));
        }
    }
    tally
}

/// Options of the journal of a match.
#[derive(Clone, Debug, Default, clap::Args)]
pub struct KeptArgs {
    /// Write every move to this journal; an unfinished journal of the same match is continued
    #[arg(long, value_name = "JOURNAL")]
    pub journal: Option<PathBuf>,
    /// Command line that started the match, if it is not that of this process.
    #[arg(skip)]
    pub words: Vec<String>,
}
