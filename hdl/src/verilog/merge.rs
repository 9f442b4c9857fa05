//! Rewriting of rust-hdl's text.
//!
//! rust-hdl writes one module per instance, named by the path of the instance. This module merges
//! equal modules, so that 91 equal registers become 91 instances of one module. It also shortens
//! the names: a name is the path without its first part and without array indices, or `register_N`
//! for a plain register.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::{Module, names};

/// Splits rust-hdl's text into modules and merges equal ones.
pub(super) fn merge(text: &str, top: &str) -> Vec<Module> {
    let bodies = split(text);
    let mut name_of: HashMap<&str, String> = HashMap::new();
    let mut known: HashMap<String, String> = HashMap::new();
    let mut taken: HashSet<String> = HashSet::new();
    let mut merged = Vec::new();
    // A module sorts before the modules inside it. In reverse order, the modules of all instances
    // therefore have their final names already.
    for (&path, body) in bodies.iter().rev() {
        let body: String = body
            .iter()
            .map(|line| rename(line, &name_of) + "\n")
            .collect();
        let name = known.entry(body.clone()).or_insert_with(|| {
            let wanted = if path == "top" {
                top.to_owned()
            } else {
                short_name(path, &body)
            };
            let name = (1..)
                .map(|n| {
                    if n == 1 {
                        wanted.clone()
                    } else {
                        format!("{wanted}_{n}")
                    }
                })
                .find(|name| taken.insert(name.clone()))
                .expect("there are numbers enough");
            merged.push(Module {
                text: format!("module {name}{body}"),
                name: name.clone(),
            });
            name
        });
        name_of.insert(path, name.clone());
    }
    merged.reverse();
    merged
}

/// Returns the lines of each module by path: the port list, then the lines up to `endmodule`.
fn split(text: &str) -> BTreeMap<&str, Vec<String>> {
    let mut modules = BTreeMap::new();
    let mut current: Option<(&str, Vec<String>)> = None;
    for line in text.lines() {
        let trimmed = line.trim();
        if let Some(header) = trimmed.strip_prefix("module ") {
            let (name, ports) = header.split_at(header.find('(').unwrap_or(header.len()));
            current = Some((name, vec![wrap_ports(ports)]));
        } else if trimmed.starts_with("endmodule") {
            if let Some((name, mut lines)) = current.take() {
                lines.push("endmodule".into());
                modules.insert(name, with_direct_clocks(without_unused_names(lines)));
            }
        } else if let Some((_, lines)) = &mut current
            && !trimmed.is_empty()
        {
            lines.push(line.trim_end().into());
        }
    }
    modules
}

/// Removes the state names that the module does not use: rust-hdl declares all of them wherever a
/// state signal occurs.
fn without_unused_names(lines: Vec<String>) -> Vec<String> {
    let name_in = |line: &str| {
        let declaration = line.trim_start().strip_prefix("localparam ")?;
        let (name, _) = declaration.split_once(" =")?;
        Some(name.rsplit(' ').next()?.to_owned())
    };
    let others = lines.iter().filter(|line| name_in(line).is_none());
    let used: HashSet<String> = others
        .flat_map(|line| names(line))
        .map(str::to_owned)
        .collect();
    let kept: Vec<_> = lines
        .into_iter()
        .filter(|line| name_in(line).is_none_or(|name| used.contains(&name)))
        .collect();
    let names_left = kept.iter().any(|line| name_in(line).is_some());
    kept.into_iter()
        .filter(|line| names_left || line.trim() != "// Enums")
        .collect()
}

/// Connects every instance to the module's own clock.
///
/// rust-hdl passes the clock down by assignments inside the logic, which an event-driven simulator
/// evaluates at every clock edge. Icarus is twenty times as fast without them, and the clock tree
/// stays free of logic.
fn with_direct_clocks(lines: Vec<String>) -> Vec<String> {
    let copy = |line: &str| line.trim().strip_suffix(" = clock;").map(str::to_owned);
    let copies: HashSet<_> = lines.iter().filter_map(|line| copy(line)).collect();
    let declares_copy = |line: &str| {
        let name = line
            .trim()
            .strip_prefix("reg ")
            .and_then(|rest| rest.strip_suffix(';'));
        name.is_some_and(|name| copies.contains(name.trim_start()))
    };
    let direct = |line: String| {
        let connected = line
            .trim()
            .strip_prefix('.')
            .and_then(|rest| rest.split_once('(')?.1.split_once(')'));
        match connected {
            Some((name, _)) if copies.contains(name) => {
                line.replace(&format!("({name})"), "(clock)")
            }
            _ => line,
        }
    };
    let lines = lines
        .into_iter()
        .filter(|line| copy(line).is_none() && !declares_copy(line));
    lines.map(direct).collect()
}

