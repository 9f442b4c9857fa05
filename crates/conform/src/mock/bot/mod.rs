//! Text bots with one specific fault each, and correct ones.
//!
//! They show that the checks of text bots distinguish all kinds of faults. The program `mock_bot`
//! runs them on standard input and output.

mod kind;
mod program;

use std::time::Duration;

use duoforge_rules::{Colour, Game, GameVariant, Move};
use serde_json::Value;

pub use kind::BotMockKind;
pub use program::main;

/// Index of the request, from 0, at which faults of answers show: later than most checks ask.
const EIGHTH: usize = 7;

/// Index of the request, from 0, at which faults of moves show.
const THIRD: usize = 2;

/// Length of a log that the referee does not keep whole, in bytes.
const FLOOD: usize = 2 << 20;

/// Action of a text bot.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BotMockAction {
    /// Writes a line and flushes it.
    Say(String),
    /// Writes a line when the input ends.
    HoldBack(String),
    /// Writes this number of bytes to standard error.
    Log(usize),
    /// Waits.
    Wait(Duration),
    /// Ends the program.
    Exit {
        /// Exit status.
        status: u8,
        /// Last line on standard error.
        log: &'static str,
    },
}

/// Text bot with one specific fault.
#[derive(Debug)]
pub struct BotMock {
    kind: BotMockKind,
    game: Game,
    state: Option<Value>,
    is_ready: bool,
    /// Number of requests.
    asked: usize,
    /// First own move, and the last one with its ply.
    first: Option<Move>,
    last: Option<(usize, Move)>,
}

impl BotMock {
    /// Creates a bot that has read nothing.
    #[must_use]
    pub fn new(kind: BotMockKind) -> Self {
        Self {
            kind,
            game: Game::new(&GameVariant::DUO),
            state: None,
            is_ready: false,
            asked: 0,
            first: None,
            last: None,
        }
    }

    /// Returns the actions at the start of the program.
    #[must_use]
    pub fn begin(&self) -> Vec<BotMockAction> {
        match self.kind {
            BotMockKind::Eager => vec![say("ready")],
            BotMockKind::NoStart => vec![exit("no model")],
            _ => Vec::new(),
        }
    }

    /// Takes a line and returns the actions.
    pub fn hear(&mut self, line: &str) -> Vec<BotMockAction> {
        let words: Vec<_> = line.split_whitespace().collect();
        match words[..] {
            [] => Vec::new(),
            ["settings", key, ref values @ ..] => self.setting(key, values),
            ["action", "warmup", _] => self.warm_up(),
            ["update", "game", "moves", ref codes @ ..] => self.moves(codes),
            ["update", "game", "state", ..] => self.state(line),
            ["action", "move", left] => self.turn(left.parse().unwrap_or_default()),
            ["quit"] if self.kind == BotMockKind::Stays => Vec::new(),
            ["quit"] => vec![BotMockAction::Exit { status: 0, log: "" }],
            _ => match self.kind {
                BotMockKind::UnknownLine => vec![exit("unknown line")],
                BotMockKind::Complains if self.is_ready => vec![say("? unknown line")],
                _ => Vec::new(),
            },
        }
    }

    fn setting(&mut self, key: &str, values: &[&str]) -> Vec<BotMockAction> {
        match (key, values) {
            ("variant", [name]) => {
                if self.kind == BotMockKind::DuoOnly && *name != "duo" {
                    return vec![exit("this bot plays duo only")];
                }
                match GameVariant::named(name) {
                    Some(variant) => self.game = Game::new(variant),
                    None => return vec![exit("unknown variant")],
                }
            }
            ("timebank" | "move_time" | "your_seat" | "starts", _) => {}
            _ if self.kind == BotMockKind::UnknownSetting => return vec![exit("unknown setting")],
            _ => {}
        }
        Vec::new()
    }

    fn warm_up(&mut self) -> Vec<BotMockAction> {
        self.is_ready = true;
        match self.kind {
            BotMockKind::NotReady => Vec::new(),
            BotMockKind::Asks => vec![say("settings state json"), say("ready")],
            _ => vec![say("ready")],
        }
    }

