//! Scripts and styles without the parts that are for people alone.

/// Removes comments that begin a line, indentation and empty lines. A comment that begins within a
/// line stays, and so does what follows a comment on its last line.
///
/// The text must not contain strings that span lines, such as a template literal.
pub(crate) fn stripped(text: &str) -> String {
    let mut out = String::new();
    let mut in_comment = false;
    for line in text.lines() {
        let mut line = line.trim();
        loop {
            if in_comment || line.starts_with("/*") {
                let from = if in_comment { 0 } else { 2 };
                let end = line[from..].find("*/");
                in_comment = end.is_none();
                line = end.map_or("", |end| line[from + end + 2..].trim_start());
            }
            if in_comment || !line.starts_with("/*") {
                break;
            }
        }
        if !line.is_empty() && !line.starts_with("//") {
            out.push_str(line);
            out.push('\n');
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_indentation_and_empty_lines_go() {
        for (text, left) in [
            ("/** One. */\n\nconst a = 1;\n", "const a = 1;\n"),
            ("\t/**\n\t * Two: */ b();\n\t\tc();", "b();\nc();\n"),
            ("/* x */ /* y */ f(); // z\n// g\n", "f(); // z\n"),
            ("/** @type {A} */ (h)\n", "(h)\n"),
            ("/*/ open\n i */\n", ""),
            ("j(/* k\n\tl */ 1);\n", "j(/* k\nl */ 1);\n"),
            ("'/* m */';\n'// n';\n", "'/* m */';\n'// n';\n"),
            (".a {\n\tcolor: red;\n}\n", ".a {\ncolor: red;\n}\n"),
        ] {
            assert_eq!(stripped(text), left, "{text:?}");
        }
    }
}
