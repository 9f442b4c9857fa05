//! Commands of the lab that the documents mention must exist.

use std::fs;
use std::path::Path;
use std::process::Command;

#[test]
fn every_command_of_the_documents_has_help() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut commands = Vec::new();
    for name in [
        "README.md",
        "docs/figures.json",
        "docs/formats.md",
        "docs/guide.md",
        "docs/hardware.md",
        "docs/measuring.md",
        "docs/performance.md",
        "docs/search.md",
        "docs/verification.md",
    ] {
        let text = fs::read_to_string(root.join(name)).expect("a document");
        let named = text.split("duoforge-lab ").skip(1).filter_map(|after| {
            let word = after
                .trim_start_matches("-- ")
                .split([' ', '`', '\n', '"'])
                .next()?;
            let is_command = word.starts_with(|it: char| it.is_ascii_lowercase());
            is_command.then(|| word.to_owned())
        });
        commands.extend(named);
    }
    assert!(commands.iter().any(|command| command == "regret"));
    commands.sort();
    commands.dedup();
    for command in commands {
        let output = Command::new(env!("CARGO_BIN_EXE_duoforge-lab"))
            .args([&command, "--help"])
            .output()
            .expect("it starts");
        assert!(output.status.success(), "duoforge-lab {command}");
    }
}
