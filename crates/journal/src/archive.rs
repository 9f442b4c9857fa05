//! Index of journals in SQLite: for queries only, and rebuildable from the journals at any time.

use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::{Connection, OpenFlags, OptionalExtension, Row, params};

use crate::{GameHistory, GameResult, History, JournalError, Kind, read};

/// SQL of the tables. An index with other tables cannot be queried and must be rebuilt.
const TABLES: &str = "
    CREATE TABLE events (
        id TEXT PRIMARY KEY, kind TEXT NOT NULL, name TEXT NOT NULL, journal TEXT NOT NULL,
        made_ms INTEGER NOT NULL, finished INTEGER NOT NULL
    );
    CREATE TABLE games (
        event TEXT NOT NULL REFERENCES events, number INTEGER NOT NULL, attempt INTEGER NOT NULL,
        round INTEGER NOT NULL, player1 TEXT NOT NULL, player2 TEXT NOT NULL,
        first INTEGER NOT NULL, start1 TEXT NOT NULL, result TEXT NOT NULL, ending TEXT NOT NULL,
        detail TEXT NOT NULL, score1 INTEGER NOT NULL, score2 INTEGER NOT NULL,
        cells_placed1 INTEGER NOT NULL, cells_placed2 INTEGER NOT NULL, plies INTEGER NOT NULL,
        evidence TEXT, at_ms INTEGER NOT NULL, PRIMARY KEY (event, number)
    );
    CREATE TABLE moves (
        event TEXT NOT NULL, game INTEGER NOT NULL, ply INTEGER NOT NULL, player INTEGER NOT NULL,
        code TEXT NOT NULL, legal INTEGER NOT NULL, us INTEGER NOT NULL, sim_us INTEGER,
        host_us INTEGER, forfeit INTEGER NOT NULL, PRIMARY KEY (event, game, ply)
    ) WITHOUT ROWID;
    CREATE INDEX games_player1 ON games (player1);
    CREATE INDEX games_player2 ON games (player2);
    PRAGMA user_version = 2;
";

/// Index of journals, limited to finished games.
#[derive(Debug)]
pub struct Archive {
    path: PathBuf,
    connection: Connection,
}

/// Event, recorded in one journal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// [Id](crate::Header::id) of the journal.
    pub id: String,
    /// Kind of event.
    pub kind: Kind,
    /// Name of the event.
    pub name: String,
    /// Path of the journal when it was indexed.
    pub journal: PathBuf,
    /// Creation time in milliseconds since 1970.
    pub made_ms: u64,
    /// True if all games have been played.
    pub finished: bool,
    /// Number of finished games.
    pub games: u32,
}

/// Filter for games; a field that is `None` (or false) matches all games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Query {
    /// Name of one of the players.
    pub player: Option<String>,
    /// Name of the other player.
    pub against: Option<String>,
    /// Result of the game.
    pub result: Option<GameResult>,
    /// True for games won by `player`, or by either player if `player` is `None`.
    pub won: bool,
    /// Keyword of the ending, such as `timeout`.
    pub ending: Option<String>,
    /// Id or name of the event.
    pub event: Option<String>,
    /// Maximum number of games in the list.
    pub limit: Option<u32>,
}

/// Game in a list. Pairs hold player 1 first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRow {
    /// [Id](crate::Header::id) of the journal.
    pub event: String,
    /// Name of the event.
    pub event_name: String,
    /// Number of the game in the event, from 1.
    pub number: u32,
    /// Round of the event, from 1.
    pub round: u32,
    /// Number of the attempt that counted, from 1.
    pub attempt: u32,
    /// Names of the players.
    pub players: [String; 2],
    /// Number of the player that moved first.
    pub first: u8,
    /// Letter of player 1's start cell.
    pub start: char,
    /// Result of the game.
    pub result: GameResult,
    /// Keyword of the ending.
    pub ending: String,
    /// Ending in a sentence.
    pub detail: String,
    /// Score of each player.
    pub score: [i32; 2],
    /// Number of cells that each player covers.
    pub cells_placed: [u32; 2],
    /// Number of moves.
    pub plies: u32,
    /// Directory of the evidence, relative to that of the journal.
    pub evidence: Option<String>,
    /// End of the game in milliseconds since 1970.
    pub at_ms: u64,
}

/// Game with its moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivedGame {
    /// Entry of the game in a list.
    pub row: GameRow,
    /// Accepted moves.
    pub moves: Vec<ArchivedMove>,
}

