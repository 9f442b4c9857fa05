//! `duoforge build`: a bitstream for a board.

mod project;

use std::path::PathBuf;
use std::process;
use std::time::Duration;

use duoforge_boards::build::nextpnr::Used;
use duoforge_boards::build::{self, BuildError, Observer, Record, Stage};
use duoforge_boards::{Board, catalogue};
use duoforge_hdl::chooser::Chooser;
use duoforge_protocol::TeamCode;
use indicatif::{ProgressBar, ProgressStyle};

use crate::failure::{Failure, Result};
use crate::interrupt::{INTERRUPTED, Interrupt};
use crate::output::{self, Verdict, grouped};

/// Build the bitstream of a board
///
/// Writes Verilog, synthesises, places and routes it, and packs the bitstream, all in one folder that
/// also keeps what the tools print. `build.json` there says what the bitstream is. A clock that is not
/// reached is a negative result, and there is no bitstream then.
///
/// For a board whose bitstream only a vendor's tool can make, the folder becomes a project for that
/// tool, which is not run.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// The board; `duoforge boards` lists them
    #[arg(long, value_name = "NAME")]
    pub board: String,
    /// What chooses placements: pattern, search or search:KEY=VALUE,...
    ///
    /// `search` alone is the search that is known to fit the board; keys change it, such as lanes (1,
    /// 2 or 4 playout cores), nodes (up to 1023), threshold, ms.
    #[arg(long, value_name = "PLAYER", default_value_t)]
    pub player: Chooser,
    /// Folder of the build [default: build/NAME, or build/NAME-search]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Seed of placement [default: the one for which the board's report holds]
    #[arg(long)]
    pub seed: Option<u32>,
    /// Team code, the two characters of the answer to 0
    #[arg(long, value_name = "XX", default_value = "DF")]
    pub team: TeamCode,
    /// Print one JSON object, the content of build.json
    #[arg(long)]
    pub json: bool,
}

/// Builds it.
pub fn run(args: &Args) -> Result<Verdict> {
    let mut board = catalogue::find_with(&args.board, &args.player)?;
    if let Some(seed) = args.seed {
        if !board.tools.is_open() {
            return Err(project::no_seed(&board));
        }
        board.seed = seed;
    }
    let options = build::Options {
        folder: args.out.clone().unwrap_or_else(|| build::folder(&board)),
        team: args.team.bytes(),
    };
    if let Some(verdict) = project::write(&board, &options, args.json)? {
        return Ok(verdict);
    }
    let interrupt = Interrupt::catch(Some("The build ends without a bitstream."))?;
    let mut progress = Progress::new(interrupt);
    let record = build::build(&board, &options, &mut progress);
    drop(progress);
    let record = match record {
        Err(BuildError::Interrupted) => process::exit(INTERRUPTED),
        other => other?,
    };
    if args.json {
        output::json(&record)?;
    } else {
        print(&board, &record, &options)?;
    }
    if record.timing_is_met() {
        return Ok(Verdict::Good);
    }
    eprintln!("{:?}", miette::Report::new(too_slow(&record, &options)));
    Ok(Verdict::Bad)
}

/// What a clock that is not reached is told with.
fn too_slow(record: &Record, options: &build::Options) -> Failure {
    let missed = record.clocks.iter().filter(|clock| !clock.is_met());
    let missed: Vec<_> = missed
        .map(|clock| {
            let (reached, needed) = (clock.reached, clock.needed);
            format!(
                "the clock {} reaches {reached:.1} of {needed} MHz",
                clock.name
            )
        })
        .collect();
    let log = options.folder.join(Stage::Routing.log());
    let next = record.seed.wrapping_add(1);
    Failure::new(
        "duoforge::build::timing",
        format!("no bitstream: {}", missed.join(", ")),
    )
    .help(format!(
        "placement is partly luck: try other seeds, as in --seed {next}; \
         {} has the whole path",
        log.display()
    ))
}

