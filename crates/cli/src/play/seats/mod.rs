//! Matches of variants at the terminal, with one to four seats.

mod game_object;
mod journal;
mod person;
mod tally;
pub mod tournament;

use std::io::{self, IsTerminal};
use std::thread;
use std::time::Duration;

use duoforge_players::{PlayerSpec, VariantContext};
use duoforge_referee::variant::{
    VariantGame, VariantObserver, VariantPlayer, VariantPly, VariantReferee,
};
use duoforge_referee::{RefereeError, TimeControl};
use duoforge_rules::{Game, GameVariant, Seat};
use indicatif::ProgressBar;

use self::game_object::GameObject;
use self::journal::SeatJournal;
use self::person::SeatContext;
use self::tally::SeatTally;
use crate::failure::{Failure, Result};
use crate::interrupt::Interrupt;
use crate::output::{self, Style, Verdict, seconds};
use crate::play::files::distinct_outputs;
use crate::play::game_list::{GameList, ListedGame};
use crate::play::logs::last_lines;
use crate::play::seeds::seed_of_game;
use crate::play::setups::First;
use crate::play::time::TimeArgs;
use crate::play::watch::{WatchArgs, progress};
use crate::profiles::{ResolvedPlayer, longest_limit};
use crate::variant::GameView;

/// Match of a variant.
pub struct SeatMatch<'a> {
    /// Variant that is played.
    pub variant: GameVariant,
    /// Players in the order of the command line, one for each seat.
    pub players: Vec<ResolvedPlayer>,
    /// Number of games.
    pub games: u32,
    /// Player that has the first seat.
    pub first: First,
    /// Time control.
    pub time: TimeArgs,
    /// Seed of random players without one.
    pub seed: Option<u64>,
    /// Output options.
    pub watch: &'a WatchArgs,
}

impl SeatMatch<'_> {
    /// Plays the match and prints its result. The result is negative if a player broke a rule.
    pub fn play(&self, style: Style) -> Result<Verdict> {
        self.check()?;
        let (players, seeds): (Vec<_>, Vec<_>) = self.open(style)?.into_iter().unzip();
        let mut referee = VariantReferee::new(&self.variant, players)?;
        let names = referee.names();
        let mut watch = SeatWatch::new(self, &names, style)?;
        let mut finished = Ok(());
        for game in watch.tally.games..self.games {
            if watch.wants_stop() {
                break;
            }
            watch.seating = self.seating(game);
            for (number, player) in referee.players().iter_mut().enumerate() {
                if let Some(own) = seeds[number] {
                    player.mover().seed(seed_of_game(own, game, number));
                }
            }
            match referee.play(&watch.seating.clone(), &mut watch) {
                // A game is aborted only if a file or the journal cannot be written.
                Ok(_) | Err(RefereeError::BrokenOff) => {}
                Err(error) => {
                    finished = Err(error);
                    break;
                }
            }
        }
        if let Some(progress) = watch.progress.take() {
            progress.finish_and_clear();
        }
        finished?;
        watch.finish(self.games)
    }

    /// Returns the players of the seats in a game, numbered from 0.
    fn seating(&self, game: u32) -> Vec<usize> {
        let count = self.players.len();
        let first = match self.first {
            First::One => 0,
            First::Two => 1,
            First::Alternate => game as usize,
        };
        (0..count).map(|seat| (seat + first) % count).collect()
    }

    /// Refuses wrong numbers of players, and players and options of contest games.
    fn check(&self) -> Result<()> {
        let (seats, players) = (self.variant.seat_count(), self.players.len());
        let variant = self.variant.name();
        if seats != players {
            let message = format!("{players} players for {variant}: expected {seats}");
            return Err(Failure::new("duoforge::usage", message)
                .help("name one player for each seat of the variant"));
        }
        if self.watch.log.is_some() {
            let message =
                format!("--log records the contest's protocol, and the game is {variant}");
            return Err(Failure::new("duoforge::usage", message)
                .help("--journal and --json record the moves and times of every variant"));
        }
        Ok(())
    }

    /// Opens the players, each with its own seed if it has one.
    fn open(&self, style: Style) -> Result<Vec<(VariantPlayer, Option<u64>)>> {
        let mut context = SeatContext::new(self.seed, style);
        let open = |player: &ResolvedPlayer| -> Result<_> {
            let spec = player.spec.seeded(|| context.seed());
            let mover = spec.variant_mover(&self.variant, &mut context)?;
            let opened = VariantPlayer::new(player.label(), mover);
            let opened = match self.time_control(player) {
                Some(control) => opened.with_time(control),
                None => opened,
            };
            Ok((opened, spec.own_seed()))
        };
        self.players.iter().map(open).collect()
    }

    /// Returns the time control of a player: the bank of the match, that of a bot's name, or the
    /// limit. A person has none.
    fn time_control(&self, player: &ResolvedPlayer) -> Option<TimeControl> {
        if player.spec == PlayerSpec::Human {
            return None;
        }
        let limit = self.time.limit;
        let limit = limit.unwrap_or_else(|| longest_limit(&self.players));
        let own = self.time.bank().or(player.spec.own_time_control());
        Some(own.unwrap_or(TimeControl::Fixed(limit)))
    }
}

