//! Files of JSON lines that begin with a header.
//!
//! A file may be the concatenation of several files with equal headers.

use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use flate2::read::MultiGzDecoder;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// First field of every header: what kind of file it is.
const FORMAT: &str = "\"format\"";

/// Parses a file: its header and its other lines. Headers that repeat are skipped.
///
/// # Errors
/// The first invalid line, by its number; a header that differs from the first one.
pub fn parse<H: DeserializeOwned + PartialEq, R: DeserializeOwned>(
    text: &str,
) -> Result<(H, Vec<R>)> {
    let mut header = None;
    let mut rows = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let place = || format!("line {}", number + 1);
        if line.starts_with('{') && line[1..].starts_with(FORMAT) {
            let found: H = serde_json::from_str(line).with_context(place)?;
            let first = header.get_or_insert_with(|| (found, line.to_owned()));
            let other: H = serde_json::from_str(line).with_context(place)?;
            ensure!(
                first.0 == other,
                "{}: the header differs from that of line 1: {line} instead of {}",
                place(),
                first.1
            );
        } else if header.is_none() {
            bail!("line 1 is not a header: expected an object with \"format\"");
        } else {
            rows.push(serde_json::from_str(line).with_context(place)?);
        }
    }
    let (header, _) = header.context("the file is empty: expected a header in line 1")?;
    Ok((header, rows))
}

/// Reads and parses a file, see [`parse`]. A file whose name ends in `.gz` is decompressed.
///
/// # Errors
/// As for [`parse`]; a file that cannot be read.
pub fn read<H: DeserializeOwned + PartialEq, R: DeserializeOwned>(
    path: &Path,
) -> Result<(H, Vec<R>)> {
    let name = path.display();
    let text = text(path).with_context(|| format!("{name} cannot be read"))?;
    parse(&text).with_context(|| name.to_string())
}

/// Reads the text of a file, which is compressed if its name ends in `.gz`.
fn text(path: &Path) -> std::io::Result<String> {
    let file = File::open(path)?;
    if path.extension().is_some_and(|extension| extension == "gz") {
        return std::io::read_to_string(MultiGzDecoder::new(file));
    }
    std::io::read_to_string(file)
}

/// File that grows line by line. Each line is written at once, so a program that is killed loses at
/// most the line in progress. The file is locked, so no second process appends to it.
#[derive(Debug)]
pub struct Appender {
    path: PathBuf,
    file: File,
}

impl Drop for Appender {
    /// Releases the lock, which closing the file alone does not do at once: an engine that another
    /// thread starts at this moment has the file until it is executed.
    fn drop(&mut self) {
        let _ = self.file.unlock();
    }
}

impl Appender {
    /// Opens a file for more rows and returns its rows so far; a file that is new or empty gets
    /// the header. A partial last line, which a killed program left, is removed.
    ///
    /// # Errors
    /// A file with another header or an invalid line; a file that cannot be read or written.
    pub fn open<H, R>(path: &Path, header: &H) -> Result<(Self, Vec<R>)>
    where
        H: Serialize + DeserializeOwned + PartialEq,
        R: DeserializeOwned,
    {
        let name = path.display().to_string();
        let failed = || format!("{name} cannot be written");
        let file = OpenOptions::new().create(true).append(true).open(path);
        let file = file.with_context(failed)?;
        let locked = file.try_lock();
        locked.with_context(|| format!("{name} is in use: another process appends to it"))?;
        let text = std::fs::read_to_string(path);
        let text = text.with_context(|| format!("{name} cannot be read"))?;
        let whole = text.rfind('\n').map_or(0, |end| end + 1);
        let mut appender = Self {
            path: path.to_owned(),
            file,
        };
        if whole == 0 {
            // A killed program may have left the beginning of the header.
            ensure!(
                serde_json::to_string(header)?.starts_with(&text),
                "{name} is another file: expected the header {}",
                serde_json::to_string(header)?
            );
            appender.file.set_len(0).with_context(failed)?;
            appender.push(header)?;
            return Ok((appender, Vec::new()));
        }
        let (found, rows): (H, _) = parse(&text[..whole]).with_context(|| name.clone())?;
        ensure!(
            found == *header,
            "{name} was made with other settings: {} instead of {}; choose another file",
            serde_json::to_string(&found)?,
            serde_json::to_string(header)?
        );
        appender.file.set_len(whole as u64).with_context(failed)?;
        Ok((appender, rows))
    }

