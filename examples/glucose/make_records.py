#!/usr/bin/env python3
"""Generates the mock records of the example: blood samples.

    examples/glucose/make_records.py OUT.csv [ROWS]

The seed and the groups below are public; no record belongs to a real person.
"""
import random
import sys

GROUPS = [(.60, 1.60, .08), (.28, 1.95, .11), (.12, 2.40, .18)]  # share, mean and sd of the log


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    generator = random.Random(2020)
    rows = int(sys.argv[2]) if len(sys.argv) == 3 else 20000
    with open(sys.argv[1], "w", encoding="ascii") as file:
        print("glucose", file=file)
        for _ in range(rows):
            _, mean, sd = generator.choices(GROUPS, [share for share, _, _ in GROUPS])[0]
            print(f"{generator.gauss(mean, sd):.3f}", file=file)


main()
