//! Simulated device: a hardware player in a simulator, reached over its serial line.

mod link;
mod power_up;
mod served;
mod spec;

use std::time::{Duration, Instant};

use duoforge_protocol::{HostCode, HostCodeParser, INTER_BYTE_TIMEOUT};

use crate::error::Result;
use crate::port::{ListId, PortId};
use crate::simulator::Simulator;
use crate::uart::{self, UartDriver};

pub use spec::{
    DevicePlayer, DevicePlayerError, DeviceSpec, DeviceSpecError, SDRAM_CLOCK_HZ, board_parameters,
};

/// Cycles after a byte's stop bit by which the player has processed the byte.
const NOTICE: u64 = 32;

/// Bits of silence after which a player without status ports has sent its reply.
const PAUSE: u64 = 22;

/// Hardware player in a simulator, from power-up on.
///
/// As a [`Link`](duoforge_links::Link) it runs on simulated time. A deadline is a span
/// from the last transmission, counted in the device's cycles, however long they take to simulate.
pub struct SimDevice {
    sim: Box<dyn Simulator>,
    uart: UartDriver,
    clock_hz: u32,
    divisor: u64,
    /// Maximum number of cycles of a decision.
    limit: u64,
    ports: Ports,
    /// Replies that a player without status ports owes; `None` for other players.
    owed: Option<Owed>,
    /// Sample lists of the pattern player: placements of the scan, and their scores.
    traces: Option<[ListId; 2]>,
    // Received bytes that no call has returned yet.
    early: Vec<uart::Received>,
    // Time of the last transmission: wall clock and simulated time since power-up.
    anchor: (Instant, Duration),
}

/// Parser of the codes that a host sent, and the bytes of the reply to the last one.
#[derive(Clone, Debug, Default)]
struct Owed {
    codes: HostCodeParser,
    bytes: usize,
}

struct Ports {
    reset: PortId,
    /// Status ports of an emitted player.
    thinking: Option<PortId>,
    status: Option<[PortId; 3]>,
    legal_count: Option<PortId>,
    simulations: Option<PortId>,
    pondered: Option<PortId>,
}

/// Values of the player's status ports.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// True while the player thinks; false for a player without status ports.
    pub thinking: bool,
    /// True while a game is in progress.
    pub playing: bool,
    /// Faults since the last `0`; see [`duoforge_hdl::pattern::player::PatternPlayer::flags`].
    pub flags: u8,
    /// Cycles from the last prompt to the decision.
    pub think_cycles: u32,
    /// Number of own legal placements at the last decision of a pattern player; 0 for other
    /// players.
    pub legal_count: u32,
    /// MCTS simulations of the last decision of a search player; 0 for other players.
    pub simulations: u32,
    /// MCTS simulations in the opponent's time before that decision; 0 without a search then.
    pub pondered: u32,
}

/// Placement as the hardware encodes it: orientation, then column and row of the anchor.
pub type RawPlacement = (u8, u8, u8);

/// Placements and scores that the scan and the scorer processed since the last trace.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// Opponent's legal placements, in scan order.
    pub opponent: Vec<RawPlacement>,
    /// Own legal placements, in scan order.
    pub own: Vec<RawPlacement>,
    /// Scores of all these placements in the same order, the opponent's first.
    pub scores: Vec<u16>,
}

/// Reply of the device to some bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Received bytes.
    pub bytes: Vec<u8>,
    /// Cycles from the end of the last stop bit sent to the start bit of the first byte received.
    pub delay: Option<u64>,
}

impl std::fmt::Debug for SimDevice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("SimDevice")
            .field("backend", &self.sim.backend())
            .field("cycles", &self.sim.cycles())
            .finish_non_exhaustive()
    }
}

impl SimDevice {
    /// Returns the simulated time since power-up.
    pub fn now(&self) -> Duration {
        self.span(self.sim.cycles())
    }