    /// Appends a line, or after a failed write nothing.
    ///
    /// # Errors
    /// A failed write.
    pub fn push(&mut self, row: &impl Serialize) -> Result<()> {
        let mut line = serde_json::to_vec(row)?;
        line.push(b'\n');
        let size = self.file.metadata().map(|metadata| metadata.len());
        let written = self.file.write_all(&line);
        if let (Err(_), Ok(size)) = (&written, size) {
            // A partial line would make the file invalid once another line follows.
            let _ = self.file.set_len(size);
        }
        written.with_context(|| format!("{} cannot be written", self.path.display()))
    }
}

#[cfg(test)]
mod tests {
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Header {
        format: String,
    }

    fn header(text: &str) -> Header {
        Header {
            format: text.to_owned(),
        }
    }

    #[test]
    fn concatenated_files_need_equal_headers() {
        let one = "{\"format\":\"a\"}\n1\n2\n";
        let (found, rows): (Header, Vec<u32>) = parse(&[one, one].concat()).expect("a file");
        assert_eq!((found, rows), (header("a"), vec![1, 2, 1, 2]));
        for (text, expected) in [
            ("", "the file is empty"),
            ("1\n", "line 1 is not a header"),
            ("{\"format\":\"a\"}\n1\nx\n", "line 3"),
            (
                "{\"format\":\"a\"}\n{\"format\":\"b\"}\n",
                "line 2: the header differs",
            ),
        ] {
            let error = parse::<Header, u32>(text).expect_err("no file");
            assert!(format!("{error:#}").contains(expected), "{error:#}");
        }
    }

    #[test]
    fn compressed_files_are_read_like_others() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = directory.path().join("rows.gz");
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        encoder
            .write_all(b"{\"format\":\"a\"}\n5\n7\n")
            .expect("memory");
        let mut bytes = encoder.finish().expect("memory");
        std::fs::write(&path, &bytes).expect("a file");
        let (found, rows): (Header, Vec<u32>) = read(&path).expect("a file");
        assert_eq!((found, rows), (header("a"), vec![5, 7]));
        bytes.truncate(20);
        std::fs::write(&path, &bytes).expect("a file");
        let error = read::<Header, u32>(&path).expect_err("a part of a file");
        assert!(format!("{error:#}").contains("rows.gz cannot be read"));
    }

    #[test]
    fn files_grow_after_an_interruption_and_refuse_another_header() {
        let directory = tempfile::tempdir().expect("a temporary directory");
        let path = directory.path().join("rows");
        let open = |text: &str| Appender::open::<Header, u32>(&path, &header(text));
        let (mut file, rows) = open("a").expect("a new file");
        assert!(rows.is_empty());
        file.push(&1).expect("a row");
        drop(file);
        // A program that was killed while it wrote a row.
        let text = std::fs::read_to_string(&path).expect("text");
        std::fs::write(&path, format!("{text}23")).expect("a file");
        let (mut file, rows) = open("a").expect("the same file");
        assert_eq!(rows, [1]);
        file.push(&4).expect("a row");
        let error = format!("{:#}", open("a").expect_err("a second process"));
        assert!(error.contains("is in use"), "{error}");
        // Handle that an engine inherits, which another thread starts.
        let inherited = file.file.try_clone().expect("a second handle");
        drop(file);
        open("a").expect("an unlocked file");
        drop(inherited);
        let text = std::fs::read_to_string(&path).expect("text");
        assert_eq!(text, "{\"format\":\"a\"}\n1\n4\n");
        let error = open("b").expect_err("another header").to_string();
        assert!(error.contains("was made with other settings"), "{error}");
        for other in ["a note without a line break", "{\"format\":\"b\"}\n5\n7"] {
            std::fs::write(&path, other).expect("a file");
            open("a").expect_err("another file");
            let kept = std::fs::read_to_string(&path).expect("text");
            assert_eq!(kept, other);
        }
    }
}
