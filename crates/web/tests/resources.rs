//! Resources: each answers by its document and by the rules.

mod common;

use std::collections::BTreeSet;

use common::Service;
use duoforge_rules::{Game, GameVariant};
use duoforge_view::{State, TileTable};
use serde_json::{Value, json};

/// Returns the paths of the table of resources in docs/service.md, as `METHOD /path`.
fn documented() -> BTreeSet<String> {
    let page = include_str!("../../../docs/service.md");
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let mut all = BTreeSet::new();
    for row in rows {
        let (cell, _) = row.split_once("` |").expect("a closed cell");
        let Some((methods, path)) = cell.split_once(" /") else {
            continue;
        };
        for method in methods.split(", ") {
            all.insert(format!("{method} /{path}"));
        }
    }
    all
}

#[test]
fn the_openapi_document_lists_every_resource() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let document = service.value("/api/v1/openapi.json");
    assert!(
        document["openapi"].as_str().unwrap().starts_with("3.1"),
        "{document}"
    );
    let mut listed = BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        let path = path.strip_prefix("/api/v1").expect("below /api/v1");
        for (method, operation) in item.as_object().unwrap() {
            listed.insert(format!("{} {path}", method.to_uppercase()));
            let responses = operation["responses"].as_object().unwrap();
            assert!(
                responses.contains_key("400") && responses.contains_key("421"),
                "{path}"
            );
        }
    }
    assert_eq!(listed, documented());
    assert!(listed.len() > 20);
    // Each is a route: it answers, though not with 404 of the router or with 405.
    for entry in &listed {
        let (method, path) = entry.split_once(' ').unwrap();
        let path = path
            .replace("{variant}", "duo")
            .replace("{codes}", "53e0")
            .replace("{format}", "svg")
            .replace("{file}", "moves.txt")
            .replace("{name}", "none")
            .replace("{id}", "none");
        if path == "/stream" {
            continue;
        }
        let answer = service.send(method, &format!("/api/v1{path}"), "", "");
        assert_ne!(answer.status, 405, "{entry}");
        let text = answer.body;
        assert!(
            answer.status != 404
                || text.contains("has the id 'none'")
                || text.contains("is called 'none'"),
            "{entry}: {text}"
        );
    }
    // Every reference leads to a component.
    let text = document.to_string();
    for part in text.split("\"$ref\":\"#/components/schemas/").skip(1) {
        let name = part.split('"').next().unwrap();
        assert!(
            document["components"]["schemas"][name].is_object(),
            "{name}"
        );
    }
    assert!(!text.contains("#/$defs/"));
}

#[test]
fn operations_have_unique_names_and_links_lead_to_them() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let document = service.value("/api/v1/openapi.json");
    let items = document["paths"].as_object().unwrap().values();
    let operations: Vec<_> = items
        .flat_map(|item| item.as_object().unwrap().values())
        .collect();
    let id = |operation: &Value| operation["operationId"].as_str().unwrap().to_owned();
    let names: BTreeSet<_> = operations.iter().map(|it| id(it)).collect();
    assert_eq!(names.len(), operations.len(), "{names:?}");
    let mut links = 0;
    for operation in &operations {
        for response in operation["responses"].as_object().unwrap().values() {
            for link in response["links"].as_object().into_iter().flatten() {
                let (_, link) = link;
                let target = link["operationId"].as_str().unwrap();
                let target = operations.iter().find(|it| id(it) == target).unwrap();
                let parameters = target["parameters"].as_array().unwrap();
                for name in link["parameters"].as_object().unwrap().keys() {
                    assert!(parameters.iter().any(|it| it["name"] == name.as_str()));
                }
                links += 1;
            }
        }
    }
    assert!(links > 10, "{links}");
    // A link as a client follows it: play the first legal move of a new game.
    let create = operations.iter().find(|it| id(it) == "post_games").unwrap();
    let link = &create["responses"]["201"]["links"]["post_games_id_moves"];
    assert_eq!(link["parameters"]["id"], "$response.body#/id");
    assert_eq!(
        link["requestBody"]["code"],
        "$response.body#/state/legal/codes/0"
    );
    let seats = json!([{ "kind": "person" }, { "kind": "person" }]);
    let game = service.post(
        "/api/v1/games",
        &json!({ "variant": "duo", "seats": seats }),
    );
    let game = game.json();
    let (id, code) = (&game["id"], &game["state"]["legal"]["codes"][0]);
    let path = format!("/api/v1/games/{}/moves", id.as_str().unwrap());
    let played = service.post(&path, &json!({ "ply": game["ply"], "code": code }));
    assert_eq!(played.status, 200, "{played:?}");
}

