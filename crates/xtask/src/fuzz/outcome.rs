//! Output of a fuzz target: what libFuzzer reports.

use std::str::FromStr;

/// Largest number of bytes of an input that a message shows.
const SHOWN: usize = 300;

/// Result of a run of a fuzz target.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// Number of coverage counters of the program.
    counters: u64,
    /// Number of seed inputs, with those that earlier runs found.
    seeds: u64,
    /// Number of counters that these inputs reach.
    begin: u64,
    /// Number of counters that all inputs reach.
    end: u64,
    /// Number of inputs.
    pub inputs: u64,
    /// Inputs per second.
    speed: u64,
    /// Number of inputs that were found and kept.
    new: u64,
    /// Message of the panic, or of libFuzzer.
    message: String,
    /// File of the input that broke a property.
    pub artifact: Option<String>,
    /// Contents of this file.
    pub input: Option<Vec<u8>>,
    /// Command that runs the input again.
    pub again: String,
    /// Exit status, if it is not 0.
    pub ended: Option<String>,
}

/// Verdict on a run.
#[derive(Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The run found no fault and was guided by coverage.
    Good,
    /// Text that states the fault.
    Bad(String),
}

impl Outcome {
    /// Head of the table of [`line`](Self::line).
    pub const HEAD: &str = "target            inputs   per second   counters at begin    \
                            at the end        of all   new inputs";

    /// Reads the output of a target.
    pub fn read(output: &str) -> Self {
        let mut outcome = Self::default();
        let mut lines = output.lines();
        while let Some(line) = lines.next() {
            let after = |word: &str| number(line.split_once(word)?.1);
            if line.contains(" inline 8-bit counters)") {
                outcome.counters = after("(").unwrap_or(0);
            } else if line.starts_with("INFO: seed corpus: ") {
                outcome.seeds = after("files: ").unwrap_or(0);
            } else if line.starts_with('#') {
                let reached = after("cov: ").unwrap_or(0);
                if line.contains("\tINITED ") {
                    outcome.begin = reached;
                }
                outcome.end = outcome.end.max(reached);
            } else if line.starts_with("stat::number_of_executed_units: ") {
                outcome.inputs = after(": ").unwrap_or(0);
            } else if line.starts_with("stat::average_exec_per_sec: ") {
                outcome.speed = after(": ").unwrap_or(0);
            } else if line.starts_with("stat::new_units_added: ") {
                outcome.new = after(": ").unwrap_or(0);
            } else if line.contains(" panicked at ") {
                let place = line.split_once(" panicked at ").map_or("", |(_, it)| it);
                let rest: Vec<&str> = lines
                    .by_ref()
                    .take_while(|line| !line.is_empty() && !line.starts_with("note: "))
                    .collect();
                outcome.message = format!("panic at {place} {}", rest.join(" "));
            } else if let Some((_, error)) = line.split_once("ERROR: libFuzzer: ") {
                if outcome.message.is_empty() {
                    outcome.message = error.to_owned();
                }
            } else if let Some((_, path)) = line.split_once("Test unit written to ") {
                outcome.artifact = Some(path.to_owned());
            }
        }
        outcome
    }

    /// Returns the fault of a run of any kind: a broken property, or a failed process.
    pub fn fault(&self) -> Option<String> {
        let message = &self.message;
        match (&self.input, &self.artifact, &self.ended) {
            (Some(input), Some(path), _) => {
                let mut shown = input[..input.len().min(SHOWN)].escape_ascii().to_string();
                if shown.is_empty() || input.len() > SHOWN {
                    shown += " ...";
                }
                let (bytes, again) = (input.len(), &self.again);
                Some(format!(
                    "{message}\n  input of {bytes} bytes: {shown}\n  file: {path}\n  again: {again}"
                ))
            }
            (.., Some(ended)) => Some(format!("{ended} {message}")),
            _ => None,
        }
    }

    /// Returns the verdict on a run for a time.
    pub fn verdict(&self) -> Verdict {
        if let Some(fault) = self.fault() {
            return Verdict::Bad(fault);
        }
        let idle = [
            (self.counters, "the program has no coverage counters"),
            (self.seeds, "no seed input was read"),
            (self.end, "no input reached a counter"),
            (
                self.inputs.saturating_sub(self.seeds),
                "no input was tried besides the seed inputs",
            ),
        ];
        let fault = idle.iter().find(|(number, _)| *number == 0);
        fault.map_or(Verdict::Good, |(_, fault)| {
            Verdict::Bad((*fault).to_owned())
        })
    }

