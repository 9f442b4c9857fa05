//! Tests of games of boards in browsers: a whole one, and those that end early.

use std::fs;
use std::sync::atomic::Ordering;

use duoforge_rules::{DuoBoard, Move};
use duoforge_twin::Policy;
use serde_json::{Value, json};

use crate::board::{Act, Board};
use crate::common::{Service, wait_for};
use crate::requests::{GAMES, create, ended, play_to};
use crate::socket::{connect, key};

#[test]
fn a_board_plays_a_whole_game_whose_times_are_unofficial() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let board = Board::plug(&service, &key(1));
    assert_eq!(board.player, format!("browser:{}", key(1)));
    let place = create(&service, [&board.player, "-"]);
    let game = play_to(&service, &place, u64::MAX);
    assert_eq!(game["result"]["ending"], "played-out", "{}", game["result"]);
    // The pattern policy is the oracle of the twin's moves.
    let mut position = DuoBoard::duo();
    for (ply, played) in game["moves"].as_array().unwrap().iter().enumerate() {
        let code = played["code"].as_str().unwrap();
        if ply % 2 == 0 {
            let best = Policy::default().best(&position);
            let mv = best.map_or(Move::Pass, |choice| Move::Place(choice.placement));
            assert_eq!(code, mv.to_string(), "ply {ply}");
            assert!(played["host_us"].is_u64(), "{played}");
        }
        position.play(code.parse().unwrap()).unwrap();
    }
    assert_eq!(
        (
            &game["seats"][0]["unofficial"],
            &game["seats"][1]["unofficial"]
        ),
        (&json!(true), &json!(false))
    );
    // The name with the key is for the board's page alone; the journal has it and the remark.
    assert!(!game.to_string().contains(&key(1)), "{game}");
    let id = game["id"].as_str().unwrap();
    let journal = directory
        .path()
        .join("games")
        .join(id.replace(".1", ".journal"));
    let journal = fs::read_to_string(journal).unwrap();
    assert!(journal.contains("\"unofficial\":true"), "{journal}");
    assert_eq!(journal.matches(&key(1)).count(), 1, "{journal}");
    let wire = wait_for(|| {
        let wire = service.value(&format!("{place}/wire"));
        let entries = wire["entries"].as_array().unwrap();
        (entries.last()?["text"] == "9").then_some(wire)
    });
    let prompts = wire["entries"].as_array().unwrap();
    assert!(prompts.iter().any(|it| it["text"] == "25"), "{wire}");
    let replay = service.get(&format!("{place}.html"));
    assert!(replay.body.contains("times of Board in a browser"));
    // The bytes have a meaning, in both directions.
    let reports: Vec<_> = board.reports.try_iter().collect();
    for (dir, part) in [
        ("to-board", "asks for the team code"),
        ("from-board", "team TW"),
    ] {
        let told = |it: &&Value| it["dir"] == dir && it["meaning"].to_string().contains(part);
        assert!(reports.iter().any(|it| told(&it)), "{part}: {reports:?}");
    }
}

#[test]
fn a_board_that_vanishes_or_stalls_ends_its_game() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let boards = [1, 2, 3, 4].map(|n| Board::plug(&service, &key(n)));
    let [gone, mute, new, kept] = &boards;
    // While the person is to move.
    let place = create(&service, [&gone.player, "-"]);
    play_to(&service, &place, 3);
    gone.acts.send(Act::Vanish).unwrap();
    let game = ended(&service, &place);
    let result = &game["result"];
    assert_eq!(
        (&result["ending"], &result["winners"]),
        (&json!("player-failed"), &json!([1]))
    );
    let detail = result["detail"].as_str().unwrap();
    assert!(detail.starts_with("Board in a browser: "), "{detail}");
    // Its name is unknown now, and free for another socket.
    let request = json!({ "variant": "duo", "seats": [
        { "kind": "person" }, { "kind": "player", "player": gone.player }] });
    assert_eq!(service.post(GAMES, &request).code(), "duoforge::player");
    assert!(connect(&service, &key(1), "").is_ok());
    // While its reply is due, and before its first move.
    let place = create(&service, ["-", &mute.player]);
    play_to(&service, &place, 2);
    mute.is_mute.store(true, Ordering::SeqCst);
    let unmoved = create(&service, ["-", &new.player]);
    new.acts.send(Act::Vanish).unwrap();
    let game = ended(&service, &unmoved);
    assert_eq!(
        (&game["result"]["ending"], &game["result"]["winners"]),
        (&json!("broken-off"), &json!([]))
    );
    let game = play_to(&service, &place, u64::MAX);
    let detail = game["result"]["detail"].as_str().unwrap();
    assert!(detail.contains("5 s"), "{detail}");
    assert_eq!(game["result"]["winners"], json!([0]));
    assert_eq!(game["ply"], 3);
    // Another board is not affected; a restart of the service breaks its game off.
    let place = create(&service, [&kept.player, "-"]);
    play_to(&service, &place, 3);
    drop(service);
    let service = Service::start(directory.path());
    let game = play_to(&service, &place, u64::MAX);
    assert_eq!(game["result"]["ending"], "broken-off", "{}", game["result"]);
    let detail = game["result"]["detail"].as_str().unwrap();
    assert!(detail.contains("not plugged into the browser"), "{detail}");
}