/// Tells of a build for people.
fn print(board: &Board, record: &Record, options: &build::Options) -> Result<()> {
    output::line(format!("{}: {}", board.name, board.title))?;
    let Record {
        configuration,
        id,
        team,
        seed,
        ..
    } = record;
    output::line(format!(
        "{configuration}, build {id}, team {team}, seed {seed}"
    ))?;
    let used = &record.utilisation;
    let kinds = [
        ("LUT", Some(used.lut)),
        ("flip-flops", Some(used.ff)),
        ("logic cells", used.cells),
        ("block RAM", Some(used.block_ram)),
        ("multipliers", Some(used.dsp)),
    ];
    for (name, used) in kinds {
        if let Some(used) = used.filter(|used| used.available > 0) {
            output::line(share(name, used))?;
        }
    }
    for clock in &record.clocks {
        let (reached, needed) = (clock.reached, clock.needed);
        output::line(format!(
            "{:<12} {reached:.1} MHz reached, {needed} MHz needed",
            clock.name
        ))?;
    }
    if let Some(path) = &record.worst_path {
        output::line(format!("worst path   {path}"))?;
    }
    let times: Vec<_> = record
        .stages
        .iter()
        .map(|time| format!("{} {:.1} s", time.stage, time.seconds))
        .collect();
    output::line(format!("times        {}", times.join(", ")))?;
    if let Some(bitstream) = &record.bitstream {
        let path = options.folder.join(bitstream);
        output::line(format!("bitstream    {}", path.display()))?;
    }
    let logs = options.folder.join("*.log");
    output::line(format!("logs         {}", logs.display()))
}

fn share(name: &str, used: Used) -> String {
    let (count, available) = (grouped(used.used), grouped(used.available));
    let percent = used.percent();
    format!("{name:<12}{count:>7} of {available:>7} {percent:>4.0} %")
}

/// Shows how the build comes along: a moving line on a terminal, else a line a stage.
struct Progress {
    interrupt: Interrupt,
    bar: ProgressBar,
}

impl Progress {
    fn new(interrupt: Interrupt) -> Self {
        // Hidden where standard error is no terminal.
        let bar = ProgressBar::new_spinner();
        let style = ProgressStyle::with_template("{spinner} {prefix:15} {elapsed:>4}  {wide_msg}");
        bar.set_style(style.expect("the template is sound"));
        Self { interrupt, bar }
    }
}

impl Observer for Progress {
    fn begin(&mut self, stage: Stage) {
        self.bar.reset_elapsed();
        self.bar.set_prefix(stage.to_string());
        self.bar.set_message("");
        self.bar.tick();
    }

    fn tick(&mut self, line: &str) -> bool {
        self.bar.set_message(line.to_owned());
        self.bar.tick();
        !self.interrupt.is_set()
    }

    fn end(&mut self, stage: Stage, time: Duration) {
        let line = format!("{stage:15} {:6.1} s", time.as_secs_f64());
        if self.bar.is_hidden() {
            eprintln!("{line}");
        } else {
            self.bar.println(line);
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}

#[cfg(test)]
mod tests {
    use miette::Diagnostic;

    use super::*;

    const RECORD: &str = r#"{
        "board": "hx8k-breakout", "title": "a board", "configuration": "pattern player",
        "id": "0000beef", "team": "DF", "seed": 7, "tools": {}, "stages": [],
        "utilisation": {
            "lut": {"used": 1, "available": 2}, "ff": {"used": 1, "available": 2},
            "block_ram": {"used": 0, "available": 0}, "dsp": {"used": 0, "available": 0},
            "cells": null
        },
        "clocks": [
            {"name": "slow", "needed": 12.0, "reached": 99.0},
            {"name": "clock", "needed": 36.0, "reached": 31.25}
        ],
        "worst_path": null, "bitstream": null
    }"#;

    #[test]
    fn a_clock_that_is_not_reached_is_told_with_what_to_try() {
        let record: Record = serde_json::from_str(RECORD).unwrap();
        assert!(!record.timing_is_met());
        let options = build::Options {
            folder: "out".into(),
            team: *b"DF",
        };
        let failure = too_slow(&record, &options);
        let expected = "no bitstream: the clock clock reaches 31.2 of 36 MHz";
        assert_eq!(failure.to_string(), expected);
        let help = Diagnostic::help(&failure).unwrap().to_string();
        assert!(
            help.contains("--seed 8") && help.contains("out/routing.log"),
            "{help}"
        );
    }

    #[test]
    fn shares_stand_below_each_other() {
        let used = Used {
            used: 6261,
            available: 83_640,
        };
        assert_eq!(share("LUT", used), "LUT           6,261 of  83,640    7 %");
    }
}
