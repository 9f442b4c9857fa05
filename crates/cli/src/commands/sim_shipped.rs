//! `duoforge sim-shipped`: the shipped search players at their clock and with their time limits.

use std::time::Duration;

use duoforge_hdl::chooser::PlayerConfig;
use duoforge_hdl::parameters::PlayerParameters;
use duoforge_hdl::search::searcher::ClockedSearchConfig;
use duoforge_rules::{DuoBoard, Move};
use duoforge_shards::Plan;
use duoforge_sim::campaign::Lockstep;
use duoforge_sim::device::SimDevice;
use duoforge_sim::search::work::{Work, before};
use duoforge_sim::{Backend, Options};
use duoforge_targets::{Target, catalogue};
use duoforge_twin::Policy;
use serde::{Deserialize, Serialize};

use crate::failure::{Failure, Result};
use crate::former_option::former;
use crate::output::{self, Verdict};
use crate::shards::{ShardArgs, VERSION};

/// Kind of the campaign in a file of results.
pub const CAMPAIGN: &str = "sim-shipped";

/// Head of the table of moves.
const HEAD: &str = "\
| search | ply | in the opponent's time | simulations | deadline | prompt to reply, cycles | \
bound above the deadline | seconds | verdict |
|---|--:|--:|--:|--:|--:|--:|--:|---|";

/// Flag of a reply that the deadline cut short.
const CUT_SHORT: u8 = 16;

/// Simulate the shipped search players at their clock and with their time limits
///
/// Runs the search player of every target that has one, in a Verilator simulation and over its
/// serial line of 115200 baud. All numbers are those of the target's file: playout cores, nodes,
/// 0.88 s of search time, 0.9 s deadline. Each reply must start between the end of the search time
/// and that end plus a bound. Both limits are computed beforehand. The move must equal the twin's
/// with the same number of simulations. One move takes some 44 million cycles, which is minutes; so
/// does a search in the opponent's time, which lasts for `--opponent-ms` before each move but the
/// first.
///
/// Exit status: 0 if all agree, 1 for a mismatch or a missed bound, 2 after a failure.
#[derive(Debug, clap::Args)]
#[command(arg = former("guard", "--deadline"))]
pub struct Args {
    /// Simulate only this target; repeatable [default: all targets with a search]
    #[arg(long, value_name = "NAME")]
    pub board: Vec<String>,
    /// Number of searches of each player, after the moves of its opening book; the opponent plays
    /// the pattern policy
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=21))]
    pub moves: u16,
    /// Time of the opponent for each move, in milliseconds
    #[arg(long, value_name = "MS", default_value_t = 0)]
    #[arg(value_parser = clap::value_parser!(u64).range(..=1000))]
    pub opponent_ms: u64,
    /// Remove the search time limit and the opening book, so that the deadline must end each search
    #[arg(long)]
    pub deadline: bool,
    #[command(flatten)]
    pub shards: ShardArgs,
}

/// Moves of a shipped search player, as in a file of results.
#[derive(Debug, Serialize, Deserialize)]
pub struct StoredMoves {
    search: String,
    moves: Vec<StoredMove>,
}

/// Move of a shipped search player.
#[derive(Debug, Serialize, Deserialize)]
struct StoredMove {
    ply: usize,
    /// Simulations in the opponent's time before the move.
    pondered: u64,
    simulations: u64,
    deadline: u64,
    /// Cycles from the prompt to the reply.
    delay: u64,
    bound: u64,
    seconds: f64,
    verdict: String,
    /// True if the reply is correct and in time.
    good: bool,
}

impl StoredMove {
    /// Returns the row of the table.
    fn row(&self, search: &str) -> String {
        format!(
            "| {search} | {} | {} | {} | {} | {} | {} | {:.4} | {} |",
            self.ply,
            self.pondered,
            self.simulations,
            self.deadline,
            self.delay,
            self.bound,
            self.seconds,
            self.verdict,
        )
    }
}

impl StoredMoves {
    /// Returns true if all replies are correct and in time.
    fn good(&self) -> bool {
        self.moves.iter().all(|mv| mv.good)
    }
}

/// Returns the table of the moves of all players. The verdict is good if all replies are correct
/// and in time.
pub fn table(players: &[StoredMoves]) -> (Verdict, String) {
    let rows = players.iter().flat_map(|player| {
        let row = |mv: &StoredMove| mv.row(&player.search);
        player.moves.iter().map(row)
    });
    let lines: Vec<_> = std::iter::once(HEAD.to_owned()).chain(rows).collect();
    let good = players.iter().all(StoredMoves::good);
    (Verdict::of(good), lines.join("\n"))
}

