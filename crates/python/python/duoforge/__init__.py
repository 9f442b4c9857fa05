"""Blokus Duo and its variants for two to four seats.

`Game` plays any variant, `Batch` steps many games at once, `analyse` asks the engines, and
`read_records` reads game records. `duoforge.aec` has an environment for PettingZoo, `duoforge.gym`
one for Gymnasium.
"""

from duoforge._native import (
    Analysis,
    Batch,
    Candidate,
    Game,
    IllegalMoveError,
    Record,
    Variant,
    __version__,
    analyse,
    read_records,
    tile_table,
    write_blksgf,
    write_list,
)

__all__ = [
    "Analysis",
    "Batch",
    "Candidate",
    "Game",
    "IllegalMoveError",
    "Record",
    "Variant",
    "__version__",
    "analyse",
    "read_records",
    "tile_table",
    "write_blksgf",
    "write_list",
]
