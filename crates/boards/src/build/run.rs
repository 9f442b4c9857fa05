//! Runs a build from its beginning to its end.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::{Child, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use duoforge_hdl::emit;
use duoforge_hdl::player::Parameters;
use duoforge_protocol::BuildId;
use duoforge_tools::{Place, Tool, ToolError, tail};

use super::id::Ingredients;
use super::nextpnr::{Report, Statistics};
use super::path::WorstPath;
use super::record::{RECORD, Record, Time, file, json};
use super::stages::{self, REPORT, SCRIPT, STATISTICS, Stage, Step, UNFINISHED};
use super::{BuildError, Observer, constraints};
use crate::board::Board;
use crate::catalogue;

/// Where the player's modules lie in the build's folder.
const PLAYER: &str = "player";
/// Held while a build is at work.
const LOCK: &str = ".building";
/// How often a running tool is looked at.
const TICK: Duration = Duration::from_millis(100);
/// How much of a log an error shows.
const END_OF_LOG: usize = 1500;

/// What can be chosen for a build.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder of the build; it is made if it does not exist.
    pub folder: PathBuf,
    /// The team code.
    pub team: [u8; 2],
}

/// Builds a board's bitstream. The seed is the board's. Where a clock is not reached there is no
/// bitstream, and the record says so.
///
/// # Errors
/// [`BuildError`], with nothing in the folder that looks like a finished bitstream.
pub fn build(
    board: &Board,
    options: &Options,
    observer: &mut dyn Observer,
) -> Result<Record, BuildError> {
    let folder = Folder::open(&options.folder)?;
    let bitstream = stages::bitstream(board);
    folder.remove(&bitstream)?;
    folder.remove(RECORD)?;
    folder.remove(UNFINISHED)?;

    // Tools first: a missing one is told at once, not after minutes.
    let tools = versions(board)?;
    let mut times = Vec::new();
    let begin = Instant::now();
    observer.begin(Stage::Verilog);
    let (id, steps) = folder.write_sources(board, options, &tools)?;
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
        worst_path: None,
        bitstream: None,
    };
    for step in &steps {
        if step.stage == Stage::Packing {
            folder.read_reports(board, &mut record)?;
            if !record.timing_is_met() {
                break;
            }
        }
        let time = folder.run(step, observer)?;
        times.push((step.stage, time));
    }
    let seconds = |(stage, time): (Stage, Duration)| Time {
        stage,
        seconds: time.as_secs_f64(),
    };
    record.stages = times.into_iter().map(seconds).collect();
    if record.timing_is_met() {
        folder.rename(UNFINISHED, &bitstream)?;
        record.bitstream = Some(bitstream);
    }
    folder.write_record(&record)?;
    Ok(record)
}

/// The versions of the tools that a board's build needs, by name.
fn versions(board: &Board) -> Result<BTreeMap<String, String>, BuildError> {
    let steps = stages::steps(board, 0).ok_or_else(|| BuildError::NotOpen {
        board: board.name.clone(),
        tools: board.tools.name(),
    })?;
    let version = |tool: Tool| -> Result<String, ToolError> {
        match tool.place()? {
            place @ Place::Installed(_) => tool.version_at(&place),
            // Whoever names another program knows what it is; it is told by its place.
            place => Ok(place.program().display().to_string()),
        }
    };
    let tools = steps.iter().map(|step| step.tool);
    let named = tools.map(|tool| Ok((tool.name.to_owned(), version(tool)?)));
    named.collect()
}

/// The folder of a build, held for it.
struct Folder {
    path: PathBuf,
    _lock: File,
}

