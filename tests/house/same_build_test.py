#!/usr/bin/env python3
"""Builds the program twice, in folders of different names and depths, and compares the results.

    same_build_test.py ROOT BUILD

Both builds are of the committed state. Takes minutes: runs only with DPVI_SLOW=1.
"""
import hashlib
import os
import pathlib
import subprocess
import sys
import tempfile

SKIPPED = 77


def build(root, folder):
    """Returns the program built from a clone in `folder`."""
    subprocess.run(["git", "clone", "--quiet", "--no-hardlinks", root, folder], check=True)
    # A compiler cache would hand the first build's objects to the second.
    environment = {key: value for key, value in os.environ.items()
                   if not key.startswith("CMAKE_")} | {"CCACHE_DISABLE": "1"}
    for command in (["cmake", "--preset", "program"],
                    ["cmake", "--build", "build/release", "--target", "dpvi_program"]):
        subprocess.run(command, cwd=folder, check=True, env=environment, stdout=subprocess.DEVNULL)
    return folder / "build/release/dpvi"


def main():
    if "DPVI_SLOW" not in os.environ:
        print("set DPVI_SLOW=1 to run it (minutes)")
        sys.exit(SKIPPED)
    root = pathlib.Path(sys.argv[1]).resolve()
    if not (root / ".git").exists():
        print("the source folder is not a clone")
        sys.exit(SKIPPED)
    with tempfile.TemporaryDirectory() as place:
        programs = [build(root, pathlib.Path(place) / name)
                    for name in ("one", "a/much/longer/place")]
        hashes = [hashlib.sha256(program.read_bytes()).hexdigest() for program in programs]
        # The comparison means nothing if the program tells nothing of its commit.
        version = subprocess.run([programs[0], "--version"], check=True, capture_output=True,
                                 text=True).stdout
        places = [str(place).encode() in program.read_bytes() for program in programs]
    print(version.splitlines()[0], *hashes, sep="\n")
    if hashes[0] != hashes[1] or any(places):
        sys.exit("the two programs differ, or hold the name of their folder")


main()
