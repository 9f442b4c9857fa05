"""Train the small network of the prior (`prior_network=1`).

    pip install jax==0.10.2 optax==0.2.8
    P=engine:sims=2000,threads=1
    duoforge-lab games $P $P --games 800 --out games.jsonl
    duoforge-lab distil games.jsonl --out samples.bin
    python prior_network.py train samples.bin weights.bin
    python prior_network.py outputs samples.bin weights.bin 0 6 12

`train` minimises the cross-entropy of the priors in the samples, then rounds the weights to
integers. Every tenth game is held out. `outputs` prints a line for each position with these
numbers, from 0: its number and the scores of cells and tiles, the reference of the tests. The
layout of the samples is documented in crates/lab/src/self_play/samples.rs, that of the weights in
crates/twin/src/search/prior/network/mod.rs.
"""

from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
from network import (
    SIDE,
    TILES,
    any_symmetry,
    bits,
    command_line,
    convolution,
    divided,
    fit,
    on_board,
    placement_scores,
    read,
    turned,
    turned_back,
)
from network import PLANES as OWN_PLANES

PLANES = OWN_PLANES + 3
CHANNELS, SCORES, PHASES = 8, 3, 4
MOST = 255
UNIT = 16 / np.log(2)
SHAPES = {
    "first": (3, 3, PLANES, CHANNELS),
    "biases": (PHASES, CHANNELS),
    "second": (3, 3, CHANNELS, SCORES),
    "tiles": (PHASES, TILES),
}


