//! Directories of installed programs.

use std::env;
use std::path::PathBuf;

use etcetera::BaseStrategy;

/// Environment variable that names the directory of installed programs.
pub const VARIABLE: &str = "DUOFORGE_TOOLS";

/// Directory of installed programs in the repository.
pub const REPOSITORY: &str = ".tools";

/// Returns the directory that [`VARIABLE`] names.
pub fn named() -> Option<PathBuf> {
    let value = env::var_os(VARIABLE).filter(|value| !value.is_empty())?;
    // The launchers and the simulators' caches need paths that hold in every directory.
    std::path::absolute(value).ok()
}

/// Returns the directory in the user's data: `~/.local/share/duoforge/tools`, or
/// `$XDG_DATA_HOME/duoforge/tools`. `None` without a home directory.
pub fn of_user() -> Option<PathBuf> {
    let base = etcetera::choose_base_strategy().ok()?;
    Some(base.data_dir().join("duoforge").join("tools"))
}

/// Returns the directory into which `duoforge setup` installs: the one that [`VARIABLE`] names, or
/// else the one in the user's data.
pub fn for_setup() -> Option<PathBuf> {
    named().or_else(of_user)
}

/// Returns the directories that are searched for launchers, in order: only the one that
/// [`VARIABLE`] names, or else `.tools` in the current directory, in the directory of the running
/// program and in all their parents, then the one in the user's data.
pub fn searched() -> Vec<PathBuf> {
    if let Some(directory) = named() {
        return vec![directory];
    }
    let starts = [env::current_dir().ok(), env::current_exe().ok()];
    let parents = starts.iter().flatten().flat_map(|start| start.ancestors());
    parents
        .map(|directory| directory.join(REPOSITORY))
        .chain(of_user())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_repository_has_priority_over_the_users_data() {
        if named().is_some() {
            assert_eq!(searched().len(), 1);
            return;
        }
        let directories = searched();
        let place = |directory: PathBuf| directories.iter().position(|other| *other == directory);
        let here = env::current_dir().expect("a current directory");
        let parents: Vec<_> = here
            .ancestors()
            .map(|directory| place(directory.join(REPOSITORY)).expect("every parent is searched"))
            .collect();
        assert!(parents.is_sorted(), "{directories:?}");
        if let Some(user) = of_user() {
            assert_eq!(place(user), Some(directories.len() - 1));
        }
    }
}
