//! Syntax trees without loops, for rust-hdl's generator.
//!
//! The generator unrolls loops itself, but it compiles a regular expression for every name with an
//! index, twice: that was five sixths of the time of an emission. It writes the same text for a tree
//! whose loops are unrolled and whose indices are part of the names, without any such expression.

use evalexpr::{Context, ContextWithMutableVariables, HashMapContext, Value, eval_with_context};
use rust_hdl_core::ast::{
    Verilog, VerilogBlock, VerilogBlockOrConditional, VerilogCase, VerilogConditional,
    VerilogExpression, VerilogLink, VerilogLinkDetails, VerilogMatch, VerilogStatement,
};
use rust_hdl_core::atom::Atom;
use rust_hdl_core::block::Block;
use rust_hdl_core::logic::Logic;
use rust_hdl_core::module_defines::ModuleDefines;
use rust_hdl_core::probe::Probe;

/// Returns the text that rust-hdl's `generate_verilog_unchecked` writes for a block.
pub fn generate(block: &dyn Block) -> String {
    let mut generator = Generator::default();
    block.accept("top", &mut generator);
    generator.0.defines()
}

/// Generator of rust-hdl that receives each block's tree without loops.
#[derive(Default)]
struct Generator(ModuleDefines);

impl Probe for Generator {
    fn visit_start_scope(&mut self, name: &str, node: &dyn Block) {
        self.0.visit_start_scope(name, &Tree(unrolled(node.hdl())));
    }

    fn visit_start_namespace(&mut self, name: &str, node: &dyn Block) {
        self.0.visit_start_namespace(name, node);
    }

    fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
        self.0.visit_atom(name, signal);
    }

    fn visit_end_namespace(&mut self, name: &str, node: &dyn Block) {
        self.0.visit_end_namespace(name, node);
    }

    fn visit_end_scope(&mut self, name: &str, node: &dyn Block) {
        self.0.visit_end_scope(name, node);
    }
}

/// Block that only has a tree: the generator reads nothing else of a block.
struct Tree(Verilog);

impl Logic for Tree {
    fn update(&mut self) {}

    fn hdl(&self) -> Verilog {
        self.0.clone()
    }
}

impl Block for Tree {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {}

    fn has_changed(&self) -> bool {
        false
    }

    fn accept(&self, _name: &str, _probe: &mut dyn Probe) {}
}

/// Returns the tree without loops. A tree with an index of another form than rust-hdl's generator
/// resolves stays as it is.
fn unrolled(verilog: Verilog) -> Verilog {
    let Verilog::Combinatorial(block) = verilog else {
        return verilog;
    };
    let unrolled = Scope::default().block(&block);
    Verilog::Combinatorial(unrolled.unwrap_or(block))
}

/// Loops around a statement, the outermost first: names of the variables with their values.
#[derive(Default)]
struct Scope {
    loops: Vec<(String, usize)>,
    context: HashMapContext,
}

impl Scope {
    fn block(&mut self, block: &VerilogBlock) -> Option<VerilogBlock> {
        let mut out = Vec::with_capacity(block.len());
        for statement in block {
            self.statement(statement, &mut out)?;
        }
        Some(out)
    }

    /// Appends what the statement becomes. A loop becomes its statements, once for each value.
    fn statement(&mut self, statement: &VerilogStatement, out: &mut VerilogBlock) -> Option<()> {
        use VerilogStatement::{
            Assignment, Comment, If, Link, Loop, Macro, Match, SliceAssignment,
        };
        out.push(match statement {
            Assignment(target, value) => {
                Assignment(self.expression(target)?, self.expression(value)?)
            }
            SliceAssignment {
                base,
                width,
                offset,
                replacement,
            } => SliceAssignment {
                base: self.expression(base)?,
                width: *width,
                offset: self.expression(offset)?,
                replacement: self.expression(replacement)?,
            },
            If(conditional) => If(self.conditional(conditional)?),
            Match(cases) => Match(self.cases(cases)?),
            Comment(text) => Comment(text.clone()),
            Link(links) => Link(
                links
                    .iter()
                    .map(|it| self.link(it))
                    .collect::<Option<_>>()?,
            ),
            Macro(block) => Macro(self.block(block)?),
            Loop(it) => {
                let outer = self.context.get_value(&it.index).cloned();
                for value in it.from.as_usize()..it.to.as_usize() {
                    self.set(&it.index, Value::Int(i64::try_from(value).ok()?))?;
                    self.loops.push((it.index.clone(), value));
                    for inner in &it.block {
                        self.statement(inner, out)?;
                    }
                    self.loops.pop();
                }
                // The generator does not know the variable after its loop, so neither does this.
                match outer {
                    Some(value) => self.set(&it.index, value)?,
                    None => self.forget(),
                }
                return Some(());
            }
        });
        Some(())
    }

