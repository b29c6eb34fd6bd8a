"""Makes the modules of experiments/coverage importable by the tests beside this file."""
import os
import pathlib
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "experiments" / "coverage"
PROGRAM = os.environ.get("DPVI_PROGRAM", str(ROOT / "build/release/dpvi"))
sys.path.insert(0, str(FOLDER))
