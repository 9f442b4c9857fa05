//! Sources of a contestant's player as one text, so that a simulator's cache detects every change.

use std::fs;
use std::path::{Path, PathBuf};

use crate::error::{Result, SimError};

/// Maximum depth of nested `include` directives.
const MAX_DEPTH: usize = 16;

/// Directive that names the file and line of the text after it, for the errors of a simulator.
pub(crate) const LINE: &str = "`line ";

/// Sources of a player.
#[derive(Debug)]
pub(super) struct Sources {
    /// Text of all sources, with included files in place of the directives.
    pub text: String,
    /// True if a source is SystemVerilog, by the name of its file.
    pub system_verilog: bool,
}

impl Sources {
    /// Reads a file, or the sources of a directory: those that the list `TOP.f` names, otherwise
    /// all files `.v` and `.sv` that are not test benches (`*_tb`, `tb_*`).
    pub(super) fn read(path: &Path, top: &str) -> Result<Self> {
        let (files, directories) = files(path, top)?;
        let mut text = String::new();
        for file in &files {
            text += &expanded(file, &directories, 0)?;
            // A directive of one file does not apply to the next.
            text += "\n`default_nettype wire\n";
        }
        Ok(Self {
            text,
            system_verilog: files.iter().any(|file| has_extension(file, "sv")),
        })
    }

    /// Returns the names of the modules.
    pub(super) fn modules(&self) -> Vec<String> {
        let lines = self.text.lines().filter(|line| !line.starts_with(LINE));
        let is_other = |c: char| !(c.is_alphanumeric() || c == '_' || c == '$');
        let words: Vec<&str> = lines
            .flat_map(|line| line.split(is_other))
            .filter(|word| !word.is_empty())
            .collect();
        let pairs = words.windows(2).filter(|pair| pair[0] == "module");
        let mut names: Vec<_> = pairs.map(|pair| pair[1].to_owned()).collect();
        names.sort_unstable();
        names.dedup();
        names
    }
}

fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found == extension)
}

/// Returns the source files, and the directories of included files that the list names.
fn files(path: &Path, top: &str) -> Result<(Vec<PathBuf>, Vec<PathBuf>)> {
    if path.is_file() {
        return Ok((vec![path.to_owned()], Vec::new()));
    }
    let list = path.join(format!("{top}.f"));
    if list.is_file() {
        return listed(&list, path, top);
    }
    let entries = fs::read_dir(path).map_err(SimError::io("reading", path))?;
    let is_bench = |file: &Path| {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        stem.ends_with("_tb") || stem.starts_with("tb_")
    };
    let mut files: Vec<_> = entries
        .filter_map(|entry| entry.ok().map(|entry| entry.path()))
        .filter(|file| has_extension(file, "v") || has_extension(file, "sv"))
        .filter(|file| !is_bench(file))
        .collect();
    files.sort();
    Ok((files, Vec::new()))
}

/// Returns the source files and directories that a list in this directory names.
fn listed(list: &Path, directory: &Path, top: &str) -> Result<(Vec<PathBuf>, Vec<PathBuf>)> {
    let (mut files, mut directories) = (Vec::new(), Vec::new());
    for (index, line) in read(list)?.lines().enumerate() {
        let line = line.trim();
        if let Some(names) = line.strip_prefix("+incdir+") {
            let names = names.split('+').filter(|name| !name.is_empty());
            directories.extend(names.map(|name| directory.join(name)));
        } else if line.starts_with(['+', '-']) {
            let (list, number) = (list.display(), index + 1);
            return Err(SimError::BadDesign {
                top: top.to_owned(),
                reason: format!(
                    "{list}, line {number}: '{line}' is not supported: expected a file or \
                     +incdir+DIRECTORY"
                ),
            });
        } else if !line.is_empty() && !line.starts_with('#') && !line.starts_with("//") {
            files.push(directory.join(line));
        }
    }
    Ok((files, directories))
}

