//! JUnit report of a run.

use duoforge_sim::junit::{Case, Status, suite};

use crate::{Report, StepReport, Verdict};

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
