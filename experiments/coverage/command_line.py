"""The command line of the coverage experiment; start it with experiments/coverage/coverage."""
import argparse
import os
import pathlib
import re
import secrets
import sys

import pandas

from cells import all_cells
from compare import compare, remark
from picture import draw_pictures
from runner import Runner, say
from store import (RefusedFolder, Settings, Store, experiment_sha256, file_sha256,
                   recorded_settings)

MOST_SETS = 400
USAGE = """Measures the coverage of published 90 % intervals, and compares their scores with those of
a reference posterior. Results of finished data sets are kept; the same command continues."""


def _parser():
    parser = argparse.ArgumentParser(prog="coverage", description=USAGE)
    parser.add_argument("--program", help="the dpvi to measure (default build/release/dpvi)")
    parser.add_argument("--out", type=pathlib.Path, help="folder of results")
    parser.add_argument("--cells", default="", help="regular expression of cell names")
    parser.add_argument("--sets", type=int, default=MOST_SETS,
                        help="most data sets per cell (default %(default)s)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count(), help="processes (default: cores)")
    parser.add_argument("--seed", type=int, help="seed of the data sets (default: a fresh one)")
    parser.add_argument("--minutes", type=float, help="start no data set after this time")
    parser.add_argument("--self-test", action="store_true",
                        help="score draws of the reference instead of the program's")
    parser.add_argument("--list", action="store_true", help="print the names of the cells")
    parser.add_argument("--compare", nargs=2, metavar="FOLDER", help="compare two folders")
    return parser


def _chosen_cells(pattern):
    """All cells whose name matches. Cells for tuning must be asked for by name."""
    expression = re.compile(pattern)
    return [cell for name, cell in all_cells().items() if expression.search(name)
            and (cell.family != "tuning" or "tuning" in pattern)]


def _settings(options):
    """Settings of this run. A folder with results keeps its seed."""
    default = pathlib.Path(__file__).resolve().parents[2] / "build/release/dpvi"
    program = pathlib.Path(options.program or default).resolve()
    if not options.self_test and not program.exists():
        raise RefusedFolder(f"{program} is missing: build it, or give --program")
    seed = options.seed
    if seed is None:
        before = recorded_settings(options.out)
        seed = before["seed"] if before else secrets.randbits(32)
    program_hash = "" if options.self_test else file_sha256(program)
    return Settings(str(program), program_hash, experiment_sha256(), seed, options.self_test)


def _write_rows(store):
    """Writes raw.csv: one row per cell, data set and parameter."""
    frames = [store.rows(name) for name in store.cell_names()]
    if frames:
        store.write_table("raw.csv", pandas.concat(frames, ignore_index=True))


def _measure(options, cells):
    store = Store(options.out, _settings(options))
    say(f"{len(cells)} cells, seed {store.settings.seed}, results in {options.out}")
    table = Runner(store, options.jobs, options.sets, options.minutes).run(cells)
    _write_rows(store)
    if len(table):
        draw_pictures(table, options.out)


def main():
    parser = _parser()
    options = parser.parse_args()
    if options.sets < 2 or options.jobs < 1:
        parser.error("--sets must be at least 2, and --jobs at least 1")
    try:
        cells = _chosen_cells(options.cells)
    except re.error as error:
        parser.error(f"--cells {options.cells}: {error}")
    try:
        if options.compare:
            print(compare(*options.compare).to_csv(index=False), end="")
            say(remark(*options.compare))
        elif options.list:
            print("\n".join(f"{cell.family}: {cell.name}" for cell in cells))
        elif options.out is None:
            parser.error("--out is required")
        elif not cells:
            parser.error(f"no cell matches {options.cells}; --list prints their names")
        else:
            _measure(options, cells)
    except RefusedFolder as error:
        sys.exit(f"coverage: {error}")
    except KeyboardInterrupt:
        sys.exit("coverage: stopped; the same command continues")


if __name__ == "__main__":
    main()
