//! Checks of the vendors' projects without the vendors' tools.
//!
//! The tests synthesise one target of each vendor. All of them are synthesised by
//! `cargo test -p duoforge-targets --test projects -- --include-ignored`.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use duoforge_targets::build::Options;
use duoforge_targets::project::{self, Project};
use duoforge_targets::target::{Pin, Pull};
use duoforge_targets::toolchain::Tools;
use duoforge_targets::{Target, catalogue};
use duoforge_tools::catalogue::YOSYS;
use serde_json::Value;

/// Target with its project.
struct Written {
    board: Target,
    project: Project,
    directory: PathBuf,
}

/// Targets that need a vendor's tool, with their projects, which are written once.
static PROJECTS: LazyLock<Vec<Written>> = LazyLock::new(|| {
    let all = catalogue::all().expect("all are sound");
    let closed = all.into_iter().filter(|board| !board.tools.is_open());
    let projects: Vec<_> = closed.map(Written::new).collect();
    assert!(projects.len() >= 4);
    projects
});

impl Written {
    fn new(board: Target) -> Self {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(&board.name);
        let options = Options {
            directory: directory.clone(),
            team: *b"DF",
        };
        let project = project::write(&board, &options).expect("it is written");
        Self {
            project: project.expect("the board needs a vendor's tool"),
            board,
            directory,
        }
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.directory.join(name)).expect(name)
    }

    /// Runs Yosys in the project's directory.
    fn yosys(&self, script: &str) {
        let mut yosys = YOSYS.command().expect("Yosys is installed");
        yosys
            .current_dir(&self.directory)
            .args(["-q", "-p", script]);
        duoforge_tools::run(&mut yosys).unwrap_or_else(|error| panic!("{error}"));
    }

    fn json(&self, name: &str) -> Value {
        serde_json::from_str(&self.read(name)).expect("JSON")
    }
}

/// Returns the commands of a script as lists of words, without comments.
fn commands(script: &str) -> Vec<Vec<String>> {
    let joined = script.replace("\\\n", " ");
    let lines = joined
        .lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty());
    let separators = |c: char| c.is_whitespace() || "{}\"".contains(c);
    let words = |line: &str| {
        let words = line.split(separators).filter(|word| !word.is_empty());
        words.map(str::to_owned).collect()
    };
    lines.map(words).collect()
}

/// Returns the site of each port, from the vendor's file.
fn sites(written: &Written) -> BTreeMap<String, String> {
    let mut sites = BTreeMap::new();
    let mut place = |port: &str, site: &str| {
        // Splitting leaves a bracket of `[get_ports {a}]`, while `lights[0]` has its own.
        let port = port.strip_prefix('[').unwrap_or(port);
        let before = sites.insert(port.to_owned(), site.to_owned());
        assert_eq!(before, None, "{port} is placed twice");
    };
    match written.board.tools {
        Tools::Quartus { .. } => {
            for words in commands(&written.read("duoforge.qsf")) {
                if words[0] == "set_location_assignment" {
                    assert_eq!((words.len(), words[2].as_str()), (4, "-to"), "{words:?}");
                    place(&words[3], words[1].strip_prefix("PIN_").expect("a pin"));
                }
            }
        }
        _ => {
            for words in commands(&written.read("pins.xdc")) {
                if words.get(2).is_some_and(|word| word == "PACKAGE_PIN") {
                    let at = words.iter().position(|word| word == "[get_ports");
                    place(&words[at.expect("a port") + 1], &words[3]);
                }
            }
        }
    }
    sites
}

/// Returns the ports of the top as read by Yosys, bit by bit.
fn ports(written: &Written) -> BTreeSet<String> {
    let top = &written.board.top;
    written.yosys(&format!("read_verilog {top}.v; write_json ports.json"));
    let netlist = written.json("ports.json");
    let ports = netlist["modules"][top]["ports"].as_object();
    let mut bits = BTreeSet::new();
    for (name, port) in ports.expect("the top has ports") {
        match port["bits"].as_array().expect("bits").len() {
            1 => drop(bits.insert(name.clone())),
            width => bits.extend((0..width).map(|bit| format!("{name}[{bit}]"))),
        }
    }
    bits
}

#[test]
fn every_port_has_a_pin_and_every_pin_is_a_port() {
    for written in PROJECTS.iter() {
        let name = &written.board.name;
        let sites = sites(written);
        let placed: BTreeSet<_> = sites.keys().cloned().collect();
        assert_eq!(placed, ports(written), "{name}");
        for pin in &written.board.pins {
            assert_eq!(sites[&pin.port], pin.site, "{name}: {}", pin.port);
        }
    }
}

