#!/usr/bin/env python3
"""Tunes parameters of a search on the training half of a reference table.

Each set of parameters chooses placements by `duoforge-lab compare`, in the same positions and with
the same seeds as the base. Optuna's TPE sampler suggests the sets. The number of positions doubles
from --first to all of them; Wilcoxon's signed-rank test drops a set that is worse than the best
one, position by position.

A KEY is a key of the search; `duoforge-lab keys SEARCH` lists them.
  KEY                 all permitted values, such as both of a flag
  KEY=MIN..MAX        integers of a range, both ends included
  KEY=MIN..MAX:STEP   those from MIN in steps of STEP
  KEY=MIN..MAX:log    more small ones than large ones, evenly on a logarithmic scale

DIR keeps the choices, so the same command resumes a killed run without repeating a search: it
suggests the same sets again and takes their choices from there. More trials, or other keys, use the
choices too. Delete DIR after a change of the code.

Exit status: 0 if a set has a lower regret than the base, 1 if none has, 2 after a failure, 130
after Ctrl-C or SIGTERM.
"""

import argparse
import fcntl
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import warnings
from pathlib import Path

try:
    import optuna
    from optuna.distributions import CategoricalDistribution, IntDistribution
    from optuna.pruners import WilcoxonPruner
    from optuna.samplers import TPESampler
except ImportError as error:
    print(
        f"error: {error}: install the packages of {Path(__file__).parent / 'requirements.txt'} "
        "with pip",
        file=sys.stderr,
    )
    sys.exit(2)

# Keys that limit a search or seed it. A longer search is always better.
LIMITS = {"sims", "ms", "ponder_sims", "level", "seed", "threads"}

# Maximum number of values of a key.
MAX_VALUES = 2**32

FORM = re.compile(r"(\d+)\.\.(\d+)(?::(\d+|log))?")


class Fault(Exception):
    """An input is refused, or a program failed."""


class Lab:
    """Runs `duoforge-lab`."""

    def __init__(self, program, lock):
        self.program = program
        self.lock = lock

    def run(self, words, output=subprocess.PIPE):
        """Runs a command and returns its standard output."""
        sys.stdout.flush()
        try:
            # The program holds the lock of DIR as long as it runs, also if this script is killed.
            done = subprocess.run(
                [self.program, *words], stdout=output, stderr=subprocess.PIPE, text=True,
                pass_fds=[self.lock.fileno()],
            )
        except OSError as error:
            raise Fault(
                f"{self.program} cannot be started ({error.strerror}): install it by "
                "`cargo install --path crates/lab`, or name the program by --lab"
            ) from None
        if done.returncode == 130:
            raise KeyboardInterrupt
        if done.returncode != 0:
            raise Fault(done.stderr.strip().removeprefix("error: "))
        return done.stdout


def key_range(text, key):
    """Returns the values of a key that a KEY argument permits, as a distribution."""
    name, given = text.partition("=")[::2]
    one_of, low, high = key.get("one_of"), key.get("min"), key.get("max")
    if name in LIMITS:
        raise Fault(f"{name} is a limit or a seed, not a parameter: set it in --base")
    if one_of:
        low, high = min(one_of), max(one_of)
    elif low is None:
        raise Fault(f"{name} is a list of weights: `duoforge-lab learn` fits it")
    permitted, step = f"{low} to {high}", "1"
    if "=" in text:
        form = FORM.fullmatch(given)
        if not form:
            raise Fault(
                f"{text} is not of the form KEY=MIN..MAX, KEY=MIN..MAX:STEP or KEY=MIN..MAX:log"
            )
        ends = int(form[1]), int(form[2])
        if not low <= ends[0] <= ends[1] <= high:
            raise Fault(f"{text} is out of range: expected MIN and MAX from {permitted}")
        (low, high), step = ends, form[3] or "1"
    if high - low >= MAX_VALUES:
        raise Fault(f"{name} has too many values: expected MIN..MAX with at most 2^32 values")
    if step == "0":
        raise Fault(f"{text} has the step 0: expected at least 1")
    log = step == "log"
    if log and low < 1:
        raise Fault(f"{text} has the minimum 0: expected at least 1 with log")
    step = 1 if log else int(step)
    values = range(low, high + 1, step)
    if int(key["value"]) not in values:
        raise Fault(f"{name}={key['value']} of the base is not one of the values {text}")
    if one_of:
        return CategoricalDistribution([value for value in one_of if value in values])
    return IntDistribution(low, values[-1], log=log, step=step)


def parameters(texts, keys):
    """Returns the distribution of each key that is tuned."""
    found = {}
    for text in texts:
        name = text.partition("=")[0]
        if name not in keys:
            raise Fault(f"unknown key `{name}`; expected one of {', '.join(keys)}")
        if name in found:
            raise Fault(f"the key {name} is given twice: expected it once")
        found[name] = key_range(text, keys[name])
    return found