    /// Returns the cycles since power-up.
    pub fn cycles(&self) -> u64 {
        self.sim.cycles()
    }

    /// Returns the underlying simulator, for other kinds of stimuli.
    pub fn simulator(&mut self) -> &mut dyn Simulator {
        &mut *self.sim
    }

    /// Drives a waveform on the line to the device: bytes at another speed, glitches or breaks.
    ///
    /// # Errors
    /// Errors of the model.
    pub fn play(&mut self, wave: &uart::LineWave) -> Result<()> {
        self.uart.play(&mut *self.sim, wave)
    }

    /// Returns the cycles per bit of the serial line.
    pub fn divisor(&self) -> u64 {
        self.divisor
    }

    /// Sends bytes, waits until the device is idle, and returns its reply.
    ///
    /// # Errors
    /// Errors of the model.
    pub fn exchange(&mut self, bytes: &[u8]) -> Result<Answer> {
        self.expect_replies(bytes);
        let mut wave = uart::LineWave::new(self.divisor as f64);
        wave.bytes(bytes);
        self.answer_to(&wave)
    }

    /// Drives a waveform on the line, waits until the device is idle, and returns its reply. The
    /// delay counts from the end of the waveform.
    ///
    /// # Errors
    /// Errors of the model.
    pub fn answer_to(&mut self, wave: &uart::LineWave) -> Result<Answer> {
        self.play(wave)?;
        let sent = self.sim.cycles();
        let received = self.drain()?;
        Ok(Answer {
            bytes: received.iter().map(|received| received.byte).collect(),
            delay: received
                .first()
                .map(|first| first.start.saturating_sub(sent)),
        })
    }

    /// Announces bytes of the host that are about to be sent by [`play`](Self::play). A player
    /// without status ports is idle once it has sent the reply to the last code among them.
    pub fn expect_replies(&mut self, bytes: &[u8]) {
        let Some(owed) = &mut self.owed else { return };
        for &byte in bytes {
            match owed.codes.feed(byte).code {
                Some(HostCode::Handshake) => owed.bytes = 3,
                Some(HostCode::End | HostCode::Identify) => owed.bytes = 0,
                Some(_) => owed.bytes = 4,
                None => {}
            }
        }
    }

    /// Returns the maximum number of cycles in which [`drain`](Self::drain) waits for the end of
    /// thinking: two seconds of simulated time, or more for a search that ends by its simulations.
    pub fn limit(&self) -> u64 {
        self.limit
    }

    /// Waits until the device neither thinks nor sends, and takes the received bytes. Each wait for
    /// the end of thinking lasts at most [`limit`](Self::limit) cycles; [`Status::thinking`] is true
    /// after a wait that ended by it.
    ///
    /// # Errors
    /// Errors of the model.
    pub fn drain(&mut self) -> Result<Vec<uart::Received>> {
        self.sim.step(NOTICE)?;
        let limit = self.limit;
        match self.ports.thinking {
            Some(thinking) => loop {
                let run = self.sim.run_until(thinking, 0, limit)?;
                // The last byte of a reply is still on the line when the player has handed it to
                // the transmitter.
                self.sim.step(11 * self.divisor)?;
                if !run.reached || self.sim.peek(thinking)? == 0 {
                    break;
                }
            },
            None => {
                let bytes = self
                    .owed
                    .as_mut()
                    .map_or(0, |owed| std::mem::take(&mut owed.bytes));
                let replied = self.uart.receive(&mut *self.sim, bytes, limit)?;
                self.early.extend(replied);
                // A device may send more than its reply: it has ended with the first pause.
                let limit = self.sim.cycles() + limit;
                loop {
                    self.sim.step(PAUSE * self.divisor)?;
                    let more = self.uart.take(&mut *self.sim)?;
                    let ended = more.is_empty() || self.sim.cycles() > limit;
                    self.early.extend(more);
                    if ended {
                        break;
                    }
                }
            }
        }
        let mut received = std::mem::take(&mut self.early);
        received.extend(self.uart.take(&mut *self.sim)?);
        Ok(received)
    }

