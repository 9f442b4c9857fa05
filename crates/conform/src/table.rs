//! The host's side of the conversation: requests out, answers in, with whatever is wrong with them.

use std::time::Duration;

use duoforge_arena::Player;
use duoforge_protocol::wirelog::WireEntry;
use duoforge_protocol::{Expect, HostCode, MoveCode, REPLY_LIMIT, TeamCode, is_line_end};
use duoforge_rules::Code;

use crate::Fault;
use crate::device::{Device, Heard, Shape, Trouble};
use crate::steps::{Alone, FirstGame};

/// What a run may be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Settings {
    /// Time for an answer, from the last byte sent to the last byte received.
    pub limit: Duration,
    /// Pause after `9`.
    pub pause: Duration,
    /// How long a slow host waits before a request.
    pub slow: Duration,
    /// Games of the step that plays many in a row.
    pub games: u32,
    /// Games in which a situation is looked for that depends on the device's moves.
    pub tries: u32,
    /// How long a device that has gone is waited for before the remaining steps are given up.
    pub wait: Duration,
    /// Seed of the rival's moves.
    pub seed: u64,
}

impl Default for Settings {
    /// The contest's times, 20 games in a row.
    fn default() -> Self {
        Self {
            limit: REPLY_LIMIT,
            pause: Duration::from_millis(300),
            slow: Duration::from_secs(3),
            games: 20,
            tries: 8,
            wait: Duration::from_secs(2),
            seed: 1,
        }
    }
}

/// The device, and what is known about it.
pub struct Table {
    pub device: Device,
    pub settings: Settings,
    /// What it answered to `0` first.
    pub team: Option<TeamCode>,
    /// What it did wrong without the conversation being broken.
    pub soft: Vec<Fault>,
    /// The slowest whole answer to a request for a move.
    pub slowest: Duration,
    /// Answers to requests for a move.
    pub answers: usize,
    /// The first pass that was not forced, also where it was against the rules.
    pub early_pass: Option<Fault>,
    /// What the games found out that several steps look at.
    pub first_game: Option<FirstGame>,
    pub alone: Option<Alone>,
    /// It has fallen silent before: late answers need not be told from none any more.
    pub impatient: bool,
    last: String,
}

impl Table {
    pub fn new(player: Player, settings: Settings) -> Self {
        Self {
            device: Device::new(player),
            settings,
            team: None,
            soft: Vec::new(),
            slowest: Duration::ZERO,
            answers: 0,
            early_pass: None,
            first_game: None,
            alone: None,
            impatient: false,
            last: "power-up".to_owned(),
        }
    }

    /// How long an answer is waited for: beyond the limit, so that a late answer can be told from
    /// none.
    pub fn patience(&self) -> Duration {
        if self.impatient {
            self.settings.limit
        } else {
            self.settings.limit * 2 + Duration::from_millis(200)
        }
    }

    /// Takes the log and the soft faults of what was done since the last call.
    pub fn take(&mut self) -> (Vec<WireEntry>, Vec<Fault>) {
        (self.device.take_log(), std::mem::take(&mut self.soft))
    }

    /// `0`: asks for the team code, which has to be the same each time.
    pub fn hello(&mut self) -> Result<TeamCode, Trouble> {
        self.send(HostCode::Hello, Shape::Whole)?;
        self.hear_team()
    }

    /// The answer to a `0` that has been sent.
    pub fn hear_team(&mut self) -> Result<TeamCode, Trouble> {
        let answer = self.answer(HostCode::Hello)?;
        if answer[0] != b'1' {
            return Err(Fault::NoOne { got: answer }.into());
        }
        let team =
            TeamCode::new([answer[1], answer[2]]).expect("printable letters make a team code");
        let first = *self.team.get_or_insert(team);
        if first != team {
            self.soft.push(Fault::OtherTeam { first, now: team });
        }
        Ok(team)
    }

    /// Asks for a move; what comes back is four printable letters.
    pub fn request(&mut self, code: HostCode, shape: Shape) -> Result<MoveCode, Trouble> {
        self.send(code, shape)?;
        let answer = self.answer(code)?;
        self.answers += 1;
        let answer: MoveCode = answer
            .try_into()
            .expect("an answer to a move has four letters");
        let small = answer.map(|byte| byte.to_ascii_lowercase());
        if small != answer && Code::from_bytes(small).is_ok() {
            self.soft.push(Fault::Capitals {
                got: answer.to_vec(),
            });
            return Ok(small);
        }
        Ok(answer)
    }

    /// `9`, and the pause after it, in which nothing may come.
    pub fn end(&mut self) -> Result<(), Trouble> {
        self.send(HostCode::End, Shape::Whole)?;
        let bytes = self.device.listen(self.settings.pause)?;
        self.unasked(&bytes);
        Ok(())
    }

    /// Brings the device back to where a game may begin, whatever it is doing. Late answers are
    /// dropped.
    pub fn settle(&mut self) -> Result<(), Trouble> {
        self.device.drain()?;
        self.device.send_bytes(b"9")?;
        self.device.listen(self.settings.pause)?;
        self.last = "9".to_owned();
        Ok(())
    }

    /// Listens for a while; nothing may come.
    pub fn quiet(&mut self, span: Duration) -> Result<(), Trouble> {
        if !span.is_zero() {
            let bytes = self.device.listen(span)?;
            self.unasked(&bytes);
        }
        Ok(())
    }

    fn send(&mut self, code: HostCode, shape: Shape) -> Result<(), Trouble> {
        let stale = self.device.drain()?;
        self.unasked(&stale);
        self.last = code.encode().to_string();
        self.device.send(code, shape)
    }

    /// Bytes that nobody asked for. Spaces behind an answer are spaces of the answer.
    fn unasked(&mut self, bytes: &[u8]) {
        let got: Vec<u8> = bytes
            .iter()
            .copied()
            .filter(|&byte| !is_line_end(byte))
            .collect();
        let after = self.last.clone();
        if got.is_empty() {
        } else if got.iter().all(|&byte| byte == b' ') {
            self.soft.push(Fault::Space { asked: after, got });
        } else {
            self.soft.push(Fault::Stray { after, got });
        }
    }

    /// The letters of an answer, as many as it has to have and all printable.
    fn answer(&mut self, code: HostCode) -> Result<Vec<u8>, Trouble> {
        let expect = code
            .expects()
            .expect("only codes that are answered are asked");
        let asked = code.encode();
        let heard = self.device.hear(&asked, expect, self.patience())?;
        let letters = self.letters(&asked.to_string(), expect, &heard)?;
        let [first, last] = heard.between;
        let limit = self.settings.limit;
        if expect == Expect::Move {
            self.slowest = self.slowest.max(last);
        }
        let asked = asked.to_string();
        if last > limit && first <= limit {
            let between = [first, last];
            self.soft.push(Fault::Trickle {
                asked,
                between,
                limit,
            });
        } else if last > limit {
            self.soft.push(Fault::Late {
                asked,
                after: last,
                limit,
            });
        }
        Ok(letters)
    }

    fn letters(&mut self, asked: &str, expect: Expect, heard: &Heard) -> Result<Vec<u8>, Trouble> {
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
            return Err(Trouble::Fault(if solid.is_empty() {
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
            self.soft.push(Fault::Space {
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
            self.soft.push(Fault::Stray {
                after: asked,
                got: rest,
            });
        }
        Ok(letters)
    }
}
