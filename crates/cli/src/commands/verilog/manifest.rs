//! Manifest of the emitted design: files, ports, clock and reset as JSON.

use duoforge_hdl::design::{Dir, Port};
use duoforge_hdl::parameters::PlayerParameters;
use duoforge_hdl::verilog::emit::{WAIVER_FILE, Written};
use serde::Serialize;

/// Manifest in JSON.
#[derive(Serialize)]
pub struct Manifest<'a> {
    /// Version of the format.
    format: u32,
    /// Program and version that emitted the design.
    generator: &'a str,
    version: &'a str,
    /// Name of the top module.
    top: &'a str,
    language: &'a str,
    prefix: String,
    /// Hardware player as in `--player`.
    player: String,
    sources: &'a [String],
    file_list: String,
    lint_waivers: &'a str,
    test_bench: String,
    clock: Clock,
    reset: Reset,
    line: Line,
    /// Build parameters. The modules have no Verilog parameters.
    parameters: Build,
    ports: Vec<PortRow>,
}

#[derive(Serialize)]
struct Clock {
    port: &'static str,
    edge: &'static str,
    frequency_hz: u32,
}

#[derive(Serialize)]
struct Reset {
    port: &'static str,
    active: &'static str,
    synchronous: bool,
    /// Level of the port if the design has no reset: registers have initial values.
    unused: u8,
}

#[derive(Serialize)]
struct Line {
    rx: &'static str,
    tx: &'static str,
    baud: u32,
    format: &'static str,
    cycles_per_bit: u16,
}

#[derive(Serialize)]
struct Build {
    team: String,
    build_id: String,
    inter_byte_timeout_cycles: u32,
    deadline_cycles: u32,
    reply_limit_cycles: u32,
}

#[derive(Serialize)]
struct PortRow {
    name: String,
    direction: &'static str,
    width: u32,
    purpose: &'static str,
}

impl<'a> Manifest<'a> {
    /// Describes a design that was written.
    pub fn new(
        written: &'a Written,
        prefix: String,
        player: String,
        parameters: &PlayerParameters,
    ) -> Self {
        let top = written.top.name.as_str();
        Self {
            format: 1,
            generator: "duoforge",
            version: env!("CARGO_PKG_VERSION"),
            top,
            language: "IEEE 1364-2005",
            prefix,
            player,
            sources: &written.sources,
            file_list: format!("{top}.f"),
            lint_waivers: WAIVER_FILE,
            test_bench: super::bench::file(top),
            clock: Clock {
                port: "clock",
                edge: "rising",
                frequency_hz: parameters.clock_hz,
            },
            reset: Reset {
                port: "reset",
                active: "high",
                synchronous: false,
                unused: 0,
            },
            line: Line {
                rx: "rx",
                tx: "tx",
                baud: parameters.baud,
                format: "8N1",
                cycles_per_bit: parameters.divisor(),
            },
            parameters: Build {
                team: String::from_utf8_lossy(&parameters.team).into_owned(),
                build_id: parameters.build.to_string(),
                inter_byte_timeout_cycles: parameters.inter_byte_timeout_cycles,
                deadline_cycles: parameters.deadline_cycles,
                reply_limit_cycles: parameters.reply_limit_cycles,
            },
            ports: written.top.ports().into_iter().map(row).collect(),
        }
    }
}

fn row(port: Port) -> PortRow {
    PortRow {
        purpose: purpose(&port.name),
        direction: match port.dir {
            Dir::In => "input",
            Dir::Out => "output",
        },
        width: port.width,
        name: port.name,
    }
}

/// Returns the purpose of a port. Only the first four and those of an SDRAM are pins; the others may
/// stay open.
fn purpose(name: &str) -> &'static str {
    match name {
        "clock" => "clock; registers sample at the rising edge",
        "reset" => "clears everything while high",
        "rx" => "serial line from the host, idle high; synchronised inside",
        "tx" => "serial line to the host, idle high",
        "playing" => "high during a game",
        "thinking" => "high from a prompt to its reply",
        "flags" => "faults since the last handshake",
        "think_cycles" => "cycles from the last prompt to the decision",
        "legal_count" => "own legal placements at the last decision",
        "simulations" => "simulations of the last search",
        "memory_failed" => "high once the self-test of the SDRAM has failed",
        "sdram_data_out" => "data to the SDRAM, on the data pins while sdram_drive is high",
        "sdram_drive" => "high while the data pins carry sdram_data_out",
        "sdram_data_in" => "levels of the SDRAM's data pins",
        "sdram_mask" => "both byte masks of the SDRAM",
        _ if name.starts_with("sdram_") => "pin of the SDRAM, whose clock is the player's",
        _ => "observation for tests",
    }
}
