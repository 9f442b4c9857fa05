//! Bench of the controller: drives its line and takes the place of the chooser.

use duoforge_hdl::controller::Controller;
use duoforge_hdl::parameters::PlayerParameters;
use duoforge_sim::uart::{LineWave, UartDriver};
use duoforge_sim::{Backend, Options, PortId, Simulator, open};

/// Cycles per bit of the line.
pub const BIT: u64 = 16;

/// Cycles after which `cut` rises: the reply deadline.
pub const DEADLINE: u64 = 3_000;

/// Cycles after which the controller replies by itself.
pub const LIMIT: u64 = 4_000;

/// Maximum cycles from the centre of a stop bit to the controller's reaction to the byte.
pub const NOTICE: u64 = 24;

/// Controller alone, with a line and with the signals of a chooser.
pub struct Bench {
    pub sim: Box<dyn Simulator>,
    uart: UartDriver,
    watched: [PortId; 4],
}

/// Signals to the chooser.
const TOLD: [&str; 4] = ["deadline", "superseded", "abort", "think"];

impl Bench {
    pub fn open() -> Self {
        let parameters = PlayerParameters {
            deadline_cycles: DEADLINE as u32,
            reply_limit_cycles: LIMIT as u32,
            ..PlayerParameters::contest(BIT as u32 * 115_200)
        };
        let block = Controller::new(&parameters);
        let sim = open(Backend::Verilator, block, "controller", &Options::default());
        let mut sim = sim.expect("the model can be built");
        let uart = UartDriver::new(&mut *sim, "rx", "tx", BIT as f64).expect("a line");
        let watched = TOLD.map(|name| sim.port(name).expect("a port"));
        for port in watched {
            sim.watch(port).expect("it runs");
        }
        let mut bench = Self { sim, uart, watched };
        bench.drive("idle", 1);
        bench.step(40);
        bench
    }

    pub fn drive(&mut self, name: &str, value: u64) {
        let port = self.sim.port(name).expect("the controller has the port");
        self.sim.poke(port, value).expect("the value fits");
    }

    pub fn peek(&mut self, name: &str) -> u64 {
        let port = self.sim.port(name).expect("the controller has the port");
        self.sim.peek(port).expect("it runs")
    }

    pub fn step(&mut self, cycles: u64) {
        self.sim.step(cycles).expect("it runs");
    }

    /// Sends bytes and returns the cycle at the end of the last stop bit.
    pub fn send(&mut self, bytes: &[u8]) -> u64 {
        let mut wave = LineWave::new(BIT as f64);
        wave.bytes(bytes);
        self.uart.play(&mut *self.sim, &wave).expect("it runs");
        self.sim.cycles()
    }

    /// Returns the bytes received within some cycles, and the cycle of the first start bit.
    pub fn receive(&mut self, count: usize, cycles: u64) -> (Vec<u8>, u64) {
        let received = self.uart.receive(&mut *self.sim, count, cycles);
        let received = received.expect("it runs");
        let start = received.first().map_or(0, |first| first.start);
        (received.iter().map(|byte| byte.byte).collect(), start)
    }

    /// Sends `0`, checks the reply and waits until the controller is idle.
    pub fn handshake(&mut self) {
        self.drive("idle", 1);
        self.drive("found", 0);
        self.send(b"0");
        assert_eq!(self.receive(3, 1_000).0, b"1DF");
        self.step(40);
        self.told();
    }

    /// Returns the cycles at which each of [`TOLD`] rose since the last call.
    pub fn told(&mut self) -> [Vec<u64>; 4] {
        let sim = &mut self.sim;
        self.watched.map(|port| {
            let events = sim.events_of(port).expect("it runs");
            let rises = events.iter().filter(|event| event.value == 1);
            rises.map(|event| event.clock).collect()
        })
    }

    /// Sends a prompt for a move; the chooser is busy from the next cycle on. Returns the cycle at
    /// the end of the prompt.
    pub fn ask(&mut self, prompt: &[u8], found: u64) -> u64 {
        self.drive("found", found);
        let sent = self.send_until(prompt, "think");
        self.step(1);
        self.drive("idle", 0);
        sent
    }

    /// Sends a prompt and stops in the cycle in which an output rises, which is before the stop bit
    /// ends. Returns the cycle at which the prompt ends.
    pub fn send_until(&mut self, prompt: &[u8], output: &str) -> u64 {
        let [first @ .., last] = prompt else {
            panic!("a prompt has letters");
        };
        let mut wave = LineWave::new(BIT as f64);
        wave.bytes(first).level(false, 1.0);
        for bit in 0..8 {
            wave.level(last >> bit & 1 == 1, 1.0);
        }
        self.uart.play(&mut *self.sim, &wave).expect("it runs");
        let sent = self.sim.cycles() + BIT;
        self.step_until(output, BIT + NOTICE);
        sent
    }

    pub fn step_until(&mut self, output: &str, cycles: u64) {
        let port = self.sim.port(output).expect("the controller has the port");
        let run = self.sim.run_until(port, 1, cycles).expect("it runs");
        assert!(run.reached, "{output} stays low");
    }

    /// Checks that the reply leaves when the limit is over, counted from the end of a prompt.
    pub fn answers(&mut self, answer: &[u8], sent: u64) {
        let (bytes, start) = self.receive(answer.len(), LIMIT + 1_000);
        assert_eq!(bytes, answer);
        let least = sent + LIMIT - BIT;
        assert!(
            (least..=least + BIT + NOTICE).contains(&start),
            "{start}, {least}"
        );
        self.step(40);
    }

    /// Makes the chooser idle and returns the bytes of the reply.
    pub fn settle(&mut self) -> Vec<u8> {
        self.drive("idle", 1);
        let answer = self.receive(4, 4 * 10 * BIT + 100).0;
        self.step(40);
        answer
    }
}
