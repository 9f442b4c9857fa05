//! Test bench of the emitted design in plain Verilog: the handshake over the serial line.

/// Test bench, with placeholders.
const TEXT: &str = include_str!("bench.v");

/// Returns the name of the file for a top module.
pub fn file(top: &str) -> String {
    format!("{top}_tb.v")
}

/// Returns the test bench of a top module.
pub fn text(top: &str, cycles_per_bit: u16, team: [u8; 2]) -> String {
    let [first, second] = team;
    TEXT.replace("@TOP@", top)
        .replace("@CYCLES@", &cycles_per_bit.to_string())
        .replace("@FIRST@", &format!("8'h{first:02x}"))
        .replace("@SECOND@", &format!("8'h{second:02x}"))
}
