//! Wire log of a match.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

use duoforge_links::wirelog::{WireEntry, WireLog};
use duoforge_referee::{Game, GameSummary, Seat};
use serde::{Deserialize, Serialize};

use crate::failure::{Failure, Result};

/// Name of the line of the referee's remarks; one of them ends each game.
const REFEREE: &str = "referee";

/// Wire log that is written game by game; it is complete up to the last finished game.
#[derive(Debug)]
pub struct WireFile {
    path: PathBuf,
    out: BufWriter<File>,
    /// True if the lines are JSON objects.
    is_json: bool,
    games: u32,
}

/// Line before the entries of a game in a wire log of JSON objects.
#[derive(Serialize)]
struct Header<'a> {
    game: u32,
    #[serde(flatten)]
    summary: &'a GameSummary,
}

/// Line for a game without entries in a wire log of JSON objects.
#[derive(Serialize)]
struct Missing {
    game: u32,
    missing: bool,
}

impl WireFile {
    /// Creates the wire log of a match: JSON objects if the name ends in `.jsonl`, text otherwise.
    ///
    /// # Errors
    /// `duoforge::file`.
    pub fn create(path: &Path) -> Result<Self> {
        let file = File::create(path).map_err(|error| Failure::file("written", path, &error))?;
        Ok(Self::new(path, file))
    }

    /// Opens the wire log of a match with `earlier` games, to continue it. A last game without its
    /// end is removed, and the log names each earlier game that it does not contain.
    ///
    /// # Errors
    /// `duoforge::file`.
    pub fn continued(path: &Path, earlier: u32) -> Result<Self> {
        let open = || {
            let mut options = File::options();
            options.read(true).write(true).create(true).truncate(false);
            options.open(path)
        };
        let file = open().map_err(|error| Failure::file("written", path, &error))?;
        let mut log = Self::new(path, file);
        let missing = log.cut(earlier).map_err(|error| log.failed(&error))?;
        if !missing.is_empty() {
            let numbers: Vec<_> = missing.iter().map(u32::to_string).collect();
            let numbers = numbers.join(", ");
            let path = path.display();
            note!("{path}: the bytes of these games are missing: {numbers}");
        }
        log.games = earlier;
        Ok(log)
    }

    fn new(path: &Path, file: File) -> Self {
        let extension = path.extension();
        Self {
            path: path.to_owned(),
            out: BufWriter::new(file),
            is_json: extension.is_some_and(|extension| extension == "jsonl"),
            games: 0,
        }
    }

    /// Removes a last game without its end, and adds a line for each of the first `earlier` games
    /// that is missing. Returns their numbers. A device or a pipe has no content.
    fn cut(&mut self, earlier: u32) -> io::Result<Vec<u32>> {
        let file = self.out.get_mut();
        if !file.metadata()?.is_file() {
            return Ok(Vec::new());
        }
        let kept = Kept::read(BufReader::new(&*file), self.is_json)?;
        file.set_len(kept.len)?;
        file.seek(SeekFrom::Start(kept.len))?;
        let missing = (1..=earlier).filter(|number| !kept.games.contains(number));
        let missing: Vec<_> = missing.collect();
        for &game in &missing {
            if self.is_json {
                let missing = true;
                self.object(&Missing { game, missing })?;
            } else {
                let text = "missing, not written before the program stopped";
                writeln!(self.out, "# game {game}: {text}")?;
            }
        }
        self.out.flush()?;
        Ok(missing)
    }

    /// Adds a game.
    ///
    /// # Errors
    /// `duoforge::file`.
    pub fn add(&mut self, game: &Game) -> Result<()> {
        self.games += 1;
        self.add_as(game, self.games, "")
    }

    /// Adds an annulled attempt at the next game.
    ///
    /// # Errors
    /// `duoforge::file`.
    pub fn add_annulled(&mut self, game: &Game) -> Result<()> {
        self.add_as(game, self.games + 1, ", annulled")
    }

    fn add_as(&mut self, game: &Game, number: u32, remark: &str) -> Result<()> {
        let written = if self.is_json {
            self.objects(game, number)
        } else {
            self.text(game, number, remark)
        };
        written
            .and_then(|()| self.out.flush())
            .map_err(|error| self.failed(&error))
    }

