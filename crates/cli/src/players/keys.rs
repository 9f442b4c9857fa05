//! Keys of the players that take settings, as a table for the terminal and for `docs/search.md`.

use clap::ValueEnum;
use duoforge_engine::EngineSettings;
use duoforge_hdl::search::settings::SearchConfig;
use duoforge_twin::search::keys::{Key, Row, Values, find};
use duoforge_twin::search::{SearchParameters, SearchSettings};

use super::{WIDTH, wrapped};

/// Maximum number of columns of a range; longer ranges are wrapped.
const RANGE: usize = 22;

/// Player with settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Twin of the search player
    Search,
    /// Search for processors
    Engine,
    /// Search player in hardware simulation
    Sim,
}

impl Kind {
    /// Word that the names of the player begin with.
    pub const fn word(self) -> &'static str {
        match self {
            Self::Search => "search",
            Self::Engine => "engine",
            Self::Sim => "sim",
        }
    }

    /// Returns the keys of the player's settings, with the values that the player permits.
    fn keys(self) -> Vec<Key> {
        match self {
            Self::Search => SearchSettings::keys().collect(),
            Self::Engine => EngineSettings::keys().collect(),
            Self::Sim => SearchConfig::keys().collect(),
        }
    }

    /// Returns the default of a key in words; `-` if the player has no such default.
    fn default(self, key: &Key) -> String {
        if !self.keys().iter().any(|own| own.name == key.name) {
            return "-".to_owned();
        }
        if let Values::Rows { .. } = key.values {
            return "learned".to_owned();
        }
        let value = match self {
            Self::Search => {
                let settings = SearchSettings::default();
                value(key, &SearchSettings::KEYS, &settings, &settings.parameters)
            }
            Self::Engine if key.name == "threads" => Some("all cores".to_owned()),
            Self::Engine => {
                let settings = EngineSettings::default();
                value(key, &EngineSettings::KEYS, &settings, &settings.parameters)
            }
            Self::Sim => {
                let settings = SearchConfig::default();
                value(key, &SearchConfig::KEYS, &settings, &settings.parameters)
            }
        };
        value.unwrap_or_else(|| "-".to_owned())
    }
}

/// Returns the value of a key in settings, whose other keys are those of the parameters.
fn value<S>(
    key: &Key,
    rows: &[Row<S>],
    settings: &S,
    parameters: &SearchParameters,
) -> Option<String> {
    match find(rows, key.name) {
        Some(row) => row.get(settings),
        None => find(&SearchParameters::KEYS, key.name)?.get(parameters),
    }
}

/// Table of the keys of a player: name, permitted values, default and meaning.
pub fn table(kind: Kind) -> String {
    let rows: Vec<[String; 4]> = kind
        .keys()
        .iter()
        .map(|key| {
            [
                key.name.to_owned(),
                key.values.to_string(),
                kind.default(key),
                key.meaning.to_owned(),
            ]
        })
        .collect();
    let heads = ["key", "values", "default", "meaning"].map(str::to_owned);
    let rows = [vec![heads], rows].concat();
    let widest = |column: usize| rows.iter().map(|row| row[column].len()).max();
    let [name, default] = [0, 2].map(|column| widest(column).unwrap_or(0));
    let meaning = WIDTH - name - RANGE - default - 6;
    let mut lines = Vec::new();
    for row in &rows {
        let [ranges, meanings] =
            [(1, RANGE), (3, meaning)].map(|(i, width)| wrapped(&row[i], width));
        for i in 0..ranges.len().max(meanings.len()) {
            let first = |text: &str| {
                if i == 0 {
                    text.to_owned()
                } else {
                    String::new()
                }
            };
            let part = |parts: &[String]| parts.get(i).cloned().unwrap_or_default();
            let line = format!(
                "{:name$}  {:RANGE$}  {:default$}  {}",
                first(&row[0]),
                part(&ranges),
                first(&row[2]),
                part(&meanings)
            );
            lines.push(line.trim_end().to_owned());
        }
    }
    lines.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Row of a Markdown table.
    fn row(cells: &[String]) -> String {
        format!("| {} |\n", cells.join(" | ")).replace("|  |", "| |")
    }

    /// Keys of `search` that `sim:search` has too, and the same keys in hardware.
    fn in_both() -> Vec<(Key, Key)> {
        let hardware: Vec<_> = SearchConfig::keys().collect();
        let pair = |key: Key| {
            let same = hardware.iter().find(|hardware| hardware.name == key.name);
            Some((key, *same?))
        };
        SearchSettings::keys().filter_map(pair).collect()
    }

    /// Markdown table of the keys that all searches share.
    fn shared() -> String {
        let mut text = "\
| key | meaning and unit | values | in hardware | `search` | `sim:search` | `engine` |
|---|---|---|---|--:|--:|--:|
"
        .to_owned();
        for (key, hardware) in in_both() {
            let narrower = match hardware.values == key.values {
                true => String::new(),
                false => hardware.values.to_string(),
            };
            let [search, sim, engine] =
                [Kind::Search, Kind::Sim, Kind::Engine].map(|kind| kind.default(&key));
            text += &row(&[
                format!("`{}`", key.name),
                key.meaning.to_owned(),
                key.values.to_string(),
                narrower,
                search,
                sim,
                engine,
            ]);
        }
        text
    }

    /// Markdown table of the other keys of a player.
    fn further(kind: Kind) -> String {
        let mut text = "\
| key | meaning and unit | values | default |
|---|---|---|--:|
"
        .to_owned();
        let shared: Vec<_> = in_both().into_iter().map(|(key, _)| key.name).collect();
        for key in kind.keys() {
            if shared.contains(&key.name) {
                continue;
            }
            text += &row(&[
                format!("`{}`", key.name),
                key.meaning.to_owned(),
                key.values.to_string(),
                kind.default(&key),
            ]);
        }
        text
    }

    #[test]
    fn the_page_of_the_search_contains_the_tables() {
        let page = include_str!("../../../../docs/search.md");
        for table in [
            shared(),
            further(Kind::Search),
            further(Kind::Sim),
            further(Kind::Engine),
        ] {
            assert!(
                page.contains(&format!("\n\n{table}\n")),
                "docs/search.md differs from this table:\n\n{table}"
            );
        }
    }

    #[test]
    fn tables_fit_the_terminal_and_name_every_key() {
        for kind in [Kind::Search, Kind::Engine, Kind::Sim] {
            let table = table(kind);
            for line in table.lines() {
                assert!(line.len() <= WIDTH, "{line}");
            }
            for key in kind.keys() {
                let start = format!("{} ", key.name);
                let found = table.lines().any(|line| line.starts_with(&start));
                assert!(found, "{}:\n{table}", key.name);
            }
        }
        assert!(!table(Kind::Engine).contains("\nlanes "));
    }
}
