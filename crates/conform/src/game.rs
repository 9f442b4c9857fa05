//! Games in which the host plays the rival's side.

use std::time::Duration;

use duoforge_arena::{Judge, Refusal, Seat, Setup};
use duoforge_protocol::{HostCode, MoveCode, PASS, StartCell};
use duoforge_rules::{DuoBoard, Illegal, Move, Player};

use crate::Fault;
use crate::device::{Shape, Trouble};
use crate::rival::Rival;
use crate::table::Table;

/// How a game shall be played.
pub struct Script<'a> {
    /// Start cell of the device.
    pub start: StartCell,
    /// Whether the rival moves first.
    pub second: bool,
    /// The rival.
    pub rival: &'a mut dyn Rival,
    /// How requests are sent.
    pub shape: Shape,
    /// Silence before each request but the first.
    pub before: Duration,
    /// Silence after each answer, in which nothing may come.
    pub after: Duration,
    /// Most moves; then the host ends the game, as it does when a rival breaks a rule.
    pub most: usize,
    /// When the host ends the game before its time.
    pub until: Until,
}

/// When a game ends before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// Never.
    End,
    /// When the device has to pass.
    DevicePasses,
    /// When the device has passed because it had to.
    Passed,
    /// When either side has to pass.
    Pass,
}

impl<'a> Script<'a> {
    /// A game to its end.
    pub fn new(start: StartCell, second: bool, rival: &'a mut dyn Rival) -> Self {
        Self {
            start,
            second,
            rival,
            shape: Shape::Whole,
            before: Duration::ZERO,
            after: Duration::ZERO,
            most: usize::MAX,
            until: Until::End,
        }
    }

    /// A game that the host ends after some moves.
    pub fn short(start: StartCell, second: bool, rival: &'a mut dyn Rival, most: usize) -> Self {
        Self {
            most,
            until: Until::Pass,
            ..Self::new(start, second, rival)
        }
    }
}

/// A game as far as it went.
pub struct Played {
    judge: Judge,
    /// Which side the device has.
    pub device: Player,
    /// All moves as they went over the line.
    pub codes: Vec<MoveCode>,
    /// How often the device passed where it had to.
    pub forced: usize,
    /// How often it was asked again after such a pass and passed again.
    pub forced_again: usize,
    /// How often the rival passed and the device placed a tile then.
    pub alone: usize,
    /// The device's first pass that was not forced.
    pub early_pass: Option<Fault>,
}

impl Played {
    /// The position.
    pub fn board(&self) -> &DuoBoard {
        self.judge.board()
    }

    /// Whether a side has placed all its tiles.
    pub fn has_placed_all(&self, player: Player) -> bool {
        self.board().tiles_left(player).is_empty()
    }

    /// The rival's side.
    pub const fn rival(&self) -> Player {
        Player(1 - self.device.0)
    }

    /// The moves as a list.
    pub fn list(&self) -> String {
        list(&self.codes)
    }
}

/// Moves separated by blanks.
pub fn list(codes: &[MoveCode]) -> String {
    let codes: Vec<_> = codes
        .iter()
        .map(|code| code.escape_ascii().to_string())
        .collect();
    codes.join(" ")
}

impl Table {
    /// Plays a game from `0` to `9`. Faults that break the conversation end it; the others are
    /// kept.
    pub fn play(&mut self, script: Script<'_>) -> Result<Played, Trouble> {
        self.hello()?;
        let played = self.moves(script)?;
        self.end()?;
        Ok(played)
    }

    /// Plays the moves of a game, without `0` and `9`.
    pub fn moves(&mut self, script: Script<'_>) -> Result<Played, Trouble> {
        let setup = Setup {
            first: if script.second { Seat::Two } else { Seat::One },
            start: script.start,
        };
        let mut played = Played {
            judge: Judge::new(setup),
            device: Player(script.second.into()),
            codes: Vec::new(),
            forced: 0,
            forced_again: 0,
            alone: 0,
            early_pass: None,
        };
        while !played.board().is_over() && played.codes.len() < script.most {
            let must_pass = !played.board().has_legal();
            let mine = played.board().to_move() == played.device;
            let stop = match script.until {
                Until::End => false,
                Until::DevicePasses => mine,
                Until::Passed => played.forced > 0,
                Until::Pass => true,
            };
            if stop && (must_pass || script.until == Until::Passed) {
                break;
            }
            if mine {
                self.ask(&mut played, &script, must_pass)?;
            } else {
                let code = script.rival.turn(played.board());
                let accepted = played.judge.play(code)?;
                assert!(
                    accepted.is_ok(),
                    "the rival plays legal moves: {accepted:?}"
                );
                played.codes.push(code);
            }
        }
        Ok(played)
    }

    /// Asks the device for its next move and judges that.
    fn ask(
        &mut self,
        played: &mut Played,
        script: &Script<'_>,
        must_pass: bool,
    ) -> Result<(), Trouble> {
        let last = played.codes.last().copied();
        let request = match (last, played.codes.len()) {
            (None, _) => HostCode::First {
                start: script.start,
            },
            (Some(code), 1) => HostCode::Second {
                start: script.start,
                code,
            },
            (Some(code), _) => HostCode::Turn { code },
        };
        if last.is_some() {
            self.quiet(script.before)?;
        }
        let legal = played.board().count_legal();
        let code = self.request(request, script.shape)?;
        self.quiet(script.after)?;
        match played.judge.play(code)? {
            Ok(Move::Pass) if must_pass => {
                let again = played.codes.len() >= 2 && played.codes[played.codes.len() - 2] == PASS;
                played.forced += 1;
                played.forced_again += usize::from(again);
            }
            Ok(Move::Pass) => {
                let after = played.list();
                let fault = Fault::EarlyPass { legal, after };
                self.early_pass.get_or_insert_with(|| fault.clone());
                played.early_pass.get_or_insert(fault);
            }
            Ok(Move::Place(_)) => played.alone += usize::from(last == Some(PASS)),
            Err(Refusal::Illegal(reason)) => {
                let after = played.list();
                let fault = Fault::Illegal {
                    got: code,
                    reason,
                    after,
                };
                if reason == Illegal::PassOnFirstTurn {
                    // It is not forced either, whatever else it is.
                    self.early_pass.get_or_insert_with(|| fault.clone());
                }
                return Err(fault.into());
            }
            Err(Refusal::Broken(reason)) => return Err(Fault::Code { got: code, reason }.into()),
        }
        played.codes.push(code);
        Ok(())
    }
}
