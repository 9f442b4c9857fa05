use duoforge_twin::search::Limit;
use duoforge_twin::search::Search;
use duoforge_twin::search::tree::Child;

use super::*;
use crate::parallel::{SearchTask, run};
use crate::ranked::principal_variation;
use std::time::Instant;

fn parameters() -> SearchParameters {
    SearchParameters {
        expand_threshold: 2,
        ..SearchParameters::default()
    }
}

fn grow(reused_tree: &mut ReusedTree, board: &DuoBoard, simulations: u64, memory: usize) -> bool {
    let p = parameters();
    reused_tree.go_to(board, &p, None);
    let task = SearchTask {
        parameters: &p,
        network: None,
        root: Position::new(board),
        seed: 1,
        threads: 1,
        memory,
        begin: Instant::now(),
        limit: Limit::Simulations(simulations),
        early: false,
        observer: None,
    };
    run(&mut reused_tree.tree, &task).full
}

/// Asserts that two subtrees are equal and returns the number of their nodes.
fn assert_equal(a: (&Tree, u32), b: (&Tree, u32)) -> usize {
    let node = |(tree, node): (&Tree, u32)| tree.nodes[node as usize];
    assert_eq!(
        (node(a).player, node(a).visits),
        (node(b).player, node(b).visits)
    );
    let selected = |(tree, node): (&Tree, u32)| tree.select(node, &parameters()).child;
    assert_eq!(selected(a), selected(b));
    let (ours, theirs) = (a.0.children(a.1), b.0.children(b.1));
    assert_eq!(ours.len(), theirs.len());
    let below = ours.iter().zip(theirs).map(|(one, other)| {
        let known = |c: &Child| (c.placement, c.prior, c.visits, c.value_count, c.mean);
        assert_eq!(known(one), known(other));
        match (one.next, other.next) {
            (ChildLink::Node(one), ChildLink::Node(other)) => {
                assert_equal((a.0, one), (b.0, other))
            }
            (one, other) => {
                assert_eq!(one, other);
                0
            }
        }
    });
    1 + below.sum::<usize>()
}

#[test]
fn what_was_learned_below_the_moves_played_is_kept() {
    let mut reused_tree = ReusedTree::default();
    let mut board = DuoBoard::duo();
    grow(&mut reused_tree, &board, 3000, usize::MAX);
    for _ in 0..2 {
        let children = reused_tree.tree.children(0).iter().enumerate();
        let best = children
            .max_by_key(|(_, child)| child.visits)
            .map(|(i, _)| i);
        let line = principal_variation(&reused_tree.tree, best.expect("children"));
        assert!(line.len() > 2, "{line:?}");
        for mv in &line[..2] {
            board.play(*mv).expect("legal");
        }
        let before = reused_tree.clone();
        let node = before.find(&board).expect("in the tree");
        reused_tree.go_to(&board, &parameters(), None);
        let nodes = assert_equal((&before.tree, node), (&reused_tree.tree, 0));
        assert!(
            nodes > 1 && nodes == reused_tree.tree.nodes.len(),
            "{nodes}"
        );
        let children: u32 = reused_tree.tree.nodes.iter().map(|node| node.len).sum();
        let memory = nodes * Tree::NODE_BYTES + children as usize * Tree::CHILD_BYTES;
        assert_eq!(memory, reused_tree.tree.memory());
        // A repeated call changes nothing.
        let before = reused_tree.clone();
        reused_tree.go_to(&board, &parameters(), None);
        assert_equal((&before.tree, 0), (&reused_tree.tree, 0));
        grow(&mut reused_tree, &board, 1000, usize::MAX);
    }
}

#[test]
fn other_games_and_unknown_moves_start_a_new_tree() {
    let mut reused_tree = ReusedTree::default();
    let board = DuoBoard::duo();
    grow(&mut reused_tree, &board, 300, usize::MAX);
    let seen = |moves: &[Move]| {
        let mut board = DuoBoard::duo();
        for mv in moves {
            board.play(*mv).expect("legal");
        }
        board
    };
    let fewest = reused_tree.tree.children(0).iter().enumerate();
    let fewest = fewest.min_by_key(|(_, child)| child.visits).map(|(i, _)| i);
    let rare = principal_variation(&reused_tree.tree, fewest.expect("children"));
    assert_eq!(reused_tree.find(&seen(&rare[..1])), None);
    let turned = DuoBoard::with_starts(
        board.variant(),
        &[board.start(Colour(1)), board.start(Colour(0))],
    );
    assert_eq!(reused_tree.find(&turned), None);
    assert_eq!(reused_tree.find(&board), Some(0));
    reused_tree.go_to(&seen(&rare[..1]), &parameters(), None);
    assert_eq!(
        (
            reused_tree.tree.nodes.len(),
            reused_tree.tree.nodes[0].visits
        ),
        (1, 0)
    );
    assert_eq!(reused_tree.find(&board), None);
    reused_tree.clear();
    assert_eq!(reused_tree.find(&seen(&rare[..1])), None);
}

/// Plays a complete game with passes: the tree has no node for a forced pass.
#[test]
fn passes_are_followed() {
    let mut reused_tree = ReusedTree::default();
    let mut board = DuoBoard::duo();
    let (mut kept, mut kept_after_pass) = (0, 0);
    while !board.is_over() {
        if !board.has_legal() {
            board.play(Move::Pass).expect("a pass");
            continue;
        }
        if reused_tree.find(&board).is_some() {
            kept += 1;
            kept_after_pass += u32::from(board.moves().last() == Some(&Move::Pass));
        }
        grow(&mut reused_tree, &board, 400, usize::MAX);
        // One side plays well; the other plays small tiles and soon has no legal placement.
        let children = reused_tree.tree.children(0);
        let good = children.iter().max_by_key(|child| child.visits);
        let tiny = children
            .iter()
            .min_by_key(|child| child.placement.tile().size());
        let child = [good, tiny][board.to_move().index()].expect("children");
        board.play(Move::Place(child.placement)).expect("legal");
    }
    assert!(kept > 10 && kept_after_pass > 0, "{kept} {kept_after_pass}");
}

#[test]
fn a_full_memory_ends_the_growth_and_not_the_search() {
    let mut reused_tree = ReusedTree::default();
    let memory = 40_000;
    assert!(grow(&mut reused_tree, &DuoBoard::duo(), 2000, memory));
    let used = reused_tree.tree.memory();
    assert!(
        used <= memory && used > memory - 64 * Tree::CHILD_BYTES,
        "{used}"
    );
    assert_eq!(reused_tree.tree.nodes[0].visits, 2000);
    assert!(!grow(
        &mut ReusedTree::default(),
        &DuoBoard::duo(),
        100,
        usize::MAX
    ));
}

#[test]
fn one_thread_finds_what_the_search_for_hardware_finds() {
    let mut board = DuoBoard::duo();
    for code in ["53e0", "a8e0", "21k7"] {
        let mut reused_tree = ReusedTree::default();
        grow(&mut reused_tree, &board, 700, usize::MAX);
        let found = Search::new(parameters(), 1).run(&board, |done| done < 700);
        let mut visits: Vec<_> = reused_tree
            .tree
            .children(0)
            .iter()
            .map(|c| (c.visits, c.value()))
            .collect();
        visits.sort_by_key(|&(visits, _)| std::cmp::Reverse(visits));
        let expected: Vec<_> = found.lines.iter().map(|l| (l.visits, l.value)).collect();
        assert_eq!(visits, expected);
        board.play(code.parse().expect("a code")).expect("legal");
    }
}