/// Move of an archived game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArchivedMove {
    /// Number of the player.
    pub player: u8,
    /// Code as received.
    pub code: String,
    /// Number of legal placements before the move.
    pub legal: u32,
    /// Wall clock time of the reply in microseconds.
    pub us: u64,
    /// Simulated time of the reply in microseconds, if the player was simulated.
    pub sim_us: Option<u64>,
    /// Maximum host latency during the wait, in microseconds.
    pub host_us: Option<u64>,
    /// True if the move is a pass that the referee entered because the time bank ran out.
    pub forfeit: bool,
}

impl Archive {
    /// Rebuilds the index from these journals. The old index is replaced once the new one is
    /// complete.
    ///
    /// # Errors
    /// [`JournalError`] if a journal cannot be read, or the index cannot be written.
    pub fn rebuild(path: &Path, journals: &[PathBuf]) -> Result<Self, JournalError> {
        let mut new = path.as_os_str().to_owned();
        new.push(".new");
        let new = PathBuf::from(new);
        let _ = fs::remove_file(&new);
        Self::fill(&new, journals)?;
        fs::rename(&new, path).map_err(|error| JournalError::io(path, "written", error))?;
        Self::open(path)
    }

    fn fill(new: &Path, journals: &[PathBuf]) -> Result<(), JournalError> {
        let wrong = |source| index(new, source);
        let mut connection = Connection::open(new).map_err(wrong)?;
        connection.execute_batch(TABLES).map_err(wrong)?;
        let all = connection.transaction().map_err(wrong)?;
        for journal in journals {
            let history = read(journal)?.history;
            insert(&all, journal, &history).map_err(wrong)?;
        }
        all.commit().map_err(wrong)
    }

    /// Opens an index for queries.
    ///
    /// # Errors
    /// [`JournalError::Index`] if the index does not exist, or cannot be read.
    pub fn open(path: &Path) -> Result<Self, JournalError> {
        let flags = OpenFlags::SQLITE_OPEN_READ_ONLY;
        let connection = Connection::open_with_flags(path, flags);
        let connection = connection.map_err(|source| index(path, source))?;
        Ok(Self {
            path: path.to_owned(),
            connection,
        })
    }

    /// Events, the newest first.
    ///
    /// # Errors
    /// [`JournalError::Index`].
    pub fn events(&self) -> Result<Vec<Event>, JournalError> {
        let read = || {
            let mut statement = self.connection.prepare(
                "SELECT id, kind, name, journal, made_ms, finished,
                 (SELECT count(*) FROM games WHERE event = id) FROM events
                 ORDER BY made_ms DESC, id",
            )?;
            let events = statement.query_map([], |row| {
                Ok(Event {
                    id: row.get(0)?,
                    kind: Kind::from(row.get::<_, String>(1)?),
                    name: row.get(2)?,
                    journal: PathBuf::from(row.get::<_, String>(3)?),
                    made_ms: row.get(4)?,
                    finished: row.get(5)?,
                    games: row.get(6)?,
                })
            })?;
            events.collect::<rusqlite::Result<_>>()
        };
        read().map_err(|source| index(&self.path, source))
    }

    /// Games that match a query, in the order of events and numbers.
    ///
    /// # Errors
    /// [`JournalError::Index`].
    pub fn games(&self, query: &Query) -> Result<Vec<GameRow>, JournalError> {
        let read = || {
            let mut statement = self.connection.prepare(&format!(
                "{ROWS} WHERE (?1 IS NULL OR player1 = ?1 OR player2 = ?1)
                 AND (?2 IS NULL OR (player2 = ?2 AND (?1 IS NULL OR player1 = ?1))
                      OR (player1 = ?2 AND (?1 IS NULL OR player2 = ?1)))
                 AND (?3 IS NULL OR result = ?3)
                 AND (NOT ?4 OR (result = '1-0' AND (?1 IS NULL OR player1 = ?1))
                      OR (result = '0-1' AND (?1 IS NULL OR player2 = ?1)))
                 AND (?5 IS NULL OR ending = ?5)
                 AND (?6 IS NULL OR event = ?6 OR events.name = ?6)
                 ORDER BY events.made_ms, event, number LIMIT ?7"
            ))?;
            let rows = statement.query_map(
                params![
                    query.player,
                    query.against,
                    query.result.map(GameResult::text),
                    query.won,
                    query.ending,
                    query.event,
                    query.limit.map_or(-1, i64::from),
                ],
                row,
            )?;
            rows.collect::<rusqlite::Result<_>>()
        };
        read().map_err(|source| index(&self.path, source))
    }

