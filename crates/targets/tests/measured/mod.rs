//! Comparison of a target's search with a measured one.

use duoforge_hdl::search::settings::SearchConfig;

/// Settings outside of the twin's: the time, and the nodes of an SDRAM that are in block RAM too.
const OUTSIDE: [&str; 2] = ["ms=", "lines="];

/// Asserts that the settings that were measured, with commas between, have all of a target's search
/// but those outside of the twin's.
pub fn has_settings_of(search: &SearchConfig, measured: &str, label: &str) {
    for setting in search.to_string().split(',') {
        let outside = OUTSIDE.iter().any(|key| setting.starts_with(key));
        let found = outside || measured.split(',').any(|it| it == setting);
        assert!(found, "{label}: {setting}");
    }
}
