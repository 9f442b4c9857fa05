//! Observer of a match: display, progress, files and result.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;

use duoforge_links::WaitStopped;
use duoforge_protocol::TeamCode;
use duoforge_referee::{
    Ending, Game, GameSummary, Observer, Player, Ply, Referee, RefereeError, RefereeOptions, Seat,
    Seats, Setup, Tally, duration,
};
use duoforge_rules::DuoBoard;
use duoforge_tournament::TournamentError;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::failure::{Failure, Result};
use crate::interrupt::Interrupt;
use crate::output::{self, Style, Verdict};
use crate::play::files::distinct_outputs;
use crate::play::game_list::{GameList, ListedGame};
use crate::play::logs::lost_logs;
use crate::play::match_journal::{KeptArgs, MatchJournal, has_violation, micros, tally};
use crate::play::screen::{Screen, game_line};
use crate::play::seeds::GamesPlayed;
use crate::play::table::table;
use crate::play::wire_file::WireFile;
use crate::variant::WithState;

/// Output options of a match.
#[derive(Debug, Default, clap::Args)]
pub struct WatchArgs {
    /// Do not draw boards
    #[arg(short, long)]
    pub quiet: bool,
    /// Minimum display time of every position, such as 500ms
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "0s")]
    pub pace: Duration,
    /// Write a wire log, every byte with its time, to this file; as JSON if its name ends in .jsonl; a
    /// match that continues by its journal adds to it, and names the games that it lacks
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Write the games to this file, as a list for `duoforge replay`; a match that continues by its
    /// journal writes all of its games again
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
    /// Print one JSON object per game and one for the whole match
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    pub kept: KeptArgs,
}

/// Observer of a match.
pub struct Watch {
    style: Style,
    json: bool,
    games: u32,
    /// True if boards are drawn during a game.
    live: bool,
    /// True if only the last board of the match is drawn.
    last: bool,
    in_place: bool,
    pace: Duration,
    log: Option<PathBuf>,
    record: Option<PathBuf>,
    /// Wire log, opened once the journal is.
    wire: Option<WireFile>,
    /// List of the games, opened once the journal is.
    list: Option<GameList>,
    /// Options of the journal.
    keep: KeptArgs,
    /// Journal; `None` without one.
    kept: Option<MatchJournal>,
    interrupt: Interrupt,
    screen: Option<Screen>,
    progress: Option<ProgressBar>,
    tally: Tally,
    played: GamesPlayed,
    /// True if a game of the match ended by a violation.
    has_violation: bool,
    /// Waits for resets before the current game, in microseconds.
    reset_us: [u64; 2],
    /// First failure of the journal or of a file.
    unkept: Option<Failure>,
    /// First failure of standard output.
    unshown: Option<Failure>,
}

/// Match in JSON.
#[derive(Serialize)]
struct MatchSummary<'a> {
    names: &'a [String; 2],
    #[serde(flatten)]
    tally: &'a Tally,
}

impl Watch {
    /// Creates the observer of a match of `games` games; `persons` is true if a person plays. The
    /// number of finished games is `played`.
    pub fn new(
        args: &WatchArgs,
        style: Style,
        games: u32,
        persons: bool,
        played: GamesPlayed,
    ) -> Result<Self> {
        distinct_outputs([&args.log, &args.record, &args.kept.journal])?;
        let notice = "Finishing this game. Ctrl-C again stops immediately.";
        Ok(Self {
            style,
            json: args.json,
            games,
            live: style.terminal && !args.quiet && !args.json,
            last: !style.terminal && !args.quiet && !args.json,
            in_place: !persons,
            pace: args.pace,
            log: args.log.clone(),
            record: args.record.clone(),
            wire: None,
            list: None,
            keep: args.kept.clone(),
            kept: None,
            // A game cannot end while it waits for the move of a person.
            interrupt: Interrupt::catch((!persons).then_some(notice))?,
            screen: None,
            progress: None,
            tally: Tally::default(),
            played,
            has_violation: false,
            reset_us: [0; 2],
            unkept: None,
            unshown: None,
        })
    }

