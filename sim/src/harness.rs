//! Verilog wrapper of a design.

use std::fmt::Write;

use duoforge_hdl::design::{CLOCK, Design, Dir, Port};

use crate::port::Ports;

/// Name of the module that Verilator turns into a class.
pub(crate) const SHELL: &str = "duoforge_shell";

/// Returns a module around the design with ports named `p0`, `p1`, ... in the design's order. The
/// C++ code then does not depend on how Verilator renames `$` and reserved words.
pub(crate) fn shell(design: &Design, ports: &Ports) -> String {
    let mut text = format!("module {SHELL}(clock");
    for number in 0..ports.len() {
        let _ = write!(text, ", p{number}");
    }
    text += ");\n  input clock;\n";
    for (number, port) in ports.iter().enumerate() {
        let direction = if port.dir == Dir::In {
            "input"
        } else {
            "output"
        };
        let _ = writeln!(text, "  {direction} {}p{number};", range(port));
    }
    text += &instance(design, ports);
    text += "endmodule\n";
    text
}

/// Returns the design as instance `dut`, connected to `clock`, `p0`, `p1`, ...
pub(crate) fn instance(design: &Design, ports: &Ports) -> String {
    let mut connections = Vec::new();
    if design.port(CLOCK).is_some() {
        connections.push(format!("    .{CLOCK}(clock)"));
    }
    for (number, port) in ports.iter().enumerate() {
        connections.push(format!("    .{}(p{number})", port.name));
    }
    format!("  {} dut(\n{}\n  );\n", design.top, connections.join(",\n"))
}

/// Returns the range of a port's declaration with a trailing space, or nothing for a single bit.
pub(crate) fn range(port: &Port) -> String {
    match port.width {
        1 => String::new(),
        width => format!("[{}:0] ", width - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_shell_numbers_the_ports() {
        let design = Design {
            top: "top".into(),
            verilog: String::new(),
            ports: vec![
                Port::input("clock", 1),
                Port::input("a$b", 8),
                Port::output("new", 1),
            ],
        };
        let text = shell(&design, &Ports::of(&design).unwrap());
        assert_eq!(
            text,
            "module duoforge_shell(clock, p0, p1);\n  input clock;\n  input \
             [7:0] p0;\n  output p1;\n  top dut(\n    .clock(clock),\n    .a$b(p0),\n    .new(p1)\n  \
             );\nendmodule\n"
        );
    }

    #[test]
    fn a_combinational_design_gets_no_clock() {
        let design = Design {
            top: "adder".into(),
            verilog: String::new(),
            ports: vec![Port::input("a", 2)],
        };
        assert_eq!(
            instance(&design, &Ports::of(&design).unwrap()),
            "  adder dut(\n    .a(p0)\n  );\n"
        );
    }
}
