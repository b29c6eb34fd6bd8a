#!/usr/bin/env python3
"""Generates the mock records of the example: visits of patients.

    examples/visits/make_records.py OUT.csv [PATIENTS]

The seed and the coefficients below are public; no record belongs to a real person.
"""
import random
import sys

BETWEEN, WITHIN = .6, .5


def visits(patient, generator):
    age = min(max(generator.gauss(60, 12), 20), 95)
    treated = int(generator.random() < .5)
    effect = generator.gauss(0, BETWEEN)
    for visit in range(generator.randint(1, 6)):
        years = visit * .5
        pressure = (.1 + .25 * (age - 60) / 12 + .05 * years - .4 * treated + effect +
                    generator.gauss(0, WITHIN))
        yield f"P{patient:05},{age:.0f},{years},{treated},{135 + 20 * pressure:.0f}"


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    generator = random.Random(2021)
    patients = int(sys.argv[2]) if len(sys.argv) == 3 else 4000
    with open(sys.argv[1], "w", encoding="ascii") as file:
        print("patient,age,years,treated,pressure", file=file)
        for patient in range(1, patients + 1):
            for line in visits(patient, generator):
                print(line, file=file)


main()
