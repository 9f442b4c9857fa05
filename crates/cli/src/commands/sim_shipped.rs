//! `duoforge sim-shipped`: the shipped search players at their clock and with their time limits.

use duoforge_hdl::chooser::PlayerConfig;
use duoforge_hdl::parameters::PlayerParameters;
use duoforge_hdl::search::searcher::ClockedSearchConfig;
use duoforge_rules::{DuoBoard, Move};
use duoforge_sim::campaign::Lockstep;
use duoforge_sim::device::SimDevice;
use duoforge_sim::search::work::{Work, before};
use duoforge_sim::{Backend, Options};
use duoforge_targets::{Target, catalogue};
use duoforge_twin::Policy;

use crate::failure::{Failure, Result};
use crate::output::{self, Verdict};

/// Flag of a reply that the deadline cut short.
const CUT_SHORT: u8 = 16;

/// Simulate the shipped search players at their clock and with their time limits
///
/// Runs the search player of every target that has one, in a Verilator simulation and over its
/// serial line of 115200 baud. All numbers are those of the target's file: playout cores, nodes,
/// 0.88 s of search time, 0.9 s deadline. Each reply must start between the end of the search time
/// and that end plus a bound. Both are known without the simulation. The move must equal the twin's
/// with the same number of simulations. One move takes some 44 million cycles, which is minutes.
///
/// Exit status: 0 if all agree, 1 for a mismatch or a missed bound, 2 after a failure.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Simulate only this target; repeatable [default: all targets with a search]
    #[arg(long, value_name = "NAME")]
    pub board: Vec<String>,
    /// Number of moves of each search; the opponent plays the pattern policy
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=21))]
    pub moves: u16,
    /// Remove the search time limit, so that the deadline must end the search
    #[arg(long)]
    pub guard: bool,
}

/// Shipped search player.
struct Shipped {
    name: String,
    parameters: PlayerParameters,
    settings: ClockedSearchConfig,
    /// Cycle at which the search ends: the end of its search time, or the controller's deadline
    /// with `--guard`.
    deadline: u64,
    /// Expected flags of each reply.
    flags: u8,
}

impl Shipped {
    /// Returns the search player of a target, or `None` if it has none.
    fn of(board: &Target, guard: bool) -> Option<Self> {
        let PlayerConfig::Search(searching) = &board.search.as_ref()?.player else {
            return None;
        };
        let parameters = board.parameters(*b"DF");
        let settings = searching.on_clock(parameters.clock_hz);
        let mut shipped = Self {
            name: format!("{} {}", board.name, board.search.as_ref()?.player),
            deadline: settings.cycles.into(),
            flags: 0,
            parameters,
            settings,
        };
        if guard {
            shipped.deadline = shipped.parameters.guard.into();
            // Later than any deadline, but finite: the twin must run the number of simulations that
            // the hardware reports.
            shipped.settings.cycles = u32::MAX - 1;
            shipped.flags = CUT_SHORT;
        }
        Some(shipped)
    }

    /// Plays moves and prints a row for each; returns true if all replies are correct and in time.
    fn play(&self, moves: u16) -> Result<bool> {
        let (p, settings) = (&self.parameters, &self.settings);
        let mut board =
            SimDevice::open_search(Backend::Verilator, p, settings, &Options::default())?;
        let mut pair = Lockstep::searching(&mut board, p, settings);
        let mut fine = pair.ask(0, b"0")?.mismatch.is_none();
        pair.line_flags = self.flags;
        let mut request = b"25".to_vec();
        for number in 0..moves {
            let ply = 2 * usize::from(number);
            let checked = pair.ask(ply, &request)?;
            let Some(thought) = &checked.thought else {
                let message = "the twin has no decision for a prompt";
                return Err(Failure::new("duoforge::internal", message));
            };
            let work = Work::within(self.deadline, settings, &thought.position);
            let bound = before(thought) + work.ending();
            let delay = checked.answer.delay.unwrap_or(u64::MAX);
            // The root may be solved earlier.
            let least = if work.solved.is_some() {
                0
            } else {
                self.deadline
            };
            let timely = (least..=self.deadline + bound).contains(&delay);
            let verdict = match (&checked.mismatch, timely) {
                (Some(mismatch), _) => mismatch.to_string(),
                (None, false) => "out of bounds".into(),
                (None, true) => "equal, in time".into(),
            };
            output::line(format!(
                "| {} | {ply} | {} | {} | {delay} | {bound} | {:.4} | {verdict} |",
                self.name,
                thought.simulations,
                self.deadline,
                delay as f64 / f64::from(p.clock_hz),
            ))?;
            fine &= timely && checked.mismatch.is_none();
            request = prompt(pair.twin.board());
        }
        Ok(fine)
    }
}

/// Returns the prompt with the opponent's move.
fn prompt(board: &DuoBoard) -> Vec<u8> {
    let best = Policy::default().best(board);
    let turn = best.map_or(Move::Pass, |choice| Move::Place(choice.placement));
    [b"4".as_slice(), &turn.to_code_bytes()].concat()
}

/// Simulates all selected search players. The verdict is good if all replies are correct and in
/// time.
pub fn run(args: &Args) -> Result<Verdict> {
    let mut boards = Vec::new();
    for name in &args.board {
        boards.push(catalogue::find(name)?);
    }
    if boards.is_empty() {
        boards = catalogue::all()?;
    }
    let searches = boards
        .iter()
        .filter_map(|board| Shipped::of(board, args.guard));
    let searches: Vec<_> = searches.collect();
    if searches.len() < args.board.len().max(1) {
        let message = format!(
            "there is no search for every target of {}",
            args.board.join(", ")
        );
        return Err(Failure::new("duoforge::usage", message));
    }
    output::line(
        "| search | ply | simulations | deadline | prompt to reply, cycles | bound above the deadline | \
         seconds | verdict |",
    )?;
    output::line("|---|--:|--:|--:|--:|--:|--:|---|")?;
    let mut fine = true;
    for shipped in &searches {
        fine &= shipped.play(args.moves)?;
    }
    Ok(Verdict::of(fine))
}
