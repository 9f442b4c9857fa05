//! Files of games.

use duoforge_records::{
    FileTree, Format, GameTree, Place, Record, SgfError, TreeData, forced_passes, read_blksgf,
    read_blksgf_trees, read_list, text, write_blksgf, write_blksgf_trees, write_list,
};
use duoforge_rules::{ActionSpace, GameVariant, Move};

use crate::text::{accepted, read_text};

/// Reads a text of games, without a byte order mark.
fn games<'a, T>(bytes: &'a [u8], read: impl FnOnce(&'a str) -> Option<T>) -> Option<T> {
    accepted(text(bytes)).and_then(read)
}

/// Checks that a place lies within the text, and that its line is the number of line breaks before
/// it, plus one.
fn check_place(text: &str, place: Place) {
    assert!(text.get(place.offset..place.offset + place.len).is_some());
    let before = &text[..place.offset];
    assert_eq!(place.line, before.matches('\n').count() + 1);
}

fn placed<T>(text: &str, result: Result<T, SgfError>) -> Option<T> {
    if let Err(error) = &result {
        check_place(text, error.place);
    }
    accepted(result)
}

/// Main lines of blksgf files: a game takes no more moves than the text has bytes, and what is
/// written is read as the same records.
pub fn blksgf(bytes: &[u8]) -> bool {
    let read = games(bytes, |text| placed(text, read_blksgf(text)));
    let Some(games) = read else {
        return false;
    };
    let records: Vec<Record> = games.into_iter().map(|game| game.record).collect();
    let plies: usize = records.iter().map(|record| record.plies.len()).sum();
    // A move takes at least one byte; a few passes may follow.
    assert!(plies <= 2 * bytes.len() + 4, "{plies} plies");
    for record in &records {
        accepted(forced_passes(record));
    }
    if let Some(written) = accepted(write_blksgf(&records)) {
        let again = read_blksgf(&written).expect("what was written can be read");
        assert!(again.iter().map(|game| &game.record).eq(&records));
    }
    true
}

/// Trees of blksgf files: what is written is read as the same trees, also as serialised data.
pub fn trees(bytes: &[u8]) -> bool {
    let read = games(bytes, |text| placed(text, read_blksgf_trees(text)));
    let Some(games) = read else {
        return false;
    };
    let trees: Vec<GameTree> = games.into_iter().map(|game| game.tree).collect();
    check_trees(&trees);
    true
}

/// Writes trees and reads them.
fn through_a_file(trees: &[GameTree]) -> Vec<GameTree> {
    let written = write_blksgf_trees(trees).expect("the variants are built-in");
    let again = read_blksgf_trees(&written).expect("what was written can be read");
    again
        .into_iter()
        .map(|FileTree { tree, .. }| tree)
        .collect()
}

/// Checks that trees survive a file and their serialised data.
fn check_trees(trees: &[GameTree]) {
    let data = |trees: &[GameTree]| trees.iter().map(TreeData::from).collect::<Vec<_>>();
    assert_eq!(data(&through_a_file(trees)), data(trees));
    for listed in data(trees) {
        let tree = GameTree::try_from(listed.clone()).expect("the data of a tree");
        assert_eq!(TreeData::from(&tree), listed);
    }
}

/// Trees as serialised data, which the web service receives: a tree has as many nodes as its data,
/// and survives a file, but for line breaks in names and facts, which the format has not.
pub fn tree_data(bytes: &[u8]) -> bool {
    let Some(data) = read_text(bytes, serde_json::from_str::<TreeData>) else {
        return false;
    };
    let nodes = data.nodes.len();
    let Some(tree) = accepted(GameTree::try_from(data)) else {
        return false;
    };
    assert_eq!(TreeData::from(&tree).nodes.len(), nodes);
    let again = through_a_file(std::slice::from_ref(&tree));
    let codes = |tree: &GameTree| TreeData::from(tree).nodes.into_iter().map(|node| node.code);
    assert!(codes(&again[0]).eq(codes(&tree)));
    check_trees(&again);
    true
}

/// Lists of four-letter codes: the codes are at their columns, and a list that is written from them
/// has the same moves.
pub fn lists(bytes: &[u8]) -> bool {
    let read = games(bytes, |text| {
        let games = accepted(read_list(text))?;
        for game in &games {
            let line = text.lines().nth(game.line - 1).expect("a line of the text");
            for code in &game.codes {
                let word: String = line.chars().skip(code.column - 1).take(4).collect();
                assert_eq!(word.as_bytes(), code.bytes);
            }
        }
        assert_eq!(Format::of(text), Format::List);
        Some(games)
    });
    let Some(games) = read else {
        return false;
    };
    let records = games.iter().filter_map(|game| {
        let moves = game
            .codes
            .iter()
            .map(|code| Move::from_code_bytes(code.bytes));
        // The parser leaves placements beyond the board to the rules.
        let moves: Vec<Move> = moves.collect::<Result<_, _>>().ok()?;
        let largest = ActionSpace::new(20);
        let named = moves.iter().all(|&mv| largest.number(mv).is_some());
        named.then(|| Record::new(GameVariant::DUO, moves))
    });
    let records: Vec<Record> = records.collect();
    let again = read_list(&write_list(&records)).expect("what was written can be read");
    assert_eq!(again.len(), records.len());
    for (game, record) in again.iter().zip(&records) {
        let codes = game.codes.iter().map(|code| code.bytes);
        assert!(codes.eq(record.moves().map(Move::to_code_bytes)));
    }
    true
}
