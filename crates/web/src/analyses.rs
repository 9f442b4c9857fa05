//! Analyses: one runs, up to four wait. Progress is published every 200 ms.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use duoforge_engine::{Engine, EngineResult, RankedMove, SearchObserver, SearchProgress};
use duoforge_rules::{ActionSpace, DuoBoard, Move};
use duoforge_twin::search::Limit;
use duoforge_view::Version;
use serde::{Deserialize, Serialize};
use tokio::sync::broadcast;
use utoipa::ToSchema;

use crate::dto::{
    Analysis, AnalysisLimit, AnalysisStatus, CandidateView, PositionRequest, SolvedView,
};
use crate::jobs::{Begun, JobView, Jobs};
use crate::position::{self, variant};
use crate::problem::Problem;
use crate::stream::Notice;

/// Maximum number of candidates of an answer.
const MAX_CANDIDATES: usize = 64;

/// Memory of the tree, in MiB.
const MEMORY: usize = 256;

/// Request for an analysis: a position and one limit.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewAnalysis {
    /// Name of a built-in variant; only `duo` can be analysed.
    #[schema(example = "duo")]
    pub variant: String,
    /// Codes or action numbers, at most 200.
    #[serde(default)]
    pub codes: Vec<String>,
    /// Number of MCTS simulations, 1 to 10,000,000.
    #[schema(example = 1000, minimum = 1, maximum = 10_000_000)]
    pub simulations: Option<u64>,
    /// Time in milliseconds, 10 to 60,000.
    #[schema(minimum = 10, maximum = 60_000)]
    pub ms: Option<u64>,
}

/// Analyses of the service. The thread that runs them ends with the last owner.
pub struct Analyses {
    shared: Arc<Shared>,
}

struct Shared {
    jobs: Jobs<Analysis, Analysed>,
    notices: broadcast::Sender<Notice>,
}

/// Position of an analysis, and its limit.
#[derive(Clone)]
struct Analysed {
    board: DuoBoard,
    limit: AnalysisLimit,
}

impl JobView for Analysis {
    fn id(&self) -> &str {
        &self.id
    }

    fn is_waiting(&self) -> bool {
        self.status == AnalysisStatus::Waiting
    }

    fn is_open(&self) -> bool {
        matches!(
            self.status,
            AnalysisStatus::Waiting | AnalysisStatus::Running
        )
    }

    fn set_running(&mut self) {
        self.status = AnalysisStatus::Running;
    }

    fn set_cancelled(&mut self) {
        self.status = AnalysisStatus::Cancelled;
    }

    fn set_place(&mut self, place: usize) {
        self.queue = place;
    }
}

impl Shared {
    fn publish(&self, analysis: &Analysis) {
        // There may be no stream.
        let _ = self
            .notices
            .send(Notice::Analysis(Arc::new(analysis.clone())));
    }
}

impl Analyses {
    /// Starts the thread that runs analyses.
    ///
    /// # Errors
    /// The error of the operating system if there is no thread.
    pub fn start(notices: broadcast::Sender<Notice>) -> std::io::Result<Self> {
        let shared = Arc::new(Shared {
            jobs: Jobs::default(),
            notices,
        });
        let own = Arc::clone(&shared);
        thread::Builder::new()
            .name("analyses".to_owned())
            .spawn(move || while own.run_next() {})?;
        Ok(Self { shared })
    }

    /// Adds an analysis.
    pub fn create(&self, request: &NewAnalysis) -> Result<Analysis, Problem> {
        let limit = limit(request)?;
        let variant = variant(&request.variant)
            .map_err(|problem| Problem::invalid("duoforge::variant", problem.detail()))?;
        let game = position::play(variant, request.codes.iter().map(String::as_str))?;
        if variant.name() != "duo" {
            let message = format!("{} cannot be analysed: expected duo", variant.name());
            return Err(Problem::invalid("duoforge::variant", message));
        }
        if game.is_over() {
            let message = "the game is over: there is nothing to analyse";
            return Err(Problem::conflict("duoforge::over", message));
        }
        let mut board = DuoBoard::duo();
        for played in game.plies() {
            let legal = board.play(played.mv);
            legal.map_err(|fault| Problem::internal(format!("{}: {fault}", played.mv)))?;
        }
        let codes = game.plies().iter().map(|played| played.mv.to_string());
        let position = PositionRequest {
            variant: request.variant.clone(),
            codes: codes.collect(),
        };
        let view = |number, open| Analysis {
            version: Version,
            id: format!("a{number}"),
            status: AnalysisStatus::Waiting,
            position,
            limit,
            queue: open,
            simulations: 0,
            time_ms: 0,
            value: None,
            margin: None,
            solved: None,
            candidates: Vec::new(),
        };
        let added = self
            .shared
            .jobs
            .add("analyses", Analysed { board, limit }, view);
        added.map_err(Problem::busy)
    }

