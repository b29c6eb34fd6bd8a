"""Google's dp_accounting prices the export of a ledger as the ledger does."""
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import dp_accounting
from dp_accounting import dp_event
from dp_accounting.pld import PLDAccountant

PROGRAM = os.environ["DPVI_PROGRAM"]
MODEL = """data { int<lower=0> N; vector[N] y; }
parameters { real mu; }
model { mu ~ normal(0, 1); y ~ normal(mu, 1); }
"""
RELATIONS = {"substitute": dp_accounting.NeighboringRelation.REPLACE_ONE,
             "add-remove": dp_accounting.NeighboringRelation.ADD_OR_REMOVE_ONE}
# dp_accounting rounds privacy losses to multiples of 1e-4 and composes pessimistically.
OWN_ERROR = 2e-3


def event_of(node):
    kind = node["class_name"]
    if kind == "ComposedDpEvent":
        return dp_event.ComposedDpEvent([event_of(event) for event in node["events"]])
    if kind == "SelfComposedDpEvent":
        return dp_event.SelfComposedDpEvent(event_of(node["event"]), node["count"])
    if kind == "PoissonSampledDpEvent":
        return dp_event.PoissonSampledDpEvent(node["sampling_probability"], event_of(node["event"]))
    return dp_event.GaussianDpEvent(node["noise_multiplier"])


class ExportedLedger(unittest.TestCase):
    def run_dpvi(self, *arguments):
        return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True,
                              check=True, cwd=self.at).stdout

    def test_its_price_is_that_of_dp_accounting(self):
        for adjacency, relation in RELATIONS.items():
            with self.subTest(adjacency=adjacency), tempfile.TemporaryDirectory() as folder:
                self.at = pathlib.Path(folder)
                (self.at / "m.stan").write_text(MODEL)
                (self.at / "d.csv").write_text("y\n1\n2\n")
                self.run_dpvi("budget", "l", "init", "--epsilon", "3", "--adjacency", adjacency)
                for i, flags in enumerate((("--epsilon", ".5", "--steps", "50"),
                                           ("--epsilon", ".7", "--steps", "300",
                                            "--sampling-rate", ".02"),
                                           ("--phase", ".1:5:20", "--phase", "1:30:3"))):
                    self.run_dpvi("fit", "m.stan", "d.csv", "--ledger", "l", "--out", f"b{i}",
                                  "--quiet", *flags)
                shown = json.loads(self.run_dpvi("budget", "l", "show", "--json"))
                tree = json.loads(self.run_dpvi("budget", "l", "export", "--format", "dp-event"))
                accountant = PLDAccountant(relation)
                accountant.compose(event_of(tree))
                self.assertAlmostEqual(accountant.get_epsilon(1e-6), shown["pld_epsilon"],
                                       delta=OWN_ERROR * shown["pld_epsilon"])
                self.assertLessEqual(shown["pld_epsilon"], shown["spent_epsilon"])


if __name__ == "__main__":
    unittest.main()