/// Observer of a match.
struct SeatWatch {
    style: Style,
    json: bool,
    games: u32,
    /// True if boards are drawn during a game.
    live: bool,
    /// True if only the last board of the match is drawn.
    last: bool,
    pace: Duration,
    /// Names and versions of the players.
    players: Vec<(String, Option<String>)>,
    /// Players of the seats in the game in progress.
    seating: Vec<usize>,
    list: Option<GameList>,
    journal: Option<SeatJournal>,
    interrupt: Interrupt,
    progress: Option<ProgressBar>,
    tally: SeatTally,
    /// First failure of the journal or of the list.
    unkept: Option<Failure>,
    /// First failure of standard output.
    unshown: Option<Failure>,
}

impl SeatWatch {
    fn new(event: &SeatMatch<'_>, names: &[String], style: Style) -> Result<Self> {
        let args = event.watch;
        let persons = event
            .players
            .iter()
            .any(|player| player.spec == PlayerSpec::Human);
        distinct_outputs([&args.record, &args.kept.journal])?;
        let mut tally = SeatTally::new(names);
        let (mut journal, mut earlier) = (None, Vec::new());
        if let Some(path) = &args.kept.journal {
            let words = &args.kept.words;
            let (opened, history) = SeatJournal::open(path, words, &event.variant, names)?;
            tally.add_history(&history, |game| event.seating(game));
            journal = Some(opened);
            let games = history.variant_games.ended();
            earlier.extend(games.map(ListedGame::from));
        }
        let list = match &args.record {
            Some(path) => Some(GameList::continued(path, &earlier)?),
            None => None,
        };
        let draws = !args.quiet && !args.json;
        // A person sees the board before each of the person's moves.
        let live = style.terminal && draws && !persons;
        let progress = (!live && !persons && event.games > 1 && io::stderr().is_terminal())
            .then(|| progress(event.games.into()));
        if let Some(progress) = &progress {
            progress.set_position(tally.games.into());
            progress.reset_eta();
        }
        let notice = "Finishing this game. Ctrl-C again stops immediately.";
        Ok(Self {
            style,
            json: args.json,
            games: event.games,
            live,
            last: !live && draws,
            pace: args.pace,
            players: event
                .players
                .iter()
                .map(|player| (player.label(), player.version()))
                .collect(),
            seating: event.seating(0),
            list,
            journal,
            // A game cannot end while it waits for the move of a person.
            interrupt: Interrupt::catch((!persons).then_some(notice))?,
            progress,
            tally,
            unkept: None,
            unshown: None,
        })
    }

    fn wants_stop(&self) -> bool {
        self.unkept.is_some() || self.unshown.is_some() || self.interrupt.is_set()
    }

    /// Prints the result of the match.
    fn finish(mut self, games: u32) -> Result<Verdict> {
        if let Some(failure) = self.unkept.take() {
            return Err(failure);
        }
        let whole = self.tally.games == games;
        if let Some(journal) = self.journal.as_ref().filter(|_| whole) {
            journal.finish()?;
        }
        let shown = self.unshown.take().map_or(Ok(()), Err);
        output::concluded(shown, Verdict::Good)?;
        let printed = if self.json {
            output::json(&self.tally)
        } else {
            output::line(format!("\n{}", self.tally.table(self.style)))
        };
        if !whole {
            note!("stopped after {} of {games} games", self.tally.games);
        }
        let good = whole && !self.tally.has_violation();
        output::concluded(printed, Verdict::of(good))
    }

