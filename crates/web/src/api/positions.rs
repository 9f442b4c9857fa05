//! Positions without a game: state and hints.

use axum::Json;
use axum::http::header;
use axum::response::IntoResponse;
use duoforge_rules::{Cell, Colour, Game, Tile};
use duoforge_view::{CellHints, Hints, State as GameState, TileHints};
use serde::Deserialize;
use utoipa::IntoParams;

use super::Refused;
use crate::dto::PositionRequest;
use crate::dto::schema::{HintsSchema, StateSchema};
use crate::extract::{Body, Search, Segments};
use crate::position::{codes, play, shown, variant};
use crate::problem::Problem;

/// A position depends on its address alone.
const CACHE: [(header::HeaderName, &str); 1] = [(header::CACHE_CONTROL, "max-age=3600")];

/// Query of hints: a cell or a tile.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct HintQuery {
    /// Cell `x,y`, 0-based.
    #[param(example = "4,4")]
    cell: Option<String>,
    /// Letter of a tile.
    tile: Option<String>,
    /// Number of the colour; default: the one to move.
    #[param(maximum = 3)]
    colour: Option<u8>,
}

/// State of a position
#[utoipa::path(
    post,
    path = "/positions",
    tag = "positions",
    request_body = PositionRequest,
    responses((status = 200, body = StateSchema), Refused)
)]
pub async fn post(Body(request): Body<PositionRequest>) -> Result<Json<GameState>, Problem> {
    let game = position(&request.variant, request.codes.iter().map(String::as_str))?;
    Ok(Json(GameState::new(&game)))
}

/// State of the empty board
#[utoipa::path(
    get,
    path = "/positions/{variant}",
    tag = "positions",
    params(("variant" = String, Path, description = "Name of the variant", example = "duo")),
    responses((status = 200, body = StateSchema), Refused)
)]
pub async fn empty(Segments(name): Segments<String>) -> Result<impl IntoResponse, Problem> {
    let game = position(&name, std::iter::empty())?;
    Ok((CACHE, Json(GameState::new(&game))))
}

/// State of a position
#[utoipa::path(
    get,
    path = "/positions/{variant}/{codes}",
    tag = "positions",
    params(
        ("variant" = String, Path, description = "Name of the variant", example = "duo"),
        ("codes" = String, Path, description = "Codes or action numbers, separated by commas", example = "53e0,a8e0")
    ),
    responses((status = 200, body = StateSchema), Refused)
)]
pub async fn get(
    Segments((name, list)): Segments<(String, String)>,
) -> Result<impl IntoResponse, Problem> {
    let game = position(&name, codes(&list))?;
    Ok((CACHE, Json(GameState::new(&game))))
}

/// Hints on the empty board
#[utoipa::path(
    get,
    path = "/positions/{variant}/hints",
    tag = "positions",
    params(
        ("variant" = String, Path, description = "Name of the variant", example = "duo"),
        HintQuery
    ),
    responses((status = 200, body = HintsSchema), Refused)
)]
pub async fn hints_of_empty(
    Segments(name): Segments<String>,
    Search(query): Search<HintQuery>,
) -> Result<impl IntoResponse, Problem> {
    let game = position(&name, std::iter::empty())?;
    Ok((CACHE, Json(hints_for(&game, &query)?)))
}

/// Hints: tiles that reach a cell, or cells that a tile reaches
#[utoipa::path(
    get,
    path = "/positions/{variant}/{codes}/hints",
    tag = "positions",
    params(
        ("variant" = String, Path, description = "Name of the variant", example = "duo"),
        ("codes" = String, Path, description = "Codes or action numbers, separated by commas", example = "53e0,a8e0"),
        HintQuery
    ),
    responses((status = 200, body = HintsSchema), Refused)
)]
pub async fn hints(
    Segments((name, list)): Segments<(String, String)>,
    Search(query): Search<HintQuery>,
) -> Result<impl IntoResponse, Problem> {
    let game = position(&name, codes(&list))?;
    Ok((CACHE, Json(hints_for(&game, &query)?)))
}

fn position<'a>(name: &str, codes: impl Iterator<Item = &'a str>) -> Result<Game, Problem> {
    play(variant(name)?, codes)
}

fn hints_for(game: &Game, query: &HintQuery) -> Result<Hints, Problem> {
    let colours = game.variant().colour_count();
    let colour = match (query.colour, game.to_move()) {
        (Some(colour), _) if usize::from(colour) >= colours => {
            return Err(Problem::request(format!(
                "colour={colour} is out of range: expected 0 to {}",
                colours - 1
            )));
        }
        (Some(colour), _) => Colour(colour),
        (None, Some(colour)) => colour,
        (None, None) => Colour(0),
    };
    match (query.cell.as_deref(), query.tile.as_deref()) {
        (Some(cell), None) => {
            let cell = cell_of(cell, game.size())?;
            Ok(Hints::Cell(CellHints::new(game, colour, cell)))
        }
        (None, Some(tile)) => {
            let mut letters = tile.chars();
            let letter = (letters.next(), letters.next());
            let found = match letter {
                (Some(letter @ 'a'..='u'), None) => {
                    Tile::from_index(usize::from(letter as u8 - b'a'))
                }
                _ => None,
            };
            let tile = found.ok_or_else(|| {
                let tile = shown(tile);
                Problem::request(format!("tile={tile} does not exist: expected a to u"))
            })?;
            Ok(Hints::Tile(TileHints::new(game, colour, tile)))
        }
        _ => Err(Problem::request(
            "the query is not unique: expected either cell=x,y or tile=a",
        )),
    }
}

/// Reads a cell of the board.
fn cell_of(text: &str, size: u8) -> Result<Cell, Problem> {
    let numbers = text.split_once(',');
    let cell = numbers.and_then(|(x, y)| Some(Cell::new(x.parse().ok()?, y.parse().ok()?)));
    cell.filter(|cell| cell.x < size && cell.y < size)
        .ok_or_else(|| {
            let text = shown(text);
            Problem::request(format!(
                "cell={text} is not on the board: expected x,y with numbers from 0 to {}",
                size - 1
            ))
        })
}
