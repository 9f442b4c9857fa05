//! States and hints against the rules, and back from JSON.

use std::collections::BTreeSet;

use duoforge_rules::{Cell, Colour, Game, GameVariant, Tile};
use duoforge_view::{
    CellHints, CellPair, ColourState, Hints, State, TileHints, TileShape, TileTable, read_variant,
};
use serde_json::{Value, json};

mod common;

use common::{Random, variants, walk};

#[test]
fn objects_are_the_same_after_json() {
    for variant in variants() {
        let mut random = Random(1);
        walk(&variant, 11, |game| {
            let state = State::new(game);
            let text = serde_json::to_string(&state).unwrap();
            assert_eq!(serde_json::from_str::<State>(&text).unwrap(), state);
            let mut coordinate = || random.below(game.size().into()) as u8;
            let cell = Cell::new(coordinate(), coordinate());
            let tile = Tile::ALL[random.below(Tile::COUNT)];
            for hints in [
                Hints::Cell(CellHints::new(game, Colour(0), cell)),
                Hints::Tile(TileHints::new(game, Colour(0), tile)),
            ] {
                let text = serde_json::to_string(&hints).unwrap();
                assert_eq!(serde_json::from_str::<Hints>(&text).unwrap(), hints);
            }
        });
        let table = TileTable::new(variant.size());
        let text = serde_json::to_string(&table).unwrap();
        assert_eq!(serde_json::from_str::<TileTable>(&text).unwrap(), table);
    }
}

#[test]
fn unknown_keys_and_other_versions_are_refused() {
    let state = State::new(&Game::new(&GameVariant::DUO));
    let mut value = serde_json::to_value(state).unwrap();
    value["version"] = json!(2);
    let error = serde_json::from_value::<State>(value.clone()).unwrap_err();
    assert_eq!(error.to_string(), "version 2 is not supported: expected 1");
    value["version"] = json!(1);
    value["moves"] = json!([]);
    let error = serde_json::from_value::<State>(value).unwrap_err();
    assert!(
        error.to_string().contains("unknown field `moves`"),
        "{error}"
    );
}

/// Cells that a shape covers with its anchor at `[x, y]`.
fn cells(shape: &TileShape, [x, y]: CellPair) -> Vec<CellPair> {
    let cell = |&[dx, dy]: &[i8; 2]| [x + dx as u8, y + dy as u8];
    shape.pos.iter().map(cell).collect()
}

/// Action numbers and codes of the placements of a colour, by the objects alone.
fn placements(colour: &ColourState, table: &TileTable) -> Vec<(u32, String)> {
    let forbidden: BTreeSet<CellPair> = colour.forbidden.iter().copied().collect();
    let corners: BTreeSet<CellPair> = colour.corner_points.iter().copied().collect();
    let mut found = Vec::new();
    for shape in table.orientations.iter() {
        if !colour.left.contains(&shape.tile) {
            continue;
        }
        let columns = table.size - shape.width + 1;
        for y in 0..=table.size - shape.height {
            for x in 0..columns {
                let cells = cells(shape, [x, y]);
                let is_clear = cells.iter().all(|cell| !forbidden.contains(cell));
                if is_clear && cells.iter().any(|cell| corners.contains(cell)) {
                    let number = u32::from(y) * u32::from(columns) + u32::from(x);
                    let [centre_x, centre_y] = shape.centre;
                    let centre = Cell::new(x + centre_x, y + centre_y);
                    let code = format!("{centre}{}{}", shape.tile, shape.rotation);
                    found.push((shape.first_action + number, code));
                }
            }
        }
    }
    found
}

/// A client without rules finds the legal placements of every colour from state and tile table.
#[test]
fn the_objects_suffice_to_find_the_legal_placements() {
    for variant in variants() {
        let table = TileTable::new(variant.size());
        let mut ply = 0;
        walk(&variant, 5, |game| {
            ply += 1;
            if variant.size() > 14 && ply % 4 != 1 && !game.is_over() {
                return;
            }
            let state = State::new(game);
            for colour in &state.colours {
                assert_eq!(placements(colour, &table).len(), colour.mobility as usize);
            }
            let Some(turn) = state.to_move else {
                assert_eq!(state.legal, duoforge_view::Legal::default());
                return;
            };
            let mut expected = placements(&state.colours[usize::from(turn.colour)], &table);
            assert_eq!(state.legal.count as usize, expected.len());
            if game.check(duoforge_rules::Move::Pass).is_ok() {
                expected.push((table.pass, "0000".to_owned()));
            }
            let listed = state.legal.actions.iter().copied();
            let listed: Vec<_> = listed.zip(state.legal.codes.iter().cloned()).collect();
            assert_eq!(listed, expected, "\n{game}");
        });
    }
}

