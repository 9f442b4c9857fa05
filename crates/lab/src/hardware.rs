//! Search in hardware: comparison with its twin, and cycle counts.

use std::fmt::Write as _;

use anyhow::{Result, anyhow};
use duoforge_engine::search::{Limit, Settings};
use duoforge_engine::{Maps, Policy, Rng};
use duoforge_hdl::search::searcher;
use duoforge_rules::{DuoBoard, Move};
use duoforge_sim::Backend;
use duoforge_sim::search::{Clocks, Heard, SearchUnit, compare, set_up, twin};
use serde::Serialize;

/// Comparison of the hardware search with its twin.
#[derive(Debug)]
pub struct Comparison {
    unit: SearchUnit,
    settings: searcher::Settings,
    /// Number of searches compared.
    pub searches: u64,
    /// Number of MCTS simulations compared.
    pub simulations: u64,
}

/// Statistics of a hardware search that agreed with its twin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured {
    /// Number of plies played before the search.
    pub ply: usize,
    /// Number of MCTS simulations.
    pub simulations: u64,
    /// Cycle counts.
    pub clocks: Clocks,
}

impl Measured {
    /// Returns the simulations per second at a clock frequency in hertz, rounded down; 0 if no
    /// cycles were counted.
    fn per_second(&self, clock_hz: u64) -> u64 {
        (self.simulations * clock_hz)
            .checked_div(self.clocks.whole)
            .unwrap_or(0)
    }
}

impl Comparison {
    /// Builds the hardware with the settings of a search. With `trace` every simulation is
    /// compared, else only the results.
    ///
    /// # Errors
    /// Settings with a time limit; errors of building the model.
    pub fn open(backend: Backend, settings: &Settings, trace: bool) -> Result<Self> {
        let Limit::Simulations(limit) = settings.limit else {
            return Err(anyhow!(
                "the search must end by its simulations: say sims=N"
            ));
        };
        let settings = searcher::Settings {
            parameters: settings.parameters.clone(),
            seed: settings.seed,
            simulations: u32::try_from(limit)?,
            clocks: u32::MAX,
        };
        let unit = SearchUnit::open(backend, &settings, trace)?;
        Ok(Self {
            unit,
            settings,
            searches: 0,
            simulations: 0,
        })
    }

    /// Searches a position with hardware and twin, and compares the results.
    ///
    /// # Errors
    /// The first mismatch; errors of driving the model.
    pub fn search(&mut self, board: &DuoBoard) -> Result<Measured> {
        set_up(&mut self.unit, board)?;
        let heard = self.unit.think(board.to_move(), None)?;
        let (found, flights) = twin(&self.settings, board, self.settings.simulations.into());
        compare(&found, &flights, &heard)
            .map_err(|divergence| anyhow!("{}: {divergence}", place(board)))?;
        let Heard {
            simulations,
            clocks,
            ..
        } = heard;
        self.searches += 1;
        self.simulations += simulations;
        Ok(Measured {
            ply: board.ply(),
            simulations,
            clocks,
        })
    }
}

/// Describes a position by its moves.
fn place(board: &DuoBoard) -> String {
    let codes = board.moves().iter().map(|turn| turn.to_string());
    format!("after [{}]", codes.collect::<Vec<_>>().join(" "))
}

/// Plays a random game and returns all its positions, the final one included. Each side plays one
/// of the 20 placements with the highest scores of the pattern policy.
pub fn walk(rng: &mut Rng) -> Vec<DuoBoard> {
    let policy = Policy::default();
    let mut board = DuoBoard::duo();
    let mut boards = vec![board.clone()];
    while !board.is_over() {
        let maps = Maps::new(&board, board.to_move());
        let mut legal: Vec<_> = board.legal().collect();
        legal.sort_by_key(|&placement| std::cmp::Reverse(policy.score(&maps, placement)));
        let turn = if legal.is_empty() {
            Move::Pass
        } else {
            Move::Place(legal[rng.below((legal.len() as u32).min(20)) as usize])
        };
        board.play(turn).expect("a legal move");
        boards.push(board.clone());
    }
    boards
}

