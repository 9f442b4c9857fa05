//! Test engine for the server.

use std::time::Duration;

use duoforge_gtp::{GtpEngine, TimeSettings, serve};
use duoforge_rules::{Colour, DuoBoard, Move, Notation};

/// Engine that plays the first legal placement and records its settings.
#[derive(Debug, Default)]
pub struct First {
    pub begun: u32,
    pub seed: Option<u64>,
    pub level: u32,
    pub settings: Option<TimeSettings>,
    pub left: Option<(Colour, Duration, u32)>,
    pub fails: bool,
    pub cheats: bool,
}

impl GtpEngine for First {
    fn name(&self) -> &str {
        "first"
    }

    fn version(&self) -> &str {
        "1.2"
    }

    fn choose(&mut self, board: &DuoBoard) -> Result<Move, String> {
        if self.fails {
            return Err("out of order".to_owned());
        }
        if self.cheats {
            return Ok(Notation::DUO.read("a1").unwrap());
        }
        Ok(board.legal().next().expect("there is one").into())
    }

    fn begin(&mut self) {
        self.begun += 1;
    }

    fn seed(&mut self, seed: u64) {
        self.seed = Some(seed);
    }

    fn value(&self) -> Option<f64> {
        (self.level > 0).then_some(0.25)
    }

    fn parameters(&self) -> Vec<(String, String)> {
        vec![("level".to_owned(), self.level.to_string())]
    }

    fn set(&mut self, key: &str, value: &str) -> Result<(), String> {
        if key != "level" {
            return Err(format!("unknown parameter {key}"));
        }
        self.level = value.parse().map_err(|_| "no number".to_owned())?;
        Ok(())
    }

    fn time_settings(&mut self, settings: TimeSettings) {
        self.settings = Some(settings);
    }

    fn time_left(&mut self, player: Colour, left: Duration, moves: u32) {
        self.left = Some((player, left, moves));
    }
}

/// Returns the responses to some bytes.
pub fn answers_of(engine: &mut First, input: &[u8]) -> Vec<String> {
    let mut output = Vec::new();
    serve(engine, input, &mut output).unwrap();
    let output = String::from_utf8(output).unwrap();
    assert!(output.is_empty() || output.ends_with("\n\n"), "{output:?}");
    let answers = output.split_terminator("\n\n");
    answers.map(str::to_owned).collect()
}
