//! Matches modules of different designs, where they may have different names.

use std::collections::{BTreeMap, HashMap};

/// Modules of a design.
#[derive(Debug, Clone)]
pub struct Design {
    modules: BTreeMap<String, String>,
    shapes: HashMap<String, u64>,
}

impl Design {
    /// Splits emitted Verilog into modules.
    pub fn new(text: &str) -> Self {
        let mut modules = BTreeMap::new();
        let mut current: Option<(String, String)> = None;
        for line in text.lines() {
            if let Some(name) = module_name(line) {
                current = Some((name.into(), String::new()));
            }
            if let Some((_, body)) = &mut current {
                body.push_str(line);
                body.push('\n');
            }
            if line.trim_start().starts_with("endmodule")
                && let Some((name, body)) = current.take()
            {
                modules.insert(name, body);
            }
        }
        let mut design = Self {
            modules,
            shapes: HashMap::new(),
        };
        let names: Vec<_> = design.modules.keys().cloned().collect();
        for name in names {
            design.shape(&name);
        }
        design
    }

    /// Returns the names of all modules.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.modules.keys().map(String::as_str)
    }

    /// Returns the text of a module.
    pub fn module(&self, name: &str) -> Option<&str> {
        self.modules.get(name).map(String::as_str)
    }

    /// Returns true if a module contains a memory.
    pub fn is_memory(&self, name: &str) -> bool {
        let lines = self.module(name).unwrap_or_default().lines().map(str::trim);
        let mut arrays = lines.filter(|line| line.starts_with("reg") && line.ends_with("];"));
        arrays.next().is_some()
    }

    /// Returns a hash of a module that is independent of its name and the names of the modules
    /// inside it.
    fn shape(&mut self, name: &str) -> u64 {
        if let Some(&shape) = self.shapes.get(name) {
            return shape;
        }
        let body = self.modules[name].clone();
        let mut text = String::new();
        for line in body.lines() {
            match (module_name(line), self.kind(line).map(str::to_owned)) {
                (Some(own), _) => text += &line.replacen(own, "", 1),
                (None, Some(kind)) => {
                    let inner = self.shape(&kind);
                    text += &line.replacen(&kind, &format!("{inner:x}"), 1);
                }
                (None, None) => text += line,
            }
            text.push('\n');
        }
        let shape = hash(&text);
        self.shapes.insert(name.to_owned(), shape);
        shape
    }

    /// Returns a hash of a module's text that is independent of its name and the names of the
    /// modules inside it. Modules for which `apart` is true have separate hashes; the others count
    /// with their contents.
    pub fn digest(&self, name: &str, apart: impl Fn(&str) -> bool) -> Option<String> {
        let body = self.modules.get(name)?;
        let mut text = String::new();
        for line in body.lines() {
            match (module_name(line), self.kind(line)) {
                (Some(own), _) => text += &line.replacen(own, "", 1),
                (None, Some(kind)) if apart(kind) => text += &line.replacen(kind, "", 1),
                (None, Some(kind)) => {
                    text += &line.replacen(kind, &format!("{:x}", self.shapes[kind]), 1);
                }
                (None, None) => text += line,
            }
            text.push('\n');
        }
        Some(format!("{:016x}", hash(&text)))
    }

    /// Returns a module's text without its name and the names of the modules inside it; `change` is
    /// applied to each other line.
    fn loose(&self, name: &str, change: impl Fn(&str) -> &str) -> Option<String> {
        let body = self.modules.get(name)?;
        let lines = body.lines().map(|line| {
            let line = match (module_name(line), self.kind(line)) {
                (Some(own), _) => line.replacen(own, "", 1),
                (None, Some(kind)) => line.replacen(kind, "", 1),
                (None, None) => change(line).to_owned(),
            };
            line + "\n"
        });
        Some(lines.collect())
    }

    /// Returns this design's text with the constants that these modules have in another design, for
    /// modules that are equal except for constants. Returns `None` if no constant differs. Line
    /// numbers do not change.
    pub fn with_constants_of(&self, text: &str, other: &Self, names: &[&str]) -> Option<String> {
        let mut changed = None;
        for &name in names {
            if !self.counterparts(name, other).is_empty() {
                continue;
            }
            let loose = self.loose(name, unvalued);
            let same = |place: &&String| other.loose(place, unvalued) == loose;
            let Some(place) = other.modules.keys().find(same) else {
                continue;
            };
            let (mine, theirs) = (&self.modules[name], &other.modules[place]);
            let lines = mine.lines().zip(theirs.lines());
            let lines = lines.map(|(mine, theirs)| match constant(mine) {
                Some(_) => theirs.to_owned() + "\n",
                None => mine.to_owned() + "\n",
            });
            let adapted: String = lines.collect();
            let text = changed.as_deref().unwrap_or(text);
            changed = Some(text.replacen(mine.as_str(), &adapted, 1));
        }
        changed.filter(|changed| changed != text)
    }

    /// Returns the module that a line instantiates.
    fn kind<'l>(&self, line: &'l str) -> Option<&'l str> {
        let (kind, rest) = line.trim_start().split_once(' ')?;
        (rest.ends_with('(') && self.modules.contains_key(kind)).then_some(kind)
    }

    /// Returns the names of the modules of another design that are equal including their contents.
    /// If there are none, returns those with the same text around other modules, such as other
    /// tables.
    fn counterparts(&self, name: &str, other: &Self) -> Vec<String> {
        let shape = self.shapes.get(name);
        let equal = other.shapes.iter().find(|(_, it)| Some(*it) == shape);
        if let Some((equal, _)) = equal {
            return vec![equal.clone()];
        }
        let Some(loose) = self.loose(name, |line| line) else {
            return Vec::new();
        };
        let same = |place: &&String| other.loose(place, |line| line).as_ref() == Some(&loose);
        other.modules.keys().filter(same).cloned().collect()
    }

    /// Returns the modules inside a module, by the names of their instances.
    fn instances(&self, name: &str) -> HashMap<&str, &str> {
        let lines = self.modules[name].lines();
        lines
            .filter_map(|line| Some((instance(line)?, self.kind(line)?)))
            .collect()
    }

    /// Returns this design with `replacements`, which were made from modules of `source`, in place
    /// of their counterparts. The counterparts keep the modules inside them. Returns `None` if this
    /// design has none of them.
    pub fn with(&self, source: &Self, replacements: &Self) -> Option<String> {
        let mut modules = self.modules.clone();
        let mut found = false;
        for (name, body) in &replacements.modules {
            for place in source.counterparts(name, self) {
                found = true;
                let inner = self.instances(&place);
                let lines = body.lines().map(|line| {
                    if let Some(own) = module_name(line) {
                        return line.replacen(own, &place, 1);
                    }
                    let kind = source.kind(line);
                    let there = kind.and_then(|kind| {
                        let there = inner.get(instance(line)?)?;
                        Some(line.replacen(kind, there, 1))
                    });
                    there.unwrap_or_else(|| line.to_owned())
                });
                let text = lines.map(|line| line + "\n").collect();
                modules.insert(place.clone(), text);
            }
        }
        found.then(|| modules.into_values().collect())
    }
}

