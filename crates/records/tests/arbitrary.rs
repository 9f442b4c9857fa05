//! Parsers and whatever comes: no panic, no hang, no more room than the input asks for.
//!
//! Input `n` of a run follows from its seed and `n` alone. The test command tries some thousand; the long
//! form takes the number from the environment:
//!
//!     DUOFORGE_INPUTS=10000000 cargo test --release -p duoforge-records --test arbitrary -- --nocapture

use std::panic::{self, AssertUnwindSafe};
use std::time::{Duration, Instant};

use duoforge_records::{Format, Record, read_blksgf, read_list, text, write_blksgf, write_list};

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}

/// What formats are made of.
const PIECES: [&str; 30] = [
    "(",
    ")",
    ";",
    "[",
    "]",
    "\\",
    "\\]",
    "GM[Blokus Duo]",
    "GM[Blokus]",
    "GM[1]",
    "B[e10]",
    "W[j5]",
    ";B[]",
    "AB[a1]",
    "1[a20]",
    "PASSES[9999999]",
    "V[1e309]",
    "V[-3.5]",
    "C[ü\\\n]",
    "\u{feff}",
    "\r\n",
    "\n",
    " ",
    "#",
    "53e0",
    "a8e0",
    "0000",
    "11u0",
    "PB[]",
    ",e10",
];

/// An input: arbitrary bytes, arbitrary pieces, or a real file that was changed in some places.
fn input(random: &mut Random, real: &[&[u8]]) -> Vec<u8> {
    match random.below(8) {
        0 => {
            let len = random.below(80);
            (0..len).map(|_| random.next() as u8).collect()
        }
        1 | 2 => {
            let len = random.below(40);
            let pieces = (0..len).map(|_| random.pick(&PIECES[..]));
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
                    change(random, &mut bytes);
                }
            }
            bytes
        }
    }
}

/// Changes that leave lines, which are moves or games, as they are.
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
        _ => {
            lines.truncate(one);
            lines.push(b")".to_vec());
        }
    }
    *bytes = lines.concat();
}

fn change(random: &mut Random, bytes: &mut Vec<u8>) {
    let at = random.below(bytes.len() + 1);
    let end = (at + random.below(12)).min(bytes.len());
    match random.below(6) {
        0 => bytes.truncate(at),
        1 => drop(bytes.drain(at..end)),
        2 => {
            let piece = random.pick(&PIECES[..]).bytes();
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
                    0 => random.next() as u8,
                    1 => *byte ^ (1 << random.below(8)),
                    _ => random.pick(&PIECES[..]).as_bytes()[0],
                };
            }
        }
    }
}

/// Reads inputs; what was read says how much there was of it.
fn try_all(name: &str, seed: u64, real: &[&[u8]], read: impl Fn(&str) -> Option<usize>) {
    let number = std::env::var("DUOFORGE_INPUTS").ok();
    let number: u64 = number.map_or(20_000, |number| number.parse().expect("a number"));
    let (begin, mut slowest, mut good) = (Instant::now(), Duration::ZERO, 0_u64);
    for n in 0..number {
        let mut random = Random(seed ^ n.wrapping_mul(0xd134_2543_de82_ef95));
        let bytes = input(&mut random, real);
        let start = Instant::now();
        let found = panic::catch_unwind(AssertUnwindSafe(|| text(&bytes).ok().and_then(&read)));
        slowest = slowest.max(start.elapsed());
        let found = found.unwrap_or_else(|_| panic!("input {n}: {}", bytes.escape_ascii()));
        good += u64::from(found.is_some());
        // A move takes at least a byte in either format; what follows it are a few passes.
        let most = 2 * bytes.len() + 4;
        assert!(
            found <= Some(most),
            "input {n} grows: {}",
            bytes.escape_ascii()
        );
    }
    println!(
        "{name}: {number} inputs, {good} of them read, {:.0?}, slowest {slowest:.0?}",
        begin.elapsed()
    );
    assert!(good > 0 && good < number, "both must come up");
}

const REAL: [&[u8]; 3] = [
    include_bytes!("data/pentobi_duo.blksgf"),
    include_bytes!("data/pentobi_duo_w_first.blksgf"),
    include_bytes!("data/pentobi_classic.blksgf"),
];

#[test]
fn whatever_comes_as_blksgf_is_read_or_refused() {
    try_all("blksgf", 1, &REAL, |text| {
        let games = match read_blksgf(text) {
            Ok(games) => games,
            Err(error) => {
                let place = error.place;
                // The place lies in the text, and can be shown.
                assert!(text.get(place.offset..place.offset + place.len).is_some());
                assert!(!error.to_string().is_empty());
                return None;
            }
        };
        let records: Vec<Record> = games.into_iter().map(|game| game.record).collect();
        if let Ok(written) = write_blksgf(&records) {
            let again = read_blksgf(&written).expect("what was written can be read");
            assert!(again.iter().map(|game| &game.record).eq(&records));
        }
        Some(records.iter().map(|record| record.plies.len()).sum())
    });
}

#[test]
fn whatever_comes_as_a_list_is_read_or_refused() {
    let lists: Vec<String> = REAL
        .iter()
        .map(|file| {
            let file = text(file).expect("a text");
            let games = read_blksgf(file).expect("a blksgf");
            let records: Vec<_> = games.into_iter().map(|game| game.record).collect();
            write_list(&records)
        })
        .collect();
    let lists: Vec<&[u8]> = lists.iter().map(|list| list.as_bytes()).collect();
    try_all("list", 2, &lists, |text| {
        let games = read_list(text).ok()?;
        let moves = games.iter().map(|game| game.codes.len()).sum();
        assert_eq!(Format::of(text), Format::List);
        Some(moves)
    });
}
