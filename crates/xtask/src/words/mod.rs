//! Step `words`: retired terms in prose and code.
//!
//! `crates/xtask/words.toml` lists retired expressions and identifiers, each with the term to be
//! used; the terms are those of `docs/glossary.md`. Prose is every Markdown page and every comment
//! of a Rust source. A file may hold as many retired expressions as
//! `crates/xtask/words-allowed.toml` permits, 0 without an entry. An allowance only falls: `cargo
//! xtask words --allow` lowers it to the present count.

mod prose;
mod table;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use table::{Allowances, Finding, Table};

/// Retired terms.
const TABLE: &str = "crates/xtask/words.toml";

/// Greatest number of retired terms by file.
const ALLOWED: &str = "crates/xtask/words-allowed.toml";

const HEAD: &str = "\
# Greatest number of retired terms in the prose of a file; 0 without an entry. `cargo xtask words --allow` lowers
# entries to the present counts; it raises none. Where a file was moved, move its line. To start again from the
# present counts, delete this file first.
";

/// Findings of one file.
#[derive(Debug, Default)]
struct Findings {
    prose: Vec<Finding>,
    code: Vec<Finding>,
}

/// Runs the command: checks, lowers the allowances, or lists what is found below some paths.
///
/// # Errors
/// Those of [`check`], an unknown option, or a file that cannot be written.
pub fn run(root: &Path, options: &[&str]) -> Result<()> {
    match options {
        [] => println!("{}", check(root)?),
        ["--allow"] => allow(root)?,
        ["--list", places @ ..] => {
            for (path, findings) in findings(root)? {
                if places.is_empty() || places.iter().any(|place| path.starts_with(place)) {
                    print(&path, findings.prose.iter().chain(&findings.code));
                }
            }
        }
        _ => bail!("`words` takes --allow, or --list and paths; see `cargo xtask help`"),
    }
    Ok(())
}

/// Compares every file with its allowance and returns one line for the summary.
///
/// # Errors
/// A file with more retired terms than its allowance, or one that cannot be read.
pub fn check(root: &Path) -> Result<String> {
    let allowed = allowances(root)?;
    let findings = findings(root)?;
    let mut faults = Vec::new();
    let mut lower = 0;
    let mut total = 0;
    for (path, findings) in &findings {
        let (count, most) = (findings.prose.len(), allowed.of(path));
        total += count;
        if count > most {
            print(path, &findings.prose);
            faults.push(format!(
                "{path}: {count} retired terms, expected at most {most}"
            ));
        }
        lower += usize::from(count < most);
        if !findings.code.is_empty() {
            print(path, &findings.code);
            faults.push(format!(
                "{path}: {} retired identifiers",
                findings.code.len()
            ));
        }
    }
    let gone = allowed
        .0
        .keys()
        .filter(|path| !findings.contains_key(*path));
    lower += gone.count();
    if lower > 0 {
        println!(
            "{lower} files have fewer retired terms than {ALLOWED} permits: run `cargo xtask words --allow`"
        );
    }
    ensure!(
        faults.is_empty(),
        "use the terms of docs/glossary.md:\n  {}",
        faults.join("\n  ")
    );
    Ok(format!("{total} retired terms left"))
}

/// Lowers the allowances to the present counts; without a file of them, writes the present counts.
fn allow(root: &Path) -> Result<()> {
    let counts: BTreeMap<_, _> = findings(root)?
        .into_iter()
        .map(|(path, findings)| (path, findings.prose.len()))
        .filter(|(_, count)| *count > 0)
        .collect();
    let mut allowed = match root.join(ALLOWED).exists() {
        true => allowances(root)?,
        false => Allowances(counts.clone()),
    };
    allowed.lower(&counts);
    let total: usize = allowed.0.values().sum();
    fs::write(root.join(ALLOWED), allowed.text(HEAD)).context(ALLOWED)?;
    println!(
        "{ALLOWED}: {total} retired terms in {} files",
        allowed.0.len()
    );
    Ok(())
}

fn allowances(root: &Path) -> Result<Allowances> {
    Allowances::read(&read(root, ALLOWED)?).context(ALLOWED)
}

fn read(root: &Path, path: &str) -> Result<String> {
    fs::read_to_string(root.join(path)).with_context(|| format!("{path} could not be read"))
}

