//! Files written by Pentobi; `data/README.md` documents their origin.

use duoforge_records::{FileRecord, forced_passes, read_blksgf, write_blksgf};
use duoforge_rules::{Colour, Game, GameVariant, Seat};

fn only(text: &str) -> FileRecord {
    let mut games = read_blksgf(text).expect("a blksgf");
    assert_eq!(games.len(), 1);
    games.remove(0)
}

/// Returns the position after a game that is played to its end.
fn ended(game: &FileRecord) -> Game {
    let record = &game.record;
    let mut position = Game::new(&record.played_variant());
    for (mv, number) in record.moves().zip(1..) {
        position
            .play(mv)
            .unwrap_or_else(|error| panic!("move {number}, {mv}: {error}"));
    }
    assert!(position.is_over() && game.left_out == 0);
    position
}

/// Returns the points of the colours as Pentobi counts them: covered cells plus bonus.
fn points(game: &Game) -> Vec<i32> {
    game.colours()
        .map(|colour| game.colour_score(colour) + 89)
        .collect()
}

#[test]
fn a_game_of_duo_is_read_to_its_end() {
    let game = only(include_str!("data/pentobi_duo.blksgf"));
    let board = ended(&game);
    let [first, second] = points(&board)[..] else {
        panic!("two players")
    };
    assert_eq!(first - second, 15);
    // W has two passes between moves, and all players pass at the end.
    let codes: Vec<_> = game.record.moves().map(|mv| mv.to_string()).collect();
    assert_eq!(codes.iter().filter(|&code| code == "0000").count(), 4 + 1);
    assert_eq!(codes.len(), 35);
}

#[test]
fn who_moves_first_is_the_first_player() {
    let game = only(include_str!("data/pentobi_duo_w_first.blksgf"));
    let board = ended(&game);
    let [first, second] = points(&board)[..] else {
        panic!("two players")
    };
    assert_eq!(first - second, 1, "W won by one");
    assert_eq!(game.record.starts()[0].to_string(), "aa");
}

#[test]
fn a_game_of_four_is_read_to_its_end() {
    let game = only(include_str!("data/pentobi_classic.blksgf"));
    assert_eq!(game.record.variant, GameVariant::CLASSIC);
    assert_eq!(points(&ended(&game)), [70, 69, 73, 66]);
}

/// The score of two seats is the margin of the sums of their colours.
#[test]
fn a_game_of_two_seats_with_four_colours_is_read_to_its_end() {
    let game = only(include_str!("data/pentobi_classic_2.blksgf"));
    assert_eq!(game.record.variant, GameVariant::CLASSIC_2);
    let position = ended(&game);
    let [first, second] = [0, 1].map(|seat| position.seat_score(Seat(seat)));
    assert_eq!(second - first, 30);
}

#[test]
fn a_game_of_three_seats_is_read_to_its_end() {
    let game = only(include_str!("data/pentobi_classic_3.blksgf"));
    assert_eq!(game.record.variant, GameVariant::CLASSIC_3);
    let position = ended(&game);
    assert_eq!(points(&position), [64, 75, 61, 69]);
    let seats = position
        .plies()
        .iter()
        .filter(|ply| ply.colour == Colour(3));
    let seats: Vec<_> = seats.take(4).map(|ply| ply.seat.0).collect();
    assert_eq!(seats, [0, 1, 2, 0]);
}

/// Writing a record reproduces the moves of Pentobi's file.
#[test]
fn moves_are_written_as_pentobi_writes_them() {
    for text in [
        include_str!("data/pentobi_duo.blksgf"),
        include_str!("data/pentobi_classic.blksgf"),
        include_str!("data/pentobi_classic_2.blksgf"),
        include_str!("data/pentobi_classic_3.blksgf"),
    ] {
        let record = only(text).record;
        let written = write_blksgf(&[record]).expect("a legal game");
        let moves = |text: &str| -> Vec<String> {
            let nodes = text.lines().filter(|line| line.starts_with(';'));
            nodes.skip(1).map(str::to_owned).collect()
        };
        assert_eq!(moves(&written), moves(text));
        assert!(!written.contains("PASSES"), "all passes are forced");
    }
}

/// A truncated game has no passes after its last move, except forced ones.
#[test]
fn a_cut_game_goes_on_where_it_was_cut() {
    let text = include_str!("data/pentobi_duo.blksgf");
    for lines in 2..31 {
        let mut cut: String = text.lines().take(lines).collect();
        cut.push(')');
        let game = only(&cut);
        let placed = game.record.moves().filter(|mv| mv.placement().is_some());
        assert_eq!(placed.count(), lines - 2);
        assert_eq!(forced_passes(&game.record), Ok(0));
    }
}
