//! Reader and writer of `docs/figures.json`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Path of the file, relative to the repository.
pub const FILE: &str = "docs/figures.json";

/// Measured figures by name.
#[derive(Debug, Clone, Default, PartialEq, Deserialize, Serialize)]
#[serde(transparent)]
pub struct Figures(pub BTreeMap<String, Figure>);

/// Measured figure.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    /// Description of the measured quantity.
    pub about: String,
    /// Command that measures the figure.
    pub command: String,
    /// True if a person runs the command and writes the values; false if `cargo xtask figures`
    /// does.
    pub by_hand: bool,
    /// Date of the measurement.
    pub date: String,
    /// Measured commit, or the commit whose message or documents report the measurement.
    pub commit: String,
    /// Values by name: numbers, texts, or rows of a table.
    pub values: BTreeMap<String, Value>,
}

impl Figures {
    /// Reads the file.
    ///
    /// # Errors
    /// If the file cannot be read or parsed.
    pub fn load(root: &Path) -> Result<Self> {
        let text = super::read(&root.join(FILE))?;
        serde_json::from_str(&text).context(FILE)
    }

    /// Writes the file.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub fn save(&self, root: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        fs::write(root.join(FILE), text).with_context(|| format!("{FILE} could not be written"))
    }

    /// Returns all numbers and texts as documents show them, by the names `FIGURE.VALUE`.
    pub fn texts(&self) -> BTreeMap<String, String> {
        let mut texts = BTreeMap::new();
        for (name, figure) in &self.0 {
            for (key, value) in &figure.values {
                let text = match (value, value.as_u64()) {
                    (_, Some(number)) => grouped(number),
                    (Value::Number(number), None) => number.to_string(),
                    (Value::String(text), _) => text.clone(),
                    _ => continue,
                };
                texts.insert(format!("{name}.{key}"), text);
            }
        }
        texts
    }

    /// Returns an integer.
    ///
    /// # Errors
    /// If there is no such figure or value.
    pub fn number(&self, name: &str, key: &str) -> Result<u64> {
        let figure = self.0.get(name);
        let number = figure.and_then(|figure| figure.values.get(key)?.as_u64());
        number.with_context(|| format!("{FILE} holds no number {name}.{key}"))
    }
}

/// Formats a number with a comma before each group of three digits.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_shown_as_documents_write_them() {
        let json = r#"{"reply": {"about": "a", "command": "c", "by_hand": false, "date": "2026-11-21",
            "commit": "0123456", "values": {"longest": 1920, "all": 1234567, "ms": 0.38,
            "score": "0.5 +- 0.1", "rows": [{"ply": 0}]}}}"#;
        let figures: Figures = serde_json::from_str(json).unwrap();
        let texts = figures.texts();
        let shown: Vec<_> = texts
            .iter()
            .map(|(name, text)| format!("{name} {text}"))
            .collect();
        let expected = [
            "reply.all 1,234,567",
            "reply.longest 1,920",
            "reply.ms 0.38",
            "reply.score 0.5 +- 0.1",
        ];
        assert_eq!(shown, expected);
        assert_eq!(figures.number("reply", "longest").unwrap(), 1920);
        assert!(figures.number("reply", "score").is_err());
        assert!(figures.number("other", "longest").is_err());
    }
}
