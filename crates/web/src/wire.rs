//! Bytes of devices: written by casual games, and read from the evidence of all games.

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use duoforge_links::wirelog::WireEntry;

use crate::feed::ShownGame;

/// Maximum number of bytes that are read of a file.
const MAX_BYTES: u64 = 4 << 20;

/// Maximum number of entries that are read.
const MAX_ENTRIES: usize = 4096;

/// Name of the wire log of a casual game.
pub const CASUAL: &str = "wire.jsonl";

/// Names of the files of evidence, the wire log first.
pub const EVIDENCE: [&str; 5] = [
    "wire.log",
    "replay.html",
    "moves.txt",
    "game.json",
    "board.svg",
];

/// Wire log of a casual game, next to its journal.
#[derive(Clone, Debug)]
pub struct WireFile {
    path: PathBuf,
    begun_ms: u64,
}

impl WireFile {
    /// Wire log of the game with this journal; its times count from the begin of the game in
    /// milliseconds since 1970.
    pub fn new(journal: &Path, begun_ms: u64) -> Self {
        Self {
            path: casual(journal),
            begun_ms,
        }
    }

    /// Appends entries, each part with the origin of its times.
    pub fn append(&self, parts: Vec<(SystemTime, Vec<WireEntry>)>) {
        let begun = UNIX_EPOCH + Duration::from_millis(self.begun_ms);
        let mut text = String::new();
        for (origin, entries) in parts {
            let shift = origin.duration_since(begun).unwrap_or_default();
            for mut entry in entries {
                entry.wall += shift;
                text.push_str(&entry.to_json());
                text.push('\n');
            }
        }
        if text.is_empty() {
            return;
        }
        let file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.path);
        // A disk without space stops the journal, and with it the game; bytes alone do not.
        let _ = file.and_then(|mut file| file.write_all(text.as_bytes()));
    }
}

fn casual(journal: &Path) -> PathBuf {
    journal.with_extension(CASUAL)
}

/// Bytes of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wire {
    /// Entries in the order of time.
    pub entries: Vec<WireEntry>,
    /// True if entries are missing: there are too many, or some cannot be read.
    pub truncated: bool,
    /// Names of the files of evidence.
    pub files: Vec<&'static str>,
}

/// Reads the bytes of a game, and the names of its files.
pub fn read(journal: &Path, game: &ShownGame) -> Wire {
    let names: &[&str] = if game.playable { &[CASUAL] } else { &EVIDENCE };
    let mut wire = Wire::default();
    for &name in names {
        let Some(path) = file(journal, game, name) else {
            continue;
        };
        wire.files.push(name);
        let parse: fn(&str) -> Option<WireEntry> = match name {
            CASUAL => |text| WireEntry::from_json(text).ok(),
            "wire.log" => |text| text.parse().ok(),
            _ => continue,
        };
        let Ok(file) = File::open(path) else {
            wire.truncated = true;
            continue;
        };
        for line in BufReader::new(file.take(MAX_BYTES)).split(b'\n') {
            let text = line.ok().and_then(|line| String::from_utf8(line).ok());
            match text {
                Some(text) if text.is_empty() || text.starts_with('#') => {}
                Some(text) if wire.entries.len() < MAX_ENTRIES => match parse(&text) {
                    Some(entry) => wire.entries.push(entry),
                    None => wire.truncated = true,
                },
                _ => {
                    wire.truncated = true;
                    break;
                }
            }
        }
    }
    wire.entries.sort_by_key(|entry| entry.wall);
    wire
}

/// Path of a file of evidence, if it is a regular file in the directory of the journal.
pub fn file(journal: &Path, game: &ShownGame, name: &str) -> Option<PathBuf> {
    let path = if game.playable {
        (name == CASUAL).then(|| casual(journal))?
    } else {
        let directory = Path::new(game.evidence.as_deref()?);
        let is_below = directory
            .components()
            .all(|part| matches!(part, Component::Normal(_)));
        let is_known = EVIDENCE.contains(&name) && is_below;
        is_known.then(|| journal.with_file_name("").join(directory).join(name))?
    };
    let path = fs::canonicalize(path).ok()?;
    let parent = journal.parent().filter(|it| !it.as_os_str().is_empty());
    let home = fs::canonicalize(parent.unwrap_or(Path::new("."))).ok()?;
    (path.starts_with(home) && path.is_file()).then_some(path)
}