    fn moves(&mut self, codes: &[&str]) -> Vec<BotMockAction> {
        let mut game = Game::new(self.game.variant());
        for code in codes {
            let mv: Result<Move, _> = code.parse();
            if !mv.is_ok_and(|mv| game.play(mv).is_ok()) {
                return vec![exit("illegal move in the list")];
            }
        }
        if let Some((ply, mv)) = self.last.filter(|_| self.kind == BotMockKind::Stubborn)
            && game.plies().get(ply).map(|played| played.mv) != Some(mv)
        {
            return vec![exit("that was not my move")];
        }
        let is_new = self.asked == 0 && codes.len() > 1 && !game.is_pass_forced();
        if !(is_new && self.kind == BotMockKind::NeedsStart) {
            self.game = game;
        }
        Vec::new()
    }

    fn state(&mut self, line: &str) -> Vec<BotMockAction> {
        match self.kind {
            BotMockKind::NoState => return vec![exit("unexpected state")],
            BotMockKind::Asks => {
                let json = line.splitn(4, ' ').nth(3).unwrap_or_default();
                self.state = serde_json::from_str(json).ok();
            }
            _ => {}
        }
        Vec::new()
    }

    /// Answers a request; `left` is the time left in milliseconds.
    fn turn(&mut self, left: u64) -> Vec<BotMockAction> {
        use BotMockKind as Kind;
        let asked = self.asked;
        self.asked += 1;
        if self.game.is_over() {
            return vec![exit("asked after the end of the game")];
        }
        let mv = self.policy();
        let answer = self.written(mv);
        let repeated = self.first.map(|mv| mv.to_string());
        self.first.get_or_insert(mv);
        self.last = Some((self.game.plies().len(), mv));
        let code = mv.to_string();
        match (self.kind, asked) {
            (Kind::Crash, EIGHTH) => vec![exit("the table is broken")],
            (Kind::Mute, EIGHTH) => Vec::new(),
            (Kind::Unflushed, EIGHTH) => vec![BotMockAction::HoldBack(answer)],
            (Kind::Late, EIGHTH) => {
                let time = Duration::from_millis(left + left / 5);
                vec![BotMockAction::Wait(time), BotMockAction::Say(answer)]
            }
            (Kind::Twice, EIGHTH) => vec![say(&answer), say(&answer)],
            (Kind::Floods, EIGHTH) => vec![BotMockAction::Log(FLOOD), say(&answer)],
            (Kind::AsksLate, 0) => vec![say("settings state json"), say(&answer)],
            (Kind::Illegal, THIRD) => vec![say(&repeated.unwrap_or(answer))],
            (Kind::Capitals, THIRD) => vec![say(&code.to_ascii_uppercase())],
            (Kind::Word, THIRD) => vec![say("resign")],
            (Kind::Number, THIRD) => vec![say(&(self.game.actions().len() + 1).to_string())],
            (Kind::NoPass, _) if self.game.is_pass_forced() => Vec::new(),
            _ => vec![say(&answer)],
        }
    }

    /// First legal placement of the largest tile; a pass without any.
    fn policy(&self) -> Move {
        let legal = match self.game.seat_to_move() {
            Some(seat) if self.kind == BotMockKind::SeatIsColour => {
                self.game.placements_of(Colour(seat.0))
            }
            _ => self.game.legal(),
        };
        let largest = legal.iter().map(|placement| placement.tile().size()).max();
        let found = legal
            .iter()
            .find(|placement| Some(placement.tile().size()) == largest);
        found.map_or(Move::Pass, |&placement| Move::Place(placement))
    }

    fn written(&self, mv: Move) -> String {
        match self.kind {
            BotMockKind::Numbers => {
                let number = self.game.actions().number(mv);
                format!("{} largest tile", number.unwrap_or_default())
            }
            BotMockKind::Asks => {
                let codes = self.state.as_ref().map(|state| &state["legal"]["codes"]);
                let code = codes.and_then(|codes| codes[0].as_str());
                code.unwrap_or("no state").to_owned()
            }
            _ => mv.to_string(),
        }
    }
}

fn say(line: &str) -> BotMockAction {
    BotMockAction::Say(line.to_owned())
}

const fn exit(log: &'static str) -> BotMockAction {
    BotMockAction::Exit { status: 3, log }
}

#[cfg(test)]
mod tests;
