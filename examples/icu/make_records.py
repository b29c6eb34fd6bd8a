#!/usr/bin/env python3
"""Generates the mock records of the example: stays in intensive care.

    examples/icu/make_records.py OUT.csv [ROWS]

The seed and the coefficients below are public; no record belongs to a real person.
"""
import math
import random
import sys

UNITS = {"medical": (.45, .15), "surgical": (.30, -.20), "cardiac": (.15, -.10),
         "neuro": (.10, .20)}  # share of stays, effect on the log odds of death


def stay(generator):
    severity = generator.gauss(0, 1)
    age = min(max(generator.gauss(63, 16), 18), 100)
    sofa = min(max(round(generator.gauss(6 + 2.4 * severity, 2.5)), 0), 24)
    lactate = math.exp(generator.gauss(.45 + .3 * severity, .45))
    ventilated = int(generator.random() < 1 / (1 + math.exp(.4 - .9 * severity)))
    female = int(generator.random() < .43)
    unit = generator.choices(list(UNITS), [share for share, _ in UNITS.values()])[0]
    log_odds = (-2.0 + .45 * (age - 63) / 16 + .70 * (sofa - 6) / 3.5 + .30 * (lactate - 2) / 1.5
                + .40 * ventilated - .10 * female + UNITS[unit][1])
    died = int(generator.random() < 1 / (1 + math.exp(-log_odds)))
    measured = f"{lactate:.1f}" if generator.random() < .96 else "NA"
    return f"{age:.0f},{sofa},{measured},{ventilated},{female},{unit},{died}"


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    generator = random.Random(2017)
    rows = int(sys.argv[2]) if len(sys.argv) == 3 else 20000
    with open(sys.argv[1], "w", encoding="ascii") as file:
        print("age,sofa,lactate,ventilated,female,unit,died", file=file)
        for _ in range(rows):
            print(stay(generator), file=file)


main()
