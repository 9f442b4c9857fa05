//! JUnit file of a campaign against the twin.

use duoforge_sim::campaign::{Campaign, Report};

use crate::commands::sim::replay_file;

use super::suite::{Case, Status, suite};

/// Returns the report as a JUnit file with a case per game.
pub fn write(report: &Report, campaign: &Campaign) -> String {
    let cases = report.games.iter().map(|game| Case {
        name: format!("game with seed {}", game.seed),
        class: format!("{}.board_equals_twin", report.backend),
        wall: game.wall,
        status: game
            .mismatch
            .as_ref()
            .map_or(Status::Passed(None), |mismatch| {
                let replay = campaign.replay_command(game.seed);
                let page = replay_file(game).map_or(String::new(), |path| {
                    format!("\nin a browser: {}", path.display())
                });
                Status::Failed {
                    message: mismatch.to_string(),
                    description: format!(
                        "seed {}\nmoves {}\nreplay with {replay}{page}",
                        game.seed,
                        game.codes.join(" ")
                    ),
                }
            }),
    });
    suite(
        &format!("duoforge sim {}", report.backend),
        report.wall,
        cases,
    )
}
