//! Output formats of standings and crosstables.

mod cells;
mod html;
mod ladder;
mod ladder_svg;
mod markdown;
mod svg;
mod text;

use std::str::FromStr;

use crate::Report;

/// Output format of a report.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Aligned columns for terminals.
    #[default]
    Text,
    /// Tables in Markdown.
    Markdown,
    /// One JSON object.
    Json,
    /// Standalone HTML page.
    Html,
    /// SVG picture.
    Svg,
}

impl FromStr for Form {
    type Err = String;

    /// Parses the names `text`, `markdown`, `json`, `html` and `svg`, and the usual file
    /// extensions.
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "text" | "txt" => Ok(Self::Text),
            "markdown" | "md" => Ok(Self::Markdown),
            "json" => Ok(Self::Json),
            "html" | "htm" => Ok(Self::Html),
            "svg" => Ok(Self::Svg),
            _ => Err(format!(
                "unknown format '{text}': expected text, markdown, json, html or svg"
            )),
        }
    }
}

impl Report {
    /// Renders the report, with a final newline.
    #[must_use]
    pub fn render(&self, form: Form) -> String {
        match form {
            Form::Text => text::render(self),
            Form::Markdown => markdown::render(self),
            Form::Json => {
                let json = serde_json::to_string(self);
                json.expect("reports are made of texts and numbers") + "\n"
            }
            Form::Html => html::render(self),
            Form::Svg => svg::render(self),
        }
    }
}
