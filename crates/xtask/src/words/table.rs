//! Retired terms, and where they occur.

use std::collections::{BTreeMap, HashMap};

use anyhow::{Result, ensure};
use serde::Deserialize;

use super::names::{self, Name};
use super::prose::Word;

/// The file of retired terms.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Table {
    /// Files that are not read: history, and the page that lists the terms.
    pub skip: Vec<String>,
    /// Retired expressions of prose.
    #[serde(rename = "word")]
    pub words: Vec<Entry>,
    /// Retired words of identifiers.
    #[serde(rename = "identifier", default)]
    pub names: Vec<Name>,
    /// Retired identifiers of code.
    #[serde(rename = "identifiers", default)]
    pub identifiers: Vec<Identifiers>,
}

/// Expressions that one term replaces.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    /// Words, or several words with spaces; after `^` only at the beginning of a documentation
    /// comment.
    pub find: Vec<String>,
    /// Longer expressions that are permitted.
    #[serde(default)]
    pub except: Vec<String>,
    /// Advice: the term to be used.
    pub write: String,
}

/// Old and new identifiers of some directories.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identifiers {
    /// Directories or files, relative to the repository.
    pub within: Vec<String>,
    /// True once the rename is done: from then on an old name fails the step.
    pub enforced: bool,
    /// New names by old ones.
    pub names: BTreeMap<String, String>,
}

/// A retired term in a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// Line of the file, from 1; 0 for its name.
    pub line: usize,
    /// Retired term, as in the table.
    pub found: String,
    /// Term to be used, or advice.
    pub write: String,
}

impl Table {
    /// Reads the text of the file.
    ///
    /// # Errors
    /// A text that is not a table of terms, an expression that occurs twice, or one that never
    /// matches.
    pub fn read(text: &str) -> Result<Self> {
        let table: Self = toml::from_str(text)?;
        let mut seen = HashMap::new();
        for entry in &table.words {
            ensure!(
                !entry.find.is_empty() && !entry.write.is_empty(),
                "an entry is empty"
            );
            for expression in entry.find.iter().chain(&entry.except) {
                let plain = expression.trim_start_matches('^');
                let words: Vec<_> = plain.split(' ').collect();
                let is_sound =
                    words.iter().all(|word| !word.is_empty()) && plain == plain.to_lowercase();
                ensure!(
                    is_sound,
                    "'{expression}': write lower case, with single spaces"
                );
            }
            for expression in &entry.find {
                let old = seen.insert(expression, &entry.write);
                ensure!(old.is_none(), "'{expression}' occurs twice");
            }
        }
        names::check(&table.names)?;
        Ok(table)
    }

    /// True if a file is not read.
    pub fn skips(&self, path: &str) -> bool {
        self.skip.iter().any(|skipped| is_within(path, skipped))
    }

    /// Retired expressions in prose, in the order of the text.
    pub fn in_prose(&self, words: &[Word]) -> Vec<Finding> {
        let mut by_first: HashMap<&str, Vec<(Phrase, &Entry)>> = HashMap::new();
        for entry in &self.words {
            for expression in &entry.find {
                let phrase = Phrase::new(expression);
                by_first
                    .entry(phrase.words[0])
                    .or_default()
                    .push((phrase, entry));
            }
        }
        let mut findings = Vec::new();
        let mut at = 0;
        while let Some(word) = words.get(at) {
            let candidates = by_first.get(word.text.as_str()).into_iter().flatten();
            let hits = candidates.filter(|(phrase, entry)| {
                phrase.matches(words, at) && !entry.permits(words, at, phrase.words.len())
            });
            let longest = hits.max_by_key(|(phrase, _)| phrase.words.len());
            at += longest.map_or(1, |(phrase, _)| phrase.words.len());
            if let Some((phrase, entry)) = longest {
                findings.push(Finding {
                    line: word.line,
                    found: phrase.words.join(" "),
                    write: entry.write.clone(),
                });
            }
        }
        findings
    }

    /// Retired identifiers of a Rust source: those that are enforced.
    pub fn in_code(&self, path: &str, identifiers: &[(usize, &str)]) -> Vec<Finding> {
        let lists = self.identifiers.iter().filter(|list| list.enforced);
        let lists: Vec<_> = lists
            .filter(|list| list.within.iter().any(|place| is_within(path, place)))
            .collect();
        let mut findings = Vec::new();
        for &(line, name) in identifiers {
            if let Some(new) = lists.iter().find_map(|list| list.names.get(name)) {
                findings.push(Finding {
                    line,
                    found: name.to_owned(),
                    write: new.clone(),
                });
            }
        }
        findings
    }
}

