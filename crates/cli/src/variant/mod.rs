//! Variants on the command line: the option, positions, files of games, drawings.

mod files;
mod played;
mod text;

pub use files::{games_of, read_games};
pub use played::PlayedGame;
pub use text::{GameView, result};

use std::fs;
use std::path::Path;

use duoforge_protocol::{MoveCode, StartCell};
use duoforge_rules::{Cell, GameVariant};
use duoforge_view::{State, VariantFileError, read_variant};
use miette::LabeledSpan;
use serde::Serialize;

use crate::failure::{Failure, Result};

/// Option that chooses the variant.
#[derive(Clone, Debug, clap::Args)]
pub struct VariantArgs {
    /// Variant: duo, duo-corner, classic, classic-free, classic-2, classic-3, or a TOML file that
    /// defines one [default: duo]
    #[arg(long, value_name = "V")]
    variant: Option<String>,
}

impl VariantArgs {
    /// Returns the variant of the option, or `None` without the option.
    pub fn load(&self) -> Result<Option<GameVariant>> {
        self.variant.as_deref().map(load).transpose()
    }

    /// Returns the variant of the option; without the option, the contest's game.
    pub fn or_duo(&self) -> Result<GameVariant> {
        Ok(self.load()?.unwrap_or(GameVariant::DUO))
    }
}

/// Object in JSON with the state of the last position.
#[derive(Serialize)]
pub struct WithState<T> {
    /// The object.
    #[serde(flatten)]
    pub object: T,
    /// State of the last position.
    pub state: State,
}

impl<T> WithState<T> {
    /// Adds the state after the moves of a game of the contest. Entry `i` of `starts` is the start
    /// cell of colour `i`: that of the player that moved first, then that of the other one.
    pub fn contest(object: T, starts: [StartCell; 2], codes: &[MoveCode]) -> Self {
        let starts = starts.map(|start| {
            let (x, y) = start.coordinates();
            Cell::new(x, y)
        });
        let played = PlayedGame::new(&GameVariant::DUO.with_starts(&starts), codes);
        let state = State::new(&played.game);
        Self { object, state }
    }
}

/// Returns the variant of a name or of a file.
fn load(text: &str) -> Result<GameVariant> {
    if let Some(variant) = GameVariant::named(text) {
        return Ok(variant.clone());
    }
    let path = Path::new(text);
    if path.extension().is_none_or(|extension| extension != "toml") {
        let names: Vec<_> = GameVariant::BUILT_IN
            .iter()
            .map(|variant| variant.name().to_owned())
            .collect();
        let message = format!(
            "unknown variant `{text}`: expected {}, or a file whose name ends in .toml",
            names.join(", ")
        );
        return Err(Failure::new("duoforge::variant", message));
    }
    let definition =
        fs::read_to_string(path).map_err(|error| Failure::file("read", path, &error))?;
    read_variant(&definition).map_err(|error| invalid(text, definition, &error))
}

/// Failure of a file that does not define a variant.
fn invalid(name: &str, text: String, error: &VariantFileError) -> Failure {
    const HELP: &str = "a definition has the keys name, size, seats and colours, and optionally \
                        starts_stay, scoring, ties, passing and ending";
    let failure = |message: String| Failure::new("duoforge::variant", message).help(HELP);
    match error.span() {
        Some(span) => {
            failure(format!("{name}, {error}")).shown(name, text, LabeledSpan::at(span, "here"))
        }
        None => failure(format!("{name}: {error}")),
    }
}
