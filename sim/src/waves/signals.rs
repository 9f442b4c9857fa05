//! Signals of a waveform in VCD, read back by their names.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, Error, ErrorKind};
use std::path::Path;

use vcd::{Command, IdCode, Parser, ScopeItem, Value};

use crate::error::{Result, SimError};

/// Values of the signals of a waveform over time.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Signals {
    /// Changes by hierarchical name: time in units of the file, and the value from there on.
    changes: BTreeMap<String, Vec<(u64, u64)>>,
    /// Times of the first and of the last change of any signal.
    times: [u64; 2],
}

impl Signals {
    /// Reads all signals of at most 64 bits. A bit that is neither 0 nor 1 counts as 0.
    ///
    /// # Errors
    /// [`SimError::Io`] if the file cannot be read or is not VCD.
    pub fn read(file: &Path) -> Result<Self> {
        let reading = |error| SimError::io("reading", file)(error);
        let opened = File::open(file).map_err(SimError::io("opening", file))?;
        let mut commands = Parser::new(BufReader::new(opened));
        let header = commands.parse_header().map_err(reading)?;
        let mut names = BTreeMap::new();
        collect(&header.items, "", &mut names);
        if names.is_empty() {
            let error = Error::new(ErrorKind::InvalidData, "the file has no signals");
            return Err(reading(error));
        }
        let mut values: BTreeMap<IdCode, Vec<(u64, u64)>> = BTreeMap::new();
        let (mut now, mut first) = (0, None);
        for command in commands {
            let (id, value) = match command.map_err(reading)? {
                Command::Timestamp(time) => {
                    now = time;
                    first.get_or_insert(time);
                    continue;
                }
                Command::ChangeScalar(id, value) => (id, u64::from(value == Value::V1)),
                Command::ChangeVector(id, bits) if bits.len() <= 64 => {
                    let next = |sum, bit| sum << 1 | u64::from(bit == Value::V1);
                    (id, bits.iter().fold(0, next))
                }
                _ => continue,
            };
            values.entry(id).or_default().push((now, value));
        }
        let of = |(name, id)| (name, values.get(&id).cloned().unwrap_or_default());
        Ok(Self {
            changes: names.into_iter().map(of).collect(),
            times: [first.unwrap_or(0), now],
        })
    }

    /// Returns the times of the first and of the last change, in units of the file.
    #[must_use]
    pub const fn times(&self) -> [u64; 2] {
        self.times
    }

    /// Returns the changes of a signal: time, and the value from there on.
    #[must_use]
    pub fn changes(&self, name: &str) -> Option<&[(u64, u64)]> {
        self.changes.get(name).map(Vec::as_slice)
    }
}

/// Collects the hierarchical names of signals with their identifiers.
fn collect(items: &[ScopeItem], scope: &str, names: &mut BTreeMap<String, IdCode>) {
    let within = |name: &str| match scope {
        "" => name.to_owned(),
        scope => format!("{scope}.{name}"),
    };
    for item in items {
        match item {
            ScopeItem::Var(var) => {
                // Icarus Verilog writes a backslash before names with a dollar sign.
                let name = var.reference.trim_start_matches('\\');
                names.insert(within(name), var.code);
            }
            ScopeItem::Scope(inner) => collect(&inner.items, &within(&inner.identifier), names),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Signals> {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("a.vcd");
        std::fs::write(&file, text).unwrap();
        Signals::read(&file)
    }

    #[test]
    fn signals_are_read_by_their_hierarchical_names() {
        let signals = read(
            "$timescale 1 ns $end\n$scope module top $end\n$var wire 1 a clock $end\n\
             $scope module dut $end\n$var wire 4 b \\state$q [3:0] $end\n\
             $upscope $end\n$upscope $end\n$enddefinitions $end\n\
             #20\n1a\nb10 b\n#30\n0a\nb1x b\n#45\nxa\n",
        );
        let signals = signals.unwrap();
        assert_eq!(signals.times(), [20, 45]);
        assert_eq!(
            signals.changes("top.clock").unwrap(),
            [(20, 1), (30, 0), (45, 0)]
        );
        assert_eq!(
            signals.changes("top.dut.state$q").unwrap(),
            [(20, 2), (30, 2)]
        );
        assert_eq!(signals.changes("dut.state$q"), None);
    }

    #[test]
    fn a_file_that_is_not_a_waveform_is_named() {
        for text in ["", "no waveform\n"] {
            let error = read(text).unwrap_err().to_string();
            assert!(error.contains("a.vcd"), "{error}");
        }
    }
}
