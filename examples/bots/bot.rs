//! Starter bot for duoforge in Rust, without crates.
//!
//!     rustc -O -o bot examples/bots/bot.rs && duoforge match bot:./bot pattern
//!
//! It places the largest tile that fits, as near to the centre as possible. Put your own ideas into
//! `value`. docs/bots.md describes the protocol.

use std::io::{self, BufRead, Write};

/// Number of cells of a tile: a has 1, b has 2, c and d have 3, e to i have 4, j to u have 5.
fn tile_size(letter: u8) -> i32 {
    match letter {
        b'a' => 1,
        b'b' => 2,
        b'c' | b'd' => 3,
        b'e'..=b'i' => 4,
        _ => 5,
    }
}

/// Coordinate from 0 of a column or row: 1 to 9, then a to k.
fn coordinate(letter: u8) -> i32 {
    match letter {
        b'1'..=b'9' => i32::from(letter - b'1'),
        _ => i32::from(letter) - i32::from(b'a') + 9,
    }
}

/// Value of a code (column, row, tile, rotation, or 0000 for a pass) on a board of size x size.
fn value(code: &str, size: i32) -> i32 {
    if code == "0000" {
        return -1000;
    }
    let letters = code.as_bytes();
    let distance = |letter| (2 * coordinate(letter) - (size - 1)).abs();
    100 * tile_size(letters[2]) - distance(letters[0]) - distance(letters[1])
}

/// Returns the best of the legal codes of a state, which is JSON without blanks.
fn choose(state: &str) -> &str {
    let after = |start: &str| state.split_once(start).map_or("", |(_, rest)| rest);
    let row = after("\"board\":[\"").split('"').next().unwrap_or("");
    let codes = after("\"codes\":[").split(']').next().unwrap_or("");
    let mut best = "0000";
    let codes = codes.split(',').map(|code| code.trim_matches('"'));
    for code in codes.filter(|code| code.len() == 4) {
        if value(code, row.len() as i32) > value(best, row.len() as i32) {
            best = code;
        }
    }
    best
}

fn main() -> io::Result<()> {
    let mut state = String::new();
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line.starts_with("action warmup") {
            // The state lists the legal moves, so a bot need not know the rules.
            println!("settings state json\nready");
        } else if let Some(json) = line.strip_prefix("update game state ") {
            state = json.to_owned();
        } else if let Some(time) = line.strip_prefix("action move ") {
            // Standard error is the log. Text behind a move is kept with it.
            eprintln!("{time} ms left");
            println!("{} largest tile first", choose(&state));
        } else if line == "quit" {
            break;
        }
        io::stdout().flush()?;
    }
    Ok(())
}
