//! Tests of the encoder: every placement, and the round trip through the decoder.

use duoforge_hdl::line::decoder::Decoder;
use duoforge_hdl::line::encoder::{Encoder, twin};
use duoforge_rules::Orientation;
use duoforge_sim::{Backend, Options, open};

use crate::support::{bench::Bench, games::placements, in_every_simulator};

in_every_simulator!(bench; verilator 1, icarus 5, rust 5);

mod and_back {
    use super::{in_every_simulator, round_trip};

    in_every_simulator!(round_trip; verilator 1, icarus 17, rust 17);
}

mod anything {
    use super::{anything, in_every_simulator};

    in_every_simulator!(anything; verilator 1, icarus 61, rust 61);
}

/// Bytes of columns and rows; there is none off the board.
const COORDINATES: &[u8; 14] = b"123456789abcde";

/// Tests one of `step` inputs, including those off the board. A centre off the board has 0 as its
/// byte, so that no code results. A number that is not an orientation becomes the first tile,
/// unrotated.
fn anything(backend: Backend, step: usize) {
    let mut dut = Bench::open(backend, Encoder::default(), "encoder");
    let inputs = ["orientation", "x", "y"].map(|name| dut.input(name));
    let [code, tile] = ["code", "tile"].map(|name| dut.output(name));
    for number in (0..1 << 15).step_by(step) {
        let [index, x, y] = [number & 127, number >> 7 & 15, number >> 11];
        // At the upper left corner, where every orientation fits.
        let orientation = Orientation::from_index(index);
        let corner = orientation.map_or(*b"11a0", |_| twin(index as u8, 0, 0));
        let coordinate = |byte: u8, at: usize| {
            let back = COORDINATES.iter().position(|&it| it == byte);
            let centre = (at + back.expect("a coordinate")) % 16;
            COORDINATES.get(centre).copied().unwrap_or(0)
        };
        let letters = [
            coordinate(corner[0], x),
            coordinate(corner[1], y),
            corner[2],
            corner[3],
        ];
        for (port, value) in inputs.into_iter().zip([index, x, y]) {
            dut.drive(port, value as u64);
        }
        dut.expect(code, u32::from_le_bytes(letters).into());
        dut.expect(tile, orientation.map_or(0, |it| it.tile().index()) as u64);
        dut.clock();
    }
    assert_eq!(dut.finish(), 2 * (1_u64 << 15).div_ceil(step as u64));
}

/// Encodes one of `step` placements.
fn bench(backend: Backend, step: usize) {
    let mut dut = Bench::open(backend, Encoder::default(), "encoder");
    let [orientation, x, y] = ["orientation", "x", "y"].map(|name| dut.input(name));
    let [code, tile] = ["code", "tile"].map(|name| dut.output(name));
    assert_eq!(placements().len(), 13_729);
    for placement in placements().into_iter().step_by(step) {
        let index = placement.orientation.index() as u8;
        dut.drive(orientation, index.into());
        dut.drive(x, placement.x.into());
        dut.drive(y, placement.y.into());
        let letters = twin(index, placement.x, placement.y);
        dut.expect(code, u32::from_le_bytes(letters).into());
        dut.expect(tile, placement.tile().index() as u64);
        dut.clock();
    }
    dut.finish();
}

/// The decoder restores each encoded placement.
fn round_trip(backend: Backend, step: usize) {
    let options = Options::default();
    let mut encoder = open(backend, Encoder::default(), "encoder", &options).expect("it builds");
    let mut decoder = open(backend, Decoder::default(), "decoder", &options).expect("it builds");
    let ports = ["orientation", "x", "y"];
    let inputs = ports.map(|name| encoder.port(name).expect("a port"));
    let letters = encoder.port("code").expect("a port");
    let code = decoder.port("code").expect("a port");
    let valid = decoder.port("valid").expect("a port");
    let outputs = ports.map(|name| decoder.port(name).expect("a port"));
    encoder.watch(letters).expect("it runs");
    decoder.sample(valid, &outputs).expect("a list");

    let placements: Vec<_> = placements().into_iter().step_by(step).collect();
    let values: Vec<[u64; 3]> = placements
        .iter()
        .map(|p| [p.orientation.index() as u64, p.x.into(), p.y.into()])
        .collect();
    for values in &values {
        for (port, value) in inputs.into_iter().zip(*values) {
            encoder.poke(port, value).expect("the value fits");
        }
        encoder.step(1).expect("it runs");
    }
    // Each placement has a distinct code, so each code is a change.
    let codes = encoder.events().expect("it runs");
    assert_eq!(codes.len(), values.len());
    for event in codes {
        decoder.poke(code, event.value).expect("the value fits");
        decoder.step(1).expect("it runs");
    }
    let decoded = decoder.samples().expect("it runs");
    let decoded: Vec<_> = decoded.iter().map(|sample| &sample.values[..]).collect();
    let expected: Vec<_> = values.iter().map(|values| &values[..]).collect();
    assert_eq!(decoded, expected);
}
