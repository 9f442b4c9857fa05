"""Train the network of duoforge-engine.

    pip install jax==0.10.2 optax==0.2.8
    S=threads=1,early_stop=0,sims=12000,prior_network=0
    duoforge-lab self-play $S --games 1692 --out games.jsonl
    duoforge-lab samples games.jsonl --out samples.bin
    python network.py train samples.bin weights.bin
    python network.py outputs samples.bin weights.bin 3

`train` minimises the cross-entropy of the search's visits and of the value. Every tenth game is
held out. `outputs` prints the outputs for the first positions as JSON, the reference of the tests.
The layout of the samples is documented in crates/lab/src/self_play/samples.rs, that of the weights
in crates/engine/src/network/weights.rs.
"""

import argparse
import json
import sys
import time
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import optax

SIDE, TILES, ORIENTATIONS, PLANES, MOVES = 14, 21, 91, 8, 32
CHANNELS, LAYERS, UNITS = 16, 3, 32
GLOBALS = 2 * TILES + 2
BATCH = 256
HELD_OUT = 10
PHASES = [(0, 42), (0, 6), (6, 12), (12, 18), (18, 42)]
RECORD = np.dtype(
    [
        ("planes", "<u2", (PLANES, SIDE)),
        ("tiles", "<u4", 2),
        ("game", "<u4"),
        ("value", "<f4"),
        ("result", "<f4"),
        ("moves", [("index", "<u2"), ("share", "<f4")], MOVES),
        ("legal", "<u2", (ORIENTATIONS, SIDE)),
    ]
)
SHAPES = np.dtype([("tile", "u1"), ("maps", "u1", (3, 7, 7))])
SHAPE_BYTES = ORIENTATIONS * SHAPES.itemsize


def read(path):
    """Returns the shapes of the orientations and the records of a file."""
    size = Path(path).stat().st_size - SHAPE_BYTES
    shapes = np.fromfile(path, SHAPES, ORIENTATIONS)
    is_whole = size >= 0 and size % RECORD.itemsize == 0
    if not is_whole or shapes["tile"].max() >= TILES or shapes["maps"].max() > 1:
        print(
            f"error: {path} does not hold whole samples: write it with `duoforge-lab samples`",
            file=sys.stderr,
        )
        sys.exit(2)
    return shapes, np.fromfile(path, RECORD, offset=SHAPE_BYTES)


def bits(rows):
    """Unpacks rows into cells."""
    return (rows[..., None] >> np.arange(SIDE, dtype=np.uint16) & 1).astype(np.float32)


def on_board(records):
    """Number of tiles on the board."""
    return 2 * TILES - np.bitwise_count(records["tiles"]).sum(1)


def batch(records):
    """Inputs and targets of records."""
    left = records["tiles"][:, :, None] >> np.arange(TILES, dtype=np.uint32) & 1
    count = on_board(records)[:, None] / 30
    inputs = [left.reshape(len(records), -1), count, np.ones_like(count)]
    return {
        "planes": bits(records["planes"]).transpose(0, 2, 3, 1),
        "globals": np.concatenate(inputs, 1).astype(np.float32),
        "legal": bits(records["legal"]).astype(bool).reshape(len(records), -1),
        "index": records["moves"]["index"].astype(np.int32),
        "share": records["moves"]["share"],
        "value": (records["value"] + records["result"]) / 2,
        "result": records["result"],
    }


def layout():
    """Names and shapes of the weights, in the order of the file."""
    yield "first", (3, 3, PLANES, CHANNELS)
    yield "first_bias", (CHANNELS,)
    yield "globals", (GLOBALS, CHANNELS)
    for layer in range(1, LAYERS):
        yield f"layer{layer}", (3, 3, CHANNELS, CHANNELS)
        yield f"layer{layer}_bias", (CHANNELS,)
    yield "cells", (CHANNELS, 3)
    yield "cells_bias", (3,)
    yield "dense", (2 * CHANNELS + GLOBALS, UNITS)
    yield "dense_bias", (UNITS,)
    yield "tiles", (UNITS, TILES)
    yield "tiles_bias", (TILES,)
    yield "value", (UNITS, 1)
    yield "value_bias", (1,)


def initial(key):
    """Random weights; those of the outputs are small."""
    weights = {}
    for name, shape in layout():
        key, own = jax.random.split(key)
        if name.endswith("_bias"):
            weights[name] = jnp.zeros(shape)
            continue
        small = 10 if name in ("cells", "tiles", "value") else 1
        scale = np.sqrt(2 / np.prod(shape[:-1])) / small
        weights[name] = scale * jax.random.normal(own, shape)
    return weights


