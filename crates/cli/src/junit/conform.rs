//! JUnit file of a conformance run.

use duoforge_conform::{Report, StepReport, Verdict};

use super::suite::{Case, Status, suite};

/// Returns the run as a JUnit file with a case per check. Checks that were not reached, blocked or
/// not run are skipped cases.
pub fn write(report: &Report) -> String {
    let wall = report.steps.iter().map(|step| step.wall).sum();
    let name = format!("duoforge conform {}", report.device);
    suite(&name, wall, report.steps.iter().map(case))
}

fn case(report: &StepReport) -> Case {
    let (step, verdict) = (report.step, &report.verdict);
    let bytes: Vec<_> = report.evidence().iter().map(ToString::to_string).collect();
    Case {
        name: format!("{} {}", step.number, step.name),
        class: "conform".to_owned(),
        wall: report.wall,
        status: match verdict {
            // A warning counts as a success with a message.
            Verdict::Passed(text) => Status::Passed(Some(text.clone())),
            Verdict::Warned(fault) => Status::Passed(Some(format!("warning: {fault}"))),
            Verdict::Failed(fault) => Status::Failed {
                message: fault.to_string(),
                description: format!("{}\n{}", step.about, bytes.join("\n")),
            },
            other => Status::Skipped(format!("{}: {}", other.word(), other.text())),
        },
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use duoforge_conform::{ConformanceCheck, Fault};
    use duoforge_links::wirelog::{Direction, WireEntry, WireEvent};

    use super::*;

    fn entry(at: u64, direction: Direction, bytes: &[u8]) -> WireEntry {
        WireEntry {
            wall: Duration::from_millis(at),
            simulated: None,
            line: "device".to_owned(),
            event: WireEvent::Chunk {
                direction,
                bytes: bytes.to_vec(),
            },
        }
    }

    fn tried(number: usize, verdict: Verdict) -> StepReport {
        let wire = (0..20).map(|at| match at {
            10 => entry(at, Direction::ToBoard, b"25"),
            13 => entry(at, Direction::FromBoard, b"a53e0b"),
            _ => entry(at, Direction::FromBoard, b"-"),
        });
        StepReport {
            step: ConformanceCheck::find(&number.to_string()).unwrap(),
            verdict,
            wall: Duration::from_millis(1_500),
            wire: wire.collect(),
        }
    }

    fn report() -> Report {
        let unsolicited = || Fault::Unsolicited {
            after: "25".to_owned(),
            got: b"53e0".to_vec(),
        };
        let silent = Fault::Silent {
            asked: "25".to_owned(),
            waited: Duration::from_secs(1),
        };
        let steps = [
            (1, Verdict::Passed("team AA".to_owned())),
            (2, Verdict::Failed(unsolicited())),
            (3, Verdict::Passed("3 answers".to_owned())),
            (4, Verdict::NotReached("it never had to".to_owned())),
            (
                5,
                Verdict::Blocked {
                    by: 2,
                    fault: unsolicited(),
                },
            ),
            (6, Verdict::NotRun("it has gone".to_owned())),
            (20, Verdict::Warned(silent)),
        ];
        Report {
            device: "tcp:here:1".to_owned(),
            team: Some("AA".to_owned()),
            steps: steps.map(|(number, verdict)| tried(number, verdict)).into(),
        }
    }

    /// The file has a case for each check: failures with their bytes, checks not run as skipped,
    /// warnings as successes.
    #[test]
    fn a_junit_file_has_a_case_for_each_step() {
        let xml = write(&report());
        let counts = ["<testcase", "<failure", "<skipped"].map(|tag| xml.matches(tag).count());
        assert_eq!(counts, [7, 1, 3], "{xml}");
        for part in [
            "name=\"duoforge conform tcp:here:1\"",
            "name=\"2 answers\" classname=\"conform\" time=\"1.500\"",
            "time=\"10.500\"",
            "every prompt of the first game gets a complete reply\n    0.006000 device &lt; -",
            "    0.013000 device &lt; a53e0b",
            "not-reached: it never had to",
            "blocked: as in check 2: unsolicited bytes &apos;53e0&apos; after 25",
            "not-run: it has gone",
            "team AA",
            "warning: no reply to 25 within 1.000 s",
        ] {
            assert!(
                xml.contains(part) || xml.contains(&part.replace("&apos;", "'")),
                "{part}: {xml}"
            );
        }
    }
}
