//! Openings of games.
//!
//! Strong players nearly always repeat themselves, so informative games need different openings.
//! Uniformly random moves are mostly bad: many games would be decided before the players move, and
//! such games do not compare the players. The moves are therefore drawn with the help of the
//! pattern policy. Openings that favour one side in games between pattern players are rejected.
//! Strong players may still find one side better.

use std::collections::HashSet;
use std::fmt;
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, Result, bail, ensure};
use duoforge_records::{ListedGame, read_list};
use duoforge_rules::{Cell, Colour, DuoBoard, Move, Placement};
use duoforge_twin::{Policy, PolicyMaps, Rng};

use crate::game::codes;
use crate::output;
use crate::seed::derive;

/// Exclusive upper bound of the noise added to a policy's score. The noise makes openings differ,
/// but does not select the placements with the lowest scores.
const NOISE: u32 = 40;

/// Number of games between two noisy pattern players that test an opening.
const TRIALS: u32 = 32;

/// Permitted half points of the first player in the test games: a quarter to three quarters of all.
const FAIR: RangeInclusive<u32> = TRIALS / 2..=TRIALS * 3 / 2;

/// Maximum number of plies of a random opening; the game is half over by then.
const MOST_PLIES: usize = 12;

/// Maximum number of candidates per requested opening.
const PATIENCE: u64 = 200;

/// Print the openings of a match
///
/// Prints one opening per line, as soon as it is found. Test games between pattern players select
/// random openings, and each shard of a match repeats them for all pairs. Write the list once instead,
/// and give it to every shard as --openings list:FILE.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Number of openings
    #[arg(long, value_name = "N", default_value_t = 50)]
    pairs: usize,
    /// Openings: random:PLIES or list:FILE
    #[arg(long, value_name = "OPENINGS", default_value = "random:4")]
    openings: OpeningSpec,
    /// Seed of random openings
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Prints openings, until `stop` returns true.
///
/// # Errors
/// As [`OpeningSpec::openings`]; a closed or full standard output.
pub fn run(args: &Args, stop: impl Fn() -> bool) -> Result<()> {
    let print = |opening: Vec<Move>| Ok(output::line(line(&opening))?);
    let openings = &args.openings;
    openings.for_each(args.pairs, args.seed, print, stop)
}

/// Source of openings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpeningSpec {
    /// Random openings with this number of plies.
    Random(usize),
    /// File with a list of codes, one opening per line.
    List(PathBuf),
}

impl FromStr for OpeningSpec {
    type Err = anyhow::Error;

    fn from_str(text: &str) -> Result<Self> {
        match text.split_once(':') {
            Some(("random", plies)) => {
                let plies = plies.parse().ok().filter(|&plies| plies <= MOST_PLIES);
                let plies = plies
                    .with_context(|| format!("random: takes a number from 0 to {MOST_PLIES}"))?;
                Ok(Self::Random(plies))
            }
            Some(("list", path)) if !path.is_empty() => Ok(Self::List(path.into())),
            _ => bail!("openings are random:PLIES or list:FILE"),
        }
    }
}

impl fmt::Display for OpeningSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random(plies) => write!(f, "random:{plies}"),
            Self::List(path) => write!(f, "list:{}", path.display()),
        }
    }
}

impl OpeningSpec {
    /// Returns `count` openings, or `None` if `stop` returns true before. Random openings are
    /// distinct and depend only on the seed.
    ///
    /// # Errors
    /// A list that cannot be read or has an illegal move; too few openings.
    pub fn openings(
        &self,
        count: usize,
        seed: u64,
        stop: impl Fn() -> bool,
    ) -> Result<Option<Vec<Vec<Move>>>> {
        let mut openings = Vec::with_capacity(count);
        let take = |opening| {
            openings.push(opening);
            Ok(())
        };
        self.for_each(count, seed, take, stop)?;
        Ok((openings.len() == count).then_some(openings))
    }

