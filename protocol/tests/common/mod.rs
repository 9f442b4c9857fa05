//! Helpers shared by several tests.

use duoforge_arbitrary::Random;

/// Characters of the protocol, and some others.
const KEYS: &[u8] = b"0123459AaeuBX????\r\n \x00\xff";

/// Bytes as on a noisy line: a third of the sequences is noise, a third consists of the protocol's
/// characters, and a third consists of codes with parts cut out.
pub fn noise(rng: &mut Random) -> Vec<u8> {
    let len = rng.below(40);
    match rng.below(3) {
        0 => (0..len).map(|_| rng.bits() as u8).collect(),
        1 => (0..len).map(|_| KEYS[rng.below(KEYS.len())]).collect(),
        _ => {
            let codes: [&[u8]; 9] = [
                b"????",
                b"0",
                b"9",
                b"25",
                b"2A",
                b"3A53e0",
                b"35a8e0",
                b"40000\r\n",
                b"4 94j0",
            ];
            let mut bytes = Vec::new();
            while bytes.len() < len {
                let code = codes[rng.below(codes.len())];
                let from = if rng.below(4) == 0 {
                    rng.below(code.len())
                } else {
                    0
                };
                let to = if rng.below(4) == 0 {
                    rng.below(code.len() + 1)
                } else {
                    code.len()
                };
                bytes.extend(&code[from.min(to)..to]);
            }
            bytes
        }
    }
}
