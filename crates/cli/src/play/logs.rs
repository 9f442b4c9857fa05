//! Ends of the logs that players wrote.

use duoforge_referee::{Game, Outcome, Seat};

/// Maximum number of lines of a log that are shown.
const LOG_LINES: usize = 20;

/// Returns the last lines of the logs of the bots that have not won or drawn; empty without any.
pub fn lost_logs(game: &Game) -> String {
    let mut text = String::new();
    for seat in Seat::BOTH {
        let has_scored = game.outcome == Outcome::Win(seat) || game.outcome == Outcome::Draw;
        let Some(log) = game.logs[seat].as_ref().filter(|_| !has_scored) else {
            continue;
        };
        text += &last_lines(&format!("{seat} ({})", game.names[seat]), log);
    }
    text
}

/// Returns the last lines of the log of a player with a heading; empty if the log is.
pub fn last_lines(player: &str, log: &str) -> String {
    let lines: Vec<_> = log.lines().collect();
    if lines.is_empty() {
        return String::new();
    }
    let first = lines.len().saturating_sub(LOG_LINES);
    let scope = match first {
        0 => "log".to_owned(),
        _ => format!("last {LOG_LINES} of {} lines of the log", lines.len()),
    };
    let mut text = format!("{scope} of {player}:\n");
    for line in &lines[first..] {
        text += &format!("  {line}\n");
    }
    text
}
