//! Back end that interprets designs with Icarus Verilog.
//!
//! A generated test bench around the design reads the commands. The bench is compiled once per
//! design and cached. Icarus is slow, but it is independent of Verilator and tracks unknown bits:
//! reading a port with unknown bits is an error.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use duoforge_hdl::design::{Design, Dir, Port};

use crate::backend::Backend;
use crate::cache::{Cache, Key};
use crate::error::{Result, SimError};
use crate::harness::{instance, range};
use crate::port::Ports;
use crate::process::{ProcessSim, Wave};
use crate::simulator::Options;
use duoforge_tools::{
    catalogue::{IVERILOG, VVP},
    run,
};

const BENCH: &str = include_str!("bench.v");

/// Starts a model and builds it first if it is not in the cache.
///
/// # Errors
/// [`SimError::Tool`] if Icarus is missing or rejects the design, [`SimError::BadDesign`] and
/// [`SimError::Io`].
pub fn open(design: &Design, options: &Options) -> Result<ProcessSim> {
    let ports = Ports::of(design)?;
    let mut interpreter = Command::new(VVP.find()?);
    // Without `-n` an interrupted model stops at a prompt.
    interpreter.arg("-n").arg(build(design, options)?);
    ProcessSim::start(
        Backend::Icarus,
        &mut interpreter,
        ports,
        options,
        Wave::Available,
    )
}

/// Builds a model unless the cache holds it, and returns the file for `vvp`.
///
/// # Errors
/// As [`open`].
pub fn build(design: &Design, options: &Options) -> Result<PathBuf> {
    let ports = Ports::of(design)?;
    let compiler = IVERILOG.find()?;
    let version = run(Command::new(&compiler).arg("-V"))?;
    let identity = compiler.display().to_string();
    let bench = bench(design, &ports);
    let key = Key::of([version.as_str(), &identity, &design.verilog, &bench]);
    let cache = Cache::open(options.cache.as_deref())?;
    let entry = cache.get("icarus", key, |directory| {
        compile(&compiler, design, &bench, directory)
    })?;
    Ok(entry.join("model.vvp"))
}

fn compile(compiler: &Path, design: &Design, bench: &str, directory: &Path) -> Result<()> {
    for (name, text) in [("design.v", design.verilog.as_str()), ("bench.v", bench)] {
        let path = directory.join(name);
        fs::write(&path, text).map_err(SimError::io("writing", path))?;
    }
    let mut command = Command::new(compiler);
    command.args([
        "-g2005",
        "-s",
        "duoforge_bench",
        "-o",
        "model.vvp",
        "design.v",
        "bench.v",
    ]);
    Ok(run(command.current_dir(directory)).map(drop)?)
}

/// Returns the test bench of a design.
fn bench(design: &Design, ports: &Ports) -> String {
    let mut text = String::with_capacity(BENCH.len() * 2);
    for line in BENCH.lines() {
        match line.split_once("//@") {
            Some((before, name)) => text += &(before.to_owned() + &part(name, design, ports)),
            None => text += line,
        }
        text.push('\n');
    }
    text
}

/// Returns the text of one placeholder in the bench.
fn part(name: &str, design: &Design, ports: &Ports) -> String {
    match name {
        "COUNT" => ports.len().max(1).to_string(),
        "DECLARATIONS" => each(ports, |number, port| {
            let kind = if port.dir == Dir::In { "reg" } else { "wire" };
            format!("  {kind} {}p{number};", range(port))
        }),
        "INSTANCE" => instance(design, ports),
        // A concatenation starts with the highest bit.
        "BITS" if ports.len() == 0 => "    1'b0".into(),
        "BITS" => {
            let bit = |(number, port): (usize, &Port)| match port.width {
                1 => format!("    p{number}"),
                _ => "    1'b0".into(),
            };
            let mut bits: Vec<_> = ports.iter().enumerate().map(bit).collect();
            bits.reverse();
            bits.join(",\n")
        }
        "CHANGES" => each(ports, |number, _| {
            format!("  always @(p{number}) if (watched[{number}]) changed = 1'b1;")
        }),
        "GET" => each(ports, |number, _| {
            format!("      {number}: get = p{number};")
        }),
        "ZERO" => inputs(ports, |number| format!("    p{number} = 0;")),
        "POKE" => inputs(ports, |number| {
            format!("            {number}: p{number} = value;")
        }),
        // A line comment of the bench.
        other => format!("//@{other}"),
    }
}

fn each(ports: &Ports, line: impl Fn(usize, &Port) -> String) -> String {
    let lines: Vec<_> = ports
        .iter()
        .enumerate()
        .map(|(n, port)| line(n, port))
        .collect();
    lines.join("\n")
}

fn inputs(ports: &Ports, line: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for (number, port) in ports.iter().enumerate() {
        if port.dir == Dir::In {
            let _ = writeln!(text, "{}", line(number));
        }
    }
    text.truncate(text.trim_end().len());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_place_of_the_bench_is_filled() {
        let design = Design {
            top: "top".into(),
            verilog: String::new(),
            ports: vec![Port::input("a", 4), Port::output("b", 1)],
        };
        let text = bench(&design, &Ports::of(&design).unwrap());
        assert_eq!(
            text.matches("//@").count(),
            1,
            "only the explanation at the top is left"
        );
        for line in [
            "  reg [3:0] p0;",
            "  wire p1;",
            "    p1,\n    1'b0",
            "0: p0 = value;",
            "1: get = p1;",
        ] {
            assert!(text.contains(line), "{line}");
        }
        assert!(!text.contains("1: p1 = value;"), "outputs are not driven");
    }
}
