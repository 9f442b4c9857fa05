//! Frame, texts and names of a picture.

/// Root element of a picture with its title and its background.
#[derive(Clone, Copy, Debug)]
pub struct Frame<'a> {
    /// Width and height of the picture in SVG units.
    pub size: [f64; 2],
    /// Further attributes of the root element, with their values escaped.
    pub attributes: &'a str,
    /// Style sheet; without one, the picture has no `style` element.
    pub style: Option<&'a str>,
    /// Title of the picture, not escaped.
    pub title: &'a str,
}

impl Frame<'_> {
    /// Returns the picture with `content`, which is one or more lines of elements.
    #[must_use]
    pub fn around(&self, content: &str) -> String {
        let Self {
            size: [width, height],
            attributes,
            style,
            title,
        } = *self;
        let style = style.map_or(String::new(), |style| format!("<style>{style}</style>\n"));
        let title = escape(title);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
             width=\"{width}\" height=\"{height}\" role=\"img\" \
             font-family=\"DejaVu Sans, Verdana, sans-serif\" {attributes}>\n\
             {style}<title>{title}</title>\n\
             <rect width=\"{width}\" height=\"{height}\" rx=\"10\" fill=\"#fbf9f4\"/>\n\
             {content}</svg>\n"
        )
    }
}

/// Escapes the special characters of XML and replaces control characters by blanks.
#[must_use]
pub fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace(|letter: char| letter.is_control(), " ")
}

/// Shortens a name to at most `max` characters and an ellipsis.
#[must_use]
pub fn shortened(name: &str, max: usize) -> String {
    let mut short: String = name.chars().take(max).collect();
    if short.len() < name.len() {
        short.push('…');
    }
    short
}

/// Appends a line to a picture.
macro_rules! put {
    ($out:expr, $($arg:tt)*) => {
        writeln!($out, $($arg)*).expect("writing to a string cannot fail")
    };
}
pub(crate) use put;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_frame_escapes_its_title() {
        let mut frame = Frame {
            size: [20.0, 10.5],
            attributes: "fill=\"#fff\"",
            style: None,
            title: "A & \"B\"",
        };
        let head = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 20 10.5\" width=\"20\" \
                    height=\"10.5\" role=\"img\" font-family=\"DejaVu Sans, Verdana, sans-serif\" \
                    fill=\"#fff\">\n";
        let title = "<title>A &amp; &quot;B&quot;</title>\n";
        let background = "<rect width=\"20\" height=\"10.5\" rx=\"10\" fill=\"#fbf9f4\"/>\n";
        assert_eq!(
            frame.around("<g/>\n"),
            format!("{head}{title}{background}<g/>\n</svg>\n")
        );
        frame.style = Some(".a{fill:#000}");
        let style = "<style>.a{fill:#000}</style>\n";
        assert_eq!(
            frame.around(""),
            format!("{head}{style}{title}{background}</svg>\n")
        );
    }

    #[test]
    fn texts_hold_neither_markup_nor_control_characters() {
        assert_eq!(
            escape("<a href=\"x\">\t&amp;\n\u{7f}ü"),
            "&lt;a href=&quot;x&quot;&gt; &amp;amp;  ü"
        );
    }

    #[test]
    fn names_are_cut_at_a_character() {
        assert_eq!(shortened("äöü", 3), "äöü");
        assert_eq!(shortened("äöüß", 3), "äöü…");
    }
}
