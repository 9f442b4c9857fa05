//! Round trips: random games of all kinds are read as they were written.

use std::collections::BTreeMap;

use duoforge_records::{Record, read_blksgf, read_list, write_blksgf, write_list};
use duoforge_rules::{Colour, Game, GameVariant, Move};
use proptest::prelude::*;

/// Plays a game by choices, which include voluntary passes where they are legal.
fn play(variant: &GameVariant, swapped: bool, choices: &[u32]) -> Vec<Move> {
    let mut variant = variant.clone();
    if swapped && variant == GameVariant::DUO {
        let starts = [1, 0].map(|colour| variant.starts(Colour(colour)).as_slice()[0]);
        variant = variant.with_starts(&starts);
    }
    let mut game = Game::new(&variant);
    for &choice in choices {
        let legal = game.legal_moves();
        let Some(last) = legal.len().checked_sub(1) else {
            break;
        };
        // The pass is the last of the legal moves.
        let index = if choice.is_multiple_of(16) {
            last
        } else {
            choice as usize % legal.len()
        };
        game.play(legal[index]).expect("a legal move");
    }
    game.plies().iter().map(|ply| ply.mv).collect()
}

/// Generates one-line texts, some with characters that must be escaped.
fn line() -> impl Strategy<Value = String> {
    prop_oneof![
        "[^\r\n]{0,12}",
        Just("a]b\\c[d;(e)\\".to_owned()),
        Just(String::new())
    ]
}

prop_compose! {
    fn records()(
        variant in prop::sample::select(GameVariant::BUILT_IN.to_vec()),
        swapped: bool,
        choices in prop::collection::vec(any::<u32>(), 0..100),
        names in prop::collection::vec(line(), 4),
        facts in prop::collection::btree_map("[A-Z]{2,3}X", line(), 0..3),
        comment in "[^\r]{0,20}",
        remarks in prop::collection::vec(("[^\r]{0,8}", prop::option::of(-99.0..99.0)), 100),
    ) -> Record {
        let moves = play(&variant, swapped, &choices);
        let mut record = Record::new(variant, moves);
        let seats = record.players.len();
        record.players = names[..seats].to_vec();
        record.facts = facts.into_iter().collect::<BTreeMap<_, _>>();
        record.comment = comment;
        for (ply, (comment, value)) in record.plies.iter_mut().zip(remarks) {
            if ply.mv != Move::Pass {
                ply.comment = comment;
                ply.value = value;
            }
        }
        record
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 400,
        failure_persistence: None,
        ..ProptestConfig::default()
    })]

    #[test]
    fn blksgf_is_read_as_it_was_written(records in prop::collection::vec(records(), 1..3)) {
        let text = write_blksgf(&records).expect("legal games");
        let read = read_blksgf(&text).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let again: Vec<_> = read.into_iter().map(|game| game.record).collect();
        prop_assert_eq!(again, records);
    }

    #[test]
    fn lists_are_read_as_they_were_written(records in prop::collection::vec(records(), 1..3)) {
        let text = write_list(&records);
        let games = read_list(&text).map_err(|error| TestCaseError::fail(error.to_string()))?;
        let wanted: Vec<Vec<_>> = records
            .iter()
            .filter(|record| !record.plies.is_empty())
            .map(|record| record.moves().map(Move::to_code_bytes).collect())
            .collect();
        let read: Vec<Vec<_>> = games
            .iter()
            .map(|game| game.codes.iter().map(|code| code.bytes).collect())
            .collect();
        prop_assert_eq!(read, wanted);
    }

    /// From a list to blksgf and back: canonical codes are preserved.
    #[test]
    fn a_list_survives_the_way_through_blksgf(record in records()) {
        let there = write_blksgf(std::slice::from_ref(&record)).expect("a legal game");
        let back = &read_blksgf(&there).expect("a blksgf")[0].record;
        prop_assert_eq!(write_list(std::slice::from_ref(back)), write_list(&[record]));
    }
}
