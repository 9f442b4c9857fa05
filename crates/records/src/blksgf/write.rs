use std::collections::BTreeMap;
use std::fmt::Write as _;

use duoforge_rules::{Game, GameVariant, Move, Notation};

use super::{PASSES, VARIANT, colours, game_name, names};
use crate::lawful::pass_if_forced;
use crate::{IllegalRecord, Record};

/// Reason why a record cannot be written as blksgf.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SgfWriteError {
    /// A move is illegal: a reader could not replay the game.
    #[error(transparent)]
    Illegal(#[from] IllegalRecord),
    /// The format has no name for the variant.
    #[error("blksgf cannot express the variant {0}: expected a built-in variant, or a list")]
    Variant(String),
}

/// Writes games as blksgf, one tree per game. Pentobi reads only files with a single game.
///
/// # Errors
/// [`SgfWriteError`].
pub fn write_blksgf(records: &[Record]) -> Result<String, SgfWriteError> {
    let mut out = String::new();
    for record in records {
        game(&mut out, record)?;
    }
    Ok(out)
}

/// Appends a formatted text to a string.
macro_rules! put {
    ($out:expr, $($arg:tt)*) => {
        write!($out, $($arg)*).expect("writing to a string cannot fail")
    };
}

pub(super) use put;

fn game(out: &mut String, record: &Record) -> Result<(), SgfWriteError> {
    let variant = &record.variant;
    let heading = Heading {
        variant,
        players: &record.players,
        facts: &record.facts,
        comment: &record.comment,
    };
    heading.write(out)?;
    let notation = Notation::of_size(variant.size());
    let mut game = Game::new(&record.played_variant());
    // Number of passes that a reader adds after the last node.
    let mut expected = 0;
    // Number of passes since the last placement, and true if the last node is one of them.
    let mut passes = 0;
    let mut is_pass = false;
    for (ply, number) in record.plies.iter().zip(1..) {
        let mv = ply.mv;
        let played = game.play(mv);
        played.map_err(|reason| IllegalRecord {
            ply: number,
            mv,
            reason,
        })?;
        if mv == Move::Pass {
            passes += 1;
            if ply.comment.is_empty() && ply.value.is_none() {
                continue;
            }
            put!(out, "\n;{PASSES}[{passes}]");
            (expected, is_pass) = (passes, true);
        } else {
            passes = 0;
            (expected, is_pass) = (pass_if_forced(&mut game.clone()), false);
            let last = game.plies().last().expect("a move was played");
            let colour = colours(variant)[last.colour.index()];
            put!(out, "\n;{colour}[{}]", notation.write(mv));
        }
        if let Some(value) = ply.value {
            put!(out, "V[{value}]");
        }
        if !ply.comment.is_empty() {
            put!(out, "C[{}]", escaped(&ply.comment));
        }
    }
    if passes != expected {
        let node = if is_pass { "\n;" } else { "" };
        put!(out, "{node}{PASSES}[{passes}]");
    }
    out.push_str("\n)\n");
    Ok(())
}

/// Properties of a whole game.
pub struct Heading<'a> {
    pub variant: &'a GameVariant,
    pub players: &'a [String],
    pub facts: &'a BTreeMap<String, String>,
    pub comment: &'a str,
}

impl Heading<'_> {
    /// Writes the begin of a game and the properties of its root.
    pub fn write(&self, out: &mut String) -> Result<(), SgfWriteError> {
        let unknown = || SgfWriteError::Variant(self.variant.name().to_owned());
        let (name, is_other) = game_name(self.variant).ok_or_else(unknown)?;
        let version = env!("CARGO_PKG_VERSION");
        put!(out, "(\n;GM[{name}]CA[UTF-8]AP[duoforge:{version}]");
        if is_other {
            put!(out, "{VARIANT}[{}]", self.variant.name());
        }
        for (property, name) in names(self.variant).iter().zip(self.players) {
            if !name.is_empty() {
                put!(out, "\n{property}[{}]", simple(name));
            }
        }
        for (property, fact) in self.facts {
            put!(out, "\n{property}[{}]", simple(fact));
        }
        if !self.comment.is_empty() {
            put!(out, "\nC[{}]", escaped(self.comment));
        }
        Ok(())
    }
}

/// Escapes the special characters of a text.
pub fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace(']', "\\]")
}

/// Escapes a text and joins its lines.
fn simple(text: &str) -> String {
    escaped(text).replace(['\r', '\n'], " ")
}
