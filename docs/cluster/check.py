"""Checks the job files of this directory: campaigns in 64 shards, with workers killed at random.

    check.py hyperqueue|slurm DIR [CAMPAIGN]...

Runs each campaign once as a single process, and once in shards by HyperQueue with four workers, or
as a Slurm array. Meanwhile it kills with SIGKILL: workers of HyperQueue in the middle of a shard,
tasks of the array, and once the whole node. The merged file must equal that of the single run, byte
for byte. DUOFORGE and DUOFORGE_LAB name the programs; SEED selects who is killed and when.
"""

import contextlib
import os
import pwd
import random
import shutil
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
DUOFORGE = os.environ["DUOFORGE"]
LAB = os.environ["DUOFORGE_LAB"]
SHARDS = 64
WORKERS = 4

# Debian's daemons are in directories that users do not search.
PATH = os.environ["PATH"] + ":/usr/sbin:/sbin"

# A worker or task is killed each time that this number of further shards has begun.
EVERY = 6

# Campaigns: name, program, arguments, and the option that names the file of results.
CAMPAIGNS = [
    (
        "match", LAB,
        "match search:sims=100 pattern --pairs 64 --seed 4 --openings list:@DIR@/openings.txt",
        "--results",
    ),
    ("games", LAB, "games engine:sims=100,threads=1 pattern --games 128 --seed 5", "--out"),
    ("sim", DUOFORGE, "sim --games 128 --seed 6", "--results"),
]


class Fault(Exception):
    """A check failed."""


def processes():
    """Returns the words of every process that this user may read, by number."""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                words = (entry / "cmdline").read_bytes().split(b"\0")
                found[int(entry.name)] = [word.decode(errors="replace") for word in words]
    return found


def parent(pid):
    """Returns the number of the parent of a process, or None if the process has ended."""
    try:
        return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return None


def shards_in_progress(results):
    """Returns the processes that compute a shard of this campaign, with the shard of each."""
    found = {}
    for pid, words in processes().items():
        if words[0] in (DUOFORGE, LAB) and "--shard" in words:
            if any(word.startswith(str(results)) for word in words):
                found[pid] = words[words.index("--shard") + 1]
    return found


