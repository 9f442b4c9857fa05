//! Games of journals, listed and extracted.

mod common;

use std::fs;
use std::path::{Path, PathBuf};

use common::{fed, good, replay_in, run, text};
use duoforge_journal::{Begun, Ended, Finished, GameResult, Header, Journal, Kind, Moved, Record};
use tempfile::tempdir;

/// Game of a journal.
struct Played {
    players: [&'static str; 2],
    first: u8,
    codes: &'static [&'static str],
    result: GameResult,
    ending: &'static str,
    score: [i32; 2],
}

const CUP: [Played; 3] = [
    Played {
        players: ["Ada", "Bob"],
        first: 1,
        codes: &["53e0", "a8e0", "0000", "0000"],
        result: GameResult::Draw,
        ending: "both-passed",
        score: [-84, -84],
    },
    Played {
        players: ["Ada", "Cy"],
        first: 2,
        codes: &["53e0", "aaa0", "0000", "0000"],
        result: GameResult::Two,
        ending: "both-passed",
        score: [-88, -84],
    },
    Played {
        players: ["Bob", "Cy"],
        first: 1,
        codes: &["53e0"],
        result: GameResult::One,
        ending: "timeout",
        score: [-84, -89],
    },
];

/// Writes a journal with the games of the cup and one game in progress.
fn journal(directory: &Path) -> PathBuf {
    let path = directory.join("cup.journal");
    let journal = Journal::create(&path, Header::new(Kind::Tournament, "Autumn cup", "")).unwrap();
    let append = |record: Record| journal.append(&record).unwrap();
    for (played, game) in CUP.iter().zip(1..) {
        let mut begun = Begun::new(game, 1, played.players);
        begun.first = played.first;
        append(Record::Begun(begun));
        for (code, ply) in played.codes.iter().zip(1_u32..) {
            let second = u8::from(ply % 2 == 0);
            append(Record::Moved(Moved {
                game,
                attempt: 1,
                ply,
                player: if played.first == 1 {
                    1 + second
                } else {
                    2 - second
                },
                code: (*code).to_owned(),
                legal: 100,
                us: 1000,
                sim_us: None,
                host_us: None,
                forfeit: false,
            }));
        }
        append(Record::Ended(Ended {
            game,
            attempt: 1,
            result: played.result,
            ending: played.ending.to_owned(),
            detail: format!("the game ended: {}", played.ending),
            score: played.score,
            cells_placed: [0, 0],
            teams: [None, None],
            plies: played.codes.len() as u32,
            evidence: None,
            at_ms: 1_700_000_000_000,
        }));
    }
    append(Record::Begun(Begun::new(4, 1, ["Ada", "Bob"])));
    append(Record::Finished(Finished {
        games: 3,
        at_ms: 1_700_000_000_000,
    }));
    path
}

/// Returns the numbers of the listed games.
fn found(journal: &Path, arguments: &[&str]) -> Vec<u64> {
    let all = [&["games", text(journal), "--json"], arguments].concat();
    let rows = run(&all).json();
    rows.iter()
        .map(|row| row["game"].as_u64().unwrap())
        .collect()
}

#[test]
fn games_are_found_by_player_result_and_ending() {
    let directory = tempdir().unwrap();
    let journal = journal(directory.path());
    for (arguments, games) in [
        (&[][..], &[1, 2, 3][..]),
        (&["--player", "Ada"], &[1, 2]),
        (&["--player", "Ada", "--against", "Bob"], &[1]),
        (&["--player", "Cy", "--result", "won"], &[2]),
        (&["--player", "Cy", "--result", "lost"], &[3]),
        (&["--player", "Ada", "--result", "lost"], &[2]),
        (&["--result", "won"], &[2, 3]),
        (&["--result", "drawn"], &[1]),
        (&["--ending", "timeout"], &[3]),
        (&["--event", "Autumn cup", "--game", "2"], &[2]),
        (&["--event", "Spring cup"], &[]),
        (&["--player", "ada"], &[]),
    ] {
        assert_eq!(found(&journal, arguments), games, "{arguments:?}");
    }
    // A journal that is named twice is listed once.
    assert_eq!(found(&journal, &[text(&journal)]), [1, 2, 3]);
    let none = run(&["games", text(&journal), "--player", "Dee"]);
    assert_eq!((none.status, none.out.as_str()), (1, ""));
}

