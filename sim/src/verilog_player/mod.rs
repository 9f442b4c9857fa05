//! Player that a contestant wrote in Verilog, with the pins `clock`, `reset`, `rx` and `tx`.

mod sources;

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use duoforge_hdl::design::{CLOCK, Design, Port};

use crate::backend::Backend;
use crate::error::{Result, SimError};
pub(crate) use sources::LINE;
use sources::Sources;

/// Module around a contestant's top module that leaves all ports but the four pins open.
const WRAPPER: &str = "duoforge_pins";

/// File name of that module in the messages of simulators.
pub(crate) const PINS: &str = "duoforge_pins.v";

/// Range of clock frequencies in hertz, from 16 cycles per bit of the serial line.
const CLOCKS_HZ: std::ops::RangeInclusive<u32> = 1_843_200..=500_000_000;

/// Clock frequency without the key `clock_hz`.
const CLOCK_HZ: u32 = 50_000_000;

/// Player in Verilog, as in `verilog=DIR,top=NAME` or `verilog=DIR,top=NAME,clock_hz=HZ`.
///
/// The top module has the inputs `clock`, `reset` (active high) and `rx` and the output `tx`. Other
/// outputs may exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VerilogPlayer {
    /// Directory of the sources, or their only file.
    pub path: PathBuf,
    /// Name of the top module.
    pub top: String,
    /// Clock frequency for which the design is made, in hertz.
    pub clock_hz: u32,
}

/// Error of parsing a [`VerilogPlayer`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum VerilogPlayerError {
    /// A required key is missing.
    #[error("{0} is missing: expected verilog=DIR,top=NAME or verilog=DIR,top=NAME,clock_hz=HZ")]
    Missing(&'static str),
    /// A key does not exist or occurs twice.
    #[error("unexpected '{0}': expected verilog=DIR, top=NAME and clock_hz=HZ, each once")]
    Unexpected(String),
    /// The name of the top module is not an identifier.
    #[error("top={0} is not an identifier of Verilog")]
    Top(String),
    /// The clock frequency is not a number in the permitted range.
    #[error("clock_hz={0} is out of range: expected {min} to {max}", min = CLOCKS_HZ.start(), max = CLOCKS_HZ.end())]
    Clock(String),
}

impl VerilogPlayer {
    /// First characters of the text of every player in Verilog.
    pub const PREFIX: &str = "verilog=";

    /// Reads the sources and returns the design for a simulator.
    ///
    /// # Errors
    /// [`SimError::Io`] for a file that cannot be read, and [`SimError::BadDesign`] without the top
    /// module, or for SystemVerilog in a simulator of Verilog.
    pub fn design(&self, backend: Backend) -> Result<Design> {
        let bad = |reason: String| SimError::BadDesign {
            top: self.top.clone(),
            reason,
        };
        let sources = Sources::read(&self.path, &self.top)?;
        let names = sources.modules();
        if !names.contains(&self.top) {
            let path = self.path.display();
            return Err(bad(match names.is_empty() {
                true => format!("{path} contains no module"),
                false => format!(
                    "not a module of {path}: expected one of {}",
                    names.join(", ")
                ),
            }));
        }
        if sources.system_verilog && backend != Backend::Verilator {
            return Err(bad("SystemVerilog is simulated by Verilator alone".into()));
        }
        let mut text = sources.text;
        if sources.system_verilog {
            text = format!("`begin_keywords \"1800-2017\"\n{text}`end_keywords\n");
        }
        // The wrapper comes first: a waiver for a file also holds in the text after it.
        let top = &self.top;
        let verilog = format!(
            "{LINE}1 \"{PINS}\" 0\nmodule {WRAPPER}(clock, reset, rx, tx);\n  \
             input clock, reset, rx;\n  output tx;\n  \
             /* verilator lint_off PINMISSING */\n  {top} player(.clock(clock), .reset(reset), \
             .rx(rx), .tx(tx));\nendmodule\n{text}"
        );
        Ok(Design {
            top: WRAPPER.into(),
            verilog,
            ports: vec![
                Port::input(CLOCK, 1),
                Port::input("reset", 1),
                Port::input("rx", 1),
                Port::output("tx", 1),
            ],
        })
    }
}

impl FromStr for VerilogPlayer {
    type Err = VerilogPlayerError;