    /// Drops bytes that were received since the last call of [`drain`](Self::drain).
    ///
    /// # Errors
    /// Errors of the model.
    pub(crate) fn discard(&mut self) -> Result<()> {
        self.early.clear();
        self.uart.take(&mut *self.sim).map(drop)
    }

    /// Starts to record the levels of the device's transmit line.
    ///
    /// # Errors
    /// Errors of the model.
    pub fn record_line(&mut self) -> Result<()> {
        self.uart.record(&mut *self.sim)
    }

    /// Returns the record since [`record_line`](Self::record_line) and ends it.
    ///
    /// # Errors
    /// Errors of the model.
    pub fn take_line(&mut self) -> Result<uart::Recorded> {
        let changes = self.uart.take_record(&mut *self.sim)?;
        let ends = changes.iter().skip(1).map(|&(clock, _)| clock);
        let ends = ends.chain([self.sim.cycles()]);
        let steps = changes.iter().zip(ends);
        Ok(uart::Recorded {
            start: changes.first().map_or(0, |&(clock, _)| clock),
            steps: steps
                .map(|(&(clock, level), end)| (level, end - clock))
                .collect(),
        })
    }

    /// Advances simulated time on an idle line.
    ///
    /// # Errors
    /// Errors of the model.
    pub fn idle(&mut self, span: Duration) -> Result<()> {
        if let Some(owed) = &mut self.owed
            && span >= INTER_BYTE_TIMEOUT
        {
            owed.codes.on_silence();
        }
        self.sim.step(self.cycles_in(span))
    }

    /// Asserts the reset input for some cycles.
    ///
    /// # Errors
    /// Errors of the model.
    pub fn reset(&mut self) -> Result<()> {
        self.sim.poke(self.ports.reset, 1)?;
        self.sim.step(NOTICE)?;
        self.sim.poke(self.ports.reset, 0)?;
        self.sim.step(NOTICE)
    }

    /// Returns the values of the status ports; all 0 for a player without them.
    ///
    /// # Errors
    /// Errors of the model.
    pub fn status(&mut self) -> Result<Status> {
        let values = match &self.ports.status {
            Some(ports) => self.sim.peek_all(ports)?,
            None => vec![0; 3],
        };
        let mut count =
            |port: Option<PortId>| port.map_or(Ok(0), |port| self.sim.peek(port).map(|n| n as u32));
        Ok(Status {
            thinking: count(self.ports.thinking)? == 1,
            playing: values[0] == 1,
            flags: values[1] as u8,
            think_cycles: values[2] as u32,
            legal_count: count(self.ports.legal_count)?,
            simulations: count(self.ports.simulations)?,
            pondered: count(self.ports.pondered)?,
        })
    }

    /// Takes what a pattern player's scan and scorer processed since the last call.
    ///
    /// # Errors
    /// Errors of the model.
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
                let placements = if side == 1 {
                    &mut trace.opponent
                } else {
                    &mut trace.own
                };
                placements.push((orientation as u8, x as u8, y as u8));
            }
        }
        Ok(trace)
    }

    /// Starts to write a waveform.
    ///
    /// # Errors
    /// As [`Simulator::wave_start`].
    pub fn wave(&mut self, file: &std::path::Path) -> Result<()> {
        self.sim.wave_start(file)
    }

    fn cycles_in(&self, span: Duration) -> u64 {
        (span.as_nanos() * u128::from(self.clock_hz) / 1_000_000_000) as u64
    }

    /// Returns the duration of some cycles.
    pub fn span(&self, cycles: u64) -> Duration {
        let nanos = u128::from(cycles) * 1_000_000_000 / u128::from(self.clock_hz);
        Duration::from_nanos(nanos as u64)
    }
}
