//! Extracts cell models from Yosys' library.

use std::collections::{BTreeMap, BTreeSet};

/// Returns the modules, by name, between the markers that Yosys puts around preprocessed text.
/// Their `specify` blocks are removed: the simulations have no timing within a cycle.
pub(super) fn models(log: &str) -> BTreeMap<String, String> {
    let mut models = BTreeMap::new();
    let mut current: Option<(String, String)> = None;
    let mut timing = false;
    let text = log
        .split_once("-- Verilog code after preprocessor --")
        .map_or("", |(_, rest)| rest);
    let text = text.split_once("-- END OF DUMP --").map_or("", |(t, _)| t);
    for line in text.lines() {
        let word = line.trim();
        if let Some(header) = line.strip_prefix("module ") {
            let name = header
                .trim_start()
                .split(|c: char| c == '(' || c.is_whitespace());
            let name = name.into_iter().next().unwrap_or_default();
            current = Some((name.to_owned(), String::new()));
        }
        if let Some((_, body)) = &mut current {
            timing |= word == "specify";
            if !timing && !word.is_empty() {
                body.push_str(line);
                body.push('\n');
            }
            timing &= word != "endspecify";
        }
        if line.starts_with("endmodule")
            && let Some((name, body)) = current.take()
        {
            models.insert(name, body);
        }
    }
    models
}

/// Returns the text of all models that a netlist uses, including models used by those models.
///
/// # Errors
/// The name of a cell without a model.
pub(super) fn used(netlist: &str, models: &BTreeMap<String, String>) -> Result<String, String> {
    let mut found = BTreeSet::new();
    let mut texts = vec![netlist];
    while let Some(text) = texts.pop() {
        for cell in instances(text) {
            let model = models.get(cell).ok_or(cell)?;
            if found.insert(cell) {
                texts.push(model);
            }
        }
    }
    Ok(found
        .into_iter()
        .map(|cell| models[cell].as_str())
        .collect())
}

/// Returns the cell types that a text instantiates. Yosys and its library start the line with the
/// cell type; the parameters or the instance name follow.
fn instances(text: &str) -> BTreeSet<&str> {
    text.lines().filter_map(instance).collect()
}

fn instance(line: &str) -> Option<&str> {
    let (kind, rest) = line.trim_start().split_once(' ')?;
    let letter = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    let named = kind.starts_with(|c: char| c.is_ascii_uppercase()) && kind.chars().all(letter);
    (named && rest.contains('(')).then_some(kind)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LOG: &str = "\
Parsing Verilog input
-- Verilog code after preprocessor --
`file_push \"/share/x.v\"
(* abc9_lut=1 *)
module LUT2(input A, B, output Z);
  parameter [3:0] INIT = 4'h0;
  assign Z = INIT[{B, A}];
    specify
      (A => Z) = 141;
    endspecify
endmodule

module PAIR (
  input A, B, output Z
);
  wire z;
  LUT2 #(.INIT(4'h8)) first(.A(A), .B(B), .Z(z));
  LUT2 #(.INIT(4'h1)) second(.A(z), .B(z), .Z(Z));
endmodule
`file_pop
-- END OF DUMP --
module LATER(input A);
endmodule
";

    #[test]
    fn models_are_found_by_name_without_their_timing() {
        let models = models(LOG);
        assert_eq!(models.keys().collect::<Vec<_>>(), ["LUT2", "PAIR"]);
        assert!(models["LUT2"].starts_with("module LUT2("));
        assert!(!models["LUT2"].contains("141") && models["LUT2"].ends_with("endmodule\n"));
    }

    #[test]
    fn what_a_cell_is_made_of_is_used_too() {
        let models = models(LOG);
        let used = used("  PAIR _1_ (\n    .A(a)\n", &models).unwrap();
        assert_eq!(used, models["LUT2"].clone() + &models["PAIR"]);
    }

    #[test]
    fn a_cell_without_a_model_is_named() {
        let netlist = "  DP16KD #(\n    .A(1)\n  ) _1_ (\n";
        assert_eq!(used(netlist, &models(LOG)), Err("DP16KD".into()));
    }
}
