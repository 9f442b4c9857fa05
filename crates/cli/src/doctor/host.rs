//! What this machine adds to the times that the referee measures.

use super::check::Check;

/// Answers that are measured.
#[cfg(unix)]
const ROUNDS: u32 = 500;

/// Measures it at a pseudo-terminal.
#[cfg(unix)]
pub fn checks() -> Vec<Check> {
    use std::time::Duration;

    use duoforge_arena::host_latency;

    use super::check::Health;
    use crate::output::seconds;

    let check = |detail: String| Check::ok("time", "what the host adds", detail);
    let latency = match host_latency(ROUNDS) {
        Ok(latency) => latency,
        Err(error) => {
            let help = "the loop needs a pseudo-terminal";
            return vec![check(error.to_string()).but(Health::Problem, help)];
        }
    };
    let [half, most] = [latency.below(500), latency.below(990)];
    let found = check(format!(
        "{} in the middle, {} at the 99th percentile, {} at most, of {ROUNDS} answers",
        seconds(half),
        seconds(most),
        seconds(latency.longest())
    ));
    vec![if most < Duration::from_millis(1) {
        found
    } else {
        found.but(
            Health::Warning,
            "the times of boards are longer by this at most: let nothing else run during a contest",
        )
    }]
}

/// There are no pseudo-terminals to measure with.
#[cfg(not(unix))]
pub fn checks() -> Vec<Check> {
    Vec::new()
}

#[cfg(all(test, unix))]
mod tests {
    #[test]
    fn the_machine_of_the_tests_is_measured() {
        let checks = super::checks();
        assert_eq!(checks.len(), 1);
        assert!(checks[0].detail.contains("99th percentile"), "{checks:?}");
    }
}
