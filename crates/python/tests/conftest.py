"""Helpers of the tests: reference data of the repository, and rules written down again."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import duoforge

ROOT = Path(__file__).parents[3]
DATA = ROOT / "tests" / "data"
BUILT_IN = duoforge.Variant.built_in()


def lines(name: str) -> list[dict]:
    """JSON objects of a file with one per line."""
    return [json.loads(line) for line in (DATA / name).read_text().splitlines()]


def neighbours(cells: np.ndarray, steps: list[tuple[int, int]]) -> np.ndarray:
    """Cells that lie at one of the steps from a cell of the set."""
    size = len(cells)
    padded = np.pad(cells, 1)
    shifted = [padded[1 - y : 1 - y + size, 1 - x : 1 - x + size] for x, y in steps]
    return np.logical_or.reduce(shifted)


EDGES = [(1, 0), (-1, 0), (0, 1), (0, -1)]
DIAGONALS = [(1, 1), (1, -1), (-1, 1), (-1, -1)]


def allowed_cells(board: np.ndarray, colour: int) -> np.ndarray:
    """Empty cells that share no edge with a cell of the colour."""
    own = board == colour + 1
    return (board == 0) & ~neighbours(own, EDGES)


@pytest.fixture
def rng() -> np.random.Generator:
    """Generator with a fixed seed."""
    return np.random.default_rng(7)
