//! Verilog of whole players. These tests are not in the library: its unit tests would compile every
//! player a second time.

use std::fs;
use std::path::{Path, PathBuf};

use duoforge_hdl::chooser::PlayerConfig;
use duoforge_hdl::parameters::PlayerParameters;
use duoforge_hdl::verilog::emit::{self, TOP, WriteError};
use duoforge_hdl::verilog::unroll::generate;
use duoforge_hdl::verilog::{self, Prefix};
use rust_hdl_core::module_defines::ModuleDefines;

fn assert_is_the_text_of_rust_hdl(chooser: &str) {
    let chooser = chooser.parse().expect("a chooser");
    emit::on_large_stack(|| {
        let player = emit::block(&PlayerParameters::default(), &chooser).expect("a player");
        let mut generator = ModuleDefines::default();
        player.accept("top", &mut generator);
        assert!(generate(&*player) == generator.defines());
    });
}

#[test]
fn the_pattern_player_is_the_text_of_rust_hdl() {
    assert_is_the_text_of_rust_hdl("pattern");
}

#[test]
fn the_search_player_is_the_text_of_rust_hdl() {
    assert_is_the_text_of_rust_hdl("search:lanes=2,nodes=64");
}

#[test]
fn every_module_of_a_player_has_the_prefix() {
    let plain =
        emit::modules(&PlayerParameters::default(), &PlayerConfig::Pattern).expect("modules");
    let names: Vec<_> = plain.iter().map(|module| module.name.clone()).collect();
    let prefix: Prefix = "xy_".parse().expect("a prefix");
    let renamed = prefix.apply(plain.clone());
    for (module, name) in renamed.iter().zip(&names) {
        assert_eq!(module.name, format!("xy_{name}"));
        // No line begins with the old name of a module as the kind of an instance.
        for line in module.text.lines() {
            let kind = line.trim_start().split(' ').next().unwrap_or_default();
            let is_instance = line.ends_with('(') && line.starts_with("    ");
            assert!(!is_instance || kind.starts_with("xy_"), "{line}");
        }
    }
    // Removal of the prefix restores the text.
    let back: String = renamed.iter().map(|m| m.text.replace("xy_", "")).collect();
    let text: String = plain.iter().map(|module| module.text.as_str()).collect();
    assert_eq!(back, text);
}

#[test]
fn the_ports_of_the_top_are_those_of_the_block() {
    let parameters = PlayerParameters::default();
    let modules = emit::modules(&parameters, &PlayerConfig::Pattern).expect("modules");
    let player = emit::block(&parameters, &PlayerConfig::Pattern).expect("a player");
    let design = verilog::design(&*player, TOP).expect("a design");
    assert_eq!(modules[0].ports(), design.ports);
    assert!(design.ports.iter().any(|port| port.width == 32));
}

fn write(directory: &Path) -> Result<Vec<PathBuf>, WriteError> {
    emit::write(
        &PlayerParameters::default(),
        &PlayerConfig::Pattern,
        directory,
    )
}

#[test]
fn the_directory_holds_what_the_list_names() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let written = write(directory.path()).expect("it is written");
    let list = fs::read_to_string(directory.path().join("duoforge_player.f")).expect("the list");
    assert!(list.starts_with("duoforge_player.v\n"), "{list}");
    for name in list.lines() {
        let text = fs::read_to_string(directory.path().join(name)).expect("a module");
        let module = name.trim_end_matches(".v");
        assert!(text.contains(&format!("\nmodule {module}(")), "{name}");
    }
    assert_eq!(written.len(), list.lines().count() + 2);
}

#[test]
fn a_file_that_was_not_generated_is_kept() {
    let directory = tempfile::tempdir().expect("a temporary directory");
    let directory = directory.path();
    for (name, own) in [
        ("scan.v", "module scan; endmodule\n"),
        ("duoforge_player.f", "scan.v\n../top.v\n"),
        ("duoforge_player.f", "scan.v +define+MINE.v\n"),
    ] {
        let path = directory.join(name);
        fs::write(&path, own).expect("it is written");
        let refused = write(directory).expect_err("a file of its owner");
        assert!(matches!(refused, WriteError::Foreign(file) if file == path));
        assert_eq!(fs::read_to_string(&path).expect("the file"), own);
        assert_eq!(fs::read_dir(directory).expect("it").count(), 1);
        fs::remove_file(&path).expect("it is removed");
    }
    write(directory).expect("files");
    // Generated files are overwritten.
    write(directory).expect("the same files");
}
