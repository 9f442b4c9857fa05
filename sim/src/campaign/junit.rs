//! A campaign as a JUnit file.

use quick_junit::{NonSuccessKind, Report as Junit, TestCase, TestCaseStatus, TestSuite};

use super::{Campaign, Report};

pub(super) fn write(report: &Report, campaign: &Campaign) -> String {
    let mut suite = TestSuite::new(format!("duoforge sim {}", report.backend));
    suite.set_time(report.wall);
    for game in &report.games {
        let status = game
            .mismatch
            .as_ref()
            .map_or_else(TestCaseStatus::success, |mismatch| {
                let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
                let replay = campaign.replay_command(game.seed);
                status.set_message(mismatch.to_string());
                status.set_description(format!(
                    "seed {}\nmoves {}\nreplay with {replay}",
                    game.seed,
                    game.codes.join(" ")
                ));
                status
            });
        let mut case = TestCase::new(format!("game with seed {}", game.seed), status);
        case.set_classname(format!("{}.board_equals_twin", report.backend));
        case.set_time(game.wall);
        suite.add_test_case(case);
    }
    let mut junit = Junit::new("duoforge");
    junit.add_test_suite(suite);
    junit.to_string().expect("a report is valid XML")
}