def keys_of(lab, base):
    """Returns the keys of the base by name; the search must repeat its choices."""
    lines = lab.run(["keys", base]).splitlines()
    keys = {key["key"]: key for key in map(json.loads, lines)}
    if keys["ms"]["value"] is not None:
        raise Fault(
            f"{base} has a limit in milliseconds: expected sims=N, which repeats its choices"
        )
    threads = keys.get("threads", {"value": "1"})["value"]
    if threads != "1":
        raise Fault(f"{base} has {threads} threads: expected threads=1, which repeats its choices")
    return keys


class Tuner:
    """Evaluates sets of parameters on a table."""

    def __init__(self, lab, args):
        self.lab = lab
        self.args = args
        keys = keys_of(lab, args.base)
        self.distributions = parameters(args.keys, keys)
        player, settings = args.base.split(":", 1) if ":" in args.base else ("search", args.base)
        pairs = filter(None, settings.split(","))
        fixed = [pair for pair in pairs if pair.split("=")[0] not in self.distributions]
        self.fixed = f"{player}:" + ",".join(fixed)
        self.base_values = {name: int(keys[name]["value"]) for name in self.distributions}
        self.base = self.search(self.base_values)
        # Searches that were evaluated on all positions, with the amounts by which their regret is
        # less than that of the base.
        self.complete = {}

    def search(self, values):
        """Returns the search with these parameters, as on a command line."""
        pairs = [f"{name}={values[name]}" for name in self.distributions]
        return self.fixed + ("" if self.fixed.endswith(":") else ",") + ",".join(pairs)

    def options(self):
        """Returns the options of `compare` that judge choices."""
        args = self.args
        words = [word for path in args.more for word in ("--more", path)]
        for name in ("seed", "min_visits", "supplement", "reference"):
            value = getattr(args, name)
            if value is not None:
                words += [f"--{name.replace('_', '-')}", str(value)]
        return words

    def compare(self, searches, count, output=subprocess.PIPE):
        """Compares searches on the first positions of the training half."""
        path = self.args.dir / "compare.json"
        words = ["compare", self.args.table, *searches, *self.options(), "--split", "training"]
        words += ["--choices", self.args.dir / "choices.jsonl", "--json", path]
        words += ["--jobs", str(self.args.jobs)]
        if count is not None:
            words += ["--count", str(count)]
        self.lab.run(words, output)
        return json.loads(path.read_text())["searches"]

    def evaluate(self, study, trial, search, sizes):
        """Evaluates a search on ever more positions until it is dropped; returns its results on the
        positions so far, and its value for the sampler."""
        done = 0
        for size in sizes:
            base, found = self.compare([self.base, search], size)
            pairs = zip(found["choices"], base["choices"])
            costs = [own["limited_regret"] - other["limited_regret"] for own, other in pairs]
            for position in range(done, size):
                trial.report(costs[position], position)
            done = size
            if size < sizes[-1] and trial.should_prune():
                # The value of a set that is dropped is that of the best one, plus the mean
                # difference on the positions so far. Only sets on all positions are the best.
                best = study.best_trial
                of_best = [best.intermediate_values[position] for position in range(size)]
                more = (sum(costs) - sum(of_best)) / size
                if more > 0:
                    return found, best.value + more
        self.complete[search] = found["less"]
        return found, -found["less"]

    def run(self):
        """Evaluates all trials and prints the report; returns the exit status."""
        args = self.args
        base = self.compare([self.base], args.count)[0]
        total = len(base["choices"])
        sizes = [min(args.first, total)]
        while sizes[-1] < total:
            sizes.append(min(2 * sizes[-1], total))
        bound = base["seconds"] * total * args.trials / args.jobs
        print(
            f"{total} positions, {base['seconds']:.2f} s each: {args.trials} trials take at most "
            f"{bound / 60:.1f} min, less those that are dropped",
            file=sys.stderr,
        )
        study = optuna.create_study(
            sampler=TPESampler(seed=args.seed, multivariate=True),
            pruner=WilcoxonPruner(p_threshold=args.drop_below),
        )
        study.enqueue_trial(self.base_values)
        values, positions = {}, 0
        with open(args.dir / "trials.jsonl", "w") as trials:
            for number in range(args.trials):
                trial = study.ask(self.distributions)
                search = self.search(trial.params)
                if search in values:
                    study.tell(trial, values[search])
                    continue
                found, values[search] = self.evaluate(study, trial, search, sizes)
                study.tell(trial, values[search])
                size = len(found.pop("choices"))
                positions += size
                line = {"trial": number, "search": search, "positions": size}
                line |= {
                    name: found[name]
                    for name in ("limited_regret", "limited_regret_error", "less", "less_error")
                }
                print(json.dumps(line), file=trials, flush=True)
                less = round(found["less"], 4) + 0.0
                print(
                    f"{number:4} {search}: less than the base by {less:+.4f} on {size} positions"
                    + (", dropped" if size < total else ""),
                    file=sys.stderr,
                )
        print(
            f"{len(values)} sets in {args.trials} trials: {len(self.complete)} on all {total} "
            f"positions, the others dropped early; {positions} searches of {len(values) * total}"
        )
        return self.report(total)

    def report(self, total):
        """Prints the best sets and the commands that confirm the best one; returns the exit
        status."""
        args = self.args
        better = sorted(
            (search for search, less in self.complete.items() if less > 0),
            key=lambda search: -self.complete[search],
        )
        self.compare([self.base, *better[: args.top]], total, output=None)
        if not better:
            print("no set has a lower regret than the base")
            return 1
        best, lab = better[0], self.lab.program
        held_out = ["compare", args.table, self.base, best, *self.options(), "--split", "held-out"]
        against = [args.opponent, "--pairs", str(args.pairs)]
        games = [["match", search, *against] for search in (best, self.base)]
        print(
            "\nThe same positions chose these sets, so their differences are too good. Confirm the "
            "best:"
        )
        for words in [held_out, *games]:
            print(f"  {shlex.join(map(str, [lab, *words, '--jobs', args.jobs]))}")
        return 0


