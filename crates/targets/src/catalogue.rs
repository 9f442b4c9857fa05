//! Catalogue of targets: the files of `hdl/targets`, embedded in the program.

use duoforge_hdl::chooser::PlayerConfig;
use strsim::damerau_levenshtein;
use thiserror::Error;
use toml::{Table, Value};

use crate::target::Target;

macro_rules! files {
    ($end:literal: $($name:literal)*) => {
        &[$(($name, include_str!(concat!("../../../hdl/targets/", $name, $end)))),*]
    };
}

/// Target files by name, in the order in which targets are listed.
const BOARDS: &[(&str, &str)] = files! {
    ".toml":
    "ulx3s-85f"
    "ulx3s-45f"
    "ulx3s-25f"
    "ulx3s-12f"
    "hx8k-breakout"
    "de2-115"
    "nexys4-ddr"
    "arty-a7-35t"
    "arty-a7-100t"
};

/// Files of the Verilog tops by name.
const TOPS: &[(&str, &str)] = files! {
    ".v":
    "ulx3s"
    "hx8k_breakout"
    "de2_115"
    "digilent_a7"
};

/// Error of a target look-up.
#[derive(Debug, Error)]
pub enum TargetError {
    /// No target has this name.
    #[error("no board is called '{name}'")]
    Unknown {
        /// Name that was given.
        name: String,
        /// Most similar name, if one is close enough.
        nearest: Option<&'static str>,
    },
    /// The target has no search player.
    #[error("there is no search for {board}")]
    NoSearch {
        /// Name of the target.
        board: String,
    },
    /// The player needs an SDRAM, for which the target has no pins.
    #[error("there is no SDRAM on {board}")]
    NoSdram {
        /// Name of the target.
        board: String,
    },
    /// The file is not valid TOML, or a field is missing or unknown.
    #[error("hdl/targets/{name}.toml: {source}")]
    Syntax {
        /// Name of the target.
        name: String,
        /// Fault and its position.
        source: Box<toml::de::Error>,
    },
    /// The file parses, but its values are inconsistent.
    #[error("hdl/targets/{name}.toml: {fault}")]
    Fault {
        /// Name of the target.
        name: String,
        /// Fault of the target.
        fault: String,
    },
}

/// Returns the names of all targets.
pub fn names() -> impl Iterator<Item = &'static str> {
    BOARDS.iter().map(|&(name, _)| name)
}

/// Returns every target.
///
/// # Errors
/// [`TargetError`] if an embedded file is invalid, which a test rules out.
pub fn all() -> Result<Vec<Target>, TargetError> {
    names().map(find).collect()
}

/// Returns the target with this name.
///
/// # Errors
/// [`TargetError::Unknown`], with the most similar name.
pub fn find(name: &str) -> Result<Target, TargetError> {
    match text(BOARDS, name) {
        Some(file) => read(name, file),
        None => Err(TargetError::Unknown {
            name: name.into(),
            nearest: nearest(name),
        }),
    }
}

/// Returns the target with this name and this chooser.
///
/// # Errors
/// [`TargetError::Unknown`] for an unknown name, [`TargetError::NoSearch`] if the target has no
/// search player, [`TargetError::NoSdram`] if the chooser needs an SDRAM that it lacks.
pub fn find_with(name: &str, chooser: &PlayerConfig) -> Result<Target, TargetError> {
    let board = find(name)?;
    if chooser.has_sdram() && board.memory_pins.is_empty() {
        return Err(TargetError::NoSdram { board: name.into() });
    }
    let no_search = || TargetError::NoSearch { board: name.into() };
    board.with(chooser).ok_or_else(no_search)
}

/// Returns the Verilog of a target's top.
///
/// # Panics
/// Never for a target of the catalogue: its parser rejects a target without a top.
pub fn top(board: &Target) -> &'static str {
    text(TOPS, &board.top).expect("it was checked")
}

