#!/usr/bin/env python3
"""Varies one setting of `dpvi fit` at a time, on tables that anyone may have, and says how far the
private posterior means then are from those without protection: the ground of the defaults.

    python3 experiments/defaults/sweep.py --runs 10 --out results.csv

The error is the root mean square, over parameters and runs, of (private mean - mean without
protection) / posterior sd, with its standard error. Beside it: what runs said of their own noise
(sd_privacy) over how far they scattered, the median over parameters, which should be near 1; and
the share of runs that said they were drifting. Private runs are not reproducible. Tables are simulated with a fixed seed; Abalone is read from the
folder DPVI_DATA (default ../shared/data) and left out, visibly, where it is absent.
"""
import argparse
import concurrent.futures
import csv
import itertools
import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
EPSILONS = ("1", ".3")
BINARY = "[columns.y]\ntype = \"int\"\nlower = 0\nupper = 1\n"

SETTINGS = {
    "defaults": (),
    "constant steps": ("--schedule", "constant"),
    "steps 300": ("--steps", "300"),
    "steps 3000": ("--steps", "3000"),
    "rate .01": ("--sampling-rate", ".01"),
    "rate .5": ("--sampling-rate", ".5"),
    "step / 3": ("--learning-rate", ".0105"),
    "step / 2": ("--learning-rate", ".0158"),
    "step x 3": ("--learning-rate", ".095"),
    "no averaging": ("--average", "none"),
    "decaying steps": ("--schedule", "decay"),
    "cosine steps": ("--schedule", "cosine"),
    "adagrad": ("--optimizer", "adagrad"),
    "sgd": ("--optimizer", "sgd"),
    "fixed clip": ("--clip", "fixed"),
    "normalised": ("--clip", "normalised"),
    "joint gradient": ("--gradient", "joint"),
    "low rank": ("--family", "low-rank", "--rank", "3"),
    "full rank": ("--family", "full-rank"),
}


PROGRAM = [ROOT / "build/release/dpvi"]