fn read(path: &Path) -> Result<String> {
    let bytes = fs::read(path).map_err(SimError::io("reading", path))?;
    // Comments may be in any encoding.
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the text of a file with included files in place of the directives, and with absolute
/// paths in `$readmemh` and `$readmemb`. A file that does not exist is left to the simulator.
fn expanded(path: &Path, directories: &[PathBuf], depth: usize) -> Result<String> {
    let directory = path.parent().unwrap_or(Path::new(""));
    let directory = std::path::absolute(directory).unwrap_or_else(|_| directory.to_owned());
    let mut text = place(path, 1);
    for (line, number) in read(path)?.lines().zip(2..) {
        let included = line.trim_start().strip_prefix("`include");
        let included = included.and_then(quoted).and_then(|name| {
            let places = std::iter::once(&directory).chain(directories);
            let mut files = places.map(|directory| directory.join(name));
            files.find(|file| file.is_file())
        });
        match included.filter(|_| depth < MAX_DEPTH) {
            Some(file) => {
                text += &expanded(&file, directories, depth + 1)?;
                text += &place(path, number);
            }
            None => {
                text += &with_absolute_data(line, &directory);
                text.push('\n');
            }
        }
    }
    Ok(text)
}

/// Returns the directive for a line of a file, with another name for a path that it cannot contain.
fn place(path: &Path, line: usize) -> String {
    let mut path = path.display().to_string();
    if path.contains(['"', '\\', '\n']) {
        path = "source.v".to_owned();
    }
    format!("{LINE}{line} \"{path}\" 0\n")
}

/// Returns the first text in double quotes.
fn quoted(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once('"')?;
    rest.split_once('"').map(|(inside, _)| inside)
}

/// Returns a line in which `$readmemh` and `$readmemb` name existing files by absolute paths.
fn with_absolute_data(line: &str, directory: &Path) -> String {
    let Some((before, call)) = line.split_once("$readmem") else {
        return line.to_owned();
    };
    let Some(name) = quoted(call) else {
        return line.to_owned();
    };
    let file = directory.join(name);
    let call = match file.is_file() {
        true => call.replacen(
            &format!("\"{name}\""),
            &format!("\"{}\"", file.display()),
            1,
        ),
        false => call.to_owned(),
    };
    format!("{before}$readmem{call}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn directory(files: &[(&str, &str)]) -> tempfile::TempDir {
        let directory = tempfile::tempdir().expect("a temporary directory");
        for (name, text) in files {
            fs::write(directory.path().join(name), text).expect("it is written");
        }
        directory
    }

    #[test]
    fn a_directory_is_read_without_its_test_benches() {
        let directory = directory(&[
            ("b.v", "module b; endmodule"),
            ("a.v", "module a; endmodule"),
            ("a_tb.v", "module a_tb; endmodule"),
            ("tb_a.sv", "module tb_a; endmodule"),
            ("notes.txt", "module notes; endmodule"),
        ]);
        let sources = Sources::read(directory.path(), "a").expect("sources");
        assert_eq!(sources.modules(), ["a", "b"]);
        assert!(!sources.system_verilog);
        let one = Sources::read(&directory.path().join("b.v"), "a").expect("sources");
        assert_eq!(one.modules(), ["b"]);
        assert!(Sources::read(&directory.path().join("none"), "a").is_err());
    }

    #[test]
    fn a_list_selects_the_sources() {
        let directory = directory(&[
            ("a.f", "# sources\nb.v\n\n+incdir+x\n"),
            ("a.v", "module a; endmodule"),
            ("b.v", "module b; endmodule"),
        ]);
        let sources = Sources::read(directory.path(), "a").expect("sources");
        assert_eq!(sources.modules(), ["b"]);
    }

    #[test]
    fn a_list_may_have_absolute_paths_and_directories_of_included_files() {
        let directory = directory(&[
            ("b.v", "`include \"head.vh\"\nmodule b; endmodule"),
            ("c.f", "b.v\n-y library\n"),
        ]);
        let inner = directory.path().join("inner");
        fs::create_dir(&inner).expect("a directory");
        fs::write(inner.join("head.vh"), "`define N 1\n").expect("it is written");
        let file = directory.path().join("b.v");
        let list = format!("// sources\n{}\n+incdir+none+inner\n", file.display());
        fs::write(directory.path().join("a.f"), list).expect("it is written");
        let sources = Sources::read(directory.path(), "a").expect("sources");
        assert_eq!(sources.modules(), ["b"]);
        assert!(sources.text.contains("`define N 1"), "{}", sources.text);
        let refused = Sources::read(directory.path(), "c").expect_err("an option");
        assert!(
            refused.to_string().contains("line 2: '-y library'"),
            "{refused}"
        );
    }

    #[test]
    fn included_files_and_data_are_found_from_any_directory() {
        let directory = directory(&[
            (
                "a.v",
                "`include \"head.vh\"\n  `include \"none.vh\"\nmodule a;\n",
            ),
            (
                "head.vh",
                "`include \"head.vh\"\n`define N 1\ninitial $readmemh(\"rom.hex\", rom);\n\
                 initial $readmemb(\"none.bin\", rom);\n",
            ),
            ("rom.hex", "0\n"),
        ]);
        let text = Sources::read(directory.path(), "a").expect("sources").text;
        assert!(
            text.contains("`define N 1") && text.contains("`include \"none.vh\""),
            "{text}"
        );
        let rom = directory.path().join("rom.hex");
        assert!(
            text.contains(&format!("$readmemh(\"{}\", rom)", rom.display())),
            "{text}"
        );
        assert!(text.contains("$readmemb(\"none.bin\", rom)"), "{text}");
        // A file that includes itself ends.
        assert_eq!(text.matches("`define N 1").count(), MAX_DEPTH);
        let after = format!(
            "`line 2 \"{}\" 0\n  `include",
            directory.path().join("a.v").display()
        );
        assert!(text.contains(&after), "{text}");
    }
}
