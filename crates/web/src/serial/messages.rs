//! Messages of the socket besides the bytes: text frames with one JSON object each.

use duoforge_links::wirelog::Decoded;
use serde::{Deserialize, Serialize};

use crate::dto::{CheckView, JobStatus, meaning};

/// Maximum number of meanings of one chunk of bytes.
const MAX_MEANINGS: usize = 8;

/// Request of the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// Action.
    #[serde(rename = "do")]
    pub action: Action,
}

/// Action that a page requests.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Handshake, for the team code.
    Identify,
    /// All conformance checks.
    Conform,
    /// End of the conformance run.
    Cancel,
}

/// Kind of job.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Job {
    /// Handshake.
    Identify,
    /// Conformance run.
    Conform,
}

/// Report to the page.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Report {
    /// First message.
    Hello {
        /// Name of the board as a player in `POST games`.
        player: String,
        /// Time limit of a reply in games, in milliseconds.
        limit_ms: u64,
    },
    /// Meaning of the next chunk of a direction that has none yet.
    Meaning {
        /// `to-board` or `from-board`.
        dir: &'static str,
        /// Meaning in the contest's protocol.
        meaning: Vec<String>,
    },
    /// A job begins.
    Begun {
        /// The job.
        job: Job,
        /// Number of checks.
        checks: usize,
    },
    /// A check has ended.
    Check(Box<CheckView>),
    /// A job has ended.
    Ended {
        /// The job.
        job: Job,
        /// Status at the end.
        status: JobStatus,
        /// Team code, if the board sent one.
        team: Option<String>,
        /// Reason of a failure.
        reason: Option<String>,
    },
}

impl Report {
    /// The meaning of a chunk; that of noise is cut.
    pub fn meaning(dir: &'static str, decoded: &[Decoded]) -> Self {
        let shown = decoded.iter().take(MAX_MEANINGS).map(meaning);
        let more = (decoded.len() > MAX_MEANINGS).then(|| "and more".to_owned());
        Self::Meaning {
            dir,
            meaning: shown.chain(more).collect(),
        }
    }

    /// The message as JSON.
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("reports are made of texts and numbers")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_are_few_and_hold_nothing_else() {
        let read = |text: &str| serde_json::from_str::<Request>(text).map(|it| it.action);
        assert_eq!(read(r#"{"do":"identify"}"#).unwrap(), Action::Identify);
        assert_eq!(read(r#"{"do":"conform"}"#).unwrap(), Action::Conform);
        assert_eq!(read(r#"{"do":"cancel"}"#).unwrap(), Action::Cancel);
        for wrong in [
            "",
            "1TW",
            "{}",
            r#"{"do":"shell"}"#,
            r#"{"do":"conform","device":"/dev/ttyS0"}"#,
            r#"{"do":"conform"}x"#,
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_meaning_of_noise_is_short() {
        let noise = [Decoded::Unsolicited(b'x'); 4096];
        let text = Report::meaning("from-board", &noise).text();
        assert!(text.len() < 400 && text.contains("and more"), "{text}");
        let hello = Report::Hello {
            player: "browser:0".to_owned(),
            limit_ms: 5000,
        };
        let expected = r#"{"type":"hello","player":"browser:0","limit_ms":5000}"#;
        assert_eq!(hello.text(), expected);
    }
}
