//! Casual games: created, moved, taken back and resigned by clients, with programs as opponents.
//!
//! Each game has a journal. A record is on the disk before a request is answered, so that a killed
//! service loses nothing that it acknowledged. After a restart a game continues where its journal
//! ends.

mod asked;
mod end;
mod problems;
mod table;
mod think;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use duoforge_journal::{
    CasualBegun, CasualRecord, CasualSeat, Header, Journal, JournalError, Kind, Record, now_ms,
};
use duoforge_rules::{GameVariant, ScoringRule};
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;
use utoipa::ToSchema;

pub use problems::{bad_player, unknown, unknown_variant};
use problems::{disk, locked, read_only, unknown_scoring};
pub use table::Table;

use crate::dto::GameView;
use crate::feed::Feed;
use crate::names::printable;
use crate::players::{OfferError, Players};
use crate::position;
use crate::problem::Problem;
use crate::seat_players::{SeatPlayer, UnpluggedSeat};
use crate::stream::Notice;

/// Maximum number of casual games that are open at once.
pub const MAX_OPEN: usize = 64;

/// Maximum length of a person's name in characters.
const MAX_NAME: usize = 40;

/// Request for a new game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// Name of a built-in variant.
    #[schema(example = "duo")]
    pub variant: String,
    /// One entry for each seat of the variant; seat 0 moves first.
    #[schema(min_items = 1, max_items = 4, example = json!([{"kind": "person"}, {"kind": "person"}]))]
    pub seats: Vec<NewSeat>,
    /// Scoring rule: `basic`, `advanced`, `alternative` or `cells`; default: that of the variant.
    pub scoring: Option<String>,
}

/// Seat of a new game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, tag = "kind", rename_all = "lowercase")]
pub enum NewSeat {
    /// Person at a page.
    Person {
        /// Name, up to 40 printable characters.
        name: Option<String>,
    },
    /// Program.
    Player {
        /// Name of a player in `GET players`.
        player: String,
        /// Level, from 1, for a player with levels.
        #[schema(minimum = 1, maximum = 255)]
        level: Option<u8>,
    },
}

/// Open tables by the ids of their games.
type OpenTables = BTreeMap<String, Arc<Table>>;

/// Program of a seat; `None` for a person.
type Program = Option<Box<dyn SeatPlayer>>;

/// Casual games of this service.
pub struct Tables {
    directory: PathBuf,
    feed: Arc<Feed>,
    players: Arc<Players>,
    notices: broadcast::Sender<Notice>,
    open: Mutex<OpenTables>,
    /// Held while a game of a journal is opened, with its programs; moves in open games do not wait.
    opening: Mutex<()>,
    created: AtomicU64,
}

impl Tables {
    /// Creates the games of a directory. Programs whose turn it is begin to think.
    pub fn new(
        directory: PathBuf,
        feed: Arc<Feed>,
        players: Arc<Players>,
        notices: broadcast::Sender<Notice>,
    ) -> Self {
        let tables = Self {
            directory,
            feed,
            players,
            notices,
            open: Mutex::default(),
            opening: Mutex::default(),
            created: AtomicU64::new(0),
        };
        for journal in tables.feed.open_casual() {
            let id = format!("{journal}.1");
            // A game in which a person is to move is opened by its next move. A game of another
            // service, or one that cannot be opened, can still be watched.
            if tables.is_programs_turn(&id) {
                let _ = tables.open(&id);
            }
        }
        tables
    }

