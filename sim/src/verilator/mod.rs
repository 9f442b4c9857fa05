//! Back end that compiles designs to a native program with Verilator.
//!
//! The model, its ports and a small main program become one executable. The cache keeps one
//! executable per design. The main program, Verilator's run-time library and its header are compiled
//! once for all designs, since they take most of the time of a small design.

mod flags;

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use duoforge_hdl::design::Design;

use self::flags::{COMPILE, DEFINES, VERILATE};
use crate::backend::Backend;
use crate::cache::{Cache, Key};
use crate::error::{Result, SimError};
use crate::harness::{SHELL, shell};
use crate::port::Ports;
use crate::process::{ProcessSim, Wave};
use crate::simulator::Options;
use crate::verilog_player::{LINE, PINS};
use duoforge_tools::{
    ToolError,
    catalogue::{CXX, VERILATOR},
    run,
};

const MAIN: &str = include_str!("main.cpp");
const INTERFACE: &str = include_str!("model.h");
const MODEL: &str = include_str!("model.cpp");

/// Returns the waiver for the design: mismatched widths and similar warnings are normal in emitted
/// Verilog, and in the sources of a contestant, whose names are in the text. The ports of the top
/// module and the pins of a contestant's player are checked.
fn waiver(design: &Design) -> String {
    let lines = design.verilog.lines();
    let places = lines.filter_map(|line| line.strip_prefix(LINE)?.split('"').nth(1));
    let mut files: BTreeSet<_> = places.collect();
    if !files.remove(PINS) {
        files.insert("design.v");
    }
    let waivers = files
        .iter()
        .map(|name| format!("lint_off -file \"{name}\"\n"));
    waivers.fold("`verilator_config\n".to_owned(), |text, line| text + &line)
}

/// Header that every unit of a model includes first; it is compiled once for all models.
const HEADER: &str = "common.h";

/// Name of the main program's unit.
const PROGRAM: &str = "main";

/// Begin of the part of a unit that is not optimised.
const NOT_OPTIMISED: &str = "\
#if defined(__clang__)
#pragma clang optimize off
#else
#pragma GCC optimize(\"O0\")
#endif
";

/// Starts a model and builds it first if it is not in the cache.
///
/// # Errors
/// [`SimError::Tool`] if Verilator or the C++ compiler is missing or rejects the design or if
/// Verilator is too old, [`SimError::BadDesign`] and [`SimError::Io`].
pub fn open(design: &Design, options: &Options) -> Result<ProcessSim> {
    let ports = Ports::of(design)?;
    let program = build(design, options)?;
    let wave = if options.wave {
        Wave::Available
    } else {
        Wave::Unavailable
    };
    ProcessSim::start(
        Backend::Verilator,
        &mut Command::new(program),
        ports,
        options,
        wave,
    )
}

/// Builds a model unless the cache holds it, and returns the path of the executable.
///
/// # Errors
/// As [`open`].
pub fn build(design: &Design, options: &Options) -> Result<PathBuf> {
    let ports = Ports::of(design)?;
    let builder = Builder::new(options)?;
    let key = builder.key(design, &ports);
    let entry = builder.cache.get("verilator", key, |directory| {
        builder.build(design, &ports, directory)
    })?;
    Ok(entry.join("model"))
}

/// Returns true if the cache holds the model, so that [`open`] starts it without a build.
///
/// # Errors
/// As [`open`].
pub fn is_built(design: &Design, options: &Options) -> Result<bool> {
    let ports = Ports::of(design)?;
    let builder = Builder::new(options)?;
    Ok(builder.cache.has("verilator", builder.key(design, &ports)))
}

struct Builder {
    cache: Cache,
    verilator: PathBuf,
    compiler: PathBuf,
    include: PathBuf,
    // Identity of the tools: everything about them that a built file depends on.
    identity: String,
    // Flags that only this compiler knows.
    special: &'static [&'static str],
    wave: bool,
}

