//! One game against an opponent whose moves are random or the policy's.

use std::path::Path;
use std::time::{Duration, Instant};

use duoforge_protocol::{MoveCode, StartCell};
use duoforge_rules::{
    Cell, Code, Colour, DuoBoard, Move, Orientation, Placement, Rotation, Variant,
};
use duoforge_twin::Rng;

use super::pair::{Lockstep, Mismatch, looked_up};
use crate::error::Result;
use crate::waves::Wave;

/// Result of a game.
#[derive(Clone, Debug)]
pub struct GameReport {
    /// Seed of the game.
    pub seed: u64,
    /// Number of move prompts whose replies were compared.
    pub plies: u64,
    /// Number of times that bytes were sent, from the `0` on.
    pub exchanges: u64,
    /// Number of compared legal sets.
    pub legal_sets: u64,
    /// Longest reply delay, in cycles from the last stop bit of a prompt to the first start bit of
    /// its reply.
    pub longest_delay: u64,
    /// Simulated cycles.
    pub cycles: u64,
    /// Moves of the game as four-letter codes.
    pub codes: Vec<String>,
    /// First mismatch.
    pub mismatch: Option<Mismatch>,
    /// Waveform of the failed game, if requested.
    pub wave: Option<Wave>,
    /// Wall-clock time of the game.
    pub wall: Duration,
}

impl Lockstep<'_> {
    /// Plays a complete game against an opponent whose moves depend on the seed. The game ends at
    /// the first mismatch.
    ///
    /// # Errors
    /// Errors of the model.
    pub fn play(&mut self, seed: u64) -> Result<GameReport> {
        self.play_recorded(seed, None)
    }

    /// Plays a game as [`play`](Self::play) does. A waveform starts before the exchange with the
    /// given number, from 0.
    pub(super) fn play_recorded(
        &mut self,
        seed: u64,
        wave: Option<(&Path, u64)>,
    ) -> Result<GameReport> {
        let started = Instant::now();
        let before = self.board.cycles();
        let mut game = Game {
            pair: self,
            rng: Rng::new(seed),
            wave,
            report: GameReport {
                seed,
                plies: 0,
                exchanges: 0,
                legal_sets: 0,
                longest_delay: 0,
                cycles: 0,
                codes: Vec::new(),
                mismatch: None,
                wave: None,
                wall: Duration::ZERO,
            },
        };
        game.run()?;
        let mut report = game.report;
        report.cycles = self.board.cycles() - before;
        report.wall = started.elapsed();
        Ok(report)
    }
}

struct Game<'p, 'b> {
    pair: &'p mut Lockstep<'b>,
    rng: Rng,
    /// File of a waveform, and the exchange at which it starts.
    wave: Option<(&'p Path, u64)>,
    report: GameReport,
}

impl Game<'_, '_> {
    fn run(&mut self) -> Result<()> {
        let start = if self.rng.below(2) == 0 {
            StartCell::Five
        } else {
            StartCell::A
        };
        let me = Colour(self.rng.below(2) as u8);
        // Number of opponent moves in four that are random, from 1 to 4. The others are the
        // policy's best placements. The opponent's first move is always random, so that games
        // differ.
        let wildness = 1 + self.rng.below(4);
        let cell = |start: StartCell| {
            let (x, y) = start.coordinates();
            Cell::new(x, y)
        };
        let mut starts = [cell(start.other()); 2];
        starts[me.index()] = cell(start);
        let mut host = DuoBoard::with_starts(&Variant::DUO, &starts);
        if !self.ask(0, b"0")? {
            return Ok(());
        }
        let mut opponent: Option<MoveCode> = None;
        let mut asked = false;
        while !host.is_over() {
            if host.to_move() == me {
                let request = match (asked, opponent) {
                    (false, None) => vec![b'2', start.letter()],
                    (false, Some(code)) => [&[b'3', start.letter()], &code[..]].concat(),
                    (true, code) => [b"4", &code.expect("the opponent has moved")[..]].concat(),
                };
                asked = true;
                if !self.ask(host.ply(), &request)? {
                    return Ok(());
                }
                let choice = self
                    .pair
                    .twin
                    .decision()
                    .and_then(|decision| decision.choice);
                let mv = choice.map_or(Move::Pass, |choice| Move::Place(choice.placement));
                self.make(&mut host, mv);
            } else {
                let mv = self.opponent_move(&host, wildness);
                opponent = Some(self.code_of(mv));
                self.make(&mut host, mv);
            }
        }
        self.ask(host.ply(), b"9")?;
        Ok(())
    }

    fn make(&mut self, host: &mut DuoBoard, mv: Move) {
        let code = mv.to_code_bytes();
        self.report
            .codes
            .push(String::from_utf8_lossy(&code).into_owned());
        host.play(mv).expect("both sides play legal moves");
    }

    fn opponent_move(&mut self, host: &DuoBoard, wildness: u32) -> Move {
        let count = host.count_legal();
        if count == 0 {
            return Move::Pass;
        }
        if host.ply() >= 2 && self.rng.below(4) >= wildness {
            let choice = self
                .pair
                .policy
                .best(host)
                .expect("there are legal placements");
            return Move::Place(choice.placement);
        }
        let pick = self.rng.below(count) as usize;
        host.legal().nth(pick).map_or(Move::Pass, Move::Place)
    }

    /// Returns a random alias of the move: the device must accept every alias.
    fn code_of(&mut self, mv: Move) -> MoveCode {
        let Move::Place(placement) = mv else {
            return mv.to_code_bytes();
        };
        let aliases = aliases(placement);
        aliases[self.rng.below(aliases.len() as u32) as usize]
    }

    /// Sends bytes to the device and to the twin. Returns true if everything matched.
    fn ask(&mut self, ply: usize, request: &[u8]) -> Result<bool> {
        if let Some((file, from)) = self.wave
            && from == self.report.exchanges
        {
            self.pair.board.wave(file)?;
        }
        self.report.exchanges += 1;
        let checked = self.pair.ask(ply, request)?;
        if let Some(decision) = &checked.decision {
            let delay = checked.answer.delay.unwrap_or(0);
            self.report.plies += 1;
            if !self.pair.searches() {
                self.report.legal_sets += 1 + u64::from(looked_up(decision).is_some());
            }
            self.report.longest_delay = self.report.longest_delay.max(delay);
        }
        self.report.mismatch = checked.mismatch;
        Ok(self.report.mismatch.is_none())
    }
}

/// Returns all codes of a placement.
fn aliases(placement: Placement) -> Vec<MoveCode> {
    let rotations = Rotation::ALL.into_iter();
    let tile = placement.tile();
    rotations
        .filter(|&rotation| {
            Orientation::from_tile_rotation(tile, rotation) == placement.orientation
        })
        .map(|rotation| {
            let back = Orientation::back(tile, rotation);
            let (x, y) = (placement.x + back.x, placement.y + back.y);
            Code {
                x,
                y,
                tile,
                rotation,
            }
            .to_bytes()
        })
        .collect()
}
