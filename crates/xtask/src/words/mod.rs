//! Step `words`: retired terms in prose and code.
//!
//! `crates/xtask/words.toml` lists retired expressions and identifiers, each with the term to be
//! used; the terms are those of `docs/glossary.md`. Prose is every Markdown page and every comment
//! of a Rust source; code is every identifier of a Rust source, and the names of these files. A
//! file may hold as many retired terms as `crates/xtask/words-allowed.toml` permits, 0 without an
//! entry. An allowance only falls: `cargo xtask words --allow` lowers it to the present count.

mod allowed;
mod names;
mod prose;
mod source;
mod table;

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use allowed::{Allowances, Counts};
use names::Names;
use table::{Finding, Table};

/// Retired terms.
const TABLE: &str = "crates/xtask/words.toml";

/// Greatest number of retired terms by file.
const ALLOWED: &str = "crates/xtask/words-allowed.toml";

const HEAD: &str = "\
# Greatest number of retired terms in the prose and in the identifiers of a file; 0 without an entry. `cargo xtask
# words --allow` lowers entries to the present counts; it raises none. Where a file was moved, move its line. To start
# again from the present counts, delete this file first.
";

/// Findings of one file.
#[derive(Debug, Default)]
struct Findings {
    prose: Vec<Finding>,
    /// Retired words of identifiers and of the file's name.
    names: Vec<Finding>,
    /// Old identifiers that were renamed.
    code: Vec<Finding>,
}

impl Findings {
    fn all(&self) -> impl Iterator<Item = &Finding> {
        self.prose.iter().chain(&self.names).chain(&self.code)
    }
}

