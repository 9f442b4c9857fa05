//! Table of the figures that commits state in their `Bench:` lines: `cargo xtask bench-log`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

/// Page that `--write` writes.
const PAGE: &str = "docs/bench-log.md";

/// Beginning of the line that states figures.
const KEY: &str = "Bench:";

const HEAD: &str = "\
# Figures by commit

Written by `cargo xtask bench-log --write` from the `Bench:` lines of the history, newest first. A pair of figures with
an arrow comes from one run on one machine; figures of different commits may come from different machines. Texts are
those of the commits, with the terms and keys of their time; [experiments.md](experiments.md) lists old and new keys.

| commit | date | change | figures |
|---|---|---|---|
";

/// Commit with figures.
#[derive(Debug, PartialEq, Eq)]
struct Row {
    /// Abbreviated hash.
    commit: String,
    /// Date of the commit, `YYYY-MM-DD`.
    date: String,
    /// First line of the message.
    subject: String,
    /// Figures of all `Bench:` lines.
    figures: String,
}

/// Prints the page, or writes it with `--write`.
///
/// # Errors
/// If an option does not exist, the history is incomplete, or the page cannot be written.
pub fn run(root: &Path, options: &[&str]) -> Result<()> {
    match options {
        [] => print!("{}", page(&rows(root)?)),
        ["--write"] => {
            let path = root.join(PAGE);
            fs::write(&path, page(&rows(root)?))
                .with_context(|| format!("{} could not be written", path.display()))?;
        }
        _ => bail!("`bench-log` has the option --write only; see `cargo xtask help`"),
    }
    Ok(())
}

/// Returns the commits with figures, newest first.
fn rows(root: &Path) -> Result<Vec<Row>> {
    let shallow = git(root, &["rev-parse", "--is-shallow-repository"])?;
    ensure!(
        shallow.trim() == "false",
        "the clone is shallow, so commits are missing: run `git fetch --unshallow`"
    );
    let log = git(
        root,
        &["log", "--abbrev=10", "--format=%h%x00%cs%x00%B%x1e"],
    )?;
    Ok(log.split('\x1e').filter_map(row).collect())
}