    fn from_str(text: &str) -> Result<Self, VerilogPlayerError> {
        let (mut path, mut top, mut clock) = (None, None, None);
        for part in text.split(',') {
            let unexpected = || VerilogPlayerError::Unexpected(part.to_owned());
            let (key, value) = part.split_once('=').ok_or_else(unexpected)?;
            let slot = match key {
                "verilog" => &mut path,
                "top" => &mut top,
                "clock_hz" => &mut clock,
                _ => return Err(unexpected()),
            };
            if slot.replace(value).is_some() {
                return Err(unexpected());
            }
        }
        let path = path.filter(|path| !path.is_empty());
        let path = path.ok_or(VerilogPlayerError::Missing("verilog=DIR"))?;
        let top = top.ok_or(VerilogPlayerError::Missing("top=NAME"))?;
        if !is_identifier(top) {
            return Err(VerilogPlayerError::Top(top.to_owned()));
        }
        let clock_hz = match clock {
            None => CLOCK_HZ,
            Some(text) => {
                let number = text.parse::<u32>().ok().filter(|hz| CLOCKS_HZ.contains(hz));
                number.ok_or_else(|| VerilogPlayerError::Clock(text.to_owned()))?
            }
        };
        Ok(Self {
            path: path.into(),
            top: top.to_owned(),
            clock_hz,
        })
    }
}

impl fmt::Display for VerilogPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "verilog={},top={}", self.path.display(), self.top)?;
        match self.clock_hz {
            CLOCK_HZ => Ok(()),
            other => write!(f, ",clock_hz={other}"),
        }
    }
}

/// True if a text is a simple identifier of Verilog.
fn is_identifier(text: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
    text.bytes().next().is_some_and(letter)
        && text
            .bytes()
            .all(|byte| letter(byte) || byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn players_are_parsed_and_printed() {
        for text in [
            "verilog=rtl,top=player",
            "verilog=/a b/x.v,top=_p1,clock_hz=100000000",
        ] {
            let player: VerilogPlayer = text.parse().expect("a player");
            assert_eq!(player.to_string(), text);
        }
        let player: VerilogPlayer = "verilog=a,clock_hz=50000000,top=b"
            .parse()
            .expect("a player");
        assert_eq!(player.to_string(), "verilog=a,top=b");
    }

    #[test]
    fn broken_players_have_typed_errors() {
        type E = VerilogPlayerError;
        let error = |text: &str| text.parse::<VerilogPlayer>().expect_err("no player");
        assert_eq!(error("verilog=a"), E::Missing("top=NAME"));
        assert_eq!(error("verilog=,top=b"), E::Missing("verilog=DIR"));
        assert_eq!(
            error("verilog=a,top=b,top=c"),
            E::Unexpected("top=c".into())
        );
        assert_eq!(
            error("verilog=a,top=b,speed=1"),
            E::Unexpected("speed=1".into())
        );
        assert_eq!(error("verilog=a,top=b,"), E::Unexpected(String::new()));
        assert_eq!(error("verilog=a,top=b c"), E::Top("b c".into()));
        for clock in ["0", "x", "1843199", "500000001"] {
            let text = format!("verilog=a,top=b,clock_hz={clock}");
            assert_eq!(error(&text), E::Clock(clock.into()));
        }
    }

    #[test]
    fn the_design_wraps_the_top_module() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        fs::write(
            directory.path().join("a.v"),
            "module mine(input clock);\nendmodule\n",
        )
        .expect("it is written");
        let player = |top: &str| VerilogPlayer {
            path: directory.path().into(),
            top: top.into(),
            clock_hz: CLOCK_HZ,
        };
        let design = player("mine").design(Backend::Icarus).expect("a design");
        assert!(design.verilog.contains("  mine player(.clock(clock)"));
        assert_eq!((design.top.as_str(), design.ports.len()), (WRAPPER, 4));
        let error = player("other")
            .design(Backend::Icarus)
            .expect_err("no module");
        assert!(
            error.to_string().contains("expected one of mine"),
            "{error}"
        );

        fs::write(directory.path().join("b.sv"), "module two;\nendmodule\n")
            .expect("it is written");
        let design = player("mine").design(Backend::Verilator).expect("a design");
        let sources = design
            .verilog
            .split_once("endmodule\n")
            .expect("a wrapper")
            .1;
        assert!(sources.starts_with("`begin_keywords"));
        assert!(player("mine").design(Backend::Icarus).is_err());
    }
}
