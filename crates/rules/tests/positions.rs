//! Games against data from other programs: positions of all variants, and perft.

use std::collections::BTreeMap;

use duoforge_rules::{Cell, Colour, Game, GameVariant, Move, Placement, ScoringRule, Seat};
use duoforge_tests::data::{self, Position, TILE_NAMES};

/// Returns the game that leads to a position. Its turns must be those of the data: a colour that
/// the data skips has no turn, or passes.
fn reach(variant: &GameVariant, position: &Position) -> Game {
    assert_eq!(position.size, variant.size());
    let mut game = Game::new(variant);
    for played in &position.moves {
        pass_to(&mut game, played.color);
        let cells = played.sorted_cells(position.size);
        let legal = game.legal();
        let placement = legal.iter().find(|it| it.cells().eq(cells.iter().copied()));
        let placement = *placement.unwrap_or_else(|| panic!("{played:?} is illegal on\n{game}"));
        assert_eq!(TILE_NAMES[placement.tile().index()], played.tile);
        game.play(Move::Place(placement)).unwrap();
    }
    if let Some(color) = position.to_move {
        pass_to(&mut game, color);
    }
    game
}

/// Plays forced passes until it is the turn of a colour.
fn pass_to(game: &mut Game, color: u8) {
    while game.to_move() != Some(Colour(color)) {
        assert!(
            game.is_pass_forced(),
            "{:?} has a turn and can place",
            game.to_move()
        );
        game.play(Move::Pass).unwrap();
    }
}

/// Colours that each seat of a variant owns.
const OWNED: [(&str, &[&[usize]]); 4] = [
    ("duo", &[&[0], &[1]]),
    ("classic", &[&[0], &[1], &[2], &[3]]),
    ("classic-2", &[&[0, 2], &[1, 3]]),
    // Colour 3 counts for no seat.
    ("classic-3", &[&[0], &[1], &[2]]),
];

/// Checks the colour of every cell, and that the points of colours belong to their seats.
fn check_owners(game: &Game, position: &Position) {
    let size = position.size;
    let mut colours = BTreeMap::new();
    for played in &position.moves {
        for cell in played.sorted_cells(size) {
            assert_eq!(colours.insert(cell, Colour(played.color)), None);
        }
    }
    for cell in (0..size).flat_map(|y| (0..size).map(move |x| Cell::new(x, y))) {
        let colour = colours.get(&cell).copied();
        assert_eq!(game.colour_at(cell), colour, "{cell} on\n{game}");
    }
    let name = game.variant().name();
    let (_, owned) = OWNED.iter().find(|(known, _)| *known == name).unwrap();
    assert_eq!(game.seats().len(), owned.len());
    for (seat, colours) in game.seats().zip(*owned) {
        let points = colours.iter().map(|&colour| position.points[colour]);
        assert_eq!(game.seat_score(seat), points.sum::<i32>());
    }
}

/// Checks tiles, points, placements and hashes of all colours, the owners of cells and points, and
/// the colour to move.
fn check(game: &Game, position: &Position) {
    check_owners(game, position);
    let hash = |placements: Vec<Placement>| data::legal_hash_of_size(game.size(), placements);
    for colour in game.colours() {
        let i = colour.index();
        let count = position.legal_all_colors[i];
        assert_eq!(game.count_placements(colour), count, "\n{game}");
        assert_eq!(game.can_place(colour), count > 0);
        let placements = game.placements_of(colour);
        assert_eq!(hash(placements), position.legal_hash_all_colors[i]);
        let left = game.tiles_left(colour).iter();
        let mut names: Vec<_> = left.map(|tile| TILE_NAMES[tile.index()]).collect();
        names.sort_unstable();
        assert_eq!(names, position.tiles_left[i]);
        let placed = game.cells_placed(colour) as i32;
        assert_eq!(placed + position.bonus[i], position.points[i]);
        let points = game.colour_score(colour);
        assert_eq!(points, position.points[i], "the alternative scoring");
    }
    if let Some(margin) = position.score_first_player {
        let [first, second] = [Seat(0), Seat(1)].map(|seat| game.seat_score(seat));
        assert_eq!(first - second, margin);
    }
    if position.game_over {
        return;
    }
    assert_eq!(game.to_move().map(|colour| colour.0), position.to_move);
    assert_eq!(game.count_legal(), position.legal);
    assert_eq!(hash(game.legal()), position.legal_hash);
    let mut by_tile = BTreeMap::new();
    for placement in game.legal() {
        let name = TILE_NAMES[placement.tile().index()];
        *by_tile.entry(name.to_owned()).or_insert(0) += 1;
    }
    assert_eq!(by_tile, position.legal_by_tile);
}

