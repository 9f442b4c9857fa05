//! Players that a report excludes.

use duoforge_journal::History;
use serde::Serialize;

/// Text before the log of a program, at the end of the first line of its fault.
const LOG: &str = "; its last lines on standard error:";

/// Player that failed the input test before its first game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Excluded {
    /// Name of the player.
    pub name: String,
    /// Fault of the player.
    pub fault: String,
}

impl Excluded {
    /// Returns the excluded players of a journal.
    pub(crate) fn of(history: &History) -> Vec<Self> {
        let tests = history.input_tests.iter();
        let failed = tests.filter_map(|test| Some((&test.player, test.fault.as_ref()?)));
        let players = failed.map(|(name, fault)| Self {
            name: name.clone(),
            fault: fault.clone(),
        });
        players.collect()
    }

    /// Line of a report: the name and the first line of the fault, without the log after it.
    pub(crate) fn line(&self) -> String {
        let fault = self.fault.lines().next().unwrap_or_default();
        let fault = fault.strip_suffix(LOG).unwrap_or(fault);
        format!("Excluded after the input test: {}: {fault}", self.name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines of the log after the first line of a fault are not in a report.
    #[test]
    fn a_report_has_the_fault_without_the_log() {
        for fault in [
            "python3: ended with exit status 3",
            "python3: ended with exit status 3; its last lines on standard error:\nno model",
            "python3: ended with exit status 3\nno model",
        ] {
            let excluded = Excluded {
                name: "B".to_owned(),
                fault: fault.to_owned(),
            };
            let line = "Excluded after the input test: B: python3: ended with exit status 3";
            assert_eq!(excluded.line(), line);
        }
    }
}
