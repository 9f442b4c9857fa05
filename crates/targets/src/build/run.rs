//! Build run from the design to the bitstream.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use duoforge_hdl::parameters::PlayerParameters;
use duoforge_hdl::verilog::emit;
use duoforge_hdl::verilog::{EmitError, Module};
use duoforge_protocol::BuildId;
use duoforge_tools::{Place, Tool};

use super::constraints;
use super::directory::Directory;
use super::error::BuildError;
use super::id::{self, BuildInputs};
use super::nextpnr::{Clock, Report, Statistics};
use super::observer::Observer;
use super::path::WorstPath;
use super::pin_times::{self, PinTime, PinTimes};
use super::record::{RECORD, Record, Time, UNFINISHED_RECORD, file};
use super::rounding::thousandths;
use super::stages::{self, REPORT, SCRIPT, STATISTICS, Stage, ToolRun, UNFINISHED};
use crate::catalogue;
use crate::target::Target;

/// Subdirectory of the design's modules.
const MODULES: &str = "player";

/// Options of a build.
#[derive(Clone, Debug)]
pub struct Options {
    /// Build directory; it is created if it does not exist.
    pub directory: PathBuf,
    /// Team code.
    pub team: [u8; 2],
}

/// Design to build: a top and the modules below it.
pub struct Design<'a> {
    /// Text of the top, whose name is the target's [`top`](Target::top).
    pub top: &'a str,
    /// Function that returns the modules for a build id.
    pub modules: &'a dyn Fn(BuildId) -> Result<Vec<Module>, EmitError>,
}

