//! Receivers of parsed nodes: of main lines, and of whole trees.

use super::error::SgfFault;
use super::parse::{MainLine, Node, RawNode, RawTree};
use crate::{MAX_TREE_DEPTH, MAX_TREE_NODES};

/// Receiver of the nodes of a text.
pub trait Sink<'a> {
    /// Begins a tree or, with `depth` open ones around it, a variation.
    fn open(&mut self, depth: usize, begin: usize);

    /// Begins a node.
    fn node(&mut self, begin: usize) -> Result<(), SgfFault>;

    /// Returns the properties of the present node; `None` if they are not kept.
    fn properties(&mut self) -> Option<&mut Node<'a>>;

    /// Ends the innermost variation or tree.
    fn close(&mut self);

    /// True before the first tree.
    fn is_empty(&self) -> bool;
}

/// Receiver that keeps the main lines: the parts of the trees before their first `)`.
#[derive(Default)]
pub struct MainLines<'a> {
    /// Main lines of the games.
    pub lines: Vec<MainLine<'a>>,
    main: bool,
}

impl<'a> Sink<'a> for MainLines<'a> {
    fn open(&mut self, depth: usize, begin: usize) {
        if depth == 0 {
            self.main = true;
            let nodes = Vec::new();
            self.lines.push(MainLine { begin, nodes });
        }
    }

    fn node(&mut self, _: usize) -> Result<(), SgfFault> {
        if self.main
            && let Some(line) = self.lines.last_mut()
        {
            line.nodes.push(Node::new());
        }
        Ok(())
    }

    fn properties(&mut self) -> Option<&mut Node<'a>> {
        let kept = self.main.then_some(&mut self.lines)?;
        kept.last_mut()?.nodes.last_mut()
    }

    fn close(&mut self) {
        self.main = false;
    }

    fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }
}

/// Receiver that keeps all nodes.
#[derive(Default)]
pub struct Trees<'a> {
    /// Trees of the games.
    pub trees: Vec<RawTree<'a>>,
    /// Node before the next one.
    last: Option<usize>,
    /// By open variation: the node before it.
    forks: Vec<Option<usize>>,
}

impl<'a> Sink<'a> for Trees<'a> {
    fn open(&mut self, depth: usize, begin: usize) {
        if depth == 0 {
            self.last = None;
            let nodes = Vec::new();
            self.trees.push(RawTree { begin, nodes });
        }
        self.forks.push(self.last);
    }

    fn node(&mut self, begin: usize) -> Result<(), SgfFault> {
        let Some(tree) = self.trees.last_mut() else {
            return Ok(());
        };
        let parent = self.last;
        let depth = parent.map_or(0, |parent| tree.nodes[parent].depth + 1);
        if depth > MAX_TREE_DEPTH {
            return Err(SgfFault::Depth);
        }
        if tree.nodes.len() == MAX_TREE_NODES {
            return Err(SgfFault::Nodes);
        }
        self.last = Some(tree.nodes.len());
        tree.nodes.push(RawNode {
            begin,
            parent,
            depth,
            properties: Node::new(),
        });
        Ok(())
    }

    fn properties(&mut self) -> Option<&mut Node<'a>> {
        let node = self.trees.last_mut()?.nodes.last_mut()?;
        Some(&mut node.properties)
    }

    fn close(&mut self) {
        self.last = self.forks.pop().flatten();
    }

    fn is_empty(&self) -> bool {
        self.trees.is_empty()
    }
}
