//! Pseudo-terminals, behind which simulated boards sit.

use super::check::Check;

/// Opens one.
#[cfg(unix)]
pub fn checks() -> Vec<Check> {
    use duoforge_links::PtyLink;

    use super::check::Health;

    let check = |detail: &str| Check::ok("pseudo-terminals", "pseudo-terminal", detail);
    vec![match PtyLink::open() {
        Ok(pty) => check(&format!("{} can be opened", pty.path().display())),
        Err(error) => check(&error.to_string()).but(
            Health::Problem,
            "simulated boards need them; in a container, mount devpts: `ls -l /dev/ptmx /dev/pts`",
        ),
    }]
}

/// There are none.
#[cfg(not(unix))]
pub fn checks() -> Vec<Check> {
    Vec::new()
}

#[cfg(all(test, unix))]
mod tests {
    #[test]
    fn the_machine_of_the_tests_has_them() {
        let checks = super::checks();
        assert_eq!(
            checks[0].verdict,
            super::super::check::Health::Ok,
            "{checks:?}"
        );
    }
}
