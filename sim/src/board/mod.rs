//! The whole board in simulation, as something to talk to over its serial line.

mod link;
mod opening;

use std::time::{Duration, Instant};

use crate::cable::Recorded;
use crate::error::Result;
use crate::port::PortId;
use crate::simulator::{ListId, Simulator};
use crate::uart::{self, UartDriver};

/// Clocks after a byte's stop bit within which the player has taken note of it.
const NOTICE: u64 = 32;

/// The player in simulation, from power-up on.
///
/// As a [`Link`](duoforge_protocol::link::Link) it lives in its own time: a deadline is a span from
/// the last sending on, and that span is counted in the board's clocks, however long they take to
/// simulate.
pub struct SimBoard {
    sim: Box<dyn Simulator>,
    uart: UartDriver,
    clock_hz: u32,
    divisor: u64,
    ports: Ports,
    /// Of the pattern player: placements that the scan found, and their scores.
    traces: Option<[ListId; 2]>,
    // Bytes that came but have not been asked for.
    early: Vec<uart::Received>,
    // When something was sent last, on both clocks.
    anchor: (Instant, Duration),
}

struct Ports {
    reset: PortId,
    thinking: PortId,
    status: [PortId; 3],
    legal_count: Option<PortId>,
    simulations: Option<PortId>,
}

/// What the player's status ports say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// A game is on.
    pub playing: bool,
    /// What went wrong since the last `0`; see [`duoforge_hdl::player::Player::flags`].
    pub flags: u8,
    /// Clocks from the last request to the decision about it.
    pub think_clocks: u32,
    /// Own placements that were legal at the last decision of a pattern player; 0 of others.
    pub legal_count: u32,
    /// Simulations of the last decision of a searching player; 0 of others.
    pub simulations: u32,
}

/// A placement as the hardware names it: orientation, and the anchor's column and row.
pub type Spot = (u8, u8, u8);

/// What the scan and the scorer have seen since the trace was taken last.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The rival's legal placements, in the order of the scan.
    pub rival: Vec<Spot>,
    /// Own legal placements, in the order of the scan.
    pub own: Vec<Spot>,
    /// The scores of all of them, in the same order, the rival's first.
    pub scores: Vec<u16>,
}

/// The board's answer to some bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// The bytes that came.
    pub bytes: Vec<u8>,
    /// Clocks from the end of the last stop bit sent to the start bit of the first byte that came.
    pub delay: Option<u64>,
}

impl std::fmt::Debug for SimBoard {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SimBoard")
            .field("backend", &self.sim.backend())
            .field("clocks", &self.sim.clocks())
            .finish_non_exhaustive()
    }
}

impl SimBoard {
    /// The board's own time since power-up.
    pub fn now(&self) -> Duration {
        self.span(self.sim.clocks())
    }

    /// Clocks since power-up.
    pub fn clocks(&self) -> u64 {
        self.sim.clocks()
    }

    /// The simulator under the board, for stimuli of other kinds.
    pub fn simulator(&mut self) -> &mut dyn Simulator {
        &mut *self.sim
    }

    /// Puts a wave on the line to the board: bytes of another speed, glitches, breaks.
    ///
    /// # Errors
    /// Those of a model that failed.
    pub fn play(&mut self, wave: &uart::LineWave) -> Result<()> {
        self.uart.play(&mut *self.sim, wave)
    }

    /// Clocks a bit on the serial line.
    pub fn divisor(&self) -> u64 {
        self.divisor
    }

    /// Sends bytes, waits until the board rests, and returns what it sent.
    ///
    /// # Errors
    /// Those of a model that failed.
    pub fn exchange(&mut self, bytes: &[u8]) -> Result<Answer> {
        let mut wave = uart::LineWave::new(self.divisor as f64);
        wave.bytes(bytes);
        self.answer_to(&wave)
    }

    /// Puts a wave on the line, waits until the board rests, and returns what it sent. The delay
    /// counts from the wave's end.
    ///
    /// # Errors
    /// Those of a model that failed.
    pub fn answer_to(&mut self, wave: &uart::LineWave) -> Result<Answer> {
        self.play(wave)?;
        let sent = self.sim.clocks();
        let received = self.rest()?;
        Ok(Answer {
            bytes: received.iter().map(|received| received.byte).collect(),
            delay: received
                .first()
                .map(|first| first.start.saturating_sub(sent)),
        })
    }

