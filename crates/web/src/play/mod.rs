//! Casual games: created, moved, taken back and resigned by clients, with programs as opponents.
//!
//! Each game has a journal. A record is on the disk before a request is answered, so that a killed
//! service loses nothing that it acknowledged. After a restart a game continues where its journal
//! ends.

mod end;
mod table;
mod think;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use duoforge_journal::{
    CasualBegun, CasualRecord, CasualSeat, Header, Journal, JournalError, Kind, Record, now_ms,
};
use duoforge_rules::{GameVariant, ScoringRule};
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;
use utoipa::ToSchema;

pub use table::Table;

use crate::dto::GameView;
use crate::feed::Feed;
use crate::players::{OfferError, Players};
use crate::position;
use crate::problem::Problem;
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
        /// Name, up to 40 characters.
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

/// Casual games of this service.
pub struct Tables {
    directory: PathBuf,
    feed: Arc<Feed>,
    players: Arc<Players>,
    notices: broadcast::Sender<Notice>,
    open: Mutex<BTreeMap<String, Arc<Table>>>,
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
            created: AtomicU64::new(0),
        };
        for journal in tables.feed.open_casual() {
            let id = format!("{journal}.1");
            // A game in which a person is to move is opened by its next move. A game of another
            // service, or one that cannot be opened, can still be watched.
            if tables.is_programs_turn(&id) && tables.is_own(&journal) {
                let _ = tables.open(&id);
            }
        }
        tables
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
        self.make_room()?;
        let players = seats.iter().filter_map(|seat| seat.player.as_deref());
        let free = self.players.check_free(players);
        free.map_err(|error| bad_player(&error))?;
        let begun = CasualBegun {
            variant: variant.name().to_owned(),
            scoring: scoring.name().to_owned(),
            seats,
            at_ms: now_ms(),
        };
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
        let table = self.seat(&id, journal)?;
        let view = table.view();
        table.think();
        view
    }

    /// Returns the open table of a game; opens its journal if no request has done so yet.
    pub fn open(&self, id: &str) -> Result<Arc<Table>, Problem> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(table) = open.get(id) {
            return Ok(Arc::clone(table));
        }
        let game = self.feed.game(id).ok_or_else(|| unknown(id))?;
        if !game.playable || !self.is_own(&game.journal) {
            return Err(read_only());
        }
        if game.result.is_some() {
            return Err(Problem::conflict("duoforge::over", "the game has ended"));
        }
        let path = self.feed.path(&game.journal).ok_or_else(|| unknown(id))?;
        let (journal, ..) = match Journal::open(&path) {
            Ok(journal) => journal,
            Err(JournalError::Locked(_)) => return Err(read_only()),
            Err(error) => return Err(disk(&error)),
        };
        self.feed.refresh(&path);
        let table = self.table(id, journal)?;
        open.insert(id.to_owned(), Arc::clone(&table));
        drop(open);
        table.think();
        Ok(table)
    }

    /// Ends the games of a board that is not plugged in any more.
    pub fn lose(&self, player: &str) {
        let open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        let tables: Vec<_> = open.values().cloned().collect();
        drop(open);
        tables.iter().for_each(|table| table.lose(player));
    }

    /// True if moves of a game can be taken back now.
    pub fn can_undo(&self, id: &str) -> bool {
        let game = self
            .feed
            .game(id)
            .filter(|game| game.playable && game.result.is_none());
        game.is_some_and(|game| {
            let mut players = game.seats.iter().filter_map(|seat| seat.player.as_deref());
            players.all(|name| self.players.undoes(name)) && table::undo_to(&game).is_some()
        })
    }

    fn seat(&self, id: &str, journal: Journal) -> Result<Arc<Table>, Problem> {
        let table = self.table(id, journal)?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.insert(id.to_owned(), Arc::clone(&table));
        Ok(table)
    }

    fn table(&self, id: &str, journal: Journal) -> Result<Arc<Table>, Problem> {
        let game = self.feed.game(id).ok_or_else(|| unknown(id))?;
        let table = Table::new(
            game,
            journal,
            Arc::clone(&self.feed),
            Arc::clone(&self.players),
            self.notices.clone(),
        );
        table.map(Arc::new).map_err(|error| bad_player(&error))
    }

    /// Closes games that have ended, and refuses another one if too many are open.
    fn make_room(&self) -> Result<(), Problem> {
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        open.retain(|_, table| !table.is_over());
        if open.len() < MAX_OPEN {
            return Ok(());
        }
        // A game that waits for a person can be opened again.
        let idle = open.iter().filter(|(_, table)| table.is_idle());
        let oldest = idle
            .min_by_key(|(_, table)| table.touched())
            .map(|(id, _)| id.clone());
        match oldest {
            Some(id) => {
                open.remove(&id);
                Ok(())
            }
            None => Err(Problem::busy(format!("{MAX_OPEN} games are in progress"))),
        }
    }

    /// True if a journal is in the directory of this service's games.
    fn is_own(&self, journal: &str) -> bool {
        let path = self.feed.path(journal);
        path.is_some_and(|path| path.parent() == Some(&self.directory))
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

/// Creates the directory of casual games.
pub fn create_directory(directory: &std::path::Path) -> Result<(), crate::ServeError> {
    fs::create_dir_all(directory).map_err(|source| crate::ServeError::File {
        path: directory.to_owned(),
        action: "created",
        source,
    })
}

/// Name of a person, without control characters.
fn person(name: Option<&str>, number: usize) -> Result<String, Problem> {
    let name = name.map(str::trim).filter(|name| !name.is_empty());
    let Some(name) = name else {
        return Ok(format!("Person {number}"));
    };
    if name.chars().count() > MAX_NAME || name.chars().any(char::is_control) {
        let message = format!(
            "invalid name of seat {number}: expected up to {MAX_NAME} printable characters"
        );
        return Err(Problem::invalid("duoforge::seats", message));
    }
    Ok(name.to_owned())
}

/// Variant that does not exist.
pub fn unknown_variant(name: &str) -> Problem {
    let message = format!("no variant is called '{}'", position::shown(name));
    Problem::invalid("duoforge::variant", message).help("GET /api/v1/variants lists the variants")
}

fn unknown_scoring(name: &str) -> Problem {
    let names = ScoringRule::ALL.map(ScoringRule::name).join(", ");
    let name = position::shown(name);
    let message = format!("no scoring rule is called '{name}': expected one of {names}");
    Problem::invalid("duoforge::variant", message)
}

/// Game that does not exist.
pub fn unknown(id: &str) -> Problem {
    Problem::not_found(format!("no game has the id '{}'", position::shown(id)))
        .help("GET /api/v1/games lists the games")
}

fn read_only() -> Problem {
    Problem::new(
        axum::http::StatusCode::FORBIDDEN,
        "duoforge::read-only",
        "the game is not played at this service",
    )
    .help("only games with playable=true accept moves")
}

/// Refusal of a player.
pub fn bad_player(error: &OfferError) -> Problem {
    if let OfferError::Busy(_) = error {
        return Problem::conflict("duoforge::device", error.to_string())
            .help("finish or resign the game of the device first, or stop its tournament");
    }
    Problem::invalid("duoforge::player", error.to_string())
        .help("GET /api/v1/players lists the players, their levels and variants")
}

/// Failure of a journal, without its path.
fn disk(error: &JournalError) -> Problem {
    Problem::internal(match error {
        JournalError::Full(_) => "the disk or the quota is full",
        _ => "the journal of the game cannot be written",
    })
    .help("the operator must check the directory of the games")
}
