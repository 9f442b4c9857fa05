//! Bounds on the cycles of a search, from the documented cycles of its parts and the twin's work.
//! Nothing here is read from the hardware.

use duoforge_hdl::search::playout::core::PLAYOUT_REVOLUTION;
use duoforge_hdl::search::searcher::ClockedSearchConfig;
use duoforge_hdl::search::tree::LINE_WORDS;
use duoforge_rules::DuoBoard;
use duoforge_twin::search::{Search, Simulation};
use duoforge_twin::{Decision, OpponentMove};

/// Minimum cycles between the starts of two simulations: the tree serves one at a time, and a
/// selection and an update of at least one pair of children take ten each.
const LEAST: u64 = 20;

/// Cycles of a selection among 32 children, including the states around it.
const SELECT: u64 = 30;

/// Cycles of an update among 32 children, including the states around it.
const UPDATE: u64 = 28;

/// Cycles of a revolution that stamps a placement, including the states around it.
const STAMP: u64 = 20;

/// Cycles for the rows of a position: one per row, and one per column of each row.
const ROWS: u64 = 14 * 15;

/// Cycles in which the network takes the rows of a position: 33 for each row of the board and for two
/// rows below it, and for the revolution around them.
const NETWORK: u64 = 16 * 33 + 20;

/// Cycles of the expander's pipeline and of the states around it.
const PIPELINE: u64 = 120;

/// Children of a node.
const CHILDREN: u64 = 32;

/// Cycles to read one child at the end.
const READ: u64 = 14;

/// Cycles to load a node from an SDRAM: a line is written and another read, each after a refresh,
/// with the states around them.
const LOAD: u64 = 2 * (LINE_WORDS as u64 + 24);

/// Cycles from the chosen placement to the first start bit, including the write to the board.
const REPLY: u64 = 80;

/// Upper bound on the legal placements of a position.
const PLACEMENTS: u64 = 1_000;

/// Work of a search, measured with the twin.
#[derive(Debug, Default)]
pub struct Work {
    /// Number of simulations that solve the root, if the permitted simulations solve it.
    pub solved: Option<u64>,
    /// Length of the longest path through the tree.
    path: u64,
    /// Maximum number of placements of a simulation.
    moves: u64,
    /// True if some simulation proves values, so that every leaf on its path becomes a node.
    proves: bool,
    lanes: u64,
    /// Cycles that a job of the tree waits for its node.
    load: u64,
    /// Cycles that the network adds to an expansion.
    network: u64,
    /// True if a search in the opponent's time came before.
    ponders: bool,
    /// Cycles to list the legal set, in which the chosen placement is looked up.
    list: u64,
}

impl Work {
    /// Measures the work of a position with the maximum number of simulations that fit into some
    /// cycles.
    pub fn within(cycles: u64, settings: &ClockedSearchConfig, position: &DuoBoard) -> Self {
        let limit = most_simulations(cycles).min(settings.simulations.into());
        let mut search = Search::new(settings.parameters.clone(), settings.seed);
        let mut work = Self {
            lanes: settings.parameters.lanes as u64,
            load: settings.lines.map_or(0, |_| LOAD),
            network: match settings.parameters.formulas.prior_network {
                true => NETWORK,
                false => 0,
            },
            ponders: settings.ponder,
            list: list(position),
            ..Self::default()
        };
        let found = search.run_traced(
            position,
            |done| done < limit,
            |simulation| work.take(simulation),
        );
        work.solved = found.solved.then_some(found.simulations);
        work
    }

    /// Adds a simulation.
    fn take(&mut self, simulation: &Simulation) {
        let (path, moves) = (simulation.path.len() as u64, simulation.moves.len() as u64);
        self.path = self.path.max(path);
        self.moves = self.moves.max(moves);
        self.proves |= simulation
            .path
            .iter()
            .any(|step| step.proven_alternative.is_some());
    }

