//! Files of games for download.

use axum::http::header;
use axum::response::{IntoResponse, Response};
use duoforge_page::{Replay, ReplayGame, ReplayResult};
use duoforge_pictures::game_svg;
use duoforge_records::{Record, SgfWriteError, write_blksgf};
use duoforge_rules::Game;

use super::Refused;
use super::games::GameQuery;
use crate::feed::ShownGame;
use crate::problem::Problem;

/// Format of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFormat {
    Blksgf,
    Html,
    List,
    Svg,
}

/// Splits the id of a file into that of the game and the format.
pub fn split(id: &str) -> Option<(&str, FileFormat)> {
    let (id, extension) = id.rsplit_once('.')?;
    let format = match extension {
        "blksgf" => FileFormat::Blksgf,
        "html" => FileFormat::Html,
        "list" => FileFormat::List,
        "svg" => FileFormat::Svg,
        _ => return None,
    };
    Some((id, format))
}

/// Game as a file: Blokus SGF, replay in one HTML file, list of codes, or picture
#[utoipa::path(
    get,
    path = "/api/v1/games/{id}.{format}",
    tag = "games",
    params(
        ("id" = String, Path, description = "Id of the game"),
        ("format" = String, Path, description = "blksgf, html, list or svg", example = "svg"),
        GameQuery
    ),
    responses(
        (status = 200, content(
            (String = "application/x-blokus-sgf"),
            (String = "text/html"),
            (String = "text/plain"),
            (String = "image/svg+xml")
        )),
        Refused
    )
)]
#[allow(
    dead_code,
    reason = "describes a part of games::get in the OpenAPI document"
)]
pub fn record_file() {}

/// Writes the file of a game, up to a ply.
pub fn file(game: &ShownGame, format: FileFormat, ply: Option<usize>) -> Result<Response, Problem> {
    let played = game.game(ply.unwrap_or(usize::MAX));
    let names = game.seats.iter().map(|seat| seat.name.clone());
    let (kind, extension, text) = match format {
        FileFormat::Svg => {
            let text = game_svg(&played, &names.collect::<Vec<_>>());
            ("image/svg+xml", "svg", text)
        }
        FileFormat::Html => {
            let text = Replay::of(replay(game, &played)).html();
            ("text/html; charset=utf-8", "html", text)
        }
        FileFormat::List => {
            let codes: Vec<_> = played
                .plies()
                .iter()
                .map(|ply| ply.mv.to_string())
                .collect();
            let names = names
                .map(|name| name.replace(['\r', '\n'], " "))
                .collect::<Vec<_>>();
            let variant = game.variant.name();
            let text = format!(
                "# {variant}: {}\n{}\n",
                names.join(" against "),
                codes.join(" ")
            );
            ("text/plain; charset=utf-8", "list", text)
        }
        FileFormat::Blksgf => {
            let text = write_blksgf(&[record(game, &played)]).map_err(|error| match error {
                SgfWriteError::Variant(_) => {
                    Problem::invalid("duoforge::variant", error.to_string())
                        .help("the extension .list works for every variant")
                }
                SgfWriteError::Illegal(_) => {
                    Problem::internal(format!("the game cannot be written: {error}"))
                }
            })?;
            ("application/x-blokus-sgf; charset=utf-8", "blksgf", text)
        }
    };
    let name = format!(
        "attachment; filename=\"duoforge-{}.{extension}\"",
        game.id()
    );
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, name),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
    ];
    Ok((headers, text).into_response())
}

/// Record of a game.
fn record(game: &ShownGame, played: &Game) -> Record {
    let moves = played.plies().iter().map(|ply| ply.mv);
    let mut record = Record::new(game.variant.clone(), moves);
    record.players = game.seats.iter().map(|seat| seat.name.clone()).collect();
    if let Some(result) = &game.result {
        record.comment.clone_from(&result.detail);
    }
    record
}

/// Replay of a game up to the position `played`.
fn replay(game: &ShownGame, played: &Game) -> ReplayGame {
    let names: Vec<_> = game.seats.iter().map(|seat| seat.name.clone()).collect();
    let moves = played.plies().iter().map(|ply| ply.mv);
    let mut replay = ReplayGame::new(&game.variant, &names, moves);
    replay.id = game.number.to_string();
    for (shown, known) in replay.moves.iter_mut().zip(&game.moves) {
        shown.us = Some(known.us);
        (shown.sim_us, shown.host_us) = (known.sim_us, known.host_us);
        shown.forfeit = known.forfeit;
    }
    replay.fact("kind", game.kind.clone());
    replay.fact("game", game.id());
    for seat in game.seats.iter().filter(|seat| seat.unofficial) {
        let text = "unofficial: they contain those of a browser".to_owned();
        replay.fact(&format!("times of {}", seat.name), text);
    }
    if replay.ply == game.moves.len() {
        replay.ended_ms = game.ended_ms;
        if let Some(result) = &game.result {
            replay.result = Some(ReplayResult {
                scores: result.scores.clone(),
                winners: result.winners.clone(),
                draw: result.draw,
                ending: result.ending.clone(),
                detail: result.detail.clone(),
            });
        }
    }
    replay
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_from_games() {
        assert_eq!(split("19a-2b.7.svg"), Some(("19a-2b.7", FileFormat::Svg)));
        assert_eq!(split("19a-2b.7.html"), Some(("19a-2b.7", FileFormat::Html)));
        assert_eq!(split("19a-2b.7.list"), Some(("19a-2b.7", FileFormat::List)));
        for id in ["19a-2b.7", "19a-2b.7.exe", "svg", ""] {
            assert_eq!(split(id), None);
        }
    }
}
