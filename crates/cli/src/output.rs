//! Standard output: verdict, style, JSON and lines.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use clap::ValueEnum;
use serde::Serialize;

use crate::failure::Result;

/// Result of a command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Success.
    Good,
    /// The command completed with a negative result.
    Bad,
}

impl Verdict {
    /// Returns `Good` if `good` is true.
    pub const fn of(good: bool) -> Self {
        if good { Self::Good } else { Self::Bad }
    }
}

/// Use of colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum ColourMode {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Also in files and pipes
    Always,
    /// Never
    Never,
}

/// Characters of boards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Glyphs {
    /// Unicode if the locale is UTF-8
    #[default]
    Auto,
    /// Blocks and dots
    Unicode,
    /// Digits and dots
    Ascii,
}

/// Style of standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// True if escape sequences for colours are written.
    pub colour: bool,
    /// True if characters beyond ASCII are used.
    pub unicode: bool,
    /// True if standard output is a terminal.
    pub terminal: bool,
}

impl Style {
    /// Creates the style that options and environment request.
    pub fn new(colour: ColourMode, glyphs: Glyphs) -> Self {
        let terminal = io::stdout().is_terminal();
        let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        Self {
            colour: match colour {
                ColourMode::Always => true,
                ColourMode::Never => false,
                ColourMode::Auto => {
                    terminal
                        && set("NO_COLOR").is_none()
                        && set("TERM").is_none_or(|term| term != "dumb")
                }
            },
            unicode: match glyphs {
                Glyphs::Unicode => true,
                Glyphs::Ascii => false,
                // Without a locale, as in containers, terminals are UTF-8 today.
                Glyphs::Auto => ["LC_ALL", "LC_CTYPE", "LANG"]
                    .into_iter()
                    .find_map(set)
                    .is_none_or(|locale| {
                        locale
                            .to_ascii_lowercase()
                            .replace('-', "")
                            .contains("utf8")
                    }),
            },
            terminal,
        }
    }

    /// Returns a text in a colour or other rendition: the numbers of the escape sequence.
    pub fn paint(&self, rendition: &str, text: &str) -> String {
        if self.colour && !rendition.is_empty() {
            format!("\x1b[{rendition}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }
}

/// Sets the style of failures to that of the options; the default follows the terminal.
pub fn set_error_style(colour: ColourMode, glyphs: Glyphs) {
    let hook = miette::set_hook(Box::new(move |_| {
        let mut options = miette::MietteHandlerOpts::new();
        if colour != ColourMode::Auto {
            options = options.color(colour == ColourMode::Always);
        }
        if glyphs != Glyphs::Auto {
            options = options.unicode(glyphs == Glyphs::Unicode);
        }
        Box::new(options.build())
    }));
    hook.expect("the hook is set only here");
}

/// Returns the verdict of a command that has printed its result, also if the reader of the result has
/// gone.
pub fn concluded(printed: Result<()>, verdict: Verdict) -> Result<Verdict> {
    match printed {
        Err(failure) if !failure.is_broken_pipe() => Err(failure),
        _ => Ok(verdict),
    }
}

/// Writes a value as one line of JSON to standard output.
pub fn json(value: &impl Serialize) -> Result<()> {
    let mut out = io::stdout().lock();
    serde_json::to_writer(&mut out, value).map_err(io::Error::from)?;
    writeln!(out)?;
    out.flush()?;
    Ok(())
}

/// Writes a line to standard output.
pub fn line(text: impl AsRef<str>) -> Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{}", text.as_ref())?;
    Ok(())
}

/// Formats a number with grouped thousands, as in `89,204,762`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}

/// Formats a duration with a suitable unit, as in `1.56 ms`.
pub fn seconds(time: Duration) -> String {
    let micros = time.as_micros();
    match micros {
        0..1_000 => format!("{micros} µs"),
        1_000..1_000_000 => format!("{:.2} ms", time.as_secs_f64() * 1e3),
        _ => format!("{:.3} s", time.as_secs_f64()),
    }
}

#[cfg(test)]
mod tests {
    use super::grouped;

    #[test]
    fn thousands_are_set_apart() {
        let texts = [0, 999, 1000, 89_204_762].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "89,204,762"]);
    }
}
