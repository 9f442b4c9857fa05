//! Allowances: the retired terms that a file may still hold.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde::Deserialize;

/// Number of retired terms by file.
pub type Counts = BTreeMap<String, usize>;

/// Greatest number of findings by file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Allowances {
    /// Retired expressions of prose.
    pub prose: Counts,
    /// Retired words of identifiers and file names.
    pub identifiers: Counts,
}

impl Allowances {
    /// Reads the text of the file.
    ///
    /// # Errors
    /// A text that does not consist of lists of counts.
    pub fn read(text: &str) -> Result<Self> {
        toml::from_str(text).context("not two lists of counts by file")
    }

    /// Lowers every allowance to the present count; entries without a finding are dropped.
    pub fn lower(&mut self, counts: &Self) {
        lower(&mut self.prose, &counts.prose);
        lower(&mut self.identifiers, &counts.identifiers);
    }

    /// The file that [`Self::read`] reads, after a head.
    pub fn text(&self, head: &str) -> String {
        let list = |name: &str, counts: &Counts| {
            let lines = counts.iter();
            let lines = lines.map(|(path, allowed)| format!("{path:?} = {allowed}\n"));
            format!("\n[{name}]\n{}", lines.collect::<String>())
        };
        let prose = list("prose", &self.prose);
        format!("{head}{prose}{}", list("identifiers", &self.identifiers))
    }
}

/// The allowance of a file; 0 without an entry.
pub fn of(counts: &Counts, path: &str) -> usize {
    counts.get(path).copied().unwrap_or(0)
}

fn lower(allowances: &mut Counts, counts: &Counts) {
    allowances.retain(|path, allowed| {
        *allowed = (*allowed).min(of(counts, path));
        *allowed > 0
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn allowances_fall_and_never_rise() {
        let text = "[prose]\n\"a.rs\" = 3\n\"b.rs\" = 2\n\"c.rs\" = 1\n[identifiers]\n\"a.rs\" = 4\n\"c.rs\" = 1\n";
        let mut allowed = Allowances::read(text).unwrap();
        let counts = |counts: &[(&str, usize)]| -> Counts {
            let counts = counts.iter();
            counts
                .map(|&(path, count)| (path.to_owned(), count))
                .collect()
        };
        allowed.lower(&Allowances {
            prose: counts(&[("a.rs", 5), ("b.rs", 1), ("d.rs", 4)]),
            identifiers: counts(&[("a.rs", 2), ("b.rs", 7)]),
        });
        assert_eq!(allowed.prose, counts(&[("a.rs", 3), ("b.rs", 1)]));
        assert_eq!(allowed.identifiers, counts(&[("a.rs", 2)]));
        assert_eq!(
            (of(&allowed.prose, "b.rs"), of(&allowed.prose, "c.rs")),
            (1, 0)
        );
        let text = allowed.text("# Head.\n");
        assert_eq!(
            text,
            "# Head.\n\n[prose]\n\"a.rs\" = 3\n\"b.rs\" = 1\n\n[identifiers]\n\"a.rs\" = 2\n"
        );
        assert_eq!(Allowances::read(&text).unwrap(), allowed);
        assert_eq!(Allowances::read("").unwrap(), Allowances::default());
        assert!(Allowances::read("\"a.rs\" = 1\n").is_err());
    }
}
