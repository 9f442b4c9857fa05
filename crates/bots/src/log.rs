//! Log of a bot: what it wrote to its standard error, by ply.

use std::fmt;

use crate::answer::shortened;

/// Maximum size of the log of a game in bytes; later text is counted and dropped.
pub const LOG_LIMIT: usize = 1 << 20;

/// Maximum number of remarks of the host in a log.
const REMARKS: usize = 100;

/// Part of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Phase {
    /// From the start of the bot to its first request.
    InputTest,
    /// From the request of this ply to the next one.
    Ply(usize),
    /// From `quit` to the exit of the bot.
    End,
}

/// Log of a bot in one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BotLog {
    entries: Vec<(Phase, String)>,
    dropped: u64,
    remarks: usize,
}

impl BotLog {
    /// Returns the text by phase, in the order of the game; phases without text are absent.
    ///
    /// Lines that begin with `# ` may be remarks of the host.
    #[must_use]
    pub fn entries(&self) -> &[(Phase, String)] {
        &self.entries
    }

    /// Returns the text of one phase.
    #[must_use]
    pub fn of(&self, phase: Phase) -> &str {
        let entry = self.entries.iter().find(|(other, _)| *other == phase);
        entry.map_or("", |(_, text)| text)
    }

    /// Number of bytes that did not fit into [`LOG_LIMIT`].
    #[must_use]
    pub const fn dropped(&self) -> u64 {
        self.dropped
    }

    /// True if the bot wrote nothing and the host had no remark.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty() && self.dropped == 0
    }

    /// Returns at most the last `limit` bytes of the text without the phases, from the start of a
    /// line if possible.
    #[must_use]
    pub fn tail(&self, limit: usize) -> String {
        let texts: String = self.entries.iter().map(|(_, text)| text.as_str()).collect();
        let text = texts.trim_end();
        let mut from = text.len().saturating_sub(limit);
        while !text.is_char_boundary(from) {
            from += 1;
        }
        match text[from..].split_once('\n') {
            Some((_, rest)) if from > 0 => rest.to_owned(),
            _ => text[from..].to_owned(),
        }
    }

    /// Adds what the bot wrote.
    pub(crate) fn add(&mut self, phase: Phase, bytes: &[u8], dropped: u64) {
        self.dropped = dropped;
        if !bytes.is_empty() {
            self.push(phase, &readable(bytes));
        }
    }

    /// Adds a remark of the host, shortened. There are at most 100.
    pub(crate) fn remark(&mut self, phase: Phase, remark: &str) {
        self.remarks += 1;
        if self.remarks <= REMARKS {
            let remark = shortened(remark);
            let entry = self.entries.last().filter(|(last, _)| *last == phase);
            let is_open = entry.is_some_and(|(_, text)| !text.ends_with('\n'));
            let separator = if is_open { "\n" } else { "" };
            self.push(phase, &format!("{separator}# {remark}\n"));
        }
    }

    fn push(&mut self, phase: Phase, text: &str) {
        match self.entries.last_mut() {
            Some((last, entry)) if *last == phase => entry.push_str(text),
            _ => self.entries.push((phase, text.to_owned())),
        }
    }
}

/// Replaces what is not UTF-8, and control characters except line feeds and tabs: they would act on
/// a terminal.
fn readable(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes).replace("\r\n", "\n");
    let shown = |c: char| match c {
        '\n' | '\t' => c,
        c if c.is_control() => char::REPLACEMENT_CHARACTER,
        c => c,
    };
    text.chars().map(shown).collect()
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::InputTest => f.write_str("input test"),
            Self::Ply(ply) => write!(f, "ply {ply}"),
            Self::End => f.write_str("end"),
        }
    }
}

/// Writes a heading for each phase, `--- ply 4 ---`, and the text below it.
impl fmt::Display for BotLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (phase, text) in &self.entries {
            writeln!(f, "--- {phase} ---")?;
            writeln!(f, "{}", text.trim_end_matches('\n'))?;
        }
        if self.dropped > 0 {
            let kib = LOG_LIMIT >> 10;
            writeln!(
                f,
                "--- {} further bytes dropped: the log of a game holds {kib} KiB ---",
                self.dropped
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_kept_by_phase() {
        let mut log = BotLog::default();
        assert!(log.is_empty());
        log.add(Phase::InputTest, b"loading\n", 0);
        log.add(Phase::Ply(0), b"depth 1\n", 0);
        log.add(Phase::Ply(0), b"", 0);
        log.add(Phase::Ply(0), b"depth 2", 0);
        log.remark(Phase::Ply(0), "time-out");
        log.add(Phase::Ply(2), b"\x1b[31mred\r\n", 7);
        assert_eq!(log.of(Phase::Ply(0)), "depth 1\ndepth 2\n# time-out\n");
        assert_eq!(log.of(Phase::Ply(1)), "");
        assert_eq!((log.entries().len(), log.dropped()), (3, 7));
        let shown = "--- input test ---\nloading\n--- ply 0 ---\ndepth 1\ndepth 2\n# time-out\n\
                     --- ply 2 ---\n\u{fffd}[31mred\n\
                     --- 7 further bytes dropped: the log of a game holds 1024 KiB ---\n";
        assert_eq!(log.to_string(), shown);
    }

    #[test]
    fn the_tail_starts_at_a_line_if_it_can() {
        let mut log = BotLog::default();
        log.add(Phase::Ply(0), "one\ntwö\n".as_bytes(), 0);
        log.add(Phase::Ply(2), b"three\n", 0);
        assert_eq!(log.tail(100), "one\ntwö\nthree");
        assert_eq!(log.tail(9), "three");
        assert_eq!(log.tail(3), "ree");
    }

    #[test]
    fn remarks_are_bounded() {
        let mut log = BotLog::default();
        for _ in 0..1000 {
            log.remark(Phase::Ply(0), &"x".repeat(10_000));
        }
        assert_eq!(log.of(Phase::Ply(0)).len(), 100 * 203);
    }
}
