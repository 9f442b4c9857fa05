use std::fmt::Write as _;

use duoforge_rules::{AnyBoard, Move, Notation};

use super::{GAMES, PASSES, colours, names};
use crate::{IllegalRecord, Record};

/// Writes games as blksgf, one tree per game. Pentobi reads only files with a single game.
///
/// A comment on a pass is dropped: passes are not part of the format.
///
/// # Errors
/// The first illegal move: a reader could not replay the game.
pub fn write_blksgf(records: &[Record]) -> Result<String, IllegalRecord> {
    let mut out = String::new();
    for record in records {
        game(&mut out, record)?;
    }
    Ok(out)
}

macro_rules! put {
    ($out:expr, $($arg:tt)*) => {
        write!($out, $($arg)*).expect("writing to a string cannot fail")
    };
}

fn game(out: &mut String, record: &Record) -> Result<(), IllegalRecord> {
    let kind = record.kind;
    let game = GAMES.iter().find(|(_, is)| *is == kind);
    let game = game.map_or("", |(name, _)| name);
    let version = env!("CARGO_PKG_VERSION");
    put!(out, "(\n;GM[{game}]CA[UTF-8]AP[duoforge:{version}]");
    for (property, name) in names(kind).iter().zip(&record.players) {
        if !name.is_empty() {
            put!(out, "\n{property}[{}]", simple(name));
        }
    }
    for (property, fact) in &record.facts {
        put!(out, "\n{property}[{}]", simple(fact));
    }
    if !record.comment.is_empty() {
        put!(out, "\nC[{}]", escaped(&record.comment));
    }
    let notation = Notation::of(kind.variant());
    let mut board = AnyBoard::new(kind.variant(), &record.starts());
    // Number of passes that a reader adds after the last placement.
    let mut expected = 0;
    let mut passes = 0;
    for (ply, number) in record.plies.iter().zip(1..) {
        let player = board.to_move();
        let turn = ply.turn;
        let played = board.play(turn);
        played.map_err(|reason| IllegalRecord {
            ply: number,
            turn,
            reason,
        })?;
        if turn == Move::Pass {
            passes += 1;
            continue;
        }
        passes = 0;
        expected = board.clone().pass_if_stuck();
        let colour = colours(kind)[player.index()];
        put!(out, "\n;{colour}[{}]", notation.write(turn));
        if let Some(value) = ply.value {
            put!(out, "V[{value}]");
        }
        if !ply.comment.is_empty() {
            put!(out, "C[{}]", escaped(&ply.comment));
        }
    }
    if passes != expected {
        put!(out, "{PASSES}[{passes}]");
    }
    out.push_str("\n)\n");
    Ok(())
}

/// Escapes the special characters of a text.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

/// Escapes a text and joins its lines.
fn simple(text: &str) -> String {
    escaped(text).replace(['\r', '\n'], " ")
}