#[test]
fn the_table_has_a_row_for_each_game() {
    let directory = tempdir().unwrap();
    let table = good(&["games", text(&journal(directory.path()))]);
    let expected = "\
game  round  player 1  player 2  result     score  moves  ending
1         1  Ada*      Bob       1/2-1/2  -84:-84      4  both-passed
2         1  Ada       Cy*       0-1      -88:-84      4  both-passed
3         1  Bob*      Cy        1-0      -84:-89      1  timeout
";
    assert_eq!(table, expected);
}

#[test]
fn games_are_taken_out_as_other_commands_read_them() {
    let directory = tempdir().unwrap();
    let journal = journal(directory.path());
    let list = good(&["games", text(&journal), "--out", "-"]);
    assert!(
        list.contains("# game 2: Cy against Ada\n53e0 aaa0 0000 0000\n"),
        "{list}"
    );
    let judged = fed(&list, &["replay", "-"]);
    assert_eq!((judged.status, judged.out.lines().count()), (0, 3));

    let file = directory.path().join("cup.blksgf");
    good(&["games", text(&journal), "--out", text(&file)]);
    let written = fs::read_to_string(&file).unwrap();
    for part in [
        "PB[Cy]\nPW[Ada]",
        "RE[B+4]",
        "RE[0]",
        "RE[B+Time]",
        "DT[2023-11-14]",
        "EV[Autumn cup]",
    ] {
        assert!(written.contains(part), "{part}: {written}");
    }
    assert_eq!(good(&["convert", text(&file)]), list);
}

#[test]
fn what_is_no_journal_is_refused() {
    let directory = tempdir().unwrap();
    let path = directory.path().join("notes.txt");
    fs::write(&path, "53e0\n").unwrap();
    let refused = run(&["games", text(&path)]);
    assert_eq!(refused.status, 2);
    assert!(
        refused.err.contains("duoforge::journal") && refused.err.contains("help:"),
        "{}",
        refused.err
    );
}

#[test]
fn games_are_replayed_in_one_file() {
    let directory = tempdir().unwrap();
    let journal = journal(directory.path());
    let page = directory.path().join("games.html");
    good(&["games", text(&journal), "--html", text(&page)]);
    let replay = replay_in(&fs::read_to_string(&page).unwrap());
    assert_eq!(
        (&replay["title"], &replay["text"]),
        (&"Autumn cup".into(), &"3 games".into())
    );
    let games = replay["games"].as_array().unwrap();
    for (game, played) in games.iter().zip(&CUP) {
        let codes = game["moves"].as_array().unwrap().iter();
        let codes: Vec<_> = codes.map(|mv| mv["code"].as_str().unwrap()).collect();
        assert_eq!(codes, played.codes);
        assert_eq!(game["moves"][0]["us"], 1000);
        assert_eq!(game["result"]["ending"], played.ending);
    }
    // Seat 0 moves first: in game 2 that is player 2, the winner.
    let second = &games[1];
    assert_eq!(second["seats"][0]["name"], "Cy");
    assert_eq!(second["result"]["winners"], serde_json::json!([0]));
    assert_eq!(second["result"]["scores"], serde_json::json!([-84, -88]));
    assert_eq!(second["ended_ms"], 1_700_000_000_000_u64);
    let one = good(&["games", text(&journal), "--game", "3", "--html", "-"]);
    assert_eq!(replay_in(&one)["games"].as_array().unwrap().len(), 1);
    let both = run(&["games", text(&journal), "--html", "-", "--json"]);
    assert_eq!(both.status, 2, "{}", both.err);
}
