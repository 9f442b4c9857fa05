//! Observer of a match: display, progress, files and result.

use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::time::Duration;

use duoforge_protocol::TeamCode;
use duoforge_referee::{
    Game, GameSummary, Observer, Outcome, Player, Ply, Referee, RefereeError, RefereeOptions, Seat,
    Seats, Setup, Tally, duration,
};
use duoforge_rules::DuoBoard;
use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;

use crate::failure::{Failure, Result};
use crate::interrupt::Interrupt;
use crate::output::{self, Style, Verdict};
use crate::play::files::{GameFile, distinct_outputs};
use crate::play::match_journal::{KeptArgs, MatchJournal, micros};
use crate::play::screen::{Screen, game_line};
use crate::play::table::table;
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
    /// match that continues by its journal adds to it
    #[arg(long, value_name = "FILE")]
    pub log: Option<PathBuf>,
    /// Write the games to this file, as a list for `duoforge replay`; a match that continues by its
    /// journal adds to it
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
    /// Wire log and list, opened once the journal is.
    files: Vec<GameFile>,
    /// Options of the journal.
    keep: KeptArgs,
    /// Journal; `None` without one.
    kept: Option<MatchJournal>,
    interrupt: Interrupt,
    screen: Option<Screen>,
    progress: Option<ProgressBar>,
    tally: Tally,
    /// Waits for resets before the current game, in microseconds.
    reset_us: [u64; 2],
    failure: Option<Failure>,
}

/// Match in JSON.
#[derive(Serialize)]
struct MatchSummary<'a> {
    names: &'a [String; 2],
    #[serde(flatten)]
    tally: &'a Tally,
}

