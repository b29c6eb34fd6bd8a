"""Runs every command in the documentation's ```console blocks and compares its output.

    commands_are_real.py ROOT BUILD FILE...

bash runs a line "$ command" in the project's root, with the built program first in PATH. The lines
after it are the command's whole output (both streams); a line "..." matches any number of lines.
Trailing blanks are ignored.

A block that opens with ```console noisy shows private results, whose noise differs in every run.
There every number matches any other number, blanks match other blanks, and the status stationary
matches drifting.
"""
import os
import pathlib
import re
import subprocess
import sys

root, build = map(pathlib.Path, sys.argv[1:3])
environment = dict(os.environ, PATH=f"{build}:{os.environ['PATH']}", NO_COLOR="1")


def examples(text):
    for kind, block in re.findall(r"^```console( noisy)?\n(.*?)^```", text,
                                  re.MULTILINE | re.DOTALL):
        for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            yield command, expected, bool(kind)


def masked(text):
    """Replaces numbers with '#', runs of blanks with one blank, and the status with '?'."""
    text = re.sub(r"^Status: .*?(?=^\d+ (?:chains of \d+ )?draws)", "Status: ?\n", text, flags=re.M | re.S)
    text = re.sub(r"(?<![\w.])-?\d+(\.\d+)?(e[+-]?\d+)?(?![\w.])", "#", text)
    return re.sub(r"[ \t]+", " ", text)


def matches(expected, printed):
    pattern = "".join(r"(?:.*\n)*?" if line == "..." else re.escape(line.rstrip()) + r"\n"
                      for line in expected.strip("\n").splitlines())
    shown = "".join(line.rstrip() + "\n" for line in printed.strip("\n").splitlines())
    return re.fullmatch(pattern, shown) is not None


count = 0
for name in sys.argv[3:]:
    for command, expected, noisy in examples((root / name).read_text()):
        done = subprocess.run(["bash", "-c", command], cwd=root, env=environment, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=600)
        hide = masked if noisy else str
        assert matches(hide(expected), hide(done.stdout)), (
            f"{name}: $ {command}\n--- documented:\n{expected}\n--- printed:\n{done.stdout}")
        count += 1
assert count, "no console examples found"
print(f"{count} commands print what the documentation shows")
