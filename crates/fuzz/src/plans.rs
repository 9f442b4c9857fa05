//! Plans of tournaments.

use duoforge_players::PlayerSpec;
use duoforge_tournament::{Plan, PlanError, Results, Schedule, VariantPlan};

use crate::text::read_text;

/// Largest number of games of a plan whose schedule is made.
const GAMES: u64 = 1_000;

/// Plans of tournaments, of the contest's game and of variants: the schedule has no more games than
/// the plan permits.
pub fn plans(bytes: &[u8]) -> bool {
    let read = read_text(bytes, |text| {
        if VariantPlan::is_plan(text) {
            let plan = VariantPlan::read_with(text, str::parse::<PlayerSpec>)?;
            if plan.game_count() <= GAMES {
                assert_eq!(plan.fixtures().len() as u64, plan.game_count());
            }
        } else {
            let plan = Plan::read(text)?;
            if plan.most_games() <= GAMES {
                let schedule = Schedule::new(&plan, &Results::new());
                assert!(schedule.fixtures().len() as u64 <= plan.most_games());
            }
        }
        Ok::<_, PlanError>(())
    });
    read.is_some()
}
