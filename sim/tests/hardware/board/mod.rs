//! The whole board on its serial line.

mod abuse;
mod bytes;
mod contest;
mod flags;
mod gates;
mod guard;
mod impatient;
mod lockstep;
mod orders;
mod overtaken;
mod reset;
mod rivals;

use duoforge_hdl::player::Parameters;
use duoforge_protocol::BuildId;
use duoforge_sim::board::SimBoard;
use duoforge_sim::campaign::{Campaign, Checked};
use duoforge_sim::{Backend, Options};

/// Clocks of silence after which these boards forget an unfinished code.
const GAP: u32 = 100;

/// A board whose line is as fast as it can be and that forgets an unfinished code soon, so that the
/// time goes into what is tested. All tests share it, and with it its compiled model.
fn parameters() -> Parameters {
    Parameters {
        gap: GAP,
        build: BuildId(0x0f1e_2d3c),
        ..Campaign::new(Backend::Verilator, 0, 0).parameters
    }
}

fn open(backend: Backend, parameters: &Parameters) -> SimBoard {
    SimBoard::open(backend, parameters, &Options::default()).expect("the model can be built")
}

/// Fails if the board did something else than its twin.
fn equal(checked: &Checked) {
    if let Some(mismatch) = &checked.mismatch {
        panic!("{mismatch}");
    }
}
