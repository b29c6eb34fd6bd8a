#!/usr/bin/env python3
"""Runs a test module of this folder with the packages of .venv. Skips, with status 77 and the
reason, if they are not installed.

    run_in_venv.py ROOT MODULE
"""
import pathlib
import subprocess
import sys

SKIPPED = 77


def main():
    root, module = pathlib.Path(sys.argv[1]), sys.argv[2]
    python = root / ".venv" / "bin" / "python"
    if not python.exists():
        print("there is no .venv: run tools/python_env")
        sys.exit(SKIPPED)
    sys.exit(subprocess.run([python, "-m", "unittest", module],
                            cwd=pathlib.Path(__file__).resolve().parent).returncode)


main()
