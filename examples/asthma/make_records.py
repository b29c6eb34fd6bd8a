#!/usr/bin/env python3
"""Generates the mock records of the example: people with asthma.

    examples/asthma/make_records.py OUT.csv [ROWS]

The seed and the coefficients below are public; no record belongs to a real person.
"""
import math
import pathlib
import random
import sys

CLINICS = pathlib.Path(__file__).with_name("clinics.txt").read_text().split("\n")[:-1]
# Deviations of the clinics' log rates from the overall mean.
EFFECTS = [.42, -.31, .05, -.12, .28, -.44, .17, -.06, .33, -.22, .10, -.20]


def poisson(generator, rate):
    count, product, floor = 0, generator.random(), math.exp(-rate)
    while product > floor:
        count, product = count + 1, product * generator.random()
    return count


def person(generator):
    clinic = generator.choices(range(len(CLINICS)), [12, 10, 9, 8, 8, 8, 7, 7, 6, 6, 5, 4])[0]
    age = min(max(generator.gauss(45, 16), 18), 95)
    smoker = int(generator.random() < .2)
    controller = int(generator.random() < .6)
    years = min(max(generator.gauss(1.5, .7), .2), 3)
    log_rate = (-.45 + EFFECTS[clinic] - .15 * (age - 45) / 16 + .40 * smoker - .50 * controller)
    visits = poisson(generator, years * math.exp(log_rate))
    return f"{CLINICS[clinic]},{age:.0f},{smoker},{controller},{years:.2f},{visits}"


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    generator = random.Random(2018)
    rows = int(sys.argv[2]) if len(sys.argv) == 3 else 20000
    with open(sys.argv[1], "w", encoding="ascii") as file:
        print("clinic,age,smoker,controller,years,visits", file=file)
        for _ in range(rows):
            print(person(generator), file=file)


main()