impl Folder {
    fn open(path: &Path) -> Result<Self, BuildError> {
        fs::create_dir_all(path).map_err(file("made", path))?;
        let name = path.join(LOCK);
        let lock = File::create(&name).map_err(file("written", name))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self {
                path: path.into(),
                _lock: lock,
            }),
            Err(_) => Err(BuildError::Busy(path.into())),
        }
    }

    fn remove(&self, name: &str) -> Result<(), BuildError> {
        let path = self.path.join(name);
        match fs::remove_file(&path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(file("removed", path)(error))
            }
            _ => Ok(()),
        }
    }

    fn rename(&self, from: &str, to: &str) -> Result<(), BuildError> {
        let to = self.path.join(to);
        fs::rename(self.path.join(from), &to).map_err(file("written", to))
    }

    fn write(&self, name: &str, text: &str) -> Result<(), BuildError> {
        let path = self.path.join(name);
        fs::write(&path, text).map_err(file("written", path))
    }

    /// Writes all that the tools read. The build id is made of everything else, the Verilog with an
    /// id of zero included.
    fn write_sources(
        &self,
        board: &Board,
        options: &Options,
        tools: &BTreeMap<String, String>,
    ) -> Result<(BuildId, [Step; 3]), BuildError> {
        let plain = board.parameters(options.team);
        let top = format!("{}.v", board.top);
        let not_open = || BuildError::NotOpen {
            board: board.name.clone(),
            tools: board.tools.name(),
        };
        let (pins, constraints) = constraints::constraints(board).ok_or_else(not_open)?;
        let mut ingredients = Ingredients::default();
        let mut sources = vec![top.clone()];
        for module in emit::player(&plain).map_err(emit::WriteError::from)? {
            sources.push(format!("{PLAYER}/{}.v", module.name));
            ingredients.add(&module.name, &module.text);
        }
        let files = [
            (top.as_str(), catalogue::top(board).to_owned()),
            ("board.vh", board.header()),
            (pins, constraints),
            (SCRIPT, stages::script(board, &sources)),
        ];
        for (name, text) in &files {
            ingredients.add(name, text);
            self.write(name, text)?;
        }
        for (tool, version) in tools {
            ingredients.add(tool, version);
        }
        for step in stages::steps(board, 0).ok_or_else(not_open)? {
            ingredients.add(step.tool.name, &step.arguments.join(" "));
        }
        let id = ingredients.id();
        let parameters = Parameters { build: id, ..plain };
        emit::write(&parameters, &self.path.join(PLAYER))?;
        let steps = stages::steps(board, id.0).ok_or_else(not_open)?;
        Ok((id, steps))
    }

    /// Runs a tool in the folder, with its output in the stage's log.
    fn run(&self, step: &Step, observer: &mut dyn Observer) -> Result<Duration, BuildError> {
        observer.begin(step.stage);
        let begin = Instant::now();
        let name = self.path.join(step.stage.log());
        let log = File::create(&name).map_err(file("written", &name))?;
        let errors = log.try_clone().map_err(file("written", &name))?;
        let mut command = step.tool.command()?;
        command
            .args(&step.arguments)
            .current_dir(&self.path)
            .stdin(Stdio::null())
            .stdout(log)
            .stderr(errors);
        let child = command.spawn().map_err(|source| ToolError::Start {
            program: command.get_program().into(),
            source,
        })?;
        let status = wait(child, &name, observer)
            .map_err(file("read", &name))?
            .ok_or(BuildError::Interrupted)?;
        if !status.success() {
            let text = fs::read(&name).map_err(file("read", &name))?;
            let text = String::from_utf8_lossy(&text);
            return Err(BuildError::Stage {
                stage: step.stage,
                tool: step.tool.name,
                status,
                end: tail(text.trim_end(), END_OF_LOG).to_owned(),
                log: name,
            });
        }
        observer.end(step.stage, begin.elapsed());
        Ok(begin.elapsed())
    }

    /// Adds to the record what the tools found out.
    fn read_reports(&self, board: &Board, record: &mut Record) -> Result<(), BuildError> {
        let path = self.path.join(REPORT);
        let report: Report = json(&path)?;
        let statistics: Statistics = json(&self.path.join(STATISTICS))?;
        record.utilisation = report.utilisation(&board.tools, &statistics);
        record.clocks = report.clocks();
        record.worst_path = report
            .worst_path()
            .and_then(|path| WorstPath::new(&path.path));
        let megahertz = f64::from(board.clock.player_hz) / 1e6;
        let known = |clock: &super::nextpnr::Clock| (clock.needed / megahertz - 1.0).abs() < 1e-3;
        if !record.clocks.iter().any(known) {
            let reason = format!("no clock of {megahertz} MHz is among the constrained ones");
            return Err(BuildError::Report { path, reason });
        }
        Ok(())
    }

    fn write_record(&self, record: &Record) -> Result<(), BuildError> {
        let text = serde_json::to_string_pretty(record).map_err(|error| BuildError::Report {
            path: self.path.join(RECORD),
            reason: error.to_string(),
        })?;
        let unfinished = format!("{RECORD}.unfinished");
        self.write(&unfinished, &(text + "\n"))?;
        self.rename(&unfinished, RECORD)
    }
}

/// Waits for a tool, and tells the observer the last line of its log now and then; none if the
/// observer had enough. A tool that is not waited for to its end is killed.
fn wait(
    child: Child,
    log: &Path,
    observer: &mut dyn Observer,
) -> std::io::Result<Option<ExitStatus>> {
    struct Killed(Child);
    impl Drop for Killed {
        fn drop(&mut self) {
            let _ = self.0.kill();
        }
    }
    let mut child = Killed(child);
    let mut log = File::open(log)?;
    loop {
        if let Some(status) = child.0.try_wait()? {
            return Ok(Some(status));
        }
        if !observer.tick(&last_line(&mut log)?) {
            return Ok(None);
        }
        thread::sleep(TICK);
    }
}

/// The last line of a file that is still written.
fn last_line(file: &mut File) -> std::io::Result<String> {
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(500)))?;
    let mut end = Vec::new();
    file.read_to_end(&mut end)?;
    let end = String::from_utf8_lossy(&end);
    let mut lines = end.lines().rev().map(str::trim);
    Ok(lines
        .find(|line| !line.is_empty())
        .unwrap_or_default()
        .into())
}
