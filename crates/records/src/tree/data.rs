//! Trees as flat, serialisable values.

use std::collections::BTreeMap;

use duoforge_rules::{GameVariant, Move};
use serde::{Deserialize, Serialize};

use super::{Annotations, GameTree, MAX_TREE_NODES, Positions, SgfProperty, TreeError};
use crate::blksgf::{is_fact_name, is_kept_name};

/// Game tree as a list of nodes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct TreeData {
    /// Name of a built-in variant.
    #[cfg_attr(feature = "schema", schema(example = "duo"))]
    pub variant: String,
    /// Names of the players in the order of seats; empty names are unknown.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub players: Vec<String>,
    /// Other metadata by SGF property, such as `DT` (date).
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub facts: BTreeMap<String, String>,
    /// Nodes. The first one is the root; every other one comes after its parent. Among the children
    /// of a node, the first one continues the line.
    #[cfg_attr(feature = "schema", schema(min_items = 1))]
    pub nodes: Vec<NodeData>,
}

/// Node of a tree.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct NodeData {
    /// Index of the parent in the list; absent for the root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<usize>,
    /// Code of the move; absent for the root and for a node without a move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schema(example = "53e0"))]
    pub code: Option<String>,
    /// Comment; that of the root belongs to the game.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub comment: String,
    /// Expected margin of the first player after the move, in points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<f64>,
    /// SGF properties that have no meaning here and are kept.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub properties: Vec<SgfProperty>,
}

impl From<&GameTree> for TreeData {
    /// Lists the nodes in the order of the lines.
    fn from(tree: &GameTree) -> Self {
        let order = tree.lines();
        let mut places = vec![0; order.len()];
        for (place, &node) in order.iter().enumerate() {
            places[node] = place;
        }
        let node = |&node: &usize| {
            let node = tree.node(node);
            NodeData {
                parent: node.parent().map(|parent| places[parent]),
                code: node.mv().map(|mv| mv.to_string()),
                comment: node.notes.comment.clone(),
                value: node.notes.value,
                properties: node.notes.properties.clone(),
            }
        };
        let is_named = tree.players.iter().any(|name| !name.is_empty());
        Self {
            variant: tree.variant().name().to_owned(),
            players: if is_named {
                tree.players.clone()
            } else {
                Vec::new()
            },
            facts: tree.facts.clone(),
            nodes: order.iter().map(node).collect(),
        }
    }
}

impl TryFrom<TreeData> for GameTree {
    type Error = TreeError;

    fn try_from(data: TreeData) -> Result<Self, TreeError> {
        let variant = GameVariant::named(&data.variant);
        let variant = variant.ok_or_else(|| TreeError::Variant(data.variant.clone()))?;
        if data.nodes.len() > MAX_TREE_NODES {
            return Err(TreeError::Nodes);
        }
        let mut tree = Self::new(variant.clone());
        let (found, seats) = (data.players.len(), tree.players.len());
        if found == seats {
            tree.players = data.players;
        } else if found != 0 {
            return Err(TreeError::Players { found, seats });
        }
        if let Some(name) = data.facts.keys().find(|name| !is_fact_name(variant, name)) {
            let name = name.clone();
            return Err(TreeError::Property { node: 0, name });
        }
        tree.facts = data.facts;
        let order = order(&data.nodes)?;
        let mut numbers = vec![0; data.nodes.len()];
        let mut nodes: Vec<_> = data.nodes.into_iter().map(Some).collect();
        let mut positions = Positions::new(&tree);
        for node in order {
            let data = nodes[node].take().expect("each node occurs once");
            let mv = data.code.as_deref().map(|code| {
                let read = code.parse::<Move>();
                read.map_err(|reason| TreeError::Code {
                    node,
                    code: code.chars().take(40).collect(),
                    reason,
                })
            });
            let mv = mv.transpose()?;
            let notes = notes(variant, node, data.comment, data.value, data.properties)?;
            match data.parent {
                None => tree.nodes[0].notes = notes,
                Some(parent) => {
                    let played = tree.play(&mut positions, numbers[parent], mv, notes);
                    numbers[node] = played.map_err(|error| match error {
                        TreeError::Illegal {
                            ply, mv, reason, ..
                        } => TreeError::Illegal {
                            node,
                            ply,
                            mv,
                            reason,
                        },
                        other => other,
                    })?;
                }
            }
        }
        Ok(tree)
    }
}

/// Returns the indices in the order of the lines: one walk then plays every move once.
fn order(nodes: &[NodeData]) -> Result<Vec<usize>, TreeError> {
    let mut children = vec![Vec::new(); nodes.len()];
    for (node, data) in nodes.iter().enumerate() {
        match data.parent {
            None if node == 0 && data.code.is_none() => {}
            Some(parent) if node > 0 && parent < node => children[parent].push(node),
            _ if node == 0 => return Err(TreeError::Root),
            Some(parent) => return Err(TreeError::Parent { node, parent }),
            None => return Err(TreeError::NoParent(node)),
        }
    }
    if nodes.is_empty() {
        return Err(TreeError::Root);
    }
    let mut order = Vec::with_capacity(nodes.len());
    let mut open = vec![0];
    while let Some(node) = open.pop() {
        order.push(node);
        open.extend(children[node].iter().rev());
    }
    Ok(order)
}

fn notes(
    variant: &GameVariant,
    node: usize,
    comment: String,
    value: Option<f64>,
    properties: Vec<SgfProperty>,
) -> Result<Annotations, TreeError> {
    if value.is_some_and(|value| !value.is_finite()) {
        return Err(TreeError::Value(node));
    }
    let is_kept = |property: &&SgfProperty| {
        !property.values.is_empty() && is_kept_name(variant, &property.name, node == 0)
    };
    if let Some(property) = properties.iter().find(|property| !is_kept(property)) {
        let name = property.name.chars().take(40).collect();
        return Err(TreeError::Property { node, name });
    }
    Ok(Annotations {
        comment,
        value,
        properties,
    })
}
