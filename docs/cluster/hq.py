#!/usr/bin/env python3
"""Runs the shards of a campaign with HyperQueue, on any number of machines.

    hq.py server DIR
    hq.py worker DIR [--cores N]
    hq.py run DIR --shards N [--logs DIR] -- COMMAND

DIR is a directory that all machines share: the server writes its address there. `run` starts one
task a shard. In COMMAND, {shard} stands for I/N and {index} for I with leading zeros, as in

    hq.py run DIR --shards 64 -- \\
        duoforge sim --games 6400 --shard {shard} --results sim-{index}.jsonl

A task whose worker is lost starts again on another worker. Exit status of `run`: 0 if every shard
ended with status 0, 1 if not, 2 after a usage error or the loss of the
server.
"""

import argparse
import json
import os
import signal
import socket
import sys
import tempfile
import time
from pathlib import Path

from hyperqueue import Client, Job, LocalCluster
from hyperqueue.cluster import WorkerConfig

# Link of a server directory to the directory of the running server.
CURRENT = "hq-current"

# Lost workers that a shard survives.
CRASHES = 1000

# Seconds between two checks of a worker for its server.
POLL = 5

# Lines of a failed task's errors that are shown.
SHOWN = 3


def server(directory):
    """Serves until SIGINT or SIGTERM."""
    directory.mkdir(parents=True, exist_ok=True)
    signals = {signal.SIGINT, signal.SIGTERM}
    cluster = LocalCluster(str(directory.resolve()))
    # The threads of the server took their masks before.
    signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    signal.sigwait(signals)
    (directory / CURRENT).unlink(missing_ok=True)
    cluster.stop()


def address(directory):
    """Returns host and port of the running server, or None."""
    try:
        access = json.loads((directory / CURRENT / "access.json").read_text())
    except (OSError, ValueError):
        return None
    return access["client"]["host"], access["client"]["port"]


def is_running(directory):
    """Returns true if the server accepts connections."""
    place = address(directory)
    if place is None:
        return False
    try:
        socket.create_connection(place, timeout=60).close()
    except OSError:
        return False
    return True


def worker(directory, cores):
    """Works until the server ends."""
    while not is_running(directory):
        time.sleep(1)
    with tempfile.TemporaryDirectory(prefix="hq-worker-") as own:
        # The package starts workers only together with a server, which stays idle here: the link
        # of its directory is turned to the common server before the worker reads it.
        cluster = LocalCluster(own)
        link = Path(own, CURRENT)
        link.unlink()
        link.symlink_to((directory / CURRENT).resolve())
        cluster.start_worker(WorkerConfig(cores=cores))
        while is_running(directory):
            time.sleep(POLL)


def run(directory, shards, logs, command):
    """Runs all shards and returns the exit status."""
    if not any("{shard}" in word for word in command):
        print("error: COMMAND has no {shard}: every task would run all shards", file=sys.stderr)
        return 2
    if not is_running(directory):
        print(f"error: no server at {directory}: start `hq.py server` first", file=sys.stderr)
        return 2
    logs.mkdir(parents=True, exist_ok=True)
    width = len(str(shards - 1))
    job = Job(default_workdir=os.getcwd(), max_fails=None)
    for index in range(shards):
        number = f"{index:0{width}}"
        words = [
            word.replace("{shard}", f"{index}/{shards}").replace("{index}", number)
            for word in command
        ]
        job.program(
            words,
            name=number,
            env=dict(os.environ),
            stdout=str(logs.resolve() / f"{number}.out"),
            stderr=str(logs.resolve() / f"{number}.err"),
            crash_limit=CRASHES,
        )
    client = Client(directory)
    submitted = client.submit(job)
    try:
        if client.wait_for_jobs([submitted], raise_on_error=False):
            return 0
    except Exception as error:  # The package has no separate type for a lost server.
        print(
            f"error: {error}: if the server ended, start it and its workers, and run this command "
            "again: finished shards end at once",
            file=sys.stderr,
        )
        return 2
    for index, task in sorted(client.get_failed_tasks(submitted).items()):
        print(f"shard {index}/{shards}: {task.error}", file=sys.stderr)
        errors = Path(task.stderr).read_text(errors="replace") if task.stderr else ""
        for line in errors.splitlines()[-SHOWN:]:
            print(f"    {line}", file=sys.stderr)
    return 1


def positive(text):
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{number} is out of range: expected at least 1")
    return number


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(dest="name", required=True)
    for name, about in [
        ("server", "serve until Ctrl-C"),
        ("worker", "work until the server ends"),
        ("run", "run the shards of a campaign"),
    ]:
        command = commands.add_parser(name, help=about)
        command.add_argument("directory", type=Path, metavar="DIR", help="shared directory")
        if name == "worker":
            command.add_argument(
                "--cores", type=positive, metavar="N", help="tasks at a time [default: all cores]"
            )
        if name == "run":
            command.add_argument(
                "--shards", type=positive, metavar="N", required=True, help="number of shards"
            )
            command.add_argument(
                "--logs", type=Path, metavar="DIR", default=Path("logs"), help="output of the tasks"
            )
            command.add_argument("command", nargs="+", metavar="COMMAND")
    args = parser.parse_args()
    if args.name == "server":
        server(args.directory)
    elif args.name == "worker":
        worker(args.directory, args.cores)
    else:
        return run(args.directory, args.shards, args.logs, args.command)
    return 0


if __name__ == "__main__":
    sys.exit(main())
