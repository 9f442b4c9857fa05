//! Tournaments on the command line: killed, stopped, interrupted, on a full disk, and resumed.
#![cfg(unix)]

mod common;

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output};
use std::thread;
use std::time::Duration;

use common::events::{duoforge, ended, wait_for};
use common::{replay_in, run, text};
use duoforge_journal::{Journal, read};
use duoforge_protocol::{ByteDevice, TeamCode};
use duoforge_twin::{Policy, Rng, Twin};
use serde_json::Value;
use tempfile::tempdir;

/// Number of kills, unless `DUOFORGE_KILLS` sets another.
const KILLS: u32 = 20;

const PLAYERS: [&str; 4] = ["pattern", "random:1", "random:2", "random:3"];

fn plan(head: &str, players: &[&str]) -> String {
    let mut text = format!("event = \"Test\"\n{head}\n");
    for (number, spec) in players.iter().enumerate() {
        text += &format!(
            "[[player]]\nname = \"P{}\"\nspec = \"{spec}\"\n",
            number + 1
        );
    }
    text
}

/// Returns the standings of a tournament that must finish.
fn finished(output: &Output) -> Value {
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{err}");
    serde_json::from_slice(&output.stdout).unwrap()
}

fn undisturbed(directory: &Path, plan: &str) -> Value {
    fs::write(directory.join("calm.toml"), plan).unwrap();
    finished(
        &duoforge(
            directory,
            &["tournament", "calm.toml", "--format", "json", "-q"],
        )
        .output()
        .unwrap(),
    )
}

/// Kills running tournaments with SIGKILL at random moments and resumes them, up to a number of
/// kills.
#[test]
fn no_kill_loses_a_game_counts_one_twice_or_changes_the_standings() {
    let kills = std::env::var("DUOFORGE_KILLS").ok();
    let kills = kills.map_or(KILLS, |text| text.parse().expect("a number of kills"));
    let mut rng = Rng::new(u64::from(std::process::id()));
    let (mut killed, mut tournaments, mut games) = (0, 0_u64, 0);
    while killed < kills {
        tournaments += 1;
        let head = format!("format = \"round-robin\"\nseed = {tournaments}\nconcurrency = 2");
        let plan = plan(&head, &PLAYERS);
        let directory = tempdir().unwrap();
        fs::write(directory.path().join("cup.toml"), &plan).unwrap();
        let journal = directory.path().join("cup.journal");
        let (mut before, mut idle) = (BTreeMap::new(), 0);
        let standings = loop {
            let mut child = duoforge(
                directory.path(),
                &["tournament", "cup.toml", "--format", "json", "-q"],
            )
            .spawn()
            .unwrap();
            // On a busy machine a process may need more time to finish a game.
            let most = 250 * (1 + idle);
            thread::sleep(Duration::from_millis(rng.below(most).into()));
            let over = child.try_wait().unwrap().is_some();
            if !over {
                child.kill().unwrap();
                killed += 1;
            }
            let output = child.wait_with_output().unwrap();
            let after = ended(&journal);
            for (number, game) in &before {
                assert_eq!(
                    after.get(number),
                    Some(game),
                    "game {number} was lost or changed"
                );
            }
            idle = if after.len() > before.len() {
                0
            } else {
                idle + 1
            };
            before = after;
            if over {
                break finished(&output);
            }
        };
        assert_eq!(standings, undisturbed(directory.path(), &plan));
        games += before.len();
    }
    println!("{killed} kills in {tournaments} tournaments with {games} games: all as undisturbed");
}

