//! Gate level: the netlist of a design after synthesis, with the cell models that come with Yosys.
//!
//! Yosys has no models of block memories and multipliers, so this crate supplies them.
//!
//! The netlist is a [`Design`] with the ports of its source, so that the same stimuli drive both.
//! Registers power up to the values of the cells. A power-up value that synthesis lost is visible:
//! in Icarus as an unknown value.

mod cells;

use std::fmt;
use std::fs;
use std::path::Path;
use std::str::FromStr;

use duoforge_hdl::design::Design;
use duoforge_tools::{catalogue::YOSYS, run};

use crate::backend::Backend;
use crate::cache::{Cache, Key};
use crate::error::{Result, SimError};
use crate::simulator::Options;

/// Input file of the synthesis.
const SOURCE: &str = "design.v";
/// Output files of the synthesis: the netlist, and a log that contains the cell models.
const NETLIST: &str = "netlist.v";
const CELLS: &str = "cells.txt";

/// Options for the cell library: read without elaboration, in the language that all simulators
/// accept, and without definitions that the netlist cannot contain.
const MACROS: &str = "-defer -DNO_INCLUDES -DNO_ICE40_DEFAULT_ASSIGNMENTS";

/// Device family that Yosys synthesises for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Technology {
    /// Lattice ECP5.
    Ecp5,
    /// Lattice iCE40.
    Ice40,
}

impl Technology {
    /// All technologies.
    pub const ALL: [Self; 2] = [Self::Ecp5, Self::Ice40];

    /// Returns the name that [`FromStr`] accepts, which is also Yosys' name.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ecp5 => "ecp5",
            Self::Ice40 => "ice40",
        }
    }

    /// Returns the synthesis script, with the same commands as for a bitstream. The netlist then
    /// gets short names bit by bit; without them Verilator and the compiler need minutes for it.
    fn script(self, top: &str) -> String {
        let name = self.name();
        format!(
            "read_verilog {SOURCE}; synth_{name} -top {top}; check -assert; splitnets; \
             rename -hide w:*; rename -hide c:*; write_verilog -noattr {NETLIST}; design -reset; \
             tee -q -o {CELLS} read_verilog {MACROS} -ppdump +/{name}/cells_sim.v"
        )
    }

    /// Returns this crate's models of the cells whose ports alone are in Yosys' library.
    const fn blocks(self) -> &'static [(&'static str, &'static str)] {
        match self {
            Self::Ecp5 => &[
                ("DP16KD", include_str!("ecp5/dp16kd.v")),
                ("MULT18X18D", include_str!("ecp5/mult18x18d.v")),
            ],
            Self::Ice40 => &[],
        }
    }

    /// Returns the module name of the four-input LUT and a replacement body.
    ///
    /// The technology's own model is a tree of multiplexers. Verilator expands the tree so far that
    /// the compiler does not finish within ten minutes.
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

/// Error: a text that is not the name of a technology.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is no technology: it is one of ecp5, ice40")]
pub struct UnknownTechnology(String);

/// Synthesises a design and returns the netlist with the models of its cells.
///
/// Icarus gets the technology's own models of all cells. Verilator gets the same models except for
/// the four-input LUT, which has a replacement body.
///
/// # Errors
/// [`SimError::Tool`] if Yosys is missing or rejects the design, [`SimError::BadDesign`] if the
/// netlist uses a cell without a model, and [`SimError::Io`].
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

/// Returns the netlist and the text that contains the cell models, from the cache if possible.
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
    let entry = cache.get("netlist", key, |directory| {
        let source = directory.join(SOURCE);
        fs::write(&source, &design.verilog).map_err(SimError::io("writing", source))?;
        let mut command = YOSYS.command()?;
        command.args(["-q", "-p", &script]).current_dir(directory);
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
