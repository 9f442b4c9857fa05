//! Tests of the identification and the examination of boards in browsers.

use serde_json::json;

use crate::board::{Act, Board};
use crate::common::{Service, wait_for};
use crate::requests::{GAMES, create, waiting};
use crate::socket::key;

#[test]
fn a_board_is_identified_and_checked_and_used_once_at_a_time() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let board = Board::plug(&service, &key(1));
    board.ask("identify");
    let ended = board.until("ended");
    assert_eq!(
        (&ended["job"], &ended["status"], &ended["team"]),
        (&json!("identify"), &json!("done"), &json!("TW"))
    );
    board.ask("conform");
    assert_eq!(board.until("begun")["checks"], 25);
    let check = board.until("check");
    assert_eq!(
        (&check["number"], &check["name"], &check["verdict"]),
        (&json!(1), &json!("handshake"), &json!("passed"))
    );
    board.ask("identify");
    let refused = board.until("ended");
    assert_eq!(
        (&refused["job"], &refused["status"]),
        (&json!("identify"), &json!("failed"))
    );
    let request = json!({ "variant": "duo", "seats": [
        { "kind": "person" }, { "kind": "player", "player": board.player }] });
    assert_eq!(service.post(GAMES, &request).code(), "duoforge::device");
    board.ask("cancel");
    assert_eq!(board.until("ended")["status"], "cancelled");
    let place = create(&service, [&board.player, "-"]);
    let game = waiting(&service, &place);
    assert_eq!(game["seats"][0]["name"], "Board TW in a browser");
    board.ask("conform");
    let refused = board.until("ended");
    assert_eq!(
        (&refused["job"], &refused["status"]),
        (&json!("conform"), &json!("failed"))
    );
    assert!(refused["reason"].as_str().unwrap().contains("a game"));
    let resign = json!({ "ply": game["ply"], "seat": 1 });
    assert_eq!(
        service.post(&format!("{place}/resign"), &resign).status,
        200
    );
    // A run whose board vanishes ends, and the service continues.
    let ended = wait_for(|| {
        board.ask("identify");
        let ended = board.until("ended");
        (ended["status"] == "done").then_some(ended)
    });
    assert_eq!(ended["team"], "TW");
    board.ask("conform");
    board.until("check");
    board.acts.send(Act::Vanish).unwrap();
    // A game that begins while the socket closes is one that the board loses.
    wait_for(|| {
        let answer = service.post(GAMES, &request);
        (answer.status != 201 && answer.code() == "duoforge::player").then_some(())
    });
}
