#!/usr/bin/env python3
"""Generates the mock records of the example: results of an exam.

    examples/exam/make_records.py OUT.csv [PERSONS]

The seed and the difficulties below are public; no record belongs to a real person.
"""
import math
import random
import sys

DIFFICULTY, SPREAD = [-1.5, -.8, -.2, .3, .9, 1.6], 1.2


def person(generator):
    ability = generator.gauss(0, SPREAD)
    return ",".join(str(int(generator.random() < 1 / (1 + math.exp(item - ability))))
                    for item in DIFFICULTY)


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    generator = random.Random(2023)
    with open(sys.argv[1], "w", encoding="ascii") as file:
        print(",".join(f"solved.{item + 1}" for item in range(len(DIFFICULTY))), file=file)
        for _ in range(int(sys.argv[2]) if len(sys.argv) == 3 else 5000):
            print(person(generator), file=file)


main()
