//! Names of bots: command line, time bank and limits.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

#[cfg(unix)]
use duoforge_process::Limits;

/// Longest duration of a setting.
const MAX_DURATION: Duration = Duration::from_secs(24 * 3600);

/// Range of `memory` in MiB.
const MEMORY: RangeInclusive<u64> = 16..=1_048_576;

/// Range of `processes`.
const PROCESSES: RangeInclusive<u64> = 1..=1_000_000;

/// Number of requests of a long game, from which the default CPU limit follows.
const REQUESTS: u32 = 128;

/// Minimum time of the input test, in which a bot may load its tables.
const WARMUP: Duration = Duration::from_secs(10);

/// Bot: its command line, time bank and limits, written as `COMMAND LINE` or
/// `KEY=VALUE,...:COMMAND LINE`.
///
/// | key | default | meaning |
/// |---|---|---|
/// | `timebank` | `10s` | capacity of the time bank |
/// | `move_time` | `500ms` | time that each request adds to the bank |
/// | `memory` | `4096` | address space of each process in MiB |
/// | `cpu` | all time that the bank can give in a game, and 10 s | CPU time of each process |
/// | `processes` | none | processes and threads of the user, see `Limits::processes` |
///
/// ```
/// use std::time::Duration;
/// use duoforge_bots::BotSpec;
///
/// let spec: BotSpec = "memory=512,move_time=1s:python3 bot.py --fast".parse()?;
/// assert_eq!(spec.words, ["python3", "bot.py", "--fast"]);
/// assert_eq!((spec.memory, spec.move_time), (512, Duration::from_secs(1)));
/// assert_eq!(spec.to_string(), "move_time=1s,memory=512:python3 bot.py --fast");
/// # Ok::<(), duoforge_bots::BotSpecError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BotSpec {
    /// Command line: the program, then its arguments.
    pub words: Vec<String>,
    /// Capacity of the time bank.
    pub timebank: Duration,
    /// Time that each request adds to the time bank.
    pub move_time: Duration,
    /// Limit of the address space of each process, in MiB.
    pub memory: u64,
    /// Limit of the CPU time of each process; `None` is [`default_cpu`](Self::default_cpu).
    pub cpu: Option<Duration>,
    /// Limit of the processes and threads of the user.
    pub processes: Option<u64>,
}

/// Error of a text that does not name a bot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BotSpecError {
    /// The command line cannot be split into words.
    #[error("invalid command line '{0}': it is empty, or a quotation mark is not closed")]
    Command(String),
    /// The value of a key is out of range.
    #[error("invalid value '{value}' of {key}: expected {expected}")]
    Value {
        /// Key of the setting.
        key: &'static str,
        /// The value.
        value: String,
        /// Permitted range.
        expected: String,
    },
}

impl BotSpec {
    /// Creates a bot with the default settings; the command line must have at least one word.
    #[must_use]
    pub const fn new(words: Vec<String>) -> Self {
        Self {
            words,
            timebank: Duration::from_secs(10),
            move_time: Duration::from_millis(500),
            memory: 4096,
            cpu: None,
            processes: None,
        }
    }

    /// CPU time that suffices for one core in a long game: the full bank, 128 increments and the
    /// input test.
    #[must_use]
    pub fn default_cpu(&self) -> Duration {
        self.timebank + REQUESTS * self.move_time + self.warmup()
    }

    /// Time for the answer to the input test: the full bank, but at least 10 s.
    #[must_use]
    pub fn warmup(&self) -> Duration {
        self.timebank.max(WARMUP)
    }

    /// Limits of the operating system.
    #[cfg(unix)]
    #[must_use]
    pub fn limits(&self) -> Limits {
        Limits {
            memory: Some(self.memory << 20),
            cpu: Some(self.cpu.unwrap_or_else(|| self.default_cpu())),
            processes: self.processes,
        }
    }

    /// Sets a key. Returns false if there is no such key.
    fn set(&mut self, key: &str, value: &str) -> Result<bool, BotSpecError> {
        let ms = Duration::from_millis;
        match key {
            "timebank" => self.timebank = duration("timebank", value, ms(1))?,
            "move_time" => self.move_time = duration("move_time", value, Duration::ZERO)?,
            "memory" => self.memory = number("memory", value, MEMORY)?,
            "cpu" => self.cpu = Some(duration("cpu", value, ms(1_000))?),
            "processes" => self.processes = Some(number("processes", value, PROCESSES)?),
            _ => return Ok(false),
        }
        Ok(true)
    }
}

impl FromStr for BotSpec {
    type Err = BotSpecError;

