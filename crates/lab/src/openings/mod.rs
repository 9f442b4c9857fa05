//! Openings of games.
//!
//! Strong players nearly always repeat themselves, so informative games need different openings.

mod random;

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context, Result, bail, ensure};
use duoforge_records::{ListedGame, read_list};
use duoforge_rules::{DuoBoard, Move};
pub use random::walk;

use crate::campaigns::count;
use crate::game::codes;
use crate::output;
use crate::seed::derive;

/// Maximum number of plies of a random opening; the game is half over by then.
pub const MOST_PLIES: usize = 12;

/// Print the openings of a match
///
/// Prints one opening per line, as soon as it is found. Test games between pattern players select
/// random openings, and each shard of a match repeats them for all pairs. Write the list once instead,
/// and give it to every shard as --openings list:FILE.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Number of openings
    #[arg(long, value_name = "N", default_value_t = 50, value_parser = count())]
    pairs: usize,
    /// Openings: random:PLIES, list:FILE or empty
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
    let print = |opening: Vec<Move>| {
        ensure!(
            !opening.is_empty(),
            "the empty board has no line in a list of openings; use --openings empty in the match"
        );
        Ok(output::line(line(&opening))?)
    };
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
    /// Empty board in every pair. Only the players' seeds make such games differ.
    Empty,
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
            None if text == "empty" => Ok(Self::Empty),
            _ => bail!("openings are random:PLIES, list:FILE or empty"),
        }
    }
}

impl fmt::Display for OpeningSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Random(plies) => write!(f, "random:{plies}"),
            Self::List(path) => write!(f, "list:{}", path.display()),
            Self::Empty => f.write_str("empty"),
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
            Self::Random(plies) => random::random(count, *plies, seed, take, stop),
            Self::List(path) => {
                let listed = listed(count, path)?;
                listed.into_iter().take(count).try_for_each(take)
            }
            Self::Empty => vec![Vec::new(); count].into_iter().try_for_each(take),
        }
    }

    /// Returns the openings of a round of `count` pairs, as [`openings`](Self::openings) does. A
    /// round takes the lines of a list after those of the round before it, and begins again after
    /// the last line.
    ///
    /// # Errors
    /// As [`openings`](Self::openings).
    pub fn round(
        &self,
        round: u64,
        count: usize,
        seed: u64,
        stop: impl Fn() -> bool,
    ) -> Result<Option<Vec<Vec<Move>>>> {
        let Self::List(path) = self else {
            return self.openings(count, derive(seed, &[round]), stop);
        };
        let mut openings = listed(count, path)?;
        if stop() {
            return Ok(None);
        }
        let first = (u128::from(round) * count as u128) % openings.len() as u128;
        openings.rotate_left(first as usize);
        openings.truncate(count);
        Ok(Some(openings))
    }

    /// Returns the text that identifies the source and these openings of it in a plan. It has the
    /// lines of a list in place of the path, as a hash.
    #[must_use]
    pub fn identity(&self, openings: &[Vec<Move>]) -> String {
        if self.file().is_none() {
            return self.to_string();
        }
        let codes = openings.iter().map(|opening| line(opening) + "\n");
        let bytes: Vec<u64> = codes.flat_map(String::into_bytes).map(u64::from).collect();
        format!("list with hash {:016x}", derive(0, &bytes))
    }

    /// Returns the file of a list.
    #[must_use]
    pub fn file(&self) -> Option<&Path> {
        match self {
            Self::Random(_) | Self::Empty => None,
            Self::List(path) => Some(path),
        }
    }
}

/// Returns all openings of a list, which must have at least `count`.
fn listed(count: usize, path: &Path) -> Result<Vec<Vec<Move>>> {
    let name = path.display();
    let text = std::fs::read_to_string(path);
    let text = text.with_context(|| format!("{name} cannot be read"))?;
    let games = read_list(&text).with_context(|| format!("{name}"))?;
    ensure!(
        games.len() >= count.max(1),
        "{name} has {} openings, and {count} pairs are to be played",
        games.len()
    );
    games.iter().map(|game| listed_moves(&name, game)).collect()
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

/// Formats the opening as a line of codes.
#[must_use]
pub fn line(opening: &[Move]) -> String {
    codes(opening)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

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
            assert!(shapes.insert(random::shape(&board)));
        }
        assert_eq!(openings(50, 1), first);
        assert_eq!(openings(20, 1), first[..20]);
        let others = openings(50, 2);
        let same = others.iter().filter(|other| first.contains(other)).count();
        assert!(same < 5, "{same} openings of two seeds are the same");
    }

    #[test]
    fn there_is_only_one_empty_board() {
        assert_eq!(openings("random:0", 1, 1).unwrap(), [Vec::new()]);
        let error = openings("random:0", 2, 1).unwrap_err().to_string();
        assert!(error.contains("only 1 distinct"), "{error}");
        assert_eq!(openings("empty", 3, 1).unwrap(), [const { Vec::new() }; 3]);
    }

    #[test]
    fn lists_are_read_and_judged() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("list");
        let read = |text: &str| {
            std::fs::write(&path, text).unwrap();
            listed(1, &path)
        };
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
    fn rounds_take_one_line_of_a_list_after_the_other() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("list");
        let lines = ["53e0", "54u0", "44r0", "55u0", "64r1"];
        std::fs::write(&path, lines.join("\n")).unwrap();
        let list = OpeningSpec::List(path);
        let round = |number| -> Vec<String> {
            let found = list.round(number, 2, 1, || false).unwrap();
            found.unwrap().iter().map(|it| line(it)).collect()
        };
        assert_eq!(round(0), ["53e0", "54u0"]);
        assert_eq!(round(1), ["44r0", "55u0"]);
        assert_eq!(round(2), ["64r1", "53e0"]);
        assert_eq!(round(u64::MAX), round(u64::MAX % 5));
        let random: OpeningSpec = "random:2".parse().unwrap();
        let round = |number| random.round(number, 2, 1, || false).unwrap();
        assert_ne!(round(0), round(1));
    }

    #[test]
    fn a_list_is_identified_by_its_lines() {
        let list = |path: &str| OpeningSpec::List(path.into());
        let openings = |codes: &[&str]| -> Vec<Vec<Move>> {
            let codes = codes.iter();
            codes.map(|code| vec![code.parse().unwrap()]).collect()
        };
        let first = list("a").identity(&openings(&["53e0", "54u0"]));
        assert_eq!(list("b").identity(&openings(&["53e0", "54u0"])), first);
        assert_ne!(list("a").identity(&openings(&["54u0", "53e0"])), first);
        assert_ne!(list("a").identity(&openings(&["53e0"])), first);
        assert_eq!(OpeningSpec::Random(4).identity(&[]), "random:4");
    }

    #[test]
    fn specs_are_printed_as_they_are_read() {
        for text in ["random:4", "list:some/file", "empty"] {
            assert_eq!(text.parse::<OpeningSpec>().unwrap().to_string(), text);
        }
        for text in ["random", "random:", "random:13", "list:", "empty:", "book"] {
            assert!(text.parse::<OpeningSpec>().is_err(), "{text}");
        }
    }
}
