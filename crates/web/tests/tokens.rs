//! Tokens and roles.

mod common;

use std::fs;

use common::Service;

const JSON: &str = "Content-Type: application/json\r\n";

#[test]
fn tokens_and_roles_are_demanded() {
    let directory = tempfile::tempdir().unwrap();
    let tokens = directory.path().join("tokens.toml");
    let text = "watcher-0123456789 = \"watch\"\nplayer-0123456789 = \"play\"\nreferee-0123456789 = \"referee\"\n";
    fs::write(&tokens, text).unwrap();
    let service = Service::with(directory.path(), &["--tokens", tokens.to_str().unwrap()]);
    let game = "{\"variant\":\"duo\",\"seats\":[{\"kind\":\"person\"},{\"kind\":\"person\"}]}";
    let position = "{\"variant\":\"duo\"}";
    let tree = "{\"blksgf\":\"(;GM[Blokus Duo])\"}";
    // Columns: token, then the status of session, position, tree and new game.
    for (token, statuses) in [
        ("", [401, 401, 401, 401]),
        ("watcher-012345678", [401, 401, 401, 401]),
        ("watcher-0123456789", [200, 200, 200, 403]),
        ("player-0123456789", [200, 200, 200, 201]),
        ("referee-0123456789", [200, 200, 200, 201]),
    ] {
        for header in [
            format!("Authorization: Bearer {token}\r\n"),
            format!("Cookie: a=b; duoforge_token={token}\r\n"),
        ] {
            let json = format!("{header}{JSON}");
            let found = [
                service.send("GET", "/api/v1/session", &header, ""),
                service.send("POST", "/api/v1/positions", &json, position),
                service.send("POST", "/api/v1/trees", &json, tree),
                service.send("POST", "/api/v1/games", &json, game),
            ];
            assert_eq!(
                found.clone().map(|answer| answer.status),
                statuses,
                "{header}"
            );
            for answer in found.iter().filter(|answer| answer.status > 400) {
                let code = if answer.status == 401 {
                    "duoforge::token"
                } else {
                    "duoforge::role"
                };
                assert_eq!(answer.code(), code);
            }
        }
    }
    assert_eq!(service.get("/api/v1/stream").status, 401);
    // Every write needs the role play; every other request for data a token.
    for (method, path) in [
        ("POST", "/api/v1/games"),
        ("POST", "/api/v1/games/x.1/moves"),
        ("POST", "/api/v1/games/x.1/undo"),
        ("POST", "/api/v1/games/x.1/resign"),
        ("POST", "/api/v1/analyses"),
        ("DELETE", "/api/v1/analyses/a1"),
        ("PUT", "/api/v1/games"),
    ] {
        let watcher = format!("Authorization: Bearer watcher-0123456789\r\n{JSON}");
        let answer = service.send(method, path, &watcher, "{}");
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (403, "duoforge::role"),
            "{method} {path}"
        );
        let answer = service.send(method, path, JSON, "{}");
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (401, "duoforge::token"),
            "{method} {path}"
        );
    }
    // Devices are for referees.
    for (method, path, status) in [
        ("POST", "/api/v1/players/left/identify", 404),
        ("POST", "/api/v1/players/left/conform", 404),
        ("DELETE", "/api/v1/conformances/k1", 404),
    ] {
        let send = |token: &str| {
            let headers = format!("Authorization: Bearer {token}-0123456789\r\n{JSON}");
            service.send(method, path, &headers, "{}")
        };
        assert_eq!(send("player").code(), "duoforge::role", "{method} {path}");
        assert_eq!(send("referee").status, status, "{method} {path}");
    }
    for path in [
        "/api/v1/games",
        "/api/v1/games/x.1",
        "/api/v1/games/x.1.svg",
        "/api/v1/events",
        "/api/v1/events/x",
        "/api/v1/players",
        "/api/v1/variants",
        "/api/v1/positions/duo",
        "/api/v1/analyses",
        "/api/v1/session",
        "/api/v1/none",
    ] {
        assert_eq!(service.get(path).status, 401, "{path}");
        let wrong = "Authorization: Basic d2F0Y2hlcjp4\r\n";
        assert_eq!(service.send("GET", path, wrong, "").status, 401, "{path}");
    }
    // The page, the condition and the document need no token.
    for path in ["/", "/api/v1/health", "/api/v1/openapi.json"] {
        assert_eq!(service.get(path).status, 200, "{path}");
    }
    // A browser gets a cookie.
    let answer = service.get("/?token=player-0123456789");
    assert_eq!((answer.status, answer.header("location")), (303, Some("/")));
    let cookie = answer.header("set-cookie").unwrap();
    assert_eq!(
        cookie,
        "duoforge_token=player-0123456789; HttpOnly; SameSite=Strict; Path=/"
    );
    // The page explains the refusal of an unknown one.
    let unknown = service.get("/?token=player-0123456780");
    assert_eq!(
        (unknown.status, unknown.header("content-type")),
        (401, Some("text/html; charset=utf-8"))
    );
    assert_eq!(unknown.header("set-cookie"), None);
    assert_eq!(unknown.body, service.get("/").body);
}
