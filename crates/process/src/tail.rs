//! End of the text that a program writes to its standard error.

use std::io::{ErrorKind, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Polling interval for the end of the stream.
const POLL: Duration = Duration::from_millis(1);

/// Thread that reads a stream to its end, and the last bytes of the stream.
#[derive(Debug)]
pub struct Tail {
    kept: Arc<Mutex<Kept>>,
    drain: JoinHandle<()>,
}

#[derive(Debug, Default)]
struct Kept {
    bytes: Vec<u8>,
    /// True if earlier bytes were dropped.
    cut: bool,
}

impl Tail {
    /// Starts to read a stream, of which at most `limit` bytes are kept.
    pub fn read(mut stream: impl Read + Send + 'static, limit: usize) -> Self {
        let kept = Arc::<Mutex<Kept>>::default();
        let shared = Arc::clone(&kept);
        let drain = thread::spawn(move || {
            let mut buf = [0; 4096];
            loop {
                match stream.read(&mut buf) {
                    Ok(length @ 1..) => lock(&shared).push(&buf[..length], limit),
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Ok(0) | Err(_) => return,
                }
            }
        });
        Self { kept, drain }
    }

    /// Waits up to `limit` for the end of the stream.
    pub fn settle(&self, limit: Duration) {
        let deadline = Instant::now() + limit;
        while !self.drain.is_finished() && Instant::now() < deadline {
            thread::sleep(POLL);
        }
    }

    /// Returns the kept text, trimmed, from the start of a line if possible.
    pub fn text(&self) -> String {
        lock(&self.kept).text()
    }
}

fn lock(kept: &Mutex<Kept>) -> MutexGuard<'_, Kept> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Kept {
    fn push(&mut self, bytes: &[u8], limit: usize) {
        self.bytes.extend_from_slice(bytes);
        let excess = self.bytes.len().saturating_sub(limit);
        self.bytes.drain(..excess);
        self.cut |= excess > 0;
    }

    /// Control characters would act on a terminal, and XML cannot hold them. They are replaced,
    /// except line feeds and tabs.
    fn text(&self) -> String {
        let text = String::from_utf8_lossy(&self.bytes).replace("\r\n", "\n");
        let text = text.trim_end();
        let text = match text.split_once('\n') {
            Some((_, rest)) if self.cut => rest,
            _ => text,
        };
        let shown = |c: char| match c {
            '\n' | '\t' => c,
            c if c.is_control() => char::REPLACEMENT_CHARACTER,
            c => c,
        };
        text.chars().map(shown).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(pieces: &[&[u8]], limit: usize) -> String {
        let mut kept = Kept::default();
        for piece in pieces {
            kept.push(piece, limit);
            assert!(kept.bytes.len() <= limit);
        }
        kept.text()
    }

    #[test]
    fn short_texts_are_kept_whole() {
        assert_eq!(kept(&[b"one\n", b"two\n\n"], 100), "one\ntwo");
        assert_eq!(kept(&[b"one\ntwo"], 7), "one\ntwo");
        assert_eq!(kept(&[], 7), "");
    }

    #[test]
    fn long_texts_start_at_a_line_if_they_can() {
        assert_eq!(kept(&[b"one\ntwo\n", b"three\n"], 8), "three");
        assert_eq!(kept(&[b"abcdefgh"], 3), "fgh");
        assert_eq!(kept(&[b"text"], 0), "");
    }

    #[test]
    fn control_characters_are_replaced() {
        let text = kept(&[b"\x1b[31mred\x07\tx\r\nend\r\n"], 100);
        assert_eq!(text, "\u{fffd}[31mred\u{fffd}\tx\nend");
    }

    /// Stream of prepared results, each after a while; at its end afterwards.
    struct Slow(std::array::IntoIter<Result<&'static [u8], ErrorKind>, 5>);

    impl Read for Slow {
        fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
            thread::sleep(Duration::from_millis(20));
            let bytes = self.0.next().unwrap_or(Ok(b""))?;
            buf[..bytes.len()].copy_from_slice(bytes);
            Ok(bytes.len())
        }
    }

    /// An interrupted read is repeated; any other failure is the end of the stream.
    #[test]
    fn a_slow_stream_is_read_until_it_fails() {
        let results: [Result<&'static [u8], _>; 5] = [
            Ok(b"one\n"),
            Err(ErrorKind::Interrupted),
            Ok(b"two\n"),
            Err(ErrorKind::Other),
            Ok(b"three\n"),
        ];
        let tail = Tail::read(Slow(results.into_iter()), 100);
        tail.settle(Duration::from_secs(60));
        assert_eq!(tail.text(), "one\ntwo");
    }

    #[test]
    fn a_stream_is_read_to_its_end() {
        let tail = Tail::read(&b"a\nb\n"[..], 100);
        tail.settle(Duration::from_secs(60));
        assert_eq!(tail.text(), "a\nb");
    }
}
