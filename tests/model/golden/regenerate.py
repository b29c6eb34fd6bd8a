#!/usr/bin/env python3
"""Writes densities.json and transforms.json: values and gradients computed by Stan itself.

Requires stan-oracle (a driver that compiles a Stan program and evaluates it), whose path is in
STAN_ORACLE. Each call of cases.py becomes one statement of a generated program, selected by the
last entry of theta, so that a few compilations serve all calls.
"""

import json
import math
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from cases import CASES

HERE = Path(__file__).resolve().parent
ORACLE = os.environ.get("STAN_ORACLE", HERE.parents[3] / "shared/tools/stan-oracle/stan-oracle")
CALLS_PER_PROGRAM = 160
# Stan has only the distribution function of these, not its logarithm.
MADE_OF = {"loglogistic_lcdf": "log(loglogistic_cdf({}))",
           "loglogistic_lccdf": "log1m(loglogistic_cdf({}))"}
# Arguments of Stan's transform functions after the free vector; {0} is the number of rows.
EXTRA_SIZES = {"simplex": "", "cov_matrix": ", {0}", "corr_matrix": ", {0}",
               "cholesky_factor_cov": ", {0}, {0}", "cholesky_factor_corr": ", {0}"}


def run_oracle(program, arguments):
    done = subprocess.run([ORACLE, program, *arguments], stdout=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit(f"stan-oracle failed on {program} with code {done.returncode}")
    return json.loads(done.stdout)


def shape(value):
    """Returns rows, columns and the entries column by column."""
    if not isinstance(value, list):
        return 1, 1, [value]
    if not isinstance(value[0], list):
        return len(value), 1, list(value)
    return len(value), len(value[0]), [row[j] for j in range(len(value[0])) for row in value]


def literal(value, kind):
    if isinstance(value, list) and isinstance(value[0], list):
        return "[" + ", ".join(literal(row, "row") for row in value) + "]"
    if isinstance(value, list):
        entries = ", ".join(literal(entry, kind) for entry in value)
        return {"int": f"{{{entries}}}", "row": f"[{entries}]"}.get(kind, f"[{entries}]'")
    if math.isnan(value):
        return "not_a_number()"
    if math.isinf(value):
        return "positive_infinity()" if value > 0 else "negative_infinity()"
    return repr(value)


def theta_expression(argument, first):
    rows, columns, entries = shape(argument.value)
    segment = f"segment(theta, {first}, {len(entries)})"
    if argument.constraint:
        name, size = argument.constraint
        return f"{name}_constrain({segment}{EXTRA_SIZES[name].format(size)})"
    if not isinstance(argument.value, list):
        return f"theta[{first}]"
    return segment if columns == 1 else f"to_matrix({segment}, {rows}, {columns})"


def statement(function, arguments):
    """Returns the call in Stan, and theta without the entry that selects the call."""
    theta, written = [], []
    for argument in arguments:
        if argument.kind == "theta":
            written.append(theta_expression(argument, len(theta) + 1))
            theta += shape(argument.value)[2]
        else:
            written.append(literal(argument.value, argument.kind))
    bar = f"{written[0]} | {', '.join(written[1:])}" if len(written) > 1 else f"{written[0]} | "
    return MADE_OF.get(function, function + "({})").format(bar), theta


def named(value):
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else ("Inf" if value > 0 else "-Inf")
    return value


def describe(argument):
    rows, columns, entries = shape(argument.value)
    described = {"kind": argument.kind, "values": [named(entry) for entry in entries]}
    if argument.constraint:
        described["constraint"], rows = argument.constraint
        columns = 1 if described["constraint"] == "simplex" else rows
    return {**described, "rows": rows, "columns": columns}


def evaluate(cases, folder):
    statements = [statement(*case) for case in cases]
    length = max(len(theta) for _, theta in statements) + 1
    lines = [f"parameters {{ vector[{length}] theta; }}", "model {"]
    points = []
    for index, (text, theta) in enumerate(statements):
        lines.append(f"  if (theta[{length}] == {index}) target += {text};")
        padding = [0.0] * (length - 1 - len(theta))
        points.append([named(entry) for entry in theta] + padding + [float(index)])
    program = Path(folder, "calls.stan")
    program.write_text("\n".join(lines + ["}"]) + "\n")
    Path(folder, "points.json").write_text(json.dumps(points))
    output = run_oracle(program, ["--points", Path(folder, "points.json"), "--no-constrained"])
    for (function, arguments), (_, theta), point in zip(cases, statements, output["points"]):
        entry = {"function": function, "arguments": [describe(each) for each in arguments]}
        if "error" in point:
            entry["throws"] = True
        else:
            entry["value"] = point["lp"]
            entry["gradient"] = point["grad"][:len(theta)]
        yield entry


def write_lines(path, version, entries):
    body = ",\n".join(json.dumps(entry) for entry in entries)
    path.write_text(f'{{"stan_version": "{version}", "cases": [\n{body}\n]}}\n')


def main():
    entries = []
    with tempfile.TemporaryDirectory() as folder:
        for first in range(0, len(CASES), CALLS_PER_PROGRAM):
            entries += evaluate(CASES[first:first + CALLS_PER_PROGRAM], folder)
            print(f"{len(entries)} of {len(CASES)} calls", file=sys.stderr)
    random = ["--random", "4", "--seed", "5", "--scale", "0.8"]
    transforms = run_oracle(HERE / "transforms.stan", random)
    write_lines(HERE / "densities.json", transforms["stan_version"], entries)
    write_lines(HERE / "transforms.json", transforms["stan_version"], transforms["points"])


if __name__ == "__main__":
    main()
