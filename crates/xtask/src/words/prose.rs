//! Words of prose: the comments of Rust sources, and Markdown without its code.

use super::source::{Kind, scan};

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
    fn open_ends_are_read_to_the_end_of_the_source() {
        for source in ["\"open", "r#\"open\"", "/* open", "'", "'\\", "//", "b"] {
            comments(source);
        }
        assert_eq!(texts(&comments("/* open")), ["|1:open"]);
    }
}
