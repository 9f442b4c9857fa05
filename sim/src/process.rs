//! Model in a separate process, driven over the line protocol.

use std::collections::VecDeque;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::Command as Program;

use duoforge_hdl::design::Port;

use crate::backend::Backend;
use crate::error::{Result, SimError};
use crate::log::Log;
use crate::model_protocol::{Answer, Command, Digits};
use crate::pipes::Pipes;
use crate::port::{ListId, PortId, Ports};
use crate::simulator::{Event, Options, Run, Sample, Simulator};

/// Queue length in bytes at which commands are sent, about 4000 commands. The limit is well below
/// the capacity of a pipe, so a hung model shows while its answer is awaited, not in a blocked
/// write.
const BATCH: usize = 1 << 15;

/// Number of lines of a model's own output that are kept to explain a crash.
const CHATTER: usize = 20;

/// State of the waveform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wave {
    Unavailable,
    Available,
    Running,
    Done,
}

impl Wave {
    /// Marks the waveform as running, or fails if it cannot start.
    pub(crate) fn start(&mut self) -> Result<()> {
        match self {
            Self::Unavailable => Err(SimError::NoWave),
            Self::Running | Self::Done => Err(SimError::SecondWave),
            Self::Available => {
                *self = Self::Running;
                Ok(())
            }
        }
    }

    /// Ends a running waveform. Returns true if one was running and must be completed.
    pub(crate) fn stop(&mut self) -> bool {
        let running = *self == Self::Running;
        if running {
            *self = Self::Done;
        }
        running
    }
}

/// Answers to the commands of one batch.
#[derive(Debug, Default)]
struct Answers {
    values: Vec<Digits>,
    run: Option<Run>,
}

/// Design in a separate process: a compiled model or an interpreter, see
/// [`verilator`](crate::verilator) and [`icarus`](crate::icarus). Dropping this value ends the
/// process.
#[derive(Debug)]
pub struct ProcessSim {
    backend: Backend,
    ports: Ports,
    pipes: Pipes,
    queue: String,
    log: Log,
    cycles: u64,
    wave: Wave,
    // Last lines of output that are not answers.
    chatter: VecDeque<String>,
}

impl ProcessSim {
    pub(crate) fn start(
        backend: Backend,
        program: &mut Program,
        ports: Ports,
        options: &Options,
        wave: Wave,
    ) -> Result<Self> {
        let pipes = Pipes::start(backend, program, options.patience)?;
        let (queue, log) = (String::with_capacity(BATCH + 4096), Log::default());
        Ok(Self {
            backend,
            ports,
            pipes,
            queue,
            log,
            cycles: 0,
            wave,
            chatter: VecDeque::new(),
        })
    }

    fn queue_only(&mut self, command: Command<'_>) {
        command.write_to(&mut self.queue);
    }

    fn send(&mut self, command: Command<'_>) -> Result<()> {
        self.queue_only(command);
        if self.queue.len() >= BATCH {
            self.sync()?;
        }
        Ok(())
    }

    /// Sends the queued commands and reads all answers to them.
    fn sync(&mut self) -> Result<Answers> {
        self.queue_only(Command::Flush);
        // A model that died may have left answers unread; they end in an error.
        let _ = self.pipes.write(&self.queue);
        self.queue.clear();
        let mut answers = Answers::default();
        // An error in a value must not leave the rest of the answers unread.
        let mut result = Ok(());
        loop {
            let answer = self
                .pipes
                .line(|line| Answer::read(line).ok_or_else(|| line.to_owned()))
                .map_err(|error| self.explain(error))?;
            match answer.map_err(|line| self.garbled(&line))? {
                Answer::Event { clock, port, value } => match self.known(port, value, clock) {
                    Ok(value) => self.log.event(Event { clock, port, value }),
                    Err(error) => result = result.and(Err(error)),
                },
                Answer::Sample {
                    clock,
                    list,
                    values,
                } => match self.known_list(list, values, clock) {
                    Ok(values) => {
                        self.log.sample(Sample {
                            clock,
                            list: ListId(list),
                            values,
                        });
                    }
                    Err(error) => result = result.and(Err(error)),
                },
                Answer::Value(digits) => answers.values.push(digits),
                Answer::Until { cycles, reached } => answers.run = Some(Run { cycles, reached }),
                Answer::Alive => {}
                Answer::Chatter(line) if line.is_empty() => {}
                Answer::Chatter(line) => {
                    if self.chatter.len() == CHATTER {
                        self.chatter.pop_front();
                    }
                    self.chatter.push_back(line);
                }
                Answer::Flushed => return result.map(|()| answers),
            }
        }
    }

    fn known(&self, port: PortId, digits: Digits, clock: u64) -> Result<u64> {
        match digits {
            Digits::Known(value) => Ok(value),
            Digits::Unknown(bits) => {
                let name = self.ports.get(port)?.name.clone();
                Err(SimError::Unknown { name, bits, clock })
            }
        }
    }