/// Each colour without a placement is skipped, and the game ends with the last placement, so that
/// turn and end follow from the placements alone.
#[test]
fn classic_positions_are_those_of_other_programs() {
    let mut counts = BTreeMap::new();
    for position in data::classic_positions() {
        let name = position.variant.replace('_', "-");
        let variant = GameVariant::named(&name).expect("a variant of the data");
        let variant = variant.clone().with_scoring(ScoringRule::Alternative);
        let game = reach(&variant, &position);
        check(&game, &position);
        assert_eq!(game.is_over(), position.game_over);
        assert_eq!(game.plies().len(), position.moves.len());
        let seat = game.seat_to_move().map(|seat| seat.0);
        match name.as_str() {
            "classic-3" => assert_eq!(seat, position.player_to_move),
            "classic-2" => assert_eq!(seat, position.to_move.map(|color| color % 2)),
            _ => assert_eq!(seat, position.to_move),
        }
        *counts.entry(name).or_insert(0) += 1;
    }
    let names = ["classic", "classic-2", "classic-3"];
    assert_eq!(counts, names.map(|name| (name.to_owned(), 23)).into());
}

/// In Duo the data leaves out forced passes, which are plies of the contest.
#[test]
fn duo_positions_are_those_of_other_programs() {
    let variant = GameVariant::DUO.with_scoring(ScoringRule::Alternative);
    let positions = data::duo_positions();
    assert_eq!(positions.len(), 104);
    for position in positions {
        check(&reach(&variant, &position), &position);
    }
}

#[test]
fn perft_of_duo_has_the_published_counts() {
    let expected = data::perft().duo;
    let mut game = Game::new(&GameVariant::DUO);
    for depth in 1..=2 {
        assert_eq!(game.perft(depth), expected[&depth], "depth {depth}");
    }
    assert_eq!(game, Game::new(&GameVariant::DUO));
}

/// Depth to which sequences of classic are counted. Depth 5 has 1,898,244,648 and takes half a
/// minute: `DUOFORGE_PERFT=5 cargo test -p duoforge-rules --test positions`.
fn classic_depth() -> u32 {
    let depth = std::env::var("DUOFORGE_PERFT");
    depth.map_or(4, |depth| depth.parse().expect("DUOFORGE_PERFT is a depth"))
}

#[test]
fn perft_of_classic_has_the_published_counts() {
    let expected = data::perft().classic_20x20;
    // Owners of colours and scores do not change the placements.
    for (variant, depths) in [
        (&GameVariant::CLASSIC, 1..=classic_depth()),
        (&GameVariant::CLASSIC_2, 1..=3),
        (&GameVariant::CLASSIC_3, 1..=3),
    ] {
        let mut game = Game::new(variant);
        for depth in depths {
            assert_eq!(game.perft(depth), expected[&depth], "depth {depth}");
        }
    }
}

/// In the first round of free starts, colour `i` has the 58 placements of each free corner.
#[test]
fn perft_of_free_starts_is_a_multiple_of_that_of_classic() {
    let mut game = Game::new(&GameVariant::CLASSIC_FREE);
    assert_eq!(game.perft(1), 4 * 58);
    assert_eq!(game.perft(2), 4 * 3 * 58 * 58);
    assert_eq!(game.perft(3), 4 * 3 * 2 * 58 * 58 * 58);
}
