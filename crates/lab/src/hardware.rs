//! The search in hardware: held against its twin, and its clocks counted.

use std::fmt::Write as _;

use anyhow::{Result, anyhow};
use duoforge_engine::search::{Limit, Settings};
use duoforge_engine::{Maps, Policy, Rng};
use duoforge_hdl::search::searcher;
use duoforge_rules::{DuoBoard, Move};
use duoforge_sim::Backend;
use duoforge_sim::search::{Clocks, Heard, SearchUnit, compare, set_up, twin};

/// Positions of one game, and how each is searched.
#[derive(Debug)]
pub struct Comparison {
    unit: SearchUnit,
    settings: searcher::Settings,
    /// Searches that were compared.
    pub searches: u64,
    /// Simulations that were compared.
    pub simulations: u64,
}

/// A search in simulation that agreed with its twin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Measured {
    /// Plies before.
    pub ply: usize,
    /// Simulations.
    pub simulations: u64,
    /// Clocks.
    pub clocks: Clocks,
}

impl Comparison {
    /// Builds the hardware with the settings of a search; with `trace` every simulation is compared, else
    /// what came of them.
    ///
    /// # Errors
    /// Settings that end by time; those of building the model.
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

    /// Searches a position in both.
    ///
    /// # Errors
    /// The first difference; those of driving the model.
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

/// The moves that lead to a position.
fn place(board: &DuoBoard) -> String {
    let codes = board.moves().iter().map(|turn| turn.to_string());
    format!("after [{}]", codes.collect::<Vec<_>>().join(" "))
}

/// The positions of a game, its end included: each side takes one of the 20 placements that the pattern
/// policy likes best.
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

/// The game by which clocks are told: the pattern policy against itself.
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

/// A table of clocks, and of simulations a second at a frequency in megahertz.
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
            "| {} | {} | {each:.0} | {} | {} | {} | {:.0} |",
            row.ply,
            row.simulations,
            share(row.clocks.tree),
            share(row.clocks.expander),
            share(row.clocks.lanes / lanes as u64),
            megahertz * 1e6 / each,
        );
    }
    text
}
