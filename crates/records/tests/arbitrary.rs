//! Parsers under arbitrary input: no panic, no hang, and memory proportional to the input.

use duoforge_arbitrary::Inputs;
use duoforge_records::{
    Format, Record, TreeData, read_blksgf, read_blksgf_trees, read_list, text, write_blksgf,
    write_blksgf_trees, write_list,
};

/// Fragments of the formats.
const PIECES: [&str; 32] = [
    "(",
    ")",
    ";",
    "[",
    "]",
    "\\",
    "\\]",
    "GM[Blokus Duo]",
    "GM[Blokus]",
    "GM[Blokus Three-Player]",
    "VARIANT[classic-free]",
    "GM[1]",
    "B[e10]",
    "W[j5]",
    ";B[]",
    "AB[a1]",
    "1[a20]",
    "PASSES[9999999]",
    "V[1e309]",
    "V[-3.5]",
    "C[ü\\\n]",
    "\u{feff}",
    "\r\n",
    "\n",
    " ",
    "#",
    "53e0",
    "a8e0",
    "0000",
    "11u0",
    "PB[]",
    ",e10",
];

/// Reads inputs; `read` returns the number of items read, or `None` on an error.
fn try_all(name: &str, real: &[&[u8]], read: impl Fn(&str) -> Option<usize>) {
    let inputs = Inputs {
        name,
        pieces: &PIECES,
        real,
    };
    inputs.try_all(|bytes| {
        let found = text(bytes).ok().and_then(&read);
        // A move takes at least one byte in either format; a few passes may follow.
        assert!(found <= Some(2 * bytes.len() + 4), "{found:?} grows");
        found.is_some()
    });
}

const REAL: [&[u8]; 5] = [
    include_bytes!("data/pentobi_duo.blksgf"),
    include_bytes!("data/pentobi_duo_w_first.blksgf"),
    include_bytes!("data/pentobi_classic.blksgf"),
    include_bytes!("data/pentobi_classic_2.blksgf"),
    include_bytes!("data/pentobi_classic_3.blksgf"),
];

#[test]
fn whatever_comes_as_blksgf_is_read_or_refused() {
    try_all("blksgf", &REAL, |text| {
        let games = match read_blksgf(text) {
            Ok(games) => games,
            Err(error) => {
                let place = error.place;
                // The place lies within the text and can be displayed.
                assert!(text.get(place.offset..place.offset + place.len).is_some());
                assert!(!error.to_string().is_empty());
                return None;
            }
        };
        let records: Vec<Record> = games.into_iter().map(|game| game.record).collect();
        if let Ok(written) = write_blksgf(&records) {
            let again = read_blksgf(&written).expect("what was written can be read");
            assert!(again.iter().map(|game| &game.record).eq(&records));
        }
        Some(records.iter().map(|record| record.plies.len()).sum())
    });
}

#[test]
fn whatever_comes_as_a_tree_is_read_or_refused() {
    try_all("tree", &REAL, |text| {
        let games = match read_blksgf_trees(text) {
            Ok(games) => games,
            Err(error) => {
                let place = error.place;
                assert!(text.get(place.offset..place.offset + place.len).is_some());
                assert!(!error.to_string().is_empty());
                return None;
            }
        };
        let trees: Vec<_> = games.into_iter().map(|game| game.tree).collect();
        let written = write_blksgf_trees(&trees).expect("built-in variants");
        let again = read_blksgf_trees(&written).expect("what was written can be read");
        let again: Vec<_> = again
            .iter()
            .map(|game| TreeData::from(&game.tree))
            .collect();
        assert_eq!(again, trees.iter().map(TreeData::from).collect::<Vec<_>>());
        Some(trees.iter().map(|tree| tree.node_count() / 2).sum())
    });
}

#[test]
fn whatever_comes_as_a_list_is_read_or_refused() {
    let lists: Vec<String> = REAL
        .iter()
        .map(|file| {
            let file = text(file).expect("a text");
            let games = read_blksgf(file).expect("a blksgf");
            let records: Vec<_> = games.into_iter().map(|game| game.record).collect();
            write_list(&records)
        })
        .collect();
    let lists: Vec<&[u8]> = lists.iter().map(|list| list.as_bytes()).collect();
    try_all("list", &lists, |text| {
        let games = read_list(text).ok()?;
        let moves = games.iter().map(|game| game.codes.len()).sum();
        assert_eq!(Format::of(text), Format::List);
        Some(moves)
    });
}
