//! One casual game in progress.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread;
use std::time::Instant;

use duoforge_journal::{CasualMoved, CasualRecord, CasualUndone, Journal, Record, now_ms};
use duoforge_referee::LinkLoss;
use duoforge_rules::{Game, Move};
use duoforge_view::read_move;
use tokio::sync::broadcast;

use super::asked::Asked;
use super::end::{Winners, ended, played_out};
use super::{disk, think, unknown};
use crate::dto::{GameView, SeatView};
use crate::feed::{Feed, ShownGame};
use crate::players::Players;
use crate::position::{MAX_PLIES, bad_code};
use crate::problem::Problem;
use crate::seat_players::{Measured, SeatPlayer};
use crate::stream::Notice;
use crate::wire::WireFile;

/// Casual game that is open for writing.
pub struct Table {
    id: String,
    journal: Journal,
    feed: Arc<Feed>,
    notices: broadcast::Sender<Notice>,
    seats: Vec<SeatView>,
    /// True if all players repeat their moves, so that moves can be taken back.
    undoes: bool,
    wire: WireFile,
    state: Mutex<TableState>,
}

/// State of a table.
pub struct TableState {
    /// The game.
    pub game: Game,
    /// Programs by seat; absent for persons, and while a program thinks.
    pub programs: Vec<Option<Box<dyn SeatPlayer>>>,
    /// Number of changes, to recognise a move that came too late.
    pub changes: u64,
    /// Signal to the program that thinks.
    pub cancel: Arc<AtomicBool>,
    /// True while a thread asks programs.
    pub is_thinking: bool,
    /// Moment at which the seat to move was asked.
    pub asked: Asked,
    /// True once the end is in the journal.
    pub ended: bool,
    /// True if the service stops.
    pub stopped: bool,
}

impl Table {
    /// Creates the table of a game whose journal and programs are open. A person has been asked since
    /// `asked_ms`, in milliseconds since 1970; a program is asked now.
    pub fn new(
        shown: ShownGame,
        asked_ms: Option<u64>,
        journal: Journal,
        feed: Arc<Feed>,
        players: &Players,
        notices: broadcast::Sender<Notice>,
        programs: Vec<Option<Box<dyn SeatPlayer>>>,
    ) -> Self {
        let mut names = shown.seats.iter().filter_map(|seat| seat.player.as_deref());
        let game = shown.game(usize::MAX);
        Self {
            id: shown.id(),
            undoes: names.all(|name| players.undoes(name)),
            wire: WireFile::new(journal.path(), shown.begun_ms),
            journal,
            feed,
            notices,
            state: Mutex::new(TableState {
                asked: Asked::at_opening(&shown, &game, asked_ms),
                game,
                programs,
                changes: 0,
                cancel: Arc::default(),
                is_thinking: false,
                ended: shown.result.is_some(),
                stopped: false,
            }),
            seats: shown.seats,
        }
    }

