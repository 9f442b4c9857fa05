//! Checks of the bytes on the wire.

use std::time::Duration;

use duoforge_protocol::{ReplyKind, StartCell, is_line_end};

use super::games::first_move;
use crate::Fault;
use crate::conversation::Conversation;
use crate::device::{CheckError, Pacing};
use crate::hosted_game::Script;
use crate::opponent::Sparring;

/// Pause between the bytes of a code, as a serial adapter or a busy host causes. It is far below
/// the inter-byte timeout of 100 ms.
const SPLIT: Duration = Duration::from_millis(15);

/// Silence after which the device must have dropped a partial code.
const FORGET: Duration = Duration::from_millis(200);

/// Bytes that begin no code and are not part of an extension code of this project.
const GARBAGE: &[u8] = b"x5Ae!\x00\xff\x7f~";

fn game(
    conversation: &mut Conversation,
    shape: Pacing,
    before: Duration,
    most: usize,
) -> Result<String, CheckError> {
    let mut opponent = Sparring::new(conversation.settings.seed.wrapping_add(11));
    let played = conversation.play(Script {
        shape,
        before,
        ..Script::short(StartCell::A, true, &mut opponent, most)
    })?;
    Ok(format!("a game of {} moves", played.codes.len()))
}

pub fn split(conversation: &mut Conversation) -> Result<String, CheckError> {
    game(conversation, Pacing::Split(SPLIT), Duration::ZERO, 10)
}

pub fn line_ends(conversation: &mut Conversation) -> Result<String, CheckError> {
    game(conversation, Pacing::LineEnds, Duration::ZERO, 10)
}

pub fn slow_host(conversation: &mut Conversation) -> Result<String, CheckError> {
    let slow = conversation.settings.slow;
    game(conversation, Pacing::Whole, slow, 6)
}

/// `90` in one chunk, in the middle of a game.
pub fn back_to_back(conversation: &mut Conversation) -> Result<String, CheckError> {
    conversation.handshake()?;
    first_move(conversation, StartCell::Five)?;
    conversation.device.send_bytes(b"90")?;
    conversation.hear_team()?;
    let code = first_move(conversation, StartCell::A)?;
    Ok(format!(
        "replies to 0 and to 2A; the latter is {}",
        code.escape_ascii()
    ))
}

pub fn garbage(conversation: &mut Conversation) -> Result<String, CheckError> {
    conversation.device.send_bytes(GARBAGE)?;
    conversation.quiet(FORGET)?;
    conversation.handshake()?;
    first_move(conversation, StartCell::Five)?;
    Ok("reply to 0 after the garbage".to_owned())
}

pub fn partial_code(conversation: &mut Conversation) -> Result<String, CheckError> {
    for half in [&b"3A53"[..], b"2", b"4a8"] {
        conversation.device.send_bytes(half)?;
        conversation.quiet(FORGET)?;
        conversation.handshake()?;
    }
    Ok("replies to 0 after 3A53, 2 and 4a8".to_owned())
}

/// `250` in one chunk. The reply to `25` is optional, but the reply to `0` must come last.
pub fn superseded(conversation: &mut Conversation) -> Result<String, CheckError> {
    let team = conversation.handshake()?;
    conversation.device.send_bytes(b"250")?;
    let waited = conversation.patience();
    let mut bytes = conversation
        .device
        .hear(b"250", ReplyKind::Team, waited)?
        .bytes;
    bytes.extend(conversation.device.listen(conversation.settings.limit)?);
    bytes.retain(|&byte| !is_line_end(byte));
    if !bytes.ends_with(&team.reply()) {
        // A device without support for superseded prompts replies only to `25`.
        let asked = "250".to_owned();
        return Err(match bytes.len() {
            0 | 4 => Fault::Silent { asked, waited },
            _ => Fault::Unsolicited {
                after: asked,
                got: bytes,
            },
        }
        .into());
    }
    Ok(format!("reply to 250 is {}", bytes.escape_ascii()))
}
