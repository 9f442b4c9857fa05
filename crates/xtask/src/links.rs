//! Links of the pages lead to files and sections that exist.

use std::fs;
use std::path::{Path, PathBuf};

/// Pages of the repository: those of its root, of `docs`, of `hdl/formal` and of `examples`.
fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let directories = [
        root.clone(),
        root.join("docs"),
        root.join("docs/cluster"),
        root.join("docs/tutorials"),
        root.join("hdl/formal"),
        root.join("examples/ip"),
    ];
    let entries = directories
        .iter()
        .flat_map(|directory| fs::read_dir(directory).unwrap());
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .filter(|path| path.extension().is_some_and(|it| it == "md"))
        .collect()
}

/// Targets of the links `[text](target)`, without addresses of the web.
fn targets(page: &str) -> impl Iterator<Item = &str> {
    let after = page.split("](").skip(1);
    let targets = after.filter_map(|rest| rest.split_once(')'));
    targets
        .map(|(target, _)| target)
        .filter(|target| !target.contains("://"))
}

/// Name of the section that a title begins, as Markdown viewers make it.
fn anchor(title: &str) -> String {
    let letters = title.trim_start_matches('#').trim().chars();
    let kept = letters.filter(|it| it.is_alphanumeric() || matches!(it, ' ' | '-' | '_'));
    kept.map(|it| if it == ' ' { '-' } else { it })
        .flat_map(char::to_lowercase)
        .collect()
}

/// Fault of a link on a page, if there is one.
fn fault(page: &Path, target: &str) -> Option<String> {
    let (file, section) = target.split_once('#').unwrap_or((target, ""));
    let path = match file {
        "" => page.to_owned(),
        file => page.parent()?.join(file),
    };
    if !path.exists() {
        return Some(format!("{}: {target} does not exist", page.display()));
    }
    let text = fs::read_to_string(&path).unwrap_or_default();
    let mut titles = text.lines().filter(|line| line.starts_with('#'));
    let is_found = section.is_empty() || titles.any(|title| anchor(title) == section);
    (!is_found).then(|| format!("{}: {target} names no section", page.display()))
}

#[test]
fn every_link_leads_somewhere() {
    let pages = pages();
    assert!(pages.len() >= 15, "only {} pages", pages.len());
    let mut faults = Vec::new();
    for page in pages {
        let text = fs::read_to_string(&page).unwrap();
        faults.extend(targets(&text).filter_map(|target| fault(&page, target)));
    }
    assert_eq!(faults, [""; 0]);
}

#[test]
fn broken_links_are_faults() {
    let directory = tempfile::tempdir().unwrap();
    let page = directory.path().join("page.md");
    let text = "# The title: `one`\n[a](page.md#the-title-one) [b](#two) [c](none.md) [d](https://x.y/z)\n";
    fs::write(&page, text).unwrap();
    let faults: Vec<_> = targets(text).filter_map(|it| fault(&page, it)).collect();
    assert_eq!(faults.len(), 2, "{faults:?}");
    assert!(faults[0].ends_with("#two names no section"));
    assert!(faults[1].ends_with("none.md does not exist"));
}
