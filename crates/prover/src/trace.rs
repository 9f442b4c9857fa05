//! Traces of counterexamples: values of the shown signals, cycle by cycle.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use duoforge_hdl::design::CLOCK;

/// Maximum number of cycles shown; a longer trace shows its last ones.
const COLUMNS: usize = 16;

/// Time units per cycle in the waveforms of `yosys-smtbmc`.
const STEP: u64 = 10;

/// Values of signals over time, as hexadecimal digits.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Trace {
    signals: BTreeMap<String, BTreeMap<u64, String>>,
}

impl Trace {
    /// Parses the tables that Yosys' `sat` prints (time, name, and the value in three bases). Keeps
    /// the signals of the top module and the `named` ones.
    pub fn from_sat(log: &str, named: &[String]) -> Self {
        let mut trace = Self::default();
        for line in log.lines() {
            let words: Vec<_> = line.split_whitespace().collect();
            let [time, name, .., bits] = words[..] else {
                continue;
            };
            let Some(name) = name.strip_prefix('\\') else {
                continue;
            };
            let time = if time == "init" { Ok(0) } else { time.parse() };
            if let Ok(time) = time
                && bits.chars().all(|bit| "01x".contains(bit))
                && is_wanted(name, named)
            {
                trace.set(name, time, bits);
            }
        }
        trace
    }

    /// Parses a waveform of `yosys-smtbmc`. Keeps the signals of the top module and the `named`
    /// ones.
    pub fn from_vcd(text: &str, named: &[String]) -> Self {
        let mut names: HashMap<&str, String> = HashMap::new();
        let mut scopes: Vec<&str> = Vec::new();
        let mut now: BTreeMap<String, String> = BTreeMap::new();
        let mut trace = Self::default();
        let mut time = 0;
        for line in text.lines() {
            let words: Vec<_> = line.split_whitespace().collect();
            match words[..] {
                ["$scope", _, name, ..] => scopes.push(name),
                ["$upscope", ..] => {
                    scopes.pop();
                }
                ["$var", _, _, id, name, ..] => {
                    let path: Vec<_> = scopes.iter().skip(1).copied().chain([name]).collect();
                    let path = path.join(".");
                    if is_wanted(&path, named) && !name.starts_with("smt_") {
                        names.insert(id, path);
                    }
                }
                [word] if word.starts_with('#') => {
                    let next: u64 = word[1..].parse().unwrap_or(time);
                    // The values of a cycle are complete when the next time stamp follows.
                    if time % STEP == 0 {
                        trace.record(&now, time / STEP);
                    }
                    time = next;
                }
                [value, id] if value.starts_with('b') => {
                    if let Some(name) = names.get(id) {
                        now.insert(name.clone(), value[1..].into());
                    }
                }
                [bit] if bit.len() > 1 => {
                    let (value, id) = bit.split_at(1);
                    if let Some(name) = names.get(id) {
                        now.insert(name.clone(), value.into());
                    }
                }
                _ => {}
            }
        }
        trace
    }

    fn record(&mut self, values: &BTreeMap<String, String>, time: u64) {
        for (name, bits) in values {
            self.set(name, time, bits);
        }
    }

    fn set(&mut self, name: &str, time: u64, bits: &str) {
        let values = self.signals.entry(name.into()).or_default();
        values.insert(time, hexadecimal(bits));
    }

    /// Returns the cycles of the trace.
    pub fn clocks(&self) -> Vec<u64> {
        let mut times: Vec<_> = self
            .signals
            .values()
            .flat_map(|v| v.keys().copied())
            .collect();
        times.sort_unstable();
        times.dedup();
        times
    }

    /// Returns every signal with its value in each cycle, empty if unknown.
    pub fn rows(&self) -> impl Iterator<Item = (&str, Vec<&str>)> {
        let clocks = self.clocks();
        self.signals.iter().map(move |(name, values)| {
            let value = |time| values.get(time).map_or("", String::as_str);
            (name.as_str(), clocks.iter().map(value).collect())
        })
    }
}

impl fmt::Display for Trace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let clocks = self.clocks();
        let skipped = clocks.len().saturating_sub(COLUMNS);
        let name_width = self
            .signals
            .keys()
            .map(String::len)
            .max()
            .unwrap_or(0)
            .max(5);
        let heads: Vec<_> = clocks[skipped..].iter().map(u64::to_string).collect();
        let width = |column: usize, head: &String| {
            let cells = self
                .rows()
                .map(|(_, values)| values[skipped + column].len());
            cells.max().unwrap_or(0).max(head.len())
        };
        let widths: Vec<_> = heads.iter().enumerate().map(|(i, h)| width(i, h)).collect();
        let mut line = |name: &str, cells: &mut dyn Iterator<Item = &str>| {
            write!(f, "{name:name_width$}")?;
            for (cell, width) in cells.zip(&widths) {
                write!(f, "  {cell:>width$}")?;
            }
            writeln!(f)
        };
        line("clock", &mut heads.iter().map(String::as_str))?;
        for (name, values) in self.rows() {
            line(name, &mut values[skipped..].iter().copied())?;
        }
        Ok(())
    }
}

/// True if the signal is shown: it is named, or is in the top module and is not the clock.
fn is_wanted(signal: &str, named: &[String]) -> bool {
    named.iter().any(|name| name == signal) || signal != CLOCK && !signal.contains(['.', '$'])
}

/// Converts bits, highest first, to hexadecimal digits; a digit with an unknown bit is `x`.
fn hexadecimal(bits: &str) -> String {
    let bits: Vec<_> = bits.chars().rev().collect();
    let digit = |four: &[char]| {
        if four.contains(&'x') {
            return 'x';
        }
        let value = four
            .iter()
            .rev()
            .fold(0, |v, &bit| v << 1 | u32::from(bit == '1'));
        char::from_digit(value, 16).unwrap_or('x')
    };
    let digits: Vec<_> = bits.chunks(4).map(digit).collect();
    digits.into_iter().rev().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_of_sat_become_columns() {
        let log = "
  Time Signal Name   Dec  Hex       Bin
  ---- ----------- ----- ---- ---------
  init \\a.b            1    1         1
     1 \\code        293  125 100100101
     1 \\a.b           0    0         0
     2 \\code         --   --        1x
     2 \\c.d           1    1         1
  Number of solutions 3
";
        let text = Trace::from_sat(log, &["a.b".into()]).to_string();
        let expected = "clock  0    1  2\na.b    1    0   \ncode      125  x\n";
        assert_eq!(text, expected);
    }

    #[test]
    fn waveforms_are_read_at_their_steps() {
        let text = "\
$scope module proof $end
$var wire 1 n0 clock $end
$var wire 8 n1 data $end
$scope module dut $end
$var wire 2 n2 state $end
$var wire 2 n3 other $end
$upscope $end
$upscope $end
$var integer 32 t smt_step $end
$enddefinitions $end
#0
b00000000 t
b0 n0
b00000101 n1
b01 n2
b11 n3
#5
b1 n0
#10
b0 n0
b11110000 n1
#15
b1 n0
#20
";
        let trace = Trace::from_vcd(text, &["dut.state".into()]);
        let expected = "clock       0   1\ndata       05  f0\ndut.state   1   1\n";
        assert_eq!(trace.to_string(), expected);
    }

    #[test]
    fn of_a_long_trace_the_end_is_shown() {
        let mut trace = Trace::default();
        (0..100).for_each(|time| trace.set("a", time, "1"));
        let text = trace.to_string();
        assert!(text.starts_with("clock  84"), "{text}");
    }
}
