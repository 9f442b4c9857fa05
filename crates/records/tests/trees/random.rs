//! Tests of random game trees, which are read as they were written.

use std::collections::BTreeMap;

use duoforge_records::{
    Annotations, GameTree, Record, SgfProperty, TreeData, read_blksgf, read_blksgf_trees,
    read_each_blksgf_tree, write_blksgf_trees,
};
use duoforge_rules::{Colour, Game, GameVariant, Move};
use proptest::prelude::*;

/// Plays a game by choices; the pass is chosen where it is legal, now and then.
fn choose(game: &Game, choice: u32) -> Option<Move> {
    let legal = game.legal_moves();
    let last = legal.len().checked_sub(1)?;
    let index = if choice.is_multiple_of(8) {
        last
    } else {
        choice as usize % legal.len()
    };
    Some(legal[index])
}

fn position(tree: &GameTree, variant: &GameVariant, node: usize) -> Game {
    let next = |&node: &usize| tree.node(node).parent();
    let mut path: Vec<_> = std::iter::successors(Some(node), next).collect();
    path.reverse();
    let mut game = Game::new(variant);
    for mv in path.into_iter().filter_map(|node| tree.node(node).mv()) {
        game.play(mv).expect("a legal move");
    }
    game
}

fn notes() -> impl Strategy<Value = Annotations> {
    let text = prop_oneof![
        3 => Just(String::new()),
        1 => "[^\r]{0,8}",
        1 => Just("a]b\\c[d;(e)\\\n".to_owned())
    ];
    let property = (
        "[A-Z]{1,2}X[a-z]?",
        prop::collection::vec("[^\r]{0,6}", 1..3),
    );
    let properties = prop::collection::vec(property, 0..3);
    let properties = prop_oneof![3 => Just(Vec::new()), 1 => properties];
    // Eighths are read as they were written from any text.
    let value = prop::option::weighted(0.2, -800..800);
    (text, value, properties).prop_map(|(comment, value, properties)| Annotations {
        comment,
        value: value.map(|eighths: i32| f64::from(eighths) / 8.0),
        properties: properties
            .into_iter()
            .map(|(name, values)| SgfProperty { name, values })
            .collect(),
    })
}

/// New node: the parent among the nodes so far, or the last one; a move or none; annotations.
type Branch = (Option<u32>, u32, Annotations);

prop_compose! {
    fn trees()(
        variant in prop::sample::select(GameVariant::BUILT_IN.to_vec()),
        swapped: bool,
        main in prop::collection::vec(any::<u32>(), 0..90),
        branches in prop::collection::vec((prop::option::weighted(0.4, any::<u32>()), any::<u32>(), notes()), 0..60),
        name in "[^\r\n]{0,6}",
        facts in prop::collection::btree_map("[A-Z]{2,3}X", "[^\r\n]{0,6}", 0..3),
    ) -> GameTree {
        let branches: Vec<Branch> = branches;
        let mut rules = variant.clone();
        if swapped && variant == GameVariant::DUO {
            let starts = [1, 0].map(|colour| variant.starts(Colour(colour)).as_slice()[0]);
            rules = rules.with_starts(&starts);
        }
        let mut game = Game::new(&rules);
        for choice in main {
            let Some(mv) = choose(&game, choice | 1) else { break };
            game.play(mv).expect("a legal move");
        }
        let moves = game.plies().iter().map(|ply| ply.mv);
        let record = Record::new(variant, moves);
        let mut tree = GameTree::from_record(&record).expect("a legal game");
        tree.players[0] = name;
        tree.facts = facts.into_iter().collect::<BTreeMap<_, _>>();
        for (parent, choice, notes) in branches {
            let count = tree.node_count();
            let parent = parent.map_or(count - 1, |parent| parent as usize % count);
            let game = position(&tree, &rules, parent);
            let mv = choose(&game, choice).filter(|_| choice % 11 != 0);
            let node = tree.add(parent, mv).expect("a legal move");
            *tree.notes_mut(node) = notes;
        }
        tree
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 150,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn trees_are_read_as_they_were_written(trees in prop::collection::vec(trees(), 1..3)) {
        let text = write_blksgf_trees(&trees).expect("built-in variants");
        let read = read_blksgf_trees(&text).map_err(|error| TestCaseError::fail(format!("{error}: {text}")))?;
        let data: Vec<_> = trees.iter().map(TreeData::from).collect();
        let again: Vec<_> = read.iter().map(|game| TreeData::from(&game.tree)).collect();
        prop_assert_eq!(again, data);
        // The reader of main lines finds the moves of the main line.
        let records = read_blksgf(&text).map_err(|error| TestCaseError::fail(error.to_string()))?;
        for (tree, record) in trees.iter().zip(records) {
            prop_assert_eq!(tree.record().moves().collect::<Vec<_>>(), record.record.moves().collect::<Vec<_>>());
        }
    }

    #[test]
    fn cut_trees_are_the_beginnings_of_whole_ones(trees in prop::collection::vec(trees(), 1..3), plies in 0..40_usize) {
        let text = write_blksgf_trees(&trees).expect("built-in variants");
        let games = read_each_blksgf_tree(&text, plies).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(games.len(), trees.len());
        for (tree, game) in trees.iter().zip(games) {
            let game = game.map_err(|error| TestCaseError::fail(error.to_string()))?;
            prop_assert_eq!(TreeData::from(&game.tree), TreeData::from(&tree.truncated(plies)));
        }
    }

    #[test]
    fn trees_are_values_and_back(tree in trees()) {
        let data = TreeData::from(&tree);
        let text = serde_json::to_string(&data).expect("a value");
        let read: TreeData = serde_json::from_str(&text).expect("JSON");
        prop_assert_eq!(&read, &data);
        let again = GameTree::try_from(read).map_err(|error| TestCaseError::fail(error.to_string()))?;
        prop_assert_eq!(TreeData::from(&again), data);
    }
}
