//! Stable names for the places of mutations.
//!
//! Yosys numbers cells over the whole design. A place consists of the module, the cell type, its
//! port and bit, the wire's name, and the line within the module with its text. It changes with the
//! module only.

use serde::{Deserialize, Serialize};

/// Place and kind of a mutation.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Place {
    /// Emitted module.
    pub module: String,
    /// Mode of the mutation and its place in the module.
    pub fault: String,
}

/// Maximum number of characters of a line that a place shows.
const LONGEST: usize = 72;

impl Place {
    /// Returns the place of a mutation that is given by Yosys' arguments, in the design of this
    /// text.
    pub fn of(fault: &str, text: &str) -> Self {
        let value = |name: &str| {
            let mut words = fault.split(' ').skip_while(|word| *word != name);
            words.nth(1).unwrap_or_default()
        };
        let module = value("-module").to_owned();
        let (cell, port, bit) = (value("-cell"), value("-port"), value("-portbit"));
        let mut named = format!("{} {}.{port}[{bit}]", value("-mode"), kind(cell));
        if fault.contains(" -ctrlbit ") {
            named += &format!(" by bit {}", value("-ctrlbit"));
        }
        if fault.contains(" -wire ") {
            named += &format!(", {}[{}]", value("-wire"), value("-wirebit"));
        }
        let line = value("-src")
            .rsplit_once(':')
            .and_then(|(_, at)| at.split('.').next()?.parse::<usize>().ok());
        let start = text.lines().position(|line| is_head(line, &module));
        if let (Some(line), Some(start)) = (line, start)
            && let Some(relative) = line.checked_sub(start)
        {
            let there = text.lines().nth(line - 1).unwrap_or_default().trim();
            let shown: String = there.chars().take(LONGEST).collect();
            named += &format!(", line {relative}: {}", shown.replace('`', "'"));
        }
        Self {
            module,
            fault: named,
        }
    }
}

fn is_head(line: &str, module: &str) -> bool {
    line.strip_prefix("module ")
        .and_then(|rest| rest.strip_prefix(module))
        .is_some_and(|rest| rest.starts_with('('))
}

/// Returns a cell's name without its numbers: `$or$player.v:12$30` becomes `$or`, and
/// `$procmux$39_CMP0` becomes `$procmux_CMP0`. An instance keeps its name.
fn kind(cell: &str) -> String {
    let Some(rest) = cell.strip_prefix('$') else {
        return cell.into();
    };
    let kind = rest.split('$').next().unwrap_or_default();
    let end = rest.rsplit('$').next().unwrap_or_default();
    let end = end.trim_start_matches(|c: char| c.is_ascii_digit());
    format!("${kind}{end}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "module a(x);\nendmodule\n\nmodule ab(y);\n    y = `p | q;\nendmodule\n";

    fn place(fault: &str, text: &str) -> Place {
        Place::of(fault, text)
    }

    #[test]
    fn what_stands_before_the_module_does_not_matter() {
        let there = "-mode cnot0 -module ab -cell $or$player.v:5$302 -port Y -portbit 13 -ctrlbit 2 \
                     -wire code -wirebit 7 -src player.v:5.9-5.15 -src player.v:4.1-4.9";
        let moved = there
            .replace("v:5", "v:6")
            .replace("v:4", "v:5")
            .replace("302", "771");
        let one = place(there, TEXT);
        assert_eq!(one, place(&moved, &format!("// more\n{TEXT}")));
        assert_eq!(one.module, "ab");
        assert_eq!(
            one.fault,
            "cnot0 $or.Y[13] by bit 2, code[7], line 2: y = 'p | q;"
        );
    }

    #[test]
    fn cells_lose_their_numbers_and_instances_keep_their_names() {
        assert_eq!(kind("$procmux$3995_CMP0"), "$procmux_CMP0");
        assert_eq!(kind("$procdff$12"), "$procdff");
        assert_eq!(kind("verdict$72"), "verdict$72");
    }

    #[test]
    fn a_fault_without_a_source_has_a_place() {
        let fault = "-mode inv -module a -cell r -port d -portbit 0";
        assert_eq!(place(fault, TEXT).fault, "inv r.d[0]");
    }
}