def run(*words):
    done = subprocess.run([*PROGRAM, *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"dpvi {' '.join(map(str, words))}\n{done.stderr}")
    return done.stdout


class Task:
    """A program, a table and a schema in a folder of their own."""

    def __init__(self, at, name, program, schema, lines):
        self.at, self.name = at / name, name
        self.at.mkdir()
        (self.at / "schema.toml").write_text(schema)
        (self.at / "table.csv").write_text("\n".join(lines) + "\n")
        self.program = self.at / "model.stan"
        self.program.write_text(program(self.at / "schema.toml") if callable(program) else program)
        self.exact = self.posterior(self.fitted("exact", "--non-private", "--family", "full-rank"))

    def fitted(self, out, *flags):
        run("fit", self.program, self.at / "table.csv", "--schema", self.at / "schema.toml", "--out",
            self.at / out, "--quiet", "--threads", "1", *flags)
        found = json.loads((self.at / out / "posterior.json").read_text())
        # A number that is not finite is a text in JSON.
        found["trace"]["mean_sd"] = [float(sd) for sd in found["trace"]["mean_sd"]]
        return found

    @staticmethod
    def posterior(found):
        rows = found["fitted"]["cholesky"]
        return found["unconstrained"]["mean"], [math.hypot(*row) for row in rows]

    def mean_square(self, means):
        """Of a private fit's distances, in posterior standard deviations."""
        return statistics.mean(((mean - exact) / sd) ** 2
                               for mean, exact, sd in zip(means, *self.exact))


class Runs:
    """What several private fits with the same settings have in common."""

    def __init__(self, task, fits):
        squares = [task.mean_square(fit["unconstrained"]["mean"]) for fit in fits]
        self.error = math.sqrt(statistics.mean(squares))
        self.standard_error = statistics.stdev(squares) / math.sqrt(len(fits)) / (2 * self.error)
        means = zip(*(fit["unconstrained"]["mean"] for fit in fits))
        told = zip(*(fit["trace"]["mean_sd"] for fit in fits))
        self.told_over_scatter = statistics.median(
            math.sqrt(statistics.mean(sd ** 2 for sd in sds)) / statistics.stdev(values)
            for values, sds in zip(means, told))
        self.drifting = sum(fit["trace"]["optimisation"] != "stationary" for fit in fits) / len(fits)


def columns_schema(rows, names, extra=""):
    return f"[table]\nrows = {rows}\n" + "".join(
        f"[columns.{name}]\nmean = 0\nsd = 1\n" for name in names) + extra


def formula(likelihood, names):
    text = "y ~ " + " + ".join(names)
    return lambda schema: run("formula", text, "--likelihood", likelihood, "--schema", schema)


def simulated(at, name, likelihood, outcome, size, rows, extra=""):
    """A regression with standard normal columns, neighbours correlated by a half."""
    generator = random.Random(20170511)
    slopes = [generator.gauss(0, .4) for _ in range(size)]
    names = [f"x{i + 1}" for i in range(size)]
    lines = [",".join(names + ["y"])]
    for _ in range(rows):
        shared = generator.gauss(0, 1)
        x = [math.sqrt(.5) * (shared + generator.gauss(0, 1)) for _ in names]
        mean = .3 + sum(slope * entry for slope, entry in zip(slopes, x))
        lines.append(",".join(f"{entry:.4f}" for entry in x) + f",{outcome(generator, mean)}")
    return Task(at, name, formula(likelihood, names), columns_schema(rows, names, extra), lines)


def poisson(generator, mean):
    count, product, limit = 0, generator.random(), math.exp(-math.exp(min(mean, 4)))
    while product > limit:
        count, product = count + 1, product * generator.random()
    return count


def icu(at):
    folder = ROOT / "examples/icu"
    table = at / "icu.csv"
    subprocess.run([sys.executable, folder / "make_records.py", table], check=True)
    return Task(at, "icu", (folder / "model.stan").read_text(), (folder / "schema.toml").read_text(),
                table.read_text().splitlines())


def abalone(at):
    """Whether an abalone is old, as in the 2017 paper; columns on their public scale."""
    data = pathlib.Path(os.environ.get("DPVI_DATA", ROOT / "../shared/data")) / "abalone.data"
    if not data.exists():
        print(f"abalone left out: {data} is not there (set DPVI_DATA)", file=sys.stderr)
        return None
    facts = {"length": (.5, .12), "diameter": (.4, .1), "height": (.14, .04), "whole": (.8, .5),
             "shucked": (.36, .22), "viscera": (.18, .11), "shell": (.24, .14)}
    lines = [",".join(["sex", *facts, "y"])]
    for row in csv.reader(data.open()):
        lines.append(",".join(row[:8] + [str(int(int(row[8]) >= 10))]))
    schema = "[table]\nrows = 4000\n[columns.sex]\nlevels = [\"F\", \"I\", \"M\"]\n" + "".join(
        f"[columns.{name}]\nmean = {mean}\nsd = {sd}\nstandardise = true\n"
        for name, (mean, sd) in facts.items()) + BINARY
    return Task(at, "abalone", formula("bernoulli", ["sex", *facts]), schema, lines)


def tasks(at):
    made = [
        icu(at),
        simulated(at, "linear", "normal", lambda g, mean: f"{g.gauss(mean, 1):.4f}", 10, 5000,
                  "[columns.y]\nmean = 0\nsd = 2\n"),
        simulated(at, "counts", "poisson", poisson, 5, 2000,
                  "[columns.y]\ntype = \"int\"\nlower = 0\n"),
        simulated(at, "binary", "bernoulli",
                  lambda g, mean: int(g.random() < 1 / (1 + math.exp(-mean))), 20, 20000,
                  BINARY),
        abalone(at),
    ]
    return [task for task in made if task]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--out", default="results.csv")
    parser.add_argument("--settings", help="names, parted by commas; default all")
    parser.add_argument("--program", help="default build/release/dpvi")
    options = parser.parse_args()
    if options.program:
        PROGRAM[:] = [options.program]
    chosen = options.settings.split(",") if options.settings else list(SETTINGS)
    if unknown := set(chosen) - set(SETTINGS):
        parser.error(f"unknown settings {', '.join(sorted(unknown))}")
    if options.runs < 2:
        parser.error("--runs must be at least 2")
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool, \
            open(options.out, "w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["task", "epsilon", "setting", "error_in_posterior_sd", "standard_error",
                      "sd_privacy_over_scatter", "drifting", "runs"])
        numbers = itertools.count()
        for task in tasks(pathlib.Path(folder)):
            for epsilon in EPSILONS:
                for setting in chosen:
                    flags = ("--epsilon", epsilon, *SETTINGS[setting])
                    jobs = [pool.submit(task.fitted, f"run{next(numbers)}", *flags)
                            for _ in range(options.runs)]
                    runs = Runs(task, [job.result() for job in jobs])
                    row = [task.name, epsilon, setting, f"{runs.error:.3g}",
                           f"{runs.standard_error:.2g}", f"{runs.told_over_scatter:.2g}",
                           f"{runs.drifting:.0%}", options.runs]
                    out.writerow(row)
                    file.flush()
                    print("{:8} {:>3} {:15} {:>6} +- {:>6}, told/scatter {}, drifting {} "
                          "({} runs)".format(*row))


if __name__ == "__main__":
    main()