#[test]
fn the_projects_name_files_that_are_there() {
    for written in PROJECTS.iter() {
        let script = match written.board.tools {
            Tools::Quartus { .. } => written.read("duoforge.qsf"),
            _ => written.read("build.tcl"),
        };
        let words = commands(&script).concat();
        let ends = |word: &str| [".v", ".sdc", ".xdc"].iter().any(|end| word.ends_with(end));
        let named: Vec<&str> = words
            .iter()
            .map(|word| word.trim_start_matches("$here/"))
            .filter(|word| ends(word))
            .collect();
        // Top, player modules and constraints.
        assert_eq!(named.len(), written.project.modules + 2, "{named:?}");
        for file in named.into_iter().chain(["board.vh", "README.md"]) {
            assert!(written.directory.join(file).is_file(), "{file}");
        }
        let readme = written.read("README.md");
        let id = written.project.id.to_string();
        assert!(readme.contains(&id) && readme.contains(written.project.command));
        assert!(readme.contains("has not been run"), "{readme}");
    }
}

/// The controller contains the build id as ASCII characters.
#[test]
fn the_player_holds_the_build_id_of_its_project() {
    let ids = PROJECTS.iter().map(|written| {
        let controller = written.read("player/controller.v");
        let characters = written.project.id.to_string().into_bytes();
        // The first character is sent first, from the lowest byte.
        for (i, half) in characters.chunks(4).enumerate() {
            let digits: String = half.iter().rev().map(|c| format!("{c:02x}")).collect();
            let constant = format!("build_digits${i} = 32'h{digits};");
            assert!(controller.contains(&constant), "{constant}");
        }
        written.project.id.to_string()
    });
    let ids: Vec<_> = ids.collect();
    let distinct: BTreeSet<_> = ids.iter().collect();
    assert_eq!(distinct.len(), ids.len(), "{ids:?}");
}

/// The PLL's input period in the top equals the crystal's.
#[test]
fn the_loops_are_told_the_crystals_period() {
    for written in PROJECTS.iter() {
        let board = &written.board;
        let nanoseconds = 1_000_000_000 / board.clock.crystal_hz;
        let (text, file) = match board.tools {
            Tools::Quartus { .. } => (
                format!(".inclk0_input_frequency({})", nanoseconds * 1000),
                "duoforge.sdc",
            ),
            _ => (format!(".CLKIN1_PERIOD({nanoseconds}.0)"), "pins.xdc"),
        };
        assert!(catalogue::top(board).contains(&text), "{}", board.name);
        let period = format!("-period {nanoseconds}.000 ");
        assert!(written.read(file).contains(&period), "{}", board.name);
    }
}

#[test]
fn lines_without_a_host_are_pulled_up() {
    for written in PROJECTS.iter() {
        let (file, pull) = match written.board.tools {
            Tools::Quartus { .. } => ("duoforge.qsf", "WEAK_PULL_UP_RESISTOR"),
            _ => ("pins.xdc", "PULLUP TRUE"),
        };
        let pulls = written.read(file).matches(pull).count();
        let up = |pin: &&Pin| pin.pull == Some(Pull::Up);
        assert_eq!(pulls, written.board.pins.iter().filter(up).count());
        assert!(pulls > 0, "{}", written.board.name);
    }
}

/// Runs each script in the machine's Tcl interpreter, if there is one, with the vendor's commands
/// replaced by a recorder. The brackets of each script are checked in any case.
#[test]
fn the_scripts_are_sound() {
    let tclsh = duoforge_tools::find::on_path("tclsh");
    if tclsh.is_none() {
        println!("there is no tclsh here: the scripts were only checked for their brackets");
    }
    for written in PROJECTS.iter() {
        // The `.qsf` file only resembles Tcl.
        let scripts: &[&str] = match written.board.tools {
            Tools::Quartus { .. } => &["duoforge.sdc"],
            _ => &["pins.xdc", "build.tcl"],
        };
        for name in scripts {
            let text = written.read(name);
            for [open, close] in [['{', '}'], ['[', ']']] {
                let count = |c| text.chars().filter(|&other| other == c).count();
                assert_eq!(count(open), count(close), "{name}: {open}{close}");
            }
            let Some(tclsh) = &tclsh else { continue };
            let run = interpreted(tclsh, &written.directory, name);
            let asked = run.lines().filter(|line| line.starts_with("get_ports "));
            let expected = text.matches("[get_ports ").count();
            assert_eq!(asked.count(), expected, "{name}:\n{run}");
            assert!(run.ends_with("end\n"), "{name}:\n{run}");
        }
    }
}

