//! Failed games of a campaign as replays in HTML files.

use std::fs;
use std::path::{Path, PathBuf};

use duoforge_page::{Replay, ReplayGame, ReplayResult};
use duoforge_sim::campaign::{Campaign, GameReport, Mismatch, Report};
use duoforge_sim::waves::Wave;

use crate::failure::{Failure, Result};
use crate::position::Position;
use crate::replays;

/// Returns the file of a failed game: next to its waveform, if there is one.
pub fn file(game: &GameReport) -> Option<PathBuf> {
    let wave = game.wave.as_ref().filter(|_| game.mismatch.is_some())?;
    Some(wave.file.with_extension("html"))
}

/// Writes the file of a failed game.
pub fn write(path: &Path, game: &GameReport, campaign: &Campaign) -> Result<()> {
    if let Some(replay) = replay_of(game, campaign)? {
        fs::write(path, Replay::of(replay).html())
            .map_err(|error| Failure::file("written", path, &error))?;
    }
    Ok(())
}

/// Returns the replay of all failed games of a campaign.
pub fn page_of(report: &Report, campaign: &Campaign) -> Result<Replay> {
    let games = report.games.iter();
    let failed = games.filter_map(|game| replay_of(game, campaign).transpose());
    let failed = failed.collect::<Result<Vec<_>>>()?;
    let title = format!("duoforge sim, {}", report.backend);
    let text = format!(
        "{} of {} games of player {} differ from the twin",
        failed.len(),
        report.games.len(),
        campaign.player
    );
    Ok(Replay::new(title, text, failed))
}

/// Returns the replay of a game up to its mismatch; `None` for a game without one.
pub fn replay_of(game: &GameReport, campaign: &Campaign) -> Result<Option<ReplayGame>> {
    let Some(mismatch) = &game.mismatch else {
        return Ok(None);
    };
    let position = Position::read(&game.codes)?;
    let mut replay = replays::of_list(&position.replay, &names(mismatch));
    replay.id = format!("game-{}", game.seed);
    replay.result = Some(ReplayResult {
        scores: position.replay.score().0.to_vec(),
        winners: Vec::new(),
        draw: false,
        ending: "mismatch".to_owned(),
        detail: mismatch.to_string(),
    });
    replay.fact("seed", game.seed.to_string());
    replay.fact("player", campaign.player.to_string());
    replay.fact("prompt", &mismatch.request);
    replay.fact("differs", &mismatch.what);
    replay.text("twin", &mismatch.twin);
    replay.text("hardware", &mismatch.board);
    replay.text(
        "command that replays it",
        campaign.replay_command(game.seed),
    );
    if let Some(views) = game.wave.as_ref().map(Wave::commands) {
        replay.text("commands that show the waveform", views.join("\n"));
    }
    Ok(Some(replay))
}

/// Names of the players, the first one first. The device is to move at the ply of a prompt for a
/// move; of other prompts, its colour does not follow.
fn names(mismatch: &Mismatch) -> [String; 2] {
    let mut names = [String::new(), String::new()];
    if mismatch.request.starts_with(['2', '3', '4']) {
        let device = mismatch.ply % 2;
        names[device] = "device".to_owned();
        names[1 - device] = "opponent".to_owned();
    }
    names
}