    fn from_str(text: &str) -> Result<Self, BotSpecError> {
        let mut spec = Self::new(Vec::new());
        // A command line may contain a colon too; settings are known by their keys.
        let command = match text.split_once(':') {
            Some((settings, command)) if spec.read(settings)? => command,
            _ => text,
        };
        spec.words = shell_words::split(command).unwrap_or_default();
        if spec.words.is_empty() {
            return Err(BotSpecError::Command(command.to_owned()));
        }
        Ok(spec)
    }
}

impl BotSpec {
    /// Reads settings. Returns false, and changes nothing, if the text is not a list of known keys.
    fn read(&mut self, text: &str) -> Result<bool, BotSpecError> {
        let mut changed = self.clone();
        for entry in text.split(',') {
            match entry.split_once('=') {
                Some((key, value)) if changed.set(key.trim(), value.trim())? => {}
                _ => return Ok(false),
            }
        }
        *self = changed;
        Ok(true)
    }
}

impl fmt::Display for BotSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plain = Self::new(Vec::new());
        let mut settings = Vec::new();
        if self.timebank != plain.timebank {
            settings.push(format!("timebank={}", written(self.timebank)));
        }
        if self.move_time != plain.move_time {
            settings.push(format!("move_time={}", written(self.move_time)));
        }
        if self.memory != plain.memory {
            settings.push(format!("memory={}", self.memory));
        }
        if let Some(cpu) = self.cpu {
            settings.push(format!("cpu={}", written(cpu)));
        }
        if let Some(processes) = self.processes {
            settings.push(format!("processes={processes}"));
        }
        if !settings.is_empty() {
            write!(f, "{}:", settings.join(","))?;
        }
        f.write_str(&shell_words::join(&self.words))
    }
}

/// Writes a duration of whole milliseconds.
fn written(duration: Duration) -> String {
    match duration.as_millis() {
        ms if ms % 1000 == 0 => format!("{}s", ms / 1000),
        ms => format!("{ms}ms"),
    }
}

fn duration(key: &'static str, value: &str, min: Duration) -> Result<Duration, BotSpecError> {
    let parsed = humantime::parse_duration(value).ok();
    let is_whole = |duration: &Duration| duration.subsec_nanos().is_multiple_of(1_000_000);
    parsed
        .filter(|duration| (min..=MAX_DURATION).contains(duration) && is_whole(duration))
        .ok_or_else(|| BotSpecError::Value {
            key,
            value: value.to_owned(),
            expected: format!("{} to 24h in whole milliseconds, with a unit", written(min)),
        })
}

fn number(key: &'static str, value: &str, range: RangeInclusive<u64>) -> Result<u64, BotSpecError> {
    let parsed = value.parse().ok();
    parsed
        .filter(|number| range.contains(number))
        .ok_or_else(|| BotSpecError::Value {
            key,
            value: value.to_owned(),
            expected: format!("{} to {}", range.start(), range.end()),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written() {
        for text in [
            "python3 bot.py",
            "./bot --name 'two words'",
            "timebank=5s:./bot",
            "timebank=1500ms,move_time=0s,memory=64,cpu=60s,processes=200:./bot",
            // Colons of a command line.
            "ssh host:/bot",
            "env 'A=b:c' ./bot",
        ] {
            let spec: BotSpec = text.parse().unwrap();
            assert_eq!(spec.to_string(), text);
        }
        let spec: BotSpec = " memory = 64 , cpu = 2m : ./bot".parse().unwrap();
        assert_eq!(spec.to_string(), "memory=64,cpu=120s:./bot");
        // An unknown key is part of the command.
        let spec: BotSpec = "mem=64:./bot".parse().unwrap();
        assert_eq!(spec.words, ["mem=64:./bot"]);
    }

    #[test]
    fn broken_names_have_the_range_in_their_error() {
        for (text, message) in [
            ("", "invalid command line ''"),
            ("memory=64:", "invalid command line ''"),
            ("./bot 'open", "invalid command line './bot 'open'"),
            (
                "memory=8:./bot",
                "invalid value '8' of memory: expected 16 to 1048576",
            ),
            (
                "timebank=0s:./bot",
                "expected 1ms to 24h in whole milliseconds",
            ),
            ("move_time=25h:./bot", "of move_time: expected 0s to 24h"),
            ("move_time=1:./bot", "with a unit"),
            ("cpu=10us:./bot", "of cpu: expected 1s to 24h"),
            ("processes=0:./bot", "of processes: expected 1 to 1000000"),
        ] {
            let error = text.parse::<BotSpec>().unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn limits_follow_the_time_bank() {
        let spec = BotSpec::new(vec!["./bot".to_owned()]);
        let limits = spec.limits();
        assert_eq!(limits.memory, Some(4 << 30));
        assert_eq!(limits.cpu, Some(Duration::from_secs(10 + 64 + 10)));
        assert_eq!(limits.processes, None);
    }
}
