//! Small test design in Verilog and as a Rust model.

#![allow(dead_code, reason = "every test file uses some of it")]

use std::collections::HashMap;

use duoforge_hdl::design::{Design, Model, Port};
use duoforge_sim::{Options, RustSim, Simulator, icarus, verilator};

/// Returns a design with registers, a combinational path from inputs to outputs, 64-bit ports, and
/// names that are reserved in C++ or contain a `$`.
pub fn mixer() -> Design {
    let verilog = "
module mixer(clock, enable, data$in, new, parity, int, acc$q, hit, double__under);
  input clock;
  input enable;
  input [7:0] data$in;
  input [63:0] new;
  output parity;
  output [30:0] int;
  output [63:0] acc$q;
  output hit;
  output [15:0] double__under;
  reg [30:0] count;
  reg [63:0] acc;
  initial count = 0;
  initial acc = 64'd1;
  assign parity = ^data$in ^ enable;
  assign int = count;
  assign acc$q = acc;
  assign hit = acc[2:0] == 3'd0;
  assign double__under = acc[15:0] + {8'd0, data$in};
  always @(posedge clock)
    if (enable) begin
      count <= count + 1;
      acc <= {acc[62:0], acc[63]} ^ new ^ {56'd0, data$in};
    end
endmodule
";
    Design {
        top: "mixer".into(),
        verilog: verilog.into(),
        ports: vec![
            Port::input("clock", 1),
            Port::input("enable", 1),
            Port::input("data$in", 8),
            Port::input("new", 64),
            Port::output("parity", 1),
            Port::output("int", 31),
            Port::output("acc$q", 64),
            Port::output("hit", 1),
            Port::output("double__under", 16),
        ],
    }
}

/// Rust model of [`mixer`].
pub struct Mixer {
    inputs: HashMap<String, u64>,
    outputs: HashMap<&'static str, u64>,
    count: u64,
    acc: u64,
}

impl Mixer {
    pub fn new() -> Self {
        Self {
            inputs: HashMap::new(),
            outputs: HashMap::new(),
            count: 0,
            acc: 1,
        }
    }

    fn input(&self, port: &str) -> u64 {
        self.inputs.get(port).copied().unwrap_or(0)
    }
}

impl Model for Mixer {
    fn poke(&mut self, port: &str, value: u64) {
        self.inputs.insert(port.to_owned(), value);
    }

    fn settle(&mut self) {
        let data = self.input("data$in");
        let parity = (data.count_ones() as u64 + self.input("enable")) & 1;
        self.outputs = HashMap::from([
            ("parity", parity),
            ("int", self.count & 0x7fff_ffff),
            ("acc$q", self.acc),
            ("hit", u64::from(self.acc & 7 == 0)),
            ("double__under", self.acc.wrapping_add(data) & 0xffff),
        ]);
    }

    fn peek(&self, port: &str) -> u64 {
        self.outputs
            .get(port)
            .copied()
            .unwrap_or_else(|| self.input(port))
    }

    fn tick(&mut self) {
        self.settle();
        if self.input("enable") == 1 {
            self.count += 1;
            self.acc = self.acc.rotate_left(1) ^ self.input("new") ^ self.input("data$in");
        }
        self.settle();
    }
}

/// Opens the mixer in all simulators.
pub fn all_mixers(options: &Options) -> Vec<Box<dyn Simulator>> {
    let design = mixer();
    vec![
        Box::new(verilator::open(&design, options).unwrap()),
        Box::new(icarus::open(&design, options).unwrap()),
        Box::new(RustSim::new(&design, Box::new(Mixer::new())).unwrap()),
    ]
}
