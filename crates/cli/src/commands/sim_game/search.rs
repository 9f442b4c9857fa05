//! One decision of the search player: the emitted search and its twin, from the position itself.

use std::path::Path;

use duoforge_hdl::search::settings::{SIMULATIONS, SearchConfig};
use duoforge_rules::Move;
use duoforge_sim::Options;
use duoforge_sim::search::{
    Difference, MIN_SIMULATIONS, SearchComparison, SearchDecision, SearchWave, Searched,
};
use duoforge_sim::waves::Wave;
use serde::Serialize;

use super::{Args, agreement, verdict};
use crate::comparisons::position;
use crate::failure::{Failure, Result};
use crate::output::{self, Verdict, grouped};

/// Default number of simulations: they take seconds in Verilator.
const DEFAULT: u32 = 300;

/// Comparison in JSON.
#[derive(Serialize)]
struct Summary<'a> {
    ply: usize,
    player: String,
    twin: Side,
    hardware: Side,
    /// Cycles of the search in hardware.
    cycles: u64,
    mismatch: Option<Differs<'a>>,
    wave: Option<&'a Path>,
    /// Command lines that open the waveform in Surfer and in GTKWave.
    view: Option<[String; 2]>,
}

/// Decision in JSON.
#[derive(Serialize)]
struct Side {
    reply: String,
    legal: usize,
    simulations: u64,
    /// Value of the chosen placement from 0 to 65,535; null without a choice.
    value: Option<u32>,
    /// True if that value is proven.
    proven: Option<bool>,
    /// Visits of the children of the root, the chosen one first.
    visits: Vec<u32>,
}

impl Side {
    fn new(searched: &Searched) -> Self {
        let chosen = searched.chosen();
        Self {
            reply: reply(searched),
            legal: searched.legal.len(),
            simulations: searched.simulations,
            value: chosen.map(|child| child.value),
            proven: chosen.map(|child| child.proven),
            visits: searched.children.iter().map(|child| child.visits).collect(),
        }
    }
}

fn reply(searched: &Searched) -> String {
    searched.best.map_or(Move::Pass, Move::Place).to_string()
}

/// Difference in JSON.
#[derive(Serialize)]
struct Differs<'a> {
    what: &'a str,
    twin: &'a str,
    hardware: &'a str,
    simulation: Option<u64>,
}

/// Compares the decision after these moves.
pub fn run(args: &Args, settings: &SearchConfig, moves: &[Move]) -> Result<Verdict> {
    let full = settings.simulations;
    let simulations = args.simulations.unwrap_or_else(|| full.min(DEFAULT));
    if !(MIN_SIMULATIONS..=SIMULATIONS).contains(&simulations) {
        let message = format!(
            "{simulations} simulations are out of range: expected {MIN_SIMULATIONS} to {SIMULATIONS}"
        );
        return Err(Failure::new("duoforge::usage", message)
            .help("--simulations N is the number of simulations of the search"));
    }
    let board = position(moves, false).map_err(|reason| Failure::new("duoforge::usage", reason))?;
    if board.is_over() {
        return Err(Failure::new(
            "duoforge::usage",
            "the game is over at this ply: there is no decision",
        )
        .help("--ply N names an earlier decision"));
    }
    let decision = SearchDecision {
        backend: args.backend,
        settings: settings.clone(),
        board,
        simulations,
        options: Options::default(),
    };
    let wave = args.wave.as_ref().map(|file| SearchWave {
        file: file.clone(),
        from: args.from_simulation,
    });
    let compared = decision.compare(wave.as_ref(), &|| false)?;
    let compared = compared.expect("nothing stops it");
    if wave.is_some() && compared.wave.is_none() {
        let message = format!(
            "the search ended after {} simulations, before the waveform",
            compared.hardware.simulations
        );
        return Err(Failure::new("duoforge::usage", message)
            .help("--from-simulation N names an earlier simulation"));
    }
    print(args, moves.len(), &compared)?;
    Ok(verdict(compared.difference.is_none()))
}

fn print(args: &Args, ply: usize, compared: &SearchComparison) -> Result<()> {
    let difference = compared.difference.as_ref();
    let wave = compared.wave.as_ref();
    if args.json {
        return output::json(&Summary {
            ply,
            player: args.player.to_string(),
            twin: Side::new(&compared.twin),
            hardware: Side::new(&compared.hardware),
            cycles: compared.cycles,
            mismatch: difference.map(|it| Differs {
                what: &it.what,
                twin: &it.twin,
                hardware: &it.hardware,
                simulation: it.simulation,
            }),
            wave: wave.map(|wave| wave.file.as_path()),
            view: wave.map(Wave::commands),
        });
    }
    let hardware = &compared.hardware;
    output::line(format!(
        "ply {ply}: {} of {} legal placements, {} simulations, {} cycles",
        reply(hardware),
        hardware.legal.len(),
        grouped(hardware.simulations),
        grouped(compared.cycles)
    ))?;
    output::line(agreement(difference.map(|it| told(ply, it))))?;
    if let Some([surfer, gtkwave]) = wave.map(Wave::commands) {
        output::line(format!("to view it: {surfer}\n        or: {gtkwave}"))?;
    }
    Ok(())
}

fn told(ply: usize, difference: &Difference) -> String {
    let Difference {
        what,
        twin,
        hardware,
        ..
    } = difference;
    format!("ply {ply}: {what} differs: twin {twin}, hardware {hardware}")
}