impl Watch {
    /// Creates the observer of a match of `games` games; `persons` is true if a person plays.
    pub fn new(args: &WatchArgs, style: Style, games: u32, persons: bool) -> Result<Self> {
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
            files: Vec::new(),
            keep: args.kept.clone(),
            kept: None,
            // A game cannot end while it waits for the move of a person.
            interrupt: Interrupt::catch((!persons).then_some(notice))?,
            screen: None,
            progress: None,
            tally: Tally::default(),
            reset_us: [0; 2],
            failure: None,
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
        if let Some(path) = &self.keep.journal {
            let (kept, tally) = MatchJournal::open(path, &referee, &self.keep)?;
            if kept.is_resumed() {
                referee.begin_resets();
            }
            (self.kept, self.tally) = (Some(kept), tally);
        }
        let played = self.kept.as_ref().map_or(0, MatchJournal::games);
        let resumed = self.kept.as_ref().is_some_and(MatchJournal::is_resumed);
        let earlier = resumed.then_some(played);
        if let Some(path) = &self.log {
            self.files.push(GameFile::wire_log(path, earlier)?);
        }
        if let Some(path) = &self.record {
            self.files.push(GameFile::list(path, earlier)?);
        }
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
        if games.is_err() {
            for file in &mut self.files {
                file.add_fragment(referee.log())?;
            }
        }
        let games = match games {
            // A failure of this program aborts a game.
            Err(RefereeError::BrokenOff) => Vec::new(),
            games => games?,
        };
        if let Some(progress) = self.progress.take() {
            progress.finish_and_clear();
        }
        let whole = self.tally.games == self.games;
        let printed = self.failure.take().map_or(Ok(()), Err);
        output::concluded(printed, Verdict::Good)?;
        if let Some(kept) = self.kept.as_ref().filter(|_| whole) {
            kept.finish()?;
        }
        let printed = self.result(&names);
        if !whole {
            note!("stopped after {} of {} games", self.tally.games, self.games);
        }
        let violated = games.iter().any(|game| game.ending.is_violation());
        let good = !violated && self.tally.violations == [0; 2];
        output::concluded(printed, Verdict::of(whole && good))
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

    /// Runs a function; the first failure ends the match after this game.
    fn try_to(&mut self, act: impl FnOnce(&mut Self) -> Result<()>) {
        if self.failure.is_none()
            && let Err(failure) = act(self)
        {
            self.failure = Some(failure);
        }
    }

    fn note(&mut self, game: &Game) -> Result<()> {
        self.tally.add(game);
        if let Some(kept) = &mut self.kept {
            kept.end(game)?;
        }
        for file in &mut self.files {
            file.add(game)?;
        }
        if self.json {
            let first = game.setup.first;
            let starts = [first, first.other()].map(|seat| game.setup.start(seat));
            let codes: Vec<_> = game.plies.iter().map(|ply| ply.code).collect();
            output::json(&WithState::contest(GameSummary::from(game), starts, &codes))?;
        } else {
            let line = game_line(game, self.tally.games);
            let show = || output::line(line);
            match &self.progress {
                Some(progress) => progress.suspend(show)?,
                None => show()?,
            }
        }
        let log = lost_logs(game);
        match &self.progress {
            Some(progress) => {
                progress.suspend(|| note_part!("{log}"));
                progress.inc(1);
            }
            None => note_part!("{log}"),
        }
        Ok(())
    }
}

/// Maximum number of lines of a log that are shown.
const LOG_LINES: usize = 20;

/// Returns the last lines of the logs of the bots that have not won or drawn; empty without any.
fn lost_logs(game: &Game) -> String {
    let mut text = String::new();
    for seat in Seat::BOTH {
        let has_scored = game.outcome == Outcome::Win(seat) || game.outcome == Outcome::Draw;
        let Some(log) = game.logs[seat].as_ref().filter(|_| !has_scored) else {
            continue;
        };
        text += &last_lines(&format!("{seat} ({})", game.names[seat]), log);
    }
    text
}

/// Returns the last lines of the log of a player with a heading; empty if the log is.
pub fn last_lines(player: &str, log: &str) -> String {
    let lines: Vec<_> = log.lines().collect();
    if lines.is_empty() {
        return String::new();
    }
    let first = lines.len().saturating_sub(LOG_LINES);
    let scope = match first {
        0 => "log".to_owned(),
        _ => format!("last {LOG_LINES} of {} lines of the log", lines.len()),
    };
    let mut text = format!("{scope} of {player}:\n");
    for line in &lines[first..] {
        text += &format!("  {line}\n");
    }
    text
}

impl Observer for Watch {
    fn begun(&mut self, setup: Setup, _: &Seats<TeamCode>) {
        self.try_to(|watch| {
            let reset_us = std::mem::take(&mut watch.reset_us);
            if let Some(kept) = &mut watch.kept {
                kept.begin(setup, reset_us)?;
            }
            match &mut watch.screen {
                Some(screen) => screen.begin(setup, watch.live),
                None => Ok(()),
            }
        });
    }

    fn resets(&mut self, seat: Seat, time: Duration) {
        self.reset_us[seat as usize] += micros(time);
        let say = || {
            note!(
                "waiting {:.1} s for the reset of {seat}",
                time.as_secs_f64()
            )
        };
        match &self.progress {
            Some(progress) => progress.suspend(say),
            None => say(),
        }
    }

    fn moved(&mut self, ply: &Ply, board: &DuoBoard) {
        self.try_to(|watch| {
            if let Some(kept) = &mut watch.kept {
                kept.add(ply)?;
            }
            match &mut watch.screen {
                Some(screen) if watch.live => screen.moved(ply, board),
                _ => Ok(()),
            }
        });
    }

    fn ended(&mut self, game: &Game) {
        self.try_to(|watch| {
            let last = watch.last && watch.tally.games + 1 == watch.games;
            match &mut watch.screen {
                Some(screen) if watch.live || last => screen.ended(game)?,
                _ => {}
            }
            watch.note(game)
        });
    }

    fn breaks_off(&mut self) -> bool {
        self.kept.is_some() && self.failure.is_some()
    }

    fn wants_stop(&mut self) -> bool {
        self.failure.is_some() || self.interrupt.is_set()
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