    fn set(&mut self, name: &str, value: Value) -> Option<()> {
        self.context.set_value(name.to_owned(), value).ok()
    }

    /// Drops the variables of loops that have ended.
    fn forget(&mut self) {
        self.context = HashMapContext::new();
        for (name, value) in self.loops.clone() {
            if let Ok(value) = i64::try_from(value) {
                self.set(&name, Value::Int(value));
            }
        }
    }

    fn conditional(&mut self, it: &VerilogConditional) -> Option<VerilogConditional> {
        Some(VerilogConditional {
            test: self.expression(&it.test)?,
            then: self.block(&it.then)?,
            otherwise: match &it.otherwise {
                VerilogBlockOrConditional::Block(block) => {
                    VerilogBlockOrConditional::Block(self.block(block)?)
                }
                VerilogBlockOrConditional::Conditional(inner) => {
                    let VerilogStatement::If(inner) = &**inner else {
                        return None;
                    };
                    let inner = VerilogStatement::If(self.conditional(inner)?);
                    VerilogBlockOrConditional::Conditional(Box::new(inner))
                }
                VerilogBlockOrConditional::None => VerilogBlockOrConditional::None,
            },
        })
    }

    fn cases(&mut self, it: &VerilogMatch) -> Option<VerilogMatch> {
        let mut cases = Vec::with_capacity(it.cases.len());
        for case in &it.cases {
            cases.push(VerilogCase {
                condition: self.name(&case.condition)?,
                block: self.block(&case.block)?,
            });
        }
        Some(VerilogMatch {
            test: self.expression(&it.test)?,
            cases,
        })
    }

    fn link(&self, link: &VerilogLink) -> Option<VerilogLink> {
        let details = |it: &VerilogLinkDetails| {
            Some(VerilogLinkDetails {
                my_name: self.name(&it.my_name)?,
                owner_name: self.name(&it.owner_name)?,
                other_name: self.name(&it.other_name)?,
            })
        };
        Some(match link {
            VerilogLink::Forward(it) => VerilogLink::Forward(details(it)?),
            VerilogLink::Backward(it) => VerilogLink::Backward(details(it)?),
            VerilogLink::Bidirectional(it) => VerilogLink::Bidirectional(details(it)?),
        })
    }

    fn expression(&self, expression: &VerilogExpression) -> Option<VerilogExpression> {
        use VerilogExpression::{
            Binary, Cast, Index, IndexReplace, Literal, Paren, Signal, Signed, Slice, Unary,
            Unsigned,
        };
        let of = |it: &VerilogExpression| Some(Box::new(self.expression(it)?));
        Some(match expression {
            Signal(name) => Signal(self.name(name)?),
            Literal(literal) => Literal(literal.clone()),
            Cast(it, bits) => Cast(of(it)?, *bits),
            Signed(it) => Signed(of(it)?),
            Unsigned(it) => Unsigned(of(it)?),
            Paren(it) => Paren(of(it)?),
            Binary(left, operator, right) => Binary(of(left)?, operator.clone(), of(right)?),
            Unary(operator, it) => Unary(operator.clone(), of(it)?),
            Index(it, index) => Index(of(it)?, of(index)?),
            Slice(it, width, offset) => Slice(of(it)?, *width, of(offset)?),
            IndexReplace(it, index, value) => IndexReplace(of(it)?, of(index)?, of(value)?),
        })
    }

