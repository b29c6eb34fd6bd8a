#!/usr/bin/env python3
"""Generates the mock records of the example: diaries of a week.

    examples/diary/make_records.py OUT.csv [PERSONS]

The seed and the coefficients below are public; no record belongs to a real person.
"""
import random
import sys

MU, EXERCISE, CARRIED, SPREAD = .2, -.4, .5, .6


def days(person, generator):
    rest = 0
    for _ in range(7):
        exercise = int(generator.random() < .5)
        rest = CARRIED * rest + generator.gauss(0, SPREAD)
        pain = 50 + 20 * (MU + EXERCISE * exercise + rest)
        yield f"P{person:05},{exercise},{min(max(pain, 0), 100):.0f}"


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    generator = random.Random(2025)
    persons = int(sys.argv[2]) if len(sys.argv) == 3 else 3000
    with open(sys.argv[1], "w", encoding="ascii") as file:
        print("person,exercise,pain", file=file)
        for person in range(1, persons + 1):
            for line in days(person, generator):
                print(line, file=file)


main()
