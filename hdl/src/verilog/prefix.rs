//! Prefix of module names, so that the modules do not collide with others in a larger design.

use std::collections::HashMap;
use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use super::Module;
use super::merge::rename;

/// Prefix of module names; empty by default.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Prefix(String);

/// Error of parsing a [`Prefix`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("'{0}' is not a prefix: expected a letter or _, then letters, digits and _")]
pub struct PrefixError(String);

impl FromStr for Prefix {
    type Err = PrefixError;

    fn from_str(text: &str) -> Result<Self, PrefixError> {
        let letter = |byte: u8| byte.is_ascii_alphabetic() || byte == b'_';
        let first = text.bytes().next().is_none_or(letter);
        match first
            && text
                .bytes()
                .all(|byte| letter(byte) || byte.is_ascii_digit())
        {
            true => Ok(Self(text.to_owned())),
            false => Err(PrefixError(text.to_owned())),
        }
    }
}

impl fmt::Display for Prefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl Prefix {
    /// Returns the modules with prefixed names, also in their instances. An empty prefix changes
    /// nothing.
    pub fn apply(&self, modules: Vec<Module>) -> Vec<Module> {
        if self.0.is_empty() {
            return modules;
        }
        let new = |name: &str| format!("{self}{name}");
        let names: HashMap<&str, String> = modules
            .iter()
            .map(|module| (module.name.as_str(), new(&module.name)))
            .collect();
        let renamed = modules.iter().map(|module| {
            let text = module.text.strip_prefix(&format!("module {}", module.name));
            let lines = text.unwrap_or(&module.text).lines();
            let lines: String = lines.map(|line| rename(line, &names) + "\n").collect();
            let name = new(&module.name);
            Module {
                text: format!("module {name}{lines}"),
                name,
            }
        });
        renamed.collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prefix(text: &str) -> Prefix {
        text.parse().expect("a prefix")
    }

    #[test]
    fn only_parts_of_identifiers_are_prefixes() {
        for text in ["", "a_", "_", "TeamXY1_"] {
            assert_eq!(prefix(text).to_string(), text);
        }
        for text in ["1a", "a b", "a$", "ü", "a-"] {
            assert!(text.parse::<Prefix>().is_err(), "{text}");
        }
    }

    #[test]
    fn modules_and_instances_are_renamed_and_nothing_else_is() {
        let module = |name: &str, text: &str| Module {
            name: name.into(),
            text: text.into(),
        };
        let modules = vec![
            module(
                "top",
                "module top(clock);\n    part part(\n        .part(part$q)\n    );\n    part$q = \
                 1'h0;\nendmodule\n",
            ),
            module("part", "module part(clock);\nendmodule\n"),
        ];
        assert_eq!(prefix("").apply(modules.clone()), modules);
        let renamed = prefix("a_").apply(modules);
        assert_eq!(renamed[1].text, "module a_part(clock);\nendmodule\n");
        assert_eq!(
            renamed[0].text,
            "module a_top(clock);\n    a_part part(\n        .part(part$q)\n    );\n    part$q = \
             1'h0;\nendmodule\n"
        );
        assert_eq!([&renamed[0].name, &renamed[1].name], ["a_top", "a_part"]);
    }
}