#[cfg(test)]
mod tests {
    use duoforge_links::wirelog::{Direction, WireEvent, WireLog};
    use duoforge_rules::GameVariant;

    use super::*;
    use crate::dto::Status;

    fn shown(playable: bool, evidence: Option<&str>) -> ShownGame {
        ShownGame {
            journal: "j".to_owned(),
            kind: "match".to_owned(),
            variant: GameVariant::DUO,
            number: 1,
            attempt: 1,
            round: 1,
            status: Status::Running,
            seats: Vec::new(),
            moves: Vec::new(),
            result: None,
            begun_ms: 0,
            ended_ms: None,
            playable,
            evidence: evidence.map(str::to_owned),
            first_line: 1,
            records: 0,
        }
    }

    /// Entries without remarks in the two forms have the same content.
    fn log() -> WireLog {
        let log = WireLog::new();
        let at = |us| log.origin() + Duration::from_micros(us);
        log.chunk("1", Direction::ToBoard, b"25", at(10), None);
        let simulated = Some(Duration::from_micros(7));
        log.chunk(
            "1",
            Direction::FromBoard,
            b"53e0\r\n\xff",
            at(30),
            simulated,
        );
        log
    }

    #[test]
    fn casual_games_keep_their_bytes_with_times_from_their_begin() {
        let directory = tempfile::tempdir().unwrap();
        let journal = directory.path().join("ab-1.journal");
        let file = WireFile::new(&journal, 5_000);
        let begun = UNIX_EPOCH + Duration::from_secs(5);
        let log = log();
        file.append(vec![(begun + Duration::from_secs(1), log.entries())]);
        log.note("1", "late");
        file.append(vec![(begun, log.take().split_off(2)), (begun, Vec::new())]);
        let wire = read(&journal, &shown(true, None));
        assert_eq!((wire.files, wire.truncated), (vec![CASUAL], false));
        let walls: Vec<_> = wire.entries.iter().map(|it| it.wall.as_micros()).collect();
        assert_eq!(walls[1..], [1_000_010, 1_000_030]);
        assert_eq!(wire.entries[2].bytes(), Some(&b"53e0\r\n\xff"[..]));
        assert_eq!(wire.entries[2].simulated, Some(Duration::from_micros(7)));
        assert_eq!(wire.entries[0].event, WireEvent::Note("late".to_owned()));
    }

    #[test]
    fn evidence_is_read_and_never_outside_the_directory_of_the_journal() {
        let directory = tempfile::tempdir().unwrap();
        let events = directory.path().join("events");
        let own = events.join("cup.evidence/game-00001-attempt-1");
        fs::create_dir_all(&own).unwrap();
        let text = format!("# line 1: player 1, A, starts at (5,5)\n{}", log());
        fs::write(own.join("wire.log"), &text).unwrap();
        fs::write(own.join("moves.txt"), "53e0\n").unwrap();
        fs::write(directory.path().join("wire.log"), &text).unwrap();
        let journal = events.join("cup.journal");
        let wire = read(
            &journal,
            &shown(false, Some("cup.evidence/game-00001-attempt-1")),
        );
        assert_eq!(wire.files, ["wire.log", "moves.txt"]);
        assert_eq!((wire.entries, wire.truncated), (log_entries(), false));
        for evidence in ["..", "cup.evidence/../..", "/etc", ""] {
            let wire = read(&journal, &shown(false, Some(evidence)));
            assert_eq!(wire, Wire::default(), "{evidence}");
        }
        let path = |name: &str| file(&journal, &shown(false, Some("cup.evidence")), name);
        assert_eq!(path("../../wire.log"), None);
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("..", events.join("link")).unwrap();
            assert_eq!(read(&journal, &shown(false, Some("link"))), Wire::default());
        }
    }

    fn log_entries() -> Vec<WireEntry> {
        log().take()
    }

    #[test]
    fn damaged_lines_are_reported() {
        let directory = tempfile::tempdir().unwrap();
        let journal = directory.path().join("ab-1.journal");
        let lines = [
            "{}",
            "x",
            r#"{"us":1,"line":"1","dir":"to-board","hex":"3"}"#,
            r#"{"us":1,"line":"1","dir":"to-board","hex":"30"}"#,
        ];
        fs::write(casual(&journal), lines.join("\n")).unwrap();
        let wire = read(&journal, &shown(true, None));
        assert_eq!((wire.entries.len(), wire.truncated), (1, true));
    }
}
