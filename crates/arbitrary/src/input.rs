//! Generator of a single input.

use crate::Random;

/// Returns an input: arbitrary bytes, arbitrary pieces, or a mutated real input.
pub fn input(random: &mut Random, pieces: &[&str], real: &[&[u8]]) -> Vec<u8> {
    match random.below(8) {
        0 => {
            let len = random.below(80);
            (0..len).map(|_| random.bits() as u8).collect()
        }
        1 | 2 => {
            let len = random.below(40);
            let pieces = (0..len).map(|_| random.pick(pieces));
            pieces.collect::<String>().into_bytes()
        }
        _ => {
            let mut bytes = random.pick(real).to_vec();
            let mut changes = 1;
            while random.below(3) == 0 {
                changes += 1;
            }
            for _ in 0..changes {
                if random.below(2) == 0 {
                    change_lines(random, &mut bytes);
                } else {
                    change(random, &mut bytes, pieces);
                }
            }
            bytes
        }
    }
}

/// Changes the order and number of lines, such as moves, games or keys, but not their contents.
fn change_lines(random: &mut Random, bytes: &mut Vec<u8>) {
    let mut lines: Vec<Vec<u8>> = bytes
        .split_inclusive(|&byte| byte == b'\n')
        .map(<[u8]>::to_vec)
        .collect();
    let [one, other] = [(); 2].map(|()| random.below(lines.len()));
    if lines.is_empty() {
        return;
    }
    match random.below(4) {
        0 => lines.swap(one, other),
        1 => drop(lines.remove(one)),
        2 => lines.insert(one, lines[other].clone()),
        _ => lines.truncate(one),
    }
    *bytes = lines.concat();
}

/// Changes bytes anywhere.
fn change(random: &mut Random, bytes: &mut Vec<u8>, pieces: &[&str]) {
    let at = random.below(bytes.len() + 1);
    let end = (at + random.below(12)).min(bytes.len());
    match random.below(6) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..end)),
        2 => {
            let piece = random.pick(pieces).bytes();
            drop(bytes.splice(at..at, piece));
        }
        3 => {
            let copied = bytes[at..end].to_vec();
            let to = random.below(bytes.len() + 1);
            drop(bytes.splice(to..to, copied));
        }
        _ => {
            if let Some(byte) = bytes.get_mut(at) {
                *byte = match random.below(3) {
                    0 => random.bits() as u8,
                    1 => *byte ^ (1 << random.below(8)),
                    _ => random.pick(pieces).bytes().next().unwrap_or(0),
                };
            }
        }
    }
}