def wait_for(condition, what, seconds=600):
    """Waits until a condition holds and returns its value."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        if time.monotonic() > end:
            raise Fault(f"{what}: not within {seconds} s")
        time.sleep(0.05)
    return value


def merge(program, directory):
    """Merges the files of all shards; returns the exit status and the output."""
    files = sorted((directory / "shards").iterdir())
    done = subprocess.run(
        [program, "merge", *files, "--out", directory / "merged"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )
    return done.returncode, done.stdout


def campaign(directory, name, program, arguments, option, run, kill):
    """Runs a campaign once and in shards; returns a line for the report."""
    directory.mkdir()
    words = [program, *arguments.replace("@DIR@", str(directory.parent)).split()]
    with open(directory / "single.log", "w") as log:
        subprocess.run([*words, option, directory / "single"], stdout=log, stderr=log, check=True)
    results = directory / "shards"
    results.mkdir()
    command = [*words, "--shard", "{shard}", option, f"{results}/{{index}}"]
    killed = []
    job = run(directory, command)
    next_kill = 2
    while job.poll() is None:
        begun = len(list(results.iterdir()))
        working = shards_in_progress(results)
        if begun >= next_kill and working:
            time.sleep(random.uniform(0, 0.3))
            shard = kill(working)
            if shard is not None:
                killed.append(shard)
                next_kill = begun + EVERY
        time.sleep(0.1)
    status, output = merge(program, directory)
    rounds = 1
    # Tasks that were killed are missing until the same array is submitted again.
    while status == 2 and "missing" in output and rounds < 5 and job.again:
        rounds += 1
        run(directory, command).wait()
        status, output = merge(program, directory)
    if status != 0:
        raise Fault(f"{name}: merge ended with {status}: {output}")
    if job.returncode != 0 and not job.again:
        raise Fault(f"{name}: the job ended with {job.returncode}; see {directory}")
    if len(killed) < SHARDS // EVERY // 2:
        raise Fault(f"{name}: only {len(killed)} kills in the middle of a shard")
    single, merged = (directory / "single").read_bytes(), (directory / "merged").read_bytes()
    if single != merged:
        raise Fault(f"{name}: {directory}/merged differs from {directory}/single")
    return (
        f"{name}: {SHARDS} shards, {len(killed)} kills (shards "
        f"{', '.join(shard.split('/')[0] for shard in killed)}), {rounds} submissions; "
        f"merged file of {len(merged)} bytes equals that of the single run"
    )


def start(words, directory, log, **options):
    """Starts a program whose output goes to a file."""
    with open(directory / log, "a") as output:
        return subprocess.Popen(words, cwd=directory, stdout=output, stderr=output, **options)


class HyperQueue:
    """Server and four workers, each one process."""

    def __init__(self, directory):
        self.directory = directory
        self.shared = directory / "server"
        self.program = [sys.executable, HERE / "hq.py"]
        self.server = start([*self.program, "server", self.shared], directory, "server.log")
        self.workers = []

    def __enter__(self):
        wait_for((self.shared / "hq-current").exists, "the server starts")
        self.workers = [self.worker() for _ in range(WORKERS)]
        return self

    def worker(self):
        words = [*self.program, "worker", self.shared, "--cores", "1"]
        return start(words, self.directory, "workers.log")

    def run(self, directory, command):
        words = [*self.program, "run", self.shared, "--shards", str(SHARDS), "--logs"]
        job = start([*words, directory / "logs", "--", *command], directory, "job.log")
        job.again = False
        return job

    def kill(self, working):
        """Kills a random worker that computes a shard, starts another, and returns the shard."""
        busy = {parent(pid): shard for pid, shard in working.items()}
        victims = [worker for worker in self.workers if worker.pid in busy]
        if not victims:
            return None
        victim = random.choice(victims)
        victim.send_signal(signal.SIGKILL)
        victim.wait()
        self.workers[self.workers.index(victim)] = self.worker()
        return busy[victim.pid]

    def __exit__(self, *_):
        for process in [self.server, *self.workers]:
            process.terminate()
        for process in [self.server, *self.workers]:
            process.wait()


class Slurm:
    """munged, slurmctld and slurmd of one node with four processors, in a directory."""

    def __init__(self, directory):
        for program in ("munged", "slurmctld", "slurmd", "sbatch"):
            if not shutil.which(program, path=PATH):
                raise Fault(f"{program} is missing: install Debian's munge, slurmctld, slurmd and "
                            "slurm-client")
        self.directory = directory
        self.node = socket.gethostname().split(".")[0]
        for name in ("munge", "state", "spool"):
            (directory / name).mkdir(mode=0o700)
        key = directory / "munge/key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o600)
        ports = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
        ctld, slurmd = (port.getsockname()[1] for port in ports)
        for port in ports:
            port.close()
        template = (HERE / "check-slurm.conf").read_text()
        values = {"DIR": directory, "NODE": self.node, "USER": user(), "CTLD": ctld, "SLURMD": slurmd,
                  "CPUS": WORKERS}
        for name, value in values.items():
            template = template.replace(f"@{name}@", str(value))
        self.conf = directory / "slurm.conf"
        self.conf.write_text(template)
        os.environ["SLURM_CONF"] = str(self.conf)
        self.daemons = []
        self.slurmd = None
        self.lost = 0

    def __enter__(self):
        munge = self.directory / "munge"
        files = [f"--{name}-file={munge}/{name}" for name in ("key", "pid", "log", "seed")]
        self.daemon(["munged", "--foreground", "--force", f"--socket={munge}/socket", *files])
        wait_for((munge / "socket").exists, "munged starts")
        self.daemon(["slurmctld", "-D", "-f", self.conf])
        self.start_node()
        return self

    def daemon(self, words):
        self.daemons.append(start(words, self.directory, f"{words[0]}.out"))

    def start_node(self):
        words = ["slurmd", "-D", "-f", self.conf, "-N", self.node]
        self.slurmd = start(words, self.directory, "slurmd.out")
        wait_for(lambda: self.state() in ("idle", "mix", "alloc"), "the node is ready")

    def state(self):
        done = subprocess.run(["sinfo", "-h", "-o", "%t"], capture_output=True, text=True)
        return done.stdout.strip()

    def run(self, directory, command):
        words = ["sbatch", "--wait", f"--array=0-{SHARDS - 1}", HERE / "slurm.sh", str(SHARDS)]
        job = start([*words, *command], directory, "job.log")
        job.again = True
        return job

    def kill(self, working):
        """Kills a random task, and once the node with all that runs on it."""
        pid, shard = random.choice(list(working.items()))
        if self.lost == 0:
            self.lost = len(working)
            self.lose_node(working)
        else:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        return shard

    def lose_node(self, working):
        """Kills slurmd, the step daemons and their tasks, and starts the node again."""
        steps = [pid for pid, words in processes().items() if words[0].startswith("slurmstepd")]
        for pid in [self.slurmd.pid, *steps, *working]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self.slurmd.wait()
        wait_for(lambda: self.state().startswith("down"), "the node is lost")
        self.start_node()

    def __exit__(self, *_):
        for process in [self.slurmd, *reversed(self.daemons)]:
            if process:
                process.terminate()
                process.wait()


def user():
    """Returns the name of the user."""
    return pwd.getpwuid(os.getuid()).pw_name


def main():
    engine, directory, *wanted = sys.argv[1:]
    engine = {"hyperqueue": HyperQueue, "slurm": Slurm}[engine]
    directory = Path(directory).resolve()
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    os.environ["PATH"] = PATH
    seed = int(os.environ.get("SEED", "1"))
    random.seed(seed)
    with open(directory / "openings.txt", "w") as openings:
        words = [LAB, "openings", "--pairs", str(SHARDS), "--seed", "4"]
        subprocess.run(words, stdout=openings, check=True)
    with engine(directory) as queue:
        for name, program, arguments, option in CAMPAIGNS:
            if wanted and name not in wanted:
                continue
            line = campaign(directory / name, name, program, arguments, option, queue.run, queue.kill)
            print(line, flush=True)


if __name__ == "__main__":
    try:
        main()
    except Fault as fault:
        sys.exit(f"error: {fault}")
