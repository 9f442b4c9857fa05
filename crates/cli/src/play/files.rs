//! Files that a match writes: wire log and list of games.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use duoforge_links::wirelog::WireLog;
use duoforge_referee::{Game, GameSummary, Seat};
use serde::Serialize;

use crate::failure::{Failure, Result};

/// File that is written game by game; it is complete up to the last finished game.
#[derive(Debug)]
pub struct GameFile {
    path: PathBuf,
    out: BufWriter<File>,
    form: Form,
    games: u32,
}

/// Format of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    WireText,
    WireJson,
    List,
}

/// Line before the entries of a game in a wire log of JSON objects.
#[derive(Serialize)]
struct Header<'a> {
    game: u32,
    #[serde(flatten)]
    summary: &'a GameSummary,
}

impl GameFile {
    /// Creates a wire log: JSON objects if the name ends in `.jsonl`, text otherwise.
    pub fn wire_log(path: &Path) -> Result<Self> {
        let json = path
            .extension()
            .is_some_and(|extension| extension == "jsonl");
        Self::create(path, if json { Form::WireJson } else { Form::WireText })
    }

    /// Creates a list of games for `duoforge replay`.
    pub fn list(path: &Path) -> Result<Self> {
        Self::create(path, Form::List)
    }

    fn create(path: &Path, form: Form) -> Result<Self> {
        let file = File::create(path).map_err(|error| Failure::file("written", path, &error))?;
        Ok(Self {
            path: path.to_owned(),
            out: BufWriter::new(file),
            form,
            games: 0,
        })
    }

    /// Adds a game.
    pub fn add(&mut self, game: &Game) -> Result<()> {
        self.games += 1;
        let write = match self.form {
            Form::WireText => self.wire_text(game),
            Form::WireJson => self.wire_json(game),
            Form::List => self.listed(game),
        };
        write
            .and_then(|()| self.out.flush())
            .map_err(|error| Failure::file("written", &self.path, &error))
    }

    /// Adds the traffic of a game that a failure of this program aborted.
    pub fn add_fragment(&mut self, log: &WireLog) -> Result<()> {
        let out = &mut self.out;
        let write = match self.form {
            Form::WireText => writeln!(out, "# aborted game").and_then(|()| write!(out, "{log}")),
            Form::WireJson => log.write_json(out),
            Form::List => Ok(()),
        };
        write
            .and_then(|()| self.out.flush())
            .map_err(|error| Failure::file("written", &self.path, &error))
    }

    fn wire_text(&mut self, game: &Game) -> io::Result<()> {
        let out = &mut self.out;
        writeln!(out, "# game {}", self.games)?;
        for seat in Seat::BOTH {
            let (name, start) = (&game.names[seat], game.setup.start(seat));
            let first = if game.setup.first == seat {
                ", moves first"
            } else {
                ""
            };
            writeln!(
                out,
                "# line {}: {seat}, {name}, starts at {start}{first}",
                seat.number()
            )?;
        }
        game.wire
            .iter()
            .try_for_each(|entry| writeln!(out, "{entry}"))
    }

    fn wire_json(&mut self, game: &Game) -> io::Result<()> {
        let header = Header {
            game: self.games,
            summary: &GameSummary::from(game),
        };
        serde_json::to_writer(&mut self.out, &header)?;
        writeln!(self.out)?;
        let out = &mut self.out;
        game.wire
            .iter()
            .try_for_each(|entry| writeln!(out, "{}", entry.to_json()))
    }

    fn listed(&mut self, game: &Game) -> io::Result<()> {
        let first = &game.names[game.setup.first];
        let second = &game.names[game.setup.first.other()];
        // A comment of the list is one line.
        let ending = game.ending.to_string().replace('\n', "\\n");
        writeln!(
            self.out,
            "# game {}: {first} against {second}; {ending}",
            self.games
        )?;
        writeln!(self.out, "{}", game.codes())
    }
}
