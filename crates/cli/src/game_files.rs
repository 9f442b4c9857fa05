//! Files of games in all formats.

use std::fs;
use std::io::{self, Read, Write};
use std::ops::Range;
use std::path::Path;

use duoforge_protocol::MoveCode;
use duoforge_records::{
    FileRecord, Format, GameTree, ListedGame, MOST_BYTES, Record, SgfError, SgfFault, read_blksgf,
    read_each_blksgf_tree, read_list, text,
};
use duoforge_referee::{Seat, Seats};
use duoforge_rules::{CodeError, GameVariant, Move};
use miette::LabeledSpan;

use crate::failure::{Failure, Result};
use crate::variant::PlayedGame;

/// Game of a file.
#[derive(Clone, Debug)]
pub struct StoredGame {
    /// Line of the file at which the game begins, from 1.
    pub line: usize,
    /// Codes of the moves, which may be illegal.
    pub codes: Vec<MoveCode>,
    /// Record of the game; `None` for a list.
    pub record: Option<Record>,
}

impl StoredGame {
    /// Returns the record of the game, in which `variant` is played.
    ///
    /// # Errors
    /// A code whose tile lies off the board at the left or above: a record cannot contain it.
    pub fn record(&self, variant: &GameVariant) -> std::result::Result<Record, CodeError> {
        if let Some(record) = self.record.as_ref().filter(|it| it.variant == *variant) {
            return Ok(record.clone());
        }
        let played = PlayedGame::new(variant, &self.codes);
        let moves = if played.rejected.is_none() {
            // Without the passes of skipped turns.
            let plies = played.game.plies().iter();
            plies.map(|ply| ply.mv).collect()
        } else {
            let codes = self.codes.iter();
            let moves = codes.map(|&code| Move::from_code_bytes(code));
            moves.collect::<std::result::Result<Vec<_>, _>>()?
        };
        let mut record = Record::new(variant.clone(), moves);
        if let Some(known) = &self.record {
            record.facts.clone_from(&known.facts);
            record.comment.clone_from(&known.comment);
            if known.players.len() == record.players.len() {
                record.players.clone_from(&known.players);
            }
        }
        Ok(record)
    }

    /// Names of the players of Blokus Duo, the first one first; empty if unknown. Control
    /// characters are replaced, so that a file cannot control the terminal.
    pub fn names(&self) -> Seats<String> {
        let names = self.record.as_ref().map(|record| &record.players);
        let name = |seat: Seat| names.and_then(|names| names.get(seat as usize));
        Seats::each(|seat| {
            name(seat).map_or(String::new(), |name| name.replace(char::is_control, " "))
        })
    }
}

impl From<ListedGame> for StoredGame {
    fn from(game: ListedGame) -> Self {
        Self {
            line: game.line,
            codes: game.codes.iter().map(|code| code.bytes).collect(),
            record: None,
        }
    }
}

impl From<FileRecord> for StoredGame {
    fn from(game: FileRecord) -> Self {
        Self {
            line: game.line,
            codes: game.record.moves().map(Move::to_code_bytes).collect(),
            record: Some(game.record),
        }
    }
}

/// File of games, which is a list or a blksgf.
pub struct GameFile {
    name: String,
    text: String,
    /// Format of the file.
    pub format: Format,
}

impl GameFile {
    /// Reads a file; `-` is standard input.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = bytes(path).map_err(|error| Failure::file("read", path, &error))?;
        let name = path.to_string_lossy().into_owned();
        let text = text(&bytes).map_err(|error| {
            Failure::new("duoforge::file", format!("{name} cannot be read: {error}"))
        })?;
        Ok(Self {
            format: Format::of(text),
            text: text.to_owned(),
            name,
        })
    }

    /// Returns the games; of a blksgf, the main lines.
    pub fn games(&self) -> Result<Vec<StoredGame>> {
        let (name, text) = (&self.name, &self.text);
        match self.format {
            Format::List => match read_list(text) {
                Ok(games) => Ok(games.into_iter().map(StoredGame::from).collect()),
                Err(error) => Err(Failure::list(name, text.clone(), &error)),
            },
            Format::Blksgf => match read_blksgf(text) {
                Ok(games) => {
                    report_omitted(name, &games);
                    Ok(games.into_iter().map(StoredGame::from).collect())
                }
                Err(error) => Err(unreadable(name, text, &error)),
            },
        }
    }

    /// Returns the games of a blksgf with all variations; of a list, none.
    ///
    /// # Errors
    /// A fault in a line other than the main one. An illegal move is the inner error.
    pub fn trees(&self) -> Result<std::result::Result<Vec<GameTree>, SgfError>> {
        self.trees_of(0..usize::MAX, usize::MAX)
    }

    /// Returns games of a blksgf with all variations, by their indices, and of each line the first
    /// `plies` moves; of a list, none.
    ///
    /// # Errors
    /// A fault in one of these games up to the last of these moves. An illegal move is the inner
    /// error.
    pub fn trees_of(
        &self,
        games: Range<usize>,
        plies: usize,
    ) -> Result<std::result::Result<Vec<GameTree>, SgfError>> {
        if self.format == Format::List {
            return Ok(Ok(Vec::new()));
        }
        let (name, text) = (&self.name, &self.text);
        let all = read_each_blksgf_tree(text, plies);
        let all = all.map_err(|error| unreadable(name, text, &error))?;
        let chosen = all.into_iter().skip(games.start).take(games.len());
        let trees = chosen.map(|game| game.map(|game| game.tree));
        match trees.collect::<std::result::Result<Vec<_>, _>>() {
            Err(error) if !matches!(error.fault, SgfFault::Illegal { .. }) => {
                Err(unreadable(name, text, &error))
            }
            trees => Ok(trees),
        }
    }
}