/// Returns the vendor's commands that a script calls, one per line. The recorder returns values
/// that let the script continue.
fn interpreted(tclsh: &Path, directory: &Path, script: &str) -> String {
    let text = "rename unknown {}\n\
                proc unknown {args} {\n\
                    puts $args\n\
                    if {[lrange $args 0 1] eq {get_property PROGRESS}} { return 100% }\n\
                    if {[lrange $args 0 1] eq {get_property SLACK}} { return 0.5 }\n\
                    return something\n\
                }\n\
                source [lindex $argv 0]\n\
                puts end\n";
    fs::write(directory.join("recorder.tcl"), text).expect("it is written");
    let mut command = Command::new(tclsh);
    command
        .current_dir(directory)
        .args(["recorder.tcl", script]);
    duoforge_tools::run(&mut command).unwrap_or_else(|error| panic!("{script}: {error}"))
}

/// Returns the look-up tables and flip-flops of the whole top on the vendor's chip.
fn synthesised(written: &Written) -> (u64, u64) {
    // For Cyclone IV, Yosys does not read its own description of the PLL and does not map block
    // RAM. The design has no block RAM.
    let (library, synthesis) = match written.board.tools {
        Tools::Quartus { .. } => (
            "read_verilog -sv -lib -DNO_CLEARBOX +/intel/common/altpll_bb.v;",
            "synth_intel -family cycloneive -nobram -run begin:vqm",
        ),
        _ => ("", "synth_xilinx -family xc7 -flatten -run begin:edif"),
    };
    let top = &written.board.top;
    written.yosys(&format!(
        "{library} read_verilog {top}.v player/*.v; {synthesis} -top {top}; \
         check -assert; tee -q -o statistics.json stat -json"
    ));
    let statistics = written.json("statistics.json");
    let cells = statistics["design"]["num_cells_by_type"].as_object();
    let cells = cells.expect("cells by type");
    let count = |of: &dyn Fn(&str) -> bool| -> u64 {
        let kinds = cells.iter().filter(|(kind, _)| of(kind));
        kinds.filter_map(|(_, count)| count.as_u64()).sum()
    };
    let loops = |kind: &str| matches!(kind, "altpll" | "PLLE2_BASE");
    assert_eq!(count(&loops), 1, "{cells:?}");
    let lut = |kind: &str| {
        kind.starts_with("LUT") || matches!(kind, "cycloneive_lcell_comb" | "INV" | "$not")
    };
    let ff = |kind: &str| kind.starts_with("FD") || kind == "dffeas";
    let (luts, ffs) = (count(&lut), count(&ff));
    println!("{}: {luts} LUT, {ffs} flip-flops", written.board.name);
    (luts, ffs)
}

/// Returns the available look-up tables and flip-flops, from the vendors' data sheets.
fn available(board: &Target) -> (u64, u64) {
    match &board.tools {
        Tools::Quartus { device, .. } if device.starts_with("EP4CE115") => (114_480, 114_480),
        Tools::Vivado { device } if device.starts_with("xc7a35t") => (20_800, 41_600),
        Tools::Vivado { device } if device.starts_with("xc7a100t") => (63_400, 126_800),
        other => panic!("{other} is not known"),
    }
}

#[track_caller]
fn fits(name: &str) {
    let mut projects = PROJECTS.iter();
    let written = projects.find(|written| written.board.name == name);
    let written = written.expect("a board");
    let (luts, ffs) = synthesised(written);
    let (all_luts, all_ffs) = available(&written.board);
    // The lower bound detects a player whose logic was optimised away.
    assert!(
        (3_000..all_luts).contains(&luts),
        "{luts} LUT of {all_luts}"
    );
    assert!(
        (3_000..all_ffs).contains(&ffs),
        "{ffs} flip-flops of {all_ffs}"
    );
}

#[test]
fn the_design_fits_the_de2_115() {
    fits("de2-115");
}

#[test]
fn the_design_fits_the_arty_a7_35t() {
    fits("arty-a7-35t");
}

#[test]
#[ignore = "the same top as the Arty A7-35T, in larger chips"]
fn the_design_fits_the_other_boards_with_an_artix_7() {
    fits("arty-a7-100t");
    fits("nexys4-ddr");
}