fn git(root: &Path, arguments: &[&str]) -> Result<String> {
    let output = Command::new("git")
        .args(arguments)
        .current_dir(root)
        .output()
        .context("git could not be started")?;
    ensure!(
        output.status.success(),
        "git {}: {}",
        arguments.join(" "),
        String::from_utf8_lossy(&output.stderr).trim()
    );
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Reads an entry of the log; `None` for a commit without figures.
fn row(entry: &str) -> Option<Row> {
    let mut parts = entry.trim_start().splitn(3, '\0');
    let [commit, date, message] = [parts.next()?, parts.next()?, parts.next()?];
    let figures = figures(message);
    let subject = message.lines().next()?;
    (!figures.is_empty()).then(|| Row {
        commit: commit.to_owned(),
        date: date.to_owned(),
        subject: subject.to_owned(),
        figures: figures.join("; "),
    })
}

/// Returns the figures of a message. They extend from `Bench:` to the next key or the end of the
/// paragraph; `none` states that nothing was measured.
fn figures(message: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut open = false;
    for line in message.lines().map(str::trim) {
        if let Some(text) = line.strip_prefix(KEY) {
            all.push(text.trim().to_owned());
            open = true;
        } else if line.is_empty() || is_key(line) {
            open = false;
        } else if let (true, Some(last)) = (open, all.last_mut()) {
            last.push(' ');
            last.push_str(line);
        }
    }
    let is_none = |text: &str| text.split([',', ';', '.']).next().map(str::trim) == Some("none");
    all.retain(|text| !text.is_empty() && !is_none(text));
    for text in &mut all {
        let end = text.trim_end_matches([';', '.']).len();
        text.truncate(end);
    }
    all
}

/// True if the line begins with a key such as `Co-authored-by:`.
fn is_key(line: &str) -> bool {
    let Some((key, _)) = line.split_once(": ") else {
        return false;
    };
    let letters = |byte: u8| byte.is_ascii_alphabetic() || byte == b'-';
    key.starts_with(|letter: char| letter.is_ascii_uppercase())
        && key.contains('-')
        && key.bytes().all(letters)
}

/// Returns the page of these rows.
fn page(rows: &[Row]) -> String {
    let cell = |text: &str| text.replace('|', "\\|");
    let mut page = HEAD.to_owned();
    for row in rows {
        let (subject, figures) = (cell(&row.subject), cell(&row.figures));
        let Row { commit, date, .. } = row;
        writeln!(page, "| {commit} | {date} | {subject} | {figures} |").expect("a string");
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    fn commit(root: &Path, message: &str) {
        let identity = ["-c", "user.name=A", "-c", "user.email=a@b.c"];
        let rest = ["-c", "commit.gpgsign=false", "commit", "--allow-empty"];
        let all = [&identity[..], &rest, &["--quiet", "--message", message]].concat();
        git(root, &all).expect("a commit");
    }

    #[test]
    fn rows_are_the_commits_of_a_repository_that_state_figures() {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().join("whole");
        fs::create_dir(&root).unwrap();
        git(&root, &["init", "--quiet"]).unwrap();
        commit(
            &root,
            "rules: count by runs\n\nFaster.\n\nBench: 1 -> 2 M/s | 2 cores;",
        );
        commit(&root, "docs: describe it\n\nBench: none, no code changed");
        commit(
            &root,
            "sim: simulate\n\nBench: 5 s\n  of 9 s\nBench: 7 MHz\nCo-authored-by: A <a@b.c>",
        );
        let rows = rows(&root).unwrap();
        let texts: Vec<_> = rows
            .iter()
            .map(|row| (row.subject.as_str(), row.figures.as_str()))
            .collect();
        assert_eq!(
            texts,
            [
                ("sim: simulate", "5 s of 9 s; 7 MHz"),
                ("rules: count by runs", "1 -> 2 M/s | 2 cores"),
            ]
        );
        let head = git(&root, &["rev-parse", "HEAD"]).unwrap();
        assert!(head.starts_with(&rows[0].commit), "{head}");
        let date = git(&root, &["log", "-1", "--format=%cs"]).unwrap();
        assert_eq!(rows[0].date, date.trim());
        let page = page(&rows);
        let last = page.lines().last().unwrap();
        assert!(
            last.ends_with("| rules: count by runs | 1 -> 2 M/s \\| 2 cores |"),
            "{last}"
        );
        run(&root, &["--fast"]).unwrap_err();
    }

    #[test]
    fn a_shallow_clone_is_refused() {
        let directory = tempfile::tempdir().unwrap();
        let [whole, part] = ["whole", "part"].map(|name| directory.path().join(name));
        fs::create_dir(&whole).unwrap();
        git(&whole, &["init", "--quiet"]).unwrap();
        commit(&whole, "a: b\n\nBench: 1");
        commit(&whole, "a: c\n\nBench: 2");
        let url = format!("file://{}", whole.display());
        let place = part.display().to_string();
        let clone = ["clone", "--quiet", "--depth", "1", &url, &place];
        git(directory.path(), &clone).unwrap();
        let error = run(&part, &[]).unwrap_err().to_string();
        assert!(error.contains("git fetch --unshallow"), "{error}");
        assert_eq!(rows(&whole).unwrap().len(), 2);
    }

    #[test]
    fn the_committed_page_has_the_head_of_the_command() {
        let path = Path::new(env!("CARGO_MANIFEST_DIR"))
            .join("../..")
            .join(PAGE);
        let committed = fs::read_to_string(path).unwrap();
        let rows = committed.strip_prefix(HEAD).expect("the head");
        assert!(rows.lines().count() >= 30, "{committed}");
        for row in rows.lines() {
            let cells: Vec<_> = row.split(" | ").collect();
            assert_eq!(cells.len(), 4, "{row}");
            let commit = cells[0].trim_start_matches("| ");
            assert!(commit.len() >= 10 && commit.bytes().all(|it| it.is_ascii_hexdigit()));
        }
    }
}
