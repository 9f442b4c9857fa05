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

/// `90` in one chunk, in the middle of a game. A device with a declared reset never receives it: the
/// host waits for the reset.
pub fn back_to_back(conversation: &mut Conversation) -> Result<String, CheckError> {
    if !conversation.settings.reset.is_zero() {
        let text = "the device has a declared reset after 9";
        return Err(CheckError::NotReached(text.to_owned()));
    }
    conversation.handshake()?;
    first_move(conversation, StartCell::Five)?;
    conversation.send_raw(b"90")?;
    conversation.hear_team()?;
    let code = first_move(conversation, StartCell::A)?;
    Ok(format!(
        "replies to 0 and to 2A; the latter is {}",
        code.escape_ascii()
    ))
}

pub fn garbage(conversation: &mut Conversation) -> Result<String, CheckError> {
    conversation.send_raw(GARBAGE)?;
    conversation.quiet(FORGET)?;
    conversation.handshake()?;
    first_move(conversation, StartCell::Five)?;
    Ok("reply to 0 after the garbage".to_owned())
}

pub fn partial_code(conversation: &mut Conversation) -> Result<String, CheckError> {
    for half in [&b"3A53"[..], b"2", b"4a8"] {
        conversation.send_raw(half)?;
        conversation.quiet(FORGET)?;
        conversation.handshake()?;
    }
    Ok("replies to 0 after 3A53, 2 and 4a8".to_owned())
}

/// `250` in one chunk. The reply to `25` is optional, but the reply to `0` must come last.
pub fn superseded(conversation: &mut Conversation) -> Result<String, CheckError> {
    let team = conversation.handshake()?;
    conversation.send_raw(b"250")?;
    let patience = conversation.patience();
    let mut bytes = conversation
        .device
        .hear(b"250", ReplyKind::Team, patience)?
        .bytes;
    bytes.extend(conversation.device.listen(conversation.settings.limit)?);
    bytes.retain(|&byte| !is_line_end(byte));
    if !bytes.ends_with(&team.reply()) {
        let asked = "250".to_owned();
        let waited = conversation.device.waited();
        return Err(match bytes.len() {
            0 => Fault::Silent { asked, waited },
            // A device without support for superseded prompts replies only to `25`.
            4 => Fault::Short {
                asked,
                got: bytes,
                waited,
            },
            _ => Fault::Unsolicited {
                after: asked,
                got: bytes,
            },
        }
        .into());
    }
    Ok(format!("reply to 250 is {}", bytes.escape_ascii()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{RunOptions, scripted};

    const MS: fn(u64) -> Duration = Duration::from_millis;

    /// Creates a conversation with a device that sends these replies after 1 ms, one after each
    /// send.
    fn conversation(replies: &[&str]) -> Conversation {
        let reply = |text: &&str| match *text {
            "" => Vec::new(),
            text => vec![(MS(1), text.as_bytes().to_vec())],
        };
        let device = scripted::device(replies.iter().map(reply));
        Conversation::new(device, RunOptions::default())
    }

    /// Faults of a check that do not end it, as text.
    fn faults(conversation: &mut Conversation) -> Vec<String> {
        let (_, faults) = conversation.take();
        faults.iter().map(ToString::to_string).collect()
    }

    /// Unsolicited bytes name the bytes before them, also those that are not a code.
    #[test]
    fn unsolicited_bytes_follow_the_bytes_of_the_check() {
        let mut noisy = conversation(&["?", "1AA", "53e0"]);
        garbage(&mut noisy).unwrap();
        let sent = "x5Ae!\\x00\\xff\\x7f~";
        assert_eq!(
            faults(&mut noisy),
            [format!("unsolicited bytes '?' after {sent}")]
        );

        let mut noisy = conversation(&["?", "1AA", "", "1AA", "!", "1AA"]);
        partial_code(&mut noisy).unwrap();
        let text = |got: &str, after: &str| format!("unsolicited bytes '{got}' after {after}");
        assert_eq!(faults(&mut noisy), [text("?", "3A53"), text("!", "4a8")]);
    }

    /// A device that replies only to `25` has replied, but not to the last code.
    #[test]
    fn a_reply_to_the_superseded_prompt_alone_is_incomplete() {
        for (reply, text) in [
            ("1AA", None),
            ("54u01AA", None),
            (
                "54u0",
                Some("reply to 250 is incomplete: '54u0' within 1.001 s"),
            ),
            ("", Some("no reply to 250 within 3.200 s")),
            ("54u", Some("unsolicited bytes '54u' after 250")),
        ] {
            let mut device = conversation(&["1AA", reply]);
            let fault = match superseded(&mut device) {
                Ok(_) => None,
                Err(CheckError::Fault(fault)) => Some(fault.to_string()),
                Err(error) => panic!("{error:?}"),
            };
            assert_eq!(fault.as_deref(), text, "{reply}");
        }
    }

    /// A device that resets after `9` cannot reply to a `0` right after it.
    #[test]
    fn a_device_with_a_reset_does_not_get_9_and_0_together() {
        for (reset, is_checked) in [(MS(0), true), (MS(1), false)] {
            let mut device = conversation(&["1AA", "53e0", "1AA", "11a0"]);
            device.settings.reset = reset;
            let result = back_to_back(&mut device);
            assert_eq!(result.is_ok(), is_checked, "{result:?}");
            if let Err(error) = result {
                assert!(matches!(error, CheckError::NotReached(_)), "{error:?}");
            }
        }
    }
}
