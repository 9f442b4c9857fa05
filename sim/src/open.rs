//! Opens a hardware block or a design in any simulator.

use duoforge_hdl::verilog::emit::STACK;
use duoforge_hdl::{
    design::Design,
    model::{BlockModel, Ported},
    verilog,
};

use crate::backend::Backend;
use crate::error::{Result, SimError};
use crate::simulator::{Options, Simulator};
use crate::substitute::substituted;
use crate::{RustSim, icarus, verilator};

/// Opens a block in a simulator, with `top` as the name of its top module.
///
/// # Errors
/// [`SimError::BadDesign`] if the block cannot be emitted, and errors of building and starting the
/// model: a missing tool or a failed command.
pub fn open<B: Ported + Send + 'static>(
    backend: Backend,
    mut block: B,
    top: &str,
    options: &Options,
) -> Result<Box<dyn Simulator>> {
    let design = emitted(&mut block, top)?;
    match backend {
        Backend::Rust => Ok(Box::new(RustSim::new(
            &design,
            Box::new(BlockModel::new(block)),
        )?)),
        Backend::Verilator | Backend::Icarus => {
            open_design(backend, &substituted(design)?, options)
        }
    }
}

/// Opens a block that is too large for the caller's stack; otherwise as [`open`].
///
/// # Errors
/// As [`open`].
pub fn open_large<B: Ported + Send + 'static>(
    backend: Backend,
    block: impl FnOnce() -> B + Send,
    top: &str,
    options: &Options,
) -> Result<Box<dyn Simulator>> {
    std::thread::scope(|scope| {
        let work = || open(backend, block(), top, options);
        let builder = std::thread::Builder::new().stack_size(STACK);
        let thread = builder.spawn_scoped(scope, work);
        let thread = thread.map_err(|source| SimError::Io {
            action: "cannot start a thread to build",
            path: top.into(),
            source,
        })?;
        thread
            .join()
            .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    })
}

/// Opens a design that exists only as Verilog.
///
/// # Errors
/// [`SimError::BadDesign`] from the Rust back end, which steps blocks and cannot simulate Verilog,
/// and errors of building and starting the model.
pub fn open_design(
    backend: Backend,
    design: &Design,
    options: &Options,
) -> Result<Box<dyn Simulator>> {
    match backend {
        Backend::Verilator => Ok(Box::new(verilator::open(design, options)?)),
        Backend::Icarus => Ok(Box::new(icarus::open(design, options)?)),
        Backend::Rust => Err(SimError::BadDesign {
            top: design.top.clone(),
            reason: "it is Verilog, which only Verilator and Icarus simulate".into(),
        }),
    }
}

/// Connects a block and emits it as Verilog.
pub(crate) fn emitted<B: Ported>(block: &mut B, top: &str) -> Result<Design> {
    block.connect_all();
    verilog::design(block, top).map_err(|error| SimError::BadDesign {
        top: top.into(),
        reason: error.to_string(),
    })
}
