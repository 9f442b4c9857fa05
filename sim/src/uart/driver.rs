//! UART host on the ports of a simulator.

use crate::error::Result;
use crate::port::PortId;
use crate::simulator::Simulator;
use crate::uart::{LineWave, Received, UartDecoder};

/// Far end of a design's serial line: drives the design's receive port and decodes its transmit
/// port. Both directions work at the same time.
///
/// The driver takes the events of the transmit port from the simulator and leaves all other events.
#[derive(Debug, Clone)]
pub struct UartDriver {
    rx: PortId,
    tx: PortId,
    cycles_per_bit: f64,
    decoder: UartDecoder,
    received: Vec<Received>,
    // Cycles at which the transmit port changed, with the new levels.
    recorded: Option<Vec<(u64, bool)>>,
}

impl UartDriver {
    /// Connects a line to the design's ports of these names and drives the receive port idle.
    ///
    /// # Errors
    /// [`NoSuchPort`](crate::SimError::NoSuchPort) and errors of the model.
    ///
    /// # Panics
    /// If a bit takes less than two cycles.
    pub fn new(sim: &mut dyn Simulator, rx: &str, tx: &str, cycles_per_bit: f64) -> Result<Self> {
        let (rx, tx) = (sim.port(rx)?, sim.port(tx)?);
        sim.poke(rx, 1)?;
        sim.watch(tx)?;
        let decoder = UartDecoder::new(cycles_per_bit);
        Ok(Self {
            rx,
            tx,
            cycles_per_bit,
            decoder,
            received: Vec::new(),
            recorded: None,
        })
    }

    /// Sends bytes without pauses. The call queues the cycles and returns at once.
    ///
    /// # Errors
    /// Errors of the model.
    pub fn send(&mut self, sim: &mut dyn Simulator, bytes: &[u8]) -> Result<()> {
        let mut wave = LineWave::new(self.cycles_per_bit);
        wave.bytes(bytes);
        self.play(sim, &wave)
    }

    /// Drives a waveform on the line; the line is idle afterwards.
    ///
    /// # Errors
    /// Errors of the model.
    pub fn play(&mut self, sim: &mut dyn Simulator, wave: &LineWave) -> Result<()> {
        for (level, cycles) in wave.steps() {
            sim.poke(self.rx, level.into())?;
            sim.step(cycles)?;
        }
        sim.poke(self.rx, 1)
    }

    /// Takes the bytes received so far without advancing the simulation. A byte is available from
    /// the centre of its stop bit.
    ///
    /// # Errors
    /// Errors of the model.
    pub fn take(&mut self, sim: &mut dyn Simulator) -> Result<Vec<Received>> {
        self.read(sim)?;
        Ok(std::mem::take(&mut self.received))
    }

    /// Runs until `count` bytes are received, for at most `max_cycles` cycles, and takes them. The
    /// result is shorter if the cycles ran out. Bytes beyond `count` stay for the next call.
    ///
    /// # Errors
    /// Errors of the model.
    pub fn receive(
        &mut self,
        sim: &mut dyn Simulator,
        count: usize,
        max_cycles: u64,
    ) -> Result<Vec<Received>> {
        let limit = sim.cycles().saturating_add(max_cycles);
        self.read(sim)?;
        while self.received.len() < count && sim.cycles() < limit {
            let left = limit - sim.cycles();
            // Missing bytes take at least ten bits each. So this number of cycles can run at once,
            // and never one beyond the last stop bit.
            let missing = (count - self.received.len()) as f64;
            let bytes = |number: f64| (number * 10.0 * self.cycles_per_bit).round() as u64;
            if let Some(end) = self.decoder.busy_until() {
                let cycles = end.saturating_sub(sim.cycles()) + bytes(missing - 1.0);
                sim.step(cycles.clamp(1, left))?;
            } else if self.decoder.level() {
                let run = sim.run_until(self.tx, 0, left)?;
                // Without an edge no cycles are left, and the step is empty.
                sim.step(bytes(missing).min(left - run.cycles))?;
            } else {
                // A line that is held low starts no byte: it must rise first.
                let run = sim.run_until(self.tx, 1, left)?;
                sim.step(u64::from(run.cycles < left))?;
            }
            self.read(sim)?;
        }
        let count = count.min(self.received.len());
        Ok(self.received.drain(..count).collect())
    }

    /// Starts to record the levels of the transmit port, for [`take_record`](Self::take_record).
    ///
    /// # Errors
    /// Errors of the model.
    pub fn record(&mut self, sim: &mut dyn Simulator) -> Result<()> {
        self.read(sim)?;
        self.recorded = Some(vec![(sim.cycles(), self.decoder.level())]);
        Ok(())
    }

    /// Returns the edges of the transmit port since [`record`](Self::record) and ends the record.
    /// The first entry is the level at the start of the record.
    ///
    /// # Errors
    /// Errors of the model.
    pub fn take_record(&mut self, sim: &mut dyn Simulator) -> Result<Vec<(u64, bool)>> {
        self.read(sim)?;
        Ok(self.recorded.take().unwrap_or_default())
    }

    /// Decodes the events of the transmit port so far.
    fn read(&mut self, sim: &mut dyn Simulator) -> Result<()> {
        for event in sim.events_of(self.tx)? {
            self.decoder.change(event.clock, event.value == 1);
            if let Some(record) = &mut self.recorded {
                record.push((event.clock, event.value == 1));
            }
        }
        self.decoder.pass(sim.cycles());
        self.received.extend(self.decoder.take());
        Ok(())
    }
}
