//! Players that a report excludes.

use duoforge_journal::History;
use serde::Serialize;

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

    /// Line of a report: the name and the first line of the fault.
    pub(crate) fn line(&self) -> String {
        let fault = self.fault.lines().next().unwrap_or_default();
        format!("Excluded after the input test: {}: {fault}", self.name)
    }
}
