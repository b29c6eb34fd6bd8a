"""Tests `dpvi report` and `dpvi plan --html`: files, JSON and refusals."""
import json
import os
import re
import shutil
import subprocess

from forged_bundle import forge
from program import ProgramTest

WRITE_EXAMPLE_BUNDLES = os.environ["DPVI_WRITE_EXAMPLE_BUNDLES"]


class Report(ProgramTest):
    def setUp(self):
        self.place = self.folder()
        subprocess.run([WRITE_EXAMPLE_BUNDLES, self.place], check=True)
        self.bundle = self.place / "full_rank"

    def test_is_the_page_that_the_bundle_holds(self):
        out = self.place / "page.html"
        self.assertEqual(self.ok("report", self.bundle, "--out", out), f"Report: {out}\n")
        self.assertEqual(out.read_bytes(), (self.bundle / "report.html").read_bytes())

    def test_json_names_the_file_and_its_size(self):
        out = self.place / "page.html"
        self.assertEqual(self.json("report", self.bundle, "--out", out),
                         {"ok": True, "out": str(out), "bytes": out.stat().st_size})

    def test_a_bundle_without_a_report_gets_one(self):
        page = (self.bundle / "report.html").read_bytes()
        (self.bundle / "report.html").unlink()
        self.ok("report", self.bundle)
        self.assertEqual((self.bundle / "report.html").read_bytes(), page)

    def test_an_existing_file_is_never_replaced(self):
        self.refused("DP402", ["report.html", "exists already"], "report", self.bundle,
                     exit_code=73)
        out = self.place / "page.html"
        out.write_text("mine")
        self.refused("DP402", ["exists already"], "report", self.bundle, "--out", out, exit_code=73)
        self.assertEqual(out.read_text(), "mine")

    def test_a_damaged_bundle_is_refused_and_nothing_is_written(self):
        statement = json.loads((self.bundle / "statement.json").read_text())
        statement["phases"] = [{"steps": "many"}]
        (self.bundle / "statement.json").write_text(json.dumps(statement))
        forge(self.bundle, "statement.json")
        out = self.place / "page.html"
        self.refused("DP412", ["statement.json", "phases"], "report", self.bundle, "--out", out,
                     exit_code=65)
        self.assertFalse(out.exists())

    def test_a_missing_bundle_is_missing_input(self):
        self.refused("DP301", ["nothing"], "report", self.place / "nothing", exit_code=66)

    def test_files_that_an_older_version_did_not_write_may_be_missing(self):
        for name in ("run.json", "model.stan", "schema.toml", "report.html", "manifest.json"):
            (self.bundle / name).unlink()
        statement = json.loads((self.bundle / "statement.json").read_text())
        del statement["ledger"]  # as old as manifests
        (self.bundle / "statement.json").write_text(json.dumps(statement))
        self.ok("report", self.bundle)
        page = (self.bundle / "report.html").read_text()
        self.assertNotIn("What was dropped", page)
        self.assertIn("Load the draws", page)

    def test_a_report_depends_on_nothing_but_the_bundle(self):
        shutil.copytree(self.bundle, self.place / "elsewhere")
        self.ok("report", self.place / "elsewhere", "--out", self.place / "a.html")
        self.assertEqual((self.place / "a.html").read_bytes(),
                         (self.bundle / "report.html").read_bytes())
        self.assertNotIn(str(self.place), (self.place / "a.html").read_text())


class PlanPage(ProgramTest):
    flags = ["--epsilon", 1, "--delta", "1e-6", "--sampling-rate", 1, "--steps", 100]

    def setUp(self):
        self.out = self.folder() / "epsilon.html"

    def test_holds_the_plan_that_is_printed(self):
        plan = self.json("plan", *self.flags, "--html", self.out)
        page = self.out.read_text()
        grid = json.loads(re.search(r'id="grid">(.*?)</script>', page).group(1))
        self.assertEqual(grid["noise"][grid["step"]][grid["epsilon"]], plan["noise_multiplier"])
        self.assertEqual(grid["epsilons"][grid["epsilon"]], plan["epsilon"])
        self.assertLess(len(page), 200e3)

    def test_an_existing_file_is_never_replaced(self):
        self.out.write_text("mine")
        self.refused("DP402", ["exists already"], "plan", *self.flags, "--html", self.out,
                     exit_code=73)
        self.assertEqual(self.out.read_text(), "mine")

    def test_phases_have_no_page(self):
        self.refused("DP103", ["--html", "--phase"], "plan", "--delta", "1e-6", "--phase", ".1:2:10",
                     "--html", self.out)
        self.assertFalse(self.out.exists())