#[test]
fn ctrl_c_ends_the_games_under_way_and_resume_goes_on() {
    let directory = tempdir().unwrap();
    let plan = plan("format = \"round-robin\"\npairs = 4", &PLAYERS);
    fs::write(directory.path().join("cup.toml"), &plan).unwrap();
    let child = duoforge(directory.path(), &["tournament", "cup.toml"])
        .spawn()
        .unwrap();
    let journal = directory.path().join("cup.journal");
    wait_for(|| ended(&journal).len() >= 2);
    signal(&child, "INT");
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(
        err.contains("continue with: duoforge resume 'cup.journal'"),
        "{err}"
    );
    let scan = read(&journal).unwrap();
    assert_eq!((scan.torn, scan.history.running().count()), (None, 0));
    // By default the journal is the unfinished one of the directory.
    let resumed = duoforge(directory.path(), &["resume", "--format", "json"])
        .output()
        .unwrap();
    assert_eq!(finished(&resumed), undisturbed(directory.path(), &plan));
    let again = duoforge(directory.path(), &["resume"]).output().unwrap();
    assert_eq!(again.status.code(), Some(2));
}

/// A limit of the file size simulates a full disk: the system writes a part of a line, then fails.
#[test]
fn a_full_disk_is_a_clear_stop_and_nothing_is_torn() {
    let directory = tempdir().unwrap();
    let plan = plan(
        "format = \"round-robin\"\nevidence = \"violations\"",
        &PLAYERS,
    );
    fs::write(directory.path().join("cup.toml"), &plan).unwrap();
    let limited = "trap '' XFSZ; ulimit -f 20; exec \"$0\" tournament cup.toml -q";
    let output = Command::new("sh")
        .args(["-c", limited, env!("CARGO_BIN_EXE_duoforge")])
        .current_dir(directory.path())
        .output()
        .unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("the disk or the quota is full"), "{err}");
    assert!(err.contains("duoforge resume"), "{err}");
    let scan = read(&directory.path().join("cup.journal")).unwrap();
    assert_eq!(scan.torn, None);
    assert!(scan.history.games.len() > 1 && !scan.history.finished);
    let resumed = duoforge(
        directory.path(),
        &["resume", "cup.journal", "--format", "json"],
    );
    assert_eq!(
        finished(&{ resumed }.output().unwrap()),
        undisturbed(directory.path(), &plan)
    );
}

#[test]
fn journals_that_cannot_be_used_are_failures_with_help() {
    let directory = tempdir().unwrap();
    let file = directory.path().join("cup.toml");
    fs::write(&file, plan("format = \"round-robin\"", &PLAYERS)).unwrap();
    let journal = directory.path().join("cup.journal");
    assert_eq!(run(&["tournament", text(&file), "-q"]).status, 0);
    // This process has the journal open.
    let held = Journal::open(&journal).unwrap();
    for command in ["tournament", "resume"] {
        let path = if command == "resume" { &journal } else { &file };
        let locked = run(&[command, text(path)]);
        assert_eq!(locked.status, 2);
        assert!(
            locked.err.contains("duoforge::journal::locked"),
            "{}",
            locked.err
        );
    }
    drop(held);
    // A file system without files.
    let nowhere = run(&["tournament", text(&file), "--journal", "/proc/cup.journal"]);
    assert_eq!(nowhere.status, 2);
    assert!(
        nowhere.err.contains("/proc/cup.journal cannot be written"),
        "{}",
        nowhere.err
    );
    // A changed plan.
    fs::write(&file, plan("format = \"gauntlet\"", &PLAYERS)).unwrap();
    let other = run(&["tournament", text(&file)]);
    assert_eq!(other.status, 2);
    assert!(other.err.contains("another tournament"), "{}", other.err);
    // A file that is not a journal, and a damaged journal.
    let none = run(&["resume", text(&file)]);
    assert_eq!(none.status, 2);
    assert!(none.err.contains("is not a journal"), "{}", none.err);
    // A file that does not exist.
    let missing = run(&["resume", text(&directory.path().join("nofile"))]);
    assert_eq!(missing.status, 2);
    let words: Vec<_> = missing.err.split_whitespace().collect();
    let help = words.join(" ");
    assert!(help.contains("name an existing journal"), "{help}");
    assert!(!help.contains("disk"), "{help}");
    let whole = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, whole.replacen("\"ply\":1,", "\"ply\":2,", 1)).unwrap();
    let damaged = run(&["resume", text(&journal)]);
    assert_eq!(damaged.status, 2);
    assert!(damaged.err.contains("is damaged"), "{}", damaged.err);
}

