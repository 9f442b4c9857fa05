//! `duoforge doctor`: checks of this machine.

use duoforge_links::ports::ports;

use crate::doctor::{Check, Health, Machine, examine, udev_rules};
use crate::failure::Result;
use crate::output::{self, Style, Verdict};

/// Check tools, serial devices and permissions of this machine
///
/// Changes nothing and opens no serial device.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Exit status: 0 no problem found (optional tools may be missing); 1 at least one \
                  problem; 2 usage error or failure"
)]
pub struct Args {
    /// Print one JSON array
    #[arg(long)]
    pub json: bool,
    /// Only print udev rules that give users access to programmers and set the latency timer of
    /// FTDI adapters to 1 ms
    #[arg(long, conflicts_with = "json")]
    pub udev_rules: bool,
}

/// Runs the checks.
pub fn run(args: &Args, style: Style) -> Result<Verdict> {
    if args.udev_rules {
        output::line(udev_rules().trim_end())?;
        return Ok(Verdict::Good);
    }
    let checks = examine(&Machine::this(ports()?));
    if args.json {
        output::json(&checks)?;
    } else {
        output::line(list(&checks, style))?;
    }
    let problem = checks.iter().any(|check| check.verdict == Health::Problem);
    Ok(Verdict::of(!problem))
}

/// Formats the checks by group, and the number of checks per verdict.
fn list(checks: &[Check], style: Style) -> String {
    let widest = checks.iter().map(|check| check.check.chars().count()).max();
    // A long name extends beyond its column, so that it does not move the others.
    let width = widest.unwrap_or(0).min(28);
    let mut lines = Vec::new();
    let (mut group, mut helps) = ("", Vec::new());
    for check in checks {
        if check.group != group {
            group = check.group;
            lines.push(format!("\n{}", style.paint("1", group)));
        }
        let sign = style.paint(rendition(check.verdict), sign(check.verdict, style));
        lines.push(format!(
            "  {sign} {:<width$}  {}",
            check.check, check.detail
        ));
        let Some(help) = &check.help else { continue };
        // A help that several checks share is printed once.
        let printed = helps.contains(&help);
        helps.push(help);
        let help = if printed { "as above" } else { help };
        lines.extend(help.lines().map(|line| format!("      {line}")));
    }
    lines.push(format!("\n{}", summary(checks, style)));
    let list = lines.join("\n").trim_start().to_owned();
    if style.unicode {
        list
    } else {
        list.replace('µ', "u")
    }
}

fn summary(checks: &[Check], style: Style) -> String {
    let count = |verdict| {
        checks
            .iter()
            .filter(|check| check.verdict == verdict)
            .count()
    };
    let number = |count, one: &str, many: &str| match count {
        0 => format!("no {one}"),
        1 => format!("1 {one}"),
        _ => format!("{count} {many}"),
    };
    let (warnings, problems) = (count(Health::Warning), count(Health::Problem));
    let worst = checks.iter().map(|check| check.verdict).max();
    let text = format!(
        "{} checks: {} ok, {}, {}",
        checks.len(),
        count(Health::Ok),
        number(warnings, "warning", "warnings"),
        number(problems, "problem", "problems")
    );
    style.paint(rendition(worst.unwrap_or(Health::Ok)), &text)
}

const fn rendition(verdict: Health) -> &'static str {
    match verdict {
        Health::Ok => "32",
        Health::Warning => "33",
        Health::Problem => "1;31",
    }
}

const fn sign(verdict: Health, style: Style) -> &'static str {
    match (verdict, style.unicode) {
        (Health::Ok, true) => "✓",
        (Health::Ok, false) => "+",
        (Health::Warning, _) => "!",
        (Health::Problem, true) => "✗",
        (Health::Problem, false) => "x",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_readable_without_colours() {
        let style = Style {
            colour: false,
            unicode: false,
            terminal: false,
        };
        let checks = [
            Check::ok("tools", "yosys", "0.70"),
            Check::ok("tools", "icepack", "not found").but(Health::Warning, "install it"),
            Check::ok("serial lines", "/dev/ttyUSB0", "shut").but(Health::Problem, "one\ntwo"),
            Check::ok("boards", "ecppack", "not found").but(Health::Warning, "install it"),
        ];
        let expected = [
            "tools",
            "  + yosys         0.70",
            "  ! icepack       not found",
            "      install it",
            "",
            "serial lines",
            "  x /dev/ttyUSB0  shut",
            "      one",
            "      two",
            "",
            "boards",
            "  ! ecppack       not found",
            "      as above",
            "",
            "4 checks: 1 ok, 2 warnings, 1 problem",
        ];
        assert_eq!(list(&checks, style), expected.join("\n"));
    }
}