fn text(files: &[(&str, &'static str)], name: &str) -> Option<&'static str> {
    let file = files.iter().find(|(file, _)| *file == name);
    file.map(|&(_, text)| text)
}

/// Returns the most likely intended name: one with this prefix, else one within a small edit
/// distance.
fn nearest(name: &str) -> Option<&'static str> {
    let lower = name.to_lowercase();
    let distance = |known: &&str| damerau_levenshtein(&lower, known);
    let begins = |known: &&str| !lower.is_empty() && known.starts_with(&lower);
    names().find(begins).or_else(|| {
        names()
            .filter(|known| distance(known) <= known.len() / 3)
            .min_by_key(distance)
    })
}

/// Parses a target file.
fn read(name: &str, file: &str) -> Result<Target, TargetError> {
    let syntax = |source| TargetError::Syntax {
        name: name.into(),
        source: Box::new(source),
    };
    let fault = |fault| TargetError::Fault {
        name: name.into(),
        fault,
    };
    let mut table: Table = file.parse().map_err(syntax)?;
    let mut board: Target = match table.remove("like") {
        None => toml::from_str(file).map_err(syntax)?,
        Some(like) => {
            let model = like.as_str().and_then(|model| text(BOARDS, model));
            let model = model.ok_or_else(|| fault(format!("there is no board {like}")))?;
            let mut whole: Table = model.parse().map_err(syntax)?;
            // A search player may not fit the other chip, so it is not inherited.
            whole.remove("search");
            merge(&mut whole, table);
            whole.try_into().map_err(syntax)?
        }
    };
    board.name = name.into();
    if text(TOPS, &board.top).is_none() {
        return Err(fault(format!("there is no top {}.v", board.top)));
    }
    match board.fault() {
        Some(found) => Err(fault(found)),
        None => Ok(board),
    }
}

/// Merges the differences of a target into the one that it is `like`: tables are merged, other
/// values replaced.
fn merge(whole: &mut Table, differing: Table) {
    for (key, value) in differing {
        match (whole.get_mut(&key), value) {
            (Some(Value::Table(inner)), Value::Table(differing)) => merge(inner, differing),
            (_, value) => {
                whole.insert(key, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::build::stages;
    use crate::target::Role;

    const FILE: &str = include_str!("../../../hdl/targets/hx8k-breakout.toml");

    fn refusal(find: &str, replace: &str) -> String {
        assert!(FILE.contains(find), "{find}");
        let error = read("x", &FILE.replacen(find, replace, 1)).expect_err("it is wrong");
        error.to_string()
    }

    #[test]
    fn every_file_is_in_the_catalogue_and_every_board_is_sound() {
        let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hdl/targets");
        let mut files = 0;
        for entry in std::fs::read_dir(directory).expect("the boards' directory") {
            let path = entry.expect("a file").path();
            let stem = path.file_stem().and_then(|stem| stem.to_str());
            let files_of = match path.extension().and_then(|end| end.to_str()) {
                Some("toml") => BOARDS,
                Some("v") => TOPS,
                _ => continue,
            };
            files += 1;
            assert!(
                text(files_of, stem.unwrap_or_default()).is_some(),
                "{path:?}"
            );
        }
        assert_eq!(files, BOARDS.len() + TOPS.len());
        let boards = all().expect("all are sound");
        assert_eq!(boards.len(), BOARDS.len());
        for &(top, _) in TOPS {
            assert!(boards.iter().any(|board| board.top == top), "{top}");
        }
    }

    #[test]
    fn tops_have_the_ports_that_the_pins_name() {
        for board in all().expect("all are sound") {
            let text = top(&board);
            assert!(
                text.contains(&format!("module {}", board.top)),
                "{}",
                board.name
            );
            for pin in board.pins.iter().chain(&board.memory_pins) {
                let port = pin.port.split('[').next().unwrap_or_default();
                assert!(text.contains(port), "{}: {}", board.name, pin.port);
            }
        }
    }

    #[test]
    fn a_board_may_say_only_what_differs_from_another() {
        let (large, small) = (find("ulx3s-85f"), find("ulx3s-25f"));
        let (large, small) = (large.expect("a board"), small.expect("a board"));
        assert_eq!(large.pins, small.pins);
        assert_ne!(large.tools, small.tools);
        assert_ne!(large.title, small.title);
    }

    /// `[search]` section of a target file.
    const SEARCH: &str = "\n[search]\nname = \"search player\"\nleft_out = \"nothing\"\nseed = 7\n\
                          player = \"search:lanes=1,nodes=63\"\nsynthesis = \"-nowidelut\"\n";

    #[test]
    fn a_search_is_a_configuration_of_its_own() {
        let plain = read("x", FILE).expect("a board");
        let board = read("x", &format!("{FILE}{SEARCH}")).expect("a board with a search");
        let search: PlayerConfig = "search".parse().expect("a chooser");
        assert_eq!(plain.with(&search), None);
        assert_eq!(board.with(&PlayerConfig::Pattern), Some(board.clone()));
        let with = board.with(&search).expect("it has a search");
        assert_eq!(
            with.configuration.player.to_string(),
            "search:lanes=1,nodes=63"
        );
        assert_eq!((with.label().as_str(), with.seed), ("x-search", 7));
        let other: PlayerConfig = "search:lanes=2".parse().expect("a chooser");
        let with = board.with(&other).expect("it has a search");
        assert_eq!(with.configuration.player, other);
        let script = stages::script(&with, &[]);
        assert!(script.contains(" -nowidelut -top "), "{script}");
        assert_eq!(board.configured().count(), 2);
    }

    #[test]
    fn only_a_player_with_an_sdram_has_its_pins() {
        let with = |name, text: &str| find_with(name, &text.parse().expect("a chooser"));
        let pins = |text| {
            let board = with("ulx3s-85f", text).expect("a target");
            let is_defined = board.header().contains("`define SDRAM 1\n");
            assert_eq!(is_defined, board.configuration.player.has_sdram());
            board.pins_of(Role::Memory).count()
        };
        assert_eq!(pins("pattern"), 0);
        assert_eq!(pins("search:nodes=511"), 0);
        assert_eq!(pins("search:nodes=511,lines=64"), 6 + 2 + 13 + 2 + 16);
        let error = with("hx8k-breakout", "search:lines=64").expect_err("it has none");
        assert_eq!(error.to_string(), "there is no SDRAM on hx8k-breakout");
        let search = SEARCH.replace("nodes=63", "nodes=63,lines=64");
        let error = read("x", &format!("{FILE}{search}")).expect_err("it has none");
        let fault = "hdl/targets/x.toml: the search needs the pins of an SDRAM";
        assert_eq!(error.to_string(), fault);
    }

    #[test]
    fn a_search_stands_in_its_own_place() {
        let error = |file: &str| read("x", file).expect_err("it is wrong").to_string();
        let twice = error(&format!(
            "{FILE}{}",
            SEARCH.replace("search:lanes=1,nodes=63", "pattern")
        ));
        assert!(
            twice.contains("the search stands under [search]"),
            "{twice}"
        );
        let wide = error(&format!(
            "{FILE}{}",
            SEARCH.replace("nodes=63", "nodes=5000")
        ));
        assert!(
            wide.contains("nodes=5000 is not supported in hardware"),
            "{wide}"
        );
    }

    #[test]
    fn mistakes_in_a_file_are_named() {
        let unknown = refusal("seed =", "sead = 1\nseed =");
        assert!(unknown.contains("unknown field `sead`"), "{unknown}");
        let missing = refusal("seed =", "# seed =");
        assert!(missing.contains("missing field `seed`"), "{missing}");
        let tools = refusal("tools.ice40", "tools.ice50");
        assert!(tools.contains("unknown variant `ice50`"), "{tools}");
        let role = refusal("\"clock\", about", "\"clack\", about");
        assert!(role.contains("unknown variant `clack`"), "{role}");
        let syntax = refusal("seed =", "seed");
        assert!(
            syntax.starts_with("hdl/targets/x.toml: TOML parse error at line"),
            "{syntax}"
        );
        let like = refusal("seed =", "like = \"nothing\"\nseed =");
        assert_eq!(like, "hdl/targets/x.toml: there is no board \"nothing\"");
    }

    #[test]
    fn boards_that_make_no_sense_are_refused() {
        let top = refusal("top = \"hx8k_breakout\"", "top = \"missing\"");
        assert_eq!(top, "hdl/targets/x.toml: there is no top missing.v");
        let twice = refusal("\"B12\"", "\"B10\"");
        assert_eq!(twice, "hdl/targets/x.toml: two ports are placed at B10");
        let alone = refusal("\"tx\", about", "\"hold\", about");
        assert!(alone.contains("serial lines come in pairs"), "{alone}");
        let port = refusal("lights[1]", "lights[0]");
        assert!(port.contains("lights[0] is placed twice"), "{port}");
        let clock = refusal("\"clock\", about", "\"hold\", about");
        assert!(clock.contains("one clock"), "{clock}");
        let pll = refusal("feedback = 48", "feedback = 50");
        assert!(pll.contains("the PLL makes 37500000 Hz"), "{pll}");
    }

    #[test]
    fn unknown_names_are_answered_with_the_nearest() {
        let near = |name| match find(name) {
            Err(TargetError::Unknown { nearest, .. }) => nearest,
            other => panic!("{other:?}"),
        };
        assert_eq!(near("ulx3s"), Some("ulx3s-85f"));
        assert_eq!(near("ULX3S-25"), Some("ulx3s-25f"));
        assert_eq!(near("hx8k-braekout"), Some("hx8k-breakout"));
        assert_eq!(near("something else"), None);
        assert_eq!(near(""), None);
    }
}
