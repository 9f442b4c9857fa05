//! Tests of the serial line with a design that echoes its input three cycles later.

use duoforge_hdl::design::{Design, Model, Port};
use duoforge_sim::uart::{LineWave, Received, UartDriver};
use duoforge_sim::{Options, RustSim, Simulator, icarus, verilator};

fn echo() -> Design {
    let verilog = "
module echo(clock, rx, mute, tx, ticks);
  input clock;
  input rx;
  input mute;
  output tx;
  output [3:0] ticks;
  reg [2:0] line;
  reg [3:0] ticks;
  initial line = 3'b111;
  initial ticks = 0;
  assign tx = line[2] & ~mute;
  always @(posedge clock) begin
    line <= {line[1:0], rx};
    ticks <= ticks + 1;
  end
endmodule
";
    Design {
        top: "echo".into(),
        verilog: verilog.into(),
        ports: vec![
            Port::input("clock", 1),
            Port::input("rx", 1),
            Port::input("mute", 1),
            Port::output("tx", 1),
            Port::output("ticks", 4),
        ],
    }
}

struct Echo {
    rx: u64,
    mute: u64,
    line: u64,
    ticks: u64,
}

impl Model for Echo {
    fn poke(&mut self, port: &str, value: u64) {
        match port {
            "rx" => self.rx = value,
            "mute" => self.mute = value,
            other => panic!("no input {other}"),
        }
    }

    fn settle(&mut self) {}

    fn peek(&self, port: &str) -> u64 {
        match port {
            "rx" => self.rx,
            "mute" => self.mute,
            "tx" => self.line >> 2 & (1 - self.mute),
            "ticks" => self.ticks,
            other => panic!("no port {other}"),
        }
    }

    fn tick(&mut self) {
        self.line = (self.line << 1 | self.rx) & 7;
        self.ticks = (self.ticks + 1) & 15;
    }
}

fn all() -> Vec<Box<dyn Simulator>> {
    let (design, options) = (echo(), Options::default());
    let model = Echo {
        rx: 0,
        mute: 0,
        line: 7,
        ticks: 0,
    };
    vec![
        Box::new(verilator::open(&design, &options).unwrap()),
        Box::new(icarus::open(&design, &options).unwrap()),
        Box::new(RustSim::new(&design, Box::new(model)).unwrap()),
    ]
}

fn bytes(received: &[Received]) -> Vec<u8> {
    assert!(received.iter().all(|byte| byte.framed), "{received:?}");
    received.iter().map(|byte| byte.byte).collect()
}

#[test]
fn bytes_come_back_at_the_right_time() {
    for mut sim in all() {
        let sim = &mut *sim;
        let mut line = UartDriver::new(sim, "rx", "tx", 10.4).unwrap();
        sim.step(20).unwrap();
        let sent: Vec<u8> = (0..=255).collect();
        line.send(sim, &sent).unwrap();
        let received = line.receive(sim, 256, 1000).unwrap();
        assert_eq!(bytes(&received), sent, "{}", sim.backend());
        for (number, byte) in received.iter().enumerate() {
            let start = 20 + 3 + (number as f64 * 104.0).round() as u64;
            assert_eq!(
                (byte.start, byte.end),
                (start, start + 104),
                "{}",
                sim.backend()
            );
        }
    }
}

#[test]
fn receiving_stops_with_the_last_byte_or_the_last_clock() {
    for mut sim in all() {
        let sim = &mut *sim;
        let mut line = UartDriver::new(sim, "rx", "tx", 8.0).unwrap();
        line.send(sim, b"abc").unwrap();
        assert_eq!(bytes(&line.receive(sim, 2, 1000).unwrap()), b"ab");
        assert_eq!(
            sim.cycles(),
            240,
            "sending took the cycles: {}",
            sim.backend()
        );
        assert_eq!(
            bytes(&line.take(sim).unwrap()),
            b"c",
            "its stop bit has begun"
        );
        line.send(sim, b"d").unwrap();
        sim.step(17).unwrap();
        assert_eq!(bytes(&line.receive(sim, 1, 1000).unwrap()), b"d");
        line.send(sim, &[]).unwrap();
        assert_eq!(sim.cycles(), 337, "{}", sim.backend());
        assert_eq!(line.receive(sim, 1, 63).unwrap(), []);
        assert_eq!(sim.cycles(), 400, "{}", sim.backend());
        assert_eq!(line.receive(sim, 0, 100).unwrap(), []);
        assert_eq!(sim.cycles(), 400, "{}", sim.backend());
    }
}

#[test]
fn a_byte_under_way_is_waited_for_and_not_longer() {
    for mut sim in all() {
        let sim = &mut *sim;
        let mut line = UartDriver::new(sim, "rx", "tx", 8.0).unwrap();
        let mut half = LineWave::new(8.0);
        half.level(false, 5.0);
        line.play(sim, &half).unwrap();
        assert_eq!(sim.cycles(), 40);
        assert_eq!(bytes(&line.receive(sim, 1, 1000).unwrap()), [0xf0]);
        assert_eq!(sim.cycles(), 83, "{}", sim.backend());
    }
}

#[test]
fn broken_frames_and_breaks_come_back_broken() {
    for mut sim in all() {
        let sim = &mut *sim;
        let mut line = UartDriver::new(sim, "rx", "tx", 8.0).unwrap();
        let mut wave = LineWave::new(8.0);
        wave.byte(b'a')
            .bad_frame(b'b')
            .line_break(25.0)
            .glitch(2.0)
            .byte(b'c');
        line.play(sim, &wave).unwrap();
        let received = line.receive(sim, 4, 2000).unwrap();
        let received: Vec<_> = received
            .iter()
            .map(|byte| (byte.byte, byte.framed))
            .collect();
        assert_eq!(
            received,
            [(b'a', true), (b'b', false), (0, false), (b'c', true)]
        );
    }
}

#[test]
fn a_dead_line_is_waited_for_until_the_clocks_run_out() {
    for mut sim in all() {
        let sim = &mut *sim;
        let mute = sim.port("mute").unwrap();
        let mut line = UartDriver::new(sim, "rx", "tx", 8.0).unwrap();
        sim.poke(mute, 1).unwrap();
        sim.step(500).unwrap();
        let received = line.receive(sim, 2, 1000).unwrap();
        assert_eq!(
            received.len(),
            1,
            "one frame without stop bit: {}",
            sim.backend()
        );
        assert_eq!(sim.cycles(), 1500);
        sim.poke(mute, 0).unwrap();
        line.send(sim, b"x").unwrap();
        assert_eq!(
            bytes(&line.receive(sim, 1, 1000).unwrap()),
            b"x",
            "{}",
            sim.backend()
        );
    }
}

#[test]
fn events_of_other_ports_stay() {
    for mut sim in all() {
        let sim = &mut *sim;
        let ticks = sim.port("ticks").unwrap();
        sim.watch(ticks).unwrap();
        let mut line = UartDriver::new(sim, "rx", "tx", 8.0).unwrap();
        line.send(sim, b"!").unwrap();
        assert_eq!(bytes(&line.receive(sim, 1, 100).unwrap()), b"!");
        let events = sim.events().unwrap();
        assert_eq!(events.len() as u64, sim.cycles(), "{}", sim.backend());
        assert!(
            events
                .iter()
                .all(|event| event.port == ticks && event.value == event.clock % 16)
        );
    }
}
