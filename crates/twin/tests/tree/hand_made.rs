//! Selection, proven values and final moves of nodes made by hand.

use duoforge_rules::{Colour, DuoBoard, Placement};
use duoforge_twin::search::arithmetic::MAX_VALUE;
use duoforge_twin::search::tree::{Child, ChildLink, Tree};
use duoforge_twin::search::{Formulas, SearchParameters};

/// A placement of each index in the list of all on the board.
fn any(index: usize) -> Placement {
    DuoBoard::duo().legal().nth(index).expect("a placement")
}

fn child(index: usize, visits: u32, value_count: u32, value: u32, prior: u32) -> Child {
    Child {
        placement: any(index),
        prior,
        visits,
        value_count,
        mean: value << 8,
        next: ChildLink::Leaf,
    }
}

fn proven(index: usize, visits: u32, value: u32) -> Child {
    let mut child = child(index, visits, 16, 0, 100);
    child.set_proven(value);
    child
}

/// Tree of one node that was not visited.
fn tree(children: &[Child], p: &SearchParameters) -> Tree {
    Tree::with_root(Colour(0), children.to_vec(), p)
}

#[test]
fn a_proven_value_has_a_value_count_of_all_ones_and_stays() {
    let formulas = Formulas::default();
    let mut child = child(0, 3, 65_471, MAX_VALUE, 9);
    assert!(!child.is_proven());
    // The mean of the greatest results is the greatest value.
    child.update(MAX_VALUE, 11, &formulas);
    assert_eq!((child.value_count, child.value()), (65_482, MAX_VALUE));
    child.update(MAX_VALUE, 11, &formulas);
    assert_eq!((child.value_count, child.value()), (65_482, MAX_VALUE));
    child.set_proven(700);
    assert!(child.is_proven());
    assert_eq!((child.value_count, child.value()), (0xffff, 700));
    child.set_proven(800);
    child.update(900, 16, &formulas);
    assert_eq!((child.value_count, child.value()), (0xffff, 700));
}

#[test]
fn the_divisor_counts_visits_and_the_capped_value_count() {
    let child = child(0, 3, 16 * 7 + 15, 0, 9);
    let caps = [1, 6, 7, 4_095].map(|cap| child.exploration_visits(cap));
    assert_eq!(caps, [4, 9, 10, 10]);
}

/// The exploration term is capped at 16 times the maximum value. At the first visit of the node,
/// with the exploration 4096, the term is 64 times the prior, divided by the divisor.
#[test]
fn the_exploration_term_has_a_maximum() {
    let p = SearchParameters {
        exploration: 4_096,
        ..SearchParameters::default()
    };
    // 64 * 65535 is above the maximum of 2^20 - 1.
    let capped = child(0, 0, 16, 0, 65_535);
    for (value, selected) in [(62, 0), (63, 0), (64, 1)] {
        // 64 * 16383 = 2^20 - 64.
        let other = child(1, 0, 16, value, 16_383);
        assert_eq!(tree(&[capped, other], &p).select(0, &p).child, selected);
    }
}

#[test]
fn a_proven_value_is_an_alternative_only_above_the_score_of_the_selected_child() {
    let p = SearchParameters {
        exploration: 0,
        ..SearchParameters::default()
    };
    for (value, alternative) in [(499, None), (500, None), (501, Some(501))] {
        let tree = tree(&[proven(0, 0, value), child(1, 0, 16, 500, 9)], &p);
        let step = tree.select(0, &p);
        assert_eq!((step.child, step.solved), (1, false));
        assert_eq!(step.proven_alternative, alternative);
    }
}

/// A node with the maximum number of children may lack legal moves.
#[test]
fn a_node_is_solved_if_the_values_of_all_moves_are_proven() {
    let values = [proven(0, 0, 5), proven(1, 0, 8), proven(2, 0, 8)];
    for (children, solved) in [(2, false), (3, false), (4, true)] {
        let p = SearchParameters {
            children,
            ..SearchParameters::default()
        };
        let step = tree(&values, &p).select(0, &p);
        assert_eq!((step.child, step.solved), (1, solved), "{children}");
    }
}

#[test]
fn the_final_move_is_the_most_visited_or_a_better_proven_one() {
    let visited = [
        child(0, 5, 16, 900, 9),
        child(1, 30, 16, 500, 9),
        child(2, 30, 16, 800, 9),
        child(3, 10, 16, 2_000, 9),
    ];
    for (values, best, order) in [
        (&[][..], 1, &[1, 2, 3, 0][..]),
        (&[499], 1, &[1, 4, 2, 3, 0]),
        (&[500], 4, &[4, 1, 2, 3, 0]),
        (&[600, 700, 700], 5, &[5, 4, 6, 1, 2, 3, 0]),
    ] {
        let values = values.iter().zip(4..);
        let values = values.map(|(&value, index)| proven(index, 40, value));
        let children: Vec<_> = visited.into_iter().chain(values).collect();
        let tree = tree(&children, &SearchParameters::default());
        assert_eq!(tree.best_child(0), best);
        assert_eq!(tree.ranking(0), order);
        let formulas = Formulas::default();
        assert_eq!(tree.best_child_with(0, &formulas), best);
        assert_eq!(tree.ranking_with(0, &formulas), order);
    }
    // Products of values and visits: 4,500, 15,000, 24,000 and 20,000.
    let by_product = Formulas {
        final_wins: true,
        ..Formulas::default()
    };
    assert_eq!(
        tree(&visited, &SearchParameters::default()).best_child_with(0, &by_product),
        2
    );
    assert_eq!(
        tree(&visited, &SearchParameters::default()).ranking_with(0, &by_product),
        [2, 1, 3, 0]
    );
    let p = SearchParameters::default();
    assert_eq!(tree(&[proven(0, 0, 0)], &p).ranking(0), [0]);
    assert_eq!(tree(&[], &p).ranking(0), []);
}