    fn known_list(&self, list: u32, values: Vec<Digits>, clock: u64) -> Result<Vec<u64>> {
        let ports = self
            .ports
            .list(list as usize)
            .filter(|ports| ports.len() == values.len());
        let ports = ports.ok_or_else(|| self.garbled("a sample of no list"))?;
        let known = |(port, digits): (&PortId, _)| self.known(*port, digits, clock);
        ports.iter().zip(values).map(known).collect()
    }

    /// Adds the model's output to the error that reports its death.
    fn explain(&mut self, error: SimError) -> SimError {
        // The model cannot complete a waveform any more; dropping this value must not wait for it.
        self.wave.stop();
        match error {
            SimError::Died {
                backend,
                status,
                output,
            } => {
                self.chatter.push_back(output);
                let lines: Vec<_> = self.chatter.drain(..).filter(|l| !l.is_empty()).collect();
                let mut output = lines.join("\n");
                if status.ends_with(": 0") && !output.contains("$finish") {
                    output += "\nthe design may have called $finish";
                }
                SimError::Died {
                    backend,
                    status,
                    output,
                }
            }
            other => other,
        }
    }

    fn garbled(&self, what: &str) -> SimError {
        SimError::Garbled {
            backend: self.backend,
            line: what.to_owned(),
        }
    }
}

impl Simulator for ProcessSim {
    fn backend(&self) -> Backend {
        self.backend
    }

    fn port(&self, name: &str) -> Result<PortId> {
        self.ports.find(name)
    }

    fn ports(&self) -> Vec<Port> {
        self.ports.iter().cloned().collect()
    }

    fn cycles(&self) -> u64 {
        self.cycles
    }

    fn poke(&mut self, port: PortId, value: u64) -> Result<()> {
        self.ports.check_poke(port, value)?;
        self.send(Command::Poke(port, value))
    }

    fn step(&mut self, cycles: u64) -> Result<()> {
        self.cycles += cycles;
        self.send(Command::Step(cycles))
    }

    fn peek_all(&mut self, ports: &[PortId]) -> Result<Vec<u64>> {
        for port in ports {
            self.ports.get(*port)?;
        }
        let mut values = Vec::with_capacity(ports.len());
        // Reads in parts, because all answers to a batch must arrive before the next batch.
        for part in ports.chunks(1000) {
            for port in part {
                self.queue_only(Command::Get(*port));
            }
            let answers = self.sync()?;
            if answers.values.len() != part.len() {
                return Err(self.garbled("another number of values than asked for"));
            }
            for (port, digits) in part.iter().zip(answers.values) {
                values.push(self.known(*port, digits, self.cycles)?);
            }
        }
        Ok(values)
    }

    fn run_until(&mut self, port: PortId, value: u64, max: u64) -> Result<Run> {
        self.ports.get(port)?;
        self.queue_only(Command::Until(port, value, max));
        let run = self
            .sync()?
            .run
            .ok_or_else(|| self.garbled("no number of cycles"))?;
        self.cycles += run.cycles;
        Ok(run)
    }

    fn watch(&mut self, port: PortId) -> Result<()> {
        self.ports.get(port)?;
        self.send(Command::Watch(port))
    }

    fn sample(&mut self, valid: PortId, ports: &[PortId]) -> Result<ListId> {
        let list = self.ports.add_list(valid, ports)?;
        self.send(Command::Sample(valid, ports))?;
        Ok(list)
    }

    fn events(&mut self) -> Result<Vec<Event>> {
        self.sync()?;
        Ok(self.log.take_events())
    }

    fn events_of(&mut self, port: PortId) -> Result<Vec<Event>> {
        self.sync()?;
        Ok(self.log.take_events_of(port))
    }

    fn samples(&mut self) -> Result<Vec<Sample>> {
        self.sync()?;
        Ok(self.log.take_samples())
    }

    fn wave_start(&mut self, file: &Path) -> Result<()> {
        self.wave.start()?;
        // The model cannot report why it fails to create a file.
        File::create(file).map_err(SimError::io("creating", file))?;
        let absolute = file.canonicalize().map_err(SimError::io("finding", file))?;
        let path = wire_path(absolute)?;
        self.queue_only(Command::WaveStart(&path));
        self.sync().map(drop)
    }

    fn wave_stop(&mut self) -> Result<()> {
        if self.wave.stop() {
            self.queue_only(Command::WaveStop);
            self.sync()?;
        }
        Ok(())
    }
}

impl Drop for ProcessSim {
    fn drop(&mut self) {
        // The process ends with this value; a waveform that is not completed loses its end.
        let _ = self.wave_stop();
    }
}

/// Returns a path in the form that the protocol carries.
fn wire_path(path: PathBuf) -> Result<String> {
    let text = path
        .to_str()
        .filter(|text| !text.contains('\n'))
        .map(str::to_owned);
    text.ok_or_else(|| SimError::Io {
        action: "naming",
        path,
        source: std::io::Error::new(
            std::io::ErrorKind::InvalidInput,
            "the path of a waveform must be UTF-8 without line breaks",
        ),
    })
}