impl Builder {
    fn new(options: &Options) -> Result<Self> {
        let place = VERILATOR.place()?;
        let verilator = place.program().to_owned();
        let version = run(Command::new(&verilator).arg("--version"))?;
        VERILATOR.check_version(&place, &version)?;
        let compiler = CXX.find()?;
        let root = run(Command::new(&verilator).args(["--getenv", "VERILATOR_ROOT"]))?;
        let include = Path::new(root.trim()).join("include");
        let compiler_version = run(Command::new(&compiler).arg("--version"))?;
        let special = flags::special(&compiler_version);
        let header = include.join("verilated_config.h");
        let config = fs::read_to_string(&header).map_err(SimError::io("reading", header))?;
        // The version of the packaged Verilator does not identify a release, so its configuration
        // header is added.
        let identity = [
            version,
            compiler_version,
            config,
            include.display().to_string(),
        ]
        .concat();
        let cache = Cache::open(options.cache.as_deref())?;
        Ok(Self {
            cache,
            verilator,
            compiler,
            include,
            identity,
            special,
            wave: options.wave,
        })
    }

    fn key(&self, design: &Design, ports: &Ports) -> Key {
        let shell = shell(design, ports);
        let flags = [VERILATE, COMPILE, self.special, DEFINES].concat();
        let wave = if self.wave { "wave" } else { "" };
        let waiver = waiver(design);
        let parts = [
            design.verilog.as_str(),
            &shell,
            MAIN,
            INTERFACE,
            MODEL,
            &waiver,
            &self.identity,
            wave,
        ];
        Key::of(parts.into_iter().chain(flags))
    }

    fn build(&self, design: &Design, ports: &Ports, directory: &Path) -> Result<()> {
        let runtime = self.runtime()?;
        let write = |name: &str, text: &str| {
            let path = directory.join(name);
            fs::write(&path, text).map_err(SimError::io("writing", path))
        };
        write("design.v", &design.verilog)?;
        write("shell.v", &shell(design, ports))?;
        write("waiver.vlt", &waiver(design))?;
        write("model.cpp", MODEL)?;
        write("ports.inc", &port_list(ports))?;
        self.verilate(directory)?;

        // The code that runs in every cycle, then the code that runs once, where optimisation would
        // only cost build time. One unit reads the header once.
        let (once, always): (Vec<_>, Vec<_>) = generated(directory)?
            .into_iter()
            .partition(|name| name.contains("__Slow"));
        let always = unit(&always) + "#include \"model.cpp\"\n";
        write("unit.cpp", &(always + NOT_OPTIMISED + &unit(&once)))?;
        self.compile(directory, "unit", Some(&runtime.join(HEADER)))?;
        let objects = self.runtime_sources().chain([PROGRAM]);
        let mut link = Command::new(&self.compiler);
        link.arg("unit.o")
            .args(objects.map(|source| object(&runtime, source)))
            .args(COMPILE)
            .args(["-o", "model"])
            .current_dir(directory);
        run(&mut link)?;
        remove_sources(directory)
    }

    fn verilate(&self, directory: &Path) -> Result<()> {
        let verilate = |extra: &[&str]| {
            let mut command = Command::new(&self.verilator);
            command
                .args(VERILATE)
                .args(extra)
                .args(["--top-module", SHELL, "-Mdir", "."]);
            if self.wave {
                command.arg("--trace");
            }
            run(command
                .args(["waiver.vlt", "design.v", "shell.v"])
                .current_dir(directory))
            .map(drop)
        };
        match verilate(&[]) {
            // Verilator 5.48 fails in this pass on designs with very many modules.
            Err(ToolError::Failed { output, .. }) if output.contains("Internal Error") => {
                verilate(&["-fno-dfg"])
            }
            result => result,
        }
        .map_err(SimError::from)
    }

