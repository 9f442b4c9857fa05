//! Steps about the bytes on the line.

use std::time::Duration;

use duoforge_protocol::{Expect, StartCell, is_line_end};

use super::games::first_move;
use crate::Fault;
use crate::device::{Shape, Trouble};
use crate::game::Script;
use crate::rival::Sparring;
use crate::table::Table;

/// Pause between the bytes of a code: what an adapter or a busy host makes, far below the 100 ms
/// after which a board may forget a code.
const SPLIT: Duration = Duration::from_millis(15);

/// Silence after which an unfinished code is to be forgotten.
const FORGET: Duration = Duration::from_millis(200);

/// Bytes that no code begins with, and that are no codes of this project's boards.
const GARBAGE: &[u8] = b"x5Ae!\x00\xff\x7f~";

fn game(table: &mut Table, shape: Shape, before: Duration, most: usize) -> Result<String, Trouble> {
    let mut rival = Sparring::new(table.settings.seed.wrapping_add(11));
    let played = table.play(Script {
        shape,
        before,
        ..Script::short(StartCell::A, true, &mut rival, most)
    })?;
    Ok(format!("a game of {} moves", played.codes.len()))
}

pub fn split(table: &mut Table) -> Result<String, Trouble> {
    game(table, Shape::Split(SPLIT), Duration::ZERO, 10)
}

pub fn line_ends(table: &mut Table) -> Result<String, Trouble> {
    game(table, Shape::LineEnds, Duration::ZERO, 10)
}

pub fn slow_host(table: &mut Table) -> Result<String, Trouble> {
    let slow = table.settings.slow;
    game(table, Shape::Whole, slow, 6)
}

/// `90` in one go, from the middle of a game.
pub fn glued(table: &mut Table) -> Result<String, Trouble> {
    table.hello()?;
    first_move(table, StartCell::Five)?;
    table.device.send_bytes(b"90")?;
    table.hear_team()?;
    let code = first_move(table, StartCell::A)?;
    Ok(format!(
        "0 was answered, and 2A with {}",
        code.escape_ascii()
    ))
}

pub fn garbage(table: &mut Table) -> Result<String, Trouble> {
    table.device.send_bytes(GARBAGE)?;
    table.quiet(FORGET)?;
    table.hello()?;
    first_move(table, StartCell::Five)?;
    Ok("0 was answered after it".to_owned())
}

pub fn half_code(table: &mut Table) -> Result<String, Trouble> {
    for half in [&b"3A53"[..], b"2", b"4a8"] {
        table.device.send_bytes(half)?;
        table.quiet(FORGET)?;
        table.hello()?;
    }
    Ok("0 was answered after 3A53, 2 and 4a8".to_owned())
}

/// `250` in one go: the answer to `25` may be there or not, but that to `0` has to be the last.
pub fn overtaken(table: &mut Table) -> Result<String, Trouble> {
    let team = table.hello()?;
    table.device.send_bytes(b"250")?;
    let waited = table.patience();
    let mut bytes = table.device.hear(b"250", Expect::Team, waited)?.bytes;
    bytes.extend(table.device.listen(table.settings.limit)?);
    bytes.retain(|&byte| !is_line_end(byte));
    if !bytes.ends_with(&team.reply()) {
        // A board that is not overtaken answers 25 and nothing more.
        let asked = "250".to_owned();
        return Err(match bytes.len() {
            0 | 4 => Fault::Silent { asked, waited },
            _ => Fault::Stray {
                after: asked,
                got: bytes,
            },
        }
        .into());
    }
    Ok(format!("250 was answered with {}", bytes.escape_ascii()))
}
