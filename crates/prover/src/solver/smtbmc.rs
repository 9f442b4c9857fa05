//! Engine: `yosys-smtbmc` with Yices.

use std::fs;

use duoforge_tools::catalogue::{SMTBMC, YICES};

use super::job::{EngineError, EngineJob, Outcome};
use crate::proof::Mode;
use crate::trace::Trace;

/// Checks the first cycles, and for an induction its step.
pub fn run(job: &EngineJob<'_>) -> Result<Outcome, EngineError> {
    YICES.find()?;
    job.yosys(&format!(
        "{}formalff -clk2ff -ff2anyinit\nwrite_smt2 -wires design.smt2\n",
        job.prelude()
    ))?;
    let depth = match job.run.mode {
        Mode::Combinational => 1,
        Mode::Bounded => job.run.depth,
        // The base case covers all states that the induction step assumes.
        Mode::Induction => job.run.depth + 1,
    };
    let first: &[&str] = if job.run.begins_anywhere() {
        &["--noinit"]
    } else {
        &[]
    };
    if let Some(trace) = ask(job, "bounded", depth, first)? {
        return Ok(Outcome::Refuted(trace));
    }
    if job.run.mode != Mode::Induction {
        return Ok(Outcome::Proved);
    }
    Ok(match ask(job, "step", job.run.depth, &["-i"])? {
        Some(trace) => Outcome::Undecided(trace),
        None => Outcome::Proved,
    })
}

/// Returns the counterexample, if there is one.
fn ask(
    job: &EngineJob<'_>,
    name: &str,
    depth: u32,
    options: &[&str],
) -> Result<Option<Trace>, EngineError> {
    let vcd = format!("{name}.vcd");
    let mut command = SMTBMC.command()?;
    command
        .args(["-s", "yices", "--noprogress", "--presat", "-t"])
        .arg(depth.to_string())
        .args(["--dump-vcd", &vcd])
        .args(options)
        .args(&job.run.options)
        .arg("design.smt2")
        .current_dir(job.directory);
    let (_, log) = job.start(&mut command, &format!("{name}.log"))?;
    if !answer(&log).map_err(EngineError::Error)? {
        return Ok(None);
    }
    let text = fs::read_to_string(job.directory.join(&vcd))?;
    Ok(Some(Trace::from_vcd(&text, &job.proof.show)))
}

/// Returns true if the log reports a counterexample.
fn answer(log: &str) -> Result<bool, String> {
    let status = log
        .lines()
        .rev()
        .find_map(|line| line.split_once("Status: "));
    match status.map(|(_, status)| status.trim()) {
        Some("PASSED") => Ok(false),
        Some("FAILED") => Ok(true),
        Some("PREUNSAT") => Err("the assumptions contradict each other".into()),
        _ => {
            let end = duoforge_tools::tail(log.trim(), 1000);
            Err(format!("yosys-smtbmc gave no answer:\n{end}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_told_apart() {
        let line = |status| format!("##   0:00:00  Checking..\n##   0:00:01  Status: {status}\n");
        assert_eq!(answer(&line("PASSED")), Ok(false));
        assert_eq!(answer(&line("FAILED")), Ok(true));
        assert!(answer(&line("PREUNSAT")).is_err_and(|text| text.contains("contradict")));
        assert!(answer("Traceback").is_err_and(|text| text.contains("Traceback")));
    }
}
