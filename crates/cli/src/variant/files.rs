//! Files of games of all variants.

use std::path::Path;

use duoforge_records::GameKind;
use duoforge_rules::GameVariant;

use crate::failure::{Failure, Result};
use crate::game_files::{StoredGame, read_all};

/// Reads the games of a file with their variants; `-` is standard input.
///
/// A list does not state its variant: it is `variant`, else the contest's game. A blksgf states
/// its kind of game; `variant` may replace it by another one on the same board.
pub fn read_games(
    path: &Path,
    variant: Option<&GameVariant>,
) -> Result<Vec<(GameVariant, StoredGame)>> {
    let (_, games) = read_all(path)?;
    let with_variant = |game: StoredGame| {
        let kind = game.record.as_ref().map(|record| match record.kind {
            GameKind::Duo => GameVariant::DUO,
            GameKind::Classic => GameVariant::CLASSIC,
        });
        if let (Some(kind), Some(variant)) = (&kind, variant)
            && kind.size() != variant.size()
        {
            let (name, line) = (path.display(), game.line);
            let message = format!(
                "{name}, line {line}: the game is `{}`, not `{}`",
                kind.name(),
                variant.name()
            );
            let help = "a variant of another board cannot replace the one that a file states";
            return Err(Failure::new("duoforge::game", message).help(help));
        }
        let variant = variant.cloned().or(kind).unwrap_or(GameVariant::DUO);
        Ok((variant, game))
    };
    games.into_iter().map(with_variant).collect()
}
