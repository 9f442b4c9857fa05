"""Random games per second: alone, in PettingZoo's environment and batched, and next to public
packages where they are installed.

    python3 random_games.py --variant duo --seconds 10
    python3 random_games.py --variant classic --seconds 10

The times are processor time of one thread, so that other programs on the machine matter little.
Every move is drawn from all legal moves with the same chance, but for blokus-gym: its random player
takes the first legal move of a shuffled list.
"""

from __future__ import annotations

import argparse
import contextlib
import importlib.metadata
import io
import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator

import numpy as np

import duoforge

BATCH = 256


def alone(variant: str) -> Iterator[int]:
    """Games of the class Game."""
    rng = random.Random(1)
    game = duoforge.Game(variant)
    while True:
        game.reset()
        while not game.over:
            game.play(rng.choice(game.legal_actions()))
        yield 1


def environment(variant: str) -> Iterator[int]:
    """Games of PettingZoo's environment, without wrappers."""
    from duoforge import aec

    yield from games_of_agents(aec.raw_env(variant))


def games_of_agents(env) -> Iterator[int]:
    rng = random.Random(1)
    while True:
        env.reset()
        for _ in env.agent_iter():
            observation, _, termination, truncation, _ = env.last()
            action = None
            if not (termination or truncation):
                action = int(rng.choice(np.flatnonzero(observation["action_mask"].view(bool))))
            env.step(action)
        yield 1


def batched(variant: str, arrays: bool) -> Iterator[int]:
    """Games of a batch, step by step, with moves of the batch."""
    batch = duoforge.Batch(
        variant, BATCH, auto_reset=True, seed=1, planes=arrays, masks=arrays
    )
    while True:
        batch.step(batch.sample())
        yield int(batch.ended.sum())


def played_out(variant: str) -> Iterator[int]:
    """Games of a batch, from begin to end in one call."""
    batch = duoforge.Batch(variant, BATCH, auto_reset=True, seed=1, planes=False, masks=False)
    while True:
        batch.play_out()
        yield BATCH


def blokus_gym(variant: str) -> Iterator[int]:
    """Games of the random players of blokus-gym, without its environment around them."""
    if variant != "duo":
        return
    from blokus_gym.envs.blokus_envs import BlokusDuoEnv
    from blokus_gym.envs.game.blokus_game import BlokusGame
    from blokus_gym.envs.game.board import Board
    from blokus_gym.envs.players.random_player import RandomPlayer

    present = os.getcwd()
    with tempfile.TemporaryDirectory() as directory:
        # The environment lists all placements once, in a file of the present directory.
        os.chdir(directory)
        try:
            with contextlib.redirect_stdout(io.StringIO()):
                env = BlokusDuoEnv()
        finally:
            os.chdir(present)
    while True:
        game = BlokusGame(Board(14), env.all_shapes)
        for number in (1, 2):
            moves = env.all_possible_indexes_to_moves
            game.add_player(RandomPlayer(number, f"player {number}", moves, game))
        while game.winners() is None:
            game.play()
        yield 1


def blokus_rl(variant: str) -> Iterator[int]:
    """Games of the environment of blokus-rl for PettingZoo, with a core in Rust."""
    if variant != "classic":
        return
    os.environ["PYGAME_HIDE_SUPPORT_PROMPT"] = "1"
    from blokus_rl import BlokusEnv

    yield from games_of_agents(BlokusEnv())


def rate(games: Iterator[int], seconds: float) -> float | None:
    """Games per second of processor time; None if there are no such games."""
    try:
        # Preparations and the first game are not measured.
        next(games)
    except (ImportError, StopIteration):
        return None
    begin, count = time.process_time(), 0
    while True:
        count += next(games)
        used = time.process_time() - begin
        if used >= seconds and count > 0:
            return count / used


def version(package: str) -> str:
    """Installed version of a package, or nothing."""
    try:
        return " " + importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return ""


def main() -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--variant", default="duo", choices=duoforge.Variant.built_in())
    parser.add_argument("--seconds", type=float, default=10, help="time of each row")
    arguments = parser.parse_args()
    variant = arguments.variant
    rows: list[tuple[str, Callable[[], Iterator[int]]]] = [
        ("Game, move by move", lambda: alone(variant)),
        ("duoforge.aec, raw_env", lambda: environment(variant)),
        (f"Batch of {BATCH}, all arrays", lambda: batched(variant, True)),
        (f"Batch of {BATCH}, without planes and masks", lambda: batched(variant, False)),
        (f"Batch of {BATCH}, play_out", lambda: played_out(variant)),
        (f"blokus-gym{version('blokus-gym')}", lambda: blokus_gym(variant)),
        (f"blokus-rl{version('blokus-rl')}", lambda: blokus_rl(variant)),
    ]
    print(f"| {variant}, random games | games per second |\n|---|--:|")
    for name, games in rows:
        found = rate(games(), arguments.seconds)
        if found is not None:
            print(f"| {name} | {found:,.2f} |" if found < 10 else f"| {name} | {found:,.0f} |")


if __name__ == "__main__":
    main()