    /// Plays the match and prints its result. The result is negative if a game ended by a
    /// violation, or the match was stopped before its end.
    pub fn play(
        &mut self,
        players: [Player; 2],
        rules: RefereeOptions,
        setups: impl Iterator<Item = Setup>,
    ) -> Result<Verdict> {
        let mut referee = Referee::new(players, rules);
        let names = referee.names();
        self.open_files(&mut referee)?;
        let played = self.tally.games;
        if self.live || self.last {
            let pace = if self.live { self.pace } else { Duration::ZERO };
            let in_place = self.live && self.in_place;
            let screen = Screen::new(self.style, names.clone(), self.games, in_place, pace);
            self.screen = Some(screen);
        }
        if !self.live && self.games > 1 && io::stderr().is_terminal() {
            let bar = progress(self.games.into());
            bar.set_position(played.into());
            bar.reset_eta();
            self.progress = Some(bar);
        }
        let setups = setups.skip(played as usize);
        let games = referee.series(setups, self);
        if let Err(error) = &games
            && !matches!(error, RefereeError::Stalled { .. })
            && let Some(wire) = &mut self.wire
        {
            wire.add_fragment(referee.log())?;
        }
        if let Some(progress) = self.progress.take() {
            progress.finish_and_clear();
        }
        match games {
            // A failure of this program aborts a game.
            Ok(_) | Err(RefereeError::BrokenOff) => {}
            // An interruption ends the wait for a device between games.
            Err(RefereeError::Inside { source, .. }) if source.is::<WaitStopped>() => {}
            Err(RefereeError::Stalled { times }) => {
                let game = self.tally.games + 1;
                return Err(TournamentError::Host { game, times }.into());
            }
            Err(error) => return Err(error.into()),
        }
        if let Some(failure) = self.unkept.take() {
            return Err(failure);
        }
        let whole = self.tally.games == self.games;
        if let Some(kept) = self.kept.as_ref().filter(|_| whole) {
            kept.finish()?;
        }
        let shown = self.unshown.take().map_or(Ok(()), Err);
        output::concluded(shown, Verdict::Good)?;
        let printed = self.result(&names);
        if !whole {
            note!("stopped after {} of {} games", self.tally.games, self.games);
        }
        output::concluded(printed, Verdict::of(whole && !self.has_violation))
    }

    /// Opens the journal, then the wire log and the list of the games. Those of a match that
    /// continues contain its earlier games.
    fn open_files(&mut self, referee: &mut Referee) -> Result<()> {
        let mut earlier = None;
        if let Some(path) = &self.keep.journal {
            let (kept, history) = MatchJournal::open(path, referee, &self.keep)?;
            self.tally = tally(&history);
            self.has_violation = has_violation(&history);
            if kept.is_resumed() {
                referee.begin_resets();
                earlier = Some(history);
            }
            self.kept = Some(kept);
        }
        if let Some(path) = &self.log {
            self.wire = Some(match earlier {
                Some(_) => WireFile::continued(path, self.tally.games)?,
                None => WireFile::create(path)?,
            });
        }
        if let Some(path) = &self.record {
            self.list = Some(match earlier {
                Some(history) => {
                    let games: Vec<_> = history.ended().map(ListedGame::from).collect();
                    GameList::continued(path, &games)?
                }
                None => GameList::create(path)?,
            });
        }
        Ok(())
    }

    fn result(&mut self, names: &Seats<String>) -> Result<()> {
        if self.json {
            return output::json(&MatchSummary {
                names: &names.0,
                tally: &self.tally,
            });
        }
        output::line("")?;
        output::line(table(names, &self.tally, self.style))
    }

    /// Writes to the journal or a file; the first failure ends the match.
    fn try_to_keep(&mut self, act: impl FnOnce(&mut Self) -> Result<()>) {
        if self.unkept.is_none() {
            self.unkept = act(self).err();
        }
    }

    /// Writes to standard output; the first failure ends the match after this game, which is still
    /// recorded.
    fn try_to_show(&mut self, act: impl FnOnce(&mut Self) -> Result<()>) {
        if self.unshown.is_none() {
            self.unshown = act(self).err();
        }
    }

