//! Engine of the player `engine` for the Go Text Protocol: parameters and time management.

use std::time::{Duration, Instant};

use duoforge_engine::{Engine, EngineResult, EngineSettings, SearchObserver, TimeManager};
use duoforge_gtp::{MoveValue, TimeSettings};
use duoforge_rules::{Colour, DuoBoard, Move};
use duoforge_twin::search::Limit;

/// Engine with parameters and time management.
pub struct TimedEngine {
    engine: Engine,
    name: String,
    clock: TimeManager,
    /// Result of the last search.
    found: Option<EngineResult>,
}

impl TimedEngine {
    /// Creates the engine. Voluntary passes are disabled, since controllers do not know them.
    pub fn new(settings: &EngineSettings, name: String) -> Self {
        let mut settings = settings.clone();
        settings.voluntary_pass = false;
        Self {
            engine: Engine::new(settings),
            name,
            clock: TimeManager::default(),
            found: None,
        }
    }
}

/// Observer that ends a search after a time.
struct Deadline {
    begin: Instant,
    budget: Duration,
}

impl SearchObserver for Deadline {
    fn is_cancelled(&self) -> bool {
        self.begin.elapsed() >= self.budget
    }
}

/// Returns the values of the placements of a search; the first is the exact one of the endgame
/// solver.
fn values(found: &EngineResult) -> Vec<MoveValue> {
    let solved = found.solved.and(found.value());
    let solved = solved.map(|value| (found.mv, 0, value)).into_iter();
    let lines = found.lines.iter();
    let searched = lines.filter_map(|line| Some((*line.moves.first()?, line.visits, line.value)));
    let known = solved
        .chain(searched)
        .filter_map(|(mv, visits, value)| match mv {
            Move::Place(placement) => Some(MoveValue {
                placement,
                visits,
                value,
            }),
            Move::Pass => None,
        });
    known.collect()
}

impl duoforge_gtp::GtpEngine for TimedEngine {
    fn name(&self) -> &str {
        &self.name
    }

    fn version(&self) -> &str {
        env!("CARGO_PKG_VERSION")
    }

    fn choose(&mut self, board: &DuoBoard) -> Result<Move, String> {
        let begin = Instant::now();
        let limit = self.engine.settings().limit;
        let found = match (self.clock.budget(board), limit) {
            (None, limit) => self.engine.choose(board, limit),
            (Some(budget), Limit::Time(_)) => self.engine.choose(board, Limit::Time(budget)),
            // The number of simulations remains a limit.
            (Some(budget), limit @ Limit::Simulations(_)) => {
                let deadline = Deadline { begin, budget };
                self.engine.choose_observed(board, limit, &deadline)
            }
        };
        self.clock.spend(board.to_move(), begin.elapsed());
        Ok(self.found.insert(found).mv)
    }

    fn begin(&mut self) {
        self.engine.begin();
        self.clock.begin();
        self.found = None;
    }

    fn seed(&mut self, seed: u64) {
        self.engine.seed(seed);
    }

    fn value(&self) -> Option<f64> {
        self.found.as_ref()?.value()
    }

    fn move_values(&self) -> Vec<MoveValue> {
        self.found.as_ref().map(values).unwrap_or_default()
    }

    fn parameters(&self) -> Vec<(String, String)> {
        let values = self.engine.settings().values().into_iter();
        values.map(|(key, value)| (key.to_owned(), value)).collect()
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        let set = self.engine.set(key, value);
        set.map_err(|error| error.to_string())
    }

    fn time_settings(&mut self, settings: TimeSettings) {
        let TimeSettings {
            main,
            period,
            moves,
        } = settings;
        self.clock.set(main, period, moves);
    }

    fn time_left(&mut self, player: Colour, left: Duration, moves: u32) {
        self.clock.tell(player, left, moves);
    }
}
