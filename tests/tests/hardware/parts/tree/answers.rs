//! Answers of the tree about a child, as values of its ports.

use duoforge_hdl::search::tree::bank;
use duoforge_rules::Placement;
use duoforge_twin::search::tree::{Child, ChildLink, Node, PathStep, Tree};

/// Ports of the tree's answer about a child.
pub const ANSWER: [&str; 11] = [
    "selected_child",
    "selected_placement",
    "selected_visits",
    "selected_value",
    "selected_next_node",
    "selected_side",
    "selected_children",
    "selected_proven",
    "selected_alternative",
    "selected_alternative_value",
    "selected_solved",
];

/// Returns what the tree outputs about a selected child; `None` matches any value.
pub fn answer(twin: &Tree, step: PathStep, child: &Child) -> Vec<Option<u64>> {
    let Node { player, len, .. } = twin.nodes[step.node as usize];
    let known = [
        step.child as u64,
        bus(child.placement),
        child.visits.into(),
        child.value().into(),
        number(child.next),
        player.0.into(),
        len.into(),
        child.is_proven().into(),
        step.proven_alternative.is_some().into(),
    ];
    let mut answer: Vec<_> = known.map(Some).into();
    answer.extend([
        step.proven_alternative.map(u64::from),
        Some(step.solved.into()),
    ]);
    answer
}

/// Returns the bus value of a placement.
pub fn bus(placement: Placement) -> u64 {
    let Placement { orientation, x, y } = placement;
    orientation.index() as u64 | u64::from(x) << 7 | u64::from(y) << 11
}

/// Returns the bus value of a child's link.
pub fn number(next: ChildLink) -> u64 {
    match next {
        ChildLink::Leaf => 0,
        ChildLink::Node(node) => node.into(),
        ChildLink::End => bank::END.into(),
    }
}
