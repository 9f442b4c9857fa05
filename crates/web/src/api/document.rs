//! OpenAPI document: what the handlers alone do not state. Names of operations that are unique,
//! links from an answer to the requests that it prepares, and the names of variants.

use duoforge_rules::GameVariant;
use serde_json::{Map, Value, json};

use crate::access::API;

/// Link from an answer to an operation.
struct Link {
    /// Operation and status of the answer.
    from: (&'static str, &'static str),
    /// Operation that follows.
    to: &'static str,
    /// Runtime expression of the parameter `id`.
    id: &'static str,
}

const fn link(from: (&'static str, &'static str), to: &'static str, id: &'static str) -> Link {
    Link { from, to, id }
}

const GAME: &str = "$response.body#/id";
const FIRST_GAME: &str = "$response.body#/games/0/id";
const FIRST_EVENT: &str = "$response.body#/events/0/id";

const LINKS: &[Link] = &[
    link(("post_games", "201"), "get_games_id", GAME),
    link(("post_games", "201"), "get_games_id_format", GAME),
    link(("post_games", "201"), "post_games_id_moves", GAME),
    link(("post_games", "201"), "post_games_id_undo", GAME),
    link(("post_games", "201"), "post_games_id_resign", GAME),
    link(("post_games_id_moves", "200"), "post_games_id_moves", GAME),
    link(("post_games_id_moves", "200"), "post_games_id_undo", GAME),
    link(("post_games_id_moves", "200"), "post_games_id_resign", GAME),
    link(("post_games_id_undo", "200"), "post_games_id_moves", GAME),
    link(("get_games", "200"), "get_games_id", FIRST_GAME),
    link(("get_games", "200"), "get_games_id_format", FIRST_GAME),
    link(("get_events", "200"), "get_events_id", FIRST_EVENT),
    link(("post_events", "201"), "get_events_id", GAME),
    link(("post_events", "201"), "post_events_id_stop", GAME),
    link(
        ("post_events_id_stop", "200"),
        "post_events_id_resume",
        GAME,
    ),
    link(("post_analyses", "202"), "get_analyses_id", GAME),
    link(("post_analyses", "202"), "delete_analyses_id", GAME),
    link(
        ("post_players_name_conform", "202"),
        "get_conformances_id",
        GAME,
    ),
];

/// Body of a linked request, from the game of the answer.
fn body(operation: &str) -> Option<Value> {
    let ply = "$response.body#/ply";
    match operation {
        "post_games_id_moves" => {
            Some(json!({ "ply": ply, "code": "$response.body#/state/legal/codes/0" }))
        }
        "post_games_id_undo" => Some(json!({ "ply": ply })),
        "post_games_id_resign" => Some(json!({ "ply": ply, "seat": 0 })),
        _ => None,
    }
}

/// Completes the document.
pub fn complete(document: &mut Value) {
    let variants: Vec<_> = GameVariant::BUILT_IN
        .iter()
        .map(|variant| variant.name().to_owned())
        .collect();
    for schema in ["NewGame", "PositionRequest", "TreeData"] {
        document["components"]["schemas"][schema]["properties"]["variant"]["enum"] =
            json!(variants);
    }
    let with_none: Vec<_> = variants
        .iter()
        .map(|name| json!(name))
        .chain([Value::Null])
        .collect();
    document["components"]["schemas"]["NewEvent"]["properties"]["variant"]["enum"] =
        json!(with_none);
    document["components"]["schemas"]["NewAnalysis"]["properties"]["variant"]["enum"] =
        json!(["duo"]);
    let Some(paths) = document["paths"].as_object_mut() else {
        return;
    };
    for (path, item) in paths {
        let operations = item.as_object_mut().into_iter().flatten();
        for (method, operation) in operations {
            let name = name(method, path);
            let parameters = operation.get_mut("parameters");
            for parameter in parameters
                .and_then(Value::as_array_mut)
                .into_iter()
                .flatten()
            {
                if parameter["name"] == "variant" {
                    parameter["schema"]["enum"] = json!(variants);
                }
            }
            for link in LINKS.iter().filter(|link| link.from.0 == name) {
                let mut parameters = Map::new();
                parameters.insert("id".to_owned(), link.id.into());
                let mut entry = json!({ "operationId": link.to, "parameters": parameters });
                if let Some(body) = body(link.to) {
                    entry["requestBody"] = body;
                }
                operation["responses"][link.from.1]["links"][link.to] = entry;
            }
            operation["operationId"] = name.into();
        }
    }
}

/// Name of an operation: its method and its path.
fn name(method: &str, path: &str) -> String {
    let path = path.strip_prefix(API).unwrap_or(path);
    let words = path.split(|c: char| !c.is_ascii_alphanumeric());
    let words = words.filter(|word| !word.is_empty());
    std::iter::once(method)
        .chain(words)
        .collect::<Vec<_>>()
        .join("_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_named_by_method_and_path() {
        assert_eq!(name("get", "/api/v1/games"), "get_games");
        assert_eq!(
            name("get", "/api/v1/games/{id}.{format}"),
            "get_games_id_format"
        );
        assert_eq!(
            name("post", "/api/v1/games/{id}/moves"),
            "post_games_id_moves"
        );
    }
}