def phases(records):
    """Phase of the game: each has six placements, the last one all others."""
    return np.minimum(on_board(records) // 6, PHASES - 1)


def near(maps, corners):
    """Cells of the maps with those that share an edge with them, or also a corner."""
    wide = np.pad(maps, ((0, 0), (1, 1), (1, 1)))
    columns = [wide[:, i : i + SIDE] for i in range(3)]
    if corners:
        column = np.maximum.reduce(columns)
        return np.maximum.reduce([column[:, :, i : i + SIDE] for i in range(3)])
    rows = [wide[:, 1:-1, i : i + SIDE] for i in range(3)]
    return np.maximum.reduce([column[:, :, 1:-1] for column in columns] + rows)


def batch(records):
    """Inputs and targets of records."""
    planes = bits(records["planes"]).transpose(0, 2, 3, 1)
    allowed, opponent_allowed = planes[..., 1], planes[..., 2]
    corner, opponent_corner = planes[..., 3], planes[..., 4]
    more = [
        near(corner, True) * allowed,
        near(opponent_corner, False) * opponent_allowed * (1 - opponent_corner),
        near(opponent_corner, True) * opponent_allowed,
    ]
    return {
        "planes": np.concatenate([planes, np.stack(more, -1)], -1),
        "phase": phases(records),
        "legal": bits(records["legal"]).astype(bool).reshape(len(records), -1),
        "index": records["moves"]["index"].astype(np.int32),
        "share": records["moves"]["share"],
    }


def cell_scores(weights, planes, phase, symmetry):
    """Scores of cells."""
    maps = any_symmetry(turned, planes, symmetry)
    biases = weights["biases"][phase][:, None, None]
    maps = jax.nn.relu(convolution(maps, weights["first"]) + biases)
    return any_symmetry(turned_back, convolution(maps, weights["second"]), symmetry)


def measures(cells, tiles, samples, shapes):
    """Cross-entropy and rank of the best placement of each position."""
    scores = placement_scores(cells, tiles[samples["phase"]], shapes)
    scores = jnp.where(samples["legal"], scores, -1e9)
    chances = jnp.take_along_axis(jax.nn.log_softmax(scores), samples["index"], 1)
    best = jnp.take_along_axis(scores, samples["index"][:, :1], 1)
    return -(chances * samples["share"]).sum(1), (scores > best).sum(1)


def rounded(weights, planes, phase):
    """Integer weights. The largest outputs of each channel on these positions are near MOST."""
    weights = {name: np.asarray(weight, np.float64) for name, weight in weights.items()}
    first, second = weights["first"], weights["second"]
    maps = np.asarray(convolution(planes, jnp.asarray(first, jnp.float32)))
    maps = np.maximum(maps + weights["biases"][phase][:, None, None], 0)
    largest = np.quantile(maps.reshape(-1, CHANNELS), 0.9999, axis=0).clip(1e-6)
    scale = np.minimum(MOST / largest, 127 / np.abs(first).max((0, 1, 2)))
    second = second / scale[:, None] * UNIT
    shift = int(np.floor(np.log2(127 / np.abs(second).max())))
    return {
        "first": np.round(first * scale).astype(np.int8),
        "biases": np.round(weights["biases"] * scale).astype("<i2"),
        "second": np.round(second * 2**shift).astype(np.int8),
        "tiles": np.round(weights["tiles"] * UNIT).astype("<i2"),
        "shift": np.array([shift], np.int8),
    }


def integer_scores(weights, planes, phase):
    """Scores of cells by integer weights, in 16ths of an octave."""
    first, second = (
        jnp.asarray(weights[name], jnp.float32) for name in ("first", "second")
    )
    sums = np.asarray(convolution(planes, first)).astype(np.int64)
    maps = (sums + weights["biases"][phase][:, None, None]).clip(0, MOST)
    # All sums are below 2^24, so these are exact.
    sums = np.asarray(convolution(maps.astype(np.float32), second)).astype(np.int64)
    shift = int(weights["shift"][0])
    return (sums + (1 << shift >> 1) >> shift).clip(-128, 127)


def report(name, cells, tiles, samples, shapes):
    """Prints the measures of held-out positions."""
    bits_, ranks = measures(
        jnp.asarray(cells, jnp.float32),
        jnp.asarray(tiles, jnp.float32),
        samples,
        shapes,
    )
    share = samples["share"]
    entropy = -(share * np.log2(share + 1e-9)).sum(1).mean()
    ranks = np.asarray(ranks)
    among = ", ".join(f"among {n} {(ranks < n).mean():.3f}" for n in (1, 8, 32))
    print(
        f"  {name}: {np.mean(bits_) / np.log(2):.3f} bits of {entropy:.3f},"
        f" best placement {among}",
        flush=True,
    )


def train(path, out, epochs, seed):
    """Trains a network and writes its weights."""
    shapes, own, others = divided(path, out)

    def loss(weights, samples, symmetry):
        cells = cell_scores(weights, samples["planes"], samples["phase"], symmetry)
        return measures(cells, weights["tiles"], samples, shapes)[0].mean()

    keys = dict(zip(SHAPES, jax.random.split(jax.random.PRNGKey(seed), len(SHAPES))))
    start = {name: jnp.zeros(shape) for name, shape in SHAPES.items()}
    for name, small in ("first", 1), ("second", 10):
        scale = np.sqrt(2 / np.prod(SHAPES[name][:-1])) / small
        start[name] = scale * jax.random.normal(keys[name], SHAPES[name])
    *_, (_, weights) = fit(start, loss, own, batch, epochs, 6e-3, seed)
    samples = batch(others[:2000])
    planes, phase = samples["planes"], samples["phase"]
    report(
        "trained",
        cell_scores(weights, planes, phase, 0),
        weights["tiles"],
        samples,
        shapes,
    )
    numbers = rounded(weights, planes, phase)
    cells = integer_scores(numbers, planes, phase)
    report("rounded", cells / UNIT, numbers["tiles"] / UNIT, samples, shapes)
    with open(out, "wb") as file:
        for name in (*SHAPES, "shift"):
            file.write(numbers[name].tobytes())


def outputs(path, weights_path, numbers):
    """Prints the outputs of a network for the positions with these numbers."""
    _, records = read(path)
    content, at, weights = Path(weights_path).read_bytes(), 0, {}
    types = {"first": np.int8, "biases": "<i2", "second": np.int8, "tiles": "<i2"}
    for name, shape in SHAPES.items():
        size = int(np.prod(shape))
        weights[name] = np.frombuffer(content, types[name], size, at).reshape(shape)
        at += weights[name].nbytes
    weights["shift"] = np.frombuffer(content, np.int8, 1, at)
    samples = batch(records[numbers])
    cells = integer_scores(weights, samples["planes"], samples["phase"])
    for number, scores, phase in zip(numbers, cells, samples["phase"]):
        print(number, *scores.reshape(-1), *weights["tiles"][phase])


def main():
    """Runs the command."""
    arguments = command_line(__doc__, 16, "numbers", nargs="+")
    if arguments.command == "train":
        train(arguments.samples, arguments.weights, arguments.epochs, arguments.seed)
    else:
        outputs(arguments.samples, arguments.weights, arguments.numbers)


if __name__ == "__main__":
    main()
