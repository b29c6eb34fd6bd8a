"""Regressions whose schema declares wrong public facts, or none."""
import dataclasses

from regressions import PublicFacts, linear, logistic, normal_columns, poisson

WRONG = {
    "rows-halved": PublicFacts(rows=.5),
    "rows-doubled": PublicFacts(rows=2),
    "sd-halved": PublicFacts(sd=.5),
    "sd-doubled": PublicFacts(sd=2),
    "means-shifted": PublicFacts(shift=1),
    "no-schema": PublicFacts(declared=False),
}
# Facts cannot declare correlations, so columns count as independent.
CORRELATION = .8


def wrong_fact_problems():
    found = []
    for name, regression in (("linear", linear()), ("logistic", logistic()),
                             ("poisson", poisson())):
        found += [regression.problem(f"{name}-{error}", facts) for error, facts in WRONG.items()]
        correlated = dataclasses.replace(regression, columns=normal_columns(CORRELATION))
        found.append(correlated.problem(f"{name}-correlated"))
    return found
