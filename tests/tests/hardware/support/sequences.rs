//! Random sequences of a misbehaving host.

use duoforge_rules::{Code, Rotation, Tile};
use duoforge_twin::Rng;

/// Event on the line.
#[derive(Clone, Copy, Debug)]
pub enum Item {
    /// Byte.
    Byte(u8),
    /// Complete code.
    Bytes([u8; 5]),
    /// Byte with a framing error.
    BadFrame(u8),
    /// Silence longer than the inter-byte timeout.
    Silence,
    /// Silence in cycles, shorter than the inter-byte timeout.
    Pause(u32),
    /// Prompt with a legal move of the opponent, selected by this number.
    Opponent(u32),
}

/// Letters of codes, and ignored characters.
const LETTERS: &[u8] = b"001122333444555AA99abceu7???? \r\n";

/// Returns a few bytes: whole codes, truncated ones, mutilated ones, the letters of codes in any
/// order, or arbitrary bytes, sometimes with interruptions. Occasionally returns the beginning of a
/// game.
pub fn sequence(rng: &mut Rng) -> Vec<Item> {
    let mut items: Vec<Item> = match rng.below(20) {
        0..7 => truncated(rng),
        7..11 => mutilated(rng),
        11..15 => any_of(rng, LETTERS),
        15..19 => any_of(rng, &std::array::from_fn::<u8, 256, _>(|byte| byte as u8)),
        _ => return game(rng),
    }
    .into_iter()
    .map(Item::Byte)
    .collect();
    if rng.below(4) == 0 {
        let interruption = match rng.below(4) {
            0 => Item::BadFrame(rng.next_u32() as u8),
            1 => Item::Silence,
            _ => Item::Pause(rng.below(60)),
        };
        items.insert(rng.below(items.len() as u32 + 1) as usize, interruption);
    }
    items
}

/// Returns a code; its move suits a first turn or is random.
fn code(rng: &mut Rng) -> Vec<u8> {
    const FIRST: [&[u8; 4]; 4] = [b"53e0", b"a8e0", b"0000", b"55u0"];
    let letters = match rng.below(2) {
        0 => *FIRST[rng.below(4) as usize],
        _ => {
            let code = Code {
                x: rng.below(14) as u8,
                y: rng.below(14) as u8,
                tile: Tile::ALL[rng.below(21) as usize],
                rotation: Rotation::ALL[rng.below(8) as usize],
            };
            code.to_bytes()
        }
    };
    match rng.below(9) {
        0 => b"0".to_vec(),
        1 => b"25".to_vec(),
        2 => b"2A".to_vec(),
        3 => [b"35", &letters[..]].concat(),
        4 => [b"3A", &letters[..]].concat(),
        5 => b"9".to_vec(),
        6 => b"????".to_vec(),
        _ => [b"4", &letters[..]].concat(),
    }
}

/// Returns a truncated code, or sometimes a whole one.
fn truncated(rng: &mut Rng) -> Vec<u8> {
    let mut code = code(rng);
    if rng.below(6) > 0 {
        code.truncate(rng.below(code.len() as u32) as usize);
    }
    code
}

/// Returns a code with one byte inserted, removed or changed.
fn mutilated(rng: &mut Rng) -> Vec<u8> {
    let mut code = code(rng);
    let at = rng.below(code.len() as u32) as usize;
    match rng.below(4) {
        0 => code.insert(at, LETTERS[rng.below(LETTERS.len() as u32) as usize]),
        1 => drop(code.remove(at)),
        2 => code[at] ^= 0x20,
        _ => code[at] = rng.next_u32() as u8,
    }
    code
}

fn any_of(rng: &mut Rng, letters: &[u8]) -> Vec<u8> {
    let count = 1 + rng.below(7);
    (0..count)
        .map(|_| letters[rng.below(letters.len() as u32) as usize])
        .collect()
}

fn game(rng: &mut Rng) -> Vec<Item> {
    let letter = [b'5', b'A'][rng.below(2) as usize];
    let mut items = vec![Item::Byte(b'2'), Item::Byte(letter)];
    for _ in 0..rng.below(3) {
        items.push(Item::Opponent(rng.next_u32()));
    }
    items
}
