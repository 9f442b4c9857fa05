//! Pieces of a Rust source: code, comments and literals; the identifiers of the code.

/// Kind of a piece of a Rust source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Identifiers, keywords, numbers and punctuation.
    Code,
    /// Line and block comments, those of documentation included.
    Comment,
    /// Strings, byte strings, C strings, raw or not, and characters.
    Literal,
}

/// Returns the identifiers, keywords and lifetimes of a Rust source, with their lines. The mark of
/// a raw identifier, the sign of a lifetime and numbers are left out.
pub fn identifiers(source: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    // A `#` after a lone `r` makes a raw identifier of the next piece.
    let mut raw = [None, None];
    scan(source, |line, kind, text| {
        if kind == Kind::Code && text.starts_with(|it: char| it.is_alphabetic() || it == '_') {
            if raw == [Some("r"), Some("#")] {
                found.pop();
            }
            found.push((line, text));
        }
        raw = [raw[1], Some(text)];
    });
    found
}

/// Calls `each` for every piece of code, comment and literal; a piece never spans lines.
pub fn scan<'a>(source: &'a str, mut each: impl FnMut(usize, Kind, &'a str)) {
    let mut rest = source;
    let mut line = 1;
    while !rest.is_empty() {
        let (kind, length) = piece(rest);
        let (text, after) = rest.split_at(length);
        let mut number = line;
        for part in text.split('\n') {
            if !part.is_empty() {
                each(number, kind, part);
            }
            number += 1;
        }
        line = number - 1;
        rest = after;
    }
}

/// Kind and length of the piece at the beginning of a text.
fn piece(text: &str) -> (Kind, usize) {
    let end = |at: Option<usize>| at.unwrap_or(text.len());
    if text.starts_with("//") {
        return (Kind::Comment, end(text.find('\n')));
    }
    if text.starts_with("/*") {
        return (Kind::Comment, block_comment(text));
    }
    if text.starts_with('"') {
        return (Kind::Literal, quoted(text));
    }
    if let Some(length) = raw_string(text) {
        return (Kind::Literal, length);
    }
    if let Some(rest) = text.strip_prefix('\'') {
        let mut characters = rest.char_indices();
        let first = characters.next();
        if let Some((_, '\\')) = first {
            let close = rest.char_indices().skip(2).find(|(_, it)| *it == '\'');
            return (Kind::Literal, end(close.map(|(i, _)| i + 2)));
        }
        if let Some((i, '\'')) = characters.next() {
            return (Kind::Literal, i + 2);
        }
        return (Kind::Code, 1);
    }
    let is_part = |it: char| it.is_alphanumeric() || it == '_';
    match text.find(|it| !is_part(it)) {
        Some(0) => (Kind::Code, text.chars().next().map_or(1, char::len_utf8)),
        at => (Kind::Code, end(at)),
    }
}

/// Length of a block comment, with the comments inside it.
fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        let rest = &text[at..];
        match rest.get(..2) {
            Some("/*") => (depth, at) = (depth + 1, at + 2),
            Some("*/") if depth == 1 => return at + 2,
            Some("*/") => (depth, at) = (depth - 1, at + 2),
            _ => at += rest.chars().next().map_or(1, char::len_utf8),
        }
    }
    text.len()
}

/// Length of a string literal with escapes.
fn quoted(text: &str) -> usize {
    let mut escaped = true;
    for (i, it) in text.char_indices() {
        match it {
            '"' if !escaped => return i + 1,
            '\\' if !escaped => escaped = true,
            _ => escaped = false,
        }
    }
    text.len()
}

/// Length of a raw string literal, if the text begins with one.
fn raw_string(text: &str) -> Option<usize> {
    let after = text.strip_prefix(['b', 'c']).unwrap_or(text);
    let after = after.strip_prefix('r')?;
    let hashes = after.len() - after.trim_start_matches('#').len();
    let body = after[hashes..].strip_prefix('"')?;
    let close = format!("\"{}", "#".repeat(hashes));
    let before = text.len() - body.len();
    Some(
        body.find(&close)
            .map_or(text.len(), |at| before + at + close.len()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Identifiers with their lines, as one text.
    fn names(source: &str) -> String {
        let name = |(line, name)| format!("{line}:{name}");
        let names: Vec<_> = identifiers(source).into_iter().map(name).collect();
        names.join(" ")
    }

    #[test]
    fn identifiers_are_found_outside_of_comments_and_literals() {
        let source = "// rival\nlet rival_near = \"rival\";\nfor r in 'a'..='b' { rival(r) }\n";
        let expected = "2:let 2:rival_near 3:for 3:r 3:in 3:rival 3:r";
        assert_eq!(names(source), expected);
        let documented =
            "//! rival\n/// rival\n#[doc = \"rival\"]\n/* rival /* rival */ rival */ struct A;\n";
        assert_eq!(names(documented), "3:doc 4:struct 4:A");
    }

    #[test]
    fn raw_strings_hold_no_identifiers_and_raw_identifiers_are_read_without_their_mark() {
        let source = "let a = r\"rival\";\nlet b = r##\"a \"# rival\n\"##;\nlet r#rival = br#\"x\"#;\nr#try(r);\n";
        assert_eq!(names(source), "1:let 1:a 2:let 2:b 4:let 4:rival 5:try 5:r");
    }

    #[test]
    fn bytes_and_c_strings_hold_no_identifiers() {
        let source = "f(b\"rival\", c\"rival\", cr#\"rival\"#, b'x', '\\'', '\\u{7f}');";
        let found = identifiers(source);
        assert!(found.iter().all(|(_, name)| name.len() == 1), "{found:?}");
        assert_eq!(found[0], (1, "f"));
    }

    #[test]
    fn lifetimes_and_labels_are_identifiers_and_numbers_are_not() {
        let source = "'rival: for x in 0..0x1f_u8 { &'a mut 1.5e3; 1_rival }";
        assert_eq!(names(source), "1:rival 1:for 1:x 1:in 1:a 1:mut");
    }

    #[test]
    fn open_ends_are_read_to_the_end_of_the_source() {
        for source in ["\"open", "r#\"open\"", "/* open", "'", "'\\", "//"] {
            assert_eq!(names(source), "", "{source}");
        }
        assert_eq!(names("b"), "1:b");
    }
}
