//! Adds up the result lines that test binaries print.

use std::fmt;

/// Totals over all test binaries of one run.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Counts {
    passed: u64,
    failed: u64,
    ignored: u64,
    binaries: u64,
}

impl Counts {
    /// Takes note of one printed line. Lines other than `test result: ...` change nothing.
    pub fn read(&mut self, line: &str) {
        let Some(result) = line.trim().strip_prefix("test result: ") else {
            return;
        };
        self.binaries += 1;
        let words: Vec<&str> = result.split_whitespace().collect();
        for pair in words.windows(2) {
            let Ok(number) = pair[0].parse::<u64>() else {
                continue;
            };
            match pair[1].trim_end_matches(';') {
                "passed" => self.passed += number,
                "failed" => self.failed += number,
                "ignored" => self.ignored += number,
                _ => {}
            }
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} passed; {} failed", self.passed, self.failed)?;
        if self.ignored > 0 {
            write!(f, "; {} ignored", self.ignored)?;
        }
        write!(f, " in {} test binaries", self.binaries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_several_binaries_add_up() {
        let mut counts = Counts::default();
        counts.read("running 3 tests");
        counts.read("test tests::a ... ok");
        counts.read(
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.00s",
        );
        counts.read(
            "test result: FAILED. 4 passed; 2 failed; 0 ignored; 0 measured; 7 filtered out; finished in 0.10s",
        );
        assert_eq!(
            counts,
            Counts {
                passed: 7,
                failed: 2,
                ignored: 1,
                binaries: 2
            }
        );
        assert_eq!(
            counts.to_string(),
            "7 passed; 2 failed; 1 ignored in 2 test binaries"
        );
    }
}