/// Reads the games of a file; all of them must be Blokus Duo.
pub fn read(path: &Path) -> Result<Vec<StoredGame>> {
    let games = GameFile::read(path)?.games()?;
    let is_other = |game: &&StoredGame| {
        let record = game.record.as_ref();
        record.is_some_and(|record| record.variant != GameVariant::DUO)
    };
    if let Some(game) = games.iter().find(is_other) {
        let (name, line) = (path.display(), game.line);
        let message = format!("{name}, line {line}: the game is not Blokus Duo");
        return Err(Failure::new("duoforge::game", message)
            .help("state, show, replay and convert read it; other commands read only Blokus Duo"));
    }
    Ok(games)
}

/// Reads one game of a file: game `number`, or the only one. `reason` states why one is needed.
pub fn read_one(path: &Path, number: Option<usize>, reason: &str) -> Result<StoredGame> {
    let games = read(path)?;
    if number.is_none() && games.len() > 1 {
        return Err(several(games.len(), path, reason));
    }
    one(games, number.unwrap_or(1), path)
}

/// Returns the game of this number, from 1.
pub fn one<T>(mut games: Vec<T>, number: usize, path: &Path) -> Result<T> {
    let (name, total) = (path.display(), games.len());
    if total == 0 {
        return Err(no_games(path));
    }
    if number == 0 || number > total {
        let message = format!("{name} has no game {number}: expected 1 to {total}");
        return Err(Failure::new("duoforge::usage", message));
    }
    Ok(games.swap_remove(number - 1))
}

/// Failure of a file without games.
pub fn no_games(path: &Path) -> Failure {
    let message = format!("{} contains no games", path.display());
    Failure::new("duoforge::usage", message)
        .help("a list contains four-letter codes, one game per line; the other format is blksgf")
}

/// Failure of a file with several games where one is needed.
pub fn several(total: usize, path: &Path, reason: &str) -> Failure {
    let message = format!("{} contains {total} games, and {reason}", path.display());
    Failure::new("duoforge::usage", message).help("--game N chooses one")
}

/// Writes a text to a file; `-` is standard output.
pub fn save(path: &Path, text: &str) -> Result<()> {
    if path == Path::new("-") {
        io::stdout().lock().write_all(text.as_bytes())?;
        return Ok(());
    }
    fs::write(path, text).map_err(|error| Failure::file("written", path, &error))
}

/// Reads a file up to one byte more than the maximum size of a file of games.
fn bytes(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let most = MOST_BYTES as u64 + 1;
    if path == Path::new("-") {
        io::stdin().lock().take(most).read_to_end(&mut bytes)?;
    } else {
        fs::File::open(path)?.take(most).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

fn report_omitted(name: &str, games: &[FileRecord]) {
    for game in games.iter().filter(|game| game.left_out > 0) {
        note!(
            "{name}, line {}: {} moves after the end of the game are omitted: by the contest's \
             rules a game ends when one player has placed every tile",
            game.line,
            game.left_out
        );
    }
}

fn unreadable(name: &str, text: &str, error: &SgfError) -> Failure {
    let place = error.place;
    let span = LabeledSpan::at(place.offset..place.offset + place.len, "here");
    Failure::new("duoforge::blksgf", format!("{name}, {error}"))
        .help(error.fault.help())
        .shown(name, text.to_owned(), span)
}
