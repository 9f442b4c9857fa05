//! Games of the engine against itself, with the visits of its root moves: the training data of the
//! network.

pub mod samples;

use anyhow::{Result, ensure};
use duoforge_engine::{Engine, EngineResult, EngineSettings, RankedMove};
use duoforge_rules::{Colour, DuoBoard, Move};
use duoforge_shards::{Plan, Results};
use duoforge_twin::search::Limit;
use duoforge_twin::{Policy, Rng};
use serde::{Deserialize, Serialize};

use crate::campaigns::{GamesFileArgs, count};
use crate::game::codes;
use crate::openings::walk;
use crate::output;
use crate::seed::derive;

/// Name of the campaign.
pub const CAMPAIGN: &str = "lab-self-play";

/// Maximum number of random opening plies; the games cycle through 0 to this number.
const DRAWN: u64 = 6;

/// Ply from which the best move is played; before, moves are drawn by their visits.
const BEST: usize = 10;

/// Drawn moves have at least this part of the visits of the most visited one.
const GOOD: u32 = 8;

/// Stored moves have at least this part of all visits.
const STORED: u32 = 500;

/// Play games of the engine against itself
///
/// Stores each game with the visits of its root moves, from which `samples` makes the training data
/// of the network. Openings are random, and moves of the first plies are drawn by their visits. The
/// games depend only on --seed. A file of an earlier run is completed.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Settings of the engine: KEY=VALUE,...
    #[arg(default_value = "threads=1,early_stop=0,sims=12000")]
    pub settings: EngineSettings,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = count())]
    pub games: usize,
    /// Seed, shard and output file.
    #[command(flatten)]
    pub file: GamesFileArgs,
}

/// Game with the searches of its positions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Game {
    /// Codes of all moves, separated by blanks.
    pub moves: String,
    /// Final scores, first player first.
    pub score: [i32; 2],
    /// Searches in the order of the game.
    pub searches: Vec<Search>,
}

/// Search of a position.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Search {
    /// Ply of the position.
    pub ply: usize,
    /// Mean value of all visits for the side to move, from 0 to 1.
    pub value: f64,
    /// Codes of the most visited moves with their visits, best first.
    pub visits: Vec<(String, u32)>,
}

/// Plays the games.
///
/// # Errors
/// Settings without a number of simulations, and errors of the output file.
pub fn run(args: &Args, stop: impl Fn() -> bool) -> Result<()> {
    let Limit::Simulations(simulations) = args.settings.limit else {
        anyhow::bail!("the games depend on the machine: set sims=N");
    };
    ensure!(
        args.settings.threads == 1,
        "with {} threads the games depend on the machine: set threads=1",
        args.settings.threads
    );
    let plan = Plan::new(
        CAMPAIGN,
        env!("CARGO_PKG_VERSION"),
        args.file.seed,
        args.games as u64,
    )
    .with("settings", args.settings.to_string());
    let mut results = Results::open(&args.file.out, &plan, args.file.shard)?;
    let mut engine = Engine::new(args.settings.clone());
    for number in results.missing() {
        engine.begin();
        engine.seed(derive(args.file.seed, &[number]));
        let mut rng = Rng::new(derive(args.file.seed, &[number, 2]));
        let opening = (number % (DRAWN + 1)) as usize;
        let board = walk(&Policy::default(), DuoBoard::duo(), opening, &mut rng);
        let choose = |board: &DuoBoard| engine.choose(board, Limit::Simulations(simulations));
        match play(board, choose, &mut rng, &stop) {
            Some(game) => results.add(number, &game)?,
            None => break,
        }
    }
    let done = plan.items_of(args.file.shard).count() - results.missing().len();
    let name = args.file.out.display();
    output::line(format_args!("{done} games in {name}"))?;
    Ok(())
}

/// Plays a game to its end; `None` if `stop` ends it.
fn play(
    mut board: DuoBoard,
    mut choose: impl FnMut(&DuoBoard) -> EngineResult,
    rng: &mut Rng,
    stop: &impl Fn() -> bool,
) -> Option<Game> {
    let mut searches = Vec::new();
    while !board.is_over() {
        if stop() {
            return None;
        }
        let found = choose(&board);
        let mut mv = found.mv;
        if found.lines.len() > 1 {
            searches.push(Search::new(board.ply(), &found.lines));
            if board.ply() < BEST {
                mv = Move::Place(draw(&found.lines, rng).placement());
            }
        }
        board.play(mv).expect("the engine chooses legal moves");
    }
    Some(Game {
        moves: codes(board.moves()),
        score: [0, 1].map(|side| board.score(Colour(side))),
        searches,
    })
}