    /// Returns an upper bound on the cycles from the stop signal to the first start bit. In this
    /// time a simulation descends, all lanes finish their playouts, their results are backed up,
    /// the root is read, whose node is loaded once, and the legal set is listed. With searches in the opponent's time, one
    /// of those has ended in the same way before, in simulations of one placement more, and the
    /// reply has been found in its root.
    pub fn ending(&self) -> u64 {
        let reading = CHILDREN * READ + self.load;
        let before = match self.ponders {
            true => self.rest(1) + reading + READ + self.load,
            false => 0,
        };
        before + self.rest(0) + reading + self.list + REPLY
    }

    /// Returns an upper bound on the cycles of a simulation's descent, of the playouts of all lanes and
    /// of their backups, with `more` placements more than in this search.
    fn rest(&self, more: u64) -> u64 {
        let (path, moves) = (self.path + more, self.moves + more);
        let grown = if self.proves { path } else { 1 };
        let down = path * (SELECT + STAMP + self.load)
            + grown * (growth(path) + 2 * self.network + self.load);
        let up = path * (UPDATE + self.load) + 2 * (moves + 4);
        down + playout(moves) + self.lanes * up
    }
}

/// Returns the maximum number of simulations that fit into some cycles.
pub fn most_simulations(cycles: u64) -> u64 {
    cycles / LEAST
}

/// Returns an upper bound on the cycles from the end of a prompt to the start of the search. In
/// this time the opponent's placement is looked up in its legal set and written.
pub fn before(decision: &Decision) -> u64 {
    match &decision.opponent {
        OpponentMove::None | OpponentMove::Passed => PIPELINE,
        OpponentMove::Placed(position) | OpponentMove::Illegal(position) => {
            list(position) + PIPELINE
        }
    }
}

/// Returns an upper bound on the cycles to list the legal set of the side to move.
fn list(position: &DuoBoard) -> u64 {
    ROWS + u64::from(position.count_legal()) + PIPELINE
}

/// Returns an upper bound on the cycles to find and rank the children of a position.
fn expansion() -> u64 {
    ROWS + PLACEMENTS + PIPELINE
}

/// Returns an upper bound on the cycles to make a node: the path is stamped, and both sides may
/// have to be scanned.
fn growth(path: u64) -> u64 {
    path * STAMP + 2 * expansion()
}

/// Returns an upper bound on the cycles of a playout: each placement takes at most two revolutions,
/// and each side gets stuck once.
fn playout(placements: u64) -> u64 {
    2 * PLAYOUT_REVOLUTION * (placements + 2)
}

#[cfg(test)]
mod tests {
    use duoforge_rules::Move;
    use duoforge_twin::Policy;
    use duoforge_twin::search::SearchParameters;

    use super::*;

    fn settings() -> ClockedSearchConfig {
        ClockedSearchConfig {
            parameters: SearchParameters {
                expand_threshold: 4,
                ..SearchParameters::of_block_ram()
            },
            seed: 1,
            simulations: 400,
            cycles: u32::MAX,
            lines: None,
            ponder: false,
            book: None,
        }
    }

    #[test]
    fn an_empty_board_is_not_solved_and_the_last_choice_of_a_game_is() {
        let policy = Policy::default();
        let mut board = DuoBoard::duo();
        let first = Work::within(1_000_000, &settings(), &board);
        assert!(first.solved.is_none());
        assert!((3_000..10_000).contains(&first.ending()), "{first:?}");
        let mut late = board.clone();
        while !board.is_over() {
            if board.count_legal() > 1 {
                late = board.clone();
            }
            let best = policy.best(&board);
            let mv = best.map_or(Move::Pass, |choice| Move::Place(choice.placement));
            board.play(mv).expect("a legal move");
        }
        let last = Work::within(1_000_000, &settings(), &late);
        assert!(last.solved.expect("little is left") < 400);
    }
}
