//! Target report, `cargo xtask report`: builds every target and records its resources and clock.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use clap::Parser;
use duoforge_hdl::chooser::PlayerConfig;
use duoforge_targets::build::{self, BuildError, Observer, Options, Stage};
use duoforge_targets::report::{self, Row};
use duoforge_targets::{Target, TargetError, catalogue, speed};
use thiserror::Error;

/// Builds the bitstream of every target with open tools, with each of its players, and writes
/// resource use and achieved clock to hdl/targets/report.json, docs/targets.md and the table in
/// README.md.
///
/// Exit status: 0 success; 1 if a clock is not achieved, a pin of an SDRAM exceeds its limit or, with
/// --check, a build differs from the committed report by more than the margins (area 5 %, clock
/// 20 %); 2 usage error or failure.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask report", bin_name = "cargo xtask report")]
struct Arguments {
    /// Build only this target and replace its rows; NAME-pattern or NAME-search selects one player;
    /// repeatable
    #[arg(long, value_name = "BOARD")]
    only: Vec<String>,
    /// Write nothing; compare with the committed report
    #[arg(long)]
    check: bool,
    /// Build nothing; regenerate the documents from the committed report and docs/figures.json
    #[arg(long, conflicts_with_all = ["only", "check", "json"])]
    pages: bool,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Directory of the builds
    #[arg(long, value_name = "DIRECTORY", default_value = BUILDS)]
    out: PathBuf,
    /// Root of the repository
    #[arg(long, value_name = "DIRECTORY", default_value = ROOT)]
    root: PathBuf,
}

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
const REPORT: &str = "hdl/targets/report.json";
const BUILDS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../build");

/// Error of a report run.
#[derive(Debug, Error)]
enum ReportError {
    #[error(transparent)]
    Board(#[from] TargetError),
    #[error("{board}: {source}")]
    Build {
        board: String,
        source: Box<BuildError>,
    },
    #[error("{}: {reason}", .path.display())]
    File { path: PathBuf, reason: String },
}

fn main() -> ExitCode {
    match run(&Arguments::parse()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}

/// Returns true if no fault was found.
fn run(arguments: &Arguments) -> Result<bool, ReportError> {
    let boards = catalogue::all()?;
    let chosen = chosen(arguments, &boards)?;
    let json = arguments.root.join(REPORT);
    let committed = read(&json, arguments.check || arguments.pages)?;
    if arguments.pages {
        publish(&arguments.root, &boards, &committed)?;
        return Ok(true);
    }
    let mut rows = Vec::new();
    let mut faults = Vec::new();
    for board in &chosen {
        eprintln!("{}, {}", board.name, board.configuration.name);
        let options = Options {
            directory: arguments.out.join(board.label()),
            team: *b"DF",
        };
        let record = build::build(board, &options, &mut Lines);
        let record = record.map_err(|source| ReportError::Build {
            board: board.name.clone(),
            source: Box::new(source),
        })?;
        let row = Row::new(board, &record);
        let missed = record.missed_times().into_iter();
        faults.extend(missed.map(|missed| format!("{}: {missed}", row.name())));
        if arguments.check {
            match committed.iter().find(|old| old.is_of(&row)) {
                Some(old) => faults.extend(old.deviations(&row)),
                None => faults.push(format!("{}: it is not in the report", row.name())),
            }
        }
        rows.push(row);
    }
    if arguments.json {
        println!("{}", text(&rows));
    } else {
        print!("{}", report::table(&rows));
        for row in &rows {
            println!("{}: {}", row.name(), row.worst_path);
        }
    }
    for fault in &faults {
        eprintln!("{fault}");
    }
    if !arguments.check && faults.is_empty() {
        // Another process may have replaced rows during the builds.
        let all = rows.into_iter().fold(read(&json, false)?, |all, row| {
            report::replaced(all, row, &boards)
        });
        publish(&arguments.root, &boards, &all)?;
    }
    Ok(faults.is_empty())
}

/// Writes the report and the documents that are generated from it.
fn publish(root: &Path, boards: &[Target], rows: &[Row]) -> Result<(), ReportError> {
    write(&root.join(REPORT), &(text(rows) + "\n"))?;
    let figures = root.join(speed::FILE);
    let failed = |reason: String| ReportError::File {
        path: figures.clone(),
        reason,
    };
    let speeds = fs::read_to_string(&figures).map_err(|error| failed(error.to_string()))?;
    let speeds = speed::read(&speeds).map_err(|error| failed(error.to_string()))?;
    write(
        &root.join("docs/targets.md"),
        &report::page(boards, rows, &speeds),
    )?;
    let readme = root.join("README.md");
    let document = fs::read_to_string(&readme).map_err(|error| ReportError::File {
        path: readme.clone(),
        reason: error.to_string(),
    })?;
    let document = report::with_table(&document, rows).ok_or_else(|| ReportError::File {
        path: readme.clone(),
        reason: "it has no table of boards to exchange".into(),
    })?;
    write(&readme, &document)
}

/// Returns the names by which `--only` selects a target with its player.
fn names(board: &Target) -> [String; 2] {
    let player = match board.configuration.player {
        PlayerConfig::Pattern => "pattern",
        PlayerConfig::Search(_) => "search",
    };
    [board.name.clone(), format!("{}-{player}", board.name)]
}

/// Returns the targets that `--only` selects, else all with open tools.
fn chosen(arguments: &Arguments, boards: &[Target]) -> Result<Vec<Target>, ReportError> {
    for name in &arguments.only {
        if !report::configured(boards)
            .iter()
            .any(|board| names(board).contains(name))
        {
            catalogue::find(name)?;
        }
    }
    let only = &arguments.only;
    let named = |board: &Target| names(board).iter().any(|name| only.contains(name));
    let wanted = |board: &Target| match only.is_empty() {
        true => board.tools.is_open(),
        false => named(board),
    };
    let all = report::configured(boards).into_iter();
    Ok(all.filter(wanted).collect())
}

/// Reads the committed report. A missing file is an empty report unless `needed` is true.
fn read(path: &Path, needed: bool) -> Result<Vec<Row>, ReportError> {
    let failed = |reason: String| ReportError::File {
        path: path.into(),
        reason,
    };
    match fs::read_to_string(path) {
        Ok(text) => serde_json::from_str(&text).map_err(|error| failed(error.to_string())),
        Err(_) if !needed => Ok(Vec::new()),
        Err(error) => Err(failed(error.to_string())),
    }
}

fn text(rows: &[Row]) -> String {
    serde_json::to_string_pretty(rows).expect("rows are plain data")
}

fn write(path: &Path, text: &str) -> Result<(), ReportError> {
    fs::write(path, text).map_err(|error| ReportError::File {
        path: path.into(),
        reason: error.to_string(),
    })
}

/// Observer that prints a line per stage.
struct Lines;

impl Observer for Lines {
    fn begin(&mut self, _stage: Stage) {}

    fn tick(&mut self, _line: &str) -> bool {
        true
    }

    fn end(&mut self, stage: Stage, time: Duration) {
        eprintln!("  {stage:15} {:6.1} s", time.as_secs_f64());
    }
}
