//! Tests of models that die or hang.

use std::time::{Duration, Instant};

use duoforge_hdl::design::{Design, Port};
use duoforge_sim::{Backend, Options, SimError, Simulator, icarus, verilator};

/// Returns a design that executes `body` once `go` is 1.
fn design(body: &str) -> Design {
    Design {
        top: "trouble".into(),
        verilog: format!(
            "module trouble(clock, go, out);\n  input clock;\n  input go;\n  output out;\n\
             {body}\nendmodule\n"
        ),
        ports: vec![
            Port::input("clock", 1),
            Port::input("go", 1),
            Port::output("out", 1),
        ],
    }
}

const OSCILLATOR: &str = "  wire loop;\n  assign loop = ~(loop & go);\n  assign out = loop;";
const STOPPER: &str =
    "  assign out = 1'b0;\n  always @(posedge clock) if (go) begin $display(\"bye\"); $finish; end";

fn provoke(sim: &mut dyn Simulator) -> SimError {
    let [go, out] = ["go", "out"].map(|name| sim.port(name).unwrap());
    sim.step(3).unwrap();
    sim.peek(out).unwrap();
    sim.poke(go, 1).unwrap();
    sim.step(3).unwrap();
    sim.peek(out).unwrap_err()
}

#[test]
fn a_model_that_dies_is_an_error_with_its_last_words() {
    let mut sim = verilator::open(&design(OSCILLATOR), &Options::default()).unwrap();
    match provoke(&mut sim) {
        SimError::Died {
            backend: Backend::Verilator,
            output,
            ..
        } => {
            assert!(output.contains("converge"), "{output}");
        }
        other => panic!("{other}"),
    }
    let again = sim.cycles();
    assert!(
        matches!(sim.events(), Err(SimError::Died { .. })),
        "{again}"
    );
}

#[test]
fn a_model_that_ends_is_an_error() {
    let design = design(STOPPER);
    let options = Options::default();
    let sims: [Box<dyn Simulator>; 2] = [
        Box::new(verilator::open(&design, &options).unwrap()),
        Box::new(icarus::open(&design, &options).unwrap()),
    ];
    for mut sim in sims {
        match provoke(&mut *sim) {
            SimError::Died { status, output, .. } => {
                assert_eq!(status, "exit status: 0");
                assert!(output.contains("$finish"), "{}: {output}", sim.backend());
            }
            other => panic!("{other}"),
        }
    }
}

#[test]
fn a_port_of_another_width_is_refused() {
    let mut design = design("  assign out = go;");
    verilator::open(&design, &Options::default()).unwrap();
    design.ports[2] = Port::output("out", 2);
    let error = verilator::open(&design, &Options::default()).unwrap_err();
    assert!(error.to_string().contains("WIDTH"), "{error}");
}

#[test]
fn a_model_that_hangs_is_an_error() {
    let options = Options {
        patience: Duration::from_millis(300),
        ..Options::default()
    };
    let mut sim = icarus::open(&design(OSCILLATOR), &options).unwrap();
    let directory = tempfile::tempdir().unwrap();
    sim.wave_start(&directory.path().join("wave.vcd")).unwrap();
    let error = provoke(&mut sim);
    let dropping = Instant::now();
    drop(sim);
    assert!(dropping.elapsed() < Duration::from_secs(5));
    assert!(
        matches!(
            error,
            SimError::Hung {
                backend: Backend::Icarus,
                ..
            }
        ),
        "{error}"
    );
}

#[test]
fn a_model_may_take_its_time_as_long_as_it_lives() {
    let counter = "  reg [19:0] count;\n  initial count = 0;\n  assign out = count[19];\n  \
                   always @(posedge clock) count <= count + {19'd0, go};";
    let options = Options {
        patience: Duration::from_secs(1),
        ..Options::default()
    };
    let mut sim = icarus::open(&design(counter), &options).unwrap();
    let [go, out] = ["go", "out"].map(|name| sim.port(name).unwrap());
    sim.poke(go, 1).unwrap();
    let run = sim.run_until(out, 1, 1 << 20).unwrap();
    assert_eq!((run.cycles, run.reached), (1 << 19, true));
}

#[test]
fn what_a_design_prints_is_no_answer() {
    let chatter = "  assign out = 1'b1;\n  always @(posedge clock) $display(\"hello\");";
    let design = design(chatter);
    let options = Options::default();
    let sims: [Box<dyn Simulator>; 2] = [
        Box::new(verilator::open(&design, &options).unwrap()),
        Box::new(icarus::open(&design, &options).unwrap()),
    ];
    for mut sim in sims {
        let out = sim.port("out").unwrap();
        sim.watch(out).unwrap();
        sim.step(100).unwrap();
        assert_eq!(sim.events().unwrap().len(), 1, "{}", sim.backend());
        assert_eq!(sim.peek(out).unwrap(), 1, "{}", sim.backend());
    }
}

/// Environment variable that makes the test below the owner of a model of this back end.
#[cfg(target_os = "linux")]
const OWNER: &str = "DUOFORGE_TEST_OWNER";

/// Returns the ids of the running processes that `select` accepts by their parent and group.
#[cfg(target_os = "linux")]
fn processes(select: impl Fn(u32, u32) -> bool) -> Vec<u32> {
    let read = |entry: std::io::Result<std::fs::DirEntry>| {
        // `id (name) state parent group` and more.
        let stat = std::fs::read_to_string(entry.ok()?.path().join("stat")).ok()?;
        let id = stat.split(' ').next()?.parse().ok()?;
        let mut fields = stat.rsplit_once(')')?.1.split_whitespace();
        let state = fields.next()?;
        let [parent, group] = [fields.next()?.parse().ok()?, fields.next()?.parse().ok()?];
        (state != "Z" && select(parent, group)).then_some(id)
    };
    std::fs::read_dir("/proc")
        .unwrap()
        .filter_map(read)
        .collect()
}

/// The owner is killed and cannot end the model. The model exits at the end of its input.
#[cfg(target_os = "linux")]
#[test]
fn a_model_ends_when_its_owner_is_killed() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    use std::thread;

    let design = design("  assign out = go;");
    if let Ok(backend) = std::env::var(OWNER) {
        let options = Options::default();
        let mut sim: Box<dyn Simulator> = match &*backend {
            "icarus" => Box::new(icarus::open(&design, &options).unwrap()),
            _ => Box::new(verilator::open(&design, &options).unwrap()),
        };
        let out = sim.port("out").unwrap();
        sim.peek(out).unwrap();
        println!("ready");
        thread::sleep(Duration::from_secs(600));
        return;
    }
    for backend in ["icarus", "verilator"] {
        let mut command = Command::new(std::env::current_exe().unwrap());
        command
            .args(["--exact", "a_model_ends_when_its_owner_is_killed"])
            .arg("--nocapture")
            .env(OWNER, backend)
            .stdout(Stdio::piped());
        let mut owner = duoforge_process::Child::start(&mut command, 0).unwrap();
        let output = BufReader::new(owner.take_output().unwrap());
        let mut lines = output.lines().map(Result::unwrap);
        assert!(lines.any(|line| line.contains("ready")), "{backend}");
        let models = processes(|parent, _| parent == owner.id());
        assert!(!models.is_empty(), "{backend}");
        assert!(owner.end(Duration::ZERO).unwrap().killed, "{backend}");
        let begun = Instant::now();
        while !processes(|_, group| models.contains(&group)).is_empty() {
            assert!(begun.elapsed() < Duration::from_secs(60), "{backend}");
            thread::sleep(Duration::from_millis(10));
        }
    }
}
