//! Durations of the test programs, by which `cargo xtask test` orders them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use crate::counts::Binary;

/// File with the durations of earlier runs on this machine.
pub const LAST: &str = "target/test-times.toml";

/// Programs of more than five seconds, the longest first: directory of the package, target, and
/// seconds on two cores. They order the first run; `--quick` omits them.
pub const LONG: &[(&str, &str, u32)] = &[
    ("tests", "test hardware", 367),
    ("crates/prover", "test quick", 86),
    ("crates/conform", "test bots", 83),
    ("tests", "test shipped", 50),
    ("crates/conform", "test mocks", 35),
    ("crates/cli", "test comparisons", 33),
    ("crates/mutants", "test sample", 29),
    ("crates/players", "test bots", 29),
    ("crates/targets", "test projects", 28),
    ("crates/bots", "test misbehaviour", 23),
    ("crates/targets", "test tools", 21),
    ("crates/cli", "test campaigns", 20),
    ("crates/cli", "test resets", 18),
    ("crates/cli", "test conform", 17),
    ("crates/cli", "test tournament", 17),
    ("crates/tournament", "test input_tests", 14),
    ("crates/players", "test bot_variants", 11),
    ("crates/tournament", "test waiting", 10),
    ("crates/web", "test hostile", 10),
    ("crates/web", "test streams", 10),
    ("crates/prover", "test campaign", 9),
    ("crates/conform", "test bot_mocks", 8),
    ("crates/rules", "test variants", 8),
    ("tests", "test hardware_lint", 8),
    ("crates/bots", "test variants", 7),
    ("crates/cli", "test simulated", 7),
    ("crates/targets", "test tops", 7),
    ("tests", "test boards_on_serial_lines", 7),
    ("crates/cli", "test reference", 5),
    ("crates/engine", "test solved", 5),
    ("crates/players", "test misbehaviour", 5),
    ("crates/prover", "test verdicts", 5),
    ("crates/web", "test serial", 5),
];

/// Programs that mostly wait: for limits and pauses of a protocol, or for programs that they kill.
/// `cargo xtask test` runs one of them in addition to two others.
pub const WAITING: &[(&str, &str)] = &[
    ("crates/bots", "test misbehaviour"),
    ("crates/cli", "test resets"),
    ("crates/cli", "test tournament"),
    ("crates/conform", "test bot_mocks"),
    ("crates/conform", "test bots"),
    ("crates/conform", "test mocks"),
    ("crates/players", "test bot_variants"),
    ("crates/players", "test bots"),
    ("crates/players", "test misbehaviour"),
    ("crates/tournament", "test input_tests"),
    ("crates/tournament", "test waiting"),
    ("crates/web", "test hostile"),
    ("crates/web", "test serial"),
    ("crates/web", "test streams"),
];

/// Durations by package directory and target, in milliseconds.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Times(BTreeMap<String, BTreeMap<String, u64>>);

impl Times {
    /// Reads the durations of earlier runs; without a readable file there are none.
    pub fn load(path: &Path) -> Self {
        let text = fs::read_to_string(path).unwrap_or_default();
        toml::from_str(&text).unwrap_or_default()
    }

    /// Writes the durations.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, path: &Path) -> Result<()> {
        if let Some(directory) = path.parent() {
            fs::create_dir_all(directory)?;
        }
        fs::write(path, toml::to_string(self)?)
            .with_context(|| format!("{} could not be written", path.display()))
    }

    /// Notes the duration of a program.
    pub fn note(&mut self, binary: &Binary, time: Duration) {
        let package = self.0.entry(binary.package.clone()).or_default();
        let time = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        package.insert(binary.target.clone(), time);
    }

    /// Returns the duration to expect of a program: that of its last run, else that of the list;
    /// zero for a short one.
    pub fn expected(&self, binary: &Binary) -> Duration {
        let last = self
            .0
            .get(&binary.package)
            .and_then(|it| it.get(&binary.target));
        match (last, listed(binary)) {
            (Some(&last), _) => Duration::from_millis(last),
            (None, Some(seconds)) => Duration::from_secs(seconds.into()),
            (None, None) => Duration::ZERO,
        }
    }
}

/// Returns the seconds of a program in the list.
pub fn listed(binary: &Binary) -> Option<u32> {
    let mut long = LONG.iter();
    let of = |(package, target, _): &&(&str, &str, u32)| {
        (*package, *target) == (binary.package.as_str(), binary.target.as_str())
    };
    long.find(of).map(|(_, _, seconds)| *seconds)
}

/// True if a program mostly waits.
pub fn waits(binary: &Binary) -> bool {
    WAITING.contains(&(binary.package.as_str(), binary.target.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::floors::{FLOORS, Floors};

    fn binary(package: &str, target: &str) -> Binary {
        Binary {
            package: package.to_owned(),
            target: target.to_owned(),
        }
    }

    #[test]
    fn every_listed_program_has_a_floor() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let floors = Floors::load(&root.join(FLOORS)).unwrap();
        let long = LONG.iter().map(|(package, target, _)| (package, target));
        let waiting = WAITING.iter().map(|(package, target)| (package, target));
        for (package, target) in long.chain(waiting) {
            assert!(floors.has(package, target), "{package}, {target}");
        }
    }

    #[test]
    fn the_list_begins_with_the_longest() {
        assert!(LONG.is_sorted_by(|one, two| one.2 >= two.2));
    }

    #[test]
    fn the_last_run_precedes_the_list() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("target/times.toml");
        let (package, target, seconds) = LONG[0];
        let long = binary(package, target);
        let short = binary("tests", "test arrows");
        let mut times = Times::load(&path);
        assert_eq!(times, Times::default());
        assert_eq!(times.expected(&long), Duration::from_secs(seconds.into()));
        assert_eq!(times.expected(&short), Duration::ZERO);
        times.note(&long, Duration::from_millis(1250));
        times.note(&short, Duration::from_millis(3));
        times.save(&path).unwrap();
        let read = Times::load(&path);
        assert_eq!(read, times);
        assert_eq!(read.expected(&long), Duration::from_millis(1250));
        fs::write(&path, "no table").unwrap();
        assert_eq!(Times::load(&path), Times::default());
    }
}
