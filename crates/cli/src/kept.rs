//! The journal of a match.

use std::path::{Path, PathBuf};

use duoforge_arena::{Game, Ply, Seat, Seats, Setup};
use duoforge_journal::{Begun, Header, Journal, Record, Rest, now_ms};
use duoforge_tournament::{ended, moved, result};

use crate::failure::Result;

/// A journal to which a match writes.
pub struct Kept {
    journal: Journal,
    names: Seats<String>,
    game: u32,
    /// Moves of the game that is under way.
    plies: usize,
    begun: bool,
}

impl Kept {
    /// Makes the journal. The command line that started the match is its plan.
    pub fn new(path: &Path, names: &Seats<String>) -> Result<Self> {
        let words: Vec<String> = std::env::args_os()
            .map(|word| word.to_string_lossy().into_owned())
            .collect();
        let [one, two] = &names.0;
        let event = format!("{one} - {two}");
        let header = Header::new("match", event, words.join(" "));
        Ok(Self {
            journal: Journal::create(path, header)?,
            names: names.clone(),
            game: 0,
            plies: 0,
            begun: false,
        })
    }

    /// A game begins.
    pub fn begin(&mut self, setup: Setup) -> Result<()> {
        self.game += 1;
        self.plies = 0;
        self.begun = true;
        let record = Record::Begun(Begun {
            game: self.game,
            attempt: 1,
            players: self.names.0.clone(),
            first: setup.first.number(),
            starts: Seat::BOTH.map(|seat| setup.start(seat).letter().into()),
            round: 1,
            seeds: [0; 2],
            opening: String::new(),
            at_ms: now_ms(),
        });
        Ok(self.journal.append(&record)?)
    }

    /// A move was accepted.
    pub fn add(&mut self, ply: &Ply) -> Result<()> {
        self.plies += 1;
        let record = Record::Moved(moved(self.game, 1, self.plies, ply));
        Ok(self.journal.append(&record)?)
    }

    /// A game has ended, perhaps before it began.
    pub fn end(&mut self, game: &Game) -> Result<()> {
        if !std::mem::take(&mut self.begun) {
            self.begin(game.setup)?;
            self.begun = false;
        }
        let record = Record::Ended(ended(game, self.game, 1, result(game.outcome), None));
        Ok(self.journal.append(&record)?)
    }

    /// The match is over.
    pub fn finish(&self) -> Result<()> {
        let rest = Rest {
            games: self.game,
            at_ms: now_ms(),
        };
        Ok(self.journal.append(&Record::Finished(rest))?)
    }
}

/// Where a match keeps its journal.
#[derive(Debug, Default, clap::Args)]
pub struct KeptArgs {
    /// Keep every move in this journal, as a tournament does; it must not be there yet
    #[arg(long, value_name = "JOURNAL")]
    pub journal: Option<PathBuf>,
}
