//! Game trees: blksgf files as objects, and objects as blksgf files.

use axum::Json;
use axum::http::StatusCode;
use duoforge_records::{
    GameTree, SgfError, TreeData, TreeError, read_blksgf_trees, write_blksgf_trees,
};
use duoforge_view::Version;
use tokio::task::spawn_blocking;

use super::Refused;
use crate::dto::{TreeDocument, TreeRequest};
use crate::extract::Body;
use crate::problem::Problem;

/// Game tree, from a blksgf or from its nodes
///
/// Of a file with several games, the first one is read.
#[utoipa::path(
    post,
    path = "/trees",
    tag = "positions",
    request_body = TreeRequest,
    responses((status = 200, body = TreeDocument), Refused)
)]
pub async fn post(Body(request): Body<TreeRequest>) -> Result<Json<TreeDocument>, Problem> {
    let read = spawn_blocking(move || read(request)).await;
    read.map_err(|_| Problem::internal("the tree could not be read"))?
        .map(Json)
}

fn read(request: TreeRequest) -> Result<TreeDocument, Problem> {
    let (tree, games, left_out) = match request {
        TreeRequest::Tree(data) => (GameTree::try_from(data).map_err(invalid)?, 1, 0),
        TreeRequest::Blksgf(text) => {
            let mut games = read_blksgf_trees(&text).map_err(|error| unreadable(&error))?;
            let total = games.len();
            let first = games.swap_remove(0);
            (first.tree, total, first.left_out)
        }
    };
    let blksgf = write_blksgf_trees(std::slice::from_ref(&tree));
    Ok(TreeDocument {
        version: Version,
        tree: TreeData::from(&tree),
        blksgf: blksgf.map_err(|error| Problem::internal(error.to_string()))?,
        games,
        left_out,
    })
}

/// Maximum length of the text of an error, which may quote the request.
const MAX_TEXT: usize = 300;

fn printable(error: &impl ToString) -> String {
    let text = error.to_string();
    let printable = text.chars().filter(|letter| !letter.is_control());
    printable.take(MAX_TEXT).collect()
}

fn unreadable(error: &SgfError) -> Problem {
    let text = format!("the blksgf cannot be read: {}", printable(error));
    Problem::invalid("duoforge::blksgf", text).help(error.fault.help())
}

fn invalid(error: TreeError) -> Problem {
    let text = printable(&error);
    match error {
        TreeError::Illegal {
            ply, mv, reason, ..
        } => Problem::illegal(ply, &mv.to_string(), &reason),
        TreeError::Nodes | TreeError::Depth => {
            Problem::too_large(StatusCode::PAYLOAD_TOO_LARGE, text)
        }
        TreeError::Variant(_) => {
            Problem::not_found(text).help("GET /api/v1/variants lists the variants")
        }
        _ => Problem::invalid("duoforge::tree", text)
            .help("docs/formats.md describes the nodes of a tree"),
    }
}
