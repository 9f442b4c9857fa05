//! What ships, simulated at its clock and with its times.

use anyhow::{Result, bail};
use duoforge_boards::{Board, catalogue};
use duoforge_engine::Policy;
use duoforge_hdl::chooser::Chooser;
use duoforge_hdl::player::Parameters;
use duoforge_hdl::search::searcher::Settings;
use duoforge_rules::{DuoBoard, Move};
use duoforge_sim::board::SimBoard;
use duoforge_sim::campaign::Pair;
use duoforge_sim::search::work::{Work, before};
use duoforge_sim::{Backend, Options};

/// Flag of an answer that the guard cut short.
const CUT_SHORT: u8 = 16;

/// Simulate the searches that ship at the contest's clock and times
///
/// Plays the search of every target that has one, with all numbers of its file (playout cores, nodes, 0.88 s
/// of search, 0.9 s guard), through its serial line of 115200 baud in Verilator. Each reply must start between
/// the deadline and the deadline plus a bound, both known without the simulation, and the move must be the
/// twin's with the same number of simulations. One move takes some 44 million clocks, which is minutes.
///
/// Exit status: 0 if all agree, 1 at a difference or a missed bound, 2 after a failure.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Only this target; may be given more than once [default: all that have a search]
    #[arg(long, value_name = "NAME")]
    pub board: Vec<String>,
    /// Moves of each search; the opponent plays patterns
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=21))]
    pub moves: u16,
    /// Take the deadline away from the search, so that the guard has to end it
    #[arg(long)]
    pub guard: bool,
}

/// A search that ships.
struct Shipped {
    name: String,
    parameters: Parameters,
    settings: Settings,
    /// Clocks after which the search ends or is ended.
    deadline: u64,
    /// Flags of each answer.
    flags: u8,
}

impl Shipped {
    /// Search of a target; none where it has none.
    fn of(board: &Board, guard: bool) -> Option<Self> {
        let Chooser::Search(searching) = &board.search.as_ref()?.player else {
            return None;
        };
        let parameters = board.parameters(*b"DF");
        let settings = searching.on_clock(parameters.clock_hz);
        let mut shipped = Self {
            name: format!("{} {}", board.name, board.search.as_ref()?.player),
            deadline: settings.clocks.into(),
            flags: 0,
            parameters,
            settings,
        };
        if guard {
            shipped.deadline = shipped.parameters.guard.into();
            // Later than any guard, but not without end: the twin has to ask for the simulations.
            shipped.settings.clocks = u32::MAX - 1;
            shipped.flags = CUT_SHORT;
        }
        Some(shipped)
    }

    /// Plays moves and prints a row for each; true if all is as it has to be.
    fn play(&self, moves: u16) -> Result<bool> {
        let (p, settings) = (&self.parameters, &self.settings);
        let mut board =
            SimBoard::open_search(Backend::Verilator, p, settings, &Options::default())?;
        let mut pair = Pair::searching(&mut board, p, settings);
        let mut fine = pair.ask(0, b"0")?.mismatch.is_none();
        pair.line_flags = self.flags;
        let mut request = b"25".to_vec();
        for number in 0..moves {
            let ply = 2 * usize::from(number);
            let checked = pair.ask(ply, &request)?;
            let Some(thought) = &checked.thought else {
                bail!("the twin understands a prompt");
            };
            let work = Work::within(self.deadline, settings, &thought.position);
            let bound = before(thought) + work.ending();
            let delay = checked.answer.delay.unwrap_or(u64::MAX);
            // The root may be solved before.
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
            println!(
                "| {} | {ply} | {} | {} | {delay} | {bound} | {:.4} | {verdict} |",
                self.name,
                thought.simulations,
                self.deadline,
                delay as f64 / f64::from(p.clock_hz),
            );
            fine &= timely && checked.mismatch.is_none();
            request = prompt(pair.twin.board());
        }
        Ok(fine)
    }
}

/// Prompt with the opponent's move.
fn prompt(board: &DuoBoard) -> Vec<u8> {
    let best = Policy::default().best(board);
    let turn = best.map_or(Move::Pass, |choice| Move::Place(choice.placement));
    [b"4".as_slice(), &turn.to_code_bytes()].concat()
}

/// Plays all of them; true if all is as it has to be.
///
/// # Errors
/// Unknown targets and such without a search; those of building and driving the models.
pub fn run(args: &Args) -> Result<bool> {
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
        bail!(
            "there is no search for every target of {}",
            args.board.join(", ")
        );
    }
    println!(
        "| search | ply | simulations | deadline | prompt to reply, clocks | bound above the deadline | \
         seconds | verdict |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|---|");
    let mut fine = true;
    for shipped in &searches {
        fine &= shipped.play(args.moves)?;
    }
    Ok(fine)
}
