"""Tests `dpvi fit`: the posterior of a program and a table, and what the output must not reveal."""
import json

from fit_example import HEADER, TRUTH, FitCase, table
from forged_bundle import forge


class Fit(FitCase):
    rows = 4000

    def test_unprotected_fit_finds_the_coefficients_and_is_stamped(self):
        self.fitted("--non-private", "--family", "full-rank")
        for name, truth in TRUTH.items():
            self.assertAlmostEqual(self.means()[name], truth, delta=.15)  # four standard errors
        self.assertIn("NOT PRIVATE", self.ok("summary", self.at / "b"))

    def test_private_fit_finds_the_coefficients_and_states_its_cost(self):
        for clip in ("adaptive", "fixed"):
            self.fitted("--epsilon", "3", "--rows", "4000", "--clip", clip, "--posterior",
                        "variational", out=clip)
            # The sds are 0.04 from the data, 0.02 from noise and a few hundredths from clipping;
            # delta is the sum of six of each.
            for name, truth in TRUTH.items():
                self.assertAlmostEqual(self.means(clip)[name], truth, delta=.45)
            statement = json.loads((self.at / clip / "statement.json").read_text())
            self.assertLessEqual(statement["epsilon"], 3)
            self.assertEqual(statement["clip"], clip)
            self.assertEqual(statement["posterior"], "variational")

    def test_normalised_gradients_find_the_directions(self):
        self.fitted("--epsilon", "3", "--rows", "4000", "--clip", "normalised")
        means = self.means()
        self.assertGreater(means["beta[1]"], 0)
        self.assertLess(means["beta[2]"], 0)

    def finds_the_coefficients_with(self, flag, choice, *others):
        self.fitted("--epsilon", "3", "--rows", "4000", flag, choice, *others, out=choice)
        for name, truth in TRUTH.items():
            self.assertAlmostEqual(self.means(choice)[name], truth, delta=.45, msg=choice)
        run = json.loads((self.at / choice / "run.json").read_text())
        self.assertEqual(run["configuration"][flag[2:]], choice)

    def test_every_optimizer_and_schedule_finds_the_coefficients(self):
        for flags in (("--optimizer", "adagrad"), ("--optimizer", "adagrad-window"),
                      ("--optimizer", "sgd"), ("--schedule", "decay"), ("--schedule", "warm-up"),
                      ("--schedule", "cosine")):
            self.finds_the_coefficients_with(*flags)

    def test_a_posterior_inferred_from_measurements(self):
        self.fitted("--epsilon", "3", "--posterior", "trace")
        found = self.json("summary", self.at / "b")
        self.assertEqual(found["posterior"]["kind"], "trace")
        self.assertEqual(found["chains"]["chains"], 4)
        records = found["usable_records"]
        self.assertLess(abs(records["estimate"] - self.rows), 5 * records["sd"])
        self.assertIn("usable records, measured", self.ok("summary", self.at / "b"))
        self.ok("verify", self.at / "b")
        self.ok("predict", self.at / "b", self.at / "d.csv", "--score", "y")
        run = json.loads((self.at / "b/run.json").read_text())
        self.assertEqual(run["configuration"]["posterior"], "trace")

    def posterior_of(self, *flags):
        plan = self.json("fit", self.at / "m.stan", self.at / "d.csv", "-D", "K=2", "--epsilon", "1",
                         "--dry-run", *flags)
        return plan["posterior"], plan["posterior_reason"]

    def test_the_posterior_is_inferred_from_measurements_unless_the_settings_say_otherwise(self):
        self.assertEqual(self.posterior_of(),
                         ("variational", "the schema declares no sd of column 'x.1'"))
        facts = "".join(f'[columns."x.{i}"]\nmean = 0\nsd = 1\n' for i in (1, 2))
        self.write("s.toml", "[table]\nrows = 400\n" + facts)
        kind, reason = self.posterior_of("--schema", str(self.at / "s.toml"))
        self.assertEqual(kind, "trace")
        self.assertIn("the program gives outcomes a law", reason)
        self.assertEqual(self.posterior_of("--posterior", "trace"), ("trace", "as requested"))
        self.assertEqual(self.posterior_of("--posterior", "variational"),
                         ("variational", "as requested"))
        for flags, words in ((("--steps", "50"), "a number of steps"),
                             (("--sampling-rate", ".2"), "the phases of its steps"),
                             (("--family", "full-rank"), "a family"),
                             (("--clip", "fixed"), "how gradients are clipped"),
                             (("--optimizer", "sgd"), "how steps are taken")):
            self.assertEqual(self.posterior_of(*flags),
                             ("variational", f"the settings give {words}"))

    def test_the_former_name_of_the_distance_schedule_is_accepted(self):
        self.write("old.toml", 'schedule = "travelled"\n')
        flags = ("--epsilon", "1", "--steps", "5")
        for out, old in (("flag", ("--schedule", "travelled")), ("key", ("--config", "old.toml"))):
            self.fitted(*flags, *old, out=out)
            run = json.loads((self.at / out / "run.json").read_text())
            self.assertEqual(run["configuration"]["schedule"], "distance")
        text = " ".join(self.ok("fit", "--help-all").split())
        self.assertIn("default distance for adam, else constant", text)
        self.assertNotIn("travelled", text)

    def test_a_bundle_with_the_former_name_of_the_distance_schedule_is_read(self):
        self.fitted("--epsilon", "1", "--steps", "5")
        path = self.at / "b" / "run.json"
        old = path.read_text().replace('"schedule": "distance"', '"schedule": "travelled"')
        self.assertIn("travelled", old)
        path.write_text(old)
        forge(self.at / "b", "run.json")
        self.ok("summary", self.at / "b")
        self.ok("predict", self.at / "b", self.at / "d.csv", "--score", "y")
        self.fitted("--epsilon", "1", "--steps", "5", "--init", "b", out="again")

    def test_every_family_and_gradient_finds_the_coefficients(self):
        for flags in (("--family", "low-rank", "--rank", "2"), ("--family", "full-rank"),
                      ("--gradient", "joint")):
            self.finds_the_coefficients_with(*flags)
        posterior = json.loads((self.at / "low-rank" / "posterior.json").read_text())
        self.assertEqual([len(row) for row in posterior["fitted"]["factor"]], [2, 2, 2])
        # The privacy noise is not of low rank.
        self.assertEqual(posterior["family"], "full-rank")
        self.assertEqual([len(row) for row in posterior["unconstrained"]["cholesky"]], [3, 3, 3])

    def test_unprotected_low_rank_fit_has_the_spread_of_the_full_rank_one(self):
        sds = []
        for family in ("low-rank", "full-rank"):
            self.fitted("--non-private", "--family", family, out=family)
            variables = self.json("summary", self.at / family)["variables"]
            sds.append([variables[name]["sd_model"] for name in TRUTH])
        for low, full in zip(*sds):
            self.assertAlmostEqual(low / full, 1, delta=.15)

    def test_init_sets_the_starting_point(self):
        self.write("start.json", '{"alpha": 40, "beta": [-20, 7]}')
        for init, out in (("zero", "zero"), ("prior", "prior"), ("start.json", "start")):
            # With zero steps the result is the starting point.
            self.fitted("--epsilon", "1", "--rows", "4000", "--init", init, "--steps", "0", out=out)
            statement = json.loads((self.at / out / "statement.json").read_text())
            listed = [fact for fact in statement["public_facts"] if "initial values" in fact]
            self.assertEqual(len(listed), out == "start")
        for name, start in {"alpha": 40, "beta[1]": -20, "beta[2]": 7}.items():
            self.assertAlmostEqual(self.means("start")[name], start, delta=.1)
            self.assertAlmostEqual(self.means("zero")[name], 0, delta=.1)
        self.assertIn("SHA-256", listed[0])
        # A private bundle may be used as a start; an unprotected one would leak.
        self.fitted("--epsilon", "1", "--rows", "4000", "--init", "start/posterior.json",
                    "--steps", "0", out="on")
        self.assertAlmostEqual(self.means("on")["alpha"], 40, delta=.1)
        statement = json.loads((self.at / "on" / "statement.json").read_text())
        self.assertTrue(any("adds to" in fact for fact in statement["public_facts"]))
        self.fitted("--non-private", out="open")
        done = self.fit("--epsilon", "1", "--init", "open", out="leak")
        self.assertEqual(done.returncode, 78)
        self.assertIn("DP351", done.stderr)
        self.assertFalse((self.at / "leak").exists())

    def test_a_profile_goes_to_standard_error_and_into_no_file(self):
        done = self.fitted("--epsilon", "1", "--rows", "4000", "--profile")
        for part in ("sampling", "gradients", "clip", "noise", "update"):
            self.assertRegex(done.stderr, part + r" +[\d.e-]+ s +[\d.]+ %")
        self.assertNotIn("update", (self.at / "b" / "run.json").read_text())

    def test_phases_are_fitted_and_stated(self):
        self.fitted("--phase", ".05:6:300", "--phase", ".2:4:500", "--rows", "4000")
        for name, truth in TRUTH.items():
            self.assertAlmostEqual(self.means()[name], truth, delta=.45)
        statement = json.loads((self.at / "b" / "statement.json").read_text())
        self.assertEqual([phase["steps"] for phase in statement["phases"]], [300, 500])
        plan = self.json("plan", "--phase", ".05:6:300", "--phase", ".2:4:500", "--delta", "1e-6")
        self.assertEqual(statement["epsilon"], plan["epsilon"])

    def test_phases_can_have_their_own_clip_bounds(self):
        self.fitted("--phase", ".1:6:300", "--phase", ".2:4:500", "--rows", "4000", "--clip",
                    "fixed", "--clip-bound", "3,2")
        statement = json.loads((self.at / "b" / "statement.json").read_text())
        self.assertEqual([phase["clip_bound"] for phase in statement["phases"]], [3, 2])
        self.assertEqual((statement["clip_bound"], statement["last_clip_bound"]), (3, 2))
        self.assertIn("clipped to length 3, then (phase 2) 2,",
                      (self.at / "b" / "statement.md").read_text())

    def test_quantities_that_are_drawn_without_records_are_in_the_draws(self):
        self.write("m.stan", (self.at / "m.stan").read_text() + """generated quantities {
  real fresh = normal_rng(5, 2);
  array[2, 3] int counts;
  for (i in 1:2) for (j in 1:3) counts[i, j] = poisson_rng(10 * i + 100 * j);
}
""")
        for flags, out in ((("--epsilon", "3", "--rows", "4000"), "private"),
                           (("--non-private", "--seed", "1"), "unprotected")):
            self.fitted(*flags, out=out)
            found = self.json("summary", self.at / out)["variables"]
            # The tolerance is five standard errors of 1000 draws.
            self.assertAlmostEqual(found["fresh"]["mean"], 5, delta=.32)
            self.assertAlmostEqual(found["fresh"]["sd"], 2, delta=.25)
            self.assertEqual(found["fresh"]["sd_privacy"], "NaN")
            for i in (1, 2):
                for j in (1, 2, 3):
                    self.assertAlmostEqual(found[f"counts[{i},{j}]"]["mean"], 10 * i + 100 * j,
                                           delta=3)
        self.assertIn("fresh", self.ok("summary", self.at / "private"))
        # The additional contents of the bundle do not disturb its readers.
        self.ok("predict", self.at / "private", self.at / "d.csv", "--score", "y")

    def test_summary_reports_the_uncertainty_due_to_noise(self):
        self.fitted("--epsilon", "1", "--rows", "4000", out="much")
        self.fitted("--epsilon", "10", "--rows", "4000", out="little")
        much, little = (self.json("summary", self.at / out) for out in ("much", "little"))
        self.assertEqual((little["status"], little["optimisation"]), ("ok", "stationary"))
        sds = [sum(variable["sd_privacy"] for variable in summary["variables"].values())
               for summary in (much, little)]
        self.assertGreater(sds[0], 2 * sds[1])

    def test_a_fit_of_few_steps_does_not_claim_to_have_converged(self):
        for steps in (1, 2, 5):
            out = f"steps{steps}"
            self.fitted("--epsilon", "1", "--steps", steps, out=out)
            summary = self.json("summary", self.at / out)
            self.assertEqual((summary["status"], summary["optimisation"]), ("failed", "unknown"))
            text = self.ok("summary", self.at / out)
            self.assertIn("failed: too few steps to tell whether the run had settled", text)
            self.assertNotIn("stationary", text)

    def test_a_diverged_fit_says_so(self):
        self.fitted("--epsilon", "1", "--rows", "4000", "--optimizer", "sgd",
                    "--learning-rate", "1e300")
        summary = self.json("summary", self.at / "b")
        self.assertEqual((summary["status"], summary["optimisation"]), ("failed", "diverged"))
        self.assertIn("failed: the run diverged; its numbers are meaningless",
                      self.ok("summary", self.at / "b"))

    def test_two_private_runs_differ(self):
        self.fitted("--epsilon", "1", out="one")
        self.fitted("--epsilon", "1", out="two")
        self.assertNotEqual(self.means("one"), self.means("two"))

    def test_threads_do_not_change_an_unprotected_fit(self):
        for threads in ("1", "2", "3", "7"):
            self.fitted("--non-private", "--seed", "5", "--threads", threads, "--steps", "50",
                        "--sampling-rate", ".5", out=threads)
        for threads in ("2", "3", "7"):
            for name in ("posterior.json", "draws.csv"):
                same = [line for out in ("1", threads) for line in
                        [(self.at / out / name).read_text().replace("\r", "").split("lp__")[-1]]]
                self.assertEqual(same[0], same[1], f"{name} with {threads} threads")

    def test_dry_run_opens_no_private_file_and_forecasts_the_noise(self):
        flags = ("fit", self.at / "m.stan", self.at / "not-there.csv", "--epsilon", 1, "-D", "K=2",
                 "--rows", 4000, "--dry-run")
        self.assertIn("noise sd", self.ok(*flags))
        forecast = self.json(*flags)["forecast"]
        self.assertEqual(forecast["names"], ["alpha", "beta.1", "beta.2"])
        self.assertEqual(forecast["unknown_columns"], ["x.1", "x.2"])
        self.assertEqual(forecast["masked_by_noise"], [])
        for noise, prior in zip(forecast["noise_sd"], forecast["prior_sd"]):
            self.assertLess(noise, .1)
            self.assertAlmostEqual(prior, 2, delta=.01)

    def test_a_delta_above_a_tenth_of_one_record_causes_a_warning(self):
        flags = ("fit", self.at / "m.stan", "none.csv", "--epsilon", 1, "-D", "K=2", "--rows", 4000,
                 "--dry-run", "--delta")
        self.assertIn("warning: delta 0.0001 is above 1/(10 rows) = 2.5e-05", self.ok(*flags, "1e-4"))
        self.assertNotIn("1/(10 rows)", self.ok(*flags, "1e-5"))

    def test_parameters_masked_by_noise_are_named_beforehand(self):
        done = self.fitted("--epsilon", ".01", "--rows", "100", "--steps", "20")
        self.assertIn("warning: noise will mask alpha, beta.1, beta.2", done.stderr)

    def test_without_declared_rows_the_sufficient_number_is_reported(self):
        flags = ("fit", self.at / "m.stan", "none.csv", "-D", "K=2", "--dry-run", "--epsilon")
        text = self.ok(*flags, ".1")
        self.assertRegex(text, r"fewer than about \d+ rows is too\s+small for this budget")
        self.assertIn("warning: no scale is declared for x.1, x.2.", text)
        few, many = (self.json(*flags, epsilon)["enough_rows"] for epsilon in ("1", ".1"))
        self.assertGreater(few, 10)
        # Noise grows as 1 / epsilon, so the number of rows that keeps it below the sampling error
        # grows as its square.
        self.assertGreater(many, 10 * few)
        declared = self.json(*flags, ".1", "--rows", round(2 * many))
        self.assertEqual(declared["forecast"]["masked_by_noise"], [])
        declared = self.json(*flags, ".1", "--rows", round(many / 4))
        self.assertNotEqual(declared["forecast"]["masked_by_noise"], [])
        # The same warning precedes a fit and does not depend on any cell.
        self.assertIn("warning: no scale is declared for x.1, x.2.",
                      self.fitted("--epsilon", "1", "--steps", "5").stderr)


