//! Custom variants: TOML definitions, their defaults and the text of each error.

use duoforge_rules::{
    ColourDefinition, Ending, ForcedPass, Game, GameVariant, Move, Passing, ScoringRule, Seat,
    Ties, VariantDefinition, VoluntaryPass,
};

mod common;

use common::{Pair, Random, definition, random_move};

const PAGE: &str = include_str!("../../../docs/variants.md");

/// Returns the TOML blocks of the page on variants.
fn examples() -> Vec<&'static str> {
    let blocks = PAGE.split("```toml\n").skip(1);
    blocks
        .map(|rest| rest.split("```").next().unwrap())
        .collect()
}

fn read(text: &str) -> VariantDefinition {
    toml::from_str(text).unwrap_or_else(|e| panic!("{e}"))
}

/// The examples of the page are played to their end by both checkers.
#[test]
fn the_examples_of_the_page_are_variants() {
    let examples = examples();
    assert_eq!(examples.len(), 2);
    for text in examples {
        let variant = GameVariant::new(&read(text)).unwrap();
        for seed in 0..20 {
            let mut pair = Pair::new(&variant);
            let mut random = Random(seed);
            while !pair.fast.is_over() {
                pair.play(random_move(&pair.fast, &mut random, 9));
                pair.compare_state();
                pair.compare_legal();
            }
        }
    }
}

#[test]
fn only_four_keys_are_required() {
    let text = "
        name = 'least'
        size = 5
        seats = 1
        colours = [{ seat = 0, starts = [[2, 3]] }]
    ";
    let found = read(text);
    assert_eq!(found, definition("least", 5, 1, &[&[[2, 3]]]));
    assert_eq!(found.scoring, ScoringRule::Advanced);
    assert_eq!(found.passing, Passing::SKIPPED);
    assert_eq!(
        found.ending,
        Ending {
            all_placed: false,
            no_placement: true
        }
    );
    assert_eq!((found.starts_stay, found.ties), (false, Ties::Shared));
    let game = Game::new(&GameVariant::new(&found).unwrap());
    assert_eq!(
        game.corner_points(game.to_move().unwrap()).rows(),
        [0, 0, 0, 4, 0]
    );
}

#[test]
fn every_key_is_read() {
    let text = "
        name = 'all-keys'
        size = 16
        seats = 2
        starts_stay = true
        scoring = 'alternative'
        ties = 'later-seat'
        passing = { forced = 'played', voluntary = 'after-first-turn', final = true }
        ending = { all_placed = true, no_placement = false }
        [[colours]]
        seat = 1
        starts = [[0, 0], [15, 0]]
        [[colours]]
        shared = true
        starts = [[15, 15]]
        [[colours]]
        seat = 0
        starts = [[0, 15]]
    ";
    let colour = |seat, starts: &[[i64; 2]]| ColourDefinition {
        seat,
        shared: seat.is_none(),
        starts: starts.to_vec(),
    };
    let expected = VariantDefinition {
        name: "all-keys".to_owned(),
        size: 16,
        seats: 2,
        starts_stay: true,
        scoring: ScoringRule::Alternative,
        ties: Ties::LaterSeat,
        passing: Passing {
            forced: ForcedPass::Played,
            voluntary: VoluntaryPass::AfterFirstTurn,
            is_final: true,
        },
        ending: Ending {
            all_placed: true,
            no_placement: false,
        },
        colours: vec![
            colour(Some(1), &[[0, 0], [15, 0]]),
            colour(None, &[[15, 15]]),
            colour(Some(0), &[[0, 15]]),
        ],
    };
    assert_eq!(read(text), expected);
    assert_eq!(GameVariant::new(&expected).unwrap().definition(), expected);
}

/// Each built-in variant can be written as a definition, and read again under another name.
#[test]
fn built_in_variants_are_definitions_too() {
    for variant in GameVariant::BUILT_IN {
        let mut definition = variant.definition();
        let text = toml::to_string(&definition).unwrap();
        assert_eq!(read(&text), definition, "{text}");
        definition.name.insert_str(0, "my-");
        let mine = GameVariant::new(&definition).unwrap();
        assert_eq!(mine.name(), definition.name);
        assert_eq!(mine.definition(), definition);
        assert_eq!(GameVariant::named(variant.name()), Some(&variant));
        assert_eq!(GameVariant::named(mine.name()), None);
    }
}

