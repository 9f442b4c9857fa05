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

    /// A module's lines with the values of its constants left out, whatever it and the modules in it
    /// are called.
    fn without_constants(&self, name: &str) -> Option<String> {
        let body = self.modules.get(name)?;
        let lines = body.lines().map(|line| {
            let line = match (module_name(line), self.kind(line)) {
                (Some(own), _) => line.replacen(own, "", 1),
                (None, Some(kind)) => line.replacen(kind, &self.shapes[kind].to_string(), 1),
                (None, None) => constant(line).unwrap_or(line).to_owned(),
            };
            line + "\n"
        });
        Some(lines.collect())
    }

    /// This design's text, with the constants that one of these modules has in another design where
    /// it is the same but for them; `None` if there is no such module. Lines stay where they are.
    pub fn with_constants_of(&self, text: &str, other: &Self, names: &[&str]) -> Option<String> {
        let mut changed = None;
        for &name in names {
            let loose = self.without_constants(name);
            let same = |place: &&String| other.without_constants(place) == loose;
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

/// What declares a constant, without its value.
fn constant(line: &str) -> Option<&str> {
    let declaration = line.trim_start().strip_prefix("localparam ")?;
    declaration.split_once('=').map(|(name, _)| name)
}

/// The name of the module that begins in a line.
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
    fn other_modules_of_the_same_name_are_left_alone() {
        let unit = Design::new(&UNIT.replace("register_2_2 r", "register_2 r"));
        let mutated = Design::new("module part_store(d);\nendmodule\n");
        assert_eq!(unit.with(&Design::new(PLAYER), &mutated), None);
    }
}
