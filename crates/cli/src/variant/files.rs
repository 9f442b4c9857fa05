//! Files of games of all variants.

use std::path::Path;

use duoforge_rules::GameVariant;

use crate::failure::{Failure, Result};
use crate::game_files::{GameFile, StoredGame};

/// Reads the games of a file with their variants; `-` is standard input.
///
/// A list does not state its variant: it is `variant`, else the contest's game. A blksgf states its
/// variant; `variant` may replace it by another one on the same board.
pub fn read_games(
    path: &Path,
    variant: Option<&GameVariant>,
) -> Result<Vec<(GameVariant, StoredGame)>> {
    games_of(&GameFile::read(path)?, path, variant)
}

/// Returns the games of a file as [`read_games`].
pub fn games_of(
    file: &GameFile,
    path: &Path,
    variant: Option<&GameVariant>,
) -> Result<Vec<(GameVariant, StoredGame)>> {
    let with_variant = |game: StoredGame| {
        let stated = game.record.as_ref().map(|record| record.variant.clone());
        if let (Some(stated), Some(variant)) = (&stated, variant)
            && stated.size() != variant.size()
        {
            let (name, line) = (path.display(), game.line);
            let message = format!(
                "{name}, line {line}: the game is `{}`, not `{}`",
                stated.name(),
                variant.name()
            );
            let help = "a variant of another board cannot replace the one that a file states";
            return Err(Failure::new("duoforge::game", message).help(help));
        }
        let variant = variant.cloned().or(stated).unwrap_or(GameVariant::DUO);
        Ok((variant, game))
    };
    file.games()?.into_iter().map(with_variant).collect()
}