/// The kinds of players are in the help, not the keys of a plan.
#[test]
fn a_plan_with_an_unknown_player_names_its_spec_and_lists_the_players() {
    let directory = tempdir().unwrap();
    let file = directory.path().join("cup.toml");
    fs::write(&file, plan("format = \"gauntlet\"", &["twin", "twinz"])).unwrap();
    let refused = run(&["tournament", text(&file)]);
    assert_eq!(refused.status, 2);
    for part in ["player 'P2'", "'twinz'", "random:SEED", "sample:2"] {
        assert!(refused.err.contains(part), "{part}: {}", refused.err);
    }
    assert!(!refused.err.contains("concurrency"), "{}", refused.err);
}

#[test]
fn a_lost_game_has_its_evidence_and_the_command_that_replays_it() {
    let directory = tempdir().unwrap();
    let file = directory.path().join("cup.toml");
    fs::write(&file, plan("format = \"round-robin\"", &PLAYERS[..2])).unwrap();
    let page = directory.path().join("cup.html");
    assert_eq!(
        run(&["tournament", text(&file), "--save", text(&page)]).status,
        0
    );
    assert!(fs::read_to_string(page).unwrap().contains("<h1>Test</h1>"));
    let ended = ended(&directory.path().join("cup.journal"));
    let lost = ended.values().find_map(|game| game.evidence.as_deref());
    let place = directory
        .path()
        .join(lost.expect("the pattern player wins against a random player"));
    let wire = fs::read_to_string(place.join("wire.log")).unwrap();
    assert!(
        wire.contains("> 25") && wire.contains("referee ! "),
        "{wire}"
    );
    let clock: Value = serde_json::from_slice(&fs::read(place.join("game.json")).unwrap()).unwrap();
    assert!(clock["plies"][0]["us"].is_u64() && clock["plies"][0]["host_us"].is_u64());
    assert!(
        fs::read_to_string(place.join("board.svg"))
            .unwrap()
            .contains("<svg")
    );
    let replay = replay_in(&fs::read_to_string(place.join("replay.html")).unwrap());
    let game = &replay["games"][0];
    let (shown, refereed) = (&game["moves"], clock["plies"].as_array().unwrap());
    assert_eq!(game["ply"], refereed.len());
    for (index, ply) in refereed.iter().enumerate() {
        assert_eq!(shown[index]["us"], ply["us"], "move {index}");
        assert_eq!(shown[index]["host_us"], ply["host_us"], "move {index}");
    }
    assert_eq!(game["texts"][0]["text"], wire);
    assert_eq!(game["result"]["detail"], clock["detail"]);
    let moves = fs::read_to_string(place.join("moves.txt")).unwrap();
    assert!(moves.contains(text(&place.join("replay.html"))), "{moves}");
    let command = moves
        .lines()
        .find_map(|line| line.strip_prefix("# duoforge "));
    let command = format!("\"$0\" {}", command.expect("a command"));
    let replay = Command::new("sh")
        .args(["-c", &command, env!("CARGO_BIN_EXE_duoforge")])
        .output()
        .unwrap();
    assert!(replay.status.success());
    let score = clock["score"].as_array().unwrap();
    let score = format!("score {}:{}", score[0], score[1]);
    let replayed = String::from_utf8_lossy(&replay.stdout).into_owned();
    let swapped = format!("score {}:{}", clock["score"][1], clock["score"][0]);
    assert!(
        replayed.contains(&score) || replayed.contains(&swapped),
        "{replayed}"
    );
}

