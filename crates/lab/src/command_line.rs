//! Definition of the command line, the source of its help.

use std::path::PathBuf;

use clap::builder::RangedU64ValueParser;
use clap::{Parser, Subcommand};
use duoforge_lab::book;
use duoforge_lab::campaigns::{GamesFileArgs, PairArgs, count};
use duoforge_lab::difference;
use duoforge_lab::distil;
use duoforge_lab::openings::{self, MOST_PLIES};
use duoforge_lab::reference::{compare, evaluate, keys, positions};
use duoforge_lab::self_play::{self, samples};
use duoforge_lab::tune;
use duoforge_players::PlayerSpec;
use duoforge_shards::Shard;
use duoforge_twin::search::SearchSettings;

/// Experiments with players of Blokus Duo
#[derive(Debug, Parser)]
#[command(name = "duoforge-lab", max_term_width = 100)]
pub struct Cli {
    #[command(subcommand)]
    pub command: Command,
}

/// Command to run.
#[derive(Debug, Subcommand)]
pub enum Command {
    Match(MatchArgs),
    Difference(difference::Args),
    Openings(openings::Args),
    Games(GamesArgs),
    SelfPlay(self_play::Args),
    Samples(samples::Args),
    Distil(distil::Args),
    Learn(LearnArgs),
    Agree(AgreeArgs),
    Regret(RegretArgs),
    Positions(positions::Args),
    Evaluate(evaluate::Args),
    Compare(compare::Args),
    Keys(keys::Args),
    Book(book::Args),
    Tune(tune::Args),
    Merge(MergeArgs),
}

/// Measure two players against each other
///
/// Each opening is played twice, with colours swapped. Players are asked for moves directly, every
/// move is checked against the rules, and there is no time limit. The error of the score is its
/// standard error over pairs. Random choices depend only on --seed, not on the number of jobs.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Players: pattern, search:KEY=VALUE,..., engine:KEY=VALUE,..., random, gtp:COMMAND LINE, as in
  duoforge-lab match pattern \"gtp:pentobi-gtp --level 1 --nobook --noresign --quiet\"
`duoforge players search` and `duoforge players engine` list the keys.

Files are created once both players are open. A failed write ends the match. A file may occur only
once on the command line.

Exit status: 0 if the match was played to its end, 2 after a failure, 130 after Ctrl-C. Once play has
begun, the report of the games so far is printed in any case.")]
pub struct MatchArgs {
    /// Player A
    pub a: PlayerSpec,
    /// Player B
    pub b: PlayerSpec,
    /// Number of pairs of games
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = count())]
    pub pairs: usize,
    #[command(flatten)]
    pub games: PairArgs,
    /// Play only part I of N of the pairs, with I from 0 to N - 1
    #[arg(long, value_name = "I/N", default_value_t)]
    pub shard: Shard,
    /// Write the pairs to FILE, for `merge`; a file of an earlier run is completed
    #[arg(long, value_name = "FILE")]
    pub results: Option<PathBuf>,
    /// Write the results and all pairs to FILE, as one JSON object
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write each finished game to FILE at once, as a line of codes
    #[arg(long, value_name = "FILE")]
    pub record: Option<PathBuf>,
}

/// Play training games
///
/// Each game starts with some random opening plies. Every finished game is written at once, as one
/// JSON object per line. The games depend only on --seed. A file of an earlier run is completed.
#[derive(Debug, clap::Args)]
pub struct GamesArgs {
    /// Player A
    pub a: PlayerSpec,
    /// Player B
    pub b: PlayerSpec,
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = count())]
    pub games: usize,
    /// Maximum number of random opening plies; games cycle through 0 to PLIES
    #[arg(long, value_name = "PLIES", default_value_t = 6)]
    #[arg(value_parser = RangedU64ValueParser::<usize>::new().range(0..=MOST_PLIES as u64))]
    pub drawn: usize,
    #[command(flatten)]
    pub file: GamesFileArgs,
}

/// Train the weights of the search's prior on games
///
/// Prints how well the weights predict the players' choices, by phase of the game (below 6, 12 and
/// 18 tiles placed, and above): the cross-entropy in bits, and the share of choices that rank first
/// or among the top N. Then prints the weights, as search settings and as Rust source. Ctrl-C ends
/// the command at once.
#[derive(Debug, clap::Args)]
pub struct LearnArgs {
    /// Files written by `games`; with --maxn, blksgf files
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
    /// Train the prior of `maxn`, on games of variants with boards of one size. Phases end when each
    /// colour has placed 3, 6 and 9 tiles on average
    #[arg(long)]
    pub maxn: bool,
    /// Hold out every N-th game for evaluation
    #[arg(long, value_name = "N", default_value_t = 5)]
    #[arg(value_parser = clap::value_parser!(u16).range(2..))]
    pub holdout: u16,
}

/// Measure how often searches choose the players' moves
///
/// For each search, prints how often its best placement is the recorded one, and how often the
/// tree contains the recorded one. Also prints the cross-entropy of the visit distribution in bits
/// (lower is better). After Ctrl-C, prints the positions so far of the search in progress.
#[derive(Debug, clap::Args)]
pub struct AgreeArgs {
    /// File written by `games`
    pub file: PathBuf,
    /// Search settings, such as sims=5000,children=32
    #[arg(required = true, value_name = "SETTINGS")]
    pub searches: Vec<SearchSettings>,
    /// Evaluate every N-th position only
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    pub step: u16,
}

/// Measure the regret of searches by the judgement of a stronger program
///
/// In each position, the program chooses a placement too, and evaluates the position after either
/// choice; the difference is the regret. A second mean limits each regret to 0.12, because a few
/// large ones dominate the variance. By that mean, each search is compared with the first one,
/// position by position. After Ctrl-C, prints the positions so far of the search in progress.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The program has to know the commands reg_genmove and move_values, as in
  duoforge-lab regret games.jsonl \"gtp:pentobi-gtp --level 7 --nobook --noresign --quiet --threads 1\" \\
    sims=40000,children=32 sims=40000,children=64 --step 20")]
pub struct RegretArgs {
    /// File written by `games`
    pub file: PathBuf,
    /// Reference program, as gtp:COMMAND LINE
    pub reference: PlayerSpec,
    /// Search settings, such as sims=5000,children=32
    #[arg(required = true, value_name = "SETTINGS")]
    pub searches: Vec<SearchSettings>,
    /// Evaluate every N-th position only
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = clap::value_parser!(u16).range(1..))]
    pub step: u16,
    /// Evaluate positions up to this ply
    #[arg(long, value_name = "PLY", default_value_t = 18)]
    pub last: u16,
}

/// Merge the results of the shards of a campaign
///
/// Takes the files of `match --results`, of `games` or of `self-play`, in any order, and prints
/// their report. The output equals the file of a single run, byte for byte. Files of different
/// campaigns, versions, seeds or settings are refused, as are missing items and those that occur
/// twice.
#[derive(Debug, clap::Args)]
pub struct MergeArgs {
    /// Files of all shards
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write the merged results to OUT, which must not be one of the files
    #[arg(long, value_name = "OUT")]
    pub out: Option<PathBuf>,
}
