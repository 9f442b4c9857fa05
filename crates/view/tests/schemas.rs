//! Committed JSON schemas: equal to those of the types, and satisfied by every object.

use std::fs;
use std::path::Path;

use boon::{Compiler, SchemaIndex, Schemas};
use duoforge_rules::{ActionSpace, Cell, Game, GameVariant, Move, Tile};
use duoforge_view::schema::{renewed, schemas};
use duoforge_view::{Action, CellHints, Clock, Hints, State, TileHints, TileTable};
use serde::Serialize;
use serde_json::{Value, json};

mod common;

use common::{Random, variants, walk};

fn committed(name: &str) -> String {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema");
    let path = directory.join(format!("{name}.json"));
    fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Committed schema, compiled.
struct Schema {
    schemas: Schemas,
    index: SchemaIndex,
}

impl Schema {
    fn new(name: &str) -> Self {
        let value = serde_json::from_str(&committed(name)).unwrap();
        let (mut schemas, mut compiler) = (Schemas::new(), Compiler::new());
        compiler.add_resource(name, value).unwrap();
        let index = compiler.compile(name, &mut schemas).unwrap();
        Self { schemas, index }
    }

    fn fault(&self, value: &Value) -> Option<String> {
        let result = self.schemas.validate(value, self.index);
        result.err().map(|error| format!("{error:#}"))
    }

    /// Asserts that an object is valid, and returns it.
    fn holds(&self, object: &impl Serialize) -> Value {
        let value = serde_json::to_value(object).unwrap();
        assert_eq!(self.fault(&value), None, "{value:#}");
        value
    }
}

#[test]
fn the_committed_schemas_are_those_of_the_types() {
    for (name, schema) in schemas() {
        let committed = committed(name);
        let text = renewed(&schema, Some(&committed)).unwrap_or_else(|e| panic!("{name}: {e}"));
        assert_eq!(
            committed, text,
            "schema/{name}.json is out of date: run `cargo run -p duoforge-view --features schema \
             --example write_schemas`"
        );
    }
}

#[test]
fn states_of_every_variant_are_valid() {
    let schema = Schema::new("state");
    for variant in variants() {
        let mut positions = 0;
        for seed in 0..6 {
            walk(&variant, seed, |game| {
                let state = State::new(game);
                schema.holds(&state);
                let clock = Clock {
                    left_ms: game
                        .seats()
                        .map(|seat| (seat.0 > 0).then_some(950))
                        .collect(),
                    asked_at_ms: 12_000,
                };
                schema.holds(&state.with_clock(clock));
                positions += 1;
            });
        }
        assert!(positions >= 12, "{}: {positions}", variant.name());
    }
}

#[test]
fn hints_actions_and_tiles_are_valid() {
    let [hints, actions, tiles] = ["hints", "action", "tiles"].map(Schema::new);
    for variant in variants() {
        let mut random = Random(7);
        walk(&variant, 3, |game| {
            let colour = game.to_move().unwrap_or(duoforge_rules::Colour(0));
            let mut coordinate = || random.below(game.size().into()) as u8;
            let cell = Cell::new(coordinate(), coordinate());
            hints.holds(&Hints::Cell(CellHints::new(game, colour, cell)));
            let tile = Tile::from_index(random.below(Tile::COUNT)).unwrap();
            hints.holds(&Hints::Tile(TileHints::new(game, colour, tile)));
            for mv in game.legal_moves().into_iter().rev().take(3) {
                actions.holds(&Action::new(mv, &game.actions()).unwrap());
            }
        });
    }
    for size in 5..=20 {
        tiles.holds(&TileTable::new(size));
        let space = ActionSpace::new(size);
        actions.holds(&Action::new(Move::Pass, &space).unwrap());
    }
}

/// Change of a value that makes it invalid.
type Spoil = fn(&mut Value);

#[test]
fn other_objects_are_invalid() {
    let schema = Schema::new("state");
    let valid = schema.holds(&State::new(&Game::new(&GameVariant::DUO)));
    let spoils: [Spoil; 14] = [
        |state| state["version"] = json!(2),
        |state| drop(state.as_object_mut().unwrap().remove("version")),
        |state| drop(state.as_object_mut().unwrap().remove("result")),
        |state| drop(state.as_object_mut().unwrap().remove("to_move")),
        |state| state["moves"] = json!([]),
        |state| state["variant"] = json!("Duo"),
        |state| state["ply"] = json!(-1),
        |state| state["to_move"] = json!(0),
        |state| state["to_move"]["seat"] = json!(4),
        |state| state["board"][3] = json!("5............."),
        |state| state["colours"][0]["left"] = json!("abv"),
        |state| state["colours"][0]["corner_points"] = json!([[4, 4, 4]]),
        |state| state["legal"]["codes"][0] = json!("55a8"),
        |state| state["legal"]["actions"][0] = json!("60"),
    ];
    for (i, spoil) in spoils.iter().enumerate() {
        let mut spoiled = valid.clone();
        spoil(&mut spoiled);
        assert!(schema.fault(&spoiled).is_some(), "change {i} is valid");
    }
}
