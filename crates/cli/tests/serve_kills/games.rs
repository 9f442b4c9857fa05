//! Games that browsers play, with the moves that the service acknowledged.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::thread;
use std::time::Duration;

use duoforge_twin::Rng;
use serde_json::{Value, json};

use crate::client::request;
use crate::hall::Hall;

/// Game that a browser has created, with the moves that the service acknowledged.
#[derive(Debug, Default)]
pub struct PlayedGame {
    pub id: String,
    pub moves: BTreeMap<u64, String>,
}

/// Plays games until the hall closes; returns them.
pub fn play(hall: &Hall, seats: &str, seed: u64) -> Vec<PlayedGame> {
    let mut rng = Rng::new(seed);
    let mut games: Vec<PlayedGame> = Vec::new();
    let mut current: Option<Value> = None;
    while !hall.closing.load(Ordering::Relaxed) {
        let address = hall.address();
        let done = match (&current, games.last_mut()) {
            (Some(state), Some(game)) => step(&address, state, game, &mut rng, hall),
            _ => {
                let body = format!("{{\"variant\":\"duo\",\"seats\":{seats}}}");
                let answer = request(&address, "POST", "/api/v1/games", &body);
                answer.map(|(status, value)| {
                    assert_eq!(status, 201, "{value}");
                    let id = value["id"].as_str().unwrap().to_owned();
                    hall.acknowledged.fetch_add(1, Ordering::Relaxed);
                    games.push(PlayedGame {
                        id,
                        ..PlayedGame::default()
                    });
                    Some(value)
                })
            }
        };
        match done {
            Ok(next) => current = next,
            // The service was killed; it may have carried out the request.
            Err(_) => thread::sleep(Duration::from_millis(5)),
        }
    }
    games
}

/// Next request of a game; `None` once it has ended.
fn step(
    address: &str,
    state: &Value,
    game: &mut PlayedGame,
    rng: &mut Rng,
    hall: &Hall,
) -> std::io::Result<Option<Value>> {
    if !state["result"].is_null() {
        return Ok(None);
    }
    let path = format!("/api/v1/games/{}", game.id);
    if state["thinking"] == true || state.get("stale").is_some() {
        thread::sleep(Duration::from_millis(5));
        let (status, value) = request(address, "GET", &path, "")?;
        assert_eq!(status, 200, "a game that was acknowledged: {value}");
        check(game, &value);
        return Ok(Some(value));
    }
    let codes = state["state"]["legal"]["codes"].as_array().unwrap();
    let code = match codes.len() {
        0 => "0000",
        count => codes[rng.below(count as u32) as usize].as_str().unwrap(),
    };
    let ply = state["ply"].as_u64().unwrap();
    let body = json!({ "ply": ply, "code": code }).to_string();
    let answer = request(address, "POST", &format!("{path}/moves"), &body);
    let stale = || Ok(Some(json!({ "result": null, "stale": true })));
    match answer {
        Ok((200, value)) => {
            game.moves.insert(ply, code.to_owned());
            hall.acknowledged.fetch_add(1, Ordering::Relaxed);
            check(game, &value);
            Ok(Some(value))
        }
        // The move of a request without an answer had been carried out, or a program has moved.
        Ok((409, _)) => stale(),
        Ok((status, value)) => panic!("{status}: {value}"),
        // It is not known what the service did with the move.
        Err(_) => stale(),
    }
}

/// Checks that a game holds all its acknowledged moves.
fn check(game: &PlayedGame, view: &Value) {
    for (ply, code) in &game.moves {
        let found = &view["moves"][*ply as usize]["code"];
        assert_eq!(found, code.as_str(), "{} at ply {ply} was lost", game.id);
    }
}
