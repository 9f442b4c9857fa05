//! Games in which the host plays the opponent's side.

use std::time::Duration;

use duoforge_protocol::{HostCode, MoveCode, PASS, StartCell};
use duoforge_referee::{MoveJudge, Refusal, Seat, Setup};
use duoforge_rules::{Colour, DuoBoard, IllegalMove, Move};

use crate::Fault;
use crate::conversation::Conversation;
use crate::device::{CheckError, Pacing};
use crate::opponent::Opponent;

/// Parameters of a game.
pub struct Script<'a> {
    /// Start cell of the device.
    pub start: StartCell,
    /// True if the opponent moves first.
    pub second: bool,
    /// The opponent.
    pub opponent: &'a mut dyn Opponent,
    /// Pacing of the prompts.
    pub shape: Pacing,
    /// Silence before each prompt except the first.
    pub before: Duration,
    /// Silence after each reply, in which no byte may arrive.
    pub after: Duration,
    /// Maximum number of moves; then the host ends the game, as after an opponent's violation.
    pub most: usize,
    /// Condition on which the host ends the game early.
    pub until: Until,
}

/// Condition on which a game ends early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Until {
    /// Never.
    End,
    /// The device must pass.
    DevicePasses,
    /// The device has made a forced pass.
    Passed,
    /// Either side must pass.
    Pass,
}

impl<'a> Script<'a> {
    /// Creates a script of a whole game.
    pub fn new(start: StartCell, second: bool, opponent: &'a mut dyn Opponent) -> Self {
        Self {
            start,
            second,
            opponent,
            shape: Pacing::Whole,
            before: Duration::ZERO,
            after: Duration::ZERO,
            most: usize::MAX,
            until: Until::End,
        }
    }

    /// Creates a script of a game that the host ends after some moves.
    pub fn short(
        start: StartCell,
        second: bool,
        opponent: &'a mut dyn Opponent,
        most: usize,
    ) -> Self {
        Self {
            most,
            until: Until::Pass,
            ..Self::new(start, second, opponent)
        }
    }
}

/// Game played so far.
pub struct Played {
    judge: MoveJudge,
    /// Colour of the device.
    pub device: Colour,
    /// All moves as sent on the wire.
    pub codes: Vec<MoveCode>,
    /// Number of forced passes of the device.
    pub forced: usize,
    /// Number of forced passes of the device that followed another of its passes.
    pub forced_again: usize,
    /// Number of tiles that the device placed right after a pass of the opponent.
    pub alone: usize,
    /// First voluntary pass of the device.
    pub early_pass: Option<Fault>,
}

impl Played {
    /// Current position.
    pub fn board(&self) -> &DuoBoard {
        self.judge.board()
    }

    /// True if a colour has placed all its tiles.
    pub fn has_placed_all(&self, player: Colour) -> bool {
        self.board().tiles_left(player).is_empty()
    }

    /// Colour of the opponent.
    pub const fn opponent(&self) -> Colour {
        Colour(1 - self.device.0)
    }

    /// Moves as text.
    pub fn list(&self) -> String {
        list(&self.codes)
    }
}

/// Formats moves, separated by blanks.
pub fn list(codes: &[MoveCode]) -> String {
    let codes: Vec<_> = codes
        .iter()
        .map(|code| code.escape_ascii().to_string())
        .collect();
    codes.join(" ")
}

impl Conversation {
    /// Plays a game from `0` to `9`. A fault that breaks the conversation ends it; other faults are
    /// recorded.
    pub fn play(&mut self, script: Script<'_>) -> Result<Played, CheckError> {
        self.handshake()?;
        let played = self.moves(script)?;
        self.end()?;
        Ok(played)
    }

    /// Plays the moves of a game, without `0` and `9`.
    pub fn moves(&mut self, script: Script<'_>) -> Result<Played, CheckError> {
        let setup = Setup {
            first: if script.second { Seat::Two } else { Seat::One },
            start: script.start,
        };
        let mut played = Played {
            judge: MoveJudge::new(setup),
            device: Colour(script.second.into()),
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
                let code = script.opponent.choose(played.board());
                let accepted = played.judge.play(code)?;
                assert!(
                    accepted.is_ok(),
                    "the opponent plays legal moves: {accepted:?}"
                );
                played.codes.push(code);
            }
        }
        Ok(played)
    }

    /// Prompts the device for its next move and checks the move.
    fn ask(
        &mut self,
        played: &mut Played,
        script: &Script<'_>,
        must_pass: bool,
    ) -> Result<(), CheckError> {
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
                if reason == IllegalMove::PassOnFirstTurn {
                    // A pass on the first move is also voluntary.
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

#[cfg(test)]
mod tests {
    use duoforge_players::software;

    use super::*;
    use crate::RunOptions;
    use crate::opponent::Sparring;

    fn conversation() -> Conversation {
        let settings = RunOptions {
            limit: Duration::from_secs(60),
            pause: Duration::ZERO,
            ..RunOptions::default()
        };
        let mut conversation = Conversation::new(software::twin(), settings);
        conversation.handshake().unwrap();
        conversation
    }

    /// The twin repeats its moves, so that both games are equal up to the first pass.
    #[test]
    fn a_short_game_ends_before_a_side_must_pass() {
        for second in [false, true] {
            let (mut one, mut two) = (Sparring::new(1), Sparring::new(1));
            let whole = Script::new(StartCell::Five, second, &mut one);
            let whole = conversation().moves(whole).unwrap();
            let short = Script::short(StartCell::Five, second, &mut two, usize::MAX);
            let short = conversation().moves(short).unwrap();
            assert!(whole.board().is_over() && !short.board().is_over());
            let passed = whole.codes.iter().position(|code| *code == PASS);
            assert_eq!(Some(short.codes.len()), passed);
            assert_eq!(short.codes, whole.codes[..short.codes.len()]);
            assert_eq!(whole.opponent(), whole.device.opponent());
        }
    }
}
