//! Comparison of a target's search with a measured one.

use duoforge_hdl::search::settings::SearchConfig;

/// Settings outside of the twin's search for a move: the time, the nodes of an SDRAM that are in block
/// RAM too, the search in the opponent's time, which the measured searches do not continue, and the
/// opening book, whose positions they do not begin in.
const OUTSIDE: [&str; 4] = ["ms=", "lines=", "ponder=", "book="];

/// Asserts that the settings that were measured, with commas between, have all of a target's search
/// but those outside of the twin's.
pub fn has_settings_of(search: &SearchConfig, measured: &str, label: &str) {
    for setting in search.to_string().split(',') {
        let outside = OUTSIDE.iter().any(|key| setting.starts_with(key));
        let found = outside || measured.split(',').any(|it| it == setting);
        assert!(found, "{label}: {setting}");
    }
}