#[test]
fn positions_are_states_of_the_rules() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    for variant in GameVariant::BUILT_IN {
        let name = variant.name();
        let mut game = Game::new(&variant);
        let mut codes = Vec::new();
        for _ in 0..6 {
            let place = format!("/api/v1/positions/{name}/{}", codes.join(","));
            let place = place.trim_end_matches('/');
            let state: State = serde_json::from_value(service.value(place)).unwrap();
            assert_eq!(state, State::new(&game));
            let body = serde_json::json!({ "variant": name, "codes": codes });
            let posted = service.post("/api/v1/positions", &body);
            assert_eq!(
                serde_json::from_value::<State>(posted.json()).unwrap(),
                state
            );
            let placement = game.legal()[codes.len() * 7];
            game.play(placement.into()).unwrap();
            codes.push(placement.to_string());
        }
        let tiles = service.value(&format!("/api/v1/variants/{name}/tiles"));
        let tiles: TileTable = serde_json::from_value(tiles).unwrap();
        assert_eq!(tiles, TileTable::new(variant.size()));
        let actions = service.value(&format!("/api/v1/variants/{name}/actions"));
        assert_eq!(
            actions["codes"].as_array().unwrap().len() as u32,
            tiles.pass + 1
        );
        assert_eq!(actions["codes"][tiles.pass as usize], "0000");
    }
    let variants = service.value("/api/v1/variants");
    assert_eq!(variants["variants"].as_array().unwrap().len(), 6);
    // Any alias and any action number name the same placement.
    let state = service.value("/api/v1/positions/duo/1590");
    assert_eq!(state, service.value("/api/v1/positions/duo/53e0"));
}

#[test]
fn trees_are_read_and_written() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let tree = |body: &Value| {
        let answer = service.post("/api/v1/trees", body);
        assert_eq!(answer.status, 200, "{body}: {answer:?}");
        answer.json()
    };
    let text = "(;GM[Blokus Duo]PB[Ada]C[game];B[e10]ZZ[kept](;W[j5];B[f8,f9])(;W[j5,j6]C[or this]))\n(;GM[Blokus])";
    let read = tree(&json!({ "blksgf": text }));
    assert_eq!((&read["version"], &read["games"]), (&1.into(), &2.into()));
    let nodes = read["tree"]["nodes"].as_array().unwrap();
    assert_eq!(nodes[0], json!({ "comment": "game" }));
    let zz = json!([{ "name": "ZZ", "values": ["kept"] }]);
    assert_eq!(
        nodes[1],
        json!({ "parent": 0, "code": "55a0", "properties": zz })
    );
    assert_eq!(
        (&nodes[4]["parent"], &nodes[4]["comment"]),
        (&1.into(), &"or this".into())
    );
    // What was read, written and read again is the same; the reader of records agrees on the moves.
    let again = tree(&json!({ "tree": read["tree"] }));
    assert_eq!(
        (&again["tree"], &again["blksgf"]),
        (&read["tree"], &read["blksgf"])
    );
    let written = again["blksgf"].as_str().unwrap();
    assert_eq!(tree(&json!({ "blksgf": written }))["tree"], read["tree"]);
    let record = &duoforge_records::read_blksgf(text).unwrap()[0].record;
    let codes: Vec<_> = nodes[1..4]
        .iter()
        .map(|node| node["code"].as_str().unwrap())
        .collect();
    let moves: Vec<_> = record.moves().map(|mv| mv.to_string()).collect();
    assert_eq!(codes, moves);

    let node = |parent: usize, code: &str| json!({ "parent": parent, "code": code });
    let of = |nodes: Value| json!({ "tree": { "variant": "duo", "nodes": nodes } });
    for (body, status, code) in [
        (json!({ "blksgf": "53e0" }), 422, "duoforge::blksgf"),
        (
            json!({ "blksgf": "(;GM[Blokus Duo](;B[e10])(;B[a1]))" }),
            422,
            "duoforge::blksgf",
        ),
        (json!({ "blksgf": ["(;", "x"] }), 400, "duoforge::request"),
        (json!({}), 400, "duoforge::request"),
        (
            json!({ "blksgf": "(;GM[Blokus])", "tree": null }),
            400,
            "duoforge::request",
        ),
        (json!({ "path": "/etc/passwd" }), 400, "duoforge::request"),
        (
            json!({ "tree": { "variant": "go", "nodes": [{}] } }),
            404,
            "duoforge::not-found",
        ),
        (of(json!([])), 422, "duoforge::tree"),
        (of(json!([{}, node(1, "55a0")])), 422, "duoforge::tree"),
        (of(json!([{}, node(0, "zzzz")])), 422, "duoforge::tree"),
        (
            of(json!([{}, node(0, "55a0"), node(1, "55a0")])),
            422,
            "duoforge::illegal",
        ),
        (
            of(json!([{ "properties": [{ "name": "B", "values": ["a1"] }] }])),
            422,
            "duoforge::tree",
        ),
        (
            json!({ "blksgf": format!("(;GM[Blokus Duo]{})", ";".repeat(2000)) }),
            422,
            "duoforge::blksgf",
        ),
        (
            json!({ "blksgf": "x".repeat(70_000) }),
            413,
            "duoforge::too-large",
        ),
    ] {
        let answer = service.post("/api/v1/trees", &body);
        assert_eq!(
            (answer.status, answer.code().as_str()),
            (status, code),
            "{body}"
        );
    }
    let deep: Vec<_> = (0..1001)
        .map(|parent| json!({ "parent": parent }))
        .collect();
    let nodes = std::iter::once(json!({})).chain(deep).collect();
    let answer = service.post("/api/v1/trees", &of(nodes));
    assert_eq!(
        (answer.status, answer.code().as_str()),
        (413, "duoforge::too-large")
    );
}

