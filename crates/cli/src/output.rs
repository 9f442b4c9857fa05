//! Where output goes and how it may look.

use std::io::{self, IsTerminal, Write};
use std::time::Duration;

use clap::ValueEnum;
use serde::Serialize;

use crate::failure::Result;

/// What a command found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Everything is as it should be.
    Good,
    /// The command did its work, and the result is negative.
    Bad,
}

impl Verdict {
    /// Good if `good` holds.
    pub const fn of(good: bool) -> Self {
        if good { Self::Good } else { Self::Bad }
    }
}

/// When to use colours.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Colour {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Also into files and pipes
    Always,
    /// Nowhere
    Never,
}

/// Which characters boards are drawn with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Glyphs {
    /// As the locale allows
    #[default]
    Auto,
    /// Blocks and dots
    Unicode,
    /// Digits and dots
    Ascii,
}

/// How things are drawn on standard output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Whether escape sequences for colours are written.
    pub colour: bool,
    /// Whether characters beyond ASCII are used.
    pub unicode: bool,
    /// Whether standard output is a terminal.
    pub terminal: bool,
}

impl Style {
    /// The style that the options and the environment ask for.
    pub fn new(colour: Colour, glyphs: Glyphs) -> Self {
        let terminal = io::stdout().is_terminal();
        let set = |name| std::env::var(name).ok().filter(|value| !value.is_empty());
        Self {
            colour: match colour {
                Colour::Always => true,
                Colour::Never => false,
                Colour::Auto => {
                    terminal
                        && set("NO_COLOR").is_none()
                        && set("TERM").is_none_or(|term| term != "dumb")
                }
            },
            unicode: match glyphs {
                Glyphs::Unicode => true,
                Glyphs::Ascii => false,
                // Without any locale, as in containers, terminals are UTF-8 nowadays.
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

    /// A text in a colour or other rendition, given by the numbers of the escape sequence.
    pub fn paint(&self, rendition: &str, text: &str) -> String {
        if self.colour && !rendition.is_empty() {
            format!("\x1b[{rendition}m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }
}

/// Lets failures look as the options ask for; by default as the terminal allows.
pub fn set_error_style(colour: Colour, glyphs: Glyphs) {
    let hook = miette::set_hook(Box::new(move |_| {
        let mut options = miette::MietteHandlerOpts::new();
        if colour != Colour::Auto {
            options = options.color(colour == Colour::Always);
        }
        if glyphs != Glyphs::Auto {
            options = options.unicode(glyphs == Glyphs::Unicode);
        }
        Box::new(options.build())
    }));
    hook.expect("the hook is set only here");
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

/// A number with its thousands set apart, as in `89,204,762`.
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

/// A duration with a unit that suits it.
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