/// Findings by file, of files that have any.
fn findings(root: &Path) -> Result<BTreeMap<String, Findings>> {
    let table = Table::read(&read(root, TABLE)?).context(TABLE)?;
    let mut all = BTreeMap::new();
    for path in files(root)? {
        // A file that was deleted since the last commit is still listed.
        if table.skips(&path) || !root.join(&path).exists() {
            continue;
        }
        let text = read(root, &path)?;
        let findings = if path.ends_with(".rs") {
            Findings {
                prose: table.in_prose(&prose::comments(&text)),
                code: table.in_code(&path, &prose::identifiers(&text)),
            }
        } else {
            Findings {
                prose: table.in_prose(&prose::markdown(&text)),
                code: Vec::new(),
            }
        };
        if !(findings.prose.is_empty() && findings.code.is_empty()) {
            all.insert(path, findings);
        }
    }
    Ok(all)
}

/// Markdown pages and Rust sources of the repository, without those that git ignores.
fn files(root: &Path) -> Result<Vec<String>> {
    let output = git(root)
        .args([
            "ls-files",
            "-z",
            "--cached",
            "--others",
            "--exclude-standard",
        ])
        .args(["--", "*.md", "*.rs"])
        .output()
        .context("git could not be started")?;
    ensure!(
        output.status.success(),
        "git cannot list the files: {}",
        String::from_utf8_lossy(&output.stderr).trim()
    );
    let names = String::from_utf8(output.stdout).context("a file name is not UTF-8")?;
    let mut names: Vec<_> = names.split_terminator('\0').map(str::to_owned).collect();
    names.sort();
    names.dedup();
    Ok(names)
}

/// Git in a directory, without the variables that a hook sets for another one.
fn git(root: &Path) -> Command {
    let mut command = Command::new("git");
    command.current_dir(root);
    for variable in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
        command.env_remove(variable);
    }
    command
}

fn print<'a>(path: &str, findings: impl IntoIterator<Item = &'a Finding>) {
    for Finding { line, found, write } in findings {
        println!("{path}:{line}: \"{found}\": write {write}");
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// A repository with a table, an allowance of 1 for `a.md`, and two files.
    fn repository(page: &str, source: &str) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        fs::create_dir_all(root.join("crates/xtask")).unwrap();
        let table = "skip = []\n[[word]]\nfind = [\"rival\"]\nwrite = \"opponent\"\n\
                     [[identifiers]]\nwithin = [\"b.rs\"]\nenforced = true\nnames = { old = \"new\" }\n";
        for (path, text) in [
            (TABLE, table),
            (ALLOWED, "\"a.md\" = 1\n"),
            ("a.md", page),
            ("b.rs", source),
        ] {
            fs::write(root.join(path), text).unwrap();
        }
        let status = git(root).args(["init", "-q"]).status();
        assert!(status.unwrap().success());
        folder
    }

    #[test]
    fn a_file_may_hold_its_allowance_and_no_more() {
        let good = repository("A rival.\n", "// An opponent.\n");
        assert_eq!(check(good.path()).unwrap(), "1 retired terms left");
        let more = repository("A rival, a rival.\n", "// A rival.\n");
        let error = check(more.path()).unwrap_err().to_string();
        assert!(
            error.contains("a.md: 2 retired terms, expected at most 1"),
            "{error}"
        );
        assert!(
            error.contains("b.rs: 1 retired terms, expected at most 0"),
            "{error}"
        );
        let old = repository("", "fn old() {}\n");
        let error = check(old.path()).unwrap_err().to_string();
        assert!(error.contains("b.rs: 1 retired identifiers"), "{error}");
    }

    #[test]
    fn allowances_are_written_once_and_lowered_from_then_on() {
        let folder = repository("A rival, a rival.\n", "// A rival.\n");
        let root = folder.path();
        fs::remove_file(root.join(ALLOWED)).unwrap();
        run(root, &["--allow"]).unwrap();
        check(root).unwrap();
        fs::write(root.join("a.md"), "A rival.\n").unwrap();
        fs::write(root.join("b.rs"), "// A rival, a rival.\n").unwrap();
        run(root, &["--allow"]).unwrap();
        let allowed = allowances(root).unwrap();
        assert_eq!((allowed.of("a.md"), allowed.of("b.rs")), (1, 1));
        assert!(check(root).is_err());
        assert!(run(root, &["--raise"]).is_err());
    }

    #[test]
    fn the_committed_files_are_sound() {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
        let table = Table::read(&read(&root, TABLE).unwrap()).unwrap();
        assert!(table.words.len() >= 30);
        for place in table
            .skip
            .iter()
            .chain(table.identifiers.iter().flat_map(|it| &it.within))
        {
            assert!(root.join(place).exists(), "{place}");
        }
        let allowed = allowances(&root).unwrap();
        assert!(allowed.0.values().all(|count| *count > 0));
    }
}
