//! Causes of failures in the outputs of programs.

use crate::run::ToolError;

/// Texts of failed connections.
const CONNECTION: [&str; 5] = [
    "connection broken",
    "Failed to establish",
    "Temporary failure",
    "Could not resolve",
    "Could not connect",
];

/// Texts of errors that name no cause: pip prints the cause in another line.
const VAGUE: [&str; 2] = ["ERROR: No matching distribution", "ERROR: Exception:"];

impl ToolError {
    /// Returns the line of a failure that names the cause: the last error of the output. If that is
    /// vague or missing, a line about the connection or the system replaces it, or else the first
    /// line.
    pub fn first_line(&self) -> String {
        let Self::Failed { output, status, .. } = self else {
            return self.to_string();
        };
        let lines = || {
            output
                .lines()
                .map(str::trim)
                .filter(|line| !line.is_empty())
        };
        let error = lines().rfind(|line| is_error(line));
        let vague = |line: &&str| VAGUE.iter().any(|start| line.starts_with(start));
        let line = error
            .filter(|line| !vague(line))
            .or_else(|| lines().rfind(|line| is_of_connection(line) || line.contains("Errno")))
            .or(error)
            .or_else(|| lines().next());
        line.map_or_else(|| status.to_string(), str::to_owned)
    }

    /// Returns the line that names the cause, and a question about the network if that is the cause.
    pub(super) fn cause(&self) -> String {
        let line = self.first_line();
        if !is_of_connection(&line) {
            return line;
        }
        // pip prints the state of its retries before.
        let start = line.find(CONNECTION[0]).unwrap_or(0);
        format!("{}; is the network reachable?", &line[start..])
    }

    /// Returns the first sentence of the output of a program that breaks its lines.
    pub(super) fn first_sentence(&self) -> String {
        let Self::Failed { output, status, .. } = self else {
            return self.to_string();
        };
        let words: Vec<_> = output.split_whitespace().collect();
        let text = words.join(" ");
        match text
            .split(". ")
            .next()
            .map(|text| text.trim_end_matches('.'))
        {
            None | Some("") => status.to_string(),
            Some(sentence) => sentence.to_owned(),
        }
    }
}

fn is_error(line: &str) -> bool {
    ["ERROR:", "E:", "no such option"]
        .iter()
        .any(|start| line.starts_with(start))
}

fn is_of_connection(line: &str) -> bool {
    CONNECTION.iter().any(|text| line.contains(text))
}
