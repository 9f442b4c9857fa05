//! Players with one specific fault each, and one correct player.
//!
//! The mocks show that the checks of this crate and the referee distinguish all kinds of faults.
//! The program `duoforge-mock` runs them on standard input and output or on a pseudo-terminal.

pub mod bot;
mod kind;
mod misbehaviour;
mod program;
mod serve;

use std::time::Duration;

use duoforge_protocol::{
    DeviceEvent, DeviceSession, INTER_BYTE_TIMEOUT, MoveCode, PASS, StartCell, TeamCode,
};
use duoforge_rules::{Cell, Code, Colour, DuoBoard, Move, Variant};
use duoforge_twin::Policy;

pub use kind::{MockKind, TIRED};
pub use program::main;
pub use serve::{End, serve};

/// Action of a mock.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MockAction {
    /// Sends bytes.
    Say(Vec<u8>),
    /// Waits.
    Wait(Duration),
    /// Ends the program at once.
    Crash,
    /// Closes the link.
    HangUp,
}

/// Player with one specific fault.
#[derive(Debug)]
pub struct Mock {
    kind: MockKind,
    team: TeamCode,
    /// Time limit of a reply, which some kinds exceed.
    limit: Duration,
    session: DeviceSession,
    board: DuoBoard,
    policy: Policy,
    /// True if `0` arrived since the last `9`.
    greeted: bool,
    playing: bool,
    /// Number of finished games.
    games: usize,
    /// Number of prompts for a move in this game.
    asked: usize,
    has_passed: bool,
    /// True while the mock ignores all bytes except `9`.
    hung: bool,
    /// Number of replies to `0`.
    greetings: usize,
    /// True if a fault that occurs once has occurred.
    done: bool,
}

impl Mock {
    /// Creates a mock in its power-on state. `limit` is the time limit of a reply.
    #[must_use]
    pub fn new(kind: MockKind, team: TeamCode, limit: Duration) -> Self {
        Self {
            kind,
            team,
            limit,
            session: DeviceSession::new(team),
            board: DuoBoard::new(&Variant::ENDLESS_DUO),
            policy: Policy::default(),
            greeted: false,
            playing: false,
            games: 0,
            asked: 0,
            has_passed: false,
            hung: false,
            greetings: 0,
            done: false,
        }
    }

    /// Returns true on the first call, for faults that occur once.
    const fn first_time(&mut self) -> bool {
        !std::mem::replace(&mut self.done, true)
    }

    /// Takes a chunk of bytes that arrived after the given silence.
    pub fn hear(&mut self, bytes: &[u8], silence: Duration) -> Vec<MockAction> {
        if silence >= INTER_BYTE_TIMEOUT {
            if self.kind == MockKind::PartialCode && self.session.is_mid_code() {
                self.hung = true;
            } else {
                self.session.on_silence();
            }
        }
        if self.kind == MockKind::SlowHost && self.playing && silence >= kind::SLEEPY {
            self.hung = true;
        }
        let mut actions = Vec::new();
        if self.kind == MockKind::Echo {
            actions.push(MockAction::Say(bytes.to_vec()));
        }
        for &byte in bytes {
            if !self.take(byte, &mut actions) {
                break;
            }
        }
        if self.kind == MockKind::Split {
            self.session.on_silence();
        }
        actions
    }

    /// Takes a byte; returns true if the mock also takes the rest of the chunk.
    fn take(&mut self, byte: u8, actions: &mut Vec<MockAction>) -> bool {
        if self.hung {
            if byte != b'9' {
                return true;
            }
            self.hung = false;
            self.session.on_silence();
        }
        if self.kind == MockKind::LineEnds && matches!(byte, b'\r' | b'\n') {
            self.hung = true;
            return true;
        }
        let garbage = self.session.counters().garbage;
        let step = self.session.feed(byte);
        if self.kind == MockKind::Garbage && self.session.counters().garbage != garbage {
            self.hung = true;
        }
        match step.event {
            None => {
                actions.extend(step.send.map(|frame| MockAction::Say(frame.to_vec())));
                true
            }
            Some(DeviceEvent::Reset) => {
                self.reset(actions);
                true
            }
            Some(DeviceEvent::End) => {
                if self.kind == MockKind::Farewell && self.playing && self.games == 1 {
                    actions.push(MockAction::Say(b"!".to_vec()));
                }
                self.games += usize::from(self.playing);
                self.playing = false;
                self.greeted = false;
                self.kind != MockKind::BackToBack
            }
            Some(DeviceEvent::UnsolicitedTurn { .. }) => {
                actions.push(MockAction::Say(PASS.to_vec()));
                true
            }
            Some(DeviceEvent::Begin { start, opponent }) => {
                self.begin(start, opponent, actions);
                self.kind != MockKind::Superseded
            }
            Some(DeviceEvent::Turn { opponent }) => {
                self.turn(Some(opponent), actions);
                true
            }
        }
    }

