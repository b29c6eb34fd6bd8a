"""Where real tables come from: files in DPVI_DATA, and the wheel of statsmodels."""
import os
import pathlib
import subprocess
import sys

import pandas

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
WHEELS = ROOT / "build" / "coverage_tables"


class MissingTable(Exception):
    """A table that is not on this machine. The message says how to get it."""


def data_file(name):
    path = pathlib.Path(os.environ.get("DPVI_DATA", ROOT / "../shared/data")) / name
    if not path.exists():
        raise MissingTable(f"{path} is missing; set DPVI_DATA to a folder with the UCI files")
    return path


def statsmodels_table(name):
    """Reads statsmodels/datasets/NAME/NAME.csv. The package is installed into a folder of its own
    and never imported."""
    path = WHEELS / "statsmodels" / "datasets" / name / f"{name}.csv"
    if not path.exists():
        command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps",
                   "--disable-pip-version-check", "--target", WHEELS, "--upgrade",
                   "-r", HERE / "requirements.txt"]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise MissingTable(f"statsmodels could not be installed: {last}")
    return pandas.read_csv(path)
