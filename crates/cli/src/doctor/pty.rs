//! Pseudo-terminals, which simulated devices need.

use super::check::Check;

/// Opens a pseudo-terminal.
#[cfg(unix)]
pub fn checks() -> Vec<Check> {
    use duoforge_links::PtyLink;

    use super::check::Health;

    let check = |detail: &str| Check::ok("pseudo-terminals", "pseudo-terminal", detail);
    vec![match PtyLink::open() {
        Ok(pty) => check(&format!("opened {}", pty.path().display())),
        Err(error) => check(&error.to_string()).but(
            Health::Problem,
            "simulated devices need pseudo-terminals; in a container, mount devpts: \
             `ls -l /dev/ptmx /dev/pts`",
        ),
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
    fn this_machine_has_pseudo_terminals() {
        let checks = super::checks();
        assert_eq!(
            checks[0].verdict,
            super::super::check::Health::Ok,
            "{checks:?}"
        );
    }
}
