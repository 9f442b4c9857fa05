//! Files of the page, embedded in the program.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::LazyLock;

use rust_embed::RustEmbed;
use sha2::{Digest as _, Sha256};

use crate::minify::{script, style};

/// Files below `crates/web/page`.
#[derive(RustEmbed)]
#[folder = "../web/page/"]
struct Files;

/// Files of the page by their paths.
static PAGE: LazyLock<BTreeMap<String, PageFile>> = LazyLock::new(|| {
    let read = |path: Cow<'static, str>| {
        let data = Files::get(&path)?.data;
        Some((path.to_string(), PageFile::new(&path, data)))
    };
    // Declarations of types are for the check of the scripts.
    let served = Files::iter().filter(|path| !path.ends_with(".d.ts"));
    served.filter_map(read).collect()
});

/// File of the page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageFile {
    /// Content. Scripts and styles are minified: they lack the comments and blanks of their source.
    pub data: Cow<'static, [u8]>,
    /// SHA-256 of the content.
    pub sha256: [u8; 32],
}

impl PageFile {
    fn new(path: &str, data: Cow<'static, [u8]>) -> Self {
        let data = match std::str::from_utf8(&data) {
            Ok(text) if path.ends_with(".js") => Cow::Owned(script(text).into_bytes()),
            Ok(text) if path.ends_with(".css") => Cow::Owned(style(text).into_bytes()),
            _ => data,
        };
        let sha256 = Sha256::digest(&data).into();
        Self { data, sha256 }
    }
}

/// Returns a file by its path below `crates/web/page`, such as `js/board.js`.
#[must_use]
pub fn page_file(path: &str) -> Option<&'static PageFile> {
    PAGE.get(path)
}

/// Iterates over the paths of all files.
pub fn page_files() -> impl Iterator<Item = &'static str> {
    PAGE.keys().map(String::as_str)
}

/// Returns a text file of the page.
///
/// # Panics
/// If the page has no such text file: tests read every file that this crate names.
pub(crate) fn text(path: &str) -> &'static str {
    let file = page_file(path).unwrap_or_else(|| panic!("the page has no file {path}"));
    std::str::from_utf8(&file.data).expect("the file is UTF-8")
}

/// Returns a script of the page as it was written.
///
/// # Panics
/// As [`text`].
pub(crate) fn source(path: &str) -> String {
    let file = Files::get(path).unwrap_or_else(|| panic!("the page has no file {path}"));
    String::from_utf8(file.data.into_owned()).expect("the file is UTF-8")
}
