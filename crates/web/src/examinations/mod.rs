//! Examinations of the operator's devices: identification at once, conformance checks as jobs. One
//! run of checks is in progress, up to four wait, and the last 16 are kept.

mod cancelled;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use duoforge_conform::{ConformError, ConformanceCheck, Run, RunOptions, identify};
use duoforge_links::wirelog::{Endpoint, LoggedLink, WireLog};
use duoforge_view::Version;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::devices::Device;
use crate::dto::{CheckView, Conformance, Identification, JobStatus, WireEntryView};
use crate::jobs::{Begun, JobView, Jobs};
use crate::players::{OfferError, Players};
use crate::position::shown;
use crate::problem::Problem;

use cancelled::CancelledLink;

/// Maximum number of games of the check `series`.
const MAX_SERIES: u32 = 100;

/// Name of the connection in the log of an identification.
const LINE: &str = "device";

/// Request for a run of conformance checks.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewConformance {
    /// Names or numbers of checks of devices, from 1 to 25; empty for all.
    #[serde(default)]
    #[schema(example = json!(["handshake", "timing"]), max_items = 25)]
    only: Vec<String>,
    /// Number of games of the check `series`, 1 to 100; default: 20.
    #[schema(minimum = 1, maximum = 100)]
    series_games: Option<u32>,
}

/// Examinations of the service. The thread that runs the checks ends with the last owner.
pub struct Examinations {
    players: Arc<Players>,
    jobs: Arc<Jobs<Conformance, Checks>>,
}

/// Checks to run, and the device.
#[derive(Clone)]
struct Checks {
    device: Arc<Device>,
    steps: Vec<&'static ConformanceCheck>,
    options: RunOptions,
}

impl JobView for Conformance {
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

impl Examinations {
    /// Starts the thread that runs conformance checks.
    ///
    /// # Errors
    /// The error of the operating system if there is no thread.
    pub fn start(players: Arc<Players>) -> std::io::Result<Self> {
        let jobs: Arc<Jobs<Conformance, Checks>> = Arc::default();
        let own = Arc::clone(&jobs);
        thread::Builder::new()
            .name("conformance".to_owned())
            .spawn(move || while run_next(&own) {})?;
        Ok(Self { players, jobs })
    }

    /// Asks a device for its team code and its build id. A device that does not reply is an answer
    /// with the fault.
    pub fn identify(&self, name: &str) -> Result<Identification, Problem> {
        let device = self.device(name)?;
        let lease = device.examine().ok_or_else(|| busy(name))?;
        if let Some(left) = lease.resets_for() {
            let seconds = left.as_secs() + 1;
            let message = format!("{name} resets after its last game: ready in {seconds} s");
            return Err(Problem::conflict("duoforge::device", message));
        }
        let mut view = Identification {
            version: Version,
            player: name.to_owned(),
            team: None,
            build: None,
            fault: None,
            bytes: Vec::new(),
        };
        let player = match lease.open(|| false) {
            Ok(player) => player,
            Err(reason) => {
                view.fault = Some(reason);
                return Ok(view);
            }
        };
        let log = WireLog::new();
        let mut link = LoggedLink::new(player.into_link(), log.clone(), LINE, Endpoint::Host);
        match identify(&mut link) {
            Ok(identity) => {
                view.team = Some(identity.team.to_string());
                view.build = identity.build.map(|build| build.to_string());
            }
            Err(error) => view.fault = Some(error.to_string()),
        }
        view.bytes = WireEntryView::of_device(&log.take());
        Ok(view)
    }

    /// Adds a run of conformance checks.
    pub fn create(&self, name: &str, request: &NewConformance) -> Result<Conformance, Problem> {
        let device = self.device(name)?;
        let steps = select(&request.only)?;
        let games = request.series_games.unwrap_or(RunOptions::default().games);
        if !(1..=MAX_SERIES).contains(&games) {
            let message =
                format!("series_games={games} is out of range: expected 1 to {MAX_SERIES}");
            return Err(Problem::request(message));
        }
        if !device.is_free() {
            return Err(busy(name));
        }
        let options = options(&device, games);
        let checks = steps.iter().map(|&step| CheckView::new(step)).collect();
        let view = |number, _| Conformance {
            version: Version,
            id: format!("k{number}"),
            status: JobStatus::Waiting,
            player: name.to_owned(),
            reason: None,
            team: None,
            steps: checks,
            bytes: Vec::new(),
        };
        let checks = Checks {
            device,
            steps,
            options,
        };
        let added = self.jobs.add("runs of conformance checks", checks, view);
        added.map_err(Problem::busy)
    }

    /// All runs that are kept.
    pub fn list(&self) -> Vec<Conformance> {
        self.jobs.list()
    }

    /// Returns a run.
    pub fn get(&self, id: &str) -> Result<Conformance, Problem> {
        self.jobs.get(id).ok_or_else(|| unknown(id))
    }

    /// Cancels a run; one that has ended stays as it is.
    pub fn cancel(&self, id: &str) -> Result<Conformance, Problem> {
        self.jobs.cancel(id).ok_or_else(|| unknown(id))
    }