    /// Writes to the journal or the list; the first failure ends the match.
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

    fn draw(&self, game: &Game, remark: &str) -> Result<()> {
        let view = GameView {
            game,
            marked: Vec::new(),
        };
        output::line(format!("\n{}\n{remark}", view.text(self.style)))?;
        thread::sleep(self.pace);
        Ok(())
    }

    /// Adds a game to the tally, the journal and the list.
    fn keep_game(&mut self, game: &VariantGame) -> Result<()> {
        self.tally.add(game, &self.seating);
        if let Some(journal) = &mut self.journal {
            journal.end(game)?;
        }
        let list = self.list.as_mut();
        list.map_or(Ok(()), |list| list.add(&ListedGame::from(game)))
    }

    /// Shows the result of a game, and the last board if it is due.
    fn show_game(&mut self, game: &VariantGame) -> Result<()> {
        let number = self.tally.games;
        if self.last && number == self.games {
            self.draw(&game.game, "")?;
        }
        if self.json {
            return output::json(&GameObject::new(game, number));
        }
        let line = game_line(game, number);
        self.without_progress(|| output::line(line))
    }

    /// Runs a function while the progress bar is hidden.
    fn without_progress<T>(&self, act: impl FnOnce() -> T) -> T {
        match &self.progress {
            Some(progress) => progress.suspend(act),
            None => act(),
        }
    }
}

impl VariantObserver for SeatWatch {
    fn begun(&mut self, seating: &[usize]) {
        let players = seating.iter().map(|&player| self.players[player].clone());
        let players: Vec<_> = players.collect();
        self.try_to_keep(|watch| match &mut watch.journal {
            Some(journal) => journal.begin(players),
            None => Ok(()),
        });
    }

    fn moved(&mut self, ply: &VariantPly, game: &Game) {
        self.try_to_keep(|watch| match &mut watch.journal {
            Some(journal) => journal.add(ply),
            None => Ok(()),
        });
        if !self.live {
            return;
        }
        let number = game.plies().len();
        let (seat, mv) = (ply.played.seat, ply.played.mv);
        let time = seconds(ply.time);
        let remark = format!(
            "move {number}: seat {seat} played {mv}; {} legal, reply after {time}",
            ply.legal
        );
        self.try_to_show(|watch| watch.draw(game, &remark));
    }

    fn ended(&mut self, game: &VariantGame) {
        self.try_to_keep(|watch| watch.keep_game(game));
        self.try_to_show(|watch| watch.show_game(game));
        let logs = lost_logs(game);
        self.without_progress(|| note_part!("{logs}"));
        if let Some(progress) = &self.progress {
            progress.inc(1);
        }
    }

    fn breaks_off(&mut self) -> bool {
        self.unkept.is_some()
    }
}

/// Returns the last lines of the logs of the players that have not won; empty without any.
fn lost_logs(game: &VariantGame) -> String {
    let seats = game.game.seats();
    let lost = seats.filter(|seat| game.seats[seat.index()].place > 1);
    let logs = lost.map(|seat| {
        let name = &game.seats[seat.index()].name;
        last_lines(&format!("seat {seat} ({name})"), &game.log(seat))
    });
    logs.collect()
}

/// Formats a game in one line.
fn game_line(game: &VariantGame, number: u32) -> String {
    let scores: Vec<_> = game.seats.iter().map(|it| it.score.to_string()).collect();
    let winners: Vec<_> = game.winners().iter().map(Seat::to_string).collect();
    let verdict = match winners.len() {
        1 => {
            let name = &game.seats[game.winners()[0].index()].name;
            format!("seat {} ({name}) wins", winners[0])
        }
        _ => format!("seats {} draw", winners.join(", ")),
    };
    format!(
        "game {number}: {verdict}, {} after {} moves; {game}",
        scores.join(":"),
        game.game.plies().len()
    )
}
