//! Input of an engine, and its outcome.

use std::fmt;
use std::fs;
use std::path::Path;
use std::time::Duration;

use duoforge_tools::catalogue::YOSYS;
use duoforge_tools::{ToolError, run_within};

use crate::design::Source;
use crate::proof::{Proof, Run};
use crate::trace::Trace;

/// Outcome of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// The property holds.
    Proved,
    /// The property does not hold; the trace is a reachable counterexample.
    Refuted(Trace),
    /// The property is neither proved nor refuted: the induction step fails up to the maximum
    /// depth. The trace begins in a state that may be unreachable.
    Undecided(Trace),
    /// The time limit passed without a result.
    OutOfTime,
    /// The run failed, and nothing is known about the property.
    Error(String),
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Proved => "proved",
            Self::Refuted(_) => "refuted",
            Self::Undecided(_) => "undecided",
            Self::OutOfTime => "out of time",
            Self::Error(_) => "error",
        })
    }
}

/// Reason why an engine returned no result.
#[derive(Debug)]
pub enum EngineError {
    /// The time limit passed.
    OutOfTime,
    /// The engine failed.
    Error(String),
}

impl From<ToolError> for EngineError {
    fn from(error: ToolError) -> Self {
        Self::Error(error.to_string())
    }
}

impl From<std::io::Error> for EngineError {
    fn from(error: std::io::Error) -> Self {
        Self::Error(error.to_string())
    }
}

/// Input of an engine.
#[derive(Debug, Clone, Copy)]
pub struct EngineJob<'a> {
    /// Property to check.
    pub proof: &'a Proof,
    /// Run of the property.
    pub run: &'a Run,
    /// Files to read.
    pub sources: &'a [Source],
    /// Directory of the files.
    pub directory: &'a Path,
}

impl EngineJob<'_> {
    /// Returns the Yosys commands that read the sources and flatten the design.
    ///
    /// A wire with the attribute `hierconn` is connected by its name to a wire inside an instance.
    /// A remaining one is misspelt and could take any value, so it is rejected. Undefined values of
    /// the design may take any value. A property without an assertion is rejected too.
    ///
    /// No pass may rely on initial values: registers that start in any state must not be merged or
    /// folded to constants because of their power-up values. The commands therefore avoid `opt` and
    /// `opt_dff`.
    pub fn prelude(&self) -> String {
        let named = |suffix: &str| {
            let names = self.sources.iter().map(|source| source.name.as_str());
            let names: Vec<_> = names.filter(|name| name.ends_with(suffix)).collect();
            names.join(" ")
        };
        // Emitted Verilog may use SystemVerilog keywords as names.
        let emitted = match named(".v").as_str() {
            "" => String::new(),
            names => format!("read_verilog {names}\n"),
        };
        let stated = named(".sv");
        let opaque = self.proof.opaque.iter();
        let opaque = opaque.map(|module| format!("blackbox {module}\n"));
        let opaque = opaque.collect::<String>();
        let defines = self.run.define.iter().map(|name| format!(" -D{name}"));
        let defines = defines.collect::<String>();
        let Run { top, prepare, .. } = self.run;
        let shown = self.proof.show.iter();
        let keep = shown.map(|signal| format!("setattr -set keep 1 w:{signal}\n"));
        let keep = keep.collect::<String>();
        let forget = if self.run.begins_anywhere() {
            "setattr -unset init w:*"
        } else {
            ""
        };
        let free = match opaque.as_str() {
            "" => "",
            _ => "cutpoint -blackbox\n",
        };
        format!(
            "\
{emitted}{opaque}read_verilog -sv -formal{defines} {stated}
hierarchy -check -top {top}
proc
flatten
{free}select -assert-none a:hierconn
{keep}{prepare}
{forget}
memory -nordff
setundef -undriven -anyseq
opt_clean
async2sync
chformal -lower
opt_expr -full
opt_merge -keepdc
opt_muxtree
opt_reduce -full
opt_expr
opt_merge -keepdc
opt_clean -purge
check -assert
select -assert-min 1 t:$assert
"
        )
    }

    /// Runs a Yosys script and returns the output.
    ///
    /// # Errors
    /// [`EngineError`] if Yosys failed or the time limit passed.
    pub fn yosys(&self, script: &str) -> Result<String, EngineError> {
        fs::write(self.directory.join("script.ys"), script)?;
        let mut command = YOSYS.command()?;
        command
            .args(["-s", "script.ys"])
            .current_dir(self.directory);
        self.finish(&mut command, "yosys.log")
    }

    /// Runs a program to its end and returns its output; a failure is an error.
    pub fn finish(
        &self,
        command: &mut std::process::Command,
        log: &str,
    ) -> Result<String, EngineError> {
        let (status, text) = self.start(command, log)?;
        if status.success() {
            return Ok(text);
        }
        let end = duoforge_tools::tail(text.trim(), 1500);
        Err(EngineError::Error(format!(
            "{log} ends with {status}:\n{end}"
        )))
    }

    /// Runs a program to its end and returns its exit status and its output.
    pub fn start(
        &self,
        command: &mut std::process::Command,
        log: &str,
    ) -> Result<(std::process::ExitStatus, String), EngineError> {
        let log = self.directory.join(log);
        let limit = Duration::from_secs(self.run.limit);
        let status = run_within(command, &log, limit)?.ok_or(EngineError::OutOfTime)?;
        let text = fs::read(&log)?;
        Ok((status, String::from_utf8_lossy(&text).into_owned()))
    }
}