class Cells(FitCase):
    """Cell contents never change what an outsider sees, except the numbers of the result."""

    def test_contents_of_cells_change_neither_messages_nor_exit_code_nor_files(self):
        def lines(*rows):
            return ("\n".join([HEADER, *rows]) + "\n").encode()

        usual = self.outsiders_view("usual", ("\n".join(table(100)) + "\n").encode(),
                                    "--rows", "100")
        hostile = {
            "header_only": lines(),
            "header_without_line_end": HEADER.encode(),
            "one_row": lines("1,2,1"),
            "all_missing": lines(*[",,"] * 50),
            "named_missing": lines(*["NA,NaN,NA"] * 50),
            "constant_columns": lines(*["3,3,1"] * 50),
            "not_numbers": lines("nan,nan,1", "inf,-inf,0", "x,y,z", "0x1p3,1e,1", "1 2,3,0"),
            "beyond_double": lines("1e400,-1e400,1", "1e308,-1e308,0", "1e-400,5e-324,1"),
            "integers_out_of_range": lines("1,1,7", "1,1,-1", "1,1,99999999999", "1,1,0.5"),
            "bad_bytes": lines("1,2,1").replace(b"1,2", b"\xff\xfe\x80,\xc3\x28"),
            "nul_bytes": lines("1,2,1").replace(b"1,2", b"\0,\"\0\""),
            "quoted": lines('"1","2","1"', '"1,5",2,1'),
            "many_digits": lines("0." + "1" * 5000 + ",2,1"),
        }
        for name, content in hostile.items():
            self.assertEqual(self.outsiders_view(name, content, "--rows", "100"), usual, name)

    def test_contents_of_cells_in_json_change_nothing_either(self):
        def view(name, cell):
            content = b'{"N": 3, "K": 2, "x": [[1, 2], [' + cell + b', 0], [2, 1]], "y": [0, 1, 1]}'
            return self.outsiders_view(name, content, "--rows", "100", data="d.json")

        usual = view("usual", b"1")
        for number, cell in enumerate((
                b"null", b"NaN", b"1e400", b"-", b"1.2.3", b"nope", b"0x10", b"+5", b".5", b"None",
                b'"x"', b'"\\ud800"', b'"\\udc00\\ud800"', b'"\\u12G4"', b'"\\q"', b'"a\0b"',
                b'"a\nb"', b'"\xff\xfe"', b'"' + b"1" * 100000 + b'"')):
            with self.subTest(cell=cell[:20]):
                self.assertEqual(view(f"cell{number}", cell), usual)
