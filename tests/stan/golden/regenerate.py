#!/usr/bin/env python3
"""Writes NAME.json beside every NAME.stan: data, points, and Stan's own values and gradients.

usage: regenerate.py [NAME ...]          without names: every program that has no NAME.json yet

Requires stan-oracle (a driver that compiles a Stan program and evaluates it), whose path is in
STAN_ORACLE. Comments at the top of a program specify its mock data:

    // records: N = 8                     the record count
    // data: K = 3; x = rows(3); y = binary(); scale = pub(2.5)

A number or pub(...) is public data; everything else is a record column from the class Columns.
"""

import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

HERE = Path(__file__).resolve().parent
ORACLE = os.environ.get("STAN_ORACLE", HERE.parents[3] / "shared/tools/stan-oracle/stan-oracle")
SCALES = (0.4, 0.4, 1.0)  # scales of theta, one for each point
FACTS = re.compile(r"\b(mean|sd|variance|min|max)\(")


class Public:
    def __init__(self, value):
        self.value = value


class Columns:
    """Record columns of n entries; every method is a function of the data line."""

    def __init__(self, n, seed):
        self.n, self.random = n, random.Random(seed)

    def _column(self, draw):
        return [draw() for _ in range(self.n)]

    def normal(self, mean=0.0, sd=1.0):
        return self._column(lambda: round(self.random.gauss(mean, sd), 3) + 0.0)

    def positive(self, scale=1.0):
        return self._column(lambda: round(scale * self.random.expovariate(1.0) + 0.05, 3))

    def unit(self):
        return self._column(lambda: round(self.random.uniform(0.05, 0.95), 3))

    def rows(self, width):
        return self._column(lambda: [round(self.random.gauss(0, 1), 3) + 0.0 for _ in range(width)])

    def positive_rows(self, width):
        return self._column(lambda: [round(self.random.expovariate(1) + 0.05, 3) for _ in range(width)])

    def matrices(self, rows, columns):
        return self._column(lambda: [[round(self.random.gauss(0, 1), 3) + 0.0 for _ in range(columns)]
                                     for _ in range(rows)])

    def design(self, width):
        return [[1.0] + row for row in self.rows(width - 1)]

    def simplexes(self, width):
        def draw():
            parts = [self.random.randint(1, 9) for _ in range(width)]
            return [part / sum(parts) for part in parts]
        return self._column(draw)

    def integers(self, low, high):
        return [low + (i * 7 + 3) % (high - low + 1) for i in range(self.n)]

    def index(self, size):
        return [1 + (i * 5 + 2) % size if size % 5 else 1 + i % size for i in range(self.n)]

    def ints(self, low, high, width):
        return self._column(lambda: [self.random.randint(low, high) for _ in range(width)])

    def binary(self):
        return [(i * i + i // 3) % 2 for i in range(self.n)]

    def count(self, largest):
        return [min(largest, (i * i * 3) % (largest + 2)) for i in range(self.n)]

    def listed(self, *values):
        return [values[i % len(values)] for i in range(self.n)]


def described(text, name):
    """Returns the name of the record count, the public data and the record data."""
    found = re.search(r"^// records: (\w+) = (\d+)$", text, re.MULTILINE)
    count, n = found.group(1), int(found.group(2))
    columns = Columns(n, zlib.crc32(name.encode()))
    public, records = {}, {}
    words = {word: getattr(columns, word) for word in dir(columns) if not word.startswith("_")}
    words.update(pub=Public)
    for line in re.findall(r"^// data: (.*)$", text, re.MULTILINE):
        for item in line.split(";"):
            variable, expression = item.strip().split(" = ", 1)
            value = eval(expression, {"__builtins__": {}}, {**words, **records})  # trusted text
            if isinstance(value, Public):
                public[variable] = value.value
            elif isinstance(value, (int, float)):
                public[variable] = value
            else:
                records[variable] = value
    return count, n, public, records


def oracle(program, data, points):
    with tempfile.TemporaryDirectory() as scratch:
        data_file, points_file = Path(scratch) / "data.json", Path(scratch) / "points.json"
        data_file.write_text(json.dumps(data))
        points_file.write_text(json.dumps(points))
        command = [sys.executable, str(ORACLE), str(program), str(data_file), "--points",
                   str(points_file), "--transformed"]
        done = subprocess.run(command, stdout=subprocess.PIPE, check=False)
    if done.returncode == 3:
        return None
    if done.returncode != 0:
        raise RuntimeError(f"stan-oracle failed on {program.name} with code {done.returncode}")
    return json.loads(done.stdout)


def kept(result):
    """Returns lp and gradient at each point, or None if the program rejects its data."""
    if result is None:
        return None
    return [{"lp": p["lp"], "grad": p["grad"]} if "lp" in p else {"error": True}
            for p in result["points"]]


def flat_columns(rows):
    """Returns the columns of one variable over the records; the last index varies fastest."""
    def flat(value):
        return [v for part in value for v in flat(part)] if isinstance(value, list) else [value]
    return list(zip(*(flat(row) for row in rows)))


def facts(records):
    made = {}
    for name, rows in records.items():
        made[name] = []
        for column in flat_columns(rows):
            mean = math.fsum(column) / len(column)
            sd = math.sqrt(math.fsum((v - mean) ** 2 for v in column) / max(len(column) - 1, 1))
            made[name].append({"mean": mean, "sd": sd, "lower": min(column), "upper": max(column)})
    return made


def vectors(name):
    program = HERE / f"{name}.stan"
    text = program.read_text()
    count, n, public, records = described(text, name)

    def run(indices, points):
        part = {key: [rows[i] for i in indices] for key, rows in records.items()}
        return oracle(program, {**public, count: len(indices), **part}, points)

    shape = run(range(n), [])
    if shape is None:
        raise RuntimeError(f"{name} refuses its data")
    names = shape["param_names_unconstrained"]
    generator = random.Random(zlib.crc32(name.encode()) + 1)
    theta = [[round(generator.gauss(0, scale), 3) + 0.0 for _ in names] for scale in SCALES]
    full = run(range(n), theta)
    uses_facts = bool(FACTS.search(text))
    made = {"stan_version": full["stan_version"], "record_count": count, "public": public,
            "records": records, "theta": theta, "full": kept(full)}
    made["base"] = None if uses_facts else kept(run([], theta))
    made["first"] = None if uses_facts else kept(run([0], theta))
    if uses_facts:
        made["facts"] = facts(records)
    return made


def main():
    names = sys.argv[1:] or sorted(p.stem for p in HERE.glob("*.stan")
                                   if not p.with_suffix(".json").exists())
    for name in names:
        try:
            made = vectors(name)
        except RuntimeError as failure:
            print(failure, flush=True)
            continue
        lines = [json.dumps(k) + ":" + json.dumps(v, separators=(",", ":")) for k, v in made.items()]
        (HERE / f"{name}.json").write_text("{" + ",\n".join(lines) + "}\n")
        errors = sum("error" in point for point in made["full"])
        print(f"{name}: P={len(made['theta'][0])} errors {errors}", flush=True)


if __name__ == "__main__":
    main()
