//! Retired words of identifiers and file names.

use std::collections::{BTreeMap, HashMap};

use anyhow::{Result, ensure};
use serde::Deserialize;

use super::table::{Finding, is_within};

/// Words of identifiers that one term replaces.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Name {
    /// Retired words, in lower case.
    pub find: Vec<String>,
    /// Directories or files in which the words are retired; everywhere if the list is empty.
    #[serde(default)]
    pub within: Vec<String>,
    /// Permitted sequences of words, joined by underscores, with the reason: terms of the field,
    /// and names of outside crates, which cannot be renamed here.
    #[serde(default)]
    pub except: BTreeMap<String, String>,
    /// Advice: the term to be used.
    pub write: String,
}

impl Name {
    /// True if a permitted sequence covers the word at a place.
    fn permits(&self, words: &[String], at: usize) -> bool {
        self.except.keys().any(|sequence| {
            let sequence: Vec<_> = sequence.split('_').collect();
            let first = (at + 1).saturating_sub(sequence.len());
            (first..=at).any(|start| {
                let words = words.get(start..start + sequence.len());
                words.is_some_and(|words| words == sequence)
            })
        })
    }
}

/// The retired words of identifiers that count in one file.
#[derive(Debug)]
pub struct Names<'a> {
    by_word: HashMap<&'a str, &'a Name>,
}

impl<'a> Names<'a> {
    /// Selects the entries that count in a file.
    pub fn new(entries: &'a [Name], path: &str) -> Self {
        let counts = |entry: &&Name| {
            let mut places = entry.within.iter();
            entry.within.is_empty() || places.any(|place| is_within(path, place))
        };
        let entries = entries.iter().filter(counts);
        Self {
            by_word: entries
                .flat_map(|entry| entry.find.iter().map(move |word| (word.as_str(), entry)))
                .collect(),
        }
    }

    /// Retired words of identifiers with their lines, in the order of the text.
    pub fn in_code(&self, identifiers: &[(usize, &str)]) -> Vec<Finding> {
        let found = identifiers.iter();
        found
            .flat_map(|&(line, name)| self.of(line, name))
            .collect()
    }

    /// Retired words of the directories and the file of a path, as findings of line 0.
    pub fn in_path(&self, path: &str) -> Vec<Finding> {
        let path = path.rsplit_once('.').map_or(path, |(stem, _)| stem);
        path.split('/').flat_map(|part| self.of(0, part)).collect()
    }

    fn of(&self, line: usize, name: &str) -> Vec<Finding> {
        let words = split(name);
        let retired = words.iter().enumerate().filter_map(|(at, word)| {
            let entry = self.by_word.get(word.as_str())?;
            (!entry.permits(&words, at)).then(|| Finding {
                line,
                found: name.to_owned(),
                write: format!("{} for {word}", entry.write),
            })
        });
        retired.collect()
    }
}

/// Checks that each entry can match, and that no word has two entries.
///
/// # Errors
/// An empty entry, a word that never matches, one that occurs twice, or an exception without its
/// word or without a reason.
pub fn check(entries: &[Name]) -> Result<()> {
    let mut seen = Vec::new();
    for entry in entries {
        ensure!(
            !entry.find.is_empty() && !entry.write.is_empty(),
            "an entry of identifiers is empty"
        );
        for word in &entry.find {
            ensure!(split(word) == [word.as_str()], "'{word}': write one word");
            ensure!(!seen.contains(&word), "'{word}' occurs twice");
            seen.push(word);
        }
        for (sequence, reason) in &entry.except {
            let words = split(sequence);
            let has_word = words.iter().any(|word| entry.find.contains(word));
            ensure!(
                has_word && *sequence == words.join("_"),
                "'{sequence}': write words of {:?} and others, joined by underscores",
                entry.find
            );
            ensure!(!reason.is_empty(), "'{sequence}': give the reason");
        }
    }
    Ok(())
}

