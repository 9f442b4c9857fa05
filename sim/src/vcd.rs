//! Waveforms of a design's ports in the VCD format of IEEE 1364.

use std::io::{self, Write};

use duoforge_hdl::design::{CLOCK, Port};

/// VCD writer that records port values once per cycle and stores only changes.
pub(crate) struct PortWave<W: Write> {
    output: W,
    ports: Vec<Trace>,
}

struct Trace {
    id: String,
    width: usize,
    last: Option<u64>,
}

/// VCD identifier of the clock; identifiers of ports start with a letter.
const CLOCK_ID: char = '!';

impl<W: Write> PortWave<W> {
    /// Writes the VCD header.
    pub(crate) fn start<'a>(
        mut output: W,
        ports: impl Iterator<Item = &'a Port>,
    ) -> io::Result<Self> {
        writeln!(output, "$timescale 1 ns $end\n$scope module dut $end")?;
        writeln!(output, "$var wire 1 {CLOCK_ID} {CLOCK} $end")?;
        let mut traces = Vec::new();
        for port in ports {
            let trace = Trace {
                id: format!("p{}", traces.len()),
                width: port.width as usize,
                last: None,
            };
            writeln!(
                output,
                "$var wire {} {} {} $end",
                trace.width, trace.id, port.name
            )?;
            traces.push(trace);
        }
        writeln!(output, "$upscope $end\n$enddefinitions $end")?;
        Ok(Self {
            output,
            ports: traces,
        })
    }

    /// Writes the values sampled at rising edge number `clock`. Edge numbers must increase.
    pub(crate) fn record(&mut self, clock: u64, values: &[u64]) -> io::Result<()> {
        writeln!(self.output, "#{}\n0{CLOCK_ID}", 10 * clock)?;
        for (Trace { id, width, last }, &value) in self.ports.iter_mut().zip(values) {
            if last.replace(value) == Some(value) {
                continue;
            }
            match *width {
                1 => writeln!(self.output, "{value}{id}")?,
                width => writeln!(self.output, "b{value:0width$b} {id}")?,
            }
        }
        Ok(())
    }

    /// Writes the rising clock edge that follows the last record.
    pub(crate) fn rise(&mut self, clock: u64) -> io::Result<()> {
        writeln!(self.output, "#{}\n1{CLOCK_ID}", 10 * clock + 5)
    }

    /// Flushes buffered output.
    pub(crate) fn finish(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_changes_are_written() {
        let ports = [Port::input("a", 1), Port::output("b", 4)];
        let mut text = Vec::new();
        let mut wave = PortWave::start(&mut text, ports.iter()).unwrap();
        wave.record(0, &[1, 5]).unwrap();
        wave.rise(0).unwrap();
        wave.record(1, &[1, 6]).unwrap();
        wave.finish().unwrap();
        let text = String::from_utf8(text).unwrap();
        let (head, body) = text.split_once("$enddefinitions $end\n").unwrap();
        assert!(head.contains("$var wire 4 p1 b $end"), "{head}");
        assert_eq!(body, "#0\n0!\n1p0\nb0101 p1\n#5\n1!\n#10\n0!\nb0110 p1\n");
    }
}
