//! Description of a design for the simulators, independent of its source language.

use std::fmt;

/// Name of the clock port of every design. Registers sample at its rising edge.
pub const CLOCK: &str = "clock";

/// Maximum width of a port in bits: a value is transferred as one `u64`.
pub const MAX_PORT_WIDTH: u32 = 64;

/// Direction of a port, from the design's point of view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dir {
    /// Driven from outside.
    In,
    /// Driven by the design.
    Out,
}

/// Port of a design.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Port {
    /// Name in the top module, as in the Verilog text.
    pub name: String,
    /// Width in bits, 1 to [`MAX_PORT_WIDTH`].
    pub width: u32,
    /// Direction of the port.
    pub dir: Dir,
}

impl Port {
    /// Creates an input port.
    pub fn input(name: impl Into<String>, width: u32) -> Self {
        Self {
            name: name.into(),
            width,
            dir: Dir::In,
        }
    }

    /// Creates an output port.
    pub fn output(name: impl Into<String>, width: u32) -> Self {
        Self {
            name: name.into(),
            width,
            dir: Dir::Out,
        }
    }

    /// Returns the largest value that the port can hold.
    pub fn max_value(&self) -> u64 {
        u64::MAX >> (64 - self.width.clamp(1, 64))
    }
}

/// Design with at most one clock, as Verilog text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Design {
    /// Name of the top module.
    pub top: String,
    /// Verilog text of all modules that the top module needs.
    pub verilog: String,
    /// Ports of the top module. The simulator drives the port named [`CLOCK`]; a design without it
    /// is combinational.
    pub ports: Vec<Port>,
}

impl Design {
    /// Returns the port with this name.
    pub fn port(&self, name: &str) -> Option<&Port> {
        self.ports.iter().find(|port| port.name == name)
    }
}

/// Design that is stepped in this process instead of as Verilog.
///
/// A value occupies the low bits of a `u64`. The clock is low between two calls of
/// [`tick`](Self::tick).
pub trait Model {
    /// Drives an input port until the next call for the port. Outputs that depend on it may be
    /// stale until [`settle`](Self::settle).
    ///
    /// # Panics
    /// If the design has no input of that name.
    fn poke(&mut self, port: &str, value: u64);

    /// Propagates the inputs through the combinational logic.
    fn settle(&mut self);

    /// Returns the value of any port after the last [`settle`](Self::settle) or
    /// [`tick`](Self::tick).
    ///
    /// # Panics
    /// If the design has no port of that name.
    fn peek(&self, port: &str) -> u64;

    /// Runs one cycle: evaluates logic, then a rising and a falling edge, then evaluates again.
    fn tick(&mut self);
}

impl fmt::Debug for dyn Model + '_ {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Model")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn largest_values_fill_the_width() {
        assert_eq!(Port::input("a", 1).max_value(), 1);
        assert_eq!(Port::input("a", 63).max_value(), u64::MAX >> 1);
        assert_eq!(Port::output("a", 64).max_value(), u64::MAX);
    }

    #[test]
    fn ports_are_found_by_name() {
        let design = Design {
            top: "t".into(),
            verilog: String::new(),
            ports: vec![Port::input("rx", 1), Port::output("tx", 1)],
        };
        assert_eq!(design.port("tx").map(|port| port.dir), Some(Dir::Out));
        assert_eq!(design.port("clock"), None);
    }
}
