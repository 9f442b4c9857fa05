//! Tests of the whole player on its serial line.

mod abuse;
mod bytes;
mod contest;
mod deadline;
mod flags;
mod gates;
mod impatient;
mod lockstep;
mod opponents;
mod orders;
mod reset;
mod superseded;

use duoforge_hdl::parameters::PlayerParameters;
use duoforge_protocol::BuildId;
use duoforge_sim::campaign::{Campaign, Checked};
use duoforge_sim::device::SimDevice;
use duoforge_sim::{Backend, Options};

/// Cycles of silence after which these devices drop a partial code.
const TIMEOUT: u32 = 100;

/// Returns the parameters of a player with a fast line and a short inter-byte timeout, so that few
/// cycles are spent on transmission. All tests share them and therefore one compiled model.
fn parameters() -> PlayerParameters {
    PlayerParameters {
        inter_byte_timeout_cycles: TIMEOUT,
        build: BuildId(0x0f1e_2d3c),
        ..Campaign::new(Backend::Verilator, 0, 0).parameters
    }
}

fn open(backend: Backend, parameters: &PlayerParameters) -> SimDevice {
    SimDevice::open(backend, parameters, &Options::default()).expect("the model can be built")
}

/// Fails if the device differs from its twin.
fn equal(checked: &Checked) {
    if let Some(mismatch) = &checked.mismatch {
        panic!("{mismatch}");
    }
}
