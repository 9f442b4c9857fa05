//! Training games and training, run like a user does.

use std::fs;
use std::path::Path;
use std::process::Output;

use assert_cmd::Command;
use duoforge_records::{Record, write_blksgf};
use duoforge_rules::{Game, GameVariant, Move};
use duoforge_twin::Rng;

fn lab(directory: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::cargo_bin("duoforge-lab").expect("the program is built");
    let output = command.current_dir(directory).args(arguments).output();
    output.expect("it starts")
}

fn games(directory: &Path, name: &str, seed: &str) -> String {
    let options = [
        "--games", "12", "--drawn", "3", "--seed", seed, "--out", name,
    ];
    let output = lab(
        directory,
        &[&["games", "pattern", "pattern"][..], &options].concat(),
    );
    assert!(output.status.success(), "{output:?}");
    fs::read_to_string(directory.join(name)).expect("the file")
}

#[test]
fn equal_seeds_write_equal_files() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let first = games(directory.path(), "first", "1");
    // The header and the games.
    assert_eq!(first.lines().count(), 1 + 12);
    assert_eq!(first, games(directory.path(), "again", "1"));
    assert_ne!(first, games(directory.path(), "other", "2"));
}

/// Returns the figures of a table's last line: bits, then the shares for the top 1, 16, 32 and 64.
fn figures(text: &str, table: &str) -> Vec<f64> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with(table));
    let all = lines
        .find(|line| line.starts_with("  all"))
        .expect("a line");
    let words = all.split_whitespace().skip(2);
    words.map(|word| word.parse().expect("a number")).collect()
}

#[test]
fn what_is_learned_foretells_games_held_out() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    games(directory.path(), "one", "1");
    games(directory.path(), "two", "2");
    let output = lab(directory.path(), &["learn", "one", "two", "--holdout", "4"]);
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.starts_with("24 games, "), "{text}");
    let [exact, steps, guess] = ["learned, held", "quantised, held", "as built in, held"]
        .map(|table| figures(&text, table));
    // The pattern player scores placements by cells, as the model does, but unlike the players
    // behind the default weights.
    assert!(exact[0] < guess[0] && exact[3] > 0.9, "{text}");
    assert!((exact[0] - steps[0]).abs() < 0.1, "{text}");
    let settings = text
        .lines()
        .find(|line| line.starts_with("tile_weights="))
        .expect("settings");
    let search = format!("search:sims=20,{settings}");
    let output = lab(
        directory.path(),
        &["match", &search, "random", "--pairs", "1"],
    );
    assert!(output.status.success(), "{output:?}");
}

/// A random game of a variant whose players place one of their largest tiles.
fn largest_first(name: &str, rng: &mut Rng) -> Record {
    let variant = GameVariant::named(name).expect("a built-in variant");
    let mut game = Game::new(variant);
    while game.to_move().is_some() {
        let placements = game.legal();
        let size = placements.iter().map(|it| it.tile().size()).max();
        let largest: Vec<_> = placements
            .iter()
            .filter(|it| Some(it.tile().size()) == size)
            .collect();
        let mv = match largest.len() as u32 {
            0 => Move::Pass,
            len => Move::Place(*largest[rng.below(len) as usize]),
        };
        game.play(mv).expect("a legal move");
    }
    Record::new(variant.clone(), game.plies().iter().map(|ply| ply.mv))
}

#[test]
fn the_prior_of_maxn_is_learned_from_games_of_any_variant() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let path = |name: &str| directory.path().join(name);
    let mut rng = Rng::new(3);
    let games: Vec<_> = (0..6)
        .map(|_| largest_first("classic-2", &mut rng))
        .collect();
    fs::write(path("games.blksgf"), write_blksgf(&games).expect("records")).expect("a file");
    let output = lab(
        directory.path(),
        &["learn", "--maxn", "games.blksgf", "--holdout", "3"],
    );
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.starts_with("6 games, "), "{text}");
    let [exact, rounded, built_in] =
        ["learned, held", "rounded, held", "as built in, held"].map(|table| figures(&text, table));
    // These players decide by the size of a tile alone.
    assert!(exact[0] < built_in[0], "{text}");
    assert!((exact[0] - rounded[0]).abs() < 0.1, "{text}");
    assert!(text.contains("features: [\n"), "{text}");

    let duo = largest_first("duo", &mut rng);
    fs::write(path("duo.blksgf"), write_blksgf(&[duo]).expect("records")).expect("a file");
    let output = lab(
        directory.path(),
        &["learn", "--maxn", "games.blksgf", "duo.blksgf"],
    );
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        error.contains(
            "duo.blksgf, game 1: the game is duo, with 14 columns; expected 20, \
             as in games.blksgf, game 1"
        ),
        "{error}"
    );
}

#[test]
fn a_file_that_holds_no_games_is_refused() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let game = games(directory.path(), "games", "1");
    let line = game.lines().nth(1).expect("a game");
    let code = line
        .split("\"moves\":\"")
        .nth(1)
        .expect("moves")
        .get(..4)
        .expect("a code");
    let twice = line.replacen(code, &format!("{code} {code}"), 1);
    fs::write(directory.path().join("wrong"), format!("{line}\n{twice}\n")).expect("a file");
    let output = lab(directory.path(), &["learn", "wrong"]);
    assert_eq!(output.status.code(), Some(2));
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        error.contains("wrong: line 2") && error.contains("is illegal"),
        "{error}"
    );
}
