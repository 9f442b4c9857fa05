//! Texts of results, kinds of events, headers and errors.

use std::io;
use std::path::PathBuf;

use duoforge_journal::{GameResult, Header, Journal, JournalError, Kind, read};

#[test]
fn results_have_four_texts() {
    for (result, text) in [
        (GameResult::One, "1-0"),
        (GameResult::Two, "0-1"),
        (GameResult::Draw, "1/2-1/2"),
        (GameResult::Open, "*"),
    ] {
        assert_eq!(result.text(), text);
        assert_eq!(GameResult::from_text(text), Some(result));
        assert_eq!(serde_json::to_value(result).unwrap(), text);
    }
    assert_eq!(GameResult::from_text("1-1"), None);
    let made = Header::new(Kind::Match, "Cup", "plan");
    assert_eq!(
        (made.format.as_str(), made.version),
        ("duoforge-journal", 2)
    );
    assert_eq!(
        (made.kind.word(), made.event.as_str(), made.plan.as_str()),
        ("match", "Cup", "plan")
    );
    for (kind, word) in [
        (Kind::Tournament, "tournament"),
        (Kind::Match, "match"),
        (Kind::Other("ladder".to_owned()), "ladder"),
    ] {
        assert_eq!((kind.word(), kind.to_string().as_str()), (word, word));
        assert_eq!(serde_json::to_value(&kind).unwrap(), word);
        assert_eq!(serde_json::from_value::<Kind>(word.into()).unwrap(), kind);
    }
    let since = duoforge_journal::now_ms() - made.made_ms;
    assert!(since < 60_000, "{since}");
    let id = format!("{:x}-{:x}", made.made_ms, std::process::id());
    assert_eq!(made.id, id);
}

#[test]
fn errors_name_the_file_and_the_fault() {
    let path = || PathBuf::from("a/cup");
    let io = || JournalError::Io {
        path: path(),
        action: "read",
        source: io::Error::other("why"),
    };
    for (error, text) in [
        (JournalError::Exists(path()), "a/cup already exists"),
        (
            JournalError::Locked(path()),
            "a/cup is in use by another process",
        ),
        (io(), "a/cup cannot be read: why"),
        (
            JournalError::Full(path()),
            "a/cup cannot be written: the disk or the quota is full",
        ),
        (
            JournalError::Broken(path()),
            "a/cup: journal closed after a failed write",
        ),
    ] {
        assert_eq!(error.to_string(), text);
    }
    let directory = tempfile::tempdir().unwrap();
    let gone = directory.path().join("gone");
    let text = read(&gone).unwrap_err().to_string();
    assert!(
        text.starts_with(&format!("{} cannot be read: ", gone.display())),
        "{text}"
    );
    let text = Journal::open(&gone).unwrap_err().to_string();
    assert!(
        text.starts_with(&format!("{} cannot be written: ", gone.display())),
        "{text}"
    );
}
