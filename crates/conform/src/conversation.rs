//! Host side of the conversation: sends prompts, receives replies and records faults.

use std::time::Duration;

use duoforge_links::wirelog::WireEntry;
use duoforge_protocol::{HostCode, MoveCode, REPLY_LIMIT, ReplyKind, TeamCode, is_line_end};
use duoforge_referee::Player;
use duoforge_rules::Code;

use crate::Fault;
use crate::device::{CheckError, DeviceUnderTest, Pacing, RawReply};
use crate::seen::{Alone, FirstGame};

/// Options of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunOptions {
    /// Time limit of a reply, from the last byte sent to the last byte received.
    pub limit: Duration,
    /// Minimum pause after `9`.
    pub pause: Duration,
    /// Declared hard reset of the device after `9`; zero without one.
    pub reset: Duration,
    /// Delay of a slow host before a prompt.
    pub slow: Duration,
    /// Number of games of the check `series`.
    pub games: u32,
    /// Maximum number of games in which a check seeks a situation that depends on the device's
    /// moves.
    pub tries: u32,
    /// Waiting time for a lost device before the remaining checks are abandoned.
    pub wait: Duration,
    /// Seed of the opponent's moves.
    pub seed: u64,
}

impl Default for RunOptions {
    /// The contest's times, and 20 games in succession.
    fn default() -> Self {
        Self {
            limit: REPLY_LIMIT,
            pause: Duration::from_millis(300),
            reset: Duration::ZERO,
            slow: Duration::from_secs(3),
            games: 20,
            tries: 8,
            wait: Duration::from_secs(2),
            seed: 1,
        }
    }
}

/// Connection to the device, with the observations so far.
pub struct Conversation {
    pub device: DeviceUnderTest,
    pub settings: RunOptions,
    /// First team code of the device.
    pub team: Option<TeamCode>,
    /// Faults that did not break the conversation.
    pub non_fatal: Vec<Fault>,
    /// Maximum time of a complete reply to a prompt for a move.
    pub slowest: Duration,
    /// Number of replies to prompts for a move.
    pub answers: usize,
    /// First voluntary pass, even if it violated the rules.
    pub early_pass: Option<Fault>,
    /// Results of games that several checks examine.
    pub first_game: Option<FirstGame>,
    pub alone: Option<Alone>,
    /// True if the device has stopped replying before: late replies need not be distinguished from
    /// missing ones any more.
    pub impatient: bool,
    last: String,
}

impl Conversation {
    pub fn new(player: Player, settings: RunOptions) -> Self {
        Self {
            device: DeviceUnderTest::new(player),
            settings,
            team: None,
            non_fatal: Vec::new(),
            slowest: Duration::ZERO,
            answers: 0,
            early_pass: None,
            first_game: None,
            alone: None,
            impatient: false,
            last: "power-up".to_owned(),
        }
    }

    /// Waiting time for a reply. It exceeds the limit, so that a late reply is distinguished from a
    /// missing one.
    pub fn patience(&self) -> Duration {
        if self.impatient {
            self.settings.limit
        } else {
            self.settings.limit * 2 + Duration::from_millis(200)
        }
    }

    /// Pause between games, in which the device completes its reset.
    fn pause(&self) -> Duration {
        self.settings.pause.max(self.settings.reset)
    }

    /// Takes the log and the non-fatal faults since the last call.
    pub fn take(&mut self) -> (Vec<WireEntry>, Vec<Fault>) {
        (self.device.take_log(), std::mem::take(&mut self.non_fatal))
    }

    /// `0`: prompts for the team code, which must be the same each time.
    pub fn handshake(&mut self) -> Result<TeamCode, CheckError> {
        self.send(HostCode::Handshake, Pacing::Whole)?;
        self.hear_team()
    }

    /// Receives the reply to a `0` that has been sent.
    pub fn hear_team(&mut self) -> Result<TeamCode, CheckError> {
        let answer = self.answer(HostCode::Handshake)?;
        if answer[0] != b'1' {
            return Err(Fault::BadPrefix { got: answer }.into());
        }
        let team =
            TeamCode::new([answer[1], answer[2]]).expect("printable letters make a team code");
        let first = *self.team.get_or_insert(team);
        if first != team {
            self.non_fatal.push(Fault::OtherTeam { first, now: team });
        }
        Ok(team)
    }

