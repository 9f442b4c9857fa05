//! Comparisons of one decision of a game: the device that played it, the twin, and the emitted
//! Verilog in simulation. One runs, up to four wait.

mod model;
mod outcome;

use std::any::Any;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

use duoforge_rules::{Cell, Colour};
use duoforge_view::Version;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

pub use model::{
    Decided, Decision, HardwareModel, HardwareOutcome, HardwarePlayer, Mismatch, Searched,
    SearchedChild,
};

use self::outcome::{DeviceChoice, finish};
use crate::dto::{Comparison, DeviceView, JobStatus};
use crate::feed::{Feed, ShownGame};
use crate::jobs::{Begun, JobView, Jobs};
use crate::play;
use crate::position::shown;
use crate::problem::Problem;

/// Request for a comparison.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewComparison {
    /// Id of a game of Blokus Duo.
    game: String,
    /// Number of moves before the decision.
    ply: usize,
    /// Hardware player: `pattern`, `search` or `search:KEY=VALUE,...`. Omitted, it is that of the
    /// profile that is to move, else `pattern`.
    player: Option<String>,
    /// Number of simulations of a search, 10 to 20,000. Omitted, it is 300; never more than the
    /// player's `sims`.
    #[schema(minimum = 10, maximum = 20_000)]
    simulations: Option<u32>,
}

/// Numbers of simulations that a request may have.
const SIMULATIONS: RangeInclusive<u32> = 10..=20_000;

/// Default number of simulations: they take seconds in Verilator.
const DEFAULT_SIMULATIONS: u32 = 300;

/// Maximum number of different search players of a service: each takes a model on disk.
const MAX_PLAYERS: usize = 16;

/// Comparisons of the service. The thread that runs them ends with the last owner.
pub struct Comparisons {
    shared: Arc<Shared>,
    feed: Arc<Feed>,
    /// Search players of all requests.
    searches: Mutex<BTreeSet<String>>,
}

struct Shared {
    model: Option<Arc<dyn HardwareModel>>,
    jobs: Jobs<Comparison, Job>,
}

/// Decision to compare.
#[derive(Clone)]
struct Job {
    decision: Decision,
    device_choice: DeviceChoice,
}

impl JobView for Comparison {
    fn id(&self) -> &str {
        &self.id
    }

    fn is_waiting(&self) -> bool {
        self.status == JobStatus::Waiting
    }

    fn is_open(&self) -> bool {
        matches!(self.status, JobStatus::Waiting | JobStatus::Running)
    }

    fn set_running(&mut self) {
        self.status = JobStatus::Running;
    }

    fn set_cancelled(&mut self) {
        self.status = JobStatus::Cancelled;
    }
}

impl Comparisons {
    /// Starts the thread that runs comparisons.
    ///
    /// # Errors
    /// The error of the operating system if there is no thread.
    pub fn start(model: Option<Arc<dyn HardwareModel>>, feed: Arc<Feed>) -> std::io::Result<Self> {
        let shared = Arc::new(Shared {
            model,
            jobs: Jobs::default(),
        });
        let own = Arc::clone(&shared);
        thread::Builder::new()
            .name("comparisons".to_owned())
            .spawn(move || while own.run_next() {})?;
        Ok(Self {
            shared,
            feed,
            searches: Mutex::default(),
        })
    }

    /// Adds a comparison.
    pub fn create(&self, request: &NewComparison) -> Result<Comparison, Problem> {
        let id = &request.game;
        let game = self.feed.game(id).ok_or_else(|| play::unknown(id))?;
        let mut decision = decision(&game, request.ply)?;
        let Some(model) = &self.shared.model else {
            return Err(Problem::invalid(
                "duoforge::model",
                "this service has no simulation of the hardware",
            ));
        };
        let player = player(&**model, &game, request)?;
        decision.simulations = simulations(&player, request.simulations)?;
        if player.simulations.is_some() {
            self.admit(&player.name)?;
        }
        let device_choice = DeviceChoice::of(&player, decision.simulations);
        decision.player = player.name;
        let device = game.moves.get(request.ply).map(DeviceView::new);
        let command = model.waveform(&decision, None);
        let view = |number, _| Comparison {
            version: Version,
            id: format!("c{number}"),
            status: JobStatus::Waiting,
            game: id.clone(),
            ply: request.ply,
            player: decision.player.clone(),
            simulations: decision.simulations,
            reason: None,
            device,
            twin: None,
            hardware: None,
            differences: Vec::new(),
            command,
        };
        let job = Job {
            decision: decision.clone(),
            device_choice,
        };
        let added = self.shared.jobs.add("comparisons", job, view);
        added.map_err(Problem::busy)
    }