    /// Passes the [`openings`](Self::openings) to `take`, until `stop` returns true.
    ///
    /// # Errors
    /// As [`openings`](Self::openings); an error of `take`.
    pub fn for_each(
        &self,
        count: usize,
        seed: u64,
        take: impl FnMut(Vec<Move>) -> Result<()>,
        stop: impl Fn() -> bool,
    ) -> Result<()> {
        match self {
            Self::Random(plies) => random(count, *plies, seed, take, stop),
            Self::List(path) => {
                let text = std::fs::read_to_string(path);
                let text = text.with_context(|| format!("{} cannot be read", path.display()))?;
                listed(count, path, &text)?.into_iter().try_for_each(take)
            }
        }
    }

    /// Returns the file of a list.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::Random(_) => None,
            Self::List(path) => Some(path),
        }
    }
}

fn listed(count: usize, path: &Path, text: &str) -> Result<Vec<Vec<Move>>> {
    let name = path.display();
    let games = read_list(text).with_context(|| format!("{name}"))?;
    ensure!(
        games.len() >= count,
        "{name} has {} openings, and {count} pairs are to be played",
        games.len()
    );
    games
        .iter()
        .take(count)
        .map(|game| listed_moves(&name, game))
        .collect()
}

fn listed_moves(name: &dyn fmt::Display, game: &ListedGame) -> Result<Vec<Move>> {
    let mut board = DuoBoard::duo();
    for code in &game.codes {
        let mv = Move::from_code_bytes(code.bytes).map_err(anyhow::Error::from);
        let legal = mv.and_then(|mv| Ok(board.play(mv)?));
        legal.with_context(|| {
            let code = code.bytes.escape_ascii().to_string();
            format!("{name}, line {}: {code} is illegal", game.line)
        })?;
    }
    ensure!(
        !board.is_over(),
        "{name}, line {}: the game is over",
        game.line
    );
    Ok(board.moves().to_vec())
}

fn random(
    count: usize,
    plies: usize,
    seed: u64,
    mut take: impl FnMut(Vec<Move>) -> Result<()>,
    stop: impl Fn() -> bool,
) -> Result<()> {
    let policy = Policy::default();
    let mut known = HashSet::new();
    let mut found = 0;
    let candidates = 1000 + PATIENCE * count as u64;
    for candidate in 0..candidates {
        if found == count || stop() {
            return Ok(());
        }
        let mut rng = Rng::new(derive(seed, &[candidate]));
        let board = walk(&policy, DuoBoard::duo(), plies, &mut rng);
        if known.insert(shape(&board)) && is_fair(&policy, &board, &mut rng) {
            take(board.moves().to_vec())?;
            found += 1;
        }
    }
    ensure!(
        found == count,
        "{candidates} tries gave only {found} distinct fair openings of {plies} plies; \
         take more plies or fewer pairs"
    );
    Ok(())
}

/// Plays noisy moves with the largest tiles that fit, until the game ends or has `plies`.
pub fn walk(policy: &Policy, mut board: DuoBoard, plies: usize, rng: &mut Rng) -> DuoBoard {
    while board.ply() < plies && !board.is_over() {
        let mv = noisy(policy, &board, rng).map_or(Move::Pass, Move::Place);
        board.play(mv).expect("it is legal");
    }
    board
}

fn noisy(policy: &Policy, board: &DuoBoard, rng: &mut Rng) -> Option<Placement> {
    let maps = PolicyMaps::new(board, board.to_move());
    let size = |placement: &Placement| placement.tile().size();
    let largest = board.legal().map(|placement| size(&placement)).max()?;
    let all = board.legal().filter(|placement| size(placement) == largest);
    all.max_by_key(|&placement| u32::from(policy.score(&maps, placement)) + rng.below(NOISE))
}

/// True if neither side dominates test games between noisy pattern players.
fn is_fair(policy: &Policy, board: &DuoBoard, rng: &mut Rng) -> bool {
    let mut halves = 0;
    for _ in 0..TRIALS {
        let end = walk(policy, board.clone(), usize::MAX, rng);
        halves += match end.score(Colour(0)).cmp(&end.score(Colour(1))) {
            std::cmp::Ordering::Less => 0,
            std::cmp::Ordering::Equal => 1,
            std::cmp::Ordering::Greater => 2,
        };
    }
    FAIR.contains(&halves)
}

