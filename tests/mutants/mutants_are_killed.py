#!/usr/bin/env python3
"""Runs the attack tests on every mutant and compares the results with the table in docs/privacy.md.

    mutants_are_killed.py ROOT FOLDER ATTACK [--update]

FOLDER holds a program for each mutant; ATTACK is the same program without a mutation. Fails if
ATTACK fails, if a mutant survives, if the attack of `dpvi audit` named for it does not refute its
claims, or if the table differs; --update writes the table.
"""
import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
from mutants import AUDIT, MUTANTS, UNSEEN  # noqa: E402

BEGIN = "<!-- mutants: written by tests/mutants/mutants_are_killed.py -->\n"
END = "<!-- end of mutants -->\n"
SECONDS = 120  # a mutant that does not end counts as killed
AUDIT_TEST = "AuditOfThisProgram.RefutesNoClaim"
AUDIT_PAIRS = "60000"  # of runs at most; the audit ends as soon as a claim is refuted


def name_of(test):
    """Returns the name in the source: googletest adds an instance in front of a test with parameters,
    and the number of the parameter behind it."""
    return f"{test['classname'].rpartition('/')[2]}.{test['name'].partition('/')[0]}"


def failed_tests(program, tests=f"-{AUDIT_TEST}", **variables):
    """Returns the names of the tests that fail, or the reason the program ended."""
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "report.json"
        try:
            ended = subprocess.run([program, f"--gtest_output=json:{report}",
                                    f"--gtest_filter={tests}"], check=False, capture_output=True,
                                   timeout=SECONDS, env=os.environ | variables).returncode
        except subprocess.TimeoutExpired:
            return ["no end"]
        if not report.exists():
            return [f"ended with {ended}"]
        suites = json.loads(report.read_text(encoding="utf-8"))["testsuites"]
    tests = [test for suite in suites for test in suite["testsuite"]]
    if not tests:
        sys.exit(f"{program} ran no test")
    return [name_of(test) for test in tests if "failures" in test]


def killers_of(program, mutant):
    """Returns the names of the tests that fail. Where another test ends the program, there is no list
    of them, and the test that the table names runs alone."""
    found = failed_tests(program)
    if mutant.killer in found or not found or "." in found[0]:
        return found
    return found + failed_tests(program, f"{mutant.killer}:*/{mutant.killer}/*")


def is_refuted(program, name):
    """Returns whether the audit refutes a claim of the mutant, by the attack that the table names."""
    return failed_tests(program, AUDIT_TEST, DPVI_AUDIT_PAIRS=AUDIT_PAIRS,
                        DPVI_AUDIT_ATTACK=AUDIT[name]) == [AUDIT_TEST]


def table():
    """Returns the table of the document. Other tests that find a mutant are not listed: which ones
    do may depend on the order in which threads run."""
    lines = ["| mistake | made in | found by | refuted by `dpvi audit` |", "|---|---|---|---|"]
    lines += [f"| {mutant.mistake} | `{mutant.file}` | `{mutant.killer}` | "
              f"{AUDIT.get(mutant.name) or UNSEEN[mutant.name]} |" for mutant in MUTANTS]
    return "\n".join(lines) + "\n"


def main():
    root, folder, attack = (pathlib.Path(word) for word in sys.argv[1:4])
    update = sys.argv[4:] == ["--update"]
    problems = [f"the real program fails {name}" for name in failed_tests(attack)]
    programs = [folder / f"mutant_{mutant.name}" for mutant in MUTANTS]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        killers = dict(zip((mutant.name for mutant in MUTANTS),
                           pool.map(killers_of, programs, MUTANTS)))
        refuted = pool.map(lambda name: is_refuted(folder / f"mutant_{name}", name), AUDIT)
        problems += [f"{attack!r} of the audit does not refute the mutant {name}"
                     for (name, attack), found in zip(AUDIT.items(), refuted) if not found]
    problems += [f"{mutant.killer} does not find the mutant {mutant.name}, which fails "
                 f"{killers[mutant.name] or 'no test'}"
                 for mutant in MUTANTS if mutant.killer not in killers[mutant.name]]
    document = root / "docs/privacy.md"
    text = document.read_text(encoding="utf-8")
    before, rest = text.split(BEGIN)
    told, after = rest.split(END)
    if told != table():
        if update:
            document.write_text(before + BEGIN + table() + END + after, encoding="utf-8")
        else:
            problems.append("docs/privacy.md tells another table; it should be\n" + table() +
                            "Run this script with --update and read the difference.")
    print("\n".join(problems) or f"{len(MUTANTS)} mutants, all killed, {len(AUDIT)} refuted by the audit")
    sys.exit(1 if problems else 0)


main()
