//! Replays of games: moves, states and results against the rules and against literal positions.

use duoforge_page::{RefusedMove, Replay, ReplayGame, page_file, page_files};
use duoforge_rules::{Cell, Colour, Game, GameVariant, IllegalMove, Move};
use duoforge_view::State;
use serde_json::Value;

fn moves(codes: &str) -> Vec<Move> {
    let codes = codes.split_whitespace();
    codes.map(|code| code.parse().unwrap()).collect()
}

fn names(count: usize) -> Vec<String> {
    (1..=count).map(|number| format!("P{number}")).collect()
}

/// Reads the games back from an HTML file.
fn data(html: &str) -> Value {
    let (_, data) = html.split_once("id=\"data\">").unwrap();
    serde_json::from_str(data.split_once("</script>").unwrap().0).unwrap()
}

#[test]
fn a_replay_has_the_state_of_every_ply() {
    for variant in GameVariant::BUILT_IN {
        let mut game = Game::new(&variant);
        let mut played = Vec::new();
        let mut states = vec![State::new(&game)];
        while !game.is_over() {
            let legal = game.legal_moves();
            played.push(legal[legal.len() / 2]);
            game.play(played[played.len() - 1]).unwrap();
            states.push(State::new(&game));
        }
        let replay = ReplayGame::new(&variant, &names(variant.seat_count()), played.clone());
        assert_eq!(replay.ply, played.len());
        assert_eq!(replay.moves.len(), played.len());
        assert_eq!(replay.states.len(), states.len());
        for (shown, state) in replay.states.iter().zip(&states) {
            assert_eq!(shown.board, state.board);
            assert_eq!(shown.legal.count, state.legal.count);
            assert_eq!(shown.result, state.result);
            for (shown, colour) in shown.colours.iter().zip(&state.colours) {
                assert_eq!(shown.score, colour.score);
                assert_eq!(shown.corner_points, colour.corner_points);
                assert_eq!(shown.forbidden.len() as u32, colour.void);
            }
        }
        let result = replay.result.expect("the game is over");
        let last = states[states.len() - 1].result.as_ref().unwrap();
        assert_eq!(
            (result.winners, result.draw),
            (last.winners.clone(), last.draw)
        );
        for (shown, mv) in replay.moves.iter().zip(&played) {
            assert_eq!(shown.code, mv.to_string());
        }
    }
}

#[test]
fn the_file_holds_the_game() {
    let starts = [Cell::new(9, 9), Cell::new(4, 4)];
    let variant = GameVariant::DUO.with_starts(&starts);
    let mut game = ReplayGame::new(&variant, &["Ada".to_owned()], moves("aaa0 53e0 55a0 aaa0"));
    game.moves[1].us = Some(1_250);
    game.fact("event", "Autumn cup");
    game.fact("round", "");
    game.text("wire log", "< 53e0");
    // 55a0 is the cell (4,4), which the second player covers.
    game.refused = Some(RefusedMove::new(
        Colour(0),
        "55a0".parse().unwrap(),
        &IllegalMove::Occupied {
            cell: Cell::new(4, 4),
        },
    ));
    let html = Replay::of(game).html();
    assert!(html.contains("<title>Ada – player 2</title>"));
    let data = data(&html);
    assert_eq!(
        (&data["version"], &data["title"]),
        (&1.into(), &"Ada – player 2".into())
    );
    assert_eq!(
        data["tables"][0]["orientations"].as_array().unwrap().len(),
        91
    );
    let game = &data["games"][0];
    assert_eq!(game["ply"], 2);
    assert_eq!(game["starts"], serde_json::json!([[[9, 9]], [[4, 4]]]));
    assert_eq!(game["states"][2]["board"][9], ".........1....");
    assert_eq!(
        game["states"][2]["board"][4].as_str().unwrap().as_bytes()[4],
        b'2'
    );
    assert_eq!(
        (&game["moves"][0]["us"], &game["moves"][1]["us"]),
        (&Value::Null, &1_250.into())
    );
    assert_eq!(game["facts"].as_array().unwrap().len(), 1);
    assert_eq!(game["texts"][0]["text"], "< 53e0");
    assert_eq!(game["refused"]["cell"], serde_json::json!([4, 4]));
    assert_eq!(game["result"], Value::Null);
}

#[test]
fn games_of_several_sizes_share_their_tables() {
    let game = |variant: &GameVariant| ReplayGame::new(variant, &[], []);
    let games = [
        GameVariant::CLASSIC,
        GameVariant::DUO,
        GameVariant::CLASSIC_2,
    ];
    let replay = Replay::new("All", "three games", games.iter().map(game).collect());
    let sizes: Vec<_> = replay.tables.iter().map(|table| table.size).collect();
    assert_eq!(sizes, [14, 20]);
    let data = data(&replay.html());
    assert_eq!(data["games"].as_array().unwrap().len(), 3);
    assert_eq!(data["text"], "three games");
}

#[test]
fn a_file_names_no_other_file_and_permits_no_request() {
    let html = Replay::of(ReplayGame::new(&GameVariant::DUO, &[], [])).html();
    assert!(html.contains("default-src 'none'; script-src 'sha256-"));
    for word in ["href=\"http", "src=", "@import url", "<link", "fetch("] {
        assert!(!html.contains(word), "{word}");
    }
    assert!(!html.contains("<!--"), "a marker is left");
}

#[test]
fn the_files_of_the_page_are_embedded() {
    let page = page_file("index.html").unwrap();
    assert!(page.data.starts_with(b"<!doctype html>"));
    for missing in ["test/states.json", "js/types.d.ts", "../Cargo.toml", ""] {
        assert_eq!(page_file(missing), None, "{missing}");
    }
}

/// The browser loads all of them; the limit keeps the page quick over slow networks.
#[test]
fn scripts_and_styles_together_have_at_most_150_kb() {
    let is_counted = |path: &&str| path.ends_with(".js") || path.ends_with(".css");
    let files = page_files().filter(is_counted);
    let bytes: usize = files.map(|path| page_file(path).unwrap().data.len()).sum();
    assert!((50_000..=150_000).contains(&bytes), "{bytes} bytes");
}