    fn device(&self, name: &str) -> Result<Arc<Device>, Problem> {
        match self.players.find_device(name) {
            Ok(Some(device)) => Ok(device),
            Ok(None) => Err(Problem::invalid(
                "duoforge::device",
                format!("{name} is not a device: expected the name of a device's profile"),
            )),
            Err(error) => Err(Problem::not_found(error.to_string())),
        }
        .map_err(|problem| problem.help("GET /api/v1/players lists the devices"))
    }
}

impl Drop for Examinations {
    fn drop(&mut self) {
        self.jobs.stop();
    }
}

/// Returns the options of a run of checks, with the times of the device's profile.
fn options(device: &Device, games: u32) -> RunOptions {
    RunOptions {
        limit: device.limit(),
        reset: device.reset(),
        games,
        ..RunOptions::default()
    }
}

/// Selects checks of devices by their names or numbers; all for an empty list.
fn select(only: &[String]) -> Result<Vec<&'static ConformanceCheck>, Problem> {
    let mut wanted = Vec::new();
    for name in only {
        let found = ConformanceCheck::find(name).filter(|step| !step.is_for_bots());
        let step = found.ok_or_else(|| {
            let expected = ConformanceCheck::ALL.len();
            Problem::request(format!(
                "'{}' is not a check of devices: expected a name or a number from 1 to {expected}",
                shown(name)
            ))
            .help("`duoforge conform --list` lists the checks; the later ones are for text bots")
        })?;
        wanted.push(step.number);
    }
    let numbers = 1..=ConformanceCheck::ALL.len();
    let chosen = numbers.filter(|number| wanted.is_empty() || wanted.contains(number));
    Ok(chosen
        .filter_map(|number| ConformanceCheck::find(&number.to_string()))
        .collect())
}

/// Runs the first checks that wait, or waits for some; false once the service stops.
fn run_next(jobs: &Jobs<Conformance, Checks>) -> bool {
    let Some(Begun { id, input, cancel }) = jobs.next() else {
        return false;
    };
    let result = run(jobs, &id, &input, &cancel);
    jobs.update(&id, |view| {
        if view.is_open() {
            view.status = match &result {
                Ok(()) => JobStatus::Done,
                Err(_) if cancel.load(Ordering::Relaxed) => JobStatus::Cancelled,
                Err(_) => JobStatus::Failed,
            };
            view.reason = result.err();
        }
    });
    true
}

/// Runs checks and notes each result. Cancellation ends the run at the next prompt or wait.
fn run(
    jobs: &Jobs<Conformance, Checks>,
    id: &str,
    checks: &Checks,
    cancel: &Arc<AtomicBool>,
) -> Result<(), String> {
    let is_cancelled = || cancel.load(Ordering::Relaxed);
    let lease = checks.device.examine();
    let lease = lease.ok_or_else(|| "the device is in use by a game".to_owned())?;
    let open = || {
        let player = lease.open(is_cancelled)?;
        Ok(CancelledLink::player(player, Arc::clone(cancel)))
    };
    let run = Run::new(Box::new(open), checks.options);
    let ended = run.steps(&checks.steps, |step| {
        jobs.update(id, |view| {
            // A cancelled run keeps its state: the check was not completed.
            if view.is_open() {
                view.add(step);
            }
        });
    });
    let report = ended.map_err(|error| match error {
        ConformError::Open(source) => source.to_string(),
        error => error.to_string(),
    })?;
    jobs.update(id, |view| view.team = report.team);
    Ok(())
}

/// Refusal of a device that is in use.
fn busy(name: &str) -> Problem {
    let message = OfferError::Busy(name.to_owned()).to_string();
    Problem::conflict("duoforge::device", message)
}

fn unknown(id: &str) -> Problem {
    Problem::not_found(format!("no run of checks has the id '{}'", shown(id)))
        .help("the last 16 runs are kept")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use duoforge_referee::{Player, Seat};

    use super::*;
    use crate::devices::DeviceOpener;

    /// Device with a reset and a limit that cannot be opened.
    #[derive(Debug)]
    struct Absent;

    impl DeviceOpener for Absent {
        fn open(&self, _: Seat) -> Result<Player, String> {
            Err("it is absent".to_owned())
        }

        fn open_once(&self) -> Result<Player, String> {
            self.open(Seat::One)
        }

        fn reset(&self) -> Duration {
            Duration::from_secs(60)
        }

        fn limit(&self) -> Duration {
            Duration::from_secs(2)
        }

        fn is_single(&self) -> bool {
            true
        }

        fn repeats(&self) -> bool {
            false
        }
    }

    #[test]
    fn a_run_has_the_times_of_the_profile() {
        let device = Device::new("board".to_owned(), Arc::new(Absent));
        let options = options(&device, 3);
        let times = (options.limit, options.reset);
        let expected = (Duration::from_secs(2), Duration::from_secs(60));
        assert_eq!((times, options.games), (expected, 3));
    }
}
