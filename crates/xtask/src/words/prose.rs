//! Words of prose: the comments of Rust sources, and Markdown without its code.

/// One word of prose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// Line of the file, from 1.
    pub line: usize,
    /// The word in lower case, without a possessive ending.
    pub text: String,
    /// True if punctuation or the end of a paragraph separates the word from the one before.
    pub separate: bool,
    /// True for the first word of a documentation comment.
    pub opening: bool,
}

/// Lines that belong together: a Markdown page, or comments on consecutive lines.
#[derive(Debug, Default)]
struct Text<'a> {
    lines: Vec<(usize, &'a str)>,
    documentation: bool,
}

/// Returns the words of a Markdown page.
pub fn markdown(page: &str) -> Vec<Word> {
    let lines = page.lines().enumerate();
    words(&Text {
        lines: lines.map(|(i, line)| (i + 1, line)).collect(),
        documentation: false,
    })
}

/// Returns the words of all comments of a Rust source.
pub fn comments(source: &str) -> Vec<Word> {
    let mut texts: Vec<Text> = Vec::new();
    let mut last = 0;
    for (line, comment, trails) in comment_lines(source) {
        let (mark, text) = comment.split_at(mark_of(comment));
        let documentation = mark.len() > 2;
        let continues = !trails
            && last + 1 == line
            && texts
                .last()
                .is_some_and(|text| text.documentation == documentation);
        if !continues {
            texts.push(Text {
                documentation,
                ..Text::default()
            });
        }
        if let Some(block) = texts.last_mut() {
            block.lines.push((line, text));
        }
        last = line;
    }
    texts.iter().flat_map(words).collect()
}

/// Length of the mark that begins a comment.
fn mark_of(comment: &str) -> usize {
    let marks = ["///", "//!", "//", "/**", "/*!", "/*"];
    let mark = marks.iter().find(|mark| comment.starts_with(**mark));
    mark.map_or(0, |mark| mark.len())
}

/// Identifiers of a Rust source outside of comments and string literals, with their lines.
pub fn identifiers(source: &str) -> Vec<(usize, &str)> {
    let mut found = Vec::new();
    scan(source, |line, kind, text| {
        if kind == Kind::Code {
            let is_part = |it: char| it.is_alphanumeric() || it == '_';
            let names = text.split(|it: char| !is_part(it));
            found.extend(
                names
                    .filter(|name| !name.is_empty())
                    .map(|name| (line, name)),
            );
        }
    });
    found
}

/// Comments by line, and whether code precedes them on it.
fn comment_lines(source: &str) -> Vec<(usize, &str, bool)> {
    let mut found = Vec::new();
    let mut code = 0;
    scan(source, |line, kind, text| match kind {
        Kind::Comment => found.push((line, text, code == line)),
        _ if text.trim().is_empty() => {}
        _ => code = line,
    });
    found
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Code,
    Comment,
    Literal,
}

