//! A design after synthesis: the netlist of a technology's cells, with the models of these cells
//! that come with Yosys.
//!
//! Block memories and multipliers have models of their own, as that library has none.
//!
//! The netlist is a [`Design`] with the ports of the one it was made of, so that whatever drives the
//! design drives the netlist. Registers power up to what the cells power up to: a value that the
//! synthesis lost would show, in Icarus as an unknown one.

mod cells;

use std::fmt;
use std::fs;
use std::path::Path;
use std::str::FromStr;

use duoforge_hdl::design::Design;
use duoforge_tools::{catalogue::YOSYS, run};

use crate::cache::{Cache, Key};
use crate::error::{Result, SimError};
use crate::simulator::{Backend, Options};

/// What the synthesis reads.
const SOURCE: &str = "design.v";
/// What it leaves: the netlist, and the cells' models between other lines.
const NETLIST: &str = "netlist.v";
const CELLS: &str = "cells.txt";

/// Read, not used, in the language that all simulators know, without what the netlist cannot have.
const MACROS: &str = "-defer -DNO_INCLUDES -DNO_ICE40_DEFAULT_ASSIGNMENTS";

/// A family of devices that Yosys synthesises for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Technology {
    /// Lattice ECP5.
    Ecp5,
    /// Lattice iCE40.
    Ice40,
}

impl Technology {
    /// Every one.
    pub const ALL: [Self; 2] = [Self::Ecp5, Self::Ice40];

    /// The name that [`FromStr`] takes, which is Yosys' too.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ecp5 => "ecp5",
            Self::Ice40 => "ice40",
        }
    }

    /// The same commands as for a bitstream. The netlist then gets short names bit by bit, without
    /// which Verilator and the compiler take minutes for it.
    fn script(self, top: &str) -> String {
        let name = self.name();
        format!(
            "read_verilog {SOURCE}; synth_{name} -top {top}; check -assert; splitnets; \
             rename -hide w:*; rename -hide c:*; write_verilog -noattr {NETLIST}; design -reset; \
             tee -q -o {CELLS} read_verilog {MACROS} -ppdump +/{name}/cells_sim.v"
        )
    }

    /// Cells of which Yosys' library has the ports only, with models of our own.
    const fn blocks(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Ecp5 => &[
                ("DP16KD", include_str!("ecp5/dp16kd.v")),
                ("MULT18X18D", include_str!("ecp5/mult18x18d.v")),
            ],
            Self::Ice40 => &[],
        }
    }

    /// The table of four inputs: the module's name, and another body for it.
    ///
    /// The technology's own is a tree of multiplexers, of which Verilator makes so much that the
    /// compiler does not come to an end within ten minutes.
    const fn table(self) -> (&'static str, &'static str) {
        match self {
            Self::Ecp5 => (
                "LUT4",
                "module LUT4(input A, B, C, D, output Z);\n  parameter [15:0] INIT = 16'h0000;\n  \
                 assign Z = INIT[{D, C, B, A}];\nendmodule\n",
            ),
            Self::Ice40 => (
                "SB_LUT4",
                "module SB_LUT4(output O, input I0, I1, I2, I3);\n  parameter [15:0] LUT_INIT = 0;\n  \
                 assign O = LUT_INIT[{I3, I2, I1, I0}];\nendmodule\n",
            ),
        }
    }
}

impl fmt::Display for Technology {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Technology {
    type Err = UnknownTechnology;

    fn from_str(text: &str) -> std::result::Result<Self, UnknownTechnology> {
        let named = Self::ALL.into_iter().find(|known| known.name() == text);
        named.ok_or_else(|| UnknownTechnology(text.to_owned()))
    }
}

/// A text that names no technology.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no technology: it is one of ecp5, ice40")]
pub struct UnknownTechnology(String);

/// The design after synthesis, with the models of the cells it uses, for a simulator.
///
/// Icarus gets the technology's own models of all cells. Verilator gets those too, but for the table
/// of four inputs, which is written in another way.
///
/// # Errors
/// [`SimError::Tool`] when Yosys is missing or refuses the design, [`SimError::BadDesign`] when the
/// netlist uses a cell that has no model, and [`SimError::Io`].
pub fn synthesised(
    design: &Design,
    technology: Technology,
    backend: Backend,
    options: &Options,
) -> Result<Design> {
    let (netlist, models) = synthesise(design, technology, options)?;
    let mut models = cells::models(&models);
    for (name, body) in technology.blocks() {
        models.insert((*name).into(), (*body).into());
    }
    if backend == Backend::Verilator {
        let (name, body) = technology.table();
        models.insert(name.into(), body.into());
    }
    let used = cells::used(&netlist, &models).map_err(|cell| SimError::BadDesign {
        top: design.top.clone(),
        reason: format!("there is no model of the cell {cell}"),
    })?;
    Ok(Design {
        top: design.top.clone(),
        verilog: [netlist, used].concat(),
        ports: design.ports.clone(),
    })
}

/// The netlist and the text that holds the cells' models, from the cache if they are there.
fn synthesise(
    design: &Design,
    technology: Technology,
    options: &Options,
) -> Result<(String, String)> {
    let place = YOSYS.place()?;
    let version = YOSYS.version_at(&place)?;
    let script = technology.script(&design.top);
    let program = place.program().display().to_string();
    let key = Key::of([design.verilog.as_str(), &script, &version, &program]);
    let cache = Cache::open(options.cache.as_deref())?;
    let entry = cache.get("netlist", key, |folder| {
        let source = folder.join(SOURCE);
        fs::write(&source, &design.verilog).map_err(SimError::io("writing", source))?;
        let mut command = YOSYS.command()?;
        command.args(["-q", "-p", &script]).current_dir(folder);
        Ok(run(&mut command).map(drop)?)
    })?;
    let read = |name: &str| -> Result<String> {
        let path: &Path = &entry.join(name);
        fs::read_to_string(path).map_err(SimError::io("reading", path))
    };
    Ok((read(NETLIST)?, read(CELLS)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn technologies_are_named() {
        for technology in Technology::ALL {
            assert_eq!(technology.to_string().parse(), Ok(technology));
        }
        let error = "intel".parse::<Technology>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "\"intel\" is no technology: it is one of ecp5, ice40"
        );
    }
}
