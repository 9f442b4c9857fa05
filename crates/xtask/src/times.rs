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

/// Test program of more than five seconds.
pub struct Long {
    /// Directory of the package.
    pub package: &'static str,
    /// Target.
    pub target: &'static str,
    /// Seconds on two cores.
    pub seconds: u32,
    /// True if it mostly waits: for limits and pauses of a protocol, or for programs that it kills.
    /// `cargo xtask test` runs one of them in addition to two others.
    pub waits: bool,
}

const fn works(package: &'static str, target: &'static str, seconds: u32) -> Long {
    Long {
        package,
        target,
        seconds,
        waits: false,
    }
}

const fn waits(package: &'static str, target: &'static str, seconds: u32) -> Long {
    Long {
        waits: true,
        ..works(package, target, seconds)
    }
}

/// Programs of more than five seconds, the longest first. They order the first run; `--quick` omits
/// them.
pub const LONG: &[Long] = &[
    works("tests", "test hardware", 367),
    works("crates/prover", "test quick", 86),
    waits("crates/conform", "test bots", 83),
    works("tests", "test shipped", 50),
    waits("crates/conform", "test mocks", 35),
    works("crates/cli", "test comparisons", 33),
    works("crates/mutants", "test sample", 29),
    waits("crates/players", "test bots", 29),
    works("crates/targets", "test projects", 28),
    waits("crates/bots", "test misbehaviour", 23),
    works("crates/targets", "test tools", 21),
    works("crates/cli", "test campaigns", 20),
    waits("crates/cli", "test resets", 18),
    works("crates/cli", "test conform", 17),
    waits("crates/cli", "test tournament", 17),
    waits("crates/tournament", "test input_tests", 14),
    waits("crates/players", "test bot_variants", 11),
    waits("crates/tournament", "test waiting", 10),
    waits("crates/web", "test hostile", 10),
    waits("crates/web", "test streams", 10),
    works("crates/prover", "test campaign", 9),
    waits("crates/conform", "test bot_mocks", 8),
    works("crates/rules", "test variants", 8),
    works("tests", "test hardware_lint", 8),
    works("crates/bots", "test variants", 7),
    works("crates/cli", "test simulated", 7),
    works("crates/targets", "test tops", 7),
    works("tests", "test boards_on_serial_lines", 7),
    works("crates/cli", "test reference", 5),
    works("crates/engine", "test solved", 5),
    waits("crates/players", "test misbehaviour", 5),
    works("crates/prover", "test verdicts", 5),
    waits("crates/web", "test serial", 5),
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
            (None, Some(long)) => Duration::from_secs(long.seconds.into()),
            (None, None) => Duration::ZERO,
        }
    }
}

/// Returns a program's entry in the list.
pub fn listed(binary: &Binary) -> Option<&'static Long> {
    let mut long = LONG.iter();
    long.find(|it| (it.package, it.target) == (binary.package.as_str(), binary.target.as_str()))
}

/// True if a program mostly waits.
pub fn is_waiting(binary: &Binary) -> bool {
    listed(binary).is_some_and(|long| long.waits)
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
        for Long {
            package, target, ..
        } in LONG
        {
            assert!(floors.has(package, target), "{package}, {target}");
        }
    }

    #[test]
    fn the_list_begins_with_the_longest() {
        assert!(LONG.is_sorted_by(|one, two| one.seconds >= two.seconds));
    }

    #[test]
    fn the_last_run_precedes_the_list() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("target/times.toml");
        let Long { seconds, .. } = LONG[0];
        let long = binary(LONG[0].package, LONG[0].target);
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
