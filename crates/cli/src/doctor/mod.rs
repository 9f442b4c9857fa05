//! What has to be right on a machine for duoforge to work, checked one by one.
//!
//! Every check looks at a [`Machine`], whose files may be those of a test. None opens a serial
//! device: one that is in use would lose bytes.

pub mod host;
pub mod latency;
pub mod machine;
pub mod programmers;
pub mod pty;
pub mod python;
pub mod serial;
pub mod tools;

use serde::Serialize;

pub use machine::Machine;

/// How something is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Health {
    /// As it should be.
    Ok,
    /// Something does not work, or not well, that not everybody needs.
    Warning,
    /// Something that is there does not work.
    Problem,
}

/// What a check found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Checks of one group are listed together.
    #[serde(skip)]
    pub group: &'static str,
    /// What was looked at.
    pub check: String,
    /// How it is.
    pub verdict: Health,
    /// What was seen.
    pub detail: String,
    /// What to do about it, where something has to be done.
    pub help: Option<String>,
}

impl Check {
    /// A check that found everything in order.
    pub fn ok(group: &'static str, check: impl Into<String>, detail: impl Into<String>) -> Self {
        Self {
            group,
            check: check.into(),
            verdict: Health::Ok,
            detail: detail.into(),
            help: None,
        }
    }

    /// The same check with another verdict, and what to do about it.
    pub fn but(self, verdict: Health, help: impl Into<String>) -> Self {
        Self {
            verdict,
            help: Some(help.into()),
            ..self
        }
    }
}

/// Makes every check.
pub fn examine(machine: &Machine) -> Vec<Check> {
    let mut checks = tools::checks();
    checks.extend(python::checks());
    checks.extend(serial::checks(machine));
    checks.extend(latency::checks(machine));
    checks.extend(programmers::checks(machine));
    checks.extend(pty::checks());
    checks.extend(host::checks());
    checks
}

/// The rules for udev that let users load boards, and set the latency timer of FTDI adapters.
pub fn udev_rules() -> String {
    let mut text = String::from(
        "# Of duoforge: boards' programmers for whoever sits at the machine and for the group\n\
         # plugdev, and no waiting in FTDI's serial adapters.\n",
    );
    for (programmer, _) in programmers::of_boards() {
        text += &format!("{}\n", programmer.udev_rule());
    }
    text + latency::RULE + "\n"
}
