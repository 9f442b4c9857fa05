//! Test bench of the emitted design in plain Verilog: the handshake over the serial line.

use duoforge_hdl::parameters::PlayerParameters;

/// Test bench, with placeholders.
const TEXT: &str = include_str!("bench.v");

/// Returns the name of the file for a top module.
pub fn file(top: &str) -> String {
    format!("{top}_tb.v")
}

/// Returns the test bench of a top module.
pub fn text(top: &str, parameters: &PlayerParameters) -> String {
    let [first, second] = parameters.team;
    TEXT.replace("@TOP@", top)
        .replace("@CLOCK_HZ@", &parameters.clock_hz.to_string())
        .replace("@BAUD@", &parameters.baud.to_string())
        .replace("@FIRST@", &format!("8'h{first:02x}"))
        .replace("@SECOND@", &format!("8'h{second:02x}"))
}
