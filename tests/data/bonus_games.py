"""Finds the games of bonus_games.txt: `python3 bonus_games.py > bonus_games.txt`, some minutes.

One player tries to place every tile and the other one keeps out of its way, so that bonuses come up.
The shapes come from tile_codes.csv. Rules and scores are written down here from the rules of the contest
and share nothing with the program.
"""

import random

SIZE, WIDE = 14, 16
CELLS = [(x, y) for y in range(SIZE) for x in range(SIZE)]
LETTERS = "123456789abcde"
STARTS = ((4, 4), (9, 9))


def bit(x, y):
    return 1 << ((y + 1) * WIDE + x + 1)


FULL = sum(bit(x, y) for x, y in CELLS)


def edges(cells):
    return cells << 1 | cells >> 1 | cells << WIDE | cells >> WIDE


def corners(cells):
    aside = cells << 1 | cells >> 1
    return aside << WIDE | aside >> WIDE


def placements():
    """By tile: the cells of each placement and one code for them."""
    found = {}
    lines = open("tile_codes.csv").read().splitlines()[1:]
    for line in lines:
        tile, rotation, cells = line.split(",")
        shape = [tuple(map(int, cell.split(":"))) for cell in cells.split(" ")]
        for x, y in CELLS:
            spots = [(x + dx, y + dy) for dx, dy in shape]
            if all(0 <= a < SIZE and 0 <= b < SIZE for a, b in spots):
                mask = sum(bit(a, b) for a, b in spots)
                code = LETTERS[x] + LETTERS[y] + tile + rotation
                found.setdefault(tile, {}).setdefault(mask, code)
    return {tile: list(masks.items()) for tile, masks in found.items()}


PLACEMENTS = placements()
SQUARES = {tile: bin(masks[0][0]).count("1") for tile, masks in PLACEMENTS.items()}


class Side:
    def __init__(self, start):
        self.cells, self.left, self.last = 0, set(PLACEMENTS), None
        self.joints = bit(*start)

    def legal(self, occupied, tiles):
        allowed = FULL & ~occupied & ~edges(self.cells)
        for tile in tiles:
            for mask, code in PLACEMENTS[tile]:
                if mask & ~allowed == 0 and mask & self.joints:
                    yield tile, mask, code

    def place(self, tile, mask):
        self.cells |= mask
        self.joints = corners(self.cells)
        self.left.remove(tile)
        self.last = tile

    def points(self, occupied):
        return bin(FULL & ~occupied & ~edges(self.cells) & self.joints).count("1")

    def score(self):
        if self.left:
            return -sum(SQUARES[tile] for tile in self.left)
        return 20 if self.last == "a" else 15


def game(rng, hero, order, most):
    """Plays until the hero has placed all tiles, both pass, or it cannot succeed any more."""
    sides, codes, passes, placed = [Side(start) for start in STARTS], [], 0, [0, 0]
    while True:
        turn = len(codes) % 2
        own, other = sides[turn], sides[1 - turn]
        occupied = own.cells | other.cells
        best = None
        if turn == hero:
            groups = [[tile] for tile in order if tile in own.left]
        else:
            groups = [sorted(own.left)] if placed[turn] < most else []
        for group in groups:
            for tile, mask, code in own.legal(occupied, group):
                after, mine = occupied | mask, own.cells | mask
                free = FULL & ~after
                if turn == hero:
                    joints = corners(mine) & free & ~edges(mine)
                    room = free & ~edges(mine)
                    value = 3 * bin(joints).count("1") + bin(room).count("1")
                else:
                    value = 6 * other.points(after) - SQUARES[tile]
                value += rng.random() * 4
                if best is None or value > best[0]:
                    best = value, tile, mask, code
            if best:
                break
        if best is None:
            codes.append("0000")
            passes += 1
            if turn == hero or passes == 2:
                return codes, sides
            continue
        _, tile, mask, code = best
        own.place(tile, mask)
        codes.append(code)
        placed[turn] += 1
        passes = 0
        if not own.left:
            return codes, sides


def main():
    rng = random.Random(14)
    wanted = {(hero, bonus): 4 for hero in (0, 1) for bonus in (15, 20)}
    while any(wanted.values()):
        hero, bonus = rng.choice([key for key, number in wanted.items() if number])
        order = sorted(PLACEMENTS, key=lambda tile: (-SQUARES[tile], rng.random()))
        if bonus == 15:
            order.remove("a")
            order.insert(rng.randrange(10, 20), "a")
        codes, sides = game(rng, hero, order, rng.randrange(6, 16))
        if sides[hero].score() == bonus:
            wanted[hero, bonus] -= 1
            print(sides[0].score(), sides[1].score(), *codes, flush=True)


if __name__ == "__main__":
    main()