/// Returns the positions of the reference game for cycle counts: the pattern policy against itself.
pub fn fixed_game() -> Vec<DuoBoard> {
    let policy = Policy::default();
    let mut board = DuoBoard::duo();
    let mut boards = vec![board.clone()];
    while !board.is_over() {
        let best = policy.best(&board);
        let turn = best.map_or(Move::Pass, |choice| Move::Place(choice.placement));
        board.play(turn).expect("a legal move");
        boards.push(board.clone());
    }
    boards
}

/// JSON summary: settings, and each compared search with its cycle counts.
#[derive(Debug, Serialize)]
pub struct Summary {
    /// Settings of the search.
    search: String,
    /// Simulator.
    simulator: &'static str,
    /// Clock frequency in hertz for which `per_second` is computed.
    clock_hz: u64,
    /// Compared searches, in order.
    searches: Vec<Row>,
}

/// JSON form of a search. All cycle counts are sums over the whole search.
#[derive(Debug, Serialize)]
struct Row {
    ply: usize,
    simulations: u64,
    clocks: u64,
    /// Busy cycles of the tree.
    tree: u64,
    /// Busy cycles of the expander.
    expander: u64,
    /// Busy cycles of the playout cores, summed over the cores.
    cores: u64,
    /// Simulations per second, rounded down.
    per_second: u64,
}

/// Summarises searches, with simulations per second at a clock frequency in megahertz.
pub fn summary(
    measured: &[Measured],
    settings: &Settings,
    simulator: Backend,
    megahertz: f64,
) -> Summary {
    let clock_hz = (megahertz * 1e6) as u64;
    let row = |measured: &Measured| Row {
        ply: measured.ply,
        simulations: measured.simulations,
        clocks: measured.clocks.whole,
        tree: measured.clocks.tree,
        expander: measured.clocks.expander,
        cores: measured.clocks.lanes,
        per_second: measured.per_second(clock_hz),
    };
    Summary {
        search: settings.to_string(),
        simulator: simulator.name(),
        clock_hz,
        searches: measured.iter().map(row).collect(),
    }
}

/// Formats a table of cycle counts, with simulations per second at a clock frequency in megahertz.
pub fn table(measured: &[Measured], lanes: usize, megahertz: f64) -> String {
    let mut text = String::from(
        "| ply | simulations | clocks each | tree | expander | cores | a second |\n\
         |--:|--:|--:|--:|--:|--:|--:|\n",
    );
    for row in measured.iter().filter(|row| row.simulations > 0) {
        let whole = row.clocks.whole as f64;
        let share = |clocks: u64| format!("{:.0} %", 100.0 * clocks as f64 / whole);
        let each = whole / row.simulations as f64;
        let _ = writeln!(
            text,
            "| {} | {} | {each:.0} | {} | {} | {} | {} |",
            row.ply,
            row.simulations,
            share(row.clocks.tree),
            share(row.clocks.expander),
            share(row.clocks.lanes / lanes as u64),
            row.per_second((megahertz * 1e6) as u64),
        );
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured() -> Measured {
        Measured {
            ply: 4,
            simulations: 2_000,
            clocks: Clocks {
                whole: 496_204,
                tree: 200_000,
                expander: 10_000,
                lanes: 1_500_000,
            },
        }
    }

    #[test]
    fn rates_are_rounded_down_in_the_table_and_in_json_alike() {
        let settings: Settings = "sims=2000,lanes=4".parse().unwrap();
        let summary = summary(&[measured()], &settings, Backend::Verilator, 50.0);
        let json = serde_json::to_value(summary).unwrap();
        assert_eq!(json["clock_hz"], 50_000_000);
        assert_eq!(json["simulator"], "verilator");
        assert_eq!(json["searches"][0]["clocks"], 496_204);
        assert_eq!(json["searches"][0]["per_second"], 201_530);
        let table = table(&[measured()], 4, 50.0);
        let row = "| 4 | 2000 | 248 | 40 % | 2 % | 76 % | 201530 |";
        assert!(table.contains(row), "{table}");
    }

    #[test]
    fn a_search_without_clocks_has_no_rate() {
        let none = Measured {
            simulations: 0,
            clocks: Clocks::default(),
            ..measured()
        };
        assert_eq!(none.per_second(50_000_000), 0);
    }
}
