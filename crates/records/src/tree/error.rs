use duoforge_rules::{CodeError, IllegalMove, Move};

use super::{MAX_TREE_DEPTH, MAX_TREE_NODES};

/// Reason why a tree cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// The tree exceeds the maximum number of nodes.
    #[error("the tree has more than {MAX_TREE_NODES} nodes")]
    Nodes,
    /// A node exceeds the maximum depth.
    #[error("a line of the tree has more than {MAX_TREE_DEPTH} nodes")]
    Depth,
    /// A move is illegal.
    #[error("node {node}: {mv} at ply {ply} is illegal: {reason}")]
    Illegal {
        /// Number of the node, from 0.
        node: usize,
        /// Number of moves before this one.
        ply: usize,
        /// Illegal move.
        mv: Move,
        /// Reason why the move is illegal.
        reason: IllegalMove,
    },
    /// A code names no move.
    #[error("node {node}: '{code}' is not a move: {reason}")]
    Code {
        /// Number of the node, from 0.
        node: usize,
        /// Invalid code.
        code: String,
        /// Fault in the code.
        reason: CodeError,
    },
    /// The parent is not an earlier node.
    #[error("node {node} has the parent {parent}: expected the number of an earlier node")]
    Parent {
        /// Number of the node, from 0.
        node: usize,
        /// Number of the parent.
        parent: usize,
    },
    /// A node other than the first one has no parent.
    #[error("node {0} has no parent: expected the number of an earlier node")]
    NoParent(usize),
    /// The first node is absent, or has a parent or a move.
    #[error("the first node is not a root: expected a node without a parent and without a code")]
    Root,
    /// No built-in variant has this name.
    #[error("'{0}' is not a variant: expected the name of a built-in variant")]
    Variant(String),
    /// The number of names differs from the number of seats.
    #[error("there are {found} names of players: expected none or {seats}")]
    Players {
        /// Number of names.
        found: usize,
        /// Number of seats of the variant.
        seats: usize,
    },
    /// A property cannot be kept: its name is not valid, belongs to moves or to other fields, or it
    /// has no value.
    #[error(
        "node {node}: the property '{name}' cannot be kept: expected a name of letters and digits \
         that has no other meaning, and at least one value"
    )]
    Property {
        /// Number of the node, from 0.
        node: usize,
        /// Name of the property.
        name: String,
    },
    /// A value is not a finite number.
    #[error("node {0}: the value is not a finite number")]
    Value(usize),
}
