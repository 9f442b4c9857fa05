//! File format of a reference table: a recipe, then one line for each position.

use std::collections::HashSet;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use anyhow::{Context, Result, bail, ensure};
use duoforge_rules::{Code, DuoBoard, Move, Placement};
use serde::{Deserialize, Serialize};

use super::engine::ReferenceMove;
use super::lines;
use super::positions::Position;
use super::split::{Split, key};

/// Name of the file format.
const FORMAT: &str = "duoforge reference table";

/// Version of the file format.
const VERSION: u32 = 1;

/// Permitted values. An engine may add a bonus for the margin to 0 (loss) and 1 (win).
const VALUES: RangeInclusive<f64> = -1.0..=2.0;

/// Recipe: everything that determines the values of a table, as the first line of its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    format: String,
    version: u32,
    /// Name and version of the reference engine.
    pub engine: String,
    /// Command line of the engine, without the directories of the program.
    pub command: String,
    /// Seed from which the seed of each search is derived.
    pub seed: u64,
    /// Minimum visit count of a placement in the table; the engine's choice is always listed.
    pub min_visits: u32,
}

impl Recipe {
    /// Creates the recipe of an engine.
    #[must_use]
    pub fn new(engine: &str, words: &[String], seed: u64, min_visits: u32) -> Self {
        let mut words = words.to_vec();
        if let Some(program) = words.first_mut() {
            let name = program.rsplit('/').next().unwrap_or_default().to_owned();
            *program = name;
        }
        Self {
            format: FORMAT.to_owned(),
            version: VERSION,
            engine: engine.to_owned(),
            command: words.join(" "),
            seed,
            min_visits,
        }
    }

    fn check(&self) -> Result<()> {
        ensure!(
            (self.format.as_str(), self.version) == (FORMAT, VERSION),
            "this is not a reference table of version {VERSION}"
        );
        Ok(())
    }
}

/// Line of a table.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Position.
    #[serde(flatten)]
    pub position: Position,
    /// Number of simulations through all placements, the ones that are not listed included.
    pub visits: u64,
    /// Code, value and visit count of each listed placement, the engine's choice first and the
    /// others by visit count. Values are for the side that plays the placement, from 0 (loss) to 1
    /// (win) and rounded to four digits; an engine's bonus for the margin may exceed these limits.
    pub placements: Vec<(String, f64, u32)>,
}

impl Line {
    /// Creates the line of a position from the root moves of a search, the engine's choice first.
    #[must_use]
    pub fn new(board: &DuoBoard, root_moves: &[ReferenceMove], min_visits: u32) -> Self {
        let listed = root_moves.iter().enumerate();
        let listed = listed.filter(|(i, found)| *i == 0 || found.visits >= min_visits);
        let row = |(_, found): (usize, &ReferenceMove)| {
            let value = (found.value * 1e4).round() / 1e4;
            (found.placement.to_string(), value, found.visits)
        };
        Self {
            position: Position::new(board),
            visits: root_moves.iter().map(|found| u64::from(found.visits)).sum(),
            placements: listed.map(row).collect(),
        }
    }
}

/// Position of a table.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Position.
    pub board: DuoBoard,
    /// Half to which the position belongs.
    pub split: Split,
    /// Listed placements, the reference engine's choice first.
    pub placements: Vec<ReferenceMove>,
}

impl Entry {
    fn new(line: &Line) -> Result<Self> {
        let board = line.position.board()?;
        let mut placements: Vec<ReferenceMove> = Vec::new();
        for (code, value, visits) in &line.placements {
            let placement = code.parse::<Code>()?.placement();
            let placement = placement.with_context(|| format!("{code} is off the board"))?;
            let legal = board.check(Move::Place(placement));
            legal.with_context(|| format!("{code} is illegal in its position"))?;
            ensure!(
                VALUES.contains(value),
                "{code} has the value {value}: expected {} to {}",
                VALUES.start(),
                VALUES.end()
            );
            ensure!(
                placements.iter().all(|other| other.placement != placement),
                "{code} is listed twice"
            );
            placements.push(ReferenceMove {
                placement,
                visits: *visits,
                value: *value,
            });
        }
        ensure!(!placements.is_empty(), "no placement is listed");
        Ok(Self {
            board,
            split: line.position.split,
            placements,
        })
    }

    /// Returns the reference engine's choice. In a lost position the engine may choose a placement
    /// that it hardly searched; if the choice has fewer than `min_visits` visits, returns the most
    /// visited placement.
    #[must_use]
    pub fn best(&self, min_visits: u32) -> ReferenceMove {
        let mut reliable = self.placements.iter();
        let first = reliable.find(|found| found.visits >= min_visits);
        *first.unwrap_or(&self.placements[0])
    }

    /// Returns the root move of a placement, or `None` if it is not listed.
    #[must_use]
    pub fn find(&self, placement: Placement) -> Option<ReferenceMove> {
        let mut listed = self.placements.iter().copied();
        listed.find(|found| found.placement == placement)
    }