/// Hints of both kinds are the parts of the colour's placements.
#[test]
fn hints_are_parts_of_the_placements() {
    for variant in variants() {
        let table = TileTable::new(variant.size());
        let mut ply = 0;
        walk(&variant, 2, |game| {
            ply += 1;
            if ply % 9 != 2 {
                return;
            }
            let colour = Colour(ply % variant.colour_count() as u8);
            let state = ColourState::new(game, colour);
            let all = placements(&state, &table);
            let shape = |number: u32| {
                let next = table
                    .orientations
                    .partition_point(|it| it.first_action <= number);
                &table.orientations[next - 1]
            };
            let covered = |number: u32| {
                let shape = shape(number);
                let columns = u32::from(table.size - shape.width + 1);
                let within = number - shape.first_action;
                cells(shape, [(within % columns) as u8, (within / columns) as u8])
            };
            for tile in Tile::ALL {
                let hints = TileHints::new(game, colour, tile);
                let own = all.iter().filter(|(_, code)| code[2..3] == hints.tile);
                let numbers: Vec<u32> = own.map(|&(number, _)| number).collect();
                assert_eq!(hints.placements.actions, numbers);
                let cells: BTreeSet<(u8, u8)> = numbers
                    .into_iter()
                    .flat_map(covered)
                    .map(|[x, y]| (y, x))
                    .collect();
                let listed = hints.cells.iter().map(|&[x, y]| (y, x));
                assert_eq!(listed.collect::<BTreeSet<_>>(), cells);
            }
            for cell in state.corner_points.iter().take(2).chain(&[[0, 0]]) {
                let hints = CellHints::new(game, colour, Cell::new(cell[0], cell[1]));
                let reaching = all
                    .iter()
                    .filter(|(number, _)| covered(*number).contains(cell));
                let codes: Vec<String> = reaching.map(|(_, code)| code.clone()).collect();
                let tiles: BTreeSet<&str> = codes.iter().map(|code| &code[2..3]).collect();
                assert_eq!(hints.tiles, tiles.into_iter().collect::<String>());
                assert_eq!(hints.placements.codes, codes);
            }
        });
    }
}

fn state(variant: &GameVariant, codes: &str) -> Value {
    let mut game = Game::new(variant);
    for code in codes.split_whitespace() {
        game.play(code.parse().unwrap()).unwrap();
    }
    serde_json::to_value(State::new(&game)).unwrap()
}

#[test]
fn a_state_of_a_small_board_is_spelled_out() {
    let text = "
        name = 'tiny'
        size = 5
        seats = 2
        scoring = 'cells'
        colours = [
            { seat = 0, starts = [[0, 0]] },
            { seat = 1, starts = [[4, 4]] },
        ]
    ";
    let variant = read_variant(text).unwrap();
    let found = state(&variant, "11b0 55a0");
    let mut expected = json!({
        "version": 1,
        "variant": "tiny",
        "ply": 2,
        "to_move": { "colour": 0, "seat": 0 },
        "over": false,
        "board": ["1....", "1....", ".....", ".....", "....2"],
        "colours": [
            {
                "seat": 0,
                "shared": false,
                "left": "acdefghijklmnopqrstu",
                "cells_placed": 2,
                "score": 2,
                "void": 3,
                "mobility": found["legal"]["count"],
                "corner_points": [[1, 2]],
                "forbidden": [[0, 0], [1, 0], [0, 1], [1, 1], [0, 2], [4, 4]],
                "out": false,
            },
            {
                "seat": 1,
                "shared": false,
                "left": "bcdefghijklmnopqrstu",
                "cells_placed": 1,
                "score": 1,
                "void": 2,
                "mobility": found["colours"][1]["mobility"],
                "corner_points": [[3, 3]],
                "forbidden": [[0, 0], [0, 1], [4, 3], [3, 4], [4, 4]],
                "out": false,
            },
        ],
        "legal": found["legal"],
        "result": null,
    });
    assert_eq!(found, expected);
    assert_eq!(found["legal"]["codes"][0], "23a0");
    // The clock is absent, not null.
    expected["clock"] = Value::Null;
    assert_ne!(found, expected);
}

#[test]
fn the_end_has_a_result_and_no_legal_move() {
    let found = state(&GameVariant::DUO, "53e0 a8e0 0000 0000");
    assert_eq!(
        (&found["to_move"], &found["over"]),
        (&json!(null), &json!(true))
    );
    assert_eq!(
        found["legal"],
        json!({ "count": 0, "actions": [], "codes": [] })
    );
    let seats = json!([
        { "seat": 0, "score": -85, "place": 1 },
        { "seat": 1, "score": -85, "place": 1 },
    ]);
    let result = json!({ "seats": seats, "winners": [0, 1], "draw": true });
    assert_eq!(found["result"], result);
}

#[test]
fn passes_seats_and_colours_that_are_out_follow_the_variant() {
    // A voluntary pass is legal after the first turn, and does not count.
    let duo = state(&GameVariant::DUO, "53e0 a8e0");
    let legal = &duo["legal"];
    let actions = legal["actions"].as_array().unwrap();
    assert_eq!(actions.len() as u64, legal["count"].as_u64().unwrap() + 1);
    assert_eq!(actions.last(), Some(&json!(13_729)));
    assert_eq!(
        legal["codes"].as_array().unwrap().last(),
        Some(&json!("0000"))
    );
    // A final pass.
    let corner = state(&GameVariant::DUO_CORNER, "11a0 1ea0 0000");
    let out = |state: &Value, colour: usize| state["colours"][colour]["out"].clone();
    assert_eq!(
        (out(&corner, 0), out(&corner, 1)),
        (json!(true), json!(false))
    );
    // The shared colour belongs to the seat whose turn it is.
    let shared = state(&GameVariant::CLASSIC_3, "11a0 k1a0 kka0 1ka0");
    assert_eq!(shared["colours"][3]["shared"], true);
    assert_eq!(shared["colours"][3]["seat"], 1);
    // A colour that its variant skips is out.
    for variant in variants().iter().filter(|it| it.size() == 20) {
        let mut skipped = 0;
        walk(variant, 9, |game| {
            let state = State::new(game);
            for (colour, view) in game.colours().zip(&state.colours) {
                assert_eq!(view.out, !game.can_place(colour));
                skipped += u32::from(view.out && !state.over);
            }
        });
        assert!(skipped > 0, "{}", variant.name());
    }
}
