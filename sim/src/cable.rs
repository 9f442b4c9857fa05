//! A bad serial cable between a host and the board in simulation.

use std::time::Duration;

use duoforge_engine::Rng;
use duoforge_protocol::{BoardParser, GAP, is_blank};

use crate::board::SimBoard;
use crate::error::Result;
use crate::uart::{LineWave, UartDecoder};

/// What happens to the bits between a host and a board.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cable {
    /// Speed of the host's serial line over that of the board's: 1.02 is a host 2 % fast.
    pub speed: f64,
    /// By how much of a bit each edge is displaced at most, in both directions of the line.
    pub jitter: f64,
    /// Pulses on the line to the board for each byte, on average. A pulse inverts the line.
    pub pulses: f64,
    /// Length of a pulse in bits of the host.
    pub pulse: f64,
    /// Share of host codes before which the line to the board breaks for 11 to 60 bits.
    pub breaks: f64,
    /// Of all random choices.
    pub seed: u64,
}

impl Default for Cable {
    /// A good one.
    fn default() -> Self {
        Self {
            speed: 1.0,
            jitter: 0.0,
            pulses: 0.0,
            pulse: 0.1,
            breaks: 0.0,
            seed: 1,
        }
    }
}

/// How long the answers of a board took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Delays {
    /// Answers that came.
    pub answers: u64,
    /// The longest time in the board's clock from the end of the last stop bit of a request to the
    /// end of the last stop bit of its answer.
    pub slowest: Duration,
}

/// A board in simulation at the end of a cable.
#[derive(Debug)]
pub struct CabledBoard {
    board: SimBoard,
    cable: Cable,
    // One for each direction. What happens to a byte does not depend on which others were handed over
    // together with it, since an operating system cuts up what a host sends as it likes.
    to_board: Rng,
    to_host: Rng,
    codes: BoardParser,
    delays: Delays,
}

impl CabledBoard {
    /// Connects a board.
    pub fn new(board: SimBoard, cable: Cable) -> Self {
        let [to_board, to_host] = rngs(&cable);
        Self {
            board,
            cable,
            to_board,
            to_host,
            codes: BoardParser::new(),
            delays: Delays::default(),
        }
    }

    /// Exchanges the cable.
    pub fn set_cable(&mut self, cable: Cable) {
        self.cable = cable;
        [self.to_board, self.to_host] = rngs(&cable);
    }

    /// The board.
    pub fn board(&mut self) -> &mut SimBoard {
        &mut self.board
    }

    /// How long the answers took so far.
    pub fn delays(&self) -> Delays {
        self.delays
    }

    /// Sends bytes as the host's line has them, waits until the board rests, and returns what the
    /// host makes of what it sent: a byte without a stop bit is read as 0, as serial drivers do.
    ///
    /// # Errors
    /// Those of a model that failed.
    pub fn exchange(&mut self, bytes: &[u8]) -> Result<Vec<u8>> {
        let wave = self.wave_of(bytes);
        self.board.record_line()?;
        self.board.play(&wave)?;
        let sent = self.board.clocks();
        self.board.rest()?;
        let steps = self.board.take_line()?;
        let received = self.heard(&steps);
        if let Some(last) = received.last()
            && bytes.iter().any(|&byte| !is_blank(byte))
        {
            let clocks = steps.start + last.end;
            let delay = self.board.span(clocks.saturating_sub(sent));
            self.delays.answers += 1;
            self.delays.slowest = self.delays.slowest.max(delay);
        }
        let bytes = received.iter().map(|received| match received.framed {
            true => received.byte,
            false => 0,
        });
        Ok(bytes.collect())
    }

    /// The host was silent for longer than [`GAP`].
    ///
    /// # Errors
    /// Those of a model that failed.
    pub fn gap(&mut self) -> Result<()> {
        self.codes.gap();
        self.board.idle(GAP + GAP / 10)
    }

    /// Clocks of the board for a bit of the host.
    fn bit(&self) -> f64 {
        self.board.divisor() as f64 / self.cable.speed
    }

    fn wave_of(&mut self, bytes: &[u8]) -> LineWave {
        let (cable, bit) = (self.cable, self.bit());
        let mut wave = LineWave::new(bit);
        wave.idle(1.0);
        for &byte in bytes {
            let random = &mut self.to_board;
            wave.jitter(cable.jitter * bit, u64::from(random.next_u32()));
            if self.codes.is_idle() && !is_blank(byte) && chance(random, cable.breaks) {
                wave.line_break(11.0 + 49.0 * unit(random)).idle(1.0);
            }
            self.codes.feed(byte);
            let first = wave.clocks() as f64;
            wave.byte(byte);
            let more = chance(random, cable.pulses.fract());
            for _ in 0..cable.pulses as u32 + u32::from(more) {
                // Up to the middle of the stop bit: the line is judged no longer.
                let at = first + unit(random) * 9.5 * bit;
                wave.disturb(at, cable.pulse * bit);
            }
        }
        wave
    }

    fn heard(&mut self, line: &Recorded) -> Vec<crate::uart::Received> {
        let mut wave = LineWave::new(self.board.divisor() as f64);
        let bit = self.bit();
        if line.steps.iter().any(|&(level, _)| !level) {
            let seed = u64::from(self.to_host.next_u32());
            wave.jitter(self.cable.jitter * bit, seed);
        }
        for &(level, clocks) in &line.steps {
            wave.level_for(level, clocks as f64);
        }
        UartDecoder::read(&wave, bit)
    }
}

fn rngs(cable: &Cable) -> [Rng; 2] {
    [Rng::new(cable.seed), Rng::new(!cable.seed)]
}

fn unit(random: &mut Rng) -> f64 {
    f64::from(random.next_u32()) / f64::from(u32::MAX)
}

fn chance(random: &mut Rng, probability: f64) -> bool {
    unit(random) < probability
}

/// What a board has put on its line: from which clock on, and each level with its clocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recorded {
    /// The clock at which the record begins.
    pub start: u64,
    /// Levels in their order and for how many clocks each is held.
    pub steps: Vec<(bool, u64)>,
}
