//! Computation of an opening book, run like a user does.

#[cfg(unix)]
#[path = "common/answers.rs"]
mod answers;
mod common;

use std::fs;

use common::{good, lab};

const BOOK: [&str; 6] = [
    "book",
    "search:sims=20,children=12",
    "--least",
    "0.005",
    "--plies",
    "2",
];

#[test]
fn a_book_that_was_cut_is_completed_to_the_same_lines() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let run = |name: &str, more: &[&str]| {
        let out = good(directory, &[&BOOK[..], &["--out", name], more].concat());
        let book = fs::read_to_string(directory.join(name)).expect("a file");
        (out, book)
    };
    let (out, whole) = run("whole.txt", &[]);
    let lines: Vec<_> = whole.lines().collect();
    let [none, one, two] = [1, 2, 3].map(|codes| {
        let of_length = |line: &&&str| line.split(' ').count() == codes;
        lines.iter().filter(of_length).count()
    });
    assert_eq!(
        out,
        format!(
            "{none} positions after 0 placements\n{one} positions after 1 placements\n\
             {two} positions after 2 placements\n"
        )
    );
    assert_eq!(none, 1);
    assert!(one > 3 && two > 3, "{one} {two}");
    assert_eq!(none + one + two, lines.len());
    // The book's own first placement begins the lines with two placements before the reply.
    for line in &lines[1 + one..] {
        assert!(line.starts_with(lines[0]), "{line}");
    }

    let cut = lines[..one].join("\n");
    fs::write(directory.join("cut.txt"), &cut).expect("a file");
    let (out, same) = run("cut.txt", &["--count"]);
    let counts = format!(
        "0 positions after 0 placements\n1 positions after 1 placements\n\
         {two} positions after 2 placements\n"
    );
    assert_eq!((out, same), (counts.clone(), cut));
    assert_eq!(run("cut.txt", &["--jobs", "2"]), (counts, whole));
}

#[cfg(unix)]
#[test]
fn a_pass_is_not_a_reply() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let options = ["--least", "0.02", "--out", "book.txt", "--plies"];
    good(
        directory,
        &[&["book", "pattern"], &options[..], &["1"]].concat(),
    );
    fs::remove_file(directory.join("book.txt.recipe")).expect("the recipe");
    let read = || fs::read_to_string(directory.join("book.txt")).expect("a file");
    let book = read();
    let player = answers::engine_of(directory, "pass");
    let output = lab(
        directory,
        &[&["book", &player], &options[..], &["2"]].concat(),
    );
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert!(errors.contains("the player passes after ["), "{errors}");
    assert_eq!(read(), book);
}

#[test]
fn wrong_books_and_plies_are_refused() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    for (book, more, error) in [
        (
            "66t3\n9zz9\n",
            "2",
            "book.txt: line 2: `9zz9` is not the code of a placement",
        ),
        ("66t3\n", "4", "--plies 4 is too many: expected 0 to 3"),
    ] {
        fs::write(directory.join("book.txt"), book).expect("a file");
        let output = lab(
            directory,
            &["book", BOOK[1], "--plies", more, "--out", "book.txt"],
        );
        assert_eq!(output.status.code(), Some(2));
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains(error), "{errors}");
        let kept = fs::read_to_string(directory.join("book.txt")).expect("a file");
        assert_eq!(kept, book);
    }
}

#[test]
fn replies_of_other_players_seeds_and_runs_are_refused() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    let run = |player: &str, more: &[&str]| {
        let command = ["book", player, "--plies", "0", "--out", "book.txt"];
        let output = lab(directory, &[&command, more].concat());
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.code(), errors)
    };
    assert_eq!(run(BOOK[1], &[]).0, Some(0));
    let book = fs::read_to_string(directory.join("book.txt")).expect("a file");
    for (player, more, expected) in [
        ("pattern", &[][..], "not of pattern with seed 1"),
        (BOOK[1], &["--seed", "2"], "children=12 with seed 2: choose"),
        ("pattern", &["--count"], "not of pattern with seed 1"),
    ] {
        let (status, errors) = run(player, more);
        assert_eq!(status, Some(2));
        let named = format!("book.txt has replies of {} with seed 1", BOOK[1]);
        assert!(
            errors.contains(&named) && errors.contains(expected),
            "{errors}"
        );
    }
    let recipe = directory.join("book.txt.recipe");
    let held = fs::File::options().append(true).open(&recipe);
    let held = held.expect("the recipe");
    held.lock().expect("no run holds the lock");
    let (status, errors) = run(BOOK[1], &[]);
    assert_eq!(status, Some(2));
    assert!(errors.contains("another run adds replies"), "{errors}");
    drop(held);
    assert_eq!(run(BOOK[1], &[]).0, Some(0));
    let same = fs::read_to_string(directory.join("book.txt")).expect("a file");
    assert_eq!(same, book);

    // A book without a recipe gets one, and an empty book takes any player.
    fs::remove_file(&recipe).expect("the recipe");
    let (status, errors) = run("pattern", &[]);
    assert_eq!(status, Some(0));
    assert!(errors.contains("book.txt has no recipe"), "{errors}");
    assert_eq!(run(BOOK[1], &[]).0, Some(2));
    fs::write(directory.join("book.txt"), "").expect("a file");
    assert_eq!(run(BOOK[1], &[]), (Some(0), String::new()));
}

#[test]
fn probabilities_out_of_range_are_refused() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    for least in ["NaN", "-0.1", "1.5", "inf"] {
        let least_option = format!("--least={least}");
        let arguments = ["book", "pattern", "--out", "book.txt", &least_option];
        let output = lab(directory.path(), &arguments);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        let expected = format!("--least {least} is out of range: expected 0 to 1");
        assert_eq!(output.status.code(), Some(2));
        assert!(errors.contains(&expected), "{errors}");
    }
}