def turned(maps, symmetry):
    """Applies one of the eight symmetries of the board."""
    maps = maps.transpose(0, 2, 1, 3) if symmetry & 1 else maps
    maps = maps[:, ::-1] if symmetry & 2 else maps
    return maps[:, :, ::-1] if symmetry & 4 else maps


def turned_back(maps, symmetry):
    """Inverse of `turned`."""
    maps = maps[:, :, ::-1] if symmetry & 4 else maps
    maps = maps[:, ::-1] if symmetry & 2 else maps
    return maps.transpose(0, 2, 1, 3) if symmetry & 1 else maps


def any_symmetry(function, maps, symmetry):
    """Applies `function` with a symmetry that is known at run time only."""
    cases = [lambda maps, case=case: function(maps, case) for case in range(8)]
    return jax.lax.switch(symmetry, cases, maps)


def convolution(maps, weights):
    """Convolution of 3x3 cells; nothing is around the board."""
    numbers = ("NHWC", "HWIO", "NHWC")
    return jax.lax.conv_general_dilated(
        maps, weights, (1, 1), "SAME", dimension_numbers=numbers
    )


def network(weights, planes, inputs, symmetry):
    """Scores of cells and of tiles, and the logarithm of the odds of a win."""
    maps = any_symmetry(turned, planes, symmetry)
    first = inputs @ weights["globals"] + weights["first_bias"]
    maps = jax.nn.relu(convolution(maps, weights["first"]) + first[:, None, None, :])
    for layer in range(1, LAYERS):
        more = convolution(maps, weights[f"layer{layer}"])
        maps = jax.nn.relu(maps + more + weights[f"layer{layer}_bias"])
    cells = maps @ weights["cells"] + weights["cells_bias"]
    cells = any_symmetry(turned_back, cells, symmetry)
    whole = jnp.concatenate([maps.mean((1, 2)), maps.max((1, 2)), inputs], -1)
    dense = jax.nn.relu(whole @ weights["dense"] + weights["dense_bias"])
    tiles = dense @ weights["tiles"] + weights["tiles_bias"]
    value = (dense @ weights["value"] + weights["value_bias"])[:, 0]
    return cells, tiles, value


def placement_scores(cells, tiles, shapes):
    """Scores of all placements, by orientation, row and column of the anchor."""
    kernels = jnp.asarray(shapes["maps"].transpose(2, 3, 1, 0).astype(np.float32))
    around = [(1, 5), (1, 5)]
    numbers = ("NHWC", "HWIO", "NHWC")
    scores = jax.lax.conv_general_dilated(
        cells, kernels, (1, 1), around, dimension_numbers=numbers
    )
    scores = scores + tiles[:, shapes["tile"].astype(np.int32)][:, None, None, :]
    return scores.transpose(0, 3, 1, 2).reshape(len(cells), -1)


def measures(weights, samples, symmetry, shapes):
    """Cross-entropies and other measures of each position."""
    cells, tiles, value = network(
        weights, samples["planes"], samples["globals"], symmetry
    )
    scores = placement_scores(cells, tiles, shapes)
    scores = jnp.where(samples["legal"], scores, -1e9)
    chances = jnp.take_along_axis(jax.nn.log_softmax(scores), samples["index"], 1)
    best = jnp.take_along_axis(scores, samples["index"][:, :1], 1)
    target = samples["value"]
    odds = target * jax.nn.log_sigmoid(value) + (1 - target) * jax.nn.log_sigmoid(
        -value
    )
    return {
        "moves": -(chances * samples["share"]).sum(1),
        "value": -odds,
        "entropy": -(samples["share"] * jnp.log(samples["share"] + 1e-9)).sum(1),
        "rank": (scores > best).sum(1),
        "error": (jax.nn.sigmoid(value) - samples["result"]) ** 2,
    }


def report(weights, records, measure):
    """Prints the measures of held-out positions by phase of the game."""
    parts = [records[i : i + 500] for i in range(0, len(records), 500)]
    found = [measure(weights, batch(part), 0) for part in parts]
    found = {
        name: np.concatenate([np.asarray(part[name]) for part in found])
        for name in found[0]
    }
    tiles = on_board(records)
    for low, high in PHASES:
        own = {
            name: column[(tiles >= low) & (tiles < high)]
            for name, column in found.items()
        }
        print(
            f"  {low} to {high - 1} tiles: {own['moves'].mean() / np.log(2):.3f} bits"
            f" of {own['entropy'].mean() / np.log(2):.3f},"
            f" best move first {(own['rank'] == 0).mean():.3f},"
            f" among 8 {(own['rank'] < 8).mean():.3f},"
            f" among 32 {(own['rank'] < 32).mean():.3f};"
            f" squared error of the value {own['error'].mean():.4f}",
            flush=True,
        )


