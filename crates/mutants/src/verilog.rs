//! Finds a module again in other designs, where it may have another name.

use std::collections::{BTreeMap, HashMap};
use std::hash::{DefaultHasher, Hash, Hasher};

/// The modules of a design.
#[derive(Debug, Clone)]
pub struct Design {
    modules: BTreeMap<String, String>,
    shapes: HashMap<String, u64>,
}

impl Design {
    /// Takes emitted Verilog apart.
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

    /// The names of all modules.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.modules.keys().map(String::as_str)
    }

    /// What a module is, whatever it and the modules in it are called.
    fn shape(&mut self, name: &str) -> u64 {
        if let Some(&shape) = self.shapes.get(name) {
            return shape;
        }
        let body = self.modules[name].clone();
        let mut hasher = DefaultHasher::new();
        for line in body.lines() {
            match (module_name(line), self.kind(line).map(str::to_owned)) {
                (Some(own), _) => line.replacen(own, "", 1).hash(&mut hasher),
                (None, Some(kind)) => {
                    self.shape(&kind).hash(&mut hasher);
                    line.replacen(&kind, "", 1).hash(&mut hasher);
                }
                (None, None) => line.hash(&mut hasher),
            }
        }
        let shape = hasher.finish();
        self.shapes.insert(name.to_owned(), shape);
        shape
    }

    /// The module that a line has an instance of.
    fn kind<'l>(&self, line: &'l str) -> Option<&'l str> {
        let (kind, rest) = line.trim_start().split_once(' ')?;
        (rest.ends_with('(') && self.modules.contains_key(kind)).then_some(kind)
    }

    /// The name of an equal module in another design.
    fn counterpart(&self, name: &str, other: &Self) -> Option<String> {
        let shape = self.shapes.get(name)?;
        let mut same = other.shapes.iter().filter(|(_, it)| *it == shape);
        same.next().map(|(name, _)| name.clone())
    }

    /// This design with modules that were made from those of `source` in the place of the equal ones;
    /// `None` if it has none of them.
    pub fn with(&self, source: &Self, replacements: &Self) -> Option<String> {
        let mut modules = self.modules.clone();
        let mut found = false;
        for (name, body) in &replacements.modules {
            let Some(place) = source.counterpart(name, self) else {
                continue;
            };
            found = true;
            let lines = body.lines().map(|line| {
                if let Some(own) = module_name(line) {
                    return line.replacen(own, &place, 1);
                }
                let inner = source.kind(line).and_then(|kind| {
                    let there = source.counterpart(kind, self)?;
                    Some(line.replacen(kind, &there, 1))
                });
                inner.unwrap_or_else(|| line.to_owned())
            });
            modules.insert(place.clone(), lines.map(|line| line + "\n").collect());
        }
        found.then(|| modules.into_values().collect())
    }
}

/// The name of the module that begins in a line.
fn module_name(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("module ")?;
    Some(rest.split(['(', ' ']).next().unwrap_or(rest))
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn other_modules_of_the_same_name_are_left_alone() {
        let unit = Design::new(&UNIT.replace("register_2_2 r", "register_2 r"));
        let mutated = Design::new("module part_store(d);\nendmodule\n");
        assert_eq!(unit.with(&Design::new(PLAYER), &mutated), None);
    }
}
