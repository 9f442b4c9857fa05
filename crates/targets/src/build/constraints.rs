//! Constraint file for place and route: pin sites and the crystal's frequency.

use std::fmt::Write;

use crate::target::{Pin, Pull, Target};
use crate::toolchain::Tools;

/// Returns name and text of the constraint file for the open tools; `None` for the vendors' tools.
pub fn constraints(board: &Target) -> Option<(&'static str, String)> {
    match board.tools {
        Tools::Ecp5 { .. } => Some(("pins.lpf", lpf(board))),
        Tools::Ice40 { .. } => Some(("pins.pcf", pcf(board))),
        Tools::Quartus { .. } | Tools::Vivado { .. } => None,
    }
}

fn megahertz(board: &Target) -> f64 {
    f64::from(board.clock.crystal_hz) / 1e6
}

const fn pull(pin: &Pin) -> Option<&'static str> {
    match pin.pull {
        Some(Pull::Up) => Some("UP"),
        Some(Pull::Down) => Some("DOWN"),
        Some(Pull::None) => Some("NONE"),
        None => None,
    }
}

/// Returns the constraints for nextpnr-ecp5.
fn lpf(board: &Target) -> String {
    let mut text = format!("# {}\n", board.title);
    for pin in &board.pins {
        let Pin {
            port, site, about, ..
        } = pin;
        let standard = board.standard_of(pin);
        let pull = pull(pin).map_or(String::new(), |pull| format!(" PULLMODE={pull}"));
        let drive = pin.drive.map_or(String::new(), |ma| format!(" DRIVE={ma}"));
        let _ = write!(
            text,
            "\n# {about}\n\
             LOCATE COMP \"{port}\" SITE \"{site}\";\n\
             IOBUF PORT \"{port}\" IO_TYPE={standard}{pull}{drive};\n"
        );
    }
    let clock = &board.clock_pin().port;
    text + &format!("\nFREQUENCY PORT \"{clock}\" {} MHZ;\n", megahertz(board))
}

/// Returns the constraints for nextpnr-ice40, which supports only pull-ups and no choice of IO
/// standard.
fn pcf(board: &Target) -> String {
    let mut text = format!("# {}\n", board.title);
    for pin in &board.pins {
        let Pin {
            port, site, about, ..
        } = pin;
        let pull = match pin.pull {
            Some(Pull::Up) => " -pullup yes",
            _ => "",
        };
        let _ = write!(text, "\n# {about}\nset_io{pull} {port} {site}\n");
    }
    let clock = &board.clock_pin().port;
    text + &format!("\nset_frequency {clock} {}\n", megahertz(board))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalogue;

    fn text_of(board: &str) -> String {
        let board = catalogue::find(board).expect("a board");
        constraints(&board).expect("open tools").1
    }

    #[test]
    fn an_lpf_places_every_pin_with_its_standard() {
        let text = text_of("ulx3s-85f");
        for expected in [
            "# crystal\nLOCATE COMP \"clock_25mhz\" SITE \"G2\";\n\
             IOBUF PORT \"clock_25mhz\" IO_TYPE=LVCMOS33 PULLMODE=NONE;\n",
            "IOBUF PORT \"lights[0]\" IO_TYPE=LVCMOS33 DRIVE=4;\n",
            "\nFREQUENCY PORT \"clock_25mhz\" 25 MHZ;\n",
        ] {
            assert!(text.contains(expected), "{text}");
        }
        let pins = catalogue::find("ulx3s-85f").expect("a board").pins.len();
        assert_eq!(text.matches("LOCATE COMP").count(), pins);
    }

    #[test]
    fn a_pcf_places_every_pin() {
        let text = text_of("hx8k-breakout");
        for expected in [
            "set_io -pullup yes ftdi_rx B10\n",
            "set_io lights[7] C3\n",
            "set_frequency clock_12mhz 12\n",
        ] {
            assert!(text.contains(expected), "{text}");
        }
        let pins = catalogue::find("hx8k-breakout")
            .expect("a board")
            .pins
            .len();
        assert_eq!(text.matches("set_io").count(), pins);
    }
}