    /// Returns the lowest value of the placements with at least `min_visits` visits.
    #[must_use]
    pub fn lowest(&self, min_visits: u32) -> f64 {
        let visited = self.placements.iter();
        let visited = visited.filter(|found| found.visits >= min_visits);
        visited.fold(self.best(min_visits).value, |lowest, found| {
            lowest.min(found.value)
        })
    }
}

/// Positions with the values of their placements.
#[derive(Clone, Debug)]
pub struct Table {
    /// Recipe of the values.
    pub recipe: Recipe,
    /// Positions, in the order of the files.
    pub entries: Vec<Entry>,
}

impl Table {
    /// Reads a table from its files, such as those of several shards. A file may also be the
    /// concatenation of several.
    ///
    /// # Errors
    /// An invalid line; files with different recipes; a position that occurs twice.
    pub fn read(paths: &[PathBuf]) -> Result<Self> {
        let mut recipe: Option<Recipe> = None;
        let mut lines = Vec::new();
        for path in paths {
            let (found, more): (Recipe, Vec<Line>) = lines::read(path)?;
            found.check().with_context(|| path.display().to_string())?;
            match &recipe {
                Some(first) if *first != found => bail!(
                    "{} and {} have different recipes",
                    paths[0].display(),
                    path.display()
                ),
                _ => recipe = Some(found),
            }
            lines.extend(more);
        }
        let recipe = recipe.context("no file is given")?;
        Self::new(recipe, &lines)
    }

    fn new(recipe: Recipe, lines: &[Line]) -> Result<Self> {
        let mut known = HashSet::new();
        let entry = |line: &Line| {
            let entry = Entry::new(line)
                .with_context(|| format!("in the position [{}]", line.position.moves))?;
            ensure!(
                known.insert(key(&entry.board)),
                "the position [{}] occurs twice",
                line.position.moves
            );
            Ok(entry)
        };
        let entries: Result<_> = lines.iter().map(entry).collect();
        Ok(Self {
            recipe,
            entries: entries?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(codes: &str) -> (DuoBoard, Line) {
        let mut board = DuoBoard::duo();
        for code in codes.split_whitespace() {
            board.play(code.parse().expect("a code")).expect("legal");
        }
        let found = board.legal().zip([500, 900, 20, 0]);
        let root_moves: Vec<_> = found
            .map(|(placement, visits)| ReferenceMove {
                placement,
                visits,
                value: f64::from(visits) / 3_000.0,
            })
            .collect();
        let line = Line::new(&board, &root_moves, 100);
        (board, line)
    }

    fn recipe() -> Recipe {
        let words = ["/some/where/engine", "--level", "8"].map(str::to_owned);
        Recipe::new("Engine 1.0", &words, 1, 100)
    }

    #[test]
    fn lines_list_what_was_visited_enough() {
        let (board, line) = line("53e0");
        assert_eq!(line.visits, 1_420);
        let values: Vec<_> = line.placements.iter().map(|row| (row.1, row.2)).collect();
        assert_eq!(values, [(0.1667, 500), (0.3, 900)]);
        let text = serde_json::to_string(&line).expect("JSON");
        assert!(text.starts_with("{\"ply\":1,\"split\":"), "{text}");
        let line: Line = serde_json::from_str(&text).expect("the same line");
        let entry = Entry::new(&line).expect("an entry");
        assert_eq!(entry.board.moves(), board.moves());
        let legal: Vec<_> = board.legal().take(3).collect();
        assert_eq!(
            [1, 500, 501, 901].map(|min_visits| entry.best(min_visits).value),
            [0.1667, 0.1667, 0.3, 0.1667]
        );
        assert_eq!(
            [1, 501].map(|min_visits| entry.lowest(min_visits)),
            [0.1667, 0.3]
        );
        let found = entry.find(legal[1]).expect("it is listed");
        assert_eq!((found.value, found.visits), (0.3, 900));
        assert_eq!(entry.find(legal[2]), None);
    }

    #[test]
    fn recipes_name_the_program_without_its_directory() {
        assert_eq!(recipe().command, "engine --level 8");
        assert!(recipe().check().is_ok());
        let other = Recipe {
            version: 2,
            ..recipe()
        };
        assert!(other.check().is_err());
    }

    #[test]
    fn doubles_and_bad_placements_are_refused() {
        let (_, one) = line("53e0");
        let (_, two) = line("53e0 a8e0");
        let table = Table::new(recipe(), &[one.clone(), two.clone()]).expect("a table");
        assert_eq!(table.entries.len(), 2);
        let error = Table::new(recipe(), &[one.clone(), two, one.clone()]).expect_err("a double");
        assert!(error.to_string().contains("occurs twice"), "{error}");
        let code = one.placements[0].0.clone();
        for (row, expected) in [
            (("11a0".to_owned(), 0.5, 1), "11a0 is illegal"),
            ((code.clone(), 0.5, 1), "listed twice"),
            (("a8e0".to_owned(), 2.5, 1), "expected -1 to 2"),
            (("x".to_owned(), 0.5, 1), "four letters"),
        ] {
            let mut line = one.clone();
            line.placements.push(row);
            let error = Table::new(recipe(), &[line]).expect_err("no table");
            assert!(format!("{error:#}").contains(expected), "{error:#}");
        }
    }
}
