//! JUnit report of a campaign.

use super::{Campaign, Report};
use crate::junit::{Case, Status, suite};

pub(super) fn write(report: &Report, campaign: &Campaign) -> String {
    let cases = report.games.iter().map(|game| Case {
        name: format!("game with seed {}", game.seed),
        class: format!("{}.board_equals_twin", report.backend),
        wall: game.wall,
        status: game
            .mismatch
            .as_ref()
            .map_or(Status::Passed(None), |mismatch| {
                let replay = campaign.replay_command(game.seed);
                Status::Failed {
                    message: mismatch.to_string(),
                    description: format!(
                        "seed {}\nmoves {}\nreplay with {replay}",
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
