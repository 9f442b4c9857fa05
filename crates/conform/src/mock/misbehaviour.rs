//! Actions of mocks in place of a correct reply.

use std::time::Duration;

use duoforge_protocol::{MoveCode, PASS};
use duoforge_rules::{IllegalMove, Move};

use super::{Mock, MockAction, MockKind};

/// Index of the move, from 0, at which most mocks show their fault.
const THIRD: usize = 2;

/// Delay of an unsolicited byte after a reply.
const MOMENT: Duration = Duration::from_millis(5);

impl Mock {
    /// Returns the actions in place of move number `asked` (from 0), whose correct code is `code`.
    pub(super) fn misbehaviour(&mut self, asked: usize, code: MoveCode) -> Option<Vec<MockAction>> {
        use MockKind as Kind;
        let say = |bytes: &[u8]| Some(vec![MockAction::Say(bytes.to_vec())]);
        let number = match self.kind {
            Kind::PassFirst | Kind::StartCell => 0,
            Kind::PassEarly => 3,
            _ => THIRD,
        };
        let always = matches!(self.kind, Kind::Crash | Kind::Vanish | Kind::Stall);
        if self.games > 0 && !always {
            return None;
        }
        // A forced pass cannot show these faults.
        if asked != number || code == PASS {
            return None;
        }
        match self.kind {
            Kind::Crash => Some(vec![MockAction::Crash]),
            Kind::Vanish => Some(vec![
                MockAction::Say(code[..2].to_vec()),
                MockAction::HangUp,
            ]),
            Kind::Stall => {
                self.hung = true;
                Some(Vec::new())
            }
            Kind::BreakOff => {
                self.hung = true;
                say(&code[..3])
            }
            Kind::Trickle => {
                self.accept(code);
                let wait = self.limit * 45 / 100;
                let letters = code.iter().enumerate().flat_map(|(i, &letter)| {
                    let wait = (i > 0).then_some(MockAction::Wait(wait));
                    wait.into_iter().chain([MockAction::Say(vec![letter])])
                });
                Some(letters.collect())
            }
            Kind::Late => {
                self.accept(code);
                Some(vec![
                    MockAction::Wait(self.limit * 13 / 10),
                    MockAction::Say(code.to_vec()),
                ])
            }
            Kind::Capitals => {
                self.accept(code);
                say(&code.to_ascii_uppercase())
            }
            Kind::Spaces => {
                self.accept(code);
                say(&[code[0], code[1], b' ', code[2], code[3]])
            }
            Kind::FifthLetter => {
                self.accept(code);
                say(&[&code[..], b"!"].concat())
            }
            Kind::Unsolicited => {
                self.accept(code);
                Some(vec![
                    MockAction::Say(code.to_vec()),
                    MockAction::Wait(MOMENT),
                    MockAction::Say(b"!".to_vec()),
                ])
            }
            Kind::Control => say(&[code[0], code[1], 0xeb, code[3]]),
            Kind::Malformed => say(&[b'z', code[1], code[2], code[3]]),
            Kind::PassFirst | Kind::PassEarly => {
                self.accept(PASS);
                say(&PASS)
            }
            Kind::OffBoard => self.illegal(|reason| reason == IllegalMove::OffBoard),
            Kind::Overlap => self.illegal(|reason| matches!(reason, IllegalMove::Occupied { .. })),
            Kind::Edge => self.illegal(|reason| matches!(reason, IllegalMove::EdgeContact { .. })),
            Kind::NoCorner => self.illegal(|reason| reason == IllegalMove::NoCornerContact),
            Kind::UsedTile => self.illegal(|reason| matches!(reason, IllegalMove::TileUsed { .. })),
            Kind::StartCell => {
                self.illegal(|reason| matches!(reason, IllegalMove::StartCellMissed { .. }))
            }
            _ => None,
        }
    }

    fn accept(&mut self, code: MoveCode) {
        let mv = Move::from_code_bytes(code).expect("it is the code of a move");
        self.play(mv);
    }

    fn illegal(&mut self, wanted: impl Fn(IllegalMove) -> bool) -> Option<Vec<MockAction>> {
        let code = self.refused(wanted);
        self.play(Move::Pass);
        Some(vec![MockAction::Say(code.to_vec())])
    }
}
