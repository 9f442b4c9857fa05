//! Back end that compiles designs to a native program with Verilator.
//!
//! The model, its ports and a small main program become one executable. The cache keeps one
//! executable per design. Verilator's run-time library is compiled once for all designs, which
//! reduces the build of a small design from six seconds to one.

use std::ffi::{OsStr, OsString};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use duoforge_hdl::design::Design;

use crate::backend::Backend;
use crate::cache::{Cache, Key};
use crate::error::{Result, SimError};
use crate::harness::{SHELL, shell};
use crate::port::Ports;
use crate::process::{ProcessSim, Wave};
use crate::simulator::Options;
use duoforge_tools::{
    ToolError,
    catalogue::{CXX, VERILATOR},
    run,
};

const MAIN: &str = include_str!("main.cpp");

/// Arguments of Verilator.
///
/// The language is the one that rust-hdl emits. Unknown values become 0, so that runs repeat and
/// agree with the Rust back end; Icarus detects unknown values. A port of the top module that is
/// missing or has another width is an error; see [`WAIVER`] for the design itself.
const VERILATE: &[&str] = &[
    "--cc",
    "-O3",
    "--language",
    "1364-2005",
    "--x-assign",
    "0",
    "--x-initial",
    "0",
    "--timescale",
    "1ns/1ns",
    "-Wno-fatal",
    "-Werror-PINMISSING",
    "-Werror-WIDTH",
    "--prefix",
    "Vmodel",
];

/// Waiver for the design: mismatched widths and similar warnings are normal in emitted Verilog.
const WAIVER: &str = "`verilator_config\nlint_off -file \"design.v\"\n";

/// Macros that the model's sources require.
const DEFINES: &[&str] = &[
    "-DVERILATOR=1",
    "-DVM_COVERAGE=0",
    "-DVM_SC=0",
    "-DVM_TIMING=0",
    "-DVM_TRACE_FST=0",
    "-DVM_TRACE_SAIF=0",
    "-DVL_TIME_CONTEXT",
];

/// Compiler flags. Warnings about generated code are disabled.
const COMPILE: &[&str] = &["-std=gnu++17", "-w", "-pthread"];

