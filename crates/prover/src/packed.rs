//! Wrappers that pack the port arrays of a block into vectors.
//!
//! The emitted text has one port per element, such as `legal$0` to `legal$90`. A wrapper has one
//! port `legal` with element 0 in the lowest bits, so that a property can address all elements.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::blocks;

/// Suffix of a wrapper's name, after the block's name. The wrapper contains the block as instance
/// `block`.
pub const SUFFIX: &str = "_packed";

/// Port as declared in the emitted text.
struct Port {
    name: String,
    is_input: bool,
    width: usize,
}

/// Returns the wrapper with this name, if its block exists and can be emitted.
pub fn text(name: &str) -> Option<String> {
    let block = name.strip_suffix(SUFFIX)?;
    let modules = blocks::modules(block)?.ok()?;
    let ports: Vec<_> = modules[0].text.lines().filter_map(port).collect();
    Some(wrapper(name, block, &ports))
}

/// Parses a declaration such as `input wire  [13:0] own;`.
fn port(line: &str) -> Option<Port> {
    let words: Vec<_> = line.trim().strip_suffix(';')?.split_whitespace().collect();
    let (is_input, rest) = match words[..] {
        ["input", "wire", ref rest @ ..] => (true, rest),
        ["output", "wire" | "reg", ref rest @ ..] => (false, rest),
        _ => return None,
    };
    let (width, name) = match *rest {
        [name] => (1, name),
        [range, name] => {
            let (top, _) = range.strip_prefix('[')?.split_once(':')?;
            (top.parse::<usize>().ok()? + 1, name)
        }
        _ => return None,
    };
    Some(Port {
        name: name.into(),
        is_input,
        width,
    })
}

fn wrapper(name: &str, block: &str, ports: &[Port]) -> String {
    let mut connections = Vec::new();
    // Direction, width of an element, number of elements.
    let mut packed: BTreeMap<&str, (bool, usize, usize)> = BTreeMap::new();
    for port in ports {
        let (base, index) = match port.name.split_once('$') {
            Some((base, index)) => (base, index.parse().unwrap_or(0)),
            None => (port.name.as_str(), 0),
        };
        let entry = packed.entry(base).or_insert((port.is_input, port.width, 0));
        entry.2 = entry.2.max(index + 1);
        let (low, width) = (index * port.width, port.width);
        connections.push(format!("        .{}({base}[{low} +: {width}])", port.name));
    }
    let declarations = packed.iter().map(|(base, (is_input, width, count))| {
        let direction = if *is_input { "input" } else { "output" };
        format!("    {direction} [{}:0] {base}", width * count - 1)
    });
    let declarations: Vec<_> = declarations.collect();
    let mut text = String::new();
    let result = write!(
        text,
        "module {name}(\n{}\n);\n    {block} block(\n{}\n    );\nendmodule\n",
        declarations.join(",\n"),
        connections.join(",\n")
    );
    result.expect("a string takes everything");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrays_of_ports_become_vectors() {
        let text = text("legality_packed").expect("there is such a block");
        assert!(text.contains("output [1273:0] legal"), "{text}");
        assert!(text.contains(".legal$90(legal[1260 +: 14])"), "{text}");
        assert!(text.contains("input [20:0] tiles"), "{text}");
        assert!(text.contains(".clock(clock[0 +: 1])"), "{text}");
    }

    #[test]
    fn only_blocks_have_wrappers() {
        assert!(text("nothing_packed").is_none());
        assert!(text("legality").is_none());
    }
}
