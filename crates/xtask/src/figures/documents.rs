//! Markers of figures in documents.

use std::collections::BTreeMap;

use anyhow::{Context, Result, ensure};

const OPEN: &str = "<!--fig:";
const OPEN_END: &str = "-->";
const CLOSE: &str = "<!--/fig-->";

/// Part of a document.
#[derive(Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// Text outside markers.
    Text(&'a str),
    /// Figure: its name, and the text between its markers.
    Figure(&'a str, &'a str),
}

/// Returns the parts of a document in order.
///
/// # Errors
/// If a marker lacks its counterpart, markers are nested, or a figure starts a line without filling
/// it: Markdown would treat the whole line as HTML.
pub fn parts(document: &str) -> Result<Vec<Part<'_>>> {
    let mut parts = Vec::new();
    let mut rest = document;
    while let Some(open) = rest.find(OPEN) {
        let text = &rest[..open];
        ensure!(!text.contains(CLOSE), "{CLOSE} closes nothing");
        let after = &rest[open + OPEN.len()..];
        let (name, after) = after.split_once(OPEN_END).context("a marker has no end")?;
        let (content, after) = after
            .split_once(CLOSE)
            .with_context(|| format!("the figure {name} has no {CLOSE}"))?;
        ensure!(
            !content.contains(OPEN),
            "the figure {name} holds another one"
        );
        let starts_line = text.is_empty() && parts.is_empty() || text.ends_with('\n');
        ensure!(
            !starts_line || is_block(content),
            "the figure {name} begins a line, which Markdown would take for HTML"
        );
        parts.push(Part::Text(text));
        parts.push(Part::Figure(name, content));
        rest = after;
    }
    ensure!(!rest.contains(CLOSE), "{CLOSE} closes nothing");
    parts.push(Part::Text(rest));
    Ok(parts)
}

/// Returns true if a figure fills whole lines.
fn is_block(text: &str) -> bool {
    text.starts_with('\n') && text.ends_with('\n')
}

/// Returns the names of all figures of a document, for tests.
///
/// # Errors
/// As [`parts`].
#[cfg(test)]
pub fn names(document: &str) -> Result<Vec<String>> {
    let name = |part| match part {
        Part::Figure(name, _) => Some(name.to_owned()),
        Part::Text(_) => None,
    };
    Ok(parts(document)?.into_iter().filter_map(name).collect())
}

/// Returns the document with the current text of every figure.
///
/// # Errors
/// As [`parts`], and if a figure does not exist.
pub fn filled(document: &str, texts: &BTreeMap<String, String>) -> Result<String> {
    let mut new = String::new();
    for part in parts(document)? {
        match part {
            Part::Text(text) => new += text,
            Part::Figure(name, _) => {
                let text = texts
                    .get(name)
                    .with_context(|| format!("there is no figure {name}"))?;
                ensure!(
                    !text.contains('\n') || is_block(text),
                    "the figure {name} breaks its line"
                );
                new += &format!("{OPEN}{name}{OPEN_END}{text}{CLOSE}");
            }
        }
    }
    Ok(new)
}

#[cfg(test)]
mod tests {
    use super::*;

    const DOCUMENT: &str = "At most <!--fig:a.b-->1,920<!--/fig--> cycles.\n\n\
        <!--fig:c-->\n| x |\n<!--/fig-->\nThe end.\n";

    fn texts(a: &str, c: &str) -> BTreeMap<String, String> {
        BTreeMap::from([("a.b".into(), a.into()), ("c".into(), c.into())])
    }

    #[test]
    fn figures_are_found_and_replaced() {
        assert_eq!(names(DOCUMENT).unwrap(), ["a.b", "c"]);
        let same = filled(DOCUMENT, &texts("1,920", "\n| x |\n")).unwrap();
        assert_eq!(same, DOCUMENT);
        let new = filled(DOCUMENT, &texts("2,000", "\n| y |\n")).unwrap();
        assert_eq!(
            new,
            DOCUMENT.replace("1,920", "2,000").replace("| x |", "| y |")
        );
        assert_eq!(filled("none", &texts("", "")).unwrap(), "none");
    }

    #[test]
    fn faults_of_markers_are_errors() {
        let unknown = filled("a <!--fig:d-->1<!--/fig-->", &texts("", ""));
        assert_eq!(unknown.unwrap_err().to_string(), "there is no figure d");
        let broken = filled("a <!--fig:c-->1<!--/fig-->", &texts("", "1\n2"));
        assert_eq!(
            broken.unwrap_err().to_string(),
            "the figure c breaks its line"
        );
        for bad in [
            "a <!--fig:a.b-->1",
            "a <!--fig:a.b",
            "a <!--/fig-->",
            "a <!--/fig--> <!--fig:c-->1<!--/fig-->",
            "a <!--fig:a.b--> <!--fig:c-->1<!--/fig--><!--/fig-->",
            "<!--fig:c-->1<!--/fig-->",
            "a\n<!--fig:c-->1<!--/fig-->",
        ] {
            assert!(parts(bad).is_err(), "{bad}");
        }
    }
}
