//! Game tree: a game with its variations, comments and annotations.

mod data;
mod error;
mod position;

pub use data::{NodeData, TreeData};
pub use error::TreeError;
pub(crate) use position::{Positions, play};

use std::collections::BTreeMap;

use duoforge_rules::{GameVariant, Move};
use serde::{Deserialize, Serialize};

use crate::record::{Ply, Record};

/// Maximum number of nodes of a tree.
pub const MAX_TREE_NODES: usize = 100_000;

/// Maximum depth of a node: the number of nodes above it, passes included.
pub const MAX_TREE_DEPTH: usize = 1_000;

/// Game tree: the moves of a game and of its variations.
///
/// Node 0 is the root, which has no move. The first child of each node continues its line, and the
/// other ones begin variations. Every move is legal. A node without a move has the position of its
/// parent. A parent has a smaller number than its children.
#[derive(Clone, Debug)]
pub struct GameTree {
    variant: GameVariant,
    /// Names of the players in the order of seats; an empty name is unknown.
    pub players: Vec<String>,
    /// Other metadata by SGF property, such as `DT` (date) or `RE` (result).
    pub facts: BTreeMap<String, String>,
    nodes: Vec<TreeNode>,
}

/// Node of a game tree.
#[derive(Clone, Debug)]
pub struct TreeNode {
    parent: Option<usize>,
    children: Vec<usize>,
    /// Number of nodes above this one.
    depth: usize,
    mv: Option<Move>,
    /// Annotations of the move; those of the root belong to the game.
    pub notes: Annotations,
}

impl TreeNode {
    /// Returns the number of the parent; `None` for the root.
    #[must_use]
    pub const fn parent(&self) -> Option<usize> {
        self.parent
    }

    /// Returns the numbers of the children; the first one continues the line.
    #[must_use]
    pub fn children(&self) -> &[usize] {
        &self.children
    }

    /// Returns the move; `None` for the root and for a node that only has annotations.
    #[must_use]
    pub const fn mv(&self) -> Option<Move> {
        self.mv
    }
}

/// Annotations of a node.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Annotations {
    /// Comment.
    pub comment: String,
    /// Expected margin of the first player after the move, in points.
    pub value: Option<f64>,
    /// Other properties in the order of the file.
    pub properties: Vec<SgfProperty>,
}

impl Annotations {
    /// True if there is no annotation.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.comment.is_empty() && self.value.is_none() && self.properties.is_empty()
    }
}

/// SGF property that has no meaning here and is kept.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct SgfProperty {
    /// Name: ASCII letters and digits.
    pub name: String,
    /// Texts of the values, at least one.
    pub values: Vec<String>,
}

impl GameTree {
    /// Creates a tree that only has a root.
    #[must_use]
    pub fn new(variant: GameVariant) -> Self {
        let root = TreeNode {
            parent: None,
            children: Vec::new(),
            depth: 0,
            mv: None,
            notes: Annotations::default(),
        };
        Self {
            players: vec![String::new(); variant.seat_count()],
            variant,
            facts: BTreeMap::new(),
            nodes: vec![root],
        }
    }

    /// Creates the tree of a record: a main line without variations.
    ///
    /// # Errors
    /// [`TreeError::Illegal`] for the first illegal move, or a limit.
    pub fn from_record(record: &Record) -> Result<Self, TreeError> {
        let mut tree = Self::new(record.variant.clone());
        tree.players.clone_from(&record.players);
        tree.facts.clone_from(&record.facts);
        tree.nodes[0].notes.comment.clone_from(&record.comment);
        let mut positions = Positions::new(&tree);
        let mut parent = 0;
        for ply in &record.plies {
            let notes = Annotations {
                comment: ply.comment.clone(),
                value: ply.value,
                properties: Vec::new(),
            };
            parent = tree.play(&mut positions, parent, Some(ply.mv), notes)?;
        }
        Ok(tree)
    }

    /// Returns the variant.
    #[must_use]
    pub const fn variant(&self) -> &GameVariant {
        &self.variant
    }

    /// Returns the number of nodes, at least 1.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// Returns a node.
    ///
    /// # Panics
    /// If the number is not less than [`Self::node_count`].
    #[must_use]
    pub fn node(&self, node: usize) -> &TreeNode {
        &self.nodes[node]
    }

    /// Returns the annotations of a node for changes.
    ///
    /// # Panics
    /// If the number is not less than [`Self::node_count`].
    pub fn notes_mut(&mut self, node: usize) -> &mut Annotations {
        &mut self.nodes[node].notes
    }