/// Shipped search player.
struct Shipped {
    name: String,
    parameters: PlayerParameters,
    settings: ClockedSearchConfig,
    /// Cycle at which the search ends: the end of its search time, or the controller's deadline
    /// with `--deadline`.
    deadline: u64,
    /// Expected flags of each reply.
    flags: u8,
}

impl Shipped {
    /// Returns the search player of a target, or `None` if it has none.
    fn of(board: &Target, until_deadline: bool) -> Option<Self> {
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
        if until_deadline {
            shipped.deadline = shipped.parameters.deadline_cycles.into();
            // Later than any deadline, but finite: the twin must run the number of simulations that
            // the hardware reports.
            shipped.settings.cycles = u32::MAX - 1;
            // The deadline cuts no reply of the book short.
            shipped.settings.book = None;
            shipped.flags = CUT_SHORT;
        }
        Some(shipped)
    }

    /// Plays moves and prints a row for each.
    fn play(&self, args: &Args) -> Result<StoredMoves> {
        let opponent = Duration::from_millis(args.opponent_ms);
        let (p, settings) = (&self.parameters, &self.settings);
        let mut board =
            SimDevice::open_search(Backend::Verilator, p, settings, &Options::default())?;
        let mut pair = Lockstep::searching(&mut board, p, settings);
        let greeted = pair.ask(0, b"0")?.mismatch.is_none();
        let mut played = Vec::new();
        pair.line_flags = self.flags;
        let mut request = b"25".to_vec();
        let mut searches = 0;
        for ply in (0..).step_by(2) {
            if searches == args.moves {
                break;
            }
            let checked = pair.ask(ply, &request)?;
            let Some(decision) = &checked.decision else {
                let message = "the twin has no decision for a prompt";
                return Err(Failure::new("duoforge::internal", message));
            };
            let work = Work::within(self.deadline, settings, &decision.position);
            let bound = before(decision) + work.ending();
            let delay = checked.answer.delay.unwrap_or(u64::MAX);
            let of_book = (settings.book).is_some_and(|it| it.reply(&decision.position).is_some());
            searches += u16::from(!of_book);
            // A reply of the book takes no search, and the root may be solved earlier.
            let least = match of_book || work.solved.is_some() {
                true => 0,
                false => self.deadline,
            };
            let timely = (least..=self.deadline + bound).contains(&delay);
            let verdict = match (&checked.mismatch, timely) {
                (Some(mismatch), _) => mismatch.to_string(),
                (None, false) => "out of bounds".into(),
                (None, true) if of_book => "equal, of the book".into(),
                (None, true) => "equal, in time".into(),
            };
            let mv = StoredMove {
                ply,
                pondered: checked.status.pondered.into(),
                simulations: decision.simulations,
                deadline: self.deadline,
                delay,
                bound,
                seconds: delay as f64 / f64::from(p.clock_hz),
                verdict,
                good: greeted && timely && checked.mismatch.is_none(),
            };
            output::line(mv.row(&self.name))?;
            played.push(mv);
            request = prompt(pair.twin.board());
            pair.board.idle(opponent)?;
        }
        Ok(StoredMoves {
            search: self.name.clone(),
            moves: played,
        })
    }
}

/// Returns the prompt with the opponent's move.
fn prompt(board: &DuoBoard) -> Vec<u8> {
    let best = Policy::default().best(board);
    let mv = best.map_or(Move::Pass, |choice| Move::Place(choice.placement));
    [b"4".as_slice(), &mv.to_code_bytes()].concat()
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
        .filter_map(|board| Shipped::of(board, args.deadline));
    let searches: Vec<_> = searches.collect();
    if searches.len() < args.board.len().max(1) {
        let message = format!(
            "there is no search for every target of {}",
            args.board.join(", ")
        );
        return Err(Failure::new("duoforge::usage", message));
    }
    let names: Vec<_> = searches
        .iter()
        .map(|shipped| shipped.name.as_str())
        .collect();
    // A search with a time limit has no other seed than that of its settings.
    let plan = Plan::new(CAMPAIGN, VERSION, 0, searches.len() as u64)
        .with("searches", names)
        .with("moves", args.moves)
        .with("opponent_ms", args.opponent_ms)
        .with("deadline", args.deadline);
    let mut results = args.shards.open(&plan)?;
    let stored = results
        .as_ref()
        .map(|results| results.stored::<StoredMoves>());
    let stored = stored.transpose()?.unwrap_or_default();
    let stored: Vec<_> = stored.into_iter().map(|(_, player)| player).collect();
    let (verdict, text) = table(&stored);
    output::line(text)?;
    let mut good = verdict == Verdict::Good;
    for item in args.shards.items(&plan, results.as_ref()) {
        let moves = searches[item as usize].play(args)?;
        good &= moves.good();
        if let Some(results) = &mut results {
            results.add(item, &moves)?;
        }
    }
    Ok(Verdict::of(good))
}