    /// All analyses that are kept.
    pub fn list(&self) -> Vec<Analysis> {
        self.shared.jobs.list()
    }

    /// Returns an analysis.
    pub fn get(&self, id: &str) -> Result<Analysis, Problem> {
        self.shared.jobs.get(id).ok_or_else(|| unknown(id))
    }

    /// Cancels an analysis; one that has ended stays as it is.
    pub fn cancel(&self, id: &str) -> Result<Analysis, Problem> {
        let analysis = self.shared.jobs.cancel(id).ok_or_else(|| unknown(id))?;
        self.shared.publish(&analysis);
        Ok(analysis)
    }
}

impl Drop for Analyses {
    fn drop(&mut self) {
        self.shared.jobs.stop();
    }
}

/// Observer that publishes the progress of a job.
struct Reporter<'a> {
    shared: &'a Shared,
    id: &'a str,
    cancel: &'a AtomicBool,
}

impl SearchObserver for Reporter<'_> {
    fn is_cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }

    fn report(&self, progress: SearchProgress) {
        self.shared.update(self.id, |analysis| {
            let SearchProgress {
                lines,
                simulations,
                time,
            } = progress;
            fill(analysis, &lines, simulations, time);
        });
    }
}

impl Shared {
    /// Runs the first analysis that waits, or waits for one; false once the service stops.
    fn run_next(&self) -> bool {
        let Some(Begun { id, input, cancel }) = self.jobs.next() else {
            return false;
        };
        let Analysed { board, limit } = input;
        let limit = match limit {
            AnalysisLimit::Simulations(count) => Limit::Simulations(count),
            AnalysisLimit::Ms(ms) => Limit::Time(Duration::from_millis(ms)),
        };
        let settings = format!("memory={MEMORY}")
            .parse()
            .expect("settings of the engine");
        let reporter = Reporter {
            shared: self,
            id: &id,
            cancel: &cancel,
        };
        let found = Engine::new(settings).analyse_observed(&board, limit, &reporter);
        self.update(&id, |analysis| {
            finish(analysis, &found);
            if analysis.status == AnalysisStatus::Running {
                analysis.status = AnalysisStatus::Done;
            }
        });
        true
    }

    fn update(&self, id: &str, change: impl FnOnce(&mut Analysis)) {
        if let Some(analysis) = self.jobs.update(id, change) {
            self.publish(&analysis);
        }
    }
}

fn limit(request: &NewAnalysis) -> Result<AnalysisLimit, Problem> {
    let out_of_range = |message: String| Problem::invalid("duoforge::limit", message);
    match (request.simulations, request.ms) {
        (Some(count @ 1..=10_000_000), None) => Ok(AnalysisLimit::Simulations(count)),
        (None, Some(ms @ 10..=60_000)) => Ok(AnalysisLimit::Ms(ms)),
        (Some(count), None) => Err(out_of_range(format!(
            "simulations={count} is out of range: expected 1 to 10000000"
        ))),
        (None, Some(ms)) => Err(out_of_range(format!(
            "ms={ms} is out of range: expected 10 to 60000"
        ))),
        _ => Err(out_of_range(
            "the limit is not unique: expected either simulations or ms".to_owned(),
        )),
    }
}

fn unknown(id: &str) -> Problem {
    Problem::not_found(format!("no analysis has the id '{}'", position::shown(id)))
        .help("GET /api/v1/analyses lists the analyses; the last 16 are kept")
}

fn fill(analysis: &mut Analysis, lines: &[RankedMove], simulations: u64, time: Duration) {
    let actions = ActionSpace::new(14);
    let candidate = |line: &RankedMove| {
        let mv = Move::Place(line.placement());
        CandidateView {
            code: mv.to_string(),
            action: actions.number(mv).unwrap_or_default(),
            visits: line.visits,
            prior: line.prior,
            value: line.value,
            wins: line.wins,
            margin: line.margin,
            moves: line.moves.iter().map(Move::to_string).collect(),
        }
    };
    analysis.candidates = lines.iter().take(MAX_CANDIDATES).map(candidate).collect();
    analysis.simulations = simulations;
    analysis.time_ms = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
    analysis.value = lines.first().and_then(|line| line.wins);
    analysis.margin = lines.first().and_then(|line| line.margin);
}

fn finish(analysis: &mut Analysis, found: &EngineResult) {
    fill(analysis, &found.lines, found.simulations, found.time);
    analysis.value = found.value();
    analysis.solved = found.solved.map(|solved| SolvedView {
        code: solved.mv.to_string(),
        margin: solved.margin,
        exact: solved.exact,
    });
}
