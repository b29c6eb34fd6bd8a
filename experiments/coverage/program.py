"""Calls of dpvi: a fit of one table, and what its bundle says."""
import dataclasses
import json
import pathlib
import resource
import subprocess
import tempfile
import time

import numpy as np
import pandas

SUBSTITUTE = "substitute"


def run(program, folder, *words):
    """Runs dpvi in a folder and returns its standard output."""
    done = subprocess.run([program, *map(str, words)], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        raise RuntimeError(f"dpvi {words[0]} ended with status {done.returncode}: "
                           f"{' '.join(done.stderr.split())[:300]}")
    return done.stdout


@dataclasses.dataclass
class Fit:
    """The published draws and summary of a fit, or the reason why there are none."""
    failure: str | None = None
    draws: pandas.DataFrame | None = None
    summary: dict | None = None
    seconds: float = 0
    cpu_seconds: float = 0

    def shared(self):
        return {"status": self.summary["status"], "seconds": self.seconds,
                "cpu_seconds": self.cpu_seconds}

    def published_sds(self, parameters):
        """sd_model and sd_privacy as `dpvi summary` prints them, on the constrained scale."""
        variables = [self.summary["variables"].get(each.summary_name, {}) for each in parameters]
        return {key: np.array([float(each.get(key, np.nan)) for each in variables])
                for key in ("sd_model", "sd_privacy")}


def read_draws(path):
    """The draws of a bundle. In the format of Stan's variational method the first row is the
    location of the approximation, not a draw."""
    draws = pandas.read_csv(path, comment="#")
    head = path.read_text(errors="replace")[:4000]
    return draws.iloc[1:] if "method = variational" in head else draws


def fit_table(program, model, table, schema, flags):
    """Fits a table with one thread. model(run) returns the Stan program; schema may be None."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        table.to_csv(folder / "table.csv", index=False, float_format="%.8g")
        words = ["fit", "model.stan", "table.csv", *flags, "--threads", "1", "--quiet",
                 "--out", "bundle"]
        if schema is not None:
            (folder / "schema.toml").write_text(schema)
            words += ["--schema", "schema.toml"]
        try:
            (folder / "model.stan").write_text(model(lambda *call: run(program, folder, *call)))
            start, cpu = time.perf_counter(), _children_seconds()
            run(program, folder, *words)
            seconds, cpu = time.perf_counter() - start, _children_seconds() - cpu
            summary = json.loads(run(program, folder, "summary", "bundle", "--json"))
        except RuntimeError as error:
            return Fit(failure=str(error))
        if summary["adjacency"] != SUBSTITUTE:
            raise ValueError(f"the fit has adjacency {summary['adjacency']}, not {SUBSTITUTE}, "
                             "which the reference assumes")
        return Fit(None, read_draws(folder / "bundle" / "draws.csv"), summary, seconds, cpu)


def _children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
