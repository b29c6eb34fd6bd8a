"""Packs and fits tables larger than memory, and measures processor time, memory and bytes.

    benchmarks/large_tables.py PROGRAM FOLDER ROWS [ROWS ...] [--keep]

Makes a table of D = 10 reals and one outcome for each number of rows, 100 000 different rows
repeated. Checks that a store gives the same ledger-free plan and a readable result, then prints one
line for each measurement. Processor time is that of one thread. The difference of a fit with many
steps and one with few gives the time of a step.
"""
import argparse
import math
import multiprocessing
import os
import pathlib
import random
import subprocess
import sys
import time

DIMENSION = 10
BLOCK = 100_000
MODEL = f"""data {{
  int<lower=0> N;
  matrix[N, {DIMENSION}] x;
  array[N] int<lower=0, upper=1> y;
}}
parameters {{ real alpha; vector[{DIMENSION}] beta; }}
model {{
  alpha ~ normal(0, 2);
  beta ~ normal(0, 2);
  y ~ bernoulli_logit(alpha + x * beta);
}}
"""
SCHEMA = """[table]
rows = {rows}
one_row_per_person = true

[columns.y]
type = "int"
lower = 0
upper = 1
"""


def block():
    generator = random.Random(1)
    lines = []
    for _ in range(BLOCK):
        x = [round(generator.gauss(0, 1), 5) for _ in range(DIMENSION)]
        y = int(generator.random() < 1 / (1 + math.exp(-x[0] + x[1])))
        lines.append(",".join(f"{value:.5f}" for value in x) + f",{y}\n")
    return lines


def write_table(path, rows):
    lines = block()
    whole = "".join(lines)
    with open(path, "w", encoding="ascii") as file:
        file.write(",".join(f"x.{i + 1}" for i in range(DIMENSION)) + ",y\n")
        for _ in range(rows // BLOCK):
            file.write(whole)
        file.write("".join(lines[:rows % BLOCK]))


class Used:
    """Runs a command, which must succeed; wall and processor seconds, peak memory in MB."""

    def __init__(self, *command, cwd):
        start = time.monotonic()
        with subprocess.Popen([str(part) for part in command], cwd=cwd, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, text=True) as process:
            messages = process.stderr.read()
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"{command}: {messages}")
        self.wall = time.monotonic() - start
        self.processor = usage.ru_utime + usage.ru_stime
        self.memory = usage.ru_maxrss / 1024


def measure(program, at, rows, keep):
    table, store = at / f"{rows}.csv", at / f"{rows}.store"
    if not table.exists():
        # In a process of its own: the memory of this one counts in the peak of what it starts.
        writer = multiprocessing.Process(target=write_table, args=(table, rows))
        writer.start()
        writer.join()
    (at / "m.stan").write_text(MODEL)
    (at / "s.toml").write_text(SCHEMA.format(rows=rows))
    megabytes = table.stat().st_size / 1e6
    used = Used(program, "pack", table, "--schema", "s.toml", "--out", store, "--quiet", cwd=at)
    print(f"{rows:>10} pack: {megabytes:.0f} MB to {store.stat().st_size / 1e6:.0f} MB, "
          f"{megabytes / used.processor:.0f} MB/s of processor time, {used.wall:.1f} s, "
          f"peak {used.memory:.0f} MB", flush=True)
    fits = 0

    def fit(data, rate, steps, memory):
        nonlocal fits
        fits += 1
        return Used(program, "fit", "m.stan", data, "--schema", "s.toml", "--epsilon", 1,
                    "--posterior", "variational", "--sampling-rate", rate, "--steps", steps,
                    "--threads", 1, "--memory", memory, "--draws", 100, "--quiet", "--out",
                    f"out-{rows}-{fits}-{os.getpid()}", cwd=at)

    for name, data, memory in (("store, read in steps", store, "0"),
                               ("store, in memory", store, "64G"), ("CSV", table, "0")):
        for rate, few, many in ((1, 2, 6), (.1, 5, 25), (.01, 5, 105)):
            short, long = fit(data, rate, few, memory), fit(data, rate, many, memory)
            step = (long.processor - short.processor) / (many - few)
            print(f"{rows:>10} {name}, q = {rate}: {step * 1e3:.1f} ms a step, "
                  f"{step / (rate * rows) * 1e9:.0f} ns a record, peak {long.memory:.0f} MB, "
                  f"{short.wall:.1f} s for {few} steps", flush=True)
    if not keep:
        table.unlink()
        store.unlink()


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("program", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("rows", type=int, nargs="+")
    parser.add_argument("--keep", action="store_true", help="keep tables and stores")
    arguments = parser.parse_args()
    arguments.folder.mkdir(parents=True, exist_ok=True)
    for rows in arguments.rows:
        measure(arguments.program.resolve(), arguments.folder.resolve(), rows, arguments.keep)


if __name__ == "__main__":
    main()