/// Runs the command: checks, lowers the allowances, or lists what is found below some paths.
///
/// # Errors
/// As for [`check`]; an unknown option, or a file that cannot be written.
pub fn run(root: &Path, options: &[&str]) -> Result<()> {
    match options {
        [] => println!("{}", check(root)?),
        ["--allow"] => allow(root)?,
        ["--list", places @ ..] => {
            for (path, findings) in findings(root)? {
                if places.is_empty() || places.iter().any(|place| path.starts_with(place)) {
                    print(&path, findings.all());
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
    let mut totals = [0; 2];
    for (path, findings) in &findings {
        let kinds = [
            ("terms", &findings.prose, &allowed.prose),
            (
                "words of identifiers",
                &findings.names,
                &allowed.identifiers,
            ),
        ];
        for ((kind, found, allowed), total) in kinds.into_iter().zip(&mut totals) {
            let (count, most) = (found.len(), allowed::of(allowed, path));
            *total += count;
            if count > most {
                print(path, found);
                faults.push(format!(
                    "{path}: {count} retired {kind}, expected at most {most}"
                ));
            }
            lower += usize::from(count < most);
        }
        if !findings.code.is_empty() {
            print(path, &findings.code);
            faults.push(format!(
                "{path}: {} retired identifiers",
                findings.code.len()
            ));
        }
    }
    let listed = allowed.prose.keys().chain(allowed.identifiers.keys());
    let gone = listed.filter(|path| !findings.contains_key(*path));
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
    let [prose, names] = totals;
    Ok(format!(
        "{prose} retired terms left, {names} in identifiers"
    ))
}

/// Lowers the allowances to the present counts; without a file of them, writes the present counts.
fn allow(root: &Path) -> Result<()> {
    let counts = counts(&findings(root)?);
    let mut allowed = match root.join(ALLOWED).exists() {
        true => allowances(root)?,
        false => counts.clone(),
    };
    allowed.lower(&counts);
    fs::write(root.join(ALLOWED), allowed.text(HEAD)).context(ALLOWED)?;
    let lists = [&allowed.prose, &allowed.identifiers];
    let [prose, names] = lists.map(|list| list.values().sum::<usize>());
    println!("{ALLOWED}: {prose} retired terms in prose, {names} in identifiers");
    Ok(())
}

/// Numbers of findings of all files that have any.
fn counts(findings: &BTreeMap<String, Findings>) -> Allowances {
    let count = |of: fn(&Findings) -> usize| -> Counts {
        let counts = findings.iter().map(|(path, it)| (path.clone(), of(it)));
        counts.filter(|(_, count)| *count > 0).collect()
    };
    Allowances {
        prose: count(|it| it.prose.len()),
        identifiers: count(|it| it.names.len()),
    }
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
        let names = Names::new(&table.names, &path);
        let mut findings = Findings {
            names: names.in_path(&path),
            ..Findings::default()
        };
        if path.ends_with(".rs") {
            let identifiers = source::identifiers(&text);
            findings.prose = table.in_prose(&prose::comments(&text));
            findings.names.extend(names.in_code(&identifiers));
            findings.code = table.in_code(&path, &identifiers);
        } else {
            findings.prose = table.in_prose(&prose::markdown(&text));
        }
        if findings.all().next().is_some() {
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
        match line {
            0 => println!("{path}: \"{found}\": write {write}"),
            _ => println!("{path}:{line}: \"{found}\": write {write}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    /// A repository with a table, an allowance of 1 for `a.md`, and two files.
    fn repository(page: &str, source: &str) -> tempfile::TempDir {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path();
        fs::create_dir_all(root.join("crates/xtask")).unwrap();
        let table = "skip = []\n[[word]]\nfind = [\"rival\"]\nwrite = \"opponent\"\n\
                     [[identifier]]\nfind = [\"rival\"]\nwrite = \"opponent\"\n\
                     [[identifiers]]\nwithin = [\"b.rs\"]\nenforced = true\nnames = { old = \"new\" }\n";
        for (path, text) in [
            (TABLE, table),
            (
                ALLOWED,
                "[prose]\n\"a.md\" = 1\n[identifiers]\n\"b.rs\" = 2\n",
            ),
            ("a.md", page),
            ("b.rs", source),
        ] {
            fs::write(root.join(path), text).unwrap();
        }
        let status = git(root).args(["init", "-q"]).status();
        assert!(status.unwrap().success());
        directory
    }

    #[test]
    fn a_file_may_hold_its_allowance_and_no_more() {
        let good = repository("A rival.\n", "// An opponent.\n");
        let left = |prose, names| format!("{prose} retired terms left, {names} in identifiers");
        assert_eq!(check(good.path()).unwrap(), left(1, 0));
        let names = repository("", "fn near_rival(rival: u8) {}\n");
        assert_eq!(check(names.path()).unwrap(), left(0, 2));
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
        let more = repository("", "fn near_rival(rival: u8) {}\nstruct TheRival;\n");
        let error = check(more.path()).unwrap_err().to_string();
        let expected = "b.rs: 3 retired words of identifiers, expected at most 2";
        assert!(error.contains(expected), "{error}");
        let old = repository("", "fn old() {}\n");
        let error = check(old.path()).unwrap_err().to_string();
        assert!(error.contains("b.rs: 1 retired identifiers"), "{error}");
    }

    #[test]
    fn allowances_are_written_once_and_lowered_from_then_on() {
        let directory = repository("A rival, a rival.\n", "// A rival.\nfn rival() {}\n");
        let root = directory.path();
        fs::remove_file(root.join(ALLOWED)).unwrap();
        run(root, &["--allow"]).unwrap();
        check(root).unwrap();
        fs::write(root.join("a.md"), "A rival.\n").unwrap();
        fs::write(
            root.join("b.rs"),
            "// A rival, a rival.\nfn rival_rival() {}\n",
        )
        .unwrap();
        run(root, &["--allow"]).unwrap();
        let allowed = allowances(root).unwrap();
        let prose = |path| allowed::of(&allowed.prose, path);
        assert_eq!((prose("a.md"), prose("b.rs")), (1, 1));
        assert_eq!(allowed::of(&allowed.identifiers, "b.rs"), 1);
        assert!(check(root).is_err());
        assert!(run(root, &["--raise"]).is_err());
    }

    #[test]
    fn the_committed_files_are_sound() {
        let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
        let table = Table::read(&read(&root, TABLE).unwrap()).unwrap();
        assert!(table.words.len() >= 30 && table.names.len() >= 20);
        for place in table
            .skip
            .iter()
            .chain(table.identifiers.iter().flat_map(|it| &it.within))
            .chain(table.names.iter().flat_map(|it| &it.within))
        {
            assert!(root.join(place).exists(), "{place}");
        }
        let allowed = allowances(&root).unwrap();
        let lists = [allowed.prose, allowed.identifiers];
        assert!(
            lists
                .iter()
                .flat_map(Counts::values)
                .all(|count| *count > 0)
        );
    }
}
