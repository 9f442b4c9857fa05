//! Output of openFPGALoader, line by line.

/// Piece of openFPGALoader's output.
#[derive(Clone, Debug, PartialEq)]
pub enum LoaderOutput {
    /// Line, trimmed.
    Line(String),
    /// Progress of a step.
    Progress {
        /// Name of the step, such as `Loading`.
        step: String,
        /// Completed share in percent.
        percent: f32,
    },
}

/// Splitter of a byte stream into lines. A carriage return ends a line too: progress bars overwrite
/// themselves.
#[derive(Debug, Default)]
pub struct LineSplitter {
    rest: Vec<u8>,
}

impl LineSplitter {
    /// Takes a piece and returns the lines that it completes.
    pub fn cut(&mut self, piece: &[u8]) -> Vec<LoaderOutput> {
        self.rest.extend_from_slice(piece);
        let mut said = Vec::new();
        let end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        while let Some(at) = self.rest.iter().position(end) {
            let line: Vec<u8> = self.rest.drain(..=at).collect();
            said.extend(understand(&line[..at]));
        }
        said
    }

    /// Returns the rest at the end of the stream.
    pub fn finish(self) -> Option<LoaderOutput> {
        understand(&self.rest)
    }
}

fn understand(line: &[u8]) -> Option<LoaderOutput> {
    let text = String::from_utf8_lossy(line);
    let text = text.trim();
    // openFPGALoader starts with the path of an optional file that it was not given.
    if text.is_empty() || text == "empty" {
        return None;
    }
    Some(progress(text).unwrap_or_else(|| LoaderOutput::Line(text.to_owned())))
}

/// Parses a progress bar such as `Loading: [=====     ] 50.00%`.
fn progress(text: &str) -> Option<LoaderOutput> {
    let (step, rest) = text.split_once(": [")?;
    let (_, percent) = rest.strip_suffix('%')?.rsplit_once(']')?;
    Some(LoaderOutput::Progress {
        step: step.to_owned(),
        percent: percent.trim().parse().ok()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_and_lines_are_told_apart_wherever_the_pieces_end() {
        let printed = "empty\nwrite to ram\nOpen file: DONE\n\rLoading: [==   ] 40.00%\n\r\
                       Loading: [=====] 100.00%\n\nDone\nDisable configuration: DONE";
        let line = |text: &str| LoaderOutput::Line(text.into());
        let loading = |percent| LoaderOutput::Progress {
            step: "Loading".into(),
            percent,
        };
        let expected = [
            line("write to ram"),
            line("Open file: DONE"),
            loading(40.0),
            loading(100.0),
            line("Done"),
            line("Disable configuration: DONE"),
        ];
        for size in [1, 2, 7, 1000] {
            let mut cutter = LineSplitter::default();
            let mut said: Vec<_> = printed
                .as_bytes()
                .chunks(size)
                .flat_map(|piece| cutter.cut(piece))
                .collect();
            said.extend(cutter.finish());
            assert_eq!(said, expected, "pieces of {size}");
        }
    }
}
