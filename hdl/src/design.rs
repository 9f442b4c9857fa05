//! What a simulator has to know of a design, independent of how the design was written.

use std::fmt;

/// The clock port of every design. Registers take their inputs at its rising edge.
pub const CLOCK: &str = "clock";

/// The widest port in bits: a value travels as one `u64`.
pub const MAX_PORT_WIDTH: u32 = 64;

/// Direction of a port, seen from the design.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Dir {
    /// Driven from outside.
    In,
    /// Driven by the design.
    Out,
}

/// One port of a design.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Port {
    /// Name in the top module, as in the Verilog text.
    pub name: String,
    /// Width in bits, 1 to [`MAX_PORT_WIDTH`].
    pub width: u32,
    /// Who drives it.
    pub dir: Dir,
}

impl Port {
    /// A port that is driven from outside.
    pub fn input(name: impl Into<String>, width: u32) -> Self {
        Self {
            name: name.into(),
            width,
            dir: Dir::In,
        }
    }

    /// A port that the design drives.
    pub fn output(name: impl Into<String>, width: u32) -> Self {
        Self {
            name: name.into(),
            width,
            dir: Dir::Out,
        }
    }

    /// The largest value that fits.
    pub fn max_value(&self) -> u64 {
        u64::MAX >> (64 - self.width.clamp(1, 64))
    }
}

/// A design with at most one clock, as Verilog text.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Design {
    /// Name of the top module.
    pub top: String,
    /// The whole text, every module that the top module needs.
    pub verilog: String,
    /// Every port of the top module. The port named [`CLOCK`] is driven by the simulator; a design
    /// without it is combinational.
    pub ports: Vec<Port>,
}

impl Design {
    /// The port of that name.
    pub fn port(&self, name: &str) -> Option<&Port> {
        self.ports.iter().find(|port| port.name == name)
    }
}

/// A design that is stepped in this process instead of as Verilog.
///
/// Values lie in the low bits of a `u64`. Between two clocks the clock is low.
pub trait Model {
    /// Drives an input port from now on. Outputs that depend on it may be stale until
    /// [`settle`](Self::settle).
    ///
    /// # Panics
    /// If the design has no such input.
    fn poke(&mut self, port: &str, value: u64);

    /// Lets combinational logic follow the inputs.
    fn settle(&mut self);

    /// The value of any port after the last [`settle`](Self::settle) or [`tick`](Self::tick).
    ///
    /// # Panics
    /// If the design has no such port.
    fn peek(&self, port: &str) -> u64;

    /// One clock: settles, then a rising and a falling edge, then settles again.
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
