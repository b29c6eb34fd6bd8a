#!/usr/bin/env python3
"""Generates the mock records of the example: courses of a disease.

    examples/relapse/make_records.py OUT.csv [ROWS]

The seed and the coefficients below are public; no record belongs to a real person.
"""
import math
import random
import sys

STAGES = {"I": (.40, 0.), "II": (.35, -.45), "III": (.25, -1.05)}  # share, effect on log months
SHAPE = 1.3


def person(generator):
    age = min(max(generator.gauss(60, 12), 20), 95)
    stage = generator.choices(list(STAGES), [share for share, _ in STAGES.values()])[0]
    new_drug = int(generator.random() < .5)
    scale = math.exp(4.1 - .15 * (age - 60) / 12 + STAGES[stage][1] + .30 * new_drug)
    until_relapse = scale * generator.expovariate(1) ** (1 / SHAPE)
    # People enter over five years and are followed until the end of that time; some drop out
    # earlier.
    last_seen = min(generator.uniform(6, 60), generator.expovariate(1 / 150))
    relapsed = int(until_relapse <= last_seen)
    months = max(min(until_relapse, last_seen), .1)
    return f"{age:.0f},{stage},{new_drug},{months:.1f},{relapsed}"


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    generator = random.Random(2019)
    rows = int(sys.argv[2]) if len(sys.argv) == 3 else 15000
    with open(sys.argv[1], "w", encoding="ascii") as file:
        print("age,stage,new_drug,months,relapsed", file=file)
        for _ in range(rows):
            print(person(generator), file=file)


main()