    fn reset(&mut self, actions: &mut Vec<MockAction>) {
        let deaf = match self.kind {
            MockKind::OneGame => self.games > 0,
            MockKind::Reset => self.playing,
            MockKind::AllPlaced => self.board_is_mine(),
            _ => false,
        };
        if deaf && self.first_time() {
            self.hung = true;
            return;
        }
        self.greetings += 1;
        self.greeted = true;
        self.playing = false;
        let mut answer = self.team.reply().to_vec();
        match self.kind {
            MockKind::BadPrefix => answer[0] = b'2',
            MockKind::TwoTeams if self.greetings == 2 => answer[1..].copy_from_slice(b"ZZ"),
            MockKind::Renamed if self.games == 1 => answer[1..].copy_from_slice(b"ZZ"),
            _ => {}
        }
        actions.push(MockAction::Say(answer));
    }

    /// True if a player has placed all its tiles.
    fn board_is_mine(&self) -> bool {
        let players = [Colour(0), Colour(1)];
        players
            .iter()
            .any(|&player| self.board.tiles_left(player).is_empty())
    }

    fn begin(
        &mut self,
        start: StartCell,
        opponent: Option<MoveCode>,
        actions: &mut Vec<MockAction>,
    ) {
        if self.kind == MockKind::NoHandshake && !self.greeted
            || self.kind == MockKind::Tires && self.games >= TIRED as usize && self.first_time()
        {
            return;
        }
        let second = opponent.is_some();
        let wrong = match self.kind {
            MockKind::OneStart => !second && start == StartCell::A,
            MockKind::OneOrder => second && start == StartCell::Five,
            _ => false,
        };
        let start = if wrong && self.first_time() {
            start.other()
        } else {
            start
        };
        self.playing = true;
        self.asked = 0;
        self.has_passed = false;
        if self.kind != MockKind::KeepsBoard || self.games != 1 {
            let cell = |start: StartCell| {
                let (x, y) = start.coordinates();
                Cell::new(x, y)
            };
            let mut starts = [cell(start), cell(start.other())];
            if second {
                starts.reverse();
            }
            self.board = DuoBoard::with_starts(&Variant::ENDLESS_DUO, &starts);
        }
        self.turn(opponent, actions);
    }

    fn turn(&mut self, opponent: Option<MoveCode>, actions: &mut Vec<MockAction>) {
        if let Some(code) = opponent {
            let mv = Move::from_code_bytes(code).unwrap_or(Move::Pass);
            let canonical = mv.to_code_bytes() == code;
            if (self.kind == MockKind::Aliases && !canonical) || self.board.play(mv).is_err() {
                self.play(Move::Pass);
            }
            if self.kind == MockKind::OpponentPasses && mv == Move::Pass && self.first_time() {
                self.hung = true;
                return;
            }
        }
        let best = self.policy.best(&self.board).map(|choice| choice.placement);
        let best = match opponent.map(|code| (code, Move::from_code_bytes(code))) {
            Some((code, Ok(Move::Place(placement))))
                if self.kind == MockKind::Startled && placement.code().to_bytes() != code =>
            {
                self.board
                    .legal()
                    .find(|&other| Some(other) != best)
                    .or(best)
            }
            _ => best,
        };
        let asked = self.asked;
        self.asked += 1;
        let passes = match self.kind {
            MockKind::OnlyPasses => true,
            MockKind::PassesOn => asked > 0,
            _ => false,
        };
        let best = best.filter(|_| !passes);
        let mv = best.map_or(Move::Pass, Move::Place);
        if mv == Move::Pass {
            let deaf = match self.kind {
                MockKind::ForcedPass => true,
                MockKind::PassesOnce => self.has_passed,
                _ => false,
            };
            self.has_passed = true;
            if deaf && self.first_time() {
                self.hung = true;
                return;
            }
        }
        let code = mv.to_code_bytes();
        if let Some(action) = self.misbehaviour(asked, code) {
            actions.extend(action);
            return;
        }
        self.play(mv);
        actions.push(MockAction::Say(code.to_vec()));
    }

    fn play(&mut self, mv: Move) {
        self.board
            .play(mv)
            .expect("a chosen placement is legal, and a pass always is");
    }

    /// Returns a code that is rejected for a wanted reason in this position.
    fn refused(&self, wanted: impl Fn(duoforge_rules::IllegalMove) -> bool) -> MoveCode {
        let letters = || b"123456789abcde".iter().copied();
        for y in letters() {
            for x in letters() {
                for tile in b'a'..=b'u' {
                    for rotation in b'0'..=b'7' {
                        let code = [x, y, tile, rotation];
                        let placement = Code::from_bytes(code).ok().and_then(Code::placement);
                        let refused = placement.map(|placement| self.board.check(placement.into()));
                        if let Some(Err(reason)) = refused
                            && wanted(reason)
                        {
                            return code;
                        }
                    }
                }
            }
        }
        unreachable!("on a board with few tiles every rule can be broken")
    }
}

#[cfg(test)]
mod tests;
