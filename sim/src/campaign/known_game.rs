//! One decision of a known game, by the simulated pattern player and by its twin.

use std::path::{Path, PathBuf};

use duoforge_hdl::pattern::{cycles, scan};
use duoforge_protocol::StartCell;
use duoforge_rules::{Move, Orientation, Placement};
use duoforge_twin::PolicyMaps;

use super::Campaign;
use super::pair::{Checked, Lockstep, Mismatch};
use crate::error::Result;
use crate::simulator::Options;
use crate::waves::{Views, Wave, WaveFormat, complete};

/// Moves of a game of the contest, and one decision of the player that is to be compared.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownGame {
    /// Moves from the empty board.
    pub moves: Vec<Move>,
    /// Start cell of the player that moves first.
    pub start: StartCell,
    /// Number of moves before the decision, at most that of the moves. The player made every second
    /// move before it.
    pub ply: usize,
}

/// Decision as one of both made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decided {
    /// Own legal placements with their scores, in scan order.
    pub placements: Vec<(Placement, u16)>,
    /// Number of legal placements that it counted.
    pub legal_count: u32,
    /// Reply as text: the code of the move.
    pub reply: String,
    /// Cycles from the prompt to the decision.
    pub cycles: u32,
}

impl Decided {
    /// Score of the placement that was chosen; `None` for a pass.
    #[must_use]
    pub fn score(&self) -> Option<u16> {
        let chosen = self
            .placements
            .iter()
            .find(|(placement, _)| Move::Place(*placement).to_string() == self.reply);
        chosen.map(|(_, score)| *score)
    }
}

/// Decision of the hardware and of its twin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Comparison {
    /// Decision of the twin.
    pub twin: Decided,
    /// Decision of the simulated hardware.
    pub hardware: Decided,
    /// First mismatch.
    pub mismatch: Option<Mismatch>,
}

/// Outcome of following a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Followed {
    /// The decision was reached.
    Compared(Box<Comparison>, Option<Wave>),
    /// The simulated player chose another move than the game has, so that the decision cannot be
    /// reached.
    Deviated {
        /// Number of moves before the deviation.
        ply: usize,
        /// Move of the simulated player.
        chosen: String,
        /// Move of the game.
        played: Move,
    },
    /// Hardware and twin differ before the decision.
    Mismatched(Mismatch),
    /// The caller stopped it.
    Stopped,
}

impl Campaign {
    /// Follows a known game to a decision of the pattern player, and compares the decision. A
    /// waveform begins before the prompt; it is a FST file if its extension is `fst`, otherwise VCD.
    ///
    /// # Errors
    /// Errors of building and running the model, and of the file.
    ///
    /// # Panics
    /// If the ply is after the moves.
    pub fn follow(
        &self,
        game: &KnownGame,
        wave: Option<&Path>,
        mut stops: impl FnMut() -> bool,
    ) -> Result<Followed> {
        assert!(game.ply <= game.moves.len(), "a decision in the game");
        let options = Options {
            wave: wave.is_some(),
            ..self.options.clone()
        };
        let mut device = self.open(&options)?;
        let views = wave.map(|_| Views::new(self.backend, &device.simulator().ports()));
        let mut pair = self.pair(&mut device);
        if let Some(mismatch) = pair.ask(0, b"0")?.mismatch {
            return Ok(Followed::Mismatched(mismatch));
        }
        for ply in (game.ply % 2..=game.ply).step_by(2) {
            if stops() {
                return Ok(Followed::Stopped);
            }
            let is_last = ply == game.ply;
            if let Some(wave) = wave.filter(|_| is_last) {
                pair.board.wave(&vcd(wave))?;
            }
            let checked = pair.ask(ply, &game.prompt(ply))?;
            if is_last {
                let comparison = pair.comparison(checked);
                let wave = match (wave, &views) {
                    (Some(wave), Some(views)) => {
                        device.simulator().wave_stop()?;
                        Some(complete(&vcd(wave), WaveFormat::of(wave), views)?)
                    }
                    _ => None,
                };
                return Ok(Followed::Compared(Box::new(comparison), wave));
            }
            if let Some(mismatch) = checked.mismatch {
                return Ok(Followed::Mismatched(mismatch));
            }
            let played = game.moves[ply];
            if checked.answer.bytes != played.to_code_bytes() {
                return Ok(Followed::Deviated {
                    ply,
                    chosen: checked.answer.bytes.escape_ascii().to_string(),
                    played,
                });
            }
        }
        unreachable!("the last ply returns")
    }
}

/// File that the simulator writes.
fn vcd(file: &Path) -> PathBuf {
    file.with_extension("vcd")
}

impl KnownGame {
    /// Prompt for the move at a ply.
    fn prompt(&self, ply: usize) -> Vec<u8> {
        let last = ply
            .checked_sub(1)
            .map(|last| self.moves[last].to_code_bytes());
        match (ply, last) {
            (1, Some(code)) => [&[b'3', self.start.other().letter()], &code[..]].concat(),
            (_, Some(code)) => [b"4", &code[..]].concat(),
            (_, None) => vec![b'2', self.start.letter()],
        }
    }
}

impl Lockstep<'_> {
    fn comparison(&self, checked: Checked) -> Comparison {
        let raw = |&(orientation, x, y): &(u8, u8, u8)| {
            let orientation = Orientation::from_index(orientation.into())?;
            Some(Placement { orientation, x, y })
        };
        let trace = &checked.trace;
        // The opponent's placements are scanned first.
        let own = trace.scores.iter().skip(trace.opponent.len());
        let traced = trace.own.iter().zip(own);
        let hardware = Decided {
            placements: traced
                .filter_map(|(placement, score)| Some((raw(placement)?, *score)))
                .collect(),
            legal_count: checked.status.legal_count,
            reply: checked.answer.bytes.escape_ascii().to_string(),
            cycles: checked.status.think_cycles,
        };
        let decision = checked.decision.as_ref();
        let placements = decision.map(|decision| {
            let position = &decision.position;
            let maps = PolicyMaps::new(position, position.to_move());
            let scored = scan::twin(position).into_iter();
            scored
                .map(|placement| (placement, self.policy.score(&maps, placement)))
                .collect::<Vec<_>>()
        });
        let choice = decision.and_then(|decision| decision.choice.as_ref());
        let twin = Decided {
            placements: placements.unwrap_or_default(),
            legal_count: decision.map_or(0, |decision| decision.position.count_legal()),
            reply: choice
                .map_or(Move::Pass, |choice| Move::Place(choice.placement))
                .to_string(),
            cycles: decision.map_or(0, cycles::request),
        };
        Comparison {
            twin,
            hardware,
            mismatch: checked.mismatch,
        }
    }
}
