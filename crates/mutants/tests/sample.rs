//! Sample of the campaign that `cargo xtask mutations` runs for all parts.

use std::path::Path;

use duoforge_mutants::campaign::{Campaign, Plan};
use duoforge_mutants::modules;

/// The tests kill every mutant of these parts that is not proved equivalent.
#[test]
fn small_parts_have_no_survivors() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let root = root.canonicalize().expect("the repository");
    let campaign = Campaign::new(&root).expect("the hardware's tests");
    for name in ["decoder", "policy_maps"] {
        let plan = Plan {
            part: modules::named(name).expect("a part"),
            count: 15,
            seed: 1,
            jobs: 2,
            again: None,
        };
        let report = campaign.run(plan, |_, _| {}).expect("it runs");
        println!(
            "{name}: {} of {} killed, {} equivalent",
            report.killed(),
            report.mutants,
            report.proved()
        );
        assert_eq!(report.survivors, [], "{name}");
        assert!(report.killed() > 10, "{name}");
    }
}