    /// Adds a game to the tally, the journal and the files.
    fn keep_game(&mut self, game: &Game) -> Result<()> {
        self.tally.add(game);
        self.has_violation |= game.ending.is_violation();
        if let Some(kept) = &mut self.kept {
            kept.end(game)?;
        }
        let logged = self.wire.as_mut().map_or(Ok(()), |wire| wire.add(game));
        let list = self.list.as_mut();
        let listed = list.map_or(Ok(()), |list| list.add(&ListedGame::from(game)));
        logged.and(listed)
    }

    /// Shows the result of a game, and the last board if it is due.
    fn show_game(&mut self, game: &Game) -> Result<()> {
        let is_last = self.last && self.tally.games == self.games;
        if let Some(screen) = self.screen.as_mut().filter(|_| self.live || is_last) {
            screen.ended(game)?;
        }
        if self.json {
            let first = game.setup.first;
            let starts = [first, first.other()].map(|seat| game.setup.start(seat));
            let codes: Vec<_> = game.plies.iter().map(|ply| ply.code).collect();
            return output::json(&WithState::contest(GameSummary::from(game), starts, &codes));
        }
        let line = game_line(game, self.tally.games);
        self.without_progress(|| output::line(line))
    }

    /// Keeps an annulled attempt at a game out of the tally and the list.
    fn annulled(&mut self, game: &Game) {
        self.try_to_keep(|watch| {
            if let Some(kept) = &mut watch.kept {
                kept.annul(game)?;
            }
            let wire = watch.wire.as_mut();
            wire.map_or(Ok(()), |wire| wire.add_annulled(game))
        });
        self.try_to_show(|watch| match &mut watch.screen {
            Some(screen) if watch.live => screen.ended(game),
            _ => Ok(()),
        });
        let number = self.tally.games + 1;
        self.without_progress(|| note!("game {number} does not count: {}", game.ending));
    }

    /// Runs a function while the progress bar is hidden.
    fn without_progress<T>(&self, act: impl FnOnce() -> T) -> T {
        match &self.progress {
            Some(progress) => progress.suspend(act),
            None => act(),
        }
    }
}

impl Observer for Watch {
    fn begun(&mut self, setup: Setup, _: &Seats<TeamCode>) {
        self.played.set(self.tally.games);
        let reset_us = std::mem::take(&mut self.reset_us);
        self.try_to_keep(|watch| match &mut watch.kept {
            Some(kept) => kept.begin(setup, reset_us),
            None => Ok(()),
        });
        self.try_to_show(|watch| match &mut watch.screen {
            Some(screen) => screen.begin(watch.tally.games + 1, setup, watch.live),
            None => Ok(()),
        });
    }

    fn resets(&mut self, seat: Seat, time: Duration) {
        self.reset_us[seat as usize] += micros(time);
        let seconds = time.as_secs_f64();
        self.without_progress(|| note!("waiting {seconds:.1} s for the reset of {seat}"));
    }

    fn moved(&mut self, ply: &Ply, board: &DuoBoard) {
        self.try_to_keep(|watch| match &mut watch.kept {
            Some(kept) => kept.add(ply),
            None => Ok(()),
        });
        self.try_to_show(|watch| match &mut watch.screen {
            Some(screen) if watch.live => screen.moved(ply, board),
            _ => Ok(()),
        });
    }

    fn ended(&mut self, game: &Game) {
        if matches!(game.ending, Ending::Annulled { .. }) {
            self.annulled(game);
            return;
        }
        self.try_to_keep(|watch| watch.keep_game(game));
        self.try_to_show(|watch| watch.show_game(game));
        let log = lost_logs(game);
        self.without_progress(|| note_part!("{log}"));
        if let Some(progress) = &self.progress {
            progress.inc(1);
        }
    }

    fn breaks_off(&mut self) -> bool {
        self.unkept.is_some()
    }

    fn wants_stop(&mut self) -> bool {
        self.unkept.is_some() || self.unshown.is_some() || self.interrupt.is_set()
    }
}

/// Creates a progress bar over games, on standard error.
pub fn progress(games: u64) -> ProgressBar {
    let template = "{bar:30} game {pos} of {len}, {elapsed} elapsed, {eta} remaining";
    let style = ProgressStyle::with_template(template).expect("the template is sound");
    let progress = ProgressBar::new(games).with_style(style);
    progress.enable_steady_tick(Duration::from_millis(200));
    progress
}