/// Builds the player for a target with the target's placement seed. If a clock is not achieved, or
/// a pin of an SDRAM exceeds its limit, there is no bitstream, and the record's `bitstream` is
/// `None`.
///
/// # Errors
/// [`BuildError`] if a stage fails. The directory then contains no finished bitstream.
/// [`BuildError::Foreign`] if the build would overwrite or remove a file that no build has written;
/// the directory then stays as it is.
pub fn build(
    board: &Target,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Record, BuildError> {
    let modules = player_modules(board, options.team);
    let design = Design {
        top: catalogue::top(board),
        modules: &modules,
    };
    build_design(board, &design, options, observer)
}

/// Returns the function that emits a target's player for a build id.
fn player_modules(
    board: &Target,
    team: [u8; 2],
) -> impl Fn(BuildId) -> Result<Vec<Module>, EmitError> {
    move |build| {
        let parameters = PlayerParameters {
            build,
            ..board.parameters(team)
        };
        emit::modules(&parameters, &board.configuration.player)
    }
}

/// Returns the build id that [`build`] gives to the player of a target with these versions of the
/// tools, by name. Needs none of the tools.
///
/// # Errors
/// [`BuildError`] if no open tools know the chip, or the design cannot be emitted.
pub fn build_id(
    board: &Target,
    team: [u8; 2],
    tools: &BTreeMap<String, String>,
) -> Result<BuildId, BuildError> {
    let modules = player_modules(board, team);
    let design = Design {
        top: catalogue::top(board),
        modules: &modules,
    };
    Ok(inputs(board, &design, tools)?.id)
}

/// Builds any design for a target: see [`build`].
///
/// # Errors
/// As [`build`].
pub fn build_design(
    board: &Target,
    design: &Design<'_>,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Record, BuildError> {
    // Tools first: a missing one is reported at once, not after minutes.
    let tools = versions(board)?;
    let mut times = Vec::new();
    let begin = Instant::now();
    observer.begin(Stage::Verilog);
    let Sources { id, files, steps } = sources(board, design, &tools)?;
    let bitstream = stages::bitstream(board);
    let records = [RECORD, UNFINISHED_RECORD].map(str::to_owned);
    let names = files.iter().map(|(name, _)| name.clone());
    let written = names.chain(stages::outputs(board)).chain(records).collect();
    let directory = Directory::open(&options.directory, written)?;
    for finished in [&bitstream, RECORD, UNFINISHED, REPORT] {
        directory.remove(finished)?;
    }
    directory.make(MODULES)?;
    for (name, text) in &files {
        directory.write(name, text)?;
    }
    observer.end(Stage::Verilog, begin.elapsed());
    times.push((Stage::Verilog, begin.elapsed()));

    let mut record = Record {
        board: board.name.clone(),
        title: board.title.clone(),
        configuration: board.configuration.name.clone(),
        id,
        team: String::from_utf8_lossy(&options.team).into_owned(),
        seed: board.seed,
        tools,
        stages: Vec::new(),
        utilisation: Default::default(),
        clocks: Vec::new(),
        pin_times: None,
        worst_path: None,
        bitstream: None,
    };
    for step in &steps {
        if step.stage == Stage::Packing {
            read_reports(&directory, board, &mut record)?;
            if !record.timing_is_met() {
                break;
            }
        }
        times.push((step.stage, directory.run(step, observer)?));
    }
    let seconds = |(stage, time): (Stage, Duration)| Time {
        stage,
        seconds: thousandths(time.as_secs_f64()),
    };
    record.stages = times.into_iter().map(seconds).collect();
    if record.timing_is_met() {
        directory.rename(UNFINISHED, &bitstream)?;
        record.bitstream = Some(bitstream);
    }
    directory.write_record(&record)?;
    Ok(record)
}

fn not_open(board: &Target) -> BuildError {
    BuildError::NotOpen {
        board: board.name.clone(),
        tools: board.tools.vendor(),
    }
}

/// Returns the versions of the tools that a target's build needs, by name. A program that duoforge
/// did not install counts with its path, and with the version that it prints or else the hash of
/// its file.
fn versions(board: &Target) -> Result<BTreeMap<String, String>, BuildError> {
    let steps = stages::steps(board, BuildId(0)).ok_or_else(|| not_open(board))?;
    let named = steps
        .iter()
        .map(|step| Ok((step.tool.name.to_owned(), version(step.tool)?)));
    named.collect()
}

fn version(tool: Tool) -> Result<String, BuildError> {
    let place = tool.place()?;
    let program = match &place {
        Place::Installed(_) => return Ok(tool.version_at(&place)?),
        place => place.program(),
    };
    let prints = tool.version.or(tool.system_version).is_some();
    let printed = match prints {
        true => tool.version_at(&place)?,
        false => String::new(),
    };
    let version = match printed.is_empty() {
        true => {
            let bytes = fs::read(program).map_err(file("read", program))?;
            format!("SHA-256 {}", id::of_bytes(&bytes))
        }
        false => printed,
    };
    Ok(format!("{}, {version}", program.display()))
}

/// All inputs of the tools but the modules, and their id.
struct Inputs {
    /// Hash of all inputs, with modules that contain an id of zero.
    id: BuildId,
    /// Names and texts of the files.
    files: [(String, String); 4],
}

/// Returns the inputs of the tools.
fn inputs(
    board: &Target,
    design: &Design<'_>,
    tools: &BTreeMap<String, String>,
) -> Result<Inputs, BuildError> {
    let (pins, constraints) = constraints::constraints(board).ok_or_else(|| not_open(board))?;
    let top = format!("{}.v", board.top);
    let mut hashed = BuildInputs::default();
    let mut sources = vec![top.clone()];
    for module in (design.modules)(BuildId(0)).map_err(emit::WriteError::from)? {
        hashed.add(&module.name, &module.text);
        sources.push(module_file(&module));
    }
    let files = [
        (top, design.top.to_owned()),
        ("board.vh".to_owned(), board.header()),
        (pins.to_owned(), constraints),
        (SCRIPT.to_owned(), stages::script(board, &sources)),
    ];
    for (name, text) in &files {
        hashed.add(name, text);
    }
    for (tool, version) in tools {
        hashed.add(tool, version);
    }
    for step in stages::steps(board, BuildId(0)).ok_or_else(|| not_open(board))? {
        hashed.add(step.tool.name, &step.arguments.join(" "));
    }
    let id = hashed.id();
    Ok(Inputs { id, files })
}

/// Returns the file of a module, relative to the build directory.
fn module_file(module: &Module) -> String {
    format!("{MODULES}/{}.v", module.name)
}

/// All inputs of the tools, with the runs of the tools.
struct Sources {
    id: BuildId,
    /// Names and texts of the files, modules included.
    files: Vec<(String, String)>,
    steps: [ToolRun; 3],
}

/// Returns all inputs of the tools.
fn sources(
    board: &Target,
    design: &Design<'_>,
    tools: &BTreeMap<String, String>,
) -> Result<Sources, BuildError> {
    let Inputs { id, files } = inputs(board, design, tools)?;
    let mut files = Vec::from(files);
    for module in (design.modules)(id).map_err(emit::WriteError::from)? {
        files.push((module_file(&module), module.text));
    }
    let steps = stages::steps(board, id).ok_or_else(|| not_open(board))?;
    Ok(Sources { id, files, steps })
}

/// Adds the results of the tools to the record.
fn read_reports(
    directory: &Directory,
    board: &Target,
    record: &mut Record,
) -> Result<(), BuildError> {
    let report: Report = directory.json(REPORT)?;
    let statistics: Statistics = directory.json(STATISTICS)?;
    record.utilisation = report.utilisation(&board.tools, &statistics);
    record.clocks = report.clocks();
    let path = report.worst_path();
    record.worst_path = path.and_then(|path| WorstPath::new(&path.path));
    let megahertz = f64::from(board.clock.player_hz) / 1e6;
    let known = |clock: &&mut Clock| (clock.needed / megahertz - 1.0).abs() < 1e-3;
    // An unconstrained clock would count as achieved at any frequency.
    let player = record.clocks.iter_mut().find(known);
    let player = player.ok_or_else(|| BuildError::Report {
        path: directory.path(REPORT),
        reason: format!("no clock of {megahertz} MHz is among the constrained ones"),
    })?;
    // nextpnr rounds the period to picoseconds.
    player.needed = megahertz;
    record.pin_times = pin_times(directory, board, &report)?;
    Ok(())
}

/// Returns the longest paths of the pins; `None` without an SDRAM.
fn pin_times(
    directory: &Directory,
    board: &Target,
    report: &Report,
) -> Result<Option<PinTimes>, BuildError> {
    let Some(limits) = pin_times::limits(board) else {
        return Ok(None);
    };
    let time = |limit, longest: Option<f64>, direction| match longest {
        Some(longest) => Ok(PinTime::new(limit, longest)),
        None => Err(BuildError::Report {
            path: directory.path(REPORT),
            reason: format!("it has no path from a {direction}"),
        }),
    };
    Ok(Some(PinTimes {
        output: time(limits.output, report.longest_output(), "register to a pin")?,
        input: time(limits.input, report.longest_input(), "pin to a register")?,
    }))
}