    /// Waits until the board neither thinks nor sends, at most two seconds of its time, and takes the
    /// bytes that came.
    ///
    /// # Errors
    /// Those of a model that failed.
    pub fn rest(&mut self) -> Result<Vec<uart::Received>> {
        self.sim.step(NOTICE)?;
        loop {
            let limit = u64::from(self.clock_hz) * 2;
            let run = self.sim.run_until(self.ports.thinking, 0, limit)?;
            // The last byte of an answer is still on the line when the player has handed it over.
            self.sim.step(11 * self.divisor)?;
            if !run.reached || self.sim.peek(self.ports.thinking)? == 0 {
                break;
            }
        }
        let mut received = std::mem::take(&mut self.early);
        received.extend(self.uart.take(&mut *self.sim)?);
        Ok(received)
    }

    /// Keeps a record of the levels on the board's sending line from now on.
    ///
    /// # Errors
    /// Those of a model that failed.
    pub fn record_line(&mut self) -> Result<()> {
        self.uart.record(&mut *self.sim)
    }

    /// The record since [`record_line`](Self::record_line), up to now.
    ///
    /// # Errors
    /// Those of a model that failed.
    pub fn take_line(&mut self) -> Result<Recorded> {
        let changes = self.uart.take_record(&mut *self.sim)?;
        let ends = changes.iter().skip(1).map(|&(clock, _)| clock);
        let ends = ends.chain([self.sim.clocks()]);
        let steps = changes.iter().zip(ends);
        Ok(Recorded {
            start: changes.first().map_or(0, |&(clock, _)| clock),
            steps: steps
                .map(|(&(clock, level), end)| (level, end - clock))
                .collect(),
        })
    }

    /// Lets time go by on a silent line.
    ///
    /// # Errors
    /// Those of a model that failed.
    pub fn idle(&mut self, span: Duration) -> Result<()> {
        self.sim.step(self.clocks_in(span))
    }

    /// Presses the reset button for some clocks.
    ///
    /// # Errors
    /// Those of a model that failed.
    pub fn reset(&mut self) -> Result<()> {
        self.sim.poke(self.ports.reset, 1)?;
        self.sim.step(NOTICE)?;
        self.sim.poke(self.ports.reset, 0)?;
        self.sim.step(NOTICE)
    }

    /// What the status ports say.
    ///
    /// # Errors
    /// Those of a model that failed.
    pub fn status(&mut self) -> Result<Status> {
        let values = self.sim.peek_all(&self.ports.status)?;
        let mut count =
            |port: Option<PortId>| port.map_or(Ok(0), |port| self.sim.peek(port).map(|n| n as u32));
        Ok(Status {
            playing: values[0] == 1,
            flags: values[1] as u8,
            think_clocks: values[2] as u32,
            legal_count: count(self.ports.legal_count)?,
            simulations: count(self.ports.simulations)?,
        })
    }

    /// Takes what a pattern player's scan and scorer have seen since the last call.
    ///
    /// # Errors
    /// Those of a model that failed.
    pub fn trace(&mut self) -> Result<Trace> {
        let mut trace = Trace::default();
        let Some([placements, scores]) = self.traces else {
            return Ok(trace);
        };
        for sample in self.sim.samples()? {
            if sample.list == scores {
                trace.scores.push(sample.values[0] as u16);
            } else if sample.list == placements {
                let [side, orientation, x, y] = sample.values[..] else {
                    continue;
                };
                let spots = if side == 1 {
                    &mut trace.rival
                } else {
                    &mut trace.own
                };
                spots.push((orientation as u8, x as u8, y as u8));
            }
        }
        Ok(trace)
    }

    /// Writes a waveform from now on.
    ///
    /// # Errors
    /// As [`Simulator::wave_start`].
    pub fn wave(&mut self, file: &std::path::Path) -> Result<()> {
        self.sim.wave_start(file)
    }

    fn clocks_in(&self, span: Duration) -> u64 {
        (span.as_nanos() * u128::from(self.clock_hz) / 1_000_000_000) as u64
    }

    /// How long some clocks take.
    pub fn span(&self, clocks: u64) -> Duration {
        let nanos = u128::from(clocks) * 1_000_000_000 / u128::from(self.clock_hz);
        Duration::from_nanos(nanos as u64)
    }
}
