//! What openFPGALoader prints, as it prints it.

/// Something that openFPGALoader said.
#[derive(Clone, Debug, PartialEq)]
pub enum Said {
    /// A line, without what is at its ends.
    Line(String),
    /// How far a step is.
    Progress {
        /// The step, such as `Loading`.
        step: String,
        /// Percent of it.
        percent: f32,
    },
}

/// Cuts what arrives in pieces into lines; a bar is drawn over itself with carriage returns.
#[derive(Debug, Default)]
pub struct Cutter {
    rest: Vec<u8>,
}

impl Cutter {
    /// What a piece completes.
    pub fn cut(&mut self, piece: &[u8]) -> Vec<Said> {
        self.rest.extend_from_slice(piece);
        let mut said = Vec::new();
        let end = |byte: &u8| matches!(byte, b'\n' | b'\r');
        while let Some(at) = self.rest.iter().position(end) {
            let line: Vec<u8> = self.rest.drain(..=at).collect();
            said.extend(understand(&line[..at]));
        }
        said
    }

    /// What is left when nothing more comes.
    pub fn finish(self) -> Option<Said> {
        understand(&self.rest)
    }
}

fn understand(line: &[u8]) -> Option<Said> {
    let text = String::from_utf8_lossy(line);
    let text = text.trim();
    // The program greets with the path of a file that it was not given.
    if text.is_empty() || text == "empty" {
        return None;
    }
    Some(progress(text).unwrap_or_else(|| Said::Line(text.to_owned())))
}

/// `Loading: [=====     ] 50.00%`
fn progress(text: &str) -> Option<Said> {
    let (step, rest) = text.split_once(": [")?;
    let (_, percent) = rest.strip_suffix('%')?.rsplit_once(']')?;
    Some(Said::Progress {
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
        let line = |text: &str| Said::Line(text.into());
        let loading = |percent| Said::Progress {
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
            let mut cutter = Cutter::default();
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
