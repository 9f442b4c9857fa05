//! Coverage table: the parts of the shipped counters, tables and memories that tests reach.

use std::fmt::{self, Display, Formatter};
use std::fs;
use std::path::Path;

/// Table file with one row per limit: its name, its full range, the value reached and the test.
const PAGE: &str = "../docs/coverage.md";

/// Entries of a table that a test has read.
#[derive(Debug)]
pub struct Counted {
    entries: Vec<bool>,
}

impl Counted {
    /// Creates a table of this size with no entry read.
    pub fn new(size: usize) -> Self {
        Self {
            entries: vec![false; size],
        }
    }

    /// Records that an entry was read.
    pub fn note(&mut self, entry: usize) {
        self.entries[entry] = true;
    }

    /// Returns the number of entries that were read.
    pub fn count(&self) -> usize {
        self.entries.iter().filter(|&&it| it).count()
    }
}

impl Display for Counted {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let last = self.entries.iter().rposition(|&it| it);
        write!(f, "{} of {}", self.count(), self.entries.len())?;
        match last {
            Some(last) => write!(f, ", last {last}"),
            None => Ok(()),
        }
    }
}

/// Compares the value that a test has reached with its row in docs/coverage.md.
///
/// # Panics
/// If the table has no such row, or a different value there.
pub fn covered(what: &str, reached: &impl ToString) {
    let reached = reached.to_string();
    println!("coverage: {what}: {reached}");
    let rows = rows();
    let row = rows.iter().find(|row| row[0] == what);
    let row = row.unwrap_or_else(|| panic!("docs/coverage.md has no row '{what}' ({reached})"));
    assert_eq!(reached, row[2], "docs/coverage.md, {what}");
}

fn rows() -> Vec<[String; 4]> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join(PAGE);
    let text = fs::read_to_string(&page).unwrap_or_else(|error| panic!("{PAGE}: {error}"));
    let lines = text.lines().filter_map(|line| {
        let cells = line.strip_prefix("| ")?.strip_suffix(" |")?;
        (!cells.starts_with("limit | ")).then_some(cells)
    });
    lines
        .map(|cells| {
            let cells: Vec<_> = cells.split(" | ").map(str::to_owned).collect();
            cells
                .try_into()
                .unwrap_or_else(|cells| panic!("{PAGE}: a row has four cells: {cells:?}"))
        })
        .collect()
}

/// Some test compares every row: its name occurs in the sources of the tests.
#[test]
fn every_row_has_a_test() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hardware");
    let mut sources = String::new();
    let mut directories = vec![directory];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).expect("a directory of tests") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                directories.push(path);
            } else {
                sources += &fs::read_to_string(path).expect("a source of tests");
            }
        }
    }
    let rows = rows();
    assert!(rows.len() >= 20, "{} rows", rows.len());
    for row in rows {
        assert!(sources.contains(&format!("\"{}\"", row[0])), "{}", row[0]);
    }
}
