//! Emission of a block as readable Verilog.
//!
//! rust-hdl writes one module per instance, from trees that `unroll` has freed of loops; `merge`
//! merges equal modules and shortens their names.

use rust_hdl_core::{
    atom::{Atom, AtomKind},
    block::Block,
    check_error::{CheckError, check_all},
    probe::Probe,
};
use thiserror::Error;

use crate::design::{Design, Dir, Port};
use crate::harness::sdram_chip;
use crate::line::{decoder, encoder};
use crate::memory::sdram::timing::TimingError;
use crate::memory::{node_cache, sdram};
use crate::search::expansion::{prior_scorer, priors, shapes};
use crate::search::playout::placement_draw;
use crate::search::tree::{amaf_table, bank, exploration, node_allocator};
use crate::search::{opening_book, placement_list, position_ring, tree};
use crate::word::{self, Named};

pub mod emit;
mod merge;
mod prefix;
#[cfg(test)]
mod structs;
pub mod unroll;

pub use prefix::{Prefix, PrefixError};

/// Words whose fields blocks name, see [`crate::word`].
const WORDS: [Named; 41] = [
    word::PlacementWord::NAMED,
    decoder::CodeWord::NAMED,
    decoder::CoordinateEntry::NAMED,
    decoder::TileEntry::NAMED,
    decoder::TileCode::NAMED,
    decoder::DecodedShape::NAMED,
    decoder::DigitByte::NAMED,
    encoder::EncodedShape::NAMED,
    position_ring::Rows::NAMED,
    position_ring::Shape::NAMED,
    opening_book::KeyWord::NAMED,
    placement_list::StepWord::NAMED,
    node_allocator::NodeWord::NAMED,
    tree::LineWord::NAMED,
    tree::NodeParts::NAMED,
    bank::ChildNumber::NAMED,
    bank::PairAddress::NAMED,
    bank::Placed::NAMED,
    bank::Link::NAMED,
    bank::Top::NAMED,
    bank::Visits::NAMED,
    bank::Count::NAMED,
    bank::CountParts::NAMED,
    bank::Mean::NAMED,
    amaf_table::AmafEntry::NAMED,
    amaf_table::TablePlacement::NAMED,
    amaf_table::QuarterAddress::NAMED,
    exploration::ScaleAddress::NAMED,
    priors::Share::NAMED,
    priors::Kept::NAMED,
    shapes::ShapeAddress::NAMED,
    shapes::ShapeCells::NAMED,
    prior_scorer::ValueAddress::NAMED,
    placement_draw::Wish::NAMED,
    placement_draw::Rank::NAMED,
    placement_draw::Flow::NAMED,
    sdram::LineNumber::NAMED,
    sdram::ColumnPins::NAMED,
    sdram::Command::NAMED,
    sdram_chip::Place::NAMED,
    node_cache::Tag::NAMED,
];

/// Verilog module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Module {
    /// Name of the module.
    pub name: String,
    /// Text of the module, from `module` to `endmodule`.
    pub text: String,
}

impl Module {
    /// Returns the ports in their order, read from the declarations in the text.
    pub fn ports(&self) -> Vec<Port> {
        let port = |line: &str| {
            let (dir, rest) = line.trim().strip_suffix(';')?.split_once(' ')?;
            let rest = rest.strip_prefix("wire ").or(rest.strip_prefix("reg "))?;
            let (range, name) = rest.rsplit_once(' ')?;
            let range = range.trim().strip_prefix('[');
            let top = range.and_then(|range| range.split(':').next()?.parse().ok());
            let width = top.map_or(1, |top: u32| top + 1);
            match dir {
                "input" => Some(Port::input(name, width)),
                "output" => Some(Port::output(name, width)),
                _ => None,
            }
        };
        self.text.lines().filter_map(port).collect()
    }
}

/// Reason why a block cannot be emitted.
#[derive(Debug, Error)]
pub enum EmitError {
    /// Violation of one of rust-hdl's rules, for example an undriven input.
    #[error("the block cannot be emitted: {0:?}")]
    Rule(CheckError),
    /// The player's clock does not suit the SDRAM.
    #[error("the player cannot have an SDRAM: {0}")]
    Sdram(#[from] TimingError),
}

/// Returns the modules of a block with connected signals, top module first.
///
/// # Errors
/// [`EmitError::Rule`] if rust-hdl's checks find a signal that is undriven, driven twice or a latch.
pub fn modules(block: &dyn Block, top: &str) -> Result<Vec<Module>, EmitError> {
    check_all(block).map_err(EmitError::Rule)?;
    let mut modules = merge::merge(&unroll::generate(block), top);
    for module in &mut modules {
        let text = std::mem::take(&mut module.text);
        module.text = WORDS.iter().fold(text, |text, word| word.resolve(text));
        let unknown = unlisted_constant(&module.text);
        assert_eq!(unknown, None, "its word is not in the list of words");
    }
    Ok(modules)
}

/// Returns the block as a design for the simulators.
///
/// # Errors
/// As [`modules`].
pub fn design(block: &dyn Block, top: &str) -> Result<Design, EmitError> {
    let texts: Vec<_> = modules(block, top)?
        .into_iter()
        .map(|module| module.text)
        .collect();
    let mut ports = TopPorts::default();
    block.accept("top", &mut ports);
    Ok(Design {
        top: top.into(),
        verilog: texts.join("\n"),
        ports: ports.found,
    })
}

/// Returns the names, keywords and numbers in Verilog text, with empty strings between them.
fn names(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$'))
}

/// Returns the first name of a word's constant in the text, such as `Word$FIELD`. Names of states
/// have lower-case letters as well.
fn unlisted_constant(text: &str) -> Option<&str> {
    names(text).find(|name| match name.split_once('$') {
        Some((word, constant)) => {
            word.starts_with(|c: char| c.is_ascii_uppercase())
                && constant.len() > 1
                && !constant.contains(|c: char| c.is_ascii_lowercase())
        }
        None => false,
    })
}

/// Collector of the outermost block's ports.
#[derive(Default)]
struct TopPorts {
    depth: usize,
    namespace: Vec<String>,
    found: Vec<Port>,
}

impl Probe for TopPorts {
    fn visit_start_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.depth += 1;
    }

    fn visit_start_namespace(&mut self, name: &str, _node: &dyn Block) {
        self.namespace.push(name.into());
    }

    fn visit_atom(&mut self, name: &str, signal: &dyn Atom) {
        let dir = match signal.kind() {
            AtomKind::InputParameter => Dir::In,
            AtomKind::OutputParameter => Dir::Out,
            _ => return,
        };
        if self.depth == 1 {
            let path: Vec<_> = self
                .namespace
                .iter()
                .map(String::as_str)
                .chain([name])
                .collect();
            self.found.push(Port {
                name: path.join("$"),
                width: signal.bits() as u32,
                dir,
            });
        }
    }

    fn visit_end_namespace(&mut self, _name: &str, _node: &dyn Block) {
        self.namespace.pop();
    }

    fn visit_end_scope(&mut self, _name: &str, _node: &dyn Block) {
        self.depth -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_of_unlisted_words_are_found() {
        let text = "case (state$q) State$Idle: x = list$12 & word[Word$FIELD_2];";
        assert_eq!(unlisted_constant(text), Some("Word$FIELD_2"));
        assert_eq!(unlisted_constant(&text.replace("Word$FIELD_2", "3")), None);
    }
}
