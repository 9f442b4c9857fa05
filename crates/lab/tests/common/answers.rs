//! Engine of the Go Text Protocol with one answer.

use std::fs;
use std::path::Path;

/// Writes an engine whose every move is `mv`, and returns the player.
pub fn engine_of(directory: &Path, mv: &str) -> String {
    let text = format!(
        r"while read id command rest; do
    t=
    case $command in
    list_commands) t=set_game ;;
    genmove) t={mv} ;;
    esac
    printf '=%s %s\n\n' $id $t
done
"
    );
    let path = directory.join("answers.sh");
    fs::write(&path, text).expect("a file");
    format!("gtp:sh {}", path.display())
}
