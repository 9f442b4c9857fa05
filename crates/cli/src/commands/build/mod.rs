//! `duoforge build`: bitstream of a target.

mod project;

use std::path::PathBuf;
use std::time::Duration;

use duoforge_hdl::chooser::PlayerConfig;
use duoforge_protocol::TeamCode;
use duoforge_targets::build::nextpnr::Used;
use duoforge_targets::build::pin_times::PinTimes;
use duoforge_targets::build::{self, BuildError, Observer, Record, Stage};
use duoforge_targets::{Target, catalogue};
use indicatif::{ProgressBar, ProgressStyle};

use crate::failure::{Failure, Result};
use crate::interrupt::{INTERRUPTED, Interrupt};
use crate::output::{self, Verdict, grouped};

/// Build the bitstream of a target
///
/// Writes Verilog, synthesises, places and routes it, and packs the bitstream, all in one directory
/// with the logs of the tools. `build.json` there describes the bitstream. If the achieved
/// frequency is below the required one, or a pin of an SDRAM exceeds its limit, no bitstream is
/// written and the exit status is 1.
///
/// For a target that needs a vendor's tool, writes a project for that tool into the directory. The
/// tool is not run.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Target; `duoforge boards` lists them
    #[arg(long, value_name = "NAME")]
    pub board: String,
    /// Hardware player: pattern, search or search:KEY=VALUE,...
    ///
    /// `search` alone is the search player that fits the target. Keys change it, such as lanes (1,
    /// 2 or 4 playout cores), nodes (up to 1024) and ms. `duoforge players sim` lists all keys.
    #[arg(long, value_name = "PLAYER", default_value_t)]
    pub player: PlayerConfig,
    /// Directory of the build; files in it that were not generated are never overwritten [default:
    /// build/NAME, or build/NAME-search]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
    /// Placement seed [default: the seed of the target's report]
    #[arg(long)]
    pub seed: Option<u32>,
    /// Team code: two characters
    #[arg(long, value_name = "XX", default_value = "DF")]
    pub team: TeamCode,
    /// Print one JSON object, the contents of build.json
    #[arg(long)]
    pub json: bool,
}

/// Builds the bitstream, or writes the project.
pub fn run(args: &Args) -> Result<Verdict> {
    let mut board = catalogue::find_with(&args.board, &args.player)?;
    if let Some(seed) = args.seed {
        if !board.tools.is_open() {
            return Err(project::no_seed(&board));
        }
        board.seed = seed;
    }
    let options = build::Options {
        directory: args.out.clone().unwrap_or_else(|| build::directory(&board)),
        team: args.team.bytes(),
    };
    if let Some(verdict) = project::write(&board, &options, args.json)? {
        return Ok(verdict);
    }
    let interrupt = Interrupt::catch(Some("Stopping the build without a bitstream."))?;
    let mut progress = Progress::new(interrupt);
    let record = build::build(&board, &options, &mut progress);
    let interrupted = progress.interrupt.is_set();
    drop(progress);
    let record = match record {
        Err(BuildError::Interrupted) => duoforge_process::exit(INTERRUPTED),
        // Ctrl-C also ends a tool that was asked for its version.
        Err(_) if interrupted => duoforge_process::exit(INTERRUPTED),
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
    note!("{:?}", miette::Report::new(too_slow(&record, &options)));
    Ok(Verdict::Bad)
}

/// Failure of a build that does not meet a required time.
fn too_slow(record: &Record, options: &build::Options) -> Failure {
    let missed = record.missed_times();
    let log = options.directory.join(Stage::Routing.log());
    let next = record.seed.wrapping_add(1);
    Failure::new(
        "duoforge::build::timing",
        format!("no bitstream: {}", missed.join(", ")),
    )
    .help(format!(
        "the times depend on the placement seed: try another, as in --seed {next}; {} contains the \
         critical paths",
        log.display()
    ))
}

/// Prints the result of a build.
fn print(board: &Target, record: &Record, options: &build::Options) -> Result<()> {
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
            "{:<12} {reached:.1} MHz achieved, {needed} MHz required",
            clock.name
        ))?;
    }
    for (direction, time) in record.pin_times.iter().flat_map(PinTimes::directions) {
        let (longest, limit) = (time.longest, time.limit);
        output::line(format!(
            "pins         {longest:.1} ns from {direction}, limit {limit:.1} ns"
        ))?;
    }
    if let Some(path) = &record.worst_path {
        output::line(format!("path         {path}"))?;
    }
    let times: Vec<_> = record
        .stages
        .iter()
        .map(|time| format!("{} {:.1} s", time.stage, time.seconds))
        .collect();
    output::line(format!("times        {}", times.join(", ")))?;
    if let Some(bitstream) = &record.bitstream {
        let path = options.directory.join(bitstream);
        output::line(format!("bitstream    {}", path.display()))?;
    }
    let logs = options.directory.join("*.log");
    output::line(format!("logs         {}", logs.display()))
}

fn share(name: &str, used: Used) -> String {
    let (count, available) = (grouped(used.used), grouped(used.available));
    let percent = used.percent();
    format!("{name:<12}{count:>7} of {available:>7} {percent:>4.0} %")
}

/// Progress of a build: one updated line on a terminal, otherwise one line per stage.
struct Progress {
    interrupt: Interrupt,
    bar: ProgressBar,
}

impl Progress {
    fn new(interrupt: Interrupt) -> Self {
        // The bar is hidden unless standard error is a terminal.
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
            note!("{line}");
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
    fn a_missed_frequency_is_a_failure_with_the_next_seed() {
        let record: Record = serde_json::from_str(RECORD).unwrap();
        assert!(!record.timing_is_met());
        let options = build::Options {
            directory: "out".into(),
            team: *b"DF",
        };
        let failure = too_slow(&record, &options);
        let expected = "no bitstream: clock clock achieves 31.2 MHz of the required 36 MHz";
        assert_eq!(failure.to_string(), expected);
        let help = Diagnostic::help(&failure).unwrap().to_string();
        assert!(
            help.contains("--seed 8") && help.contains("out/routing.log"),
            "{help}"
        );
    }

    #[test]
    fn a_pin_beyond_its_limit_is_a_failure() {
        let record = |output: f64, input: f64| -> Record {
            let pins = format!(
                r#""pin_times": {{"output": {{"limit": 15.1, "longest": {output}}},
                "input": {{"limit": 13.0, "longest": {input}}}}}, "worst_path""#
            );
            let text = RECORD.replace("\"worst_path\"", &pins);
            serde_json::from_str(&text.replace("31.25", "36.0")).unwrap()
        };
        assert!(record(15.1, 13.0).timing_is_met());
        for (record, expected) in [
            (
                record(15.2, 5.0),
                "no bitstream: the longest path from register to pin takes 15.2 ns, more than 15.1",
            ),
            (
                record(5.0, 13.5),
                "no bitstream: the longest path from pin to register takes 13.5 ns, more than 13.0",
            ),
        ] {
            assert!(!record.timing_is_met());
            let options = build::Options {
                directory: "out".into(),
                team: *b"DF",
            };
            assert_eq!(too_slow(&record, &options).to_string(), expected);
        }
    }

    #[test]
    fn shares_are_aligned() {
        let used = Used {
            used: 6261,
            available: 83_640,
        };
        assert_eq!(share("LUT", used), "LUT           6,261 of  83,640    7 %");
    }
}