#[test]
fn errors_name_the_key_the_value_and_the_permitted_range() {
    type Change = fn(&mut VariantDefinition);
    let table: &[(Change, &str)] = &[
        (
            |it| it.name.clear(),
            "name=\"\" is not permitted: expected 1 to 40 characters out of a-z, 0-9 and -",
        ),
        (
            |it| it.name = "Mine".to_owned(),
            "name=\"Mine\" is not permitted: expected 1 to 40 characters out of a-z, 0-9 and -",
        ),
        (
            |it| it.name = "classic-2".to_owned(),
            "name=\"classic-2\" is not permitted: expected another name than a built-in variant's",
        ),
        (|it| it.size = 4, "size=4 is out of range: expected 5 to 20"),
        (
            |it| it.size = 21,
            "size=21 is out of range: expected 5 to 20",
        ),
        (
            |it| it.size = 270,
            "size=270 is out of range: expected 5 to 20",
        ),
        (
            |it| it.seats = 0,
            "seats=0 is out of range: expected 1 to 4",
        ),
        (
            |it| it.seats = -1,
            "seats=-1 is out of range: expected 1 to 4",
        ),
        (
            |it| it.seats = 3,
            "seats=3 is not permitted: expected a colour with seat=2, since each seat owns one",
        ),
        (
            |it| it.colours.clear(),
            "colours has 0 entries: expected 1 to 4",
        ),
        (
            |it| it.colours = vec![it.colours[0].clone(); 5],
            "colours has 5 entries: expected 1 to 4",
        ),
        (
            |it| it.colours[1].seat = Some(2),
            "colours[1].seat=2 is out of range: expected 0 to 1",
        ),
        (
            |it| it.colours[1].seat = None,
            "colours[1].seat=none is not permitted: expected 0 to 1, or shared=true",
        ),
        (
            |it| it.colours[0].shared = true,
            "colours[0].shared=true is not permitted: expected false for a colour with a seat",
        ),
        (
            |it| {
                let mut shared = it.colours[0].clone();
                (shared.seat, shared.shared) = (None, true);
                it.colours.extend([shared.clone(), shared]);
            },
            "colours[3].shared=true is not permitted: expected at most one shared colour",
        ),
        (
            |it| it.colours[0].starts.clear(),
            "colours[0].starts has 0 entries: expected 1 to 8",
        ),
        (
            |it| it.colours[0].starts = (0..9).map(|x| [x, 0]).collect(),
            "colours[0].starts has 9 entries: expected 1 to 8",
        ),
        (
            |it| it.colours[1].starts.push([3, 9]),
            "colours[1].starts[1]=[3, 9] is not permitted: expected two numbers from 0 to 8",
        ),
        (
            |it| it.colours[1].starts[0] = [-1, 0],
            "colours[1].starts[0]=[-1, 0] is not permitted: expected two numbers from 0 to 8",
        ),
        (
            |it| it.colours[0].starts.push([1, 1]),
            "colours[0].starts[1]=[1, 1] is not permitted: expected each start cell once",
        ),
        (
            |it| it.ending.no_placement = false,
            "ending.no_placement=false is not permitted: expected true with passing.forced=skipped",
        ),
    ];
    let sound = definition("sound", 9, 2, &[&[[1, 1]], &[[7, 7]]]);
    assert!(GameVariant::new(&sound).is_ok());
    for (change, text) in table {
        let mut definition = sound.clone();
        change(&mut definition);
        assert_eq!(
            GameVariant::new(&definition).unwrap_err().to_string(),
            *text
        );
    }
    let longest = VariantDefinition {
        name: "x".repeat(40),
        ..sound.clone()
    };
    assert!(GameVariant::new(&longest).is_ok());
}

/// Texts that are not definitions: the reader names the line, and the keys or values it expects.
#[test]
fn files_with_other_keys_or_values_are_refused() {
    let sound = "name = 'x'\nsize = 5\nseats = 1\n";
    let colours = "colours = [{ seat = 0, starts = [[2, 3]] }]\n";
    for (text, expected) in [
        (sound.to_owned(), &["missing field `colours`"][..]),
        (
            format!("{sound}{colours}height = 7\n"),
            &[
                "line 5",
                "unknown field `height`",
                "`size`",
                "`starts_stay`",
            ],
        ),
        (
            format!("{sound}{colours}scoring = 'golf'\n"),
            &["line 5", "unknown variant `golf`", "`basic`, `advanced`"],
        ),
        (
            format!("{sound}{colours}passing = {{ forced = 'never' }}\n"),
            &["line 5", "`played` or `skipped`"],
        ),
        (
            format!("{sound}colours = [{{ seat = 0, starts = [[2]] }}]\n"),
            &["line 4", "an array of length 2"],
        ),
        (
            format!("{sound}{colours}size = 6\n"),
            &["line 5", "duplicate key"],
        ),
        (
            format!("name = 'x'\nsize = 'big'\nseats = 1\n{colours}"),
            &["line 2", "invalid type: string \"big\""],
        ),
    ] {
        let error = toml::from_str::<VariantDefinition>(&text)
            .unwrap_err()
            .to_string();
        for part in expected {
            assert!(error.contains(part), "{part} is not in:\n{error}");
        }
    }
}

#[test]
fn start_cells_can_be_exchanged() {
    let starts = |colour| {
        GameVariant::DUO
            .starts(duoforge_rules::Colour(colour))
            .as_slice()[0]
    };
    let exchanged = GameVariant::DUO.with_starts(&[starts(1), starts(0)]);
    let mut pair = Pair::new(&exchanged);
    assert!(pair.reason("53e0").is_some());
    pair.play("a8e0".parse::<Move>().unwrap());
    assert_eq!(pair.fast.seat_to_move(), Some(Seat(1)));
    pair.compare_legal();
}

#[test]
#[should_panic(expected = "each colour needs one start cell")]
fn exchanged_start_cells_are_one_for_each_colour() {
    let _ = GameVariant::DUO.with_starts(&[duoforge_rules::Cell::new(4, 4)]);
}

#[test]
#[should_panic(expected = "start cell f1 is not on the board")]
fn exchanged_start_cells_are_on_the_board() {
    let _ = GameVariant::DUO.with_starts(&[duoforge_rules::Cell::new(14, 0); 2]);
}

#[test]
fn scoring_rules_have_names() {
    for rule in ScoringRule::ALL {
        assert_eq!(ScoringRule::named(rule.name()), Some(rule));
        let text = format!("rule = '{}'", rule.name());
        let read: std::collections::BTreeMap<String, ScoringRule> = toml::from_str(&text).unwrap();
        assert_eq!(read["rule"], rule);
    }
    assert_eq!(ScoringRule::named("golf"), None);
}
