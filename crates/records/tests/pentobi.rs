//! Files written by Pentobi; `data/README.md` documents their origin.

use duoforge_records::{FileRecord, GameKind, forced_passes, read_blksgf, write_blksgf};
use duoforge_rules::{Board, Classic, Duo, Size};

fn only(text: &str) -> FileRecord {
    let mut games = read_blksgf(text).expect("a blksgf");
    assert_eq!(games.len(), 1);
    games.remove(0)
}

/// Returns the position after a game that is played to its end.
fn ended<S: Size>(game: &FileRecord) -> Board<S> {
    let record = &game.record;
    let mut board = Board::<S>::with_starts(record.kind.variant(), &record.starts());
    for (turn, number) in record.moves().zip(1..) {
        board
            .play(turn)
            .unwrap_or_else(|error| panic!("move {number}, {turn}: {error}"));
    }
    assert!(board.is_over() && game.left_out == 0);
    board
}

/// Returns the points as Pentobi counts them: covered cells plus bonus.
fn points<S: Size>(board: &Board<S>) -> Vec<i32> {
    board
        .players()
        .map(|player| board.score(player) + 89)
        .collect()
}

#[test]
fn a_game_of_duo_is_read_to_its_end() {
    let game = only(include_str!("data/pentobi_duo.blksgf"));
    let board = ended::<Duo>(&game);
    let [first, second] = points(&board)[..] else {
        panic!("two players")
    };
    assert_eq!(first - second, 15);
    // W has two passes between moves, and all players pass at the end.
    let codes: Vec<_> = game.record.moves().map(|turn| turn.to_string()).collect();
    assert_eq!(codes.iter().filter(|&code| code == "0000").count(), 4 + 1);
    assert_eq!(codes.len(), 35);
}

#[test]
fn who_moves_first_is_the_first_player() {
    let game = only(include_str!("data/pentobi_duo_w_first.blksgf"));
    let board = ended::<Duo>(&game);
    let [first, second] = points(&board)[..] else {
        panic!("two players")
    };
    assert_eq!(first - second, 1, "W won by one");
    assert_eq!(game.record.starts()[0].to_string(), "aa");
}

#[test]
fn a_game_of_four_is_read_to_its_end() {
    let game = only(include_str!("data/pentobi_classic.blksgf"));
    assert_eq!(game.record.kind, GameKind::Classic);
    assert_eq!(points(&ended::<Classic>(&game)), [70, 69, 73, 66]);
}

/// Writing a record reproduces the moves of Pentobi's file.
#[test]
fn moves_are_written_as_pentobi_writes_them() {
    for text in [
        include_str!("data/pentobi_duo.blksgf"),
        include_str!("data/pentobi_classic.blksgf"),
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
        let placed = game
            .record
            .moves()
            .filter(|turn| turn.placement().is_some());
        assert_eq!(placed.count(), lines - 2);
        assert_eq!(forced_passes(&game.record), Ok(0));
    }
}
