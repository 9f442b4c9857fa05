#!/usr/bin/env python3
"""Starter bot for duoforge in Python, without packages.

duoforge match "bot:python3 examples/bots/bot.py" pattern

It places the largest tile that fits, as near to the centre as possible. Put
your own ideas into choose(). docs/bots.md describes the protocol.
"""
import json
import sys

COORDINATES = "123456789abcdefghijk"


def tile_size(letter):
    """Number of cells of a tile: a has 1, b has 2, c and d have 3, e to i have 4, j to u have 5."""
    return 1 + (letter >= "b") + (letter >= "c") + (letter >= "e") + (letter >= "j")


def choose(state):
    """Returns one of the legal codes of a state: column, row, tile, rotation, or 0000 for a pass."""
    middle = len(state["board"]) - 1

    def value(code):
        if code == "0000":
            return -1000
        x, y = (COORDINATES.index(letter) for letter in code[:2])
        return 100 * tile_size(code[2]) - abs(2 * x - middle) - abs(2 * y - middle)

    return max(state["legal"]["codes"], key=value)


def main():
    state = None
    for line in sys.stdin:
        words = line.split(maxsplit=3)
        if words[:2] == ["action", "warmup"]:
            # The state lists the legal moves, so a bot need not know the rules.
            print("settings state json")
            print("ready", flush=True)
        elif words[:3] == ["update", "game", "state"]:
            state = json.loads(words[3])
        elif words[:2] == ["action", "move"]:
            code = choose(state)
            # Standard error is the log. Text behind a move is kept with it.
            print(f"{state['legal']['count']} placements, {words[2]} ms left", file=sys.stderr)
            print(f"{code} largest tile first", flush=True)
        elif words[:1] == ["quit"]:
            break


if __name__ == "__main__":
    main()
