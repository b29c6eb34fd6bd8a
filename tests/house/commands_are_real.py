"""Runs every command of the documentation's ```console blocks and compares what it prints.

    commands_are_real.py ROOT BUILD FILE...

A line "$ command" is run by bash in the project's root with the built program first in PATH; the
lines after it are its whole output (both streams), where a line "..." stands for any number of
lines. Trailing blanks do not count.

In a block that opens with ```console noisy the output holds private results, whose noise is never
the same twice: there every number stands for any other number, blanks for other blanks, and a
run that is stationary for one that the noise lets drift.
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
    """Every number that stands alone as '#', every run of blanks as one, the status as '?'."""
    text = re.sub(r"; (stationary|drifting): .*", "; ?", text)
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