    /// Path of the journal.
    pub fn path(&self) -> &Path {
        self.journal.path()
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, TableState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The game as the journal has it.
    pub fn view(&self) -> Result<GameView, Problem> {
        let game = self.feed.game(&self.id).ok_or_else(|| unknown(&self.id))?;
        let undo = self.undoes && game.result.is_none() && undo_to(&game).is_some();
        Ok(game.view(None, undo))
    }

    /// True if the end of the game is in the journal, or the journal accepts no more records. Does not
    /// wait: a game whose state is locked has not ended.
    pub fn is_over(&self) -> bool {
        let ended = match self.state.try_lock() {
            Ok(state) => state.ended,
            Err(TryLockError::Poisoned(error)) => error.into_inner().ended,
            Err(TryLockError::WouldBlock) => false,
        };
        ended || self.journal.is_broken()
    }

    /// True if no program thinks.
    pub fn is_idle(&self) -> bool {
        !self.lock().is_thinking
    }

    /// Time of the last move.
    pub fn touched(&self) -> Instant {
        self.lock().asked.at
    }

    /// Stops the program that thinks.
    pub fn stop(&self) {
        stop(&mut self.lock());
    }

    /// Plays the move of a person.
    pub fn play(self: &Arc<Self>, ply: usize, text: &str) -> Result<GameView, Problem> {
        let mut state = self.lock();
        self.check_ply(&state, ply)?;
        let seat = state.game.seat_to_move().map(|seat| usize::from(seat.0));
        if seat.is_none_or(|seat| self.seats[seat].player.is_some()) {
            return Err(Problem::conflict("duoforge::turn", "a program is to move").at(ply));
        }
        if ply >= MAX_PLIES {
            return Err(Problem::conflict(
                "duoforge::over",
                format!("the game has {ply} plies: expected at most {MAX_PLIES}"),
            ));
        }
        let mv = read_move(text, &state.game.actions()).map_err(|error| bad_code(ply, &error))?;
        let checked = state.game.check(mv);
        checked.map_err(|fault| Problem::illegal(ply, &mv.to_string(), &fault))?;
        self.apply(&mut state, mv, None)?;
        drop(state);
        let view = self.view();
        self.think();
        view
    }

    /// Takes back moves up to the last turn of a person.
    pub fn undo(self: &Arc<Self>, ply: usize) -> Result<GameView, Problem> {
        let mut state = self.lock();
        self.check_ply(&state, ply)?;
        let shown = self.feed.game(&self.id).ok_or_else(|| unknown(&self.id))?;
        if !self.undoes {
            let message = "a device that may choose another move plays: no move can be taken back";
            return Err(Problem::conflict("duoforge::no-undo", message).at(ply));
        }
        let Some(plies) = undo_to(&shown) else {
            return Err(Problem::conflict("duoforge::no-undo", "no person has moved yet").at(ply));
        };
        let undone = CasualRecord::Undone(CasualUndone {
            ply: plies as u32,
            at_ms: now_ms(),
        });
        self.append(&mut state, [undone])?;
        while state.game.plies().len() > plies {
            state.game.undo();
        }
        changed(&mut state);
        drop(state);
        let view = self.view();
        self.think();
        view
    }

    /// Resigns the game for the person in a seat.
    pub fn resign(self: &Arc<Self>, ply: usize, seat: u8) -> Result<GameView, Problem> {
        let mut state = self.lock();
        self.check_ply(&state, ply)?;
        let Some(view) = self.seats.get(usize::from(seat)) else {
            let last = self.seats.len() - 1;
            let message = format!("seat={seat} is out of range: expected 0 to {last}");
            return Err(Problem::invalid("duoforge::seats", message));
        };
        if view.player.is_some() {
            let message = format!("seat={seat} is not a person");
            return Err(Problem::invalid("duoforge::seats", message));
        }
        let detail = format!("{} resigned", view.name);
        self.end(&mut state, "resigned", &detail, Winners::Without(seat))?;
        drop(state);
        self.view()
    }

    /// Ends the game if a device that has gone is in it: the device loses, or if it has not moved
    /// yet, the game has no result.
    pub fn lose(&self, player: &str) {
        let is_own = |seat: &SeatView| seat.player.as_deref() == Some(player);
        let Some(seat) = self.seats.iter().position(is_own) else {
            return;
        };
        let mut state = self.lock();
        if state.ended {
            return;
        }
        let detail = format!("{}: {}", self.seats[seat].name, LinkLoss::Closed);
        let has_moved = state.game.plies().len() > seat;
        // A failure of the disk leaves the game as it is; the journal accepts no more.
        let _ = if has_moved {
            let winners = Winners::Without(seat as u8);
            self.end(&mut state, "player-failed", &detail, winners)
        } else {
            self.end(&mut state, "broken-off", &detail, Winners::None)
        };
    }

    fn check_ply(&self, state: &TableState, ply: usize) -> Result<(), Problem> {
        let plies = state.game.plies().len();
        if state.ended {
            return Err(Problem::conflict("duoforge::over", "the game has ended").at(plies));
        }
        if ply != plies {
            let message = format!("ply={ply} is stale: the game is at ply {plies}");
            return Err(Problem::conflict("duoforge::stale", message)
                .at(plies)
                .help("get the game again"));
        }
        Ok(())
    }

    /// Writes a legal move to the journal and plays it; ends the game if it is over. A device has
    /// measured the times of its reply.
    pub(super) fn apply(
        &self,
        state: &mut TableState,
        mv: Move,
        measured: Option<Measured>,
    ) -> Result<(), Problem> {
        let (Some(colour), Some(seat)) = (state.game.to_move(), state.game.seat_to_move()) else {
            return Err(Problem::conflict("duoforge::over", "the game has ended"));
        };
        let moved = CasualRecord::Moved(CasualMoved {
            ply: state.game.plies().len() as u32,
            colour: colour.0,
            seat: seat.0,
            code: mv.to_string(),
            legal: state.game.count_legal(),
            us: measured.map_or_else(|| state.asked.elapsed_us(), |times| times.us),
            sim_us: measured.and_then(|times| times.sim_us),
            host_us: measured.map(|times| times.host_us),
            at_ms: now_ms(),
        });
        let played = state.game.play(mv);
        played.map_err(|fault| Problem::internal(format!("{mv} is illegal: {fault}")))?;
        let mut records = vec![moved];
        if state.game.is_over() {
            records.push(played_out(&state.game));
        }
        // No answer contains the last move without the end.
        if let Err(problem) = self.append(state, records) {
            state.game.undo();
            return Err(problem);
        }
        changed(state);
        if state.game.is_over() {
            self.close(state);
        }
        Ok(())
    }

    /// Writes the end of a game whose last move is in the journal without it: the service was killed
    /// between the two.
    pub(super) fn end_played_out(&self, state: &mut TableState) -> Result<(), Problem> {
        self.finish(state, played_out(&state.game))
    }

    /// Writes the end of the game, and ends it for the devices.
    pub(super) fn end(
        &self,
        state: &mut TableState,
        ending: &str,
        detail: &str,
        winners: Winners,
    ) -> Result<(), Problem> {
        self.finish(state, ended(&state.game, ending, detail, winners))
    }

    fn finish(&self, state: &mut TableState, end: CasualRecord) -> Result<(), Problem> {
        self.append(state, [end])?;
        changed(state);
        self.close(state);
        Ok(())
    }

    /// Ends the game for the devices, once its end is in the journal.
    fn close(&self, state: &mut TableState) {
        state.ended = true;
        let programs = state.programs.iter_mut().filter_map(Option::take);
        let programs: Vec<_> = programs.collect();
        let wire = self.wire.clone();
        // A device that does not take its bytes delays nothing; without a thread it gets no `9`.
        let _ = thread::Builder::new()
            .name("farewell".to_owned())
            .spawn(move || programs.into_iter().for_each(|it| dismiss(it, &wire)));
    }

    /// Writes the bytes of a program's connection.
    pub(super) fn keep_bytes(&self, program: &mut dyn SeatPlayer) {
        self.wire.append(program.take_bytes());
    }

    /// Ends the game for a program that was asked while the game ended.
    pub(super) fn dismiss(&self, program: Box<dyn SeatPlayer>) {
        dismiss(program, &self.wire);
    }

    /// Writes records. After a failure the journal accepts no more: the next request opens the game
    /// again, and the programs of this table stop.
    fn append(
        &self,
        state: &mut TableState,
        records: impl IntoIterator<Item = CasualRecord>,
    ) -> Result<(), Problem> {
        let records: Vec<_> = records.into_iter().map(Record::Casual).collect();
        let written = self.journal.append_all(&records);
        written.map_err(|error| {
            stop(state);
            disk(&error)
        })?;
        self.feed.refresh(self.journal.path());
        Ok(())
    }

    /// Lets programs move until a person is to move.
    pub fn think(self: &Arc<Self>) {
        think::start(self);
    }

    /// Sends a notice to the streams: the seat whose program thinks, or `None`.
    pub(super) fn announce(&self, thinking: Option<u8>) {
        // There may be no stream.
        let _ = self.notices.send(Notice::Thinking {
            game: self.id.clone(),
            seat: thinking,
        });
    }

    /// Name of a seat's player.
    pub(super) fn name(&self, seat: u8) -> &str {
        &self.seats[usize::from(seat)].name
    }
}

/// Ends the game for a program, and writes the last bytes of its connection.
fn dismiss(mut program: Box<dyn SeatPlayer>, wire: &WireFile) {
    program.finish();
    wire.append(program.take_bytes());
}

/// Stops the programs of a game.
fn stop(state: &mut TableState) {
    state.stopped = true;
    state.cancel.store(true, Ordering::Relaxed);
}

/// Notes a change of the game: a program that thinks about the former position is stopped.
fn changed(state: &mut TableState) {
    state.changes += 1;
    state.asked = Asked::now();
    state.cancel.store(true, Ordering::Relaxed);
    state.cancel = Arc::default();
}

/// Number of plies that remain if the last move of a person is taken back; `None` if no person has
/// moved.
pub fn undo_to(game: &ShownGame) -> Option<usize> {
    let is_person = |seat: u8| {
        let view = game.seats.get(usize::from(seat));
        view.is_some_and(|view| view.player.is_none())
    };
    game.moves.iter().rposition(|played| is_person(played.seat))
}