/// Returns a key that is equal for openings that lead to the same game: the cells of both players,
/// on the board or on its mirror image along the diagonal through the start cells.
fn shape(board: &DuoBoard) -> [Vec<Cell>; 2] {
    let cells = [0, 1].map(|player| board.cells(Colour(player)).iter().collect::<Vec<_>>());
    let mirrored = cells.clone().map(|cells| {
        let mut cells: Vec<_> = cells.iter().map(|cell| Cell::new(cell.y, cell.x)).collect();
        cells.sort();
        cells
    });
    cells.min(mirrored)
}

/// Formats the opening as a line of codes.
#[must_use]
pub fn line(opening: &[Move]) -> String {
    codes(opening)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn openings(spec: &str, count: usize, seed: u64) -> Result<Vec<Vec<Move>>> {
        let spec: OpeningSpec = spec.parse()?;
        let found = spec.openings(count, seed, || false)?;
        found.context("nothing ends the search for openings")
    }

    #[test]
    fn an_interrupt_ends_the_search_for_openings() {
        let spec: OpeningSpec = "random:4".parse().unwrap();
        let mut found = 0;
        let left = std::cell::Cell::new(30);
        let stop = || left.replace(left.get() - 1) == 0;
        let take = |_| {
            found += 1;
            Ok(())
        };
        spec.for_each(5_000, 1, take, stop).unwrap();
        assert!((1..=30).contains(&found), "{found}");
        assert_eq!(spec.openings(5_000, 1, || true).unwrap(), None);
    }

    #[test]
    fn openings_are_legal_distinct_and_repeatable() {
        let openings = |count, seed| openings("random:4", count, seed).unwrap();
        let first = openings(50, 1);
        let mut shapes = HashSet::new();
        for opening in &first {
            let mut board = DuoBoard::duo();
            for &mv in opening {
                board.play(mv).unwrap();
                let placement = mv.placement().expect("nobody passes here");
                assert_eq!(placement.tile().size(), 5);
            }
            assert_eq!(board.ply(), 4);
            assert!(shapes.insert(shape(&board)));
        }
        assert_eq!(openings(50, 1), first);
        assert_eq!(openings(20, 1), first[..20]);
        let others = openings(50, 2);
        let same = others.iter().filter(|other| first.contains(other)).count();
        assert!(same < 5, "{same} openings of two seeds are the same");
    }

    #[test]
    fn mirrored_and_transposed_openings_are_the_same() {
        let board = |codes: &str| {
            let mut board = DuoBoard::duo();
            for code in codes.split(' ') {
                board.play(code.parse().unwrap()).unwrap();
            }
            board
        };
        // A bar of two cells to the right of the start cell, and one below it.
        let [right, down] = [board("55b6"), board("55b0")];
        assert_ne!(right.moves(), down.moves());
        assert_eq!(shape(&right), shape(&down));
        assert_ne!(shape(&right), shape(&board("55a0")));
    }

    #[test]
    fn there_is_only_one_empty_board() {
        assert_eq!(openings("random:0", 1, 1).unwrap(), [Vec::new()]);
        let error = openings("random:0", 2, 1).unwrap_err().to_string();
        assert!(error.contains("only 1 distinct"), "{error}");
    }

    #[test]
    fn lists_are_read_and_judged() {
        let read = |text: &str| listed(1, Path::new("list"), text);
        assert_eq!(codes(&read("# one\n53e0 a8e0\n").unwrap()[0]), "53e0 a8e0");
        for (text, expected) in [
            ("", "0 openings"),
            ("53e0 53e0", "line 1: 53e0 is illegal"),
            ("53", "line 1, column 1"),
        ] {
            let error = format!("{:#}", read(text).unwrap_err());
            assert!(error.contains(expected), "{error}");
        }
    }

    #[test]
    fn specs_are_printed_as_they_are_read() {
        for text in ["random:4", "list:some/file"] {
            assert_eq!(text.parse::<OpeningSpec>().unwrap().to_string(), text);
        }
        for text in ["random", "random:", "random:13", "list:", "book"] {
            assert!(text.parse::<OpeningSpec>().is_err(), "{text}");
        }
    }
}