    /// Admits a search player, if it is known or the service may have another one.
    fn admit(&self, player: &str) -> Result<(), Problem> {
        let searches = self.searches.lock();
        let mut searches = searches.unwrap_or_else(PoisonError::into_inner);
        if !searches.contains(player) && searches.len() == MAX_PLAYERS {
            let message = format!(
                "{player} is one search player too many: expected at most {MAX_PLAYERS} different \
                 ones until the service restarts"
            );
            return Err(Problem::busy(message).help("compare one of the earlier players"));
        }
        searches.insert(player.to_owned());
        Ok(())
    }

    /// Returns a comparison.
    pub fn get(&self, id: &str) -> Result<Comparison, Problem> {
        self.shared.jobs.get(id).ok_or_else(|| unknown(id))
    }

    /// Cancels a comparison; one that has ended stays as it is.
    pub fn cancel(&self, id: &str) -> Result<Comparison, Problem> {
        self.shared.jobs.cancel(id).ok_or_else(|| unknown(id))
    }
}

impl Drop for Comparisons {
    fn drop(&mut self) {
        self.shared.jobs.stop();
    }
}

impl Shared {
    /// Runs the first comparison that waits, or waits for one; false once the service stops.
    fn run_next(&self) -> bool {
        let Some(model) = &self.model else {
            return false;
        };
        let Some(Begun { id, input, cancel }) = self.jobs.next() else {
            return false;
        };
        let Job {
            decision,
            device_choice,
        } = input;
        let compare = || model.compare(&decision, &|| cancel.load(Ordering::Relaxed));
        // A comparison that panics must not end the thread that runs the others.
        let outcome = catch_unwind(AssertUnwindSafe(compare))
            .unwrap_or_else(|panic| Err(format!("the comparison panicked: {}", message(&*panic))));
        let command = outcome
            .as_ref()
            .map(|it| model.waveform(&decision, it.mismatch()));
        let command = command.ok();
        self.jobs.update(&id, |comparison| {
            if comparison.is_open() {
                finish(comparison, outcome, device_choice);
                comparison.command = command.unwrap_or_else(|| comparison.command.clone());
            }
        });
        true
    }
}

/// Hardware player of a request.
fn player(
    model: &dyn HardwareModel,
    game: &ShownGame,
    request: &NewComparison,
) -> Result<HardwarePlayer, Problem> {
    let text = request.player.clone().or_else(|| {
        let seat = game.game(request.ply).seat_to_move()?;
        let seat = game.seats.get(usize::from(seat.0))?;
        model.player_of(seat.player.as_deref()?)
    });
    let text = text.as_deref().unwrap_or("pattern");
    let player = model.player(text);
    player.map_err(|reason| {
        Problem::invalid("duoforge::player", format!("{}: {reason}", shown(text)))
            .help("`duoforge players sim` lists the keys of a search and their ranges")
    })
}

/// Number of simulations of a comparison; `None` for the pattern player.
fn simulations(player: &HardwarePlayer, request: Option<u32>) -> Result<Option<u32>, Problem> {
    let invalid = |message| Err(Problem::invalid("duoforge::simulations", message));
    let (min, max) = (SIMULATIONS.start(), SIMULATIONS.end());
    match (player.simulations, request) {
        (None, None) => Ok(None),
        (None, Some(_)) => invalid("the pattern player makes no simulations".to_owned()),
        (Some(full), _) if full < *min => invalid(format!(
            "sims={full} is out of range: expected at least {min}"
        )),
        (_, Some(number)) if !SIMULATIONS.contains(&number) => invalid(format!(
            "simulations={number} is out of range: expected {min} to {max}"
        )),
        (Some(full), number) => Ok(Some(number.unwrap_or(DEFAULT_SIMULATIONS).min(full))),
    }
}

/// Decision of a game at a ply, if hardware players can be compared there.
fn decision(game: &ShownGame, ply: usize) -> Result<Decision, Problem> {
    if game.variant.name() != "duo" {
        let message = format!("{} is not compared: expected duo", game.variant.name());
        return Err(Problem::invalid("duoforge::variant", message));
    }
    if ply > game.moves.len() {
        let plies = game.moves.len();
        let message = format!("ply={ply} is out of range: expected 0 to {plies}");
        return Err(Problem::request(message));
    }
    let played = game.game(ply);
    if played.is_over() {
        let message = "the game is over at this ply: there is no decision";
        return Err(Problem::conflict("duoforge::over", message));
    }
    let starts = game.variant.starts(Colour(0));
    Ok(Decision {
        moves: game
            .game(usize::MAX)
            .plies()
            .iter()
            .map(|it| it.mv)
            .collect(),
        ply,
        starts_at_a: starts.as_slice() == [Cell::new(9, 9)],
        player: String::new(),
        simulations: None,
    })
}

/// Message of a panic.
fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("without a message")
}

fn unknown(id: &str) -> Problem {
    Problem::not_found(format!("no comparison has the id '{}'", shown(id)))
        .help("the last 16 comparisons are kept")
}

#[cfg(test)]
mod tests;
