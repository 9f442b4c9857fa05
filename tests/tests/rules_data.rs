//! Tests of the rules against data from other programs.

use std::collections::BTreeMap;

use duoforge_rules::{
    Board, Cell, Classic, Colour, Duo, DuoBoard, Move, Orientation, Placement, Rotation, Size,
    Tile, TileSet, Variant, perft,
};
use duoforge_tests::data::{self, Position, TILE_NAMES};

#[test]
fn every_tile_code_covers_the_published_cells() {
    let rows = data::tile_codes();
    assert_eq!(rows.len(), 168);
    for row in rows {
        let tile = Tile::from_letter(row.tile).unwrap();
        let rotation = Rotation::from_index(row.rotation).unwrap();
        let back = Orientation::back(tile, rotation);
        let relative = |cell: &Cell| (cell.x as i8 - back.x as i8, cell.y as i8 - back.y as i8);
        let orientation = Orientation::from_tile_rotation(tile, rotation);
        let mut cells: Vec<_> = orientation.cells().iter().map(relative).collect();
        cells.sort_unstable();
        assert_eq!(cells, row.cells, "{tile}{rotation}");
    }
}

#[test]
fn shapes_and_placements_are_as_many_as_published() {
    let expected = data::perft();
    assert_eq!(Orientation::all().len(), expected.oriented_tiles);
    let counts = expected.placements_on_empty_board;
    assert_eq!(placements::<Duo>().count(), counts.duo_14x14);
    assert_eq!(placements::<Classic>().count(), counts.classic_20x20);
}

/// Returns all placements on an empty board.
fn placements<S: Size>() -> impl Iterator<Item = Placement> {
    let anchors = (0..S::WIDTH).flat_map(|y| (0..S::WIDTH).map(move |x| (x, y)));
    anchors
        .flat_map(|(x, y)| Orientation::all().map(move |o| Placement::new(o, x, y)))
        .filter(|placement| placement.fits(S::WIDTH))
}

#[test]
fn perft_of_duo() {
    let expected = data::perft().duo;
    assert!(expected.contains_key(&3));
    for (depth, nodes) in expected {
        assert_eq!(perft(&mut DuoBoard::duo(), depth), nodes, "depth {depth}");
    }
}

#[test]
fn perft_of_classic() {
    let expected = data::perft().classic_20x20;
    assert!(expected.contains_key(&5));
    for (depth, nodes) in expected {
        let mut board = Board::<Classic>::new(&Variant::CLASSIC);
        assert_eq!(perft(&mut board, depth), nodes, "depth {depth}");
    }
}

#[test]
fn random_games_have_the_counted_legal_placements() {
    let games = data::random_games();
    assert_eq!(games.len(), 100);
    for game in games {
        let mut board = DuoBoard::duo();
        assert_eq!(game.moves.len(), game.legal_counts.len());
        for (code, &count) in game.moves.iter().zip(&game.legal_counts) {
            assert_eq!(
                board.count_legal(),
                count,
                "{:?}",
                &game.moves[..board.ply()]
            );
            assert_eq!(board.legal().count(), count as usize);
            assert_eq!(board.has_legal(), count > 0);
            play(&mut board, code);
        }
        assert!(board.is_over());
        assert_eq!(
            [board.cells_placed(Colour(0)), board.cells_placed(Colour(1))],
            game.cells_placed[..]
        );
    }
}

#[test]
fn refereed_games_have_the_scores_of_the_contest() {
    let games = data::refereed_games();
    assert_eq!(games.len(), 227);
    for game in games {
        let mut board = DuoBoard::duo();
        game.moves.iter().for_each(|code| play(&mut board, code));
        assert_eq!(
            [board.score(Colour(0)), board.score(Colour(1))],
            game.score[..]
        );
    }
}

fn play(board: &mut DuoBoard, code: &str) {
    let mv: Move = code.parse().unwrap();
    board
        .play(mv)
        .unwrap_or_else(|e| panic!("{code} after {:?}: {e}", board.moves()));
}

#[test]
fn duo_positions_have_the_counted_moves_and_points() {
    let positions = data::duo_positions();
    assert_eq!(positions.len(), 104);
    for position in positions {
        let mut board = reach::<Duo>(&Variant::DUO, &position);
        check(&board, &position);
        // In this variant a pass is not final, so that the other colour can be checked too.
        let other = Colour(1 - board.to_move().0);
        if board.play(Move::Pass).is_ok() && !board.is_over() {
            assert_eq!(board.to_move(), other);
            check_moves(&board, &position);
        }
    }
}

#[test]
fn classic_positions_have_the_counted_moves_and_points() {
    // With two and three players the colours move in the same order as with four. One variant
    // therefore fits all of them, except for the sum of the scores.
    let positions = data::classic_positions();
    assert_eq!(positions.len(), 69);
    for position in positions {
        let board = reach::<Classic>(&Variant::CLASSIC, &position);
        check(&board, &position);
    }
}

/// Returns the position as a board. Colours that are skipped have passed.
fn reach<S: Size>(variant: &'static Variant, position: &Position) -> Board<S> {
    assert_eq!(position.size, S::WIDTH);
    let mut board = Board::new(variant);
    for played in &position.moves {
        pass_to(&mut board, played.color);
        let cells = played.sorted_cells(S::WIDTH);
        let placement = board
            .legal()
            .find(|placement| placement.cells().eq(cells.iter().copied()))
            .unwrap_or_else(|| panic!("{played:?} should be legal on\n{board}"));
        assert_eq!(TILE_NAMES[placement.tile().index()], played.tile);
        board.play(Move::Place(placement)).unwrap();
    }
    if let Some(color) = position.to_move {
        pass_to(&mut board, color);
    }
    board
}

fn pass_to<S: Size>(board: &mut Board<S>, color: u8) {
    while board.to_move() != Colour(color) {
        assert!(
            !board.has_legal(),
            "only a player without a move is skipped"
        );
        board.play(Move::Pass).unwrap();
    }
}

/// Checks the moves of the colour to move, and the points and remaining tiles of all colours.
fn check<S: Size>(board: &Board<S>, position: &Position) {
    if position.game_over {
        assert!(!board.has_legal());
        assert_eq!(position.legal, 0);
    } else {
        check_moves(board, position);
        assert_eq!(board.count_legal(), position.legal);
        assert_eq!(data::legal_hash::<S>(board.legal()), position.legal_hash);
        let mut by_tile = BTreeMap::new();
        for placement in board.legal() {
            *by_tile
                .entry(TILE_NAMES[placement.tile().index()].to_owned())
                .or_insert(0) += 1;
        }
        assert_eq!(by_tile, position.legal_by_tile);
    }
    for player in board.players() {
        let i = player.index();
        let left = TileSet::FULL.cell_count() - board.cells_placed(player);
        let bonus = board.score(player) + left as i32;
        assert_eq!(bonus, position.bonus[i]);
        assert_eq!(
            board.cells_placed(player) as i32 + bonus,
            position.points[i]
        );
        let mut names: Vec<_> = board
            .tiles_left(player)
            .iter()
            .map(|tile| TILE_NAMES[tile.index()])
            .collect();
        names.sort_unstable();
        assert_eq!(names, position.tiles_left[i]);
    }
}

/// Checks the number and the hash of the moves of the colour to move.
fn check_moves<S: Size>(board: &Board<S>, position: &Position) {
    let i = board.to_move().index();
    assert_eq!(
        board.count_legal(),
        position.legal_all_colors[i],
        "\n{board}"
    );
    assert_eq!(
        data::legal_hash::<S>(board.legal()),
        position.legal_hash_all_colors[i]
    );
}
