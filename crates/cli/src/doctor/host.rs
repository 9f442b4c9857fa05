//! Host latency: the time that this machine adds to every reply.

use super::check::Check;

/// Number of measured replies.
#[cfg(unix)]
const ROUNDS: u32 = 500;

/// Measures the host latency at a pseudo-terminal.
#[cfg(unix)]
pub fn checks() -> Vec<Check> {
    use std::time::Duration;

    use duoforge_referee::host_latency;

    use super::check::Health;
    use crate::output::seconds;

    let check = |detail: String| Check::ok("time", "host latency", detail);
    let latency = match host_latency(ROUNDS) {
        Ok(latency) => latency,
        Err(error) => {
            let help = "the measurement needs a pseudo-terminal";
            return vec![check(error.to_string()).but(Health::Problem, help)];
        }
    };
    let [half, most] = [latency.below(500), latency.below(990)];
    let found = check(format!(
        "median {}, p99 {}, maximum {} over {ROUNDS} replies",
        seconds(half),
        seconds(most),
        seconds(latency.longest())
    ));
    vec![if most < Duration::from_millis(1) {
        found
    } else {
        found.but(
            Health::Warning,
            "the host adds up to this time to every reply: stop other programs during a contest",
        )
    }]
}

/// Returns no check: the system has no pseudo-terminals.
#[cfg(not(unix))]
pub fn checks() -> Vec<Check> {
    Vec::new()
}

#[cfg(all(test, unix))]
mod tests {
    #[test]
    fn this_machine_is_measured() {
        let checks = super::checks();
        assert_eq!(checks.len(), 1);
        assert!(checks[0].detail.contains("p99"), "{checks:?}");
    }
}
