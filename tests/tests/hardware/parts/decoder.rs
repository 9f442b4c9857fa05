//! Tests of the decoder: every code, and words that are not codes.

use duoforge_hdl::line::decoder::{Decoder, twin};
use duoforge_rules::{Code, Rotation, Tile};
use duoforge_sim::{Backend, PortId};
use duoforge_twin::Rng;

use crate::support::{bench::Bench, in_every_simulator};

in_every_simulator!(bench; verilator 40_000, icarus 2000, rust 2000);

/// Decodes all 168 tile codes at all 14x14 centres, and `words` words of each other kind.
fn bench(backend: Backend, words: u32) {
    let mut dut = Bench::open(backend, Decoder::default(), "decoder");
    let code = dut.input("code");
    let outputs = ["pass", "valid", "orientation", "x", "y"].map(|name| dut.output(name));
    let mut valid = 0;
    for word in every_code() {
        valid += u32::from(decode(&mut dut, code, outputs, word));
    }
    assert_eq!(valid, placed_codes(), "codes whose anchor is on the board");
    let mut rng = Rng::new(3);
    decode(&mut dut, code, outputs, *b"0000");
    for _ in 0..words {
        let word = rng.next_u32().to_le_bytes();
        decode(&mut dut, code, outputs, word);
        decode(&mut dut, code, outputs, near_miss(&mut rng));
    }
    dut.finish();
}

/// Returns every combination of tile, rotation and centre.
fn every_code() -> impl Iterator<Item = [u8; 4]> {
    let centres = || (0..14).flat_map(|y| (0..14).map(move |x| (x, y)));
    Tile::ALL.into_iter().flat_map(move |tile| {
        Rotation::ALL.into_iter().flat_map(move |rotation| {
            centres().map(move |(x, y)| {
                let code = Code {
                    x,
                    y,
                    tile,
                    rotation,
                };
                code.to_bytes()
            })
        })
    })
}

/// Returns the number of codes that do not cross the left or upper edge, from the tiles' base
/// cells.
fn placed_codes() -> u32 {
    let turned = |rotation: usize, (dx, dy): (i8, i8)| match rotation {
        0 => (dx, dy),
        1 => (-dx, dy),
        2 => (-dy, dx),
        3 => (dy, dx),
        4 => (-dx, -dy),
        5 => (dx, -dy),
        6 => (dy, -dx),
        _ => (-dy, -dx),
    };
    let mut count = 0;
    for tile in Tile::ALL {
        for rotation in 0..8 {
            let cells = || {
                let cells = tile.base_cells().iter();
                cells.map(move |&cell| turned(rotation, cell))
            };
            let left = cells().map(|(dx, _)| -dx).max().unwrap_or(0);
            let above = cells().map(|(_, dy)| -dy).max().unwrap_or(0);
            count += (14 - left as u32) * (14 - above as u32);
        }
    }
    count
}

/// Returns a code with one wrong byte or bit, or one that crosses an edge.
fn near_miss(rng: &mut Rng) -> [u8; 4] {
    let pick = |rng: &mut Rng, letters: &[u8]| letters[rng.below(letters.len() as u32) as usize];
    let mut word = [
        pick(rng, b"0123456789abcdefABE"),
        pick(rng, b"0123456789abcdefABE"),
        pick(rng, b"`abcdefghijklmnopqrstuvAU"),
        pick(rng, b"/0123456789"),
    ];
    let byte = &mut word[rng.below(4) as usize];
    match rng.below(3) {
        0 => *byte = rng.next_u32() as u8,
        1 => *byte ^= 1 << rng.below(8),
        _ => {}
    }
    word
}

/// Decodes a word. Returns true if the word names a placement.
fn decode(dut: &mut Bench, code: PortId, outputs: [PortId; 5], word: [u8; 4]) -> bool {
    let [pass, valid, orientation, x, y] = outputs;
    let expected = twin(word);
    dut.drive(code, u32::from_le_bytes(word).into());
    dut.expect(pass, (word == *b"0000").into());
    dut.expect(valid, expected.is_some().into());
    if let Some((o, column, row)) = expected {
        dut.expect(orientation, o.into());
        dut.expect(x, column.into());
        dut.expect(y, row.into());
    }
    dut.clock();
    expected.is_some()
}