    /// Returns the name that the generator writes, or the name itself where it has no index.
    fn name(&self, name: &str) -> Option<String> {
        if let Some((_, value)) = self.loops.iter().find(|(variable, _)| variable == name) {
            return Some(value.to_string());
        }
        if !name.contains(['[', ']']) {
            return Some(name.to_owned());
        }
        let name = name.strip_prefix('.').unwrap_or(name);
        let name = name.replace('.', "$").replace("::", "$");
        let name = name.trim_end_matches("$next");
        let (before, rest) = name.split_once('[')?;
        let (index, after) = rest.split_once(']')?;
        if before.contains(']') || after.contains(['[', ']']) || index.contains('[') {
            return None;
        }
        match eval_with_context(index, &self.context) {
            Ok(Value::Int(index)) => Some(format!("{before}${index}{after}")),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use rust_hdl_core::ast::{VerilogLoop, VerilogOp};

    use super::*;

    fn signal(name: &str) -> VerilogExpression {
        VerilogExpression::Signal(name.into())
    }

    fn assignment(target: &str, value: &str) -> VerilogStatement {
        VerilogStatement::Assignment(signal(target), signal(value))
    }

    fn looped(index: &str, to: u32, block: VerilogBlock) -> VerilogStatement {
        VerilogStatement::Loop(VerilogLoop {
            index: index.into(),
            from: 0_u32.into(),
            to: to.into(),
            block,
        })
    }

    /// Block with every kind of statement and name that the generator treats differently.
    fn kinds() -> VerilogBlock {
        let sum = VerilogExpression::Binary(
            Box::new(signal("i")),
            VerilogOp::Add,
            Box::new(signal("self.a[j].q.val")),
        );
        let link = VerilogLinkDetails {
            my_name: String::new(),
            owner_name: "from[i * 2 + j]".into(),
            other_name: "to[i]".into(),
        };
        let choice = VerilogStatement::If(VerilogConditional {
            test: sum,
            then: vec![assignment(".x[i + 1].d.next", "State::Idle")],
            otherwise: VerilogBlockOrConditional::Conditional(Box::new(VerilogStatement::If(
                VerilogConditional {
                    test: signal("y.next"),
                    then: vec![],
                    otherwise: VerilogBlockOrConditional::Block(vec![assignment("a", "j")]),
                },
            ))),
        });
        let cases = VerilogStatement::Match(VerilogMatch {
            test: signal("s[(i - 1)]"),
            cases: vec![VerilogCase {
                condition: "i".into(),
                block: vec![
                    choice.clone(),
                    VerilogStatement::Link(vec![VerilogLink::Bidirectional(link)]),
                ],
            }],
        });
        let inner = looped("j", 2, vec![cases, VerilogStatement::Comment("i".into())]);
        vec![
            looped("i", 3, vec![inner, assignment("i", "b[2]")]),
            VerilogStatement::Macro(vec![looped("i", 2, vec![choice_of("i")])]),
            assignment("i", "c[0]"),
        ]
    }

    fn choice_of(name: &str) -> VerilogStatement {
        VerilogStatement::SliceAssignment {
            base: signal("w[i]"),
            width: 3,
            offset: signal(name),
            replacement: VerilogExpression::IndexReplace(
                Box::new(signal("v[i]")),
                Box::new(signal("i")),
                Box::new(VerilogExpression::Cast(Box::new(signal("u[i]")), 4)),
            ),
        }
    }

    #[test]
    fn every_kind_of_statement_is_the_text_of_rust_hdl() {
        use rust_hdl_core::verilog_gen::{verilog_combinatorial, verilog_link_extraction};

        let block = kinds();
        let Verilog::Combinatorial(flat) = unrolled(Verilog::Combinatorial(block.clone())) else {
            panic!("it is a block of statements");
        };
        let tree = format!("{flat:?}");
        for part in ["Loop(", "[i", "[j", "[(", "[0", "[2"] {
            assert!(!tree.contains(part), "{part}: {tree}");
        }
        assert_eq!(verilog_combinatorial(&flat), verilog_combinatorial(&block));
        let links = |block| format!("{:?}", verilog_link_extraction(block));
        assert_eq!(links(&flat), links(&block));
        assert_eq!(verilog_link_extraction(&flat).len(), 6);
    }

    #[test]
    fn a_tree_with_an_unknown_index_stays() {
        for name in ["a[i][j]", "a[k]", "a[1.5]", "a]0["] {
            let block = vec![looped("i", 2, vec![assignment("b", name)])];
            let Verilog::Combinatorial(same) = unrolled(Verilog::Combinatorial(block)) else {
                panic!("it is a block of statements");
            };
            assert!(matches!(same[..], [VerilogStatement::Loop(_)]), "{name}");
        }
    }
}
