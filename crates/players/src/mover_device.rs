//! Protocol end of players that choose moves.

use duoforge_protocol::{
    ByteDevice, DeviceEvent, DeviceSession, Frame, MoveCode, StartCell, TeamCode,
};
use duoforge_referee::{Seat, Setup};
use duoforge_rules::{DuoBoard, Move, Variant};

use crate::{MoveError, Mover};

/// Device in software that plays the moves of a [`Mover`].
///
/// A malformed or illegal move of the opponent counts as a pass, as in the hardware player.
#[derive(Debug)]
pub struct MoverDevice<M> {
    mover: M,
    session: DeviceSession,
    board: DuoBoard,
}

impl<M: Mover> MoverDevice<M> {
    /// Creates a device in its power-on state.
    #[must_use]
    pub fn new(mover: M, team: TeamCode) -> Self {
        Self {
            mover,
            session: DeviceSession::new(team),
            board: DuoBoard::new(&Variant::ENDLESS_DUO),
        }
    }

    fn begin(&mut self, start: StartCell, second: bool) {
        let setup = Setup {
            first: if second { Seat::Two } else { Seat::One },
            start,
        };
        self.board = DuoBoard::with_starts(&Variant::ENDLESS_DUO, &setup.start_cells());
        self.mover.begin();
    }

    fn answer(&mut self, opponent: Option<MoveCode>) -> Result<Frame, MoveError> {
        if let Some(code) = opponent {
            let mv = Move::from_code_bytes(code).unwrap_or(Move::Pass);
            if self.board.play(mv).is_err() {
                self.play(Move::Pass);
            }
        }
        let code = self.mover.choose_code(&self.board)?;
        self.play(Move::from_code_bytes(code).unwrap_or(Move::Pass));
        let frame = self.session.answer(code);
        Ok(frame.expect("the session has just asked for a move"))
    }

    fn play(&mut self, mv: Move) {
        // A person may insist on an illegal move. The referee then ends the game, so the position
        // no longer matters.
        let _ = self.board.play(mv);
    }
}

impl<M: Mover> ByteDevice for MoverDevice<M> {
    type Error = MoveError;

    fn receive(&mut self, byte: u8) -> Result<Option<Frame>, MoveError> {
        let step = self.session.feed(byte);
        match step.event {
            Some(DeviceEvent::Reset) => {
                self.mover.prepare()?;
                Ok(step.send)
            }
            Some(DeviceEvent::End) => {
                self.mover.end();
                Ok(step.send)
            }
            Some(DeviceEvent::Begin { start, opponent }) => {
                self.begin(start, opponent.is_some());
                self.answer(opponent).map(Some)
            }
            Some(DeviceEvent::Turn { opponent }) => self.answer(Some(opponent)).map(Some),
            _ => Ok(step.send),
        }
    }

    fn on_silence(&mut self) {
        self.session.on_silence();
    }
}
