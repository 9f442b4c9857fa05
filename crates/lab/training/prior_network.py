"""Train the small network of the prior (`prior_network=1`).

    pip install jax==0.10.2 optax==0.2.8
    P=engine:sims=2000,threads=1,prior_network=0
    duoforge-lab games $P $P --games 800 --out games.jsonl
    duoforge-lab distil games.jsonl --out samples.bin
    python prior_network.py train samples.bin weights.bin
    python prior_network.py outputs samples.bin weights.bin 0 3 8 15 22

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
from network import PLANES as OWN_PLANES
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

PLANES = OWN_PLANES + 3
SPAN, CHANNELS, SCORES, PHASES = 5, 8, 3, 4
# Fraction bits of the sums of either layer, the range of the activations and of the scores, and the
# unit of a score in 16ths of an octave.
SUM_BITS, SCORE_BITS = 3, 4
MOST, LIMIT, STEP = 15, 32, 2
UNIT = 16 / np.log(2)
SHAPES = {
    "first": (SPAN, SPAN, PLANES, CHANNELS),
    "biases": (PHASES, CHANNELS),
    "second": (CHANNELS, SCORES),
    "offsets": (SCORES,),
    "tiles": (PHASES, TILES),
}
TYPES = {
    "first": "i1",
    "biases": "<i2",
    "second": "i1",
    "offsets": "<i2",
    "tiles": "<i2",
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


def outputs_of(weights, planes, phase, activation, score):
    """Scores of cells; `activation` and `score` limit and round the sums of the layers."""
    sums = convolution(planes, weights["first"])
    maps = activation(sums + weights["biases"][phase][:, None, None])
    return score(maps @ weights["second"] + weights["offsets"])


def cell_scores(weights, planes, phase):
    """Scores of cells before rounding."""
    return outputs_of(weights, planes, phase, jax.nn.relu, lambda sums: sums)


def kept(values, rounded):
    """Rounded values with the slopes of the values."""
    return values + jax.lax.stop_gradient(rounded - values)


def integers(weights, scales):
    """Weights times scales, rounded, within the range of their types."""
    result = {}
    for name, scale in scales.items():
        limits = np.iinfo(TYPES[name])
        values = weights[name] * scale
        result[name] = kept(values, jnp.round(values).clip(limits.min, limits.max))
    return result


def integer_scores(weights, planes, phase):
    """Scores of cells by integer weights, in units of STEP / UNIT. All sums are below 2^24, so
    they are exact."""

    def limited(shift, least, most):
        def of(sums):
            sums = sums / 2**shift
            return kept(sums, jnp.floor(sums)).clip(least, most)

        return of

    return outputs_of(
        weights,
        planes,
        phase,
        limited(SUM_BITS, 0, MOST),
        limited(SCORE_BITS, -LIMIT, LIMIT - 1),
    )


def measures(cells, tiles, samples, shapes):
    """Cross-entropy and rank of the best placement of each position."""
    scores = placement_scores(cells, tiles[samples["phase"]], shapes)
    scores = jnp.where(samples["legal"], scores, -1e9)
    chances = jnp.take_along_axis(jax.nn.log_softmax(scores), samples["index"], 1)
    best = jnp.take_along_axis(scores, samples["index"][:, :1], 1)
    return -(chances * samples["share"]).sum(1), (scores > best).sum(1)


def centred(weights, sizes, planes, phase):
    """Weights with the scores of covered cells in the middle of their range. A placement covers
    as many cells as its tile has, so the scores of the tiles take the difference."""
    covered = np.asarray(cell_scores(weights, planes, phase))[..., 0]
    middle = np.quantile(covered, [0.0005, 0.9995]).mean()
    weights["offsets"] = weights["offsets"].at[0].add(-middle)
    weights["tiles"] = weights["tiles"] + middle * sizes
    return weights


def scales(weights, planes, phase):
    """Scales of the integer weights: the largest outputs of each channel are near MOST."""
    sums = convolution(planes, weights["first"])
    maps = np.maximum(sums + weights["biases"][phase][:, None, None], 0)
    largest = np.quantile(maps.reshape(-1, CHANNELS), 0.999, axis=0).clip(1e-6)
    scale = MOST / largest * 2**SUM_BITS
    unit = UNIT / STEP * 2**SCORE_BITS
    return {
        "first": scale,
        "biases": scale,
        "second": (unit / scale * 2**SUM_BITS)[:, None],
        "offsets": unit,
        "tiles": UNIT,
    }


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
    """Trains a network, first without rounding, and writes its weights."""
    shapes, own, others = divided(path, out)

    def loss(cells_of, weights_of, unit):
        def of(weights, samples, symmetry):
            weights = weights_of(weights)
            planes = any_symmetry(turned, samples["planes"], symmetry)
            cells = cells_of(weights, planes, samples["phase"])
            cells = any_symmetry(turned_back, cells, symmetry)
            tiles = weights["tiles"] / unit
            return measures(cells * STEP / unit, tiles, samples, shapes)[0].mean()

        return of

    keys = dict(zip(SHAPES, jax.random.split(jax.random.PRNGKey(seed), len(SHAPES))))
    weights = {name: jnp.zeros(shape) for name, shape in SHAPES.items()}
    for name, small in ("first", 1), ("second", 10):
        scale = np.sqrt(2 / np.prod(SHAPES[name][:-1])) / small
        weights[name] = scale * jax.random.normal(keys[name], SHAPES[name])
    samples = batch(others[:2000])
    planes, phase = samples["planes"], samples["phase"]
    free = loss(lambda *inputs: cell_scores(*inputs) / STEP, lambda weights: weights, 1)
    *_, (_, weights) = fit(weights, free, own, batch, epochs, 6e-3, seed)
    cells = cell_scores(weights, planes, phase)
    report("trained", cells, weights["tiles"], samples, shapes)

    sizes = np.zeros(TILES)
    sizes[shapes["tile"]] = shapes["maps"][:, 0].sum((1, 2))
    weights = centred(weights, sizes, planes, phase)
    factors = scales(weights, planes, phase)

    def whole(weights):
        return integers(weights, factors)

    rounded = loss(integer_scores, whole, UNIT)
    *_, (_, weights) = fit(weights, rounded, own, batch, epochs, 1e-3, seed)
    numbers = whole(weights)
    cells = integer_scores(numbers, planes, phase) * STEP
    report("rounded", cells / UNIT, numbers["tiles"] / UNIT, samples, shapes)
    with open(out, "wb") as file:
        for name, kind in TYPES.items():
            file.write(np.asarray(numbers[name]).astype(kind).tobytes())


def outputs(path, weights_path, numbers):
    """Prints the outputs of a network for the positions with these numbers."""
    _, records = read(path)
    content, at, weights = Path(weights_path).read_bytes(), 0, {}
    for name, shape in SHAPES.items():
        kind = np.dtype(TYPES[name])
        weights[name] = np.frombuffer(content, kind, int(np.prod(shape)), at)
        at += weights[name].nbytes
        weights[name] = weights[name].reshape(shape).astype(np.float32)
    samples = batch(records[numbers])
    cells = integer_scores(weights, samples["planes"], samples["phase"])
    cells = np.asarray(cells).astype(int)
    for number, scores, phase in zip(numbers, cells, samples["phase"]):
        tiles = weights["tiles"][phase].astype(int)
        print(number, *scores.reshape(-1), *tiles)


def main():
    """Runs the command."""
    arguments = command_line(__doc__, 16, "numbers", nargs="+")
    if arguments.command == "train":
        train(arguments.samples, arguments.weights, arguments.epochs, arguments.seed)
    else:
        outputs(arguments.samples, arguments.weights, arguments.numbers)


if __name__ == "__main__":
    main()