    fn lock(&self) -> MutexGuard<'_, OpenTables> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Creates a game.
    pub fn create(&self, request: &NewGame) -> Result<GameView, Problem> {
        let variant =
            position::variant(&request.variant).map_err(|_| unknown_variant(&request.variant))?;
        let scoring = match &request.scoring {
            None => variant.scoring(),
            Some(name) => ScoringRule::named(name).ok_or_else(|| unknown_scoring(name))?,
        };
        let seats = self.seats(request, variant)?;
        // A full service opens no program in vain.
        make_room(&mut self.lock())?;
        let players = seats.iter().filter_map(|seat| seat.player.as_deref());
        let free = self.players.check_free(players);
        free.map_err(|error| bad_player(&error))?;
        let begun = CasualBegun {
            variant: variant.name().to_owned(),
            scoring: scoring.name().to_owned(),
            seats,
            at_ms: now_ms(),
        };
        // Before the journal exists: another game, an examination or a tournament may take a device
        // meanwhile. Without the lock: a program may take long to start.
        let named = begun
            .seats
            .iter()
            .map(|it| (it.player.as_deref(), it.level));
        let variant = variant.clone().with_scoring(scoring);
        let programs = self.programs(named, &variant, begun.at_ms);
        let programs = programs.into_iter().collect::<Result<Vec<_>, _>>();
        let programs = programs.map_err(|error| bad_player(&error))?;
        let mut open = self.lock();
        make_room(&mut open)?;
        let names: Vec<_> = begun.seats.iter().map(|seat| seat.name.as_str()).collect();
        let mut header = Header::new(Kind::Casual, names.join(" - "), "");
        let number = self.created.fetch_add(1, Ordering::Relaxed);
        header.id = format!("{}-{number:x}", header.id);
        let id = format!("{}.1", header.id);
        let path = self.directory.join(format!("{}.journal", header.id));
        let journal = Journal::create(&path, header).map_err(|error| disk(&error))?;
        let record = Record::Casual(CasualRecord::Begun(begun));
        journal.append(&record).map_err(|error| disk(&error))?;
        self.feed.refresh(&path);
        let table = self.table(&id, journal, programs)?;
        open.insert(id, Arc::clone(&table));
        drop(open);
        let view = table.view();
        table.think();
        view
    }

    /// Returns the open table of a game; opens its journal if no request has done so yet.
    pub fn open(&self, id: &str) -> Result<Arc<Table>, Problem> {
        self.open_with(id, false)
    }

    /// Resigns a game for the person in a seat, also if a player of the game is not available.
    pub fn resign(&self, id: &str, ply: usize, seat: u8) -> Result<GameView, Problem> {
        self.open_with(id, true)?.resign(ply, seat)
    }

    /// Returns the table of a game if it is open.
    fn find(&self, id: &str) -> Option<Arc<Table>> {
        let mut open = self.lock();
        close_ended(&mut open);
        let table = open.get(id)?;
        // The journal may have been deleted. A copy elsewhere is not playable.
        self.feed.refresh(table.path());
        if self.feed.game(id).is_some_and(|game| game.playable) {
            return Some(Arc::clone(table));
        }
        table.stop();
        open.remove(id);
        None
    }

    /// Returns the open table of a game, or opens it. If `absent` is true, players may be missing:
    /// such a table is for one resignation, and does not stay open.
    fn open_with(&self, id: &str, absent: bool) -> Result<Arc<Table>, Problem> {
        if let Some(table) = self.find(id) {
            return Ok(table);
        }
        let _opening = self.opening.lock().unwrap_or_else(PoisonError::into_inner);
        // Another request may have opened it meanwhile.
        if let Some(table) = self.find(id) {
            return Ok(table);
        }
        let game = self.feed.game(id).ok_or_else(|| unknown(id))?;
        if !game.playable {
            return Err(read_only());
        }
        if game.result.is_some() {
            return Err(Problem::conflict("duoforge::over", "the game has ended"));
        }
        make_room(&mut self.lock())?;
        let seats = game.seats.iter();
        let named = seats.map(|it| (it.player.as_deref(), it.level));
        let mut programs = self.programs(named, &game.variant, game.begun_ms);
        let is_complete = programs.iter().all(Result::is_ok);
        if absent {
            let missing = programs.iter_mut().filter(|program| program.is_err());
            missing.for_each(|program| *program = Ok(Some(Box::new(UnpluggedSeat))));
        }
        let programs = programs.into_iter().collect::<Result<Vec<_>, _>>();
        let programs = programs.map_err(|error| bad_player(&error))?;
        let mut open = self.lock();
        make_room(&mut open)?;
        let path = self.feed.path(&game.journal).ok_or_else(|| unknown(id))?;
        let (journal, ..) = match Journal::open(&path) {
            Ok(journal) => journal,
            Err(JournalError::Locked(_)) => return Err(locked()),
            Err(error) => return Err(disk(&error)),
        };
        self.feed.refresh(&path);
        let table = self.table(id, journal, programs)?;
        if is_complete {
            open.insert(id.to_owned(), Arc::clone(&table));
            drop(open);
            table.think();
        }
        Ok(table)
    }

    /// Ends the games of a board that is not plugged in any more.
    pub fn lose(&self, player: &str) {
        let tables: Vec<_> = self.lock().values().cloned().collect();
        tables.iter().for_each(|table| table.lose(player));
    }

    /// True if moves of a game can be taken back now.
    pub fn can_undo(&self, id: &str) -> bool {
        let game = self.feed.game(id);
        let open = game.filter(|game| game.playable && game.result.is_none());
        open.is_some_and(|game| {
            let mut players = game.seats.iter().filter_map(|seat| seat.player.as_deref());
            players.all(|name| self.players.undoes(name)) && table::undo_to(&game).is_some()
        })
    }

