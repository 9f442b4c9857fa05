use duoforge_rules::Variant;

use super::*;

fn search(lanes: usize) -> Search {
    let parameters = SearchParameters {
        expand_threshold: 4,
        lanes,
        ..SearchParameters::default()
    };
    Search::new(parameters, 5)
}

#[test]
fn games_of_searched_moves_are_legal_to_their_end() {
    let mut board = DuoBoard::duo();
    let mut search = search(1);
    while !board.is_over() {
        let found = search.run(&board, |done| done < 200);
        let legal = board.count_legal() as usize;
        assert!(found.lines.len() <= legal && found.lines.is_empty() == (legal == 0));
        if found.lines.len() > 1 {
            assert!(found.simulations == 200 || found.solved);
            let visits: u32 = found.lines.iter().map(|line| line.visits).sum();
            assert_eq!(u64::from(visits), found.simulations);
        } else {
            assert_eq!(found.simulations, 0);
        }
        let best = found.lines.first();
        let mv = best.map_or(Move::Pass, |line| Move::Place(line.placement));
        board.play(mv).expect("the search knows the rules");
    }
}

/// Plays the reply that has the most visits in the tree, or another one.
fn pondered(search: &mut Search, reply: usize) -> (u64, SearchResult, SearchResult) {
    let mut board = DuoBoard::duo();
    let first = search.run(&board, |done| done < 50).lines[0].placement;
    board.play(Move::Place(first)).expect("legal");
    let pondered = search.ponder(&board, 3_000);
    let mut visited = search.tree.children(0).to_vec();
    visited.sort_by_key(|child| std::cmp::Reverse(child.visits));
    board
        .play(Move::Place(visited[reply].placement))
        .expect("legal");
    let found = search.run(&board, |done| done < 200);
    (pondered, found, search.run(&board, |done| done < 200))
}

#[test]
fn a_search_continues_in_the_tree_of_the_opponent_s_time() {
    let (pondered, found, again) = pondered(&mut search(2), 0);
    let visits = |found: &SearchResult| found.lines.iter().map(|it| it.visits).sum::<u32>();
    assert_eq!(
        (pondered, found.simulations, found.continued),
        (3_000, 200, true)
    );
    assert!(visits(&found) > 400, "{}", visits(&found));
    // The tree is used once.
    assert!(!again.continued);
    assert_eq!((again.simulations, visits(&again)), (200, 200));
}

#[test]
fn a_reply_without_a_node_begins_a_new_tree() {
    let mut other = search(2);
    let (_, found, again) = pondered(&mut other, 63);
    assert!(!found.continued);
    assert_eq!(found, again);
}

#[test]
fn after_a_pass_a_search_begins_a_new_tree() {
    let mut search = search(1);
    let mut board = DuoBoard::new(&Variant::ENDLESS_DUO);
    search.ponder(&board, 300);
    board.play(Move::Pass).expect("a pass");
    let found = search.run(&board, |done| done < 100);
    assert!(!found.continued);
    assert_eq!(found, search.run(&board, |done| done < 100));
}

#[test]
fn equal_seeds_make_equal_searches_for_any_number_of_lanes() {
    let board = DuoBoard::duo();
    for lanes in [1, 3] {
        let think = || search(lanes).run(&board, |done| done < 500);
        assert_eq!(think(), think());
    }
}

#[test]
fn a_full_memory_ends_the_growth_and_not_the_search() {
    let parameters = SearchParameters {
        expand_threshold: 0,
        nodes: 5,
        ..SearchParameters::default()
    };
    let mut search = Search::new(parameters, 1);
    let found = search.run(&DuoBoard::duo(), |done| done < 300);
    assert_eq!((found.simulations, search.tree.nodes.len()), (300, 5));
}

#[test]
fn more_simulations_win() {
    // Player 0 searches deeper in one game, player 1 in the other.
    let mut margins = Vec::new();
    for deep in [0, 1] {
        let mut board = DuoBoard::duo();
        let mut search = search(1);
        while !board.is_over() {
            let limit = if board.to_move().index() == deep {
                1500
            } else {
                30
            };
            let found = search.run(&board, |done| done < limit);
            let best = found.lines.first();
            let mv = best.map_or(Move::Pass, |line| Move::Place(line.placement));
            board.play(mv).expect("legal");
        }
        let margin = board.score(Colour(0)) - board.score(Colour(1));
        margins.push(if deep == 0 { margin } else { -margin });
    }
    assert!(margins.iter().sum::<i32>() > 0, "{margins:?}");
}
