#!/usr/bin/env python3
"""Generates the mock records of the example: hip implants.

    examples/implants/make_records.py OUT.csv [IMPLANTS]

The seed and the coefficients below are public; no record belongs to a real person.
"""
import math
import random
import sys

SHAPE = 1.4


def implant(generator):
    age = min(max(generator.gauss(68, 10), 20), 100)
    cemented = int(generator.random() < .5)
    scale = math.exp(2.6 - .15 * (age - 68) / 10 + .3 * cemented)
    lasts = max(.01, generator.weibullvariate(scale, SHAPE))
    observed = generator.uniform(1, 15)
    return f"{age:.0f},{cemented},{min(lasts, observed):.2f},{int(lasts < observed)}"


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    generator = random.Random(2026)
    with open(sys.argv[1], "w", encoding="ascii") as file:
        print("age,cemented,years,revised", file=file)
        for _ in range(int(sys.argv[2]) if len(sys.argv) == 3 else 6000):
            print(implant(generator), file=file)


main()