    /// Opens the programs of seats, each given by its player and level.
    fn programs<'a>(
        &self,
        seats: impl Iterator<Item = (Option<&'a str>, Option<u8>)>,
        variant: &GameVariant,
        begun_ms: u64,
    ) -> Vec<Result<Program, OfferError>> {
        let numbered = (0..).zip(seats);
        let programs = numbered.map(|(seat, (player, level))| {
            let seed = begun_ms.wrapping_mul(4).wrapping_add(seat);
            let open = |name| self.players.open(name, level, variant, seed);
            player.map(open).transpose()
        });
        programs.collect()
    }

    fn table(
        &self,
        id: &str,
        journal: Journal,
        programs: Vec<Program>,
    ) -> Result<Arc<Table>, Problem> {
        let game = self.feed.game(id).ok_or_else(|| unknown(id))?;
        let asked_ms = self.feed.asked_ms(&game.journal);
        Ok(Arc::new(Table::new(
            game,
            asked_ms,
            journal,
            Arc::clone(&self.feed),
            &self.players,
            self.notices.clone(),
            programs,
        )))
    }

    fn is_programs_turn(&self, id: &str) -> bool {
        let game = self.feed.game(id);
        game.is_some_and(|game| {
            let seat = game.game(usize::MAX).seat_to_move();
            seat.is_none_or(|seat| {
                let view = game.seats.get(usize::from(seat.0));
                view.is_some_and(|view| view.player.is_some())
            })
        })
    }

    fn seats(&self, request: &NewGame, variant: &GameVariant) -> Result<Vec<CasualSeat>, Problem> {
        let count = variant.seat_count();
        if request.seats.len() != count {
            let found = request.seats.len();
            let message = format!(
                "seats={found} does not fit {}: expected {count}",
                variant.name()
            );
            return Err(Problem::invalid("duoforge::seats", message));
        }
        let numbered = (1..).zip(&request.seats);
        let seats = numbered.map(|(number, seat)| match seat {
            NewSeat::Person { name } => Ok(CasualSeat {
                name: person(name.as_deref(), number)?,
                player: None,
                level: None,
                unofficial: false,
            }),
            NewSeat::Player { player, level } => {
                let checked = self.players.check(player, *level, variant);
                let offer = checked.map_err(|error| bad_player(&error))?;
                Ok(CasualSeat {
                    name: offer.title(*level),
                    player: Some(player.clone()),
                    level: *level,
                    unofficial: offer.is_unofficial(),
                })
            }
        });
        seats.collect()
    }
}

impl Drop for Tables {
    /// Stops programs that think.
    fn drop(&mut self) {
        let open = self.open.get_mut().unwrap_or_else(PoisonError::into_inner);
        open.values().for_each(|table| table.stop());
    }
}

/// Closes games that have ended, and those whose journal accepts no more records: the next request
/// opens them again. Waits for no game that is in use.
fn close_ended(open: &mut OpenTables) {
    open.retain(|_, table| !table.is_over());
}

/// Closes games until another one can be opened. A game that no request and no program uses can be
/// opened again; an error if there is none.
fn make_room(open: &mut OpenTables) -> Result<(), Problem> {
    close_ended(open);
    while open.len() >= MAX_OPEN {
        let unused = open.iter().filter(|(_, it)| Arc::strong_count(it) == 1);
        let oldest = unused.min_by_key(|(_, table)| table.touched());
        let Some(id) = oldest.map(|(id, _)| id.clone()) else {
            return Err(Problem::busy(format!("{MAX_OPEN} games are in progress")));
        };
        open.remove(&id);
    }
    Ok(())
}

/// Creates the directory of casual games.
pub fn create_directory(directory: &std::path::Path) -> Result<(), crate::ServeError> {
    fs::create_dir_all(directory).map_err(|source| crate::ServeError::File {
        path: directory.to_owned(),
        action: "created",
        source,
    })
}

/// Name of a person.
fn person(name: Option<&str>, number: usize) -> Result<String, Problem> {
    let name = name.map(str::trim).filter(|name| !name.is_empty());
    let Some(name) = name else {
        return Ok(format!("Person {number}"));
    };
    let checked = printable(name, MAX_NAME);
    let name = checked.map_err(|fault| {
        let message = format!("invalid name of seat {number}: {fault}");
        Problem::invalid("duoforge::seats", message).help(fault.help())
    })?;
    Ok(name.to_owned())
}
