"""Tests of tune.py with the program duoforge-lab, on the committed table.

The pinned packages are installed once, in the build directory. DUOFORGE_LAB names another program
than that of the clone.
"""

import gzip
import itertools
import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
TARGET = ROOT / os.environ.get("CARGO_TARGET_DIR", "target")
REQUIREMENTS = HERE / "requirements.txt"
TABLE = HERE.parent / "data/table-level-8.jsonl.gz"

# Positions of the part of the table that the tests use, of both halves and of the training half.
POSITIONS, TRAINING = 231, 114


@pytest.fixture(scope="session")
def python():
    """Python with the pinned packages."""
    environment = TARGET / "tune"
    program, stamp = environment / "bin/python3", environment / "installed.txt"
    if not stamp.exists() or stamp.read_bytes() != REQUIREMENTS.read_bytes():
        subprocess.run([sys.executable, "-m", "venv", "--clear", environment], check=True)
        install = [program, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        install += ["--require-hashes", "--only-binary", ":all:", "--requirement", REQUIREMENTS]
        subprocess.run(install, check=True)
        stamp.write_bytes(REQUIREMENTS.read_bytes())
    return program


@pytest.fixture(scope="session")
def lab():
    """Program duoforge-lab."""
    if named := os.environ.get("DUOFORGE_LAB"):
        return named
    # The features are those of the whole workspace, so that its tests share what is built here.
    cargo = os.environ.get("CARGO", "cargo")
    build = [cargo, "build", "--quiet", "--workspace", "--bin", "duoforge-lab"]
    subprocess.run(build, cwd=ROOT, env={**os.environ, "CARGO_INCREMENTAL": "0"}, check=True)
    return str(TARGET / "debug/duoforge-lab")


@pytest.fixture(scope="session")
def part(tmp_path_factory):
    """File with the first part of the table."""
    path = tmp_path_factory.mktemp("table") / "table.jsonl.gz"
    with gzip.open(TABLE, "rt") as table, gzip.open(path, "wt") as part:
        part.writelines(itertools.islice(table, 1 + POSITIONS))
    return path


@pytest.fixture
def tune(python, lab, part, tmp_path):
    """Returns a function that starts tune.py in an empty directory."""

    def start(*words, base="sims=30", table=part, dir="tuned"):
        options = ["--base", base, "--dir", dir, "--lab", lab]
        return subprocess.Popen(
            [python, HERE / "tune.py", *options, table, *words],
            cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )

    return start


def end(process):
    """Waits for the end; returns exit status, output and errors."""
    output, errors = process.communicate(timeout=120)
    return process.returncode, output, errors


def lines(path):
    """JSON objects of a file with one per line."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def assert_run_once(directory):
    """Checks that each search was run once in each position of its trial; returns the choices."""
    _, *choices = lines(directory / "choices.jsonl")
    assert len({(choice["search"], choice["moves"]) for choice in choices}) == len(choices)
    assert len(choices) == sum(trial["positions"] for trial in lines(directory / "trials.jsonl"))
    return choices


def test_bad_sets_are_dropped_and_the_best_ones_have_commands_that_confirm_them(
    tune, part, tmp_path
):
    words = ["children=1..32", "win_value=0..32000:8000", "exploration=10..80", "--trials", "12"]
    # The base ignores who wins.
    base = "search:sims=30,win_value=0,children=32"
    status, output, errors = end(tune(*words, "--opponent", "pattern", "--pairs", "1", base=base))
    assert status == 0, errors
    trials = lines(tmp_path / "tuned/trials.jsonl")
    first = trials[0]
    assert first["search"].startswith("search:sims=30,children=32,win_value=0,exploration=")
    assert (first["trial"], first["less"]) == (0, 0.0)
    positions = [trial["positions"] for trial in trials]
    assert set(positions) <= {16, 32, 64, TRAINING}
    assert min(positions) < TRAINING == first["positions"]
    assert len({trial["search"] for trial in trials}) == len(trials)
    # All positions are of the training half.
    choices = assert_run_once(tmp_path / "tuned")
    with gzip.open(part, "rt") as table:
        table = [json.loads(line) for line in table][1:]
    training = {line["moves"] for line in table if line["split"] == "training"}
    assert {choice["moves"] for choice in choices} == training
    # The report begins with the base and the best set on all positions.
    rows = [line.split(" | ") for line in output.splitlines() if line.startswith("| search:")]
    complete = [trial for trial in trials if trial["positions"] == TRAINING]
    best = max(complete, key=lambda trial: trial["less"])
    assert [row[0][2:] for row in rows[:2]] == [first["search"], best["search"]]
    assert rows[1][2].startswith(f"{best['less']:+.4f}")
    commands = [shlex.split(line) for line in output.splitlines() if line.startswith("  ")]
    assert [command[1] for command in commands] == ["compare", "match", "match"]
    assert commands[0][-4:-2] == ["--split", "held-out"]
    for command in commands:
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        assert best["search"] in done.stdout or first["search"] in done.stdout


def test_a_killed_run_ends_like_an_undisturbed_one(tune, tmp_path):
    words = ["exploration=10..80", "fpu_weight=16..512:log", "--count", "24", "--trials", "5"]
    whole = end(tune(*words, dir="whole"))
    assert whole[0] in (0, 1), whole[2]
    choices = tmp_path / "killed/choices.jsonl"
    for wanted in (20, 50):
        process = tune(*words, dir="killed")
        while process.poll() is None:
            if choices.exists() and choices.read_bytes().count(b"\n") > wanted:
                break
            time.sleep(0.01)
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    killed = end(tune(*words, dir="killed"))
    assert killed[0] == whole[0], killed[2]
    of_both = [(tmp_path / name / "trials.jsonl").read_bytes() for name in ("whole", "killed")]
    assert of_both[0] == of_both[1]
    # No search was repeated.
    for name in ("whole", "killed"):
        assert_run_once(tmp_path / name)


def test_flags_of_the_engine_are_categories(tune, tmp_path):
    words = ["early_stop", "fpu_root", "--count", "6", "--trials", "8", "--jobs", "2"]
    status, output, errors = end(tune(*words, base="engine:sims=20,threads=1"))
    assert status in (0, 1), errors
    searches = [trial["search"] for trial in lines(tmp_path / "tuned/trials.jsonl")]
    flags = [(0, 0), (0, 1), (1, 0), (1, 1)]
    permitted = {f"engine:sims=20,threads=1,early_stop={a},fpu_root={b}" for a, b in flags}
    assert set(searches) <= permitted and len(searches) >= 2
    assert f"{len(searches)} sets in 8 trials" in output


def test_a_range_with_the_base_alone_has_no_better_set(tune):
    status, output, errors = end(tune("children=8..8", "--count", "2", base="sims=20,children=8"))
    assert status == 1, errors
    assert output.endswith("no set has a lower regret than the base\n")


@pytest.mark.parametrize(
    ("words", "base", "expected"),
    [
        (["explore=1..2"], "sims=9", "unknown key `explore`; expected one of sims, ms"),
        (["exploration=1-2"], "sims=9", "exploration=1-2 is not of the form KEY=MIN..MAX"),
        (["exploration=10..5000"], "sims=9", "out of range: expected MIN and MAX from 0 to 4096"),
        (["exploration=20..10"], "sims=9", "out of range: expected MIN and MAX from 0 to 4096"),
        (["exploration=50..80"], "sims=9,exploration=40", "=40 of the base is not one of"),
        (["exploration=1..81:2"], "sims=9,exploration=40", "=40 of the base is not one of"),
        (["exploration=0..80:log"], "sims=9", "has the minimum 0: expected at least 1"),
        (["exploration=0..80:0"], "sims=9", "has the step 0: expected at least 1"),
        (["endgame_nodes"], "engine:sims=9,threads=1", "with at most 2^32 values"),
        (["tile_weights"], "sims=9", "tile_weights is a list of weights"),
        (["sims=1..9"], "sims=9", "sims is a limit or a seed"),
        (["ponder_sims=0..9"], "sims=9", "ponder_sims is a limit or a seed"),
        (["fpu_root", "fpu_root"], "sims=9", "the key fpu_root is given twice"),
        (["children"], "sims=9,child=3", "unknown key `child`; expected one of"),
        (["children"], "pattern", "pattern has no keys: expected search:KEY=VALUE"),
        (["children"], "ms=9", "ms=9 has a limit in milliseconds: expected sims=N"),
        (["children"], "engine:sims=9,threads=2", "has 2 threads: expected threads=1"),
        (["children", "--trials", "0"], "sims=9", "0 is out of range: expected 1 to"),
        (["children", "--drop-below", "2"], "sims=9", "2 is out of range: expected 0 to 1"),
    ],
)
def test_errors_name_the_input_and_the_permitted_range(tune, words, base, expected):
    status, output, errors = end(tune(*words, base=base))
    assert (status, output) == (2, ""), errors
    assert "error: " in errors and expected in errors
    assert "Traceback" not in errors


def test_missing_files_and_programs_are_errors(tune, tmp_path):
    words = ["exploration=10..80"]
    status, _, errors = end(tune(*words, table="absent"))
    assert status == 2 and "absent cannot be read" in errors, errors
    status, _, errors = end(tune(*words, "--lab", "./absent"))
    assert status == 2 and "./absent cannot be started (No such file" in errors, errors
    (tmp_path / "file").write_text("")
    status, _, errors = end(tune(*words, dir="file"))
    assert status == 2 and "file cannot be written" in errors, errors


def test_failures_are_not_a_negative_result(tune, python, tmp_path):
    words = ["children=8..8", "--count", "2"]
    (tmp_path / "tuned/trials.jsonl").mkdir(parents=True)
    status, _, errors = end(tune(*words, base="sims=20,children=8"))
    assert status == 2 and "tuned/trials.jsonl: Is a directory" in errors, errors
    assert "Traceback" not in errors
    process = tune(*words, base="sims=20,children=8", dir="closed")
    process.stdout.close()
    process.stdout = None
    status, _, errors = end(process)
    assert status == 2 and "standard output is closed" in errors, errors
    assert "Traceback" not in errors and "Exception" not in errors
    # Without its packages, the interpreter finds no Optuna.
    bare = [python, "-I", "-S", HERE / "tune.py", "--help"]
    done = subprocess.run(bare, capture_output=True, text=True)
    assert done.returncode == 2 and "requirements.txt" in done.stderr, done.stderr