impl Search {
    fn new(ply: usize, lines: &[RankedMove]) -> Self {
        let all: u32 = lines.iter().map(|line| line.visits).sum();
        let weighted = lines.iter().map(|line| f64::from(line.visits) * line.value);
        let often = lines
            .iter()
            .filter(|line| line.visits > 0 && line.visits >= all / STORED);
        let value = weighted.sum::<f64>() / f64::from(all.max(1));
        Self {
            ply,
            // Four digits are more than a search knows.
            value: (value * 1e4).round() / 1e4,
            visits: often
                .map(|line| (line.moves[0].to_string(), line.visits))
                .collect(),
        }
    }
}

/// Draws a good move by its visits.
fn draw<'a>(lines: &'a [RankedMove], rng: &mut Rng) -> &'a RankedMove {
    let most = lines.iter().map(|line| line.visits).max().unwrap_or(0);
    let good = || lines.iter().filter(|line| line.visits >= most / GOOD);
    let all: u32 = good().map(|line| line.visits).sum();
    let mut random = rng.below(all.max(1));
    let drawn = good().find(|line| {
        let is_drawn = random < line.visits;
        random = random.saturating_sub(line.visits);
        is_drawn
    });
    drawn.unwrap_or(&lines[0])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(settings: &str, seed: u64) -> Game {
        let mut engine = Engine::new(settings.parse().expect("settings"));
        let mut rng = Rng::new(seed);
        let choose = |board: &DuoBoard| engine.choose(board, Limit::Simulations(60));
        play(DuoBoard::duo(), choose, &mut rng, &|| false).expect("a game")
    }

    #[test]
    fn games_are_legal_and_their_searches_belong_to_their_positions() {
        let game = game("threads=1,early_stop=0,endgame_mobility=0", 3);
        let moves: Vec<Move> = game
            .moves
            .split(' ')
            .map(|code| code.parse().expect("a code"))
            .collect();
        assert!(game.searches.len() > 20, "{}", game.searches.len());
        let mut board = DuoBoard::duo();
        let mut drawn = 0;
        let mut searches = game.searches.iter().peekable();
        for mv in moves {
            if let Some(search) = searches.next_if(|search| search.ply == board.ply()) {
                assert!((0.0..=1.0).contains(&search.value));
                assert!(!search.visits.is_empty());
                for (code, visits) in &search.visits {
                    let candidate = code.parse().expect("a code");
                    board.clone().play(candidate).expect("legal");
                    assert!(*visits > 0);
                }
                let best = &search.visits[0].0;
                drawn += usize::from(*best != mv.to_string());
                assert!(board.ply() < BEST || *best == mv.to_string());
            }
            board.play(mv).expect("legal");
        }
        assert!(searches.next().is_none() && board.is_over());
        assert_eq!(game.score, [0, 1].map(|side| board.score(Colour(side))));
        assert!(drawn > 0, "a move of the opening is drawn");
    }

    #[test]
    fn moves_are_drawn_by_their_visits() {
        let line = |code: &str, visits| RankedMove {
            moves: vec![code.parse().expect("a code")],
            visits,
            value: 0.5,
            prior: 0.1,
            wins: None,
            margin: None,
        };
        let lines = [
            line("53e0", 10),
            line("54e0", 80),
            line("55e0", 40),
            line("56e0", 9),
        ];
        let mut rng = Rng::new(1);
        let mut counts = [0; 4];
        for _ in 0..13_000 {
            let drawn = draw(&lines, &mut rng);
            counts[lines.iter().position(|line| line == drawn).expect("a line")] += 1;
        }
        let near = |count: i32, expected: i32| (count - expected).abs() < 300;
        assert!(near(counts[0], 1_000) && near(counts[1], 8_000) && near(counts[2], 4_000));
        assert_eq!(counts[3], 0, "{counts:?}");
    }
}