    /// Returns one game of an event with its moves; `None` if it does not exist.
    ///
    /// # Errors
    /// [`JournalError::Index`].
    pub fn game(&self, event: &str, number: u32) -> Result<Option<ArchivedGame>, JournalError> {
        let read = || {
            let found = self.connection.query_row(
                &format!(
                    "{ROWS} WHERE (event = ?1 OR events.name = ?1) AND number = ?2
                          ORDER BY events.made_ms DESC LIMIT 1"
                ),
                params![event, number],
                row,
            );
            let Some(row) = found.optional()? else {
                return Ok(None);
            };
            let mut statement = self.connection.prepare(
                "SELECT player, code, legal, us, sim_us, host_us, forfeit FROM moves
                 WHERE event = ?1 AND game = ?2 ORDER BY ply",
            )?;
            let moves = statement.query_map(params![row.event, number], |row| {
                Ok(ArchivedMove {
                    player: row.get(0)?,
                    code: row.get(1)?,
                    legal: row.get(2)?,
                    us: row.get(3)?,
                    sim_us: row.get(4)?,
                    host_us: row.get(5)?,
                    forfeit: row.get(6)?,
                })
            })?;
            let moves = moves.collect::<rusqlite::Result<_>>()?;
            Ok(Some(ArchivedGame { row, moves }))
        };
        read().map_err(|source| index(&self.path, source))
    }
}

/// Query of games with the names of their events.
const ROWS: &str = "SELECT event, events.name, number, round, attempt, player1, player2, first, \
    start1, result, ending, detail, score1, score2, cells_placed1, cells_placed2, plies, evidence, at_ms \
    FROM games JOIN events ON events.id = games.event";

fn row(row: &Row<'_>) -> rusqlite::Result<GameRow> {
    let (start, result): (String, String) = (row.get(8)?, row.get(9)?);
    Ok(GameRow {
        event: row.get(0)?,
        event_name: row.get(1)?,
        number: row.get(2)?,
        round: row.get(3)?,
        attempt: row.get(4)?,
        players: [row.get(5)?, row.get(6)?],
        first: row.get(7)?,
        start: start.chars().next().unwrap_or('5'),
        result: GameResult::from_text(&result).unwrap_or(GameResult::Open),
        ending: row.get(10)?,
        detail: row.get(11)?,
        score: [row.get(12)?, row.get(13)?],
        cells_placed: [row.get(14)?, row.get(15)?],
        plies: row.get(16)?,
        evidence: row.get(17)?,
        at_ms: row.get(18)?,
    })
}

fn insert(into: &Connection, journal: &Path, history: &History) -> rusqlite::Result<()> {
    let header = &history.header;
    into.execute(
        "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)",
        params![
            header.id,
            header.kind.word(),
            header.event,
            journal.to_string_lossy(),
            signed(header.made_ms),
            history.finished
        ],
    )?;
    history
        .games
        .values()
        .try_for_each(|game| insert_game(into, &header.id, game))
}

fn insert_game(into: &Connection, event: &str, game: &GameHistory) -> rusqlite::Result<()> {
    let Some(ended) = &game.ended else {
        return Ok(());
    };
    let begun = &game.begun;
    into.prepare_cached(
        "INSERT INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )?
    .execute(params![
        event,
        begun.game,
        begun.attempt,
        begun.round,
        begun.players[0],
        begun.players[1],
        begun.first,
        begun.starts[0].to_string(),
        ended.result.text(),
        ended.ending,
        ended.detail,
        ended.score[0],
        ended.score[1],
        ended.cells_placed[0],
        ended.cells_placed[1],
        ended.plies,
        ended.evidence,
        signed(ended.at_ms)
    ])?;
    let mut statement =
        into.prepare_cached("INSERT INTO moves VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")?;
    for moved in &game.moves {
        statement.execute(params![
            event,
            begun.game,
            moved.ply,
            moved.player,
            moved.code,
            moved.legal,
            signed(moved.us),
            moved.sim_us.map(signed),
            moved.host_us.map(signed),
            moved.forfeit
        ])?;
    }
    Ok(())
}

/// SQLite has only signed integers; no time comes near their limit.
fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

fn index(path: &Path, source: rusqlite::Error) -> JournalError {
    JournalError::Index {
        path: path.to_owned(),
        source,
    }
}