def number(low, high):
    """Returns a parser of integers from low to high."""

    def parse(text):
        try:
            value = int(text)
        except ValueError:
            value = None
        if value is None or not low <= value <= high:
            raise argparse.ArgumentTypeError(f"{text} is out of range: expected {low} to {high}")
        return value

    return parse


def probability(text):
    """Parses a probability."""
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0.0 <= value <= 1.0:
        raise argparse.ArgumentTypeError(f"{text} is out of range: expected 0 to 1")
    return value


def command_line():
    """Returns the parsed command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    any_number, positive = number(0, 2**32 - 1), number(1, 2**32 - 1)
    add("table", metavar="TABLE", help="reference table, written by `duoforge-lab evaluate`")
    add("keys", metavar="KEY", nargs="+", help="parameter to tune, with its range")
    add("--base", metavar="SEARCH", required=True,
        help="search to start from: KEY=VALUE,... for the twin, or engine:KEY=VALUE,...; limit it "
             "by sims=N")
    add("--dir", metavar="DIR", type=Path, required=True, help="directory of choices and trials")
    add("--trials", metavar="N", type=positive, default=100,
        help="number of trials, the base included [default: 100]")
    add("--first", metavar="N", type=positive, default=16,
        help="number of positions before the first test [default: 16]")
    add("--drop-below", metavar="P", type=probability, default=0.2,
        help="p value of the test below which a set is dropped [default: 0.2]")
    add("--count", metavar="N", type=positive,
        help="number of positions [default: all of the training half]")
    add("--jobs", metavar="J", type=number(1, 1024), default=1,
        help="number of simultaneous searches [default: 1]")
    add("--seed", metavar="SEED", type=any_number, default=1,
        help="seed of the sampler and of `compare` [default: 1]")
    add("--top", metavar="N", type=positive, default=3, help="sets in the report [default: 3]")
    add("--more", metavar="FILE", action="append", default=[],
        help="further file of the same table; repeatable")
    add("--min-visits", metavar="N", type=any_number,
        help="minimum visit count of a placement whose value is taken from the table")
    add("--supplement", metavar="FILE", help="values by separate searches, as of `compare`")
    add("--reference", metavar="ENGINE",
        help="engine that adds missing values to the supplement, as gtp:COMMAND LINE")
    add("--opponent", metavar="PLAYER",
        default="gtp:pentobi-gtp --level 5 --nobook --noresign --quiet --threads 1",
        help="opponent of the match that is suggested at the end [default: Pentobi's level 5]")
    add("--pairs", metavar="N", type=positive, default=50,
        help="pairs of games of that match [default: 50]")
    add("--lab", metavar="PROGRAM", default="duoforge-lab",
        help="program duoforge-lab [default: from PATH]")
    return parser.parse_intermixed_args()


def main():
    args = command_line()
    # SIGTERM ends the running comparison too, as Ctrl-C does.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    try:
        args.dir.mkdir(parents=True, exist_ok=True)
        lock = open(args.dir / "lock", "w")
    except OSError as error:
        raise Fault(f"{args.dir} cannot be written: {error.strerror}") from None
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print(f"waiting for another process that uses {args.dir}", file=sys.stderr)
            fcntl.flock(lock, fcntl.LOCK_EX)
        return Tuner(Lab(args.lab, lock), args).run()


if __name__ == "__main__":
    try:
        sys.exit(main())
    except Fault as fault:
        print(f"error: {fault}", file=sys.stderr)
        sys.exit(2)
    except BrokenPipeError:
        # The interpreter would report the closed output again at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        print("error: standard output is closed: the same command resumes the run", file=sys.stderr)
        sys.exit(2)
    except OSError as error:
        name = error.filename or "a file"
        print(f"error: {name}: {error.strerror}: the same command resumes the run", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("interrupted: the same command resumes the run", file=sys.stderr)
        sys.exit(130)
