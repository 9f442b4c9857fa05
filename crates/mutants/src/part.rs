//! Part of a player that is mutated, and the design that its mutants are made from.

use crate::equivalent::Block;
use crate::same_module::Design;

/// Emitted design that mutants are made from.
#[derive(Debug, PartialEq, Eq)]
pub struct Source<'s> {
    /// Test that opens the design before all others.
    pub test: &'s str,
    /// Name of the design, up to its hash.
    pub design: &'s str,
}

/// Part of a player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Part {
    /// Design that its mutants are made from.
    pub source: &'static Source<'static>,
    /// Name of the part.
    pub name: &'static str,
    /// Emitted modules of the part, by prefixes of their names in the source: `x` is `x` itself,
    /// `x_*` is every name that starts with `x_`. Memories are omitted, as Yosys cannot mutate
    /// their initial contents.
    pub modules: &'static [&'static str],
    /// Prefixes of the names of the tests that exercise the part, in the order of execution.
    pub tests: &'static [&'static str],
    /// Default number of mutants; proportional to the part's size, within bounds.
    pub count: u32,
    /// Enclosing module for the second equivalence proof of a survivor; empty if none is small
    /// enough.
    pub context: &'static str,
    /// Modules inside that one which are left out there, since they are too large.
    pub closed: &'static [&'static str],
    /// Further blocks for that proof, tried in turn: each an enclosing module, or the mutated one,
    /// and the modules inside it that are left out.
    pub further: &'static [(&'static str, &'static [&'static str])],
}

impl Source<'static> {
    /// Creates a source from a test and the name of its design.
    pub const fn new(test: &'static str, design: &'static str) -> Self {
        Self { test, design }
    }
}

impl Part {
    /// Creates a part whose enclosing module is used whole in the second equivalence proof.
    pub const fn new(
        source: &'static Source<'static>,
        name: &'static str,
        modules: &'static [&'static str],
        tests: &'static [&'static str],
        count: u32,
        context: &'static str,
    ) -> Self {
        Self {
            source,
            name,
            modules,
            tests,
            count,
            context,
            closed: &[],
            further: &[],
        }
    }

    /// Returns the blocks for the second equivalence proof of a survivor in a design. Memories are
    /// left out of each.
    pub fn blocks<'d>(&self, design: &'d Design) -> Vec<Block<'d>> {
        let first = (!self.context.is_empty()).then_some((self.context, self.closed));
        let blocks = first.into_iter().chain(self.further.iter().copied());
        blocks
            .map(|(module, closed)| Block {
                module,
                closed: design
                    .names()
                    .filter(|name| design.is_memory(name) || closed.contains(name))
                    .collect(),
            })
            .collect()
    }

    /// Returns true if an emitted module of the source belongs to the part.
    pub fn owns(&self, module: &str) -> bool {
        self.modules
            .iter()
            .any(|name| match name.strip_suffix('*') {
                Some(start) => module.starts_with(start),
                None => module == *name,
            })
    }
}