/// Returns the name of the instance that a line starts: `kind name(`, or `kind \name  (` as Yosys
/// writes it.
fn instance(line: &str) -> Option<&str> {
    let (_, rest) = line.trim().split_once(' ')?;
    let name = rest.strip_suffix('(')?.trim();
    Some(name.trim_start_matches('\\'))
}

/// FNV-1a, which stays the same over releases.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Returns the declaration of a constant without its value.
fn constant(line: &str) -> Option<&str> {
    let declaration = line.trim_start().strip_prefix("localparam ")?;
    declaration.split_once('=').map(|(name, _)| name)
}

/// Returns a line without the value of the constant that it declares.
fn unvalued(line: &str) -> &str {
    constant(line).unwrap_or(line)
}

/// Returns the name of the module that starts in a line.
fn module_name(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("module ")?;
    Some(rest.split(['(', ' ']).next().unwrap_or(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_are_taken_from_another_design() {
        let text = "module one(a);\n    localparam  n = 3;\n    r x(\n    );\nendmodule\n\
                    module r(q);\nendmodule\n";
        let other = text
            .replace("one", "two")
            .replace(" r", " s")
            .replace("= 3", "= 5");
        let (one, two) = (Design::new(text), Design::new(&other));
        let adapted = one.with_constants_of(text, &two, &["one"]);
        assert_eq!(adapted, Some(text.replace("= 3", "= 5")));
        assert_eq!(one.with_constants_of(text, &one, &["one"]), None);
        let unlike = Design::new(&other.replace("x(", "y("));
        assert_eq!(one.with_constants_of(text, &unlike, &["one"]), None);
    }

    const PLAYER: &str = "\
module top(a);
    part_store s(
    );
endmodule
module part_store(d);
    register_2 r(
    );
endmodule
module register_2(q);
    wire q;
endmodule
";
    const UNIT: &str = "\
module store(d);
    register_2_2 r(
    );
endmodule
module register_2(q);
    wire [1:0] q;
endmodule
module register_2_2(q);
    wire q;
endmodule
";

    #[test]
    fn a_module_is_replaced_under_its_other_name() {
        let (player, unit) = (Design::new(PLAYER), Design::new(UNIT));
        let mutated =
            Design::new("module part_store(d);\n  register_2 \\r  (\n  );\n  // new\nendmodule\n");
        let text = unit.with(&player, &mutated).expect("it is there");
        assert!(
            text.contains("module store(d);\n  register_2_2 \\r  (\n  );\n  // new\n"),
            "{text}"
        );
        assert_eq!(text.matches("endmodule").count(), 3);
    }

    #[test]
    fn a_digest_changes_with_the_module_and_what_has_no_digest_of_its_own() {
        let digest = |text: &str, apart: &str| {
            let name = if text.contains("module store") {
                "store"
            } else {
                "part_store"
            };
            let digest = Design::new(text).digest(name, |kind| kind == apart);
            digest.expect("it is there")
        };
        // The same module in two designs, with different names.
        assert_eq!(digest(PLAYER, ""), digest(UNIT, ""));
        let wider = PLAYER.replace("wire q", "wire [3:0] q");
        assert_ne!(digest(PLAYER, ""), digest(&wider, ""));
        assert_eq!(digest(PLAYER, "register_2"), digest(&wider, "register_2"));
        let other = PLAYER.replace("r(", "s(");
        assert_ne!(digest(PLAYER, "register_2"), digest(&other, "register_2"));
        assert_eq!(hash("a"), 0xaf63_dc4c_8601_ec8c);
    }

    #[test]
    fn memories_are_modules_with_arrays() {
        let text = "module m(q);\n    reg [7:0] words [0:31];\nendmodule\n\
                    module r(q);\n    output reg [7:0] q;\n    reg [7:0] p;\nendmodule\n";
        let design = Design::new(text);
        assert!(design.is_memory("m") && !design.is_memory("r"));
    }

    #[test]
    fn a_module_around_other_tables_is_replaced_and_keeps_them() {
        let (player, unit) = (
            Design::new(PLAYER),
            UNIT.replace("register_2_2 r", "register_2 r"),
        );
        let mutated =
            Design::new("module part_store(d);\n  register_2 \\r  (\n  );\n  // new\nendmodule\n");
        let text = Design::new(&unit)
            .with(&player, &mutated)
            .expect("it is there");
        assert!(
            text.contains("module store(d);\n  register_2 \\r  (\n  );\n  // new\n"),
            "{text}"
        );
    }

    #[test]
    fn other_modules_of_the_same_name_are_left_alone() {
        let unit = Design::new(&UNIT.replace(" r(", " s("));
        let mutated = Design::new("module part_store(d);\nendmodule\n");
        assert_eq!(unit.with(&Design::new(PLAYER), &mutated), None);
    }
}
