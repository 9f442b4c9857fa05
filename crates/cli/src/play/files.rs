//! Files that a match writes: wire log and list of games.

use std::fs::File;
use std::io::{self, BufWriter, Read as _, Seek as _, SeekFrom, Write};
use std::path::{Path, PathBuf};

use duoforge_links::wirelog::WireLog;
use duoforge_referee::{Game, GameSummary, Seat};
use serde::Serialize;

use crate::failure::{Failure, Result};
use crate::report_files::in_directory;

/// File that is written game by game; it is complete up to the last finished game.
#[derive(Debug)]
pub struct GameFile {
    path: PathBuf,
    out: BufWriter<File>,
    form: Form,
    games: u32,
}

/// Creates a file, or opens it to continue it after its last whole line.
pub fn create(path: &Path, continues: bool) -> Result<File> {
    let open = || {
        let mut options = File::options();
        options.write(true).create(true).truncate(!continues);
        let mut file = options.read(continues).open(path)?;
        if continues && file.metadata()?.is_file() {
            let whole = end_of_lines(&mut file)?;
            file.set_len(whole)?;
            file.seek(SeekFrom::Start(whole))?;
        }
        Ok(file)
    };
    open().map_err(|error| Failure::file("written", path, &error))
}

/// Returns the length of a file up to its last line break; a killed process leaves a part of a line.
fn end_of_lines(file: &mut File) -> io::Result<u64> {
    let mut end = file.seek(SeekFrom::End(0))?;
    let mut block = vec![0; 1 << 16];
    while end > 0 {
        let begin = end.saturating_sub(block.len() as u64);
        let part = &mut block[..(end - begin) as usize];
        file.seek(SeekFrom::Start(begin))?;
        file.read_exact(part)?;
        if let Some(at) = part.iter().rposition(|&byte| byte == b'\n') {
            return Ok(begin + at as u64 + 1);
        }
        end = begin;
    }
    Ok(0)
}

/// Fails if two of the files that a match writes are one, or if one cannot be made.
pub fn distinct_outputs<const N: usize>(outputs: [&Option<PathBuf>; N]) -> Result<()> {
    let outputs: Vec<_> = outputs
        .into_iter()
        .flatten()
        .map(PathBuf::as_path)
        .collect();
    outputs.iter().try_for_each(|path| in_directory(path))?;
    distinct(&outputs)
}

/// Fails if two of these files are one, so that a command would write over it.
pub fn distinct(paths: &[&Path]) -> Result<()> {
    for (index, path) in paths.iter().enumerate() {
        if paths[..index].iter().any(|other| is_same(path, other)) {
            let message = format!("{} is named twice", path.display());
            return Err(Failure::new("duoforge::usage", message)
                .help("name a file of its own for each output, and none of the inputs"));
        }
    }
    Ok(())
}

/// True if two paths name one file.
fn is_same(one: &Path, other: &Path) -> bool {
    #[cfg(unix)]
    if let (Ok(one), Ok(other)) = (one.metadata(), other.metadata()) {
        use std::os::unix::fs::MetadataExt as _;
        return one.is_file() && (one.dev(), one.ino()) == (other.dev(), other.ino());
    }
    let place = place(one);
    place.is_some() && place == self::place(other)
}

/// Returns the path of a regular file, or of one to be created, without links; `None` for a device or
/// a directory.
fn place(path: &Path) -> Option<PathBuf> {
    match path.canonicalize() {
        Ok(found) => found.is_file().then_some(found),
        Err(_) => {
            let directory = path
                .parent()
                .filter(|parent| !parent.as_os_str().is_empty());
            let directory = directory.unwrap_or(Path::new(".")).canonicalize().ok()?;
            Some(directory.join(path.file_name()?))
        }
    }
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
    /// Creates a wire log, or continues that of a match with `earlier` games: JSON objects if the name
    /// ends in `.jsonl`, text otherwise.
    pub fn wire_log(path: &Path, earlier: Option<u32>) -> Result<Self> {
        let json = path
            .extension()
            .is_some_and(|extension| extension == "jsonl");
        let form = if json { Form::WireJson } else { Form::WireText };
        Self::open(path, form, earlier)
    }

    /// Creates a list of games for `duoforge replay`, or continues that of a match with `earlier` games.
    pub fn list(path: &Path, earlier: Option<u32>) -> Result<Self> {
        Self::open(path, Form::List, earlier)
    }

    fn open(path: &Path, form: Form, earlier: Option<u32>) -> Result<Self> {
        Ok(Self {
            path: path.to_owned(),
            out: BufWriter::new(create(path, earlier.is_some())?),
            form,
            games: earlier.unwrap_or(0),
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
