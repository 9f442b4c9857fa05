//! Opens a hardware block in any simulator.

use duoforge_hdl::{
    model::{BlockModel, Ported},
    verilog,
};

use crate::error::{Result, SimError};
use crate::simulator::{Backend, Options, Simulator};
use crate::substitute::substituted;
use crate::{RustSim, icarus, verilator};

/// Opens a block under the name `top` in a simulator.
///
/// # Errors
/// [`SimError::BadDesign`] when the block cannot be emitted, and those of building and starting the
/// model: a missing tool, a failed command.
pub fn open<B: Ported + Send + 'static>(
    backend: Backend,
    mut block: B,
    top: &str,
    options: &Options,
) -> Result<Box<dyn Simulator>> {
    block.connect_all();
    let design = verilog::design(&block, top).map_err(|error| SimError::BadDesign {
        top: top.into(),
        reason: error.to_string(),
    })?;
    Ok(match backend {
        Backend::Verilator => Box::new(verilator::open(&substituted(design)?, options)?),
        Backend::Icarus => Box::new(icarus::open(&substituted(design)?, options)?),
        Backend::Rust => Box::new(RustSim::new(&design, Box::new(BlockModel::new(block)))?),
    })
}