#[test]
fn refusals_name_the_rule_and_the_cell() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    for (codes, reason, cell, ply) in [
        ("11a0", "start-cell-missed", Some([4, 4]), 0),
        ("0000", "pass-on-first-turn", None, 0),
        ("55a0,aaa0,55b0", "occupied", Some([4, 4]), 2),
        ("55a0,aaa0,65b0", "edge-contact", Some([5, 4]), 2),
        ("55a0,aaa0,66a0", "tile-used", None, 2),
        ("55a0,aaa0,22b0", "no-corner-contact", None, 2),
        ("e1e0", "off-board", None, 0),
    ] {
        let answer = service.get(&format!("/api/v1/positions/duo/{codes}"));
        assert_eq!(answer.status, 422, "{codes}: {answer:?}");
        let problem = answer.json();
        assert_eq!(problem["reason"], reason, "{codes}: {problem}");
        assert_eq!(problem["ply"], ply, "{codes}");
        if let Some(cell) = cell {
            assert_eq!(problem["cell"], serde_json::json!(cell), "{codes}");
        }
    }
}

#[test]
fn hints_come_for_cells_and_tiles() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let cell = service.value("/api/v1/positions/duo/hints?cell=4,4");
    assert_eq!(
        (&cell["colour"], &cell["placements"]["count"]),
        (&0.into(), &414.into())
    );
    let tile = service.value("/api/v1/positions/classic/11a0/hints?tile=a&colour=0");
    assert_eq!(
        (&tile["tile"], &tile["placements"]["count"]),
        (&"a".into(), &0.into())
    );
    let next = service.value("/api/v1/positions/classic/11a0/hints?tile=a");
    assert_eq!(next["cells"], serde_json::json!([[19, 0]]));
}

#[test]
fn the_page_is_embedded_and_loads_nothing_from_elsewhere() {
    let directory = tempfile::tempdir().unwrap();
    let service = Service::start(directory.path());
    let page = service.get("/");
    assert_eq!(page.status, 200);
    assert_eq!(
        page.header("content-type"),
        Some("text/html; charset=utf-8")
    );
    let policy = page.header("content-security-policy").unwrap();
    assert!(policy.starts_with("default-src 'self'; "), "{policy}");
    assert!(
        !policy.contains("unsafe") && !policy.contains("http"),
        "{policy}"
    );
    // Each view has an address.
    for path in ["/index.html", "/game/19a-2b.1/12", "/wall"] {
        assert_eq!(service.get(path).body, page.body, "{path}");
    }
    let tag = page.header("etag").unwrap();
    let again = service.send("GET", "/", &format!("If-None-Match: {tag}\r\n"), "");
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    let head = service.send("HEAD", "/", "", "");
    assert_eq!((head.status, head.body.as_str()), (200, ""));
    for mark in ["http://", "https://", "//cdn"] {
        assert!(!page.body.contains(mark), "{mark}");
    }
}

#[test]
fn the_service_ends_when_it_is_asked_to() {
    let directory = tempfile::tempdir().unwrap();
    let mut service = Service::start(directory.path());
    let mut events = service.stream("/api/v1/stream", "");
    assert_eq!(events.until("hello").data["version"], 1);
    assert_eq!(service.end(), Some(0));
    while events.next().is_some() {}
}
