//! Tool runs of each tool chain, and the files that they use in the build directory.

use std::fmt;

use duoforge_protocol::BuildId;
use duoforge_tools::Tool;
use duoforge_tools::catalogue::{ECPPACK, ICEPACK, NEXTPNR_ECP5, NEXTPNR_ICE40, YOSYS};
use serde::{Deserialize, Serialize};

use super::constraints::constraints;
use crate::target::Target;
use crate::toolchain::Tools;

/// Synthesis script.
pub const SCRIPT: &str = "synthesis.ys";
/// Cell counts of the synthesis, by cell type.
pub const STATISTICS: &str = "statistics.json";
/// Report of place and route.
pub const REPORT: &str = "report.json";
/// Name of the bitstream until the build succeeds.
pub const UNFINISHED: &str = "bitstream.unfinished";

const NETLIST: &str = "netlist.json";
const ROUTED: &str = "routed";

/// Stage of a build.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    /// Emission of the design as Verilog.
    Verilog,
    /// Synthesis of the Verilog to cells of the chip.
    Synthesis,
    /// Place and route.
    Routing,
    /// Packing into a bitstream.
    Packing,
}

impl Stage {
    /// Returns the name of the log file in the build directory.
    pub const fn log(self) -> &'static str {
        match self {
            Self::Verilog => "verilog.log",
            Self::Synthesis => "synthesis.log",
            Self::Routing => "routing.log",
            Self::Packing => "packing.log",
        }
    }
}

impl fmt::Display for Stage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Verilog => "Verilog",
            Self::Synthesis => "synthesis",
            Self::Routing => "place and route",
            Self::Packing => "packing",
        })
    }
}

/// Tool run in the build directory.
#[derive(Clone, Debug)]
pub struct ToolRun {
    /// Stage of the run.
    pub stage: Stage,
    /// Tool that runs.
    pub tool: Tool,
    /// Arguments of the tool; file names are relative to the build directory.
    pub arguments: Vec<String>,
}

/// Returns the tool runs for a target with open tools; `None` for other targets.
pub fn steps(board: &Target, id: BuildId) -> Option<[ToolRun; 3]> {
    let (pins, _) = constraints(board)?;
    let seed = board.seed.to_string();
    let common = ["--json", NETLIST, "--report", REPORT, "--seed", &seed];
    // Achieved frequencies are read from the report: a failure of nextpnr would give less information.
    let common = common.into_iter().chain(["--timing-allow-fail"]);
    let words = |text: String| text.split(' ').map(str::to_owned).collect::<Vec<_>>();
    let routing = |options: String| -> Vec<String> {
        let options = words(options);
        options
            .into_iter()
            .chain(common.map(str::to_owned))
            .collect()
    };
    let (route, place, pack, packing) = match &board.tools {
        Tools::Ecp5 {
            device,
            package,
            speed,
        } => (
            NEXTPNR_ECP5,
            routing(format!(
                "--{device} --package {package} --speed {speed} --lpf {pins} --textcfg {ROUTED}"
            )),
            ECPPACK,
            words(format!(
                "--compress --usercode {} --input {ROUTED} --bit {UNFINISHED}",
                id.0
            )),
        ),
        Tools::Ice40 { device, package } => (
            NEXTPNR_ICE40,
            routing(format!(
                "--{device} --package {package} --pcf {pins} --asc {ROUTED}"
            )),
            ICEPACK,
            words(format!("{ROUTED} {UNFINISHED}")),
        ),
        Tools::Quartus { .. } | Tools::Vivado { .. } => return None,
    };
    let step = |stage, tool, arguments| ToolRun {
        stage,
        tool,
        arguments,
    };
    Some([
        step(Stage::Synthesis, YOSYS, words(format!("-s {SCRIPT}"))),
        step(Stage::Routing, route, place),
        step(Stage::Packing, pack, packing),
    ])
}

/// Returns the synthesis script. `sources` are the Verilog files.
pub fn script(board: &Target, sources: &[String]) -> String {
    let synth = match board.tools {
        Tools::Ecp5 { .. } => "synth_ecp5",
        Tools::Ice40 { .. } => "synth_ice40",
        Tools::Quartus { .. } => "synth_intel",
        Tools::Vivado { .. } => "synth_xilinx",
    };
    let (top, options) = (&board.top, &board.configuration.synthesis);
    let options = match options.as_str() {
        "" => String::new(),
        options => format!("{options} "),
    };
    format!(
        "read_verilog {}\n\
         {synth} {options}-top {top} -json {NETLIST}\n\
         check -assert\n\
         tee -q -o {STATISTICS} stat -json\n",
        sources.join(" ")
    )
}

/// Returns the names of the files that the tools write: intermediate results, reports, logs and the
/// bitstream.
pub fn outputs(board: &Target) -> Vec<String> {
    let logs = [Stage::Synthesis, Stage::Routing, Stage::Packing].map(Stage::log);
    let files = [STATISTICS, NETLIST, ROUTED, REPORT, UNFINISHED];
    let names = files.into_iter().chain(logs).map(str::to_owned);
    names.chain([bitstream(board)]).collect()
}

/// Returns the final name of the bitstream.
pub fn bitstream(board: &Target) -> String {
    let end = match board.tools {
        Tools::Ecp5 { .. } | Tools::Vivado { .. } => "bit",
        Tools::Ice40 { .. } => "bin",
        Tools::Quartus { .. } => "sof",
    };
    format!("duoforge-{}.{end}", board.label())
}