/// Starts a model and builds it first if it is not in the cache.
///
/// # Errors
/// [`SimError::Tool`] if Verilator or the C++ compiler is missing or rejects the design,
/// [`SimError::BadDesign`] and [`SimError::Io`].
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
    let entry = builder.cache.get("verilator", key, |folder| {
        builder.build(design, &ports, folder)
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
    wave: bool,
}

impl Builder {
    fn new(options: &Options) -> Result<Self> {
        let verilator = VERILATOR.find()?;
        let compiler = CXX.find()?;
        let root = run(Command::new(&verilator).args(["--getenv", "VERILATOR_ROOT"]))?;
        let include = Path::new(root.trim()).join("include");
        // The version of the packaged Verilator does not identify a release, so its configuration
        // header is added.
        let version = run(Command::new(&verilator).arg("--version"))?;
        let compiler_version = run(Command::new(&compiler).arg("--version"))?;
        let header = include.join("verilated_config.h");
        let config = fs::read_to_string(&header).map_err(SimError::io("reading", header))?;
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
            wave: options.wave,
        })
    }

    fn key(&self, design: &Design, ports: &Ports) -> Key {
        let shell = shell(design, ports);
        let flags = VERILATE.iter().chain(COMPILE).chain(DEFINES).copied();
        let wave = if self.wave { "wave" } else { "" };
        let parts = [
            design.verilog.as_str(),
            &shell,
            MAIN,
            WAIVER,
            &self.identity,
            wave,
        ];
        Key::of(parts.into_iter().chain(flags))
    }

    fn build(&self, design: &Design, ports: &Ports, folder: &Path) -> Result<()> {
        let runtime = self.runtime()?;
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            fs::write(&path, text).map_err(SimError::io("writing", path))
        };
        write("design.v", &design.verilog)?;
        write("shell.v", &shell(design, ports))?;
        write("waiver.vlt", WAIVER)?;
        write("main.cpp", MAIN)?;
        write("ports.inc", &port_list(ports))?;
        self.verilate(folder)?;

        // Two units, compiled in parallel: the code that runs in every cycle, and the code that
        // runs once, where optimisation would only cost build time.
        let (once, always): (Vec<_>, Vec<_>) = generated(folder)?
            .into_iter()
            .partition(|name| name.contains("__Slow"));
        write("once.cpp", &unit(&once))?;
        write("always.cpp", &(unit(&always) + "#include \"main.cpp\"\n"))?;
        let (slow, fast) = std::thread::scope(|scope| {
            let slow = scope.spawn(|| self.compile(folder, "once", "-O0"));
            let fast = self.compile(folder, "always", "-O2");
            (
                slow.join()
                    .unwrap_or_else(|panic| std::panic::resume_unwind(panic)),
                fast,
            )
        });
        slow?;
        fast?;
        let objects = ["once.o", "always.o"]
            .map(OsString::from)
            .into_iter()
            .chain(runtime);
        let mut link = Command::new(&self.compiler);
        link.args(objects)
            .args(COMPILE)
            .args(["-o", "model"])
            .current_dir(folder);
        run(&mut link)?;
        remove_sources(folder)
    }

    fn verilate(&self, folder: &Path) -> Result<()> {
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
                .current_dir(folder))
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

    /// Returns the object files of Verilator's run-time library.
    fn runtime(&self) -> Result<Vec<OsString>> {
        let mut sources = vec!["verilated", "verilated_threads"];
        if self.wave {
            sources.push("verilated_vcd_c");
        }
        let flags = COMPILE.iter().chain(DEFINES).copied();
        let key = Key::of(
            [self.identity.as_str()]
                .into_iter()
                .chain(flags)
                .chain(sources.clone()),
        );
        let entry = self.cache.get("runtime", key, |folder| {
            for source in &sources {
                let file = format!("{source}.cpp");
                let text = unit(&[self.include.join(file).display().to_string()]);
                let path = folder.join(format!("{source}.cpp"));
                fs::write(&path, text).map_err(SimError::io("writing", path))?;
                self.compile(folder, source, "-O2")?;
            }
            Ok(())
        })?;
        let object = |source: &str| entry.join(source).with_extension("o").into_os_string();
        Ok(sources.into_iter().map(object).collect())
    }

    fn compile(&self, folder: &Path, unit: &str, optimise: &str) -> Result<()> {
        let trace = u8::from(self.wave);
        let mut command = Command::new(&self.compiler);
        command
            .args(COMPILE)
            .args(DEFINES)
            .args([
                format!("-DVM_TRACE={trace}"),
                format!("-DVM_TRACE_VCD={trace}"),
            ])
            .args([OsStr::new("-I."), OsStr::new("-I")])
            .arg(&self.include)
            .arg("-I")
            .arg(self.include.join("vltstd"))
            .args([
                optimise,
                "-c",
                &format!("{unit}.cpp"),
                "-o",
                &format!("{unit}.o"),
            ])
            .current_dir(folder);
        Ok(run(&mut command).map(drop)?)
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

/// Returns a source file that includes other source files.
fn unit(sources: &[String]) -> String {
    sources
        .iter()
        .map(|source| format!("#include \"{source}\"\n"))
        .collect()
}

/// Returns the sorted names of the C++ sources that Verilator wrote.
fn generated(folder: &Path) -> Result<Vec<String>> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .map_err(SimError::io("reading", folder))?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.starts_with("Vmodel") && name.ends_with(".cpp"))
        .collect();
    names.sort();
    Ok(names)
}

/// Removes all files but the executable and its Verilog.
fn remove_sources(folder: &Path) -> Result<()> {
    for entry in fs::read_dir(folder).map_err(SimError::io("reading", folder))? {
        let path = entry.map_err(SimError::io("reading", folder))?.path();
        let kept = path.file_stem() == Some(OsStr::new("model"))
            || path.extension() == Some(OsStr::new("v"));
        if !kept {
            fs::remove_file(&path).map_err(SimError::io("removing", path))?;
        }
    }
    Ok(())
}
