//! What several tests need.

/// SplitMix64: enough chance for tests, and the same on every machine.
pub struct Rng(u64);

impl Rng {
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    pub fn pick(&mut self, bytes: &[u8]) -> u8 {
        bytes[self.below(bytes.len())]
    }
}

/// Bytes as a bad line may bring them: a third of the sequences is pure noise, a third is made
/// of the protocol's own characters, and a third is whole codes with pieces cut out.
pub fn noise(rng: &mut Rng) -> Vec<u8> {
    let len = rng.below(40);
    match rng.below(3) {
        0 => (0..len).map(|_| rng.next() as u8).collect(),
        1 => (0..len)
            .map(|_| rng.pick(b"0123459AaeuBX????\r\n \x00\xff"))
            .collect(),
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
