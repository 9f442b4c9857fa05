//! Engine: Yosys' own SAT solver.

use super::job::{EngineError, EngineJob, Outcome};
use crate::proof::{Mode, Run};
use crate::trace::Trace;

/// Marker in the log between the two `sat` commands.
const MARK: &str = "== PROOF ==";

/// Checks that the assumptions are satisfiable, then runs the proof.
pub fn run(job: &EngineJob<'_>) -> Result<Outcome, EngineError> {
    answer(&job.yosys(&script(job))?, &job.proof.show).map_err(EngineError::Error)
}

fn script(job: &EngineJob<'_>) -> String {
    let Run { mode, depth, .. } = job.run;
    let shown = job
        .proof
        .show
        .iter()
        .map(|signal| format!(" -show {signal}"));
    let shown: String = shown.collect();
    let how = match mode {
        Mode::Combinational => "-seq 1".into(),
        Mode::Bounded => format!("-seq {depth}"),
        Mode::Induction => format!("-seq 1 -tempinduct -maxsteps {depth}"),
    };
    let options = job.run.options.join(" ");
    let show = format!("-show-inputs -show-outputs{shown}");
    format!(
        "\
{prelude}sat -set-assumes -seq {depth} {show} {options}
log {MARK}
sat -set-assumes -prove-asserts {how} {show} {options}
",
        prelude = job.prelude(),
    )
}

/// Parses the log.
fn answer(log: &str, named: &[String]) -> Result<Outcome, String> {
    let (first, second) = log
        .rsplit_once(MARK)
        .ok_or("yosys did not come to the proof")?;
    if !first.contains("SAT solving finished - model found:") {
        return Err("the assumptions contradict each other".into());
    }
    let says = |text| second.contains(text);
    if says("SAT proof finished - no model found: SUCCESS!")
        || says("Induction step proven: SUCCESS!")
    {
        Ok(Outcome::Proved)
    } else if says("SAT proof finished - model found: FAIL!")
        || says("model found for base case: FAIL!")
    {
        Ok(Outcome::Refuted(Trace::from_sat(second, named)))
    } else if says("Reached maximum number of time steps -> proof failed.") {
        Ok(Outcome::Undecided(Trace::from_sat(second, named)))
    } else {
        let end = duoforge_tools::tail(second.trim(), 1000);
        Err(format!("yosys gave no answer:\n{end}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = "SAT solving finished - model found:\n";

    fn answer_to(first: &str, second: &str) -> Result<String, String> {
        answer(&format!("{first}{MARK}\n{second}"), &[]).map(|outcome| outcome.to_string())
    }

    #[test]
    fn answers_are_told_apart() {
        for (text, expected) in [
            ("SAT proof finished - no model found: SUCCESS!", "proved"),
            ("Induction step proven: SUCCESS!", "proved"),
            ("SAT proof finished - model found: FAIL!", "refuted"),
            (
                "SAT temporal induction proof finished - model found for base case: FAIL!",
                "refuted",
            ),
            (
                "Reached maximum number of time steps -> proof failed.",
                "undecided",
            ),
        ] {
            assert_eq!(answer_to(MODEL, text).as_deref(), Ok(expected));
        }
    }

    #[test]
    fn silence_and_contradictions_are_errors() {
        assert!(answer_to(MODEL, "nothing known").is_err());
        let contradiction = answer_to(
            "SAT solving finished - no model found.\n",
            "SAT proof finished - no model found: SUCCESS!",
        );
        assert!(contradiction.is_err_and(|message| message.contains("contradict")));
        assert!(answer("", &[]).is_err());
    }
}
