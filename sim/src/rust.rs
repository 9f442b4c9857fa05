//! Back end that steps designs in this process.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use duoforge_hdl::design::{Design, Dir, Model, Port};

use crate::backend::Backend;
use crate::error::{Result, SimError};
use crate::log::Log;
use crate::port::{ListId, PortId, Ports};
use crate::process::Wave;
use crate::simulator::{Event, Run, Sample, Simulator};
use crate::vcd::PortWave;

struct Watch {
    port: PortId,
    // `None` until the first report.
    last: Option<u64>,
}

struct SampleList {
    valid: PortId,
    ports: Vec<PortId>,
}

/// Simulator of a [`Model`]. Its waveforms contain the ports only, because a model does not expose
/// its internal signals.
pub struct RustSim {
    model: Box<dyn Model + Send>,
    ports: Ports,
    names: Vec<String>,
    watches: Vec<Watch>,
    lists: Vec<SampleList>,
    log: Log,
    cycles: u64,
    // True if an input changed since logic was last evaluated.
    stale: bool,
    wave_state: Wave,
    wave: Option<(PathBuf, PortWave<BufWriter<File>>)>,
}

impl std::fmt::Debug for RustSim {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("RustSim")
            .field("cycles", &self.cycles)
            .finish_non_exhaustive()
    }
}

impl RustSim {
    /// Creates a simulator of a model that has the design's ports. All inputs are driven to 0.
    ///
    /// # Errors
    /// [`SimError::BadDesign`] if the design's ports are inconsistent.
    pub fn new(design: &Design, mut model: Box<dyn Model + Send>) -> Result<Self> {
        let ports = Ports::of(design)?;
        let names: Vec<String> = ports.iter().map(|port| port.name.clone()).collect();
        for port in ports.iter().filter(|port| port.dir == Dir::In) {
            model.poke(&port.name, 0);
        }
        Ok(Self {
            model,
            ports,
            names,
            watches: Vec::new(),
            lists: Vec::new(),
            log: Log::default(),
            cycles: 0,
            stale: true,
            wave_state: Wave::Available,
            wave: None,
        })
    }

    fn settle(&mut self) {
        if self.stale {
            self.model.settle();
            self.stale = false;
        }
    }

    fn get(&self, port: PortId) -> u64 {
        self.model.peek(&self.names[port.index()])
    }

    /// Runs one cycle. Logic is evaluated before the call and after it.
    fn clock(&mut self) -> Result<()> {
        self.observe();
        self.record(false)?;
        self.model.tick();
        self.cycles += 1;
        Ok(())
    }

    fn observe(&mut self) {
        for watch in &mut self.watches {
            let value = self.model.peek(&self.names[watch.port.index()]);
            if watch.last.replace(value) != Some(value) {
                self.log.event(Event {
                    clock: self.cycles,
                    port: watch.port,
                    value,
                });
            }
        }
        for (number, list) in self.lists.iter().enumerate() {
            if self.get(list.valid) == 1 {
                let values = list.ports.iter().map(|port| self.get(*port)).collect();
                let list = ListId(number as u32);
                self.log.sample(Sample {
                    clock: self.cycles,
                    list,
                    values,
                });
            }
        }
    }

    /// Writes the ports to the waveform, if there is one.
    fn record(&mut self, last: bool) -> Result<()> {
        let Some((path, mut wave)) = self.wave.take() else {
            return Ok(());
        };
        let values: Vec<u64> = self
            .names
            .iter()
            .map(|name| self.model.peek(name))
            .collect();
        let written = wave.record(self.cycles, &values).and_then(|()| match last {
            true => wave.finish(),
            false => wave.rise(self.cycles),
        });
        written.map_err(SimError::io("writing", &path))?;
        if !last {
            self.wave = Some((path, wave));
        }
        Ok(())
    }
}

impl Simulator for RustSim {
    fn backend(&self) -> Backend {
        Backend::Rust
    }

    fn port(&self, name: &str) -> Result<PortId> {
        self.ports.find(name)
    }

    fn ports(&self) -> Vec<Port> {
        self.ports.iter().cloned().collect()
    }

    fn poke(&mut self, port: PortId, value: u64) -> Result<()> {
        let port = self.ports.check_poke(port, value)?;
        self.model.poke(&port.name, value);
        self.stale = true;
        Ok(())
    }

    fn step(&mut self, cycles: u64) -> Result<()> {
        self.settle();
        (0..cycles).try_for_each(|_| self.clock())
    }

    fn peek_all(&mut self, ports: &[PortId]) -> Result<Vec<u64>> {
        for port in ports {
            self.ports.get(*port)?;
        }
        self.settle();
        Ok(ports.iter().map(|port| self.get(*port)).collect())
    }

    fn run_until(&mut self, port: PortId, value: u64, max: u64) -> Result<Run> {
        self.ports.get(port)?;
        self.settle();
        let mut cycles = 0;
        while cycles < max && self.get(port) != value {
            self.clock()?;
            cycles += 1;
        }
        Ok(Run {
            cycles,
            reached: self.get(port) == value,
        })
    }

    fn watch(&mut self, port: PortId) -> Result<()> {
        self.ports.get(port)?;
        self.watches.retain(|watch| watch.port != port);
        let place = self.watches.partition_point(|watch| watch.port < port);
        self.watches.insert(place, Watch { port, last: None });
        Ok(())
    }

    fn sample(&mut self, valid: PortId, ports: &[PortId]) -> Result<ListId> {
        let list = self.ports.add_list(valid, ports)?;
        self.lists.push(SampleList {
            valid,
            ports: ports.to_vec(),
        });
        Ok(list)
    }

    fn events(&mut self) -> Result<Vec<Event>> {
        Ok(self.log.take_events())
    }

    fn events_of(&mut self, port: PortId) -> Result<Vec<Event>> {
        Ok(self.log.take_events_of(port))
    }

    fn samples(&mut self) -> Result<Vec<Sample>> {
        Ok(self.log.take_samples())
    }

    fn cycles(&self) -> u64 {
        self.cycles
    }

    fn wave_start(&mut self, path: &Path) -> Result<()> {
        self.wave_state.start()?;
        let file = File::create(path).map_err(SimError::io("creating", path))?;
        let wave = PortWave::start(BufWriter::new(file), self.ports.iter())
            .map_err(SimError::io("writing", path))?;
        self.wave = Some((path.to_owned(), wave));
        Ok(())
    }

    fn wave_stop(&mut self) -> Result<()> {
        if self.wave_state.stop() {
            self.settle();
            self.record(true)?;
        }
        Ok(())
    }
}

impl Drop for RustSim {
    fn drop(&mut self) {
        // Without this call the end of a waveform would be lost.
        let _ = self.wave_stop();
    }
}