/// The list of a game that a broken code ended names the code in a comment, so it can be replayed.
#[test]
fn a_broken_code_is_in_the_evidence() {
    let directory = tempdir().unwrap();
    let mock = format!("exec:{} malformed", env!("CARGO_BIN_EXE_duoforge-mock"));
    let plan = plan("format = \"round-robin\"", &[&mock, "random:1"]);
    fs::write(directory.path().join("cup.toml"), plan).unwrap();
    let played = duoforge(directory.path(), &["tournament", "cup.toml", "-q"]);
    assert_eq!({ played }.output().unwrap().status.code(), Some(0));
    let mut replays = 0;
    for game in ended(&directory.path().join("cup.journal")).values() {
        assert_eq!(game.ending, "broken-code", "{}", game.detail);
        let place = directory.path().join(game.evidence.as_deref().unwrap());
        let list = place.join("moves.txt");
        let moves = fs::read_to_string(&list).unwrap();
        let (_, comment) = moves.trim_end().rsplit_once("# then ").expect(&moves);
        let code = comment.strip_suffix(", which is not a code").expect(&moves);
        assert!(game.detail.contains(code), "{moves}");
        let replayed = run(&["replay", text(&list)]);
        assert_eq!(replayed.status, 0, "{moves}{}", replayed.err);
        assert!(replayed.out.contains(&format!("{} moves", game.plies)));
        replays += 1;
    }
    assert_eq!(replays, 2);
}

/// A stopped host reads a reply late that arrived in time.
#[test]
fn a_host_that_stands_still_does_not_lose_a_board_its_game() {
    let directory = tempdir().unwrap();
    let place = slow_board();
    let head = "format = \"round-robin\"";
    let plan = plan(head, &[&place, "random:1"]);
    fs::write(directory.path().join("cup.toml"), plan).unwrap();
    let child = duoforge(directory.path(), &["tournament", "cup.toml"])
        .spawn()
        .unwrap();
    let journal = directory.path().join("cup.journal");
    wait_for(|| read(&journal).is_ok_and(|scan| scan.records > 8));
    let annulled = || {
        let history = read(&journal).unwrap().history;
        let ended = history.ended().map(|(game, _)| game);
        let games = history.running().chain(ended);
        games.map(|game| game.annulled.len()).sum::<usize>()
    };
    // A stop that meets no wait for a reply has no effect.
    for _ in 0..5 {
        signal(&child, "STOP");
        thread::sleep(Duration::from_millis(2_000));
        signal(&child, "CONT");
        thread::sleep(Duration::from_millis(500));
        if annulled() > 0 {
            break;
        }
    }
    let output = child.wait_with_output().unwrap();
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{err}");
    assert!(
        err.contains("restarts: annulled") && err.contains("stalled"),
        "{err}"
    );
    let history = read(&journal).unwrap().history;
    assert!(annulled() > 0);
    for (game, ended) in history.ended() {
        assert_eq!(ended.ending, "both-passed", "{}", ended.detail);
        assert!(game.annulled.len() <= 5, "{}", game.annulled.len());
    }
}

/// Starts a device at a TCP port that delays each reply.
fn slow_board() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let place = format!("tcp:{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for stream in listener.incoming() {
            answer_slowly(&mut stream.unwrap());
        }
    });
    place
}

fn answer_slowly(stream: &mut TcpStream) {
    let mut twin = Twin::new(TeamCode::new(*b"SL").unwrap(), Policy::default());
    let mut byte = [0];
    while stream.read_exact(&mut byte).is_ok() {
        if let Ok(Some(frame)) = ByteDevice::receive(&mut twin, byte[0]) {
            thread::sleep(Duration::from_millis(200));
            if stream.write_all(&frame).is_err() {
                return;
            }
        }
    }
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill")
        .args([format!("-{name}"), child.id().to_string()])
        .status()
        .unwrap();
    assert!(status.success());
}