/// Folds a module's port list to lines of at most 100 characters.
fn wrap_ports(ports: &str) -> String {
    let mut out = String::new();
    let mut width = 40;
    for port in ports.split_inclusive(',') {
        if width + port.len() > 100 {
            out.push_str("\n    ");
            width = 4;
        }
        out.push_str(port);
        width += port.len();
    }
    out
}

/// Replaces the module name in an instance's line by the final one; leaves other lines unchanged.
pub(super) fn rename(line: &str, name_of: &HashMap<&str, String>) -> String {
    let trimmed = line.trim_start();
    let Some((kind, rest)) = trimmed.split_once(' ') else {
        return line.into();
    };
    match name_of.get(kind) {
        Some(name) if rest.ends_with('(') => {
            format!("{}{name} {rest}", &line[..line.len() - trimmed.len()])
        }
        _ => line.into(),
    }
}

fn short_name(path: &str, body: &str) -> String {
    if body.starts_with("(d,q,clock);") {
        let width = body
            .split_once("[")
            .and_then(|(_, rest)| rest.split_once(':'));
        let top_bit: usize = width.and_then(|(bit, _)| bit.parse().ok()).unwrap_or(0);
        return format!("register_{}", top_bit + 1);
    }
    let parts = path
        .split('$')
        .skip(1)
        .filter(|part| part.parse::<usize>().is_err());
    parts.collect::<Vec<_>>().join("_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instances_have_the_clock_itself() {
        let lines = [
            "    input wire  clock;",
            "    reg  x$clock;",
            "    reg  other$clock;",
            "    reg  ram$read_clock;",
            "    register_1 x(",
            "        .d(x$d),",
            "        .clock(x$clock)",
            "    );",
            "    ram ram(",
            "        .read_clock(ram$read_clock)",
            "    );",
            "    always @(*) begin",
            "        x$clock = clock;",
            "        ram$read_clock = clock;",
            "        x$d = d;",
            "    end",
        ];
        let direct = with_direct_clocks(lines.map(String::from).into());
        let expected = [
            "    input wire  clock;",
            "    reg  other$clock;",
            "    register_1 x(",
            "        .d(x$d),",
            "        .clock(clock)",
            "    );",
            "    ram ram(",
            "        .read_clock(clock)",
            "    );",
            "    always @(*) begin",
            "        x$d = d;",
            "    end",
        ];
        assert_eq!(direct, expected);
    }

    const TEXT: &str = "
module top(a,b);
    top$x x(
        .d(a));
    top$y$0 y$0(
        .d(b));
endmodule // top
module top$x(d);
    input wire d;
endmodule // top$x
module top$y$0(d);
    input wire d;
endmodule // top$y$0
";

    #[test]
    fn equal_modules_are_merged_and_instances_follow() {
        let modules = merge(TEXT, "chip");
        let names: Vec<_> = modules.iter().map(|m| m.name.as_str()).collect();
        assert_eq!(names, ["chip", "y"]);
        assert!(
            modules[0].text.contains("    y x(\n"),
            "{}",
            modules[0].text
        );
        assert!(
            modules[0].text.contains("    y y$0(\n"),
            "{}",
            modules[0].text
        );
        assert_eq!(
            modules[1].text,
            "module y(d);\n    input wire d;\nendmodule\n"
        );
    }

    #[test]
    fn different_modules_stay_apart() {
        let text = TEXT.replacen("input wire d;", "input wire [1:0] d;", 1);
        assert_eq!(merge(&text, "chip").len(), 3);
    }

    #[test]
    fn only_used_state_names_stay() {
        let lines = [
            "(d);",
            "// Enums",
            "localparam S$A = 0;",
            "localparam [1:0] S$B = 1;",
            "x = S$B;",
        ];
        let lines = lines.map(String::from).to_vec();
        assert_eq!(
            without_unused_names(lines.clone())[1..3],
            ["// Enums", "localparam [1:0] S$B = 1;"]
        );
        assert_eq!(without_unused_names(lines[..4].to_vec()), ["(d);"]);
    }

    #[test]
    fn registers_are_named_by_width() {
        let body = "(d,q,clock);\n    input wire  [13:0] d;\n";
        assert_eq!(short_name("top$a$verdict$3", body), "register_14");
        assert_eq!(
            short_name("top$a$flag", "(d,q,clock);\n    input wire d;\n"),
            "register_1"
        );
        assert_eq!(
            short_name("top$generator$windows$3", "(clock);\n"),
            "generator_windows"
        );
    }
}