    /// Prompts for a move and returns four printable letters.
    pub fn request(&mut self, code: HostCode, shape: Pacing) -> Result<MoveCode, CheckError> {
        self.send(code, shape)?;
        let answer = self.answer(code)?;
        self.answers += 1;
        let answer: MoveCode = answer
            .try_into()
            .expect("an answer to a move has four letters");
        let small = answer.map(|byte| byte.to_ascii_lowercase());
        if small != answer && Code::from_bytes(small).is_ok() {
            self.non_fatal.push(Fault::Capitals {
                got: answer.to_vec(),
            });
            return Ok(small);
        }
        Ok(answer)
    }

    /// Sends `9` and pauses; no byte may arrive in the pause.
    pub fn end(&mut self) -> Result<(), CheckError> {
        self.send(HostCode::End, Pacing::Whole)?;
        let bytes = self.device.listen(self.pause())?;
        self.unsolicited(&bytes);
        Ok(())
    }

    /// Brings the device from any state to one in which a game may begin. Late replies are dropped.
    pub fn settle(&mut self) -> Result<(), CheckError> {
        self.device.drain()?;
        self.device.send_bytes(b"9")?;
        self.device.listen(self.pause())?;
        self.last = "9".to_owned();
        Ok(())
    }

    /// Waits for a span in which no byte may arrive.
    pub fn quiet(&mut self, span: Duration) -> Result<(), CheckError> {
        if !span.is_zero() {
            let bytes = self.device.listen(span)?;
            self.unsolicited(&bytes);
        }
        Ok(())
    }

    fn send(&mut self, code: HostCode, shape: Pacing) -> Result<(), CheckError> {
        self.prepare(code.encode().to_string())?;
        self.device.send(code, shape)
    }

    /// Sends bytes that may not form a code.
    pub fn send_raw(&mut self, bytes: &[u8]) -> Result<(), CheckError> {
        self.prepare(bytes.escape_ascii().to_string())?;
        self.device.send_bytes(bytes)
    }

    /// Records the bytes that arrived before a prompt, which is then the last one.
    fn prepare(&mut self, prompt: String) -> Result<(), CheckError> {
        let stale = self.device.drain()?;
        self.unsolicited(&stale);
        self.last = prompt;
        Ok(())
    }

    /// Records unsolicited bytes. Spaces after a reply count as spaces in it.
    fn unsolicited(&mut self, bytes: &[u8]) {
        let got: Vec<u8> = bytes
            .iter()
            .copied()
            .filter(|&byte| !is_line_end(byte))
            .collect();
        let after = self.last.clone();
        if got.is_empty() {
        } else if got.iter().all(|&byte| byte == b' ') {
            self.non_fatal.push(Fault::Space { asked: after, got });
        } else {
            self.non_fatal.push(Fault::Unsolicited { after, got });
        }
    }

    /// Receives the letters of a reply: the required number, all printable.
    fn answer(&mut self, code: HostCode) -> Result<Vec<u8>, CheckError> {
        let expect = code
            .expects()
            .expect("only codes that are answered are asked");
        let asked = code.encode();
        let heard = self.device.hear(&asked, expect, self.patience())?;
        let letters = self.letters(&asked.to_string(), expect, &heard)?;
        let [first, last] = heard.between;
        let limit = self.settings.limit;
        if last > limit && last.saturating_sub(heard.stall) <= limit {
            // The stall of the host accounts for the delay.
            return Ok(letters);
        }
        if expect == ReplyKind::Move {
            self.slowest = self.slowest.max(last);
        }
        let asked = asked.to_string();
        if last > limit && first <= limit {
            let between = [first, last];
            self.non_fatal.push(Fault::Trickle {
                asked,
                between,
                limit,
            });
        } else if last > limit {
            self.non_fatal.push(Fault::Late {
                asked,
                after: last,
                limit,
            });
        }
        Ok(letters)
    }

    fn letters(
        &mut self,
        asked: &str,
        expect: ReplyKind,
        heard: &RawReply,
    ) -> Result<Vec<u8>, CheckError> {
        let asked = asked.to_owned();
        let solid = heard
            .bytes
            .iter()
            .copied()
            .filter(|&byte| !is_line_end(byte));
        let solid: Vec<u8> = solid.collect();
        let mut letters: Vec<u8> = solid.iter().copied().filter(|&byte| byte != b' ').collect();
        let length = usize::from(expect.length());
        if letters.len() < length {
            let waited = self.patience();
            return Err(CheckError::Fault(if solid.is_empty() {
                Fault::Silent { asked, waited }
            } else {
                Fault::Short {
                    asked,
                    got: heard.bytes.clone(),
                    waited,
                }
            }));
        }
        let rest = letters.split_off(length);
        if solid.len() > letters.len() + rest.len() {
            self.non_fatal.push(Fault::Space {
                asked: asked.clone(),
                got: heard.bytes.clone(),
            });
        }
        if !letters.iter().all(u8::is_ascii_graphic) {
            return Err(Fault::Bytes {
                asked,
                got: heard.bytes.clone(),
            }
            .into());
        }
        if !rest.is_empty() {
            self.non_fatal.push(Fault::Unsolicited {
                after: asked,
                got: rest,
            });
        }
        Ok(letters)
    }
}