    /// Adds the traffic of a game that a failure of this program aborted.
    ///
    /// # Errors
    /// `duoforge::file`.
    pub fn add_fragment(&mut self, log: &WireLog) -> Result<()> {
        let out = &mut self.out;
        let written = if self.is_json {
            log.write_json(out)
        } else {
            writeln!(out, "# aborted game").and_then(|()| write!(out, "{log}"))
        };
        written
            .and_then(|()| self.out.flush())
            .map_err(|error| self.failed(&error))
    }

    fn text(&mut self, game: &Game, number: u32, remark: &str) -> io::Result<()> {
        let out = &mut self.out;
        writeln!(out, "# game {number}{remark}")?;
        for seat in Seat::BOTH {
            let name = game.names[seat].replace(['\r', '\n'], " ");
            let start = game.setup.start(seat);
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
        let mut entries = game.wire.iter();
        entries.try_for_each(|entry| writeln!(out, "{entry}"))
    }

    fn objects(&mut self, game: &Game, number: u32) -> io::Result<()> {
        let summary = &GameSummary::from(game);
        self.object(&Header {
            game: number,
            summary,
        })?;
        let out = &mut self.out;
        let mut entries = game.wire.iter();
        entries.try_for_each(|entry| writeln!(out, "{}", entry.to_json()))
    }

    fn object(&mut self, object: &impl Serialize) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, object)?;
        writeln!(self.out)
    }

    fn failed(&self, error: &io::Error) -> Failure {
        Failure::file("written", &self.path, error)
    }
}

/// Part of a wire log that a continued match keeps.
#[derive(Debug, Default, PartialEq, Eq)]
struct Kept {
    /// Length without a last game that lacks its end, in bytes.
    len: u64,
    /// Numbers of the games with their ends, and of those that the log names as missing.
    games: BTreeSet<u32>,
}

/// Meaning of a line.
enum Line {
    /// Line before the entries of a game.
    Begin(u32),
    /// Line in place of the entries of a game.
    Missing(u32),
    /// Referee's remark at the end of a game.
    End,
    /// Any other line.
    Other,
}

impl Kept {
    fn read(mut log: impl BufRead, is_json: bool) -> io::Result<Self> {
        let mut kept = Self::default();
        let (mut begun, mut len) = (None, 0);
        let mut line = Vec::new();
        loop {
            line.clear();
            len += log.read_until(b'\n', &mut line)? as u64;
            // A killed process leaves a part of a line.
            let Some(text) = line.strip_suffix(b"\n") else {
                return Ok(kept);
            };
            let text = String::from_utf8_lossy(text);
            match if is_json { object(&text) } else { plain(&text) } {
                Line::Begin(number) => begun = Some(number),
                Line::Missing(number) => {
                    kept.games.insert(number);
                }
                Line::End => kept.games.extend(begun.take()),
                Line::Other => {}
            }
            if begun.is_none() {
                kept.len = len;
            }
        }
    }
}

/// Returns the meaning of a line of text.
fn plain(line: &str) -> Line {
    if let Some(title) = line.strip_prefix("# game ") {
        let (number, is_missing) = match title.split_once(": missing") {
            Some((number, _)) => (number, true),
            None => (title, false),
        };
        return match number.parse() {
            Ok(number) if is_missing => Line::Missing(number),
            Ok(number) => Line::Begin(number),
            // An annulled attempt.
            Err(_) => Line::Other,
        };
    }
    line.parse().map_or(Line::Other, |entry| of_entry(&entry))
}

/// Returns the meaning of a JSON object.
fn object(line: &str) -> Line {
    #[derive(Deserialize)]
    struct Title {
        game: u32,
        #[serde(default)]
        missing: bool,
        ending: Option<String>,
    }
    match serde_json::from_str::<Title>(line) {
        Ok(title) if title.missing => Line::Missing(title.game),
        Ok(title) if title.ending.as_deref() == Some("annulled") => Line::Other,
        Ok(title) => Line::Begin(title.game),
        Err(_) => WireEntry::from_json(line).map_or(Line::Other, |entry| of_entry(&entry)),
    }
}

fn of_entry(entry: &WireEntry) -> Line {
    if entry.line == REFEREE && entry.bytes().is_none() {
        Line::End
    } else {
        Line::Other
    }
}