    /// Adds a child to a node, after the children that it has; returns the number of the child.
    ///
    /// # Errors
    /// [`TreeError::Illegal`] for an illegal move, [`TreeError::Parent`] for a parent that does not
    /// exist, or a limit.
    pub fn add(&mut self, parent: usize, mv: Option<Move>) -> Result<usize, TreeError> {
        if parent >= self.nodes.len() {
            let node = self.nodes.len();
            return Err(TreeError::Parent { node, parent });
        }
        let mut positions = Positions::new(self);
        self.play(&mut positions, parent, mv, Annotations::default())
    }

    /// Adds a child whose move is played in the position of the parent.
    fn play(
        &mut self,
        positions: &mut Positions,
        parent: usize,
        mv: Option<Move>,
        notes: Annotations,
    ) -> Result<usize, TreeError> {
        let position = positions.at(self, parent);
        let game = match mv {
            None => position.clone(),
            Some(mv) => play(position, &self.variant, mv).map_err(|reason| TreeError::Illegal {
                node: self.nodes.len(),
                ply: position.plies().len(),
                mv,
                reason,
            })?,
        };
        let node = self.insert(parent, mv, notes)?;
        positions.enter(node, game);
        Ok(node)
    }

    /// Adds a child whose move is legal.
    pub(crate) fn insert(
        &mut self,
        parent: usize,
        mv: Option<Move>,
        notes: Annotations,
    ) -> Result<usize, TreeError> {
        let node = self.nodes.len();
        let depth = self.nodes[parent].depth + 1;
        if node == MAX_TREE_NODES {
            return Err(TreeError::Nodes);
        }
        if depth > MAX_TREE_DEPTH {
            return Err(TreeError::Depth);
        }
        self.nodes[parent].children.push(node);
        self.nodes.push(TreeNode {
            parent: Some(parent),
            children: Vec::new(),
            depth,
            mv,
            notes,
        });
        Ok(node)
    }

    /// Returns all nodes in the order of the lines: each node after its parent, and the subtree of
    /// a child before the next child.
    #[must_use]
    pub fn lines(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.nodes.len());
        let mut open = vec![0];
        while let Some(node) = open.pop() {
            order.push(node);
            open.extend(self.nodes[node].children.iter().rev());
        }
        order
    }

    /// Iterates over the nodes of the main line after the root.
    pub fn main_line(&self) -> impl Iterator<Item = usize> {
        let next = |&node: &usize| self.nodes[node].children.first().copied();
        std::iter::successors(next(&0), next)
    }

    /// Returns the number of variations: of children that do not continue the line of their parent.
    #[must_use]
    pub fn variation_count(&self) -> usize {
        let others = |node: &TreeNode| node.children.len().saturating_sub(1);
        self.nodes.iter().map(others).sum()
    }

    /// Returns the main line. Other lines, and annotations that a record does not have, are left
    /// out.
    #[must_use]
    pub fn record(&self) -> Record {
        let plies = self.main_line().filter_map(|node| {
            let node = &self.nodes[node];
            Some(Ply {
                mv: node.mv?,
                comment: node.notes.comment.clone(),
                value: node.notes.value,
            })
        });
        Record {
            variant: self.variant.clone(),
            players: self.players.clone(),
            facts: self.facts.clone(),
            comment: self.nodes[0].notes.comment.clone(),
            plies: plies.collect(),
        }
    }

    /// Returns the tree without the moves after a number of plies, and without what follows them.
    #[must_use]
    pub fn truncated(&self, plies: usize) -> Self {
        let mut short = Self {
            nodes: Vec::new(),
            ..self.clone()
        };
        // By node of this tree: the number of the copy and its plies.
        let mut copies: Vec<Option<(usize, usize)>> = vec![None; self.nodes.len()];
        for (number, node) in self.nodes.iter().enumerate() {
            let above = node.parent.map(|parent| copies[parent]);
            let (parent, before) = match above {
                Some(None) => continue,
                Some(Some((parent, before))) => (Some(parent), before),
                None => (None, 0),
            };
            let after = before + usize::from(node.mv.is_some());
            if after > plies {
                continue;
            }
            copies[number] = Some((short.nodes.len(), after));
            short.nodes.push(TreeNode {
                parent,
                children: Vec::new(),
                ..node.clone()
            });
        }
        // In the order of the lines, which may differ from that of the numbers.
        for (number, node) in self.nodes.iter().enumerate() {
            let Some((parent, _)) = copies[number] else {
                continue;
            };
            let children = node.children.iter().filter_map(|&child| copies[child]);
            short.nodes[parent].children = children.map(|(child, _)| child).collect();
        }
        short
    }
}