/// Splits a name into words in lower case: at what is neither letter nor digit, between letters
/// and digits, before a capital after a small letter, and before the last capital of several if a
/// small letter follows, as in `HTTPServer2`: `http`, `server`, `2`.
pub fn split(name: &str) -> Vec<String> {
    let letters: Vec<char> = name.chars().collect();
    let mut words: Vec<String> = Vec::new();
    let mut separate = true;
    for (i, &letter) in letters.iter().enumerate() {
        if !letter.is_alphanumeric() {
            separate = true;
            continue;
        }
        if let Some(&last) = i.checked_sub(1).and_then(|i| letters.get(i)) {
            let next_is_small = letters.get(i + 1).is_some_and(|it| it.is_lowercase());
            separate |= letter.is_uppercase() && (last.is_lowercase() || next_is_small);
            separate |= letter.is_numeric() != last.is_numeric();
        }
        if separate {
            words.push(String::new());
        }
        if let Some(word) = words.last_mut() {
            word.extend(letter.to_lowercase());
        }
        separate = false;
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Deserialize)]
    struct File {
        identifier: Vec<Name>,
    }

    fn entries(text: &str) -> Vec<Name> {
        toml::from_str::<File>(text).unwrap().identifier
    }

    const TABLE: &str = r#"
        [[identifier]]
        find = ["rival", "rivals"]
        write = "opponent"
        [[identifier]]
        find = ["square"]
        except = { square_root = "mathematics", least_square = "statistics" }
        write = "cell"
        [[identifier]]
        find = ["gap"]
        within = ["protocol"]
        write = "inter_byte_timeout"
    "#;

    fn found(findings: Vec<Finding>) -> Vec<String> {
        let text = |it: Finding| format!("{} {}: {}", it.line, it.found, it.write);
        findings.into_iter().map(text).collect()
    }

    #[test]
    fn names_are_split_at_underscores_digits_and_changes_of_case() {
        let table = [
            ("rival", "rival"),
            ("the_rival_moves", "the rival moves"),
            ("RivalMove", "rival move"),
            ("RIVAL_AROUND", "rival around"),
            ("_rival__near_", "rival near"),
            ("rival2", "rival 2"),
            ("rival3d_x", "rival 3 d x"),
            ("HTTPServer2", "http server 2"),
            ("isAI", "is ai"),
            ("aBC", "a bc"),
            ("U8", "u 8"),
            ("naïveÉtat", "naïve état"),
            ("rivalry", "rivalry"),
            ("near-rival.svg", "near rival svg"),
            ("_", ""),
            ("", ""),
        ];
        for (name, words) in table {
            assert_eq!(split(name).join(" "), words, "{name}");
        }
    }

    #[test]
    fn retired_words_are_found_inside_identifiers() {
        let entries = entries(TABLE);
        let names = Names::new(&entries, "sim/src/lib.rs");
        let code = [
            (1, "near_rival"),
            (1, "Rivalry"),
            (2, "TheRivals"),
            (3, "RIVAL_SQUARE"),
            (4, "gap"),
        ];
        let expected = [
            "1 near_rival: opponent for rival",
            "2 TheRivals: opponent for rivals",
            "3 RIVAL_SQUARE: opponent for rival",
            "3 RIVAL_SQUARE: cell for square",
        ];
        assert_eq!(found(names.in_code(&code)), expected);
    }

    #[test]
    fn exceptions_are_sequences_around_the_word() {
        let entries = entries(TABLE);
        let names = Names::new(&entries, "a.rs");
        let permitted = [
            (1, "square_root"),
            (1, "fast_square_root"),
            (1, "LeastSquare"),
        ];
        assert_eq!(names.in_code(&permitted), []);
        for name in [
            "square",
            "square_foot",
            "root_square",
            "square_least",
            "a_square",
        ] {
            assert_eq!(names.in_code(&[(1, name)]).len(), 1, "{name}");
        }
        // One word of two is permitted.
        assert_eq!(names.in_code(&[(1, "square_square_root")]).len(), 1);
    }

    #[test]
    fn a_word_may_be_retired_in_some_directories_only() {
        let entries = entries(TABLE);
        for (path, count) in [("protocol/src/a.rs", 1), ("protocol2/a.rs", 0), ("a.rs", 0)] {
            let names = Names::new(&entries, path);
            assert_eq!(names.in_code(&[(1, "GAP")]).len(), count, "{path}");
        }
    }

    #[test]
    fn directories_and_files_have_names_too() {
        let entries = entries(TABLE);
        let names = Names::new(&entries, "a.rs");
        let found = found(names.in_path("crates/rival/src/far_square.rs"));
        let expected = [
            "0 rival: opponent for rival",
            "0 far_square: cell for square",
        ];
        assert_eq!(found, expected);
        assert_eq!(names.in_path("crates/square_root/src/a.rival"), []);
    }

    #[test]
    fn unsound_entries_are_refused() {
        let entry = |find: &str, except: &str, write: &str| {
            let text = format!(
                "[[identifier]]\nfind = [{find}]\nexcept = {{ {except} }}\nwrite = \"{write}\"\n"
            );
            check(&entries(&text))
        };
        assert!(entry("\"a\", \"b\"", "a_c = \"why\"", "x").is_ok());
        let bad = [
            ("", "", "x"),
            ("\"a\"", "", ""),
            ("\"A\"", "", "x"),
            ("\"a_b\"", "", "x"),
            ("\"\"", "", "x"),
            ("\"a\", \"a\"", "", "x"),
            ("\"a\"", "c_d = \"why\"", "x"),
            ("\"a\"", "a_C = \"why\"", "x"),
            ("\"a\"", "a_b = \"\"", "x"),
        ];
        for (find, except, write) in bad {
            assert!(entry(find, except, write).is_err(), "{find} {except}");
        }
    }
}
