//! Drives designs through one interface: emitted Verilog in Verilator and Icarus Verilog, and Rust
//! models in this process. All back ends give the same results.

mod backend;
mod cache;
pub mod campaign;
pub mod device;
mod error;
pub mod gates;
mod harness;
pub mod icarus;
pub mod impaired_device;
mod log;
mod model_protocol;
mod open;
mod pipes;
mod port;
mod process;
mod rust;
pub mod sdram;
pub mod search;
mod simulator;
pub mod substitute;
pub mod uart;
mod vcd;
pub mod verilator;
pub mod verilog_player;
pub mod waves;

pub use backend::{Backend, UnknownBackend};
pub use error::{Result, SimError};
pub use open::{open, open_design, open_large};
pub use port::{ListId, MAX_SAMPLE_LISTS, MAX_SAMPLE_PORTS, PortId};
pub use process::ProcessSim;
pub use rust::RustSim;
pub use simulator::{Event, Options, Run, Sample, Simulator};
