//! Requests that create games, play them for the person, and wait for their ends.

use serde_json::{Value, json};

use crate::common::{Service, wait_for};

pub const GAMES: &str = "/api/v1/games";

/// Creates a game and returns its address.
pub fn create(service: &Service, seats: [&str; 2]) -> String {
    let seat = |name: &str| match name {
        "-" => json!({ "kind": "person" }),
        name => json!({ "kind": "player", "player": name }),
    };
    let request = json!({ "variant": "duo", "seats": seats.map(seat) });
    let answer = service.post(GAMES, &request);
    assert_eq!(answer.status, 201, "{answer:?}");
    format!("{GAMES}/{}", answer.json()["id"].as_str().unwrap())
}

/// Waits until a person is to move or the game has ended.
pub fn waiting(service: &Service, place: &str) -> Value {
    wait_for(|| {
        let game = service.value(place);
        let seat = game["to_move"]["seat"].as_u64();
        let is_person = seat.is_some_and(|seat| game["seats"][seat as usize]["kind"] == "person");
        (is_person || game["status"] == "ended").then_some(game)
    })
}

/// Plays legal moves for the person until the game has at least this number of plies or has ended.
pub fn play_to(service: &Service, place: &str, plies: u64) -> Value {
    loop {
        let game = waiting(service, place);
        let ply = game["ply"].as_u64().unwrap();
        if game["status"] == "ended" || ply >= plies {
            return game;
        }
        let codes = game["state"]["legal"]["codes"].as_array().unwrap();
        let code = &codes[codes.len() * 9 / 10];
        let answer = service.post(
            &format!("{place}/moves"),
            &json!({ "ply": ply, "code": code }),
        );
        assert_eq!(answer.status, 200, "{answer:?}");
    }
}

pub fn ended(service: &Service, place: &str) -> Value {
    wait_for(|| {
        let game = service.value(place);
        (game["status"] == "ended").then_some(game)
    })
}
