//! Project for AMD's Vivado: `pins.xdc`, and `build.tcl`, which creates the rest.

use super::sdc;
use crate::build::stages;
use crate::generated::MARK;
use crate::target::{Pin, Pull, Target};

/// Returns the files of the project by name.
pub(super) fn files(
    board: &Target,
    device: &str,
    sources: &[String],
) -> Vec<(&'static str, String)> {
    let head = format!("# {}. {MARK}\n", board.title);
    vec![
        ("pins.xdc", head.clone() + &constraints(board)),
        ("build.tcl", head + &script(board, device, sources)),
    ]
}

/// Returns the pin and timing constraints.
fn constraints(board: &Target) -> String {
    // Digilent's FPGA boards supply the configuration bank with 3.3 V.
    let mut text = String::from(
        "set_property CFGBVS VCCO [current_design]\n\
         set_property CONFIG_VOLTAGE 3.3 [current_design]\n\
         set_property BITSTREAM.GENERAL.COMPRESS TRUE [current_design]\n",
    );
    for pin in &board.pins {
        text += &place(board, pin);
    }
    text + "\n" + &sdc::crystal(board) + &sdc::outside(board)
}

fn place(board: &Target, pin: &Pin) -> String {
    let Pin {
        port, site, about, ..
    } = pin;
    let standard = board.standard_of(pin);
    let pull = match pin.pull {
        Some(Pull::Up) => " PULLUP TRUE",
        Some(Pull::Down) => " PULLDOWN TRUE",
        Some(Pull::None) | None => "",
    };
    let drive = pin.drive.map_or(String::new(), |ma| format!(" DRIVE {ma}"));
    format!(
        "\n# {about}\nset_property -dict {{PACKAGE_PIN {site} IOSTANDARD {standard}{pull}{drive}}} \
         [get_ports {{{port}}}]\n"
    )
}

/// Returns the script that creates the project, and the bitstream if every clock is achieved.
fn script(board: &Target, device: &str, sources: &[String]) -> String {
    let list: String = sources
        .iter()
        .map(|source| format!("    $here/{source} \\\n"))
        .collect();
    let (top, bitstream) = (&board.top, stages::bitstream(board));
    format!(
        r#"set here [file dirname [file normalize [info script]]]
create_project -force duoforge $here/vivado -part {device}
add_files [list \
{list}]
add_files -fileset constrs_1 $here/pins.xdc
set_property include_dirs $here [get_filesets sources_1]
set_property top {top} [get_filesets sources_1]
update_compile_order -fileset sources_1

launch_runs impl_1
wait_on_run impl_1
if {{[get_property PROGRESS [get_runs impl_1]] ne "100%"}} {{
    error "the implementation failed: see $here/vivado/duoforge.runs"
}}
open_run impl_1
report_utilization -file $here/utilization.rpt
report_timing_summary -file $here/timing.rpt
foreach kind {{setup hold}} {{
    set slack [get_property SLACK [get_timing_paths -$kind]]
    puts "worst slack, $kind: $slack ns"
    if {{$slack < 0}} {{
        error "a clock is not reached: see $here/timing.rpt"
    }}
}}
write_bitstream -force $here/{bitstream}
"#
    )
}
