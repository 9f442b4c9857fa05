//! A serial line on the ports of a simulator.

use crate::error::Result;
use crate::port::PortId;
use crate::simulator::Simulator;
use crate::uart::{LineWave, Received, UartDecoder};

/// The other end of a design's serial line: sends on the design's receiving port, reads what comes
/// from its sending port. Both directions work at the same time.
///
/// It takes the events of the sending port out of the simulator and leaves those of all others.
#[derive(Debug, Clone)]
pub struct UartDriver {
    rx: PortId,
    tx: PortId,
    clocks_per_bit: f64,
    decoder: UartDecoder,
    received: Vec<Received>,
    // The clocks at which the sending port changed, and its level from then on.
    recorded: Option<Vec<(u64, bool)>>,
}

impl UartDriver {
    /// Puts a line on the design's ports of these names and sets it to rest.
    ///
    /// # Errors
    /// [`NoSuchPort`](crate::SimError::NoSuchPort) and those of a model that failed.
    ///
    /// # Panics
    /// If a bit takes less than two clocks.
    pub fn new(sim: &mut dyn Simulator, rx: &str, tx: &str, clocks_per_bit: f64) -> Result<Self> {
        let (rx, tx) = (sim.port(rx)?, sim.port(tx)?);
        sim.poke(rx, 1)?;
        sim.watch(tx)?;
        let decoder = UartDecoder::new(clocks_per_bit);
        Ok(Self {
            rx,
            tx,
            clocks_per_bit,
            decoder,
            received: Vec::new(),
            recorded: None,
        })
    }

    /// Sends bytes without a pause. The clocks they take are queued, which returns at once.
    ///
    /// # Errors
    /// Those of a model that failed.
    pub fn send(&mut self, sim: &mut dyn Simulator, bytes: &[u8]) -> Result<()> {
        let mut wave = LineWave::new(self.clocks_per_bit);
        wave.bytes(bytes);
        self.play(sim, &wave)
    }

    /// Puts a wave on the line, which is at rest behind it.
    ///
    /// # Errors
    /// Those of a model that failed.
    pub fn play(&mut self, sim: &mut dyn Simulator, wave: &LineWave) -> Result<()> {
        for (level, clocks) in wave.steps() {
            sim.poke(self.rx, level.into())?;
            sim.step(clocks)?;
        }
        sim.poke(self.rx, 1)
    }

    /// Takes the bytes that have come by now, each from the middle of its stop bit on, without
    /// letting any clock go by.
    ///
    /// # Errors
    /// Those of a model that failed.
    pub fn take(&mut self, sim: &mut dyn Simulator) -> Result<Vec<Received>> {
        self.read(sim)?;
        Ok(std::mem::take(&mut self.received))
    }

    /// Lets clocks go by until `count` bytes have come, at most `max_clocks`, and takes them.
    /// Fewer bytes mean that the clocks ran out. Bytes beyond `count` stay for the next call.
    ///
    /// # Errors
    /// Those of a model that failed.
    pub fn receive(
        &mut self,
        sim: &mut dyn Simulator,
        count: usize,
        max_clocks: u64,
    ) -> Result<Vec<Received>> {
        let limit = sim.clocks().saturating_add(max_clocks);
        self.read(sim)?;
        while self.received.len() < count && sim.clocks() < limit {
            let left = limit - sim.clocks();
            // Bytes that are still to come take their ten bits each, whatever the pauses between
            // them: so many clocks go by at once, and never one beyond the last stop bit.
            let missing = (count - self.received.len()) as f64;
            let bytes = |number: f64| (number * 10.0 * self.clocks_per_bit).round() as u64;
            if let Some(end) = self.decoder.busy_until() {
                let clocks = end.saturating_sub(sim.clocks()) + bytes(missing - 1.0);
                sim.step(clocks.clamp(1, left))?;
            } else if self.decoder.level() {
                let run = sim.run_until(self.tx, 0, left)?;
                // Without an edge there is no time left, and nothing goes by.
                sim.step(bytes(missing).min(left - run.clocks))?;
            } else {
                // A line that is held low starts no byte: it has to rise first.
                let run = sim.run_until(self.tx, 1, left)?;
                sim.step(u64::from(run.clocks < left))?;
            }
            self.read(sim)?;
        }
        let count = count.min(self.received.len());
        Ok(self.received.drain(..count).collect())
    }

    /// Keeps a record of the levels of the sending port from now on, for
    /// [`take_record`](Self::take_record).
    ///
    /// # Errors
    /// Those of a model that failed.
    pub fn record(&mut self, sim: &mut dyn Simulator) -> Result<()> {
        self.read(sim)?;
        self.recorded = Some(vec![(sim.clocks(), self.decoder.level())]);
        Ok(())
    }

    /// The changes of the sending port since [`record`](Self::record), the first of them being its
    /// level then; ends the record.
    ///
    /// # Errors
    /// Those of a model that failed.
    pub fn take_record(&mut self, sim: &mut dyn Simulator) -> Result<Vec<(u64, bool)>> {
        self.read(sim)?;
        Ok(self.recorded.take().unwrap_or_default())
    }

    /// Reads what the sending port has done so far.
    fn read(&mut self, sim: &mut dyn Simulator) -> Result<()> {
        for event in sim.events_of(self.tx)? {
            self.decoder.change(event.clock, event.value == 1);
            if let Some(record) = &mut self.recorded {
                record.push((event.clock, event.value == 1));
            }
        }
        self.decoder.pass(sim.clocks());
        self.received.extend(self.decoder.take());
        Ok(())
    }
}
