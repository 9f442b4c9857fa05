//! Matches and training games as campaigns of many machines: plans, and results of items.

use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use clap::builder::RangedU64ValueParser;
use duoforge_players::PlayerSpec;
use duoforge_rules::{Colour, DuoBoard, Move};
use duoforge_shards::{Merged, Plan, Shard};
use serde::{Deserialize, Serialize};

use crate::game::{Played, Thinking, codes};
use crate::match_score::Pair;
use crate::matches::{Game, Match};
use crate::openings::OpeningSpec;
use crate::report::Report;
use crate::self_play;
use crate::training_games::{self, Example};

/// Options of a file of games.
#[derive(Debug, clap::Args)]
pub struct GamesFileArgs {
    /// Seed of all random choices
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Play only part I of N of the games, with I from 0 to N - 1
    #[arg(long, value_name = "I/N", default_value_t)]
    pub shard: Shard,
    /// Output file
    #[arg(long, value_name = "FILE")]
    pub out: PathBuf,
}

/// Maximum number of games or pairs of a campaign.
const MOST: u64 = 10_000_000;

/// Returns the parser of a number of games, pairs or positions, from 1.
#[must_use]
pub fn count() -> RangedU64ValueParser<usize> {
    RangedU64ValueParser::new().range(1..=MOST)
}

/// Options of games in pairs.
#[derive(Debug, clap::Args)]
pub struct PairArgs {
    /// Openings: random:PLIES, list:FILE or empty
    #[arg(long, value_name = "OPENINGS", default_value = "random:4")]
    pub openings: OpeningSpec,
    /// Seed of openings and random choices
    #[arg(long, default_value_t = 1)]
    pub seed: u64,
    /// Number of simultaneous games, each with its own two players
    #[arg(long, value_name = "J", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub jobs: u16,
}

/// Name of matches in a file of results. An item is a pair.
pub const MATCH: &str = "lab-match";

/// Name of training games in a file of results. An item is a game.
pub const GAMES: &str = "lab-games";

/// Version of this program, as stored in files of results.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Pair of games in a file of results, without times, which no repetition reproduces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredPair {
    /// Games as codes; A moves first in the first one.
    games: [String; 2],
    /// Final scores of each game, first player first.
    scores: [[i32; 2]; 2],
    /// Position of the player that resigned each game: 0 moved first.
    resigned: [Option<u8>; 2],
}

/// Returns the plan of a match with the openings of this source.
#[must_use]
pub fn match_plan(what: &Match, source: &OpeningSpec) -> Plan {
    let [a, b] = what.players.each_ref().map(PlayerSpec::to_string);
    Plan::new(MATCH, VERSION, what.seed, what.openings.len() as u64)
        .with("a", a)
        .with("b", b)
        .with("openings", source.identity(&what.openings))
}

/// Returns the plan of training games.
#[must_use]
pub fn games_plan(plan: &training_games::Plan) -> Plan {
    let [a, b] = plan.players.each_ref().map(PlayerSpec::to_string);
    Plan::new(GAMES, VERSION, plan.seed, plan.games as u64)
        .with("a", a)
        .with("b", b)
        .with("drawn", plan.drawn)
}

impl From<&Pair> for StoredPair {
    fn from(pair: &Pair) -> Self {
        Self {
            games: pair.each_ref().map(|game| codes(&game.moves)),
            scores: pair.each_ref().map(|game| game.score),
            resigned: pair
                .each_ref()
                .map(|game| game.resigned.map(|Colour(place)| place)),
        }
    }
}

impl StoredPair {
    /// Returns the two games of the pair with this number, which must be legal and have these
    /// scores.
    ///
    /// # Errors
    /// An illegal move or a wrong score.
    pub fn games(&self, pair: usize) -> Result<[Game; 2]> {
        let game = |game: usize| -> Result<Game> {
            let played = self.played(game);
            let played = played.with_context(|| format!("game {} of pair {}", game + 1, pair + 1));
            Ok(Game {
                pair,
                game,
                played: played?,
            })
        };
        Ok([game(0)?, game(1)?])
    }

    fn played(&self, game: usize) -> Result<Played> {
        let mut board = DuoBoard::duo();
        for code in self.games[game].split_whitespace() {
            let mv: Move = code
                .parse()
                .with_context(|| format!("{code} is not a move"))?;
            board
                .play(mv)
                .with_context(|| format!("{code} is illegal"))?;
        }
        let resigned = self.resigned[game];
        ensure!(
            resigned.is_none_or(|place| place < 2),
            "a player other than 0 and 1 resigned"
        );
        ensure!(board.is_over() || resigned.is_some(), "the game has no end");
        let (score, stated) = (
            [0, 1].map(|place| board.score(Colour(place))),
            self.scores[game],
        );
        ensure!(score == stated, "the score is {score:?}, not {stated:?}");
        Ok(Played {
            moves: board.moves().to_vec(),
            score,
            resigned: resigned.map(Colour),
            time: [Thinking::default(); 2],
        })
    }
}

/// Returns a setting of a plan that is a text.
///
/// # Errors
/// The setting is missing.
pub fn setting<'a>(plan: &'a Plan, name: &str) -> Result<&'a str> {
    let value = plan.settings.get(name).and_then(|value| value.as_str());
    value.with_context(|| format!("setting {name} is missing"))
}

/// Returns the report of merged results, as text.
///
/// # Errors
/// Results of another program, and results that are not legal games.
pub fn merged_report(merged: &Merged) -> Result<String> {
    let plan = merged.plan();
    let setting = |name: &str| setting(plan, name);
    match plan.campaign.as_str() {
        MATCH => {
            let player = |name: &str| {
                let text = setting(name)?;
                text.parse::<PlayerSpec>()
                    .with_context(|| format!("player {name}"))
            };
            let what = Match {
                players: [player("a")?, player("b")?],
                openings: vec![Vec::new(); plan.items as usize],
                seed: plan.seed,
                jobs: 1,
            };
            let mut report = Report::new(&what, setting("openings")?.to_owned());
            for (pair, stored) in merged.results::<StoredPair>()? {
                for game in stored.games(pair as usize)? {
                    report.take(game);
                }
            }
            Ok(report.text())
        }
        GAMES => {
            let games = merged.results::<Example>()?;
            for (number, game) in &games {
                game.moves()
                    .with_context(|| format!("game {}", number + 1))?;
            }
            Ok(format!(
                "{} training games, seed {}\n",
                games.len(),
                plan.seed
            ))
        }
        self_play::CAMPAIGN => {
            let games = merged.results::<self_play::Game>()?.len();
            Ok(format!("{games} games of self-play, seed {}\n", plan.seed))
        }
        other => bail!(
            "campaign {other} is not one of {MATCH}, {GAMES}, {}: see `duoforge merge`",
            self_play::CAMPAIGN
        ),
    }
}