impl Entry {
    /// True if a permitted expression covers `length` words at a place.
    fn permits(&self, words: &[Word], at: usize, length: usize) -> bool {
        self.except.iter().any(|expression| {
            let phrase = Phrase::new(expression);
            let first = (at + length).saturating_sub(phrase.words.len());
            (first..=at).any(|start| phrase.matches(words, start))
        })
    }
}

/// An expression as words.
#[derive(Debug)]
struct Phrase<'a> {
    words: Vec<&'a str>,
    opening: bool,
}

impl<'a> Phrase<'a> {
    fn new(expression: &'a str) -> Self {
        Self {
            words: expression.trim_start_matches('^').split(' ').collect(),
            opening: expression.starts_with('^'),
        }
    }

    fn matches(&self, words: &[Word], at: usize) -> bool {
        let Some(found) = words.get(at..at + self.words.len()) else {
            return false;
        };
        let is_open = !self.opening || found[0].opening;
        let is_joined = found[1..].iter().all(|word| !word.separate);
        is_open
            && is_joined
            && found
                .iter()
                .zip(&self.words)
                .all(|(word, it)| word.text == **it)
    }
}

/// True if a path is a place, or below it.
pub fn is_within(path: &str, place: &str) -> bool {
    let rest = path.strip_prefix(place.trim_end_matches('/'));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::super::prose::{comments, markdown};
    use super::super::source::identifiers;
    use super::*;

    const TABLE: &str = r#"
        skip = ["old.md", "docs/history"]
        [[word]]
        find = ["rival", "rivals"]
        write = "opponent"
        [[word]]
        find = ["is no"]
        except = ["there is no", "is no longer"]
        write = "is not a"
        [[word]]
        find = ["^whether"]
        write = "True if"
        [[identifiers]]
        within = ["crates/rules"]
        enforced = true
        names = { Ground = "PlayoutMaps" }
        [[identifiers]]
        within = ["crates/referee/src/connection/mod.rs"]
        enforced = false
        names = { Line = "Connection" }
    "#;

    fn found(findings: Vec<Finding>) -> Vec<String> {
        let text = |it: Finding| format!("{} {} -> {}", it.line, it.found, it.write);
        findings.into_iter().map(text).collect()
    }

    #[test]
    fn expressions_are_found_across_lines_and_not_across_sentences() {
        let table = Table::read(TABLE).unwrap();
        let page = "The rival's tile is\nno tile. It is. No `rival`. There is no Rival;\nthis is no longer true.\n";
        let expected = [
            "1 rival -> opponent",
            "1 is no -> is not a",
            "2 rival -> opponent",
        ];
        assert_eq!(found(table.in_prose(&markdown(page))), expected);
    }

    #[test]
    fn an_expression_may_be_limited_to_the_first_word_of_documentation() {
        let table = Table::read(TABLE).unwrap();
        let source =
            "/// Whether it is so,\n/// whether or not.\nfn a() {}\n// Whether.\nfn b() {}\n";
        assert_eq!(
            found(table.in_prose(&comments(source))),
            ["1 whether -> True if"]
        );
    }

    #[test]
    fn identifiers_count_where_they_are_enforced() {
        let table = Table::read(TABLE).unwrap();
        let names = identifiers("use Ground;\nstruct Line;\n// Ground\n");
        let expected = ["1 Ground -> PlayoutMaps"];
        assert_eq!(
            found(table.in_code("crates/rules/src/lib.rs", &names)),
            expected
        );
        assert!(table.in_code("crates/rules2/src/lib.rs", &names).is_empty());
        assert!(
            table
                .in_code("crates/referee/src/connection/mod.rs", &names)
                .is_empty()
        );
    }

    #[test]
    fn skipped_places_are_files_and_directories() {
        let table = Table::read(TABLE).unwrap();
        assert!(table.skips("old.md") && table.skips("docs/history/one.md"));
        assert!(!table.skips("old.md.md") && !table.skips("docs/histories.md"));
    }

    #[test]
    fn unsound_tables_are_refused() {
        let words = |find: &str| format!("skip = []\n[[word]]\nfind = [{find}]\nwrite = \"x\"\n");
        assert!(Table::read(&words("\"a b\"")).is_ok());
        for bad in ["", "\"A\"", "\"a  b\"", "\"\"", "\"a\", \"a\""] {
            assert!(Table::read(&words(bad)).is_err(), "{bad}");
        }
    }
}