    /// Names of the sources of Verilator's run-time library.
    fn runtime_sources(&self) -> impl Iterator<Item = &'static str> {
        let wave = self.wave.then_some("verilated_vcd_c");
        ["verilated", "verilated_threads"].into_iter().chain(wave)
    }

    /// Returns the directory with what is compiled once: the object files of the main program and of
    /// Verilator's run-time library, and the compiled header.
    fn runtime(&self) -> Result<PathBuf> {
        let flags = [COMPILE, self.special, DEFINES].concat();
        let names: Vec<&str> = flags.into_iter().chain(self.runtime_sources()).collect();
        let identity = [self.identity.as_str(), HEADER, MAIN, INTERFACE];
        let key = Key::of(identity.into_iter().chain(names));
        self.cache.get("runtime", key, |directory| {
            let write = |name: &str, text: &str| {
                let path = directory.join(name);
                fs::write(&path, text).map_err(SimError::io("writing", path))
            };
            let mut headers = vec!["model.h".to_owned()];
            if self.wave {
                headers.push("verilated_vcd_c.h".to_owned());
            }
            write("model.h", INTERFACE)?;
            write(HEADER, &unit(&headers))?;
            write("main.cpp", MAIN)?;
            std::thread::scope(|scope| {
                let header = scope.spawn(|| {
                    self.compile_header(directory)?;
                    self.compile(directory, PROGRAM, Some(&directory.join(HEADER)))
                });
                for source in self.runtime_sources() {
                    let path = self.include.join(format!("{source}.cpp"));
                    let text = unit(&[path.display().to_string()]);
                    write(&format!("{source}.cpp"), &text)?;
                    self.compile(directory, source, None)?;
                }
                header
                    .join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            })
        })
    }

    /// Compiles the common header in a directory.
    fn compile_header(&self, directory: &Path) -> Result<()> {
        let mut command = self.compiler(directory);
        command.args(["-x", "c++-header", HEADER, "-o", &format!("{HEADER}.gch")]);
        Ok(run(&mut command).map(drop)?)
    }

    /// Compiles a unit in a directory; `header` is the compiled header that it includes first.
    fn compile(&self, directory: &Path, unit: &str, header: Option<&Path>) -> Result<()> {
        let mut command = self.compiler(directory);
        if let Some(header) = header {
            command.arg("-include").arg(header);
        }
        command.args(["-c", &format!("{unit}.cpp"), "-o", &format!("{unit}.o")]);
        Ok(run(&mut command).map(drop)?)
    }

    /// Returns the compiler with the flags of every unit.
    fn compiler(&self, directory: &Path) -> Command {
        let trace = u8::from(self.wave);
        let mut command = Command::new(&self.compiler);
        command
            .args(COMPILE)
            .args(self.special)
            .args(DEFINES)
            .args([
                format!("-DVM_TRACE={trace}"),
                format!("-DVM_TRACE_VCD={trace}"),
            ])
            .args([OsStr::new("-I."), OsStr::new("-I")])
            .arg(&self.include)
            .arg("-I")
            .arg(self.include.join("vltstd"))
            .current_dir(directory);
        command
    }
}

/// Returns `PORT(p0)` and so on, for the main program.
fn port_list(ports: &Ports) -> String {
    let mut text = String::new();
    for number in 0..ports.len() {
        let _ = writeln!(text, "PORT(p{number})");
    }
    text
}

/// Returns the object file of a source in a directory.
fn object(directory: &Path, source: &str) -> OsString {
    directory.join(source).with_extension("o").into_os_string()
}

/// Returns a source file that includes other source files.
fn unit(sources: &[String]) -> String {
    sources
        .iter()
        .map(|source| format!("#include \"{source}\"\n"))
        .collect()
}

/// Returns the sorted names of the C++ sources that Verilator wrote.
fn generated(directory: &Path) -> Result<Vec<String>> {
    let mut names: Vec<String> = fs::read_dir(directory)
        .map_err(SimError::io("reading", directory))?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.starts_with("Vmodel") && name.ends_with(".cpp"))
        .collect();
    names.sort();
    Ok(names)
}

/// Removes all files but the executable and its Verilog.
fn remove_sources(directory: &Path) -> Result<()> {
    for entry in fs::read_dir(directory).map_err(SimError::io("reading", directory))? {
        let path = entry.map_err(SimError::io("reading", directory))?.path();
        let kept = path.file_stem() == Some(OsStr::new("model"))
            || path.extension() == Some(OsStr::new("v"));
        if !kept {
            fs::remove_file(&path).map_err(SimError::io("removing", path))?;
        }
    }
    Ok(())
}