#[cfg(test)]
mod tests {
    use duoforge_protocol::StartCell;

    use super::*;
    use crate::scripted;

    const MS: fn(u64) -> Duration = Duration::from_millis;

    const FIRST: HostCode = HostCode::First {
        start: StartCell::Five,
    };

    /// The limit belongs to the time in which a reply is in time.
    #[test]
    fn a_reply_is_late_if_its_last_byte_exceeds_the_limit() {
        const NS: fn(u64) -> Duration = Duration::from_nanos;
        let limit = Duration::from_secs(1);
        let after = limit + NS(1);
        for (first, last, fault) in [
            (NS(5), NS(9), None),
            (NS(5), limit, None),
            (limit, limit, None),
            (NS(5), after, Some("trickle")),
            (limit, after, Some("trickle")),
            (after, after, Some("late")),
            (after, after + limit, Some("late")),
        ] {
            let team = vec![(NS(7), b"1AA".to_vec())];
            let reply = vec![(first, b"53".to_vec()), (last, b"e0".to_vec())];
            let device = scripted::device([team, reply]);
            let mut conversation = Conversation::new(device, RunOptions::default());
            conversation.handshake().unwrap();
            assert_eq!(conversation.slowest, Duration::ZERO);
            let code = conversation.request(FIRST, Pacing::Whole).unwrap();
            assert_eq!(&code, b"53e0");
            assert_eq!((conversation.slowest, conversation.answers), (last, 1));
            let (_, faults) = conversation.take();
            let kinds: Vec<_> = faults.iter().map(Fault::kind).collect();
            assert_eq!(kinds, Vec::from_iter(fault), "{first:?} {last:?}");
        }
    }

    /// The reset of the profile prolongs the pause after `9`, and never shortens it.
    #[test]
    fn the_host_waits_for_a_declared_reset() {
        for (reset, at, is_in_pause) in [
            (MS(0), MS(299), true),
            (MS(0), MS(400), false),
            (MS(100), MS(299), true),
            (MS(1500), MS(1400), true),
            (MS(1500), MS(1600), false),
        ] {
            let settings = RunOptions {
                reset,
                ..RunOptions::default()
            };
            let script = || [vec![(at, b"!".to_vec())]];
            let mut ended = Conversation::new(scripted::device(script()), settings);
            ended.end().unwrap();
            let is_heard = !ended.take().1.is_empty();
            assert_eq!(is_heard, is_in_pause, "{reset:?} {at:?}");

            // Bytes in the pause of `settle` are dropped.
            let mut idle = Conversation::new(scripted::device(script()), settings);
            idle.settle().unwrap();
            let left = idle.device.listen(MS(10_000)).unwrap();
            assert_eq!(left.is_empty(), is_in_pause, "{reset:?} {at:?}");
        }
    }

    /// The wait is extended by the stall, and a reply in it is not late.
    #[cfg(unix)]
    #[test]
    fn a_reply_is_not_late_if_a_stall_accounts_for_the_delay() {
        let script = "head -c 1 >/dev/null; sleep 1; printf 1AA; cat >/dev/null";
        let words = ["/bin/sh", "-c", script].map(str::to_owned);
        for (impatient, stalled) in [(false, false), (false, true), (true, true)] {
            let device = Player::board(duoforge_links::ExecLink::start(&words).unwrap());
            let mut conversation = Conversation::new(device, RunOptions::default());
            conversation.settings.limit = MS(800);
            conversation.impatient = impatient;
            conversation.device.stalls = match stalled {
                true => |_, _| MS(10_000),
                false => |_, _| MS(0),
            };
            conversation.handshake().unwrap();
            let (_, faults) = conversation.take();
            let kinds: Vec<_> = faults.iter().map(Fault::kind).collect();
            let expected = Vec::from_iter((!stalled).then_some("late"));
            assert_eq!(kinds, expected, "{impatient} {stalled}");
        }
    }

    /// A reply after more than twice the limit counts as missing.
    #[test]
    fn patience_exceeds_the_limit_until_a_reply_is_missing() {
        let mut conversation = Conversation::new(scripted::device([]), RunOptions::default());
        assert_eq!(conversation.patience(), Duration::from_millis(2200));
        conversation.impatient = true;
        assert_eq!(conversation.patience(), Duration::from_secs(1));
    }
}