    /// Formats a run as a line of a table.
    pub fn line(&self, name: &str) -> String {
        format!(
            "{name:<13}{:>11}{:>13}{:>20}{:>14}{:>14}{:>13}",
            self.inputs, self.speed, self.begin, self.end, self.counters, self.new
        )
    }
}

/// Reads the number at the beginning of a text, after blanks.
fn number(text: &str) -> Option<u64> {
    let text = text.trim_start();
    let end = text.find(|letter: char| !letter.is_ascii_digit());
    u64::from_str(&text[..end.unwrap_or(text.len())]).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RUN: &str = "\
INFO: Running with entropic power schedule (0xFF, 100).
INFO: Seed: 1
INFO: Loaded 1 modules   (1234 inline 8-bit counters): 1234 [0x1, 0x2), 
INFO: Loaded 1 PC tables (1234 PCs): 1234 [0x1,0x2), 
INFO: seed corpus: files: 5 min: 1b max: 60b total: 90b rss: 30Mb
#6\tINITED cov: 40 ft: 41 corp: 5/90b exec/s: 0 rss: 31Mb
#90\tNEW    cov: 52 ft: 60 corp: 6/99b lim: 60 exec/s: 0 rss: 31Mb L: 9/60 MS: 1 ChangeBit-
#70000\tDONE   cov: 52 ft: 60 corp: 6/99b lim: 60 exec/s: 7000 rss: 40Mb
Done 70000 runs in 10 second(s)
stat::number_of_executed_units: 70000
stat::average_exec_per_sec:     7000
stat::new_units_added:          1
";

    #[test]
    fn a_run_that_is_guided_by_coverage_is_good() {
        let outcome = Outcome::read(RUN);
        let expected = Outcome {
            counters: 1234,
            seeds: 5,
            begin: 40,
            end: 52,
            inputs: 70_000,
            speed: 7_000,
            new: 1,
            ..Outcome::default()
        };
        assert_eq!(outcome, expected);
        assert_eq!(outcome.verdict(), Verdict::Good);
        assert!(outcome.line("host").starts_with("host "));
        assert_eq!(outcome.line("host").len(), Outcome::HEAD.len());
    }

    #[test]
    fn a_run_that_does_nothing_is_bad() {
        for (from, to, fault) in [
            (" inline 8-bit counters)", "", "no coverage counters"),
            ("(1234 inline", "(0 inline", "no coverage counters"),
            ("files: 5", "files: 0", "no seed input"),
            ("cov: ", "cov: 0 of ", "no input reached"),
            ("units: 70000", "units: 5", "besides the seed inputs"),
            ("stat::number", "", "besides the seed inputs"),
        ] {
            let Verdict::Bad(found) = Outcome::read(&RUN.replace(from, to)).verdict() else {
                panic!("{fault}");
            };
            assert!(found.contains(fault), "{found}");
        }
        let mut outcome = Outcome::read(RUN);
        outcome.ended = Some("signal: 11".to_owned());
        assert_eq!(outcome.verdict(), Verdict::Bad("signal: 11 ".to_owned()));
    }

    #[test]
    fn an_input_that_breaks_a_property_is_shown_with_its_command() {
        let panic = "thread '<unnamed>' (5646) panicked at src/host.rs:6:34:\nassertion failed\n\
                     left: 1\nnote: run with `RUST_BACKTRACE=1`\n\
                     ==5646== ERROR: libFuzzer: deadly signal\n\
                     artifact_prefix='x/'; Test unit written to x/crash-1\n";
        let mut outcome = Outcome::read(&[RUN, panic].concat());
        assert_eq!(outcome.artifact.as_deref(), Some("x/crash-1"));
        outcome.input = Some(b"1A\n".to_vec());
        outcome.again = "again".to_owned();
        let expected = "panic at src/host.rs:6:34: assertion failed left: 1\n  \
                        input of 3 bytes: 1A\\n\n  file: x/crash-1\n  again: again";
        assert_eq!(outcome.verdict(), Verdict::Bad(expected.to_owned()));
        let timeout = "ALARM: working on the last Unit for 11 seconds\n\
                       ==1== ERROR: libFuzzer: timeout after 11 seconds\n";
        assert_eq!(Outcome::read(timeout).message, "timeout after 11 seconds");
    }
}
