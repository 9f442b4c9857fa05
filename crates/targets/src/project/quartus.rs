//! Project for Intel's Quartus: `duoforge.qpf`, `duoforge.qsf`, `duoforge.sdc`.

use std::fmt::Write;

use super::sdc;
use crate::generated::MARK;
use crate::target::{Pin, Pull, Target};

/// Returns the files of the project by name.
pub(super) fn files(
    board: &Target,
    family: &str,
    device: &str,
    sources: &[String],
) -> Vec<(&'static str, String)> {
    let head = format!("# {}. {MARK}\n", board.title);
    let project = format!("{head}PROJECT_REVISION = \"duoforge\"\n");
    vec![
        ("duoforge.qpf", project),
        (
            "duoforge.qsf",
            head.clone() + &settings(board, family, device, sources),
        ),
        ("duoforge.sdc", head + &timing(board)),
    ]
}

fn settings(board: &Target, family: &str, device: &str, sources: &[String]) -> String {
    let mut text = String::new();
    let mut global = |name: &str, value: &str| {
        let _ = writeln!(text, "set_global_assignment -name {name} \"{value}\"");
    };
    global("FAMILY", family);
    global("DEVICE", device);
    global("TOP_LEVEL_ENTITY", &board.top);
    global("PROJECT_OUTPUT_DIRECTORY", "output_files");
    global("VERILOG_INPUT_VERSION", "VERILOG_2001");
    global("SDC_FILE", "duoforge.sdc");
    global("NUM_PARALLEL_PROCESSORS", "ALL");
    // Other chips on the FPGA board are connected to pins that the top does not use.
    let unused = "AS INPUT TRI-STATED WITH WEAK PULL-UP";
    global("RESERVE_ALL_UNUSED_PINS", unused);
    for source in sources {
        global("VERILOG_FILE", source);
    }
    for pin in &board.pins {
        text += &place(board, pin);
    }
    text
}

fn place(board: &Target, pin: &Pin) -> String {
    let Pin {
        port, site, about, ..
    } = pin;
    let mut text = format!("\n# {about}\nset_location_assignment PIN_{site} -to {port}\n");
    let mut assign = |name: &str, value: &str| {
        let _ = writeln!(
            text,
            "set_instance_assignment -name {name} \"{value}\" -to {port}"
        );
    };
    assign("IO_STANDARD", board.standard_of(pin));
    if pin.pull == Some(Pull::Up) {
        assign("WEAK_PULL_UP_RESISTOR", "ON");
    }
    if let Some(milliamperes) = pin.drive {
        assign("CURRENT_STRENGTH_NEW", &format!("{milliamperes}MA"));
    }
    text
}

/// Returns the timing constraints: the crystal's clock, and no constraints on the other pins.
fn timing(board: &Target) -> String {
    format!(
        "{}derive_pll_clocks\nderive_clock_uncertainty\n{}",
        sdc::crystal(board),
        sdc::outside(board)
    )
}
