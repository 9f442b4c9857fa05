//! Replays as single HTML files.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest as _, Sha256};

use crate::Replay;
use crate::files::text;
use crate::join::join;
use crate::minify;

/// Style sheets of the file.
const STYLES: [&str; 3] = ["base", "board", "views"];

/// Module that shows the replay.
const ENTRY: &str = "replay";

impl Replay {
    /// Returns the replay as one HTML file: template, styles, scripts and the games.
    ///
    /// The content policy of the file permits its own script and its own styles alone, by their
    /// hashes. The file thus sends no request.
    ///
    /// # Panics
    /// If a file of the page is missing: the files are part of the program, and tests write one.
    #[must_use]
    pub fn html(&self) -> String {
        let styles = STYLES.map(|name| text(&format!("css/{name}.css")));
        let styles = styles.concat();
        let script = minify::script(&join(ENTRY));
        // Inside a script element only `<` can begin something else.
        let data = serde_json::to_string(self).expect("a replay consists of texts and numbers");
        let data = data.replace('<', "\\u003c");
        let policy = format!(
            "default-src 'none'; script-src '{}'; style-src '{}'; \
             base-uri 'none'; form-action 'none'",
            hash(&script),
            hash(&styles)
        );
        filled(
            text("replay.html"),
            &[
                (
                    "<!--POLICY-->",
                    &format!(
                        "<meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\" />"
                    ),
                ),
                ("<!--TITLE-->", &escaped(&self.title)),
                ("<!--STYLES-->", &format!("<style>{styles}</style>")),
                ("<!--DATA-->", &data),
                (
                    "<!--SCRIPT-->",
                    &format!("<script type=\"module\">{script}</script>"),
                ),
            ],
        )
    }
}

/// Replaces each marker, in the order of the template. Markers within a replacement stay.
fn filled(template: &str, parts: &[(&str, &str)]) -> String {
    let mut out = String::new();
    let mut rest = template;
    for (marker, part) in parts {
        let (before, after) = rest
            .split_once(marker)
            .expect("the template has the marker");
        out.push_str(before);
        out.push_str(part);
        rest = after;
    }
    out + rest
}

/// Source expression of a content policy for an inline element with this text.
fn hash(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text)))
}

/// Escapes a text for an HTML element.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;")
}

#[cfg(test)]
mod tests {
    use duoforge_rules::GameVariant;

    use super::*;
    use crate::ReplayGame;

    #[test]
    fn markers_are_filled_once_and_in_order() {
        let parts = [("<!--A-->", "1<!--B-->"), ("<!--B-->", "2")];
        assert_eq!(filled("x<!--A-->y<!--B-->z", &parts), "x1<!--B-->y2z");
    }

    #[test]
    fn the_hash_is_that_of_the_text() {
        // From `printf '' | openssl dgst -sha256 -binary | base64`.
        assert_eq!(
            hash(""),
            "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="
        );
    }

    #[test]
    fn no_name_ends_an_element() {
        let name = "</script></title><script>alert(1)</script><!--SCRIPT--> & Söhne".to_owned();
        let names = [name.clone(), "Bob".to_owned()];
        let game = ReplayGame::new(&GameVariant::DUO, &names, []);
        let html = Replay::of(game).html();
        assert_eq!(html.matches("<script").count(), 2);
        assert_eq!(html.matches("</title>").count(), 1);
        let data = html.split_once("id=\"data\">").unwrap().1;
        let data = data.split_once("</script>").unwrap().0;
        let data: serde_json::Value = serde_json::from_str(data).unwrap();
        assert_eq!(data["games"][0]["seats"][0]["name"], name.as_str());
    }
}