/// Calls `each` for every piece of code, comment and literal; a piece never spans lines.
fn scan<'a>(source: &'a str, mut each: impl FnMut(usize, Kind, &'a str)) {
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

/// Splits lines into words, without code spans, fenced and indented code, link targets and HTML
/// comments.
fn words(text: &Text) -> Vec<Word> {
    let mut words = Vec::new();
    let mut fenced = false;
    let mut blank_before = true;
    // Length of the run of backticks that opened the present code span.
    let mut span = 0;
    let mut separate = true;
    for &(number, line) in &text.lines {
        let trimmed = line.trim();
        let is_fence = trimmed.starts_with("```") || trimmed.starts_with("~~~");
        fenced ^= is_fence;
        if fenced || is_fence || trimmed.is_empty() {
            (separate, blank_before, span) = (true, true, 0);
            continue;
        }
        let indent = line.len() - line.trim_start().len();
        let indent = indent.saturating_sub(usize::from(text.documentation));
        if (blank_before && indent >= 4) || is_definition(trimmed) {
            continue;
        }
        blank_before = false;
        let mut rest = line;
        while let Some(it) = rest.chars().next() {
            let skipped = match it {
                '`' => {
                    let run = rest.len() - rest.trim_start_matches('`').len();
                    span = match span {
                        0 => run,
                        open if open == run => 0,
                        open => open,
                    };
                    separate |= span == 0;
                    run
                }
                _ if span > 0 => it.len_utf8(),
                _ if rest.starts_with("<!--") => rest.find("-->").map_or(rest.len(), |at| at + 3),
                _ if rest.starts_with("](") => rest.find(')').map_or(rest.len(), |at| at + 1),
                _ if is_part(it) => {
                    let length = rest.find(|it| !is_part(it)).unwrap_or(rest.len());
                    let opening = text.documentation && words.is_empty();
                    if let Some(text) = bare(&rest[..length]) {
                        words.push(Word {
                            line: number,
                            text,
                            separate,
                            opening,
                        });
                        separate = false;
                    }
                    length
                }
                _ => {
                    separate |= !(it.is_whitespace() || "*[]".contains(it));
                    it.len_utf8()
                }
            };
            rest = &rest[skipped..];
        }
    }
    words
}

fn is_part(it: char) -> bool {
    it.is_alphanumeric() || "_'’-+±".contains(it)
}

/// True for the definition of a link, as in `[name]: address`.
fn is_definition(line: &str) -> bool {
    line.starts_with('[') && line.contains("]: ")
}

/// The word in lower case without hyphens and quotation marks around it; `None` if nothing is left.
fn bare(word: &str) -> Option<String> {
    if ["+-", "±"].contains(&word) {
        return Some(word.to_owned());
    }
    let word = word.to_lowercase().replace('’', "'");
    let word = word.trim_matches(['\'', '-', '+']);
    let word = word.strip_suffix("'s").unwrap_or(word);
    (!word.is_empty()).then(|| word.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(words: &[Word]) -> Vec<String> {
        let text = |word: &Word| {
            let bar = if word.separate { "|" } else { "" };
            format!("{bar}{}:{}", word.line, word.text)
        };
        words.iter().map(text).collect()
    }

    #[test]
    fn code_of_a_page_is_no_prose() {
        let page = "# The Title\n\nOne `span` two, a [link](to/nowhere)\nand <!--fig:a-->5 %<!--/fig--> end.\n\n    \
                    cargo run\n\n```sh\nls\n```\n[name]: https://example.org\n`a\nb` It's ``x ` y`` +- 1\n";
        let found = texts(&markdown(page)).join(" ");
        assert_eq!(
            found,
            "|1:the 1:title |3:one |3:two |3:a 3:link 4:and 4:5 |4:end |13:it |13:+- 13:1"
        );
    }

    #[test]
    fn comments_of_a_source_are_prose_and_literals_are_not() {
        let source = "//! The module's\n//! text.\nlet a = \"// no \\\" comment\"; // Plain words\n\
                      let b = r#\"/* \" no */\"#; let c = '\"'; let d: &'a str = b'\\''; /* one /* two */ */\n\
                      /// Whether it\n///\n///     code\nfn four() {}\n";
        let words = comments(source);
        let found = texts(&words).join(" ");
        assert_eq!(
            found,
            "|1:the 1:module 2:text |3:plain 3:words |4:one |4:two |5:whether 5:it"
        );
        let opening: Vec<_> = words.iter().filter(|word| word.opening).collect();
        let opening: Vec<_> = opening.iter().map(|word| word.text.as_str()).collect();
        assert_eq!(opening, ["the", "whether"]);
    }

    #[test]
    fn identifiers_are_found_outside_of_comments_and_literals() {
        let source = "// rival\nlet rival_near = \"rival\";\nfor r in 'a'..='b' { rival(r) }\n";
        let found = identifiers(source);
        let names: Vec<_> = found
            .iter()
            .map(|(line, name)| format!("{line}:{name}"))
            .collect();
        let expected = [
            "2:let",
            "2:rival_near",
            "3:for",
            "3:r",
            "3:in",
            "3:rival",
            "3:r",
        ];
        assert_eq!(names, expected);
    }

    #[test]
    fn open_ends_are_read_to_the_end_of_the_source() {
        for source in ["\"open", "r#\"open\"", "/* open", "'", "'\\", "//", "b"] {
            comments(source);
            identifiers(source);
        }
        assert_eq!(texts(&comments("/* open")), ["|1:open"]);
    }
}
