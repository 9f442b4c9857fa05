//! Conformance check: number, name, requirement and procedure.

use std::fmt;

use crate::bot::BotTester;
use crate::conversation::Conversation;
use crate::device::CheckError;

/// Kind of check: required or advisory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Required of every device by the contest's rules and protocol.
    Required,
    /// The contest leaves the behaviour open: the check warns and never fails.
    Advice,
}

/// Procedure of a check, by what it examines.
#[derive(Clone, Copy)]
pub(crate) enum Procedure {
    /// Device or player, in the contest's protocol; returns the observation.
    Device(fn(&mut Conversation) -> Result<String, CheckError>),
    /// Text bot, in the text protocol; returns the observation.
    Bot(fn(&mut BotTester) -> Result<String, CheckError>),
}

/// Numbered conformance check of a device or text bot.
pub struct ConformanceCheck {
    /// Number, from 1.
    pub number: usize,
    /// Name in small letters and hyphens.
    pub name: &'static str,
    /// Requirement in a sentence.
    pub about: &'static str,
    /// Kind of check.
    pub kind: Kind,
    /// Procedure of the check.
    pub(crate) run: Procedure,
    /// True if the check only examines the record of the first game, without the device.
    pub(crate) looks_back: bool,
}

impl fmt::Debug for ConformanceCheck {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.number, self.name)
    }
}

impl ConformanceCheck {
    /// True if the check examines a text bot in its text protocol.
    #[must_use]
    pub const fn is_for_bots(&self) -> bool {
        matches!(self.run, Procedure::Bot(_))
    }

    /// Finds a check by its number or name.
    #[must_use]
    pub fn find(text: &str) -> Option<&'static Self> {
        const ALL: &[ConformanceCheck; 25] = &ConformanceCheck::ALL;
        const BOT: &[ConformanceCheck; 13] = &ConformanceCheck::BOT;
        ALL.iter()
            .chain(BOT)
            .find(|step| step.name == text || step.number.to_string() == text)
    }

    /// Finds the present name of a check by a name that it had in an earlier version.
    #[must_use]
    pub fn renamed(text: &str) -> Option<&'static str> {
        const NAMES: [(&str, &str); 7] = [
            ("glued", "back-to-back"),
            ("overtaken", "superseded"),
            ("no-hello", "no-handshake"),
            ("half-code", "partial-code"),
            ("bonus", "last-tile"),
            ("rival-finished", "opponent-finished"),
            ("real-passes", "no-voluntary-pass"),
        ];
        let mut names = NAMES.iter();
        names
            .find(|(old, _)| *old == text)
            .map(|&(_, present)| present)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_numbered_in_their_order_and_found_by_number_and_name() {
        let all = ConformanceCheck::ALL.iter().chain(&ConformanceCheck::BOT);
        for (i, step) in all.enumerate() {
            assert_eq!(step.is_for_bots(), i >= 25);
            assert_eq!(step.number, i + 1);
            assert_eq!(
                ConformanceCheck::find(step.name).map(|step| step.number),
                Some(i + 1)
            );
            assert_eq!(
                ConformanceCheck::find(&(i + 1).to_string()).map(|step| step.name),
                Some(step.name)
            );
        }
        assert!(ConformanceCheck::find("39").is_none() && ConformanceCheck::find("").is_none());
    }

    #[test]
    fn former_names_lead_to_checks() {
        for old in ["glued", "rival-finished", "real-passes"] {
            assert!(ConformanceCheck::find(old).is_none(), "{old}");
            assert!(
                ConformanceCheck::renamed(old)
                    .and_then(ConformanceCheck::find)
                    .is_some(),
                "{old}"
            );
        }
        assert_eq!(ConformanceCheck::renamed("handshake"), None);
    }

    #[test]
    fn only_checks_of_open_behaviour_are_advisory() {
        let all = ConformanceCheck::ALL.iter().chain(&ConformanceCheck::BOT);
        let advisory = all.filter(|step| step.kind == Kind::Advice);
        let numbers: Vec<_> = advisory.map(|step| step.number).collect();
        assert_eq!(numbers, [20, 21, 22, 23, 24, 25, 37, 38]);
    }
}
