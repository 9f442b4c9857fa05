//! Check for numbers with a unit that are not marked as figures in a document.

use super::documents::{Part, parts};

/// Documents in which every figure must be marked.
pub const DOCUMENTS: [&str; 9] = [
    "README.md",
    "ARCHITECTURE.md",
    "docs/formats.md",
    "docs/guide.md",
    "docs/hardware.md",
    "docs/measuring.md",
    "docs/performance.md",
    "docs/protocol.md",
    "docs/search.md",
];

/// Units that turn the preceding number into a measured figure.
const UNITS: [&str; 27] = [
    "%",
    "+-",
    "±",
    "us",
    "µs",
    "ns",
    "ms",
    "MHz",
    "G",
    "M",
    "k",
    "cycles",
    "clock",
    "cycles",
    "cycle",
    "microseconds",
    "faults",
    "flip-flops",
    "games",
    "inputs",
    "kills",
    "LUT",
    "LUT4",
    "plies",
    "SIGKILLs",
    "simulations",
    "times",
];

/// Numbers with a unit that are constants of the contest, of the design or of a command, by
/// document.
const CONSTANTS: [(&str, &str); 29] = [
    ("README.md", "50 MHz"),
    ("README.md", "99,000 simulations"),
    ("README.md", "177,000 simulations"),
    ("ARCHITECTURE.md", "5 ms"),
    ("docs/formats.md", "0 games"),
    ("docs/guide.md", "95 %"),
    ("docs/guide.md", "16 ms"),
    ("docs/guide.md", "1 ms"),
    ("docs/hardware.md", "50 MHz"),
    ("docs/hardware.md", "143 MHz"),
    ("docs/hardware.md", "200 µs"),
    ("docs/hardware.md", "25 cycles"),
    ("docs/hardware.md", "64 ms"),
    ("docs/hardware.md", "7.8 µs"),
    ("docs/hardware.md", "16 cycles"),
    ("docs/hardware.md", "15.2 ns"),
    ("docs/hardware.md", "13 ns"),
    ("docs/performance.md", "20,000 simulations"),
    ("docs/performance.md", "25 cycles"),
    ("docs/performance.md", "880 ms"),
    ("docs/performance.md", "5 ms"),
    ("docs/protocol.md", "100 ms"),
    ("docs/search.md", "0.4 %"),
    ("docs/search.md", "101 games"),
    ("docs/search.md", "125,000 simulations"),
    ("docs/search.md", "177,000 simulations"),
    ("docs/search.md", "40 %"),
    ("docs/search.md", "880 ms"),
    ("docs/search.md", "50 MHz"),
];

/// Returns the numbers with a unit outside figures, code and the table of targets, with their
/// units.
pub fn find(name: &str, document: &str) -> Vec<String> {
    let Ok(parts) = parts(document) else {
        return vec!["its markers are broken".to_owned()];
    };
    // A figure's text is covered by its markers; here a word without digits replaces it.
    let text: String = parts
        .into_iter()
        .map(|part| match part {
            Part::Text(text) => text,
            Part::Figure(..) => "(figure)",
        })
        .collect();
    let mut found = Vec::new();
    let mut code = false;
    let mut prose = String::new();
    for line in text.lines() {
        if line.starts_with("```") {
            code = !code;
        } else if !code && !line.starts_with("    ") && !is_of_the_boards_table(line) {
            prose += line;
            prose.push('\n');
        }
    }
    let words: Vec<&str> = prose.split_whitespace().collect();
    for pair in words.windows(2) {
        let phrase = format!("{} {}", bare(pair[0]), bare(pair[1]));
        let is_figure = is_number(bare(pair[0])) && UNITS.contains(&bare(pair[1]));
        if is_figure && !CONSTANTS.contains(&(name, &phrase)) {
            found.push(phrase);
        }
    }
    found
}

/// Returns true for rows of the table that `cargo xtask report` writes; a separate test checks
/// them.
fn is_of_the_boards_table(line: &str) -> bool {
    line.starts_with('|')
        && (line.contains(" player | ") || line.contains("| required | achieved |"))
}

/// Returns a word without surrounding punctuation.
fn bare(word: &str) -> &str {
    let punctuation = |it: char| matches!(it, ',' | '.' | ';' | ':' | '(' | ')' | '|' | '*' | '`');
    word.trim_matches(punctuation)
}

fn is_number(word: &str) -> bool {
    word.starts_with(|it: char| it.is_ascii_digit())
        && word
            .chars()
            .all(|it| it.is_ascii_digit() || matches!(it, ',' | '.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_with_a_unit_are_found_outside_of_markers_and_code() {
        let document = "At most <!--fig:a-->1,920<!--/fig--> cycles, 2,000 cycles (38 us).\n\
            ```sh\nrun # 7 games\n```\n    cargo 8 games\n\
            | x (chip) | search player | 42 % |\n| a row | 43 %|\n\
            `sims=9` games, in 0.5\n+- 0.1, 3 cores.\n";
        let expected = ["2,000 cycles", "38 us", "43 %", "0.5 +-"];
        assert_eq!(find("x.md", document), expected);
    }

    #[test]
    fn every_constant_stands_in_its_document() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        for (name, phrase) in CONSTANTS {
            let document = super::super::read(&root.join(name)).unwrap();
            let words: Vec<&str> = document.split_whitespace().map(bare).collect();
            let text = format!(" {} ", words.join(" "));
            assert!(text.contains(&format!(" {phrase} ")), "{name}: {phrase}");
        }
    }
}