def divided(path, out):
    """Shapes, and records to learn from and held out, of a file."""
    shapes, records = read(path)
    # A path that cannot be written is an error before the training.
    open(out, "ab").close()
    held_out = records["game"] % HELD_OUT == 0
    own, others = records[~held_out], records[held_out]
    print(f"{len(own)} positions, and {len(others)} held out")
    return shapes, own, others


def fit(weights, loss, records, inputs, epochs, rate, seed):
    """Fits weights to records by `loss`, which takes weights, `inputs` of a batch of records and
    a symmetry. Yields the number of each epoch and the weights after it."""
    schedule = optax.cosine_onecycle_schedule(epochs * (len(records) // BATCH), rate)
    optimiser = optax.adamw(schedule, weight_decay=1e-4)

    @jax.jit
    def step(weights, state, samples, symmetry):
        value, slope = jax.value_and_grad(loss)(weights, samples, symmetry)
        change, state = optimiser.update(slope, state, weights)
        return optax.apply_updates(weights, change), state, value

    state = optimiser.init(weights)
    random = np.random.default_rng(seed)
    begin = time.time()
    for epoch in range(1, epochs + 1):
        order = random.permutation(len(records))
        losses = []
        for i in range(0, len(records) - BATCH + 1, BATCH):
            samples = inputs(records[order[i : i + BATCH]])
            symmetry = int(random.integers(8))
            weights, state, value = step(weights, state, samples, symmetry)
            losses.append(float(value))
        mean, seconds = np.mean(losses), time.time() - begin
        print(f"epoch {epoch}: loss {mean:.4f}, {seconds:.0f} s", flush=True)
        yield epoch, weights


def train(path, out, epochs, seed):
    """Trains a network and writes its weights."""
    shapes, own, others = divided(path, out)
    measure = jax.jit(lambda *arguments: measures(*arguments, shapes))

    def loss(weights, samples, symmetry):
        found = measures(weights, samples, symmetry, shapes)
        return found["moves"].mean() + found["value"].mean() / 2

    start = initial(jax.random.PRNGKey(seed))
    for epoch, weights in fit(start, loss, own, batch, epochs, 4e-3, seed):
        if epoch % 8 == 0 or epoch == epochs:
            report(weights, others, measure)
    with open(out, "wb") as file:
        file.write(np.array(LAYERS, "<u4").tobytes())
        for name, _ in layout():
            file.write(np.asarray(weights[name], "<f4").tobytes())


def outputs(path, weights_path, count):
    """Prints the outputs of a network for the first positions."""
    _, records = read(path)
    numbers = np.fromfile(weights_path, "<f4", offset=4)
    weights, at = {}, 0
    for name, shape in layout():
        size = int(np.prod(shape))
        weights[name] = numbers[at : at + size].reshape(shape)
        at += size
    samples = batch(records[:count])
    found = network(weights, samples["planes"], samples["globals"], 0)
    cells, tiles, value = [np.asarray(it, np.float64).round(4) for it in found]
    for i in range(len(cells)):
        line = {
            "cells": cells[i].reshape(-1, 3).tolist(),
            "tiles": tiles[i].tolist(),
            "value": value[i].tolist(),
        }
        print(json.dumps(line))


def command_line(description, epochs, name, **positions):
    """Reads the command line; `name` and `positions` define the positions of `outputs`."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    commands = parser.add_subparsers(required=True, dest="command")
    training = commands.add_parser("train", help="train a network")
    training.add_argument("samples")
    training.add_argument("weights")
    training.add_argument("--epochs", type=int, default=epochs)
    training.add_argument("--seed", type=int, default=0)
    printing = commands.add_parser("outputs", help="print the outputs of a network")
    printing.add_argument("samples")
    printing.add_argument("weights")
    printing.add_argument(name, type=int, **positions)
    return parser.parse_args()


def main():
    """Runs the command."""
    arguments = command_line(__doc__, 24, "count")
    if arguments.command == "train":
        train(arguments.samples, arguments.weights, arguments.epochs, arguments.seed)
    else:
        outputs(arguments.samples, arguments.weights, arguments.count)


if __name__ == "__main__":
    main()
