//! Names of the simulators.

use std::fmt;
use std::str::FromStr;

/// Simulator that runs a design.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Backend {
    /// Verilog compiled to a native program. Fast to run, seconds to build.
    Verilator,
    /// Verilog interpreted. Slow to run, quick to build, tracks unknown bits.
    Icarus,
    /// Design stepped in this process, without any Verilog.
    Rust,
}

impl Backend {
    /// All back ends.
    pub const ALL: [Self; 3] = [Self::Verilator, Self::Icarus, Self::Rust];

    /// Returns the name that [`FromStr`] accepts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Verilator => "verilator",
            Self::Icarus => "icarus",
            Self::Rust => "rust",
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Backend {
    type Err = UnknownBackend;

    fn from_str(text: &str) -> std::result::Result<Self, UnknownBackend> {
        let named = Self::ALL.into_iter().find(|backend| backend.name() == text);
        named.ok_or_else(|| UnknownBackend(text.to_owned()))
    }
}

/// Error: a text that is not the name of a simulator.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a simulator: expected verilator, icarus or rust")]
pub struct UnknownBackend(String);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backends_are_named() {
        for backend in Backend::ALL {
            assert_eq!(backend.to_string().parse(), Ok(backend));
        }
        let error = "ghdl".parse::<Backend>().unwrap_err();
        assert_eq!(
            error.to_string(),
            "'ghdl' is not a simulator: expected verilator, icarus or rust"
        );
    }
}
