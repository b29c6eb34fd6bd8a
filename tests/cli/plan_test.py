"""Tests `dpvi plan`: its numbers, JSON keys and refusals."""
import json
import math
import subprocess

from program import PROGRAM, ProgramTest, run


class PlanNumbers(ProgramTest):
    # (adjacency, q, s, T, delta, epsilon, tolerance): published values and a second implementation.
    KNOWN = [
        ("add-remove", .01, .7, 120, 1e-5, 2.4612381, 1e-6),
        ("add-remove", .0064, 1.0, 782, 1e-6, 1.19865078, 5e-4),
        ("add-remove", .01, 2.0, 10000, 1e-6, 2.44681, 1e-4),
        ("add-remove", 1, .7, 2, 1e-5, 10.1224946, 2e-6),
        ("substitute", .01, 2.0, 10000, 1e-6, 4.90744, 1e-4),
        ("substitute", .005, 1.0, 2000, 1e-3, 1.29655, 1e-4),
    ]

    def test_known_epsilons_hold(self):
        for adjacency, q, s, steps, delta, epsilon, tolerance in self.KNOWN:
            plan = self.json("plan", "--adjacency", adjacency, "--sampling-rate", q,
                             "--noise-multiplier", s, "--steps", steps, "--delta", delta)
            self.assertEqual(plan["solved_for"], "epsilon")
            self.assertAlmostEqual(plan["epsilon"], epsilon, delta=tolerance)
            ends = plan["accountants"]["pld"]
            self.assertLessEqual(ends["epsilon_lower"], ends["epsilon_upper"])
            self.assertEqual(ends["epsilon_upper"], plan["epsilon"])

    def test_each_of_four_is_solved_on_the_safe_side(self):
        base = {"--epsilon": 1, "--delta": 1e-6, "--noise-multiplier": 4, "--steps": 1000}
        for missing in base:
            given = [word for flag, value in base.items() if flag != missing
                     for word in (flag, value)]
            plan = self.json("plan", "--sampling-rate", .01, *given)
            self.assertEqual(plan["solved_for"], missing[2:].replace("-", "_"))
            again = self.json("plan", "--sampling-rate", plan["sampling_rate"],
                              "--noise-multiplier", repr(plan["noise_multiplier"]), "--steps",
                              plan["steps"], "--delta", repr(plan["delta"]))
            self.assertLessEqual(again["epsilon"], plan["epsilon"] * (1 + 1e-6))
            if missing not in ("--epsilon", "--delta"):
                self.assertLessEqual(plan["epsilon"], 1)

    def test_solved_noise_is_not_wastefully_large(self):
        plan = self.json("plan", "--epsilon", 1, "--delta", 1e-6, "--sampling-rate", .01,
                         "--steps", 10000)
        self.assertLessEqual(plan["epsilon"], 1)
        self.assertGreater(plan["epsilon"], .999)

    def test_solved_steps_are_the_most(self):
        given = ["--adjacency", "add-remove", "--sampling-rate", .1, "--noise-multiplier", 3,
                 "--delta", 1e-6]
        plan = self.json("plan", *given, "--epsilon", 2)
        self.assertEqual(plan["steps"], 155)
        self.assertGreater(self.json("plan", *given, "--steps", 156)["epsilon"], 2)

    def test_noise_multiplier_is_on_the_integer_grid(self):
        plan = self.json("plan", "--noise-multiplier", 1.3, "--steps", 10, "--delta", 1e-5)
        bound = 2 ** 24 / plan["noise_multiplier"]
        self.assertAlmostEqual(bound, round(bound), delta=1e-6)
        self.assertGreaterEqual(plan["noise_multiplier"], 1.3)

    def test_both_adjacencies_stand_side_by_side(self):
        for adjacency in ("add-remove", "substitute"):
            plan = self.json("plan", "--adjacency", adjacency, "--noise-multiplier", 2, "--steps",
                             1000, "--sampling-rate", .01, "--delta", 1e-6)
            self.assertLess(plan["epsilon_add_remove"], plan["epsilon_substitute"])
            self.assertEqual(plan["epsilon"], plan["epsilon_" + adjacency.replace("-", "_")])

    def test_all_accountants_or_null_with_reason(self):
        given = ["--noise-multiplier", 8, "--steps", 1000, "--sampling-rate", .01, "--delta", 1e-5,
                 "--accountant", "all"]
        plan = self.json("plan", "--adjacency", "add-remove", *given)
        found = plan["accountants"]
        self.assertEqual(set(found), {"pld", "rdp", "moments", "advanced"})
        self.assertLess(found["pld"]["epsilon_upper"], found["rdp"]["epsilon"])
        self.assertLess(found["rdp"]["epsilon"], found["moments"]["epsilon"])
        plan = self.json("plan", "--adjacency", "substitute", *given)
        self.assertIsNone(plan["accountants"]["moments"])
        self.assertIn("add/remove", plan["reasons"]["moments"])

    def test_moments_accountant_gives_the_published_numbers(self):
        for q, s, epsilon in ((.01, 2, .93577), (.001, .4, 7.94151), (.005, 2, .46093)):
            plan = self.json("plan", "--adjacency", "add-remove", "--accountant", "moments",
                             "--noise-multiplier", s, "--sampling-rate", q, "--steps", 2000,
                             "--delta", 1e-3)
            self.assertAlmostEqual(plan["epsilon"], epsilon, delta=1e-4)

    def test_another_accountant_can_solve(self):
        for accountant in ("rdp", "moments", "rdp,pld"):
            plan = self.json("plan", "--adjacency", "add-remove", "--accountant", accountant,
                             "--epsilon", 1, "--delta", 1e-5, "--sampling-rate", .01, "--steps",
                             1000)
            self.assertEqual(plan["accountant"], accountant.split(",")[0])
            self.assertLessEqual(plan["epsilon"], 1)
            self.assertGreater(plan["epsilon"], .9999)

    def test_phases_compose(self):
        one = self.json("plan", "--phase", ".01:2:1000", "--delta", 1e-6)
        two = self.json("plan", "--phase", ".01:2:300", "--phase", ".01:2:700", "--delta", 1e-6)
        self.assertAlmostEqual(one["epsilon"], two["epsilon"], delta=1e-4)
        self.assertEqual(len(two["phases"]), 2)
        scaled = self.json("plan", "--phase", ".01:1:300", "--phase", ".05:2:100", "--delta", 1e-6,
                           "--epsilon", .5)
        self.assertEqual(scaled["solved_for"], "noise_multiplier")
        self.assertLessEqual(scaled["epsilon"], .5)
        first, second = (phase["noise_multiplier"] for phase in scaled["phases"])
        self.assertAlmostEqual(second / first, 2, delta=1e-5)

    def test_no_steps_cost_nothing(self):
        plan = self.json("plan", "--noise-multiplier", 1, "--steps", 0, "--delta", 1e-6)
        self.assertEqual(plan["epsilon"], 0)


class PlanForPeople(ProgramTest):
    def test_text_explains(self):
        text = self.ok("plan", "--epsilon", 1, "--delta", 1e-6, "--sampling-rate", .01, "--steps",
                       1000)
        for words in ("One record", "e^epsilon", "substitute", "add/remove", "noise multiplier",
                      "twice the steps", "half the epsilon"):
            self.assertIn(words, text)
        self.assertLessEqual(max(map(len, text.splitlines())), 100)

    def test_help_fits_one_screen_and_shows_an_example(self):
        text = self.ok("plan", "--help")
        self.assertLessEqual(text.count("\n"), 40)
        self.assertIn("dpvi plan --epsilon 1", text)

    def test_version_names_commit_instruction_sets_and_libraries(self):
        text = self.ok("--version")
        for words in ("dpvi 0.", "commit ", "instruction sets: baseline", "OpenSSL", "zlib", "Eigen",
                      "CLI11"):
            self.assertIn(words, text)

    def test_config_file_gives_flags_and_flags_win(self):
        config = self.folder() / "plan.toml"
        config.write_text('delta = 1e-5\nsteps = 100\n"noise-multiplier" = 2\nsampling-rate = 0.05\n'
                          'adjacency = "add-remove"\n')
        from_file = self.json("plan", "--config", config)
        self.assertEqual((from_file["steps"], from_file["adjacency"]), (100, "add-remove"))
        self.assertEqual(self.json("plan", "--config", config, "--steps", 200)["steps"], 200)
        config.write_text('delta = 1e-5\nphase = [".01:2:10", ".02:2:10"]\n')
        self.assertEqual(len(self.json("plan", "--config", config)["phases"]), 2)


class PlanRefusals(ProgramTest):
    GOOD = {"--epsilon": "1", "--delta": "1e-6", "--steps": "100", "--sampling-rate": ".01"}

    def refuse_with(self, flag, value, code="DP102"):
        flags = dict(self.GOOD, **{flag: value})
        if flag == "--noise-multiplier":
            del flags["--epsilon"]
        words = [word for pair in flags.items() for word in pair]
        self.refused(code, [flag, value], "plan", *words)

    def test_values_outside_their_rule(self):
        for flag in ("--epsilon", "--noise-multiplier", "--sampling-rate", "--delta"):
            for value in ("0", "-1", "nan", "inf", "-inf", "x", "1e400", "", "1 2", "0x10"):
                self.refuse_with(flag, value)
        for value in ("1.5", "2", "1"):
            self.refuse_with("--delta", value)
        self.refuse_with("--sampling-rate", "1.0000001")
        for value in ("-1", "1.5", "nan", "ten", "1e300", "99999999999999999999"):
            self.refuse_with("--steps", value)
        self.refuse_with("--adjacency", "both")
        self.refuse_with("--accountant", "gdp")

    def test_negative_fractions_are_values_not_flags(self):
        self.refused("DP102", ["--epsilon", "-.5"], "plan", "--epsilon", "-.5", "--delta", "1e-6",
                     "--steps", 10)

    def test_wrong_number_of_givens(self):
        self.refused("DP103", ["three", "epsilon"], "plan", "--epsilon", 1)
        self.refused("DP103", ["three"], "plan")
        self.refused("DP103", ["three"], "plan", "--epsilon", 1, "--delta", 1e-6, "--steps", 10,
                     "--noise-multiplier", 1)

    def test_contradictions(self):
        self.refused("DP103", ["phase"], "plan", "--phase", ".1:1:1", "--steps", 3, "--delta", .1)
        self.refused("DP103", ["phase"], "plan", "--phase", ".1:1:1", "--sampling-rate", .1,
                     "--delta", .1)
        self.refused("DP103", ["delta"], "plan", "--phase", ".1:1:1", "--epsilon", 1)
        self.refused("DP103", [], "plan", "--epsilon", 1, "--epsilon", 2, "--delta", .1, "--steps",
                     3)
        self.refused("DP102", ["--phase", "Q:S:T"], "plan", "--phase", ".1:1", "--delta", .1)
        self.refused("DP102", ["--phase", "'2'"], "plan", "--phase", "2:1:1", "--delta", .1)

    def test_unknown_words_get_the_nearest_name(self):
        self.refused("DP101", ["--epsilno", "--epsilon"], "plan", "--epsilno", 1)
        self.refused("DP101", ["'plna'", "'plan'"], "plna")
        self.refused("DP103", ["plan"])
        self.refused("DP102", ["'substitut'", "'substitute'"], "plan", "--adjacency", "substitut")

    def test_config_mistakes_name_file_and_line(self):
        config = self.folder() / "plan.toml"
        config.write_text("delta = 1e-5\nepsilno = 1\n")
        self.refused("DP101", [f"{config}:2:1", "'epsilon'"], "plan", "--config", config)
        config.write_text("delta = \n")
        self.refused("DP106", [f"{config}:1"], "plan", "--config", config)
        config.write_text("[delta]\nx = 1\n")
        self.refused("DP106", ["'delta'"], "plan", "--config", config)
        self.refused("DP301", ["missing.toml"], "plan", "--config", "missing.toml", exit_code=66)

    def test_impossible_targets_are_refused_not_searched_forever(self):
        self.refused("DP104", [], "plan", "--epsilon", 1e-12, "--delta", 1e-300, "--steps",
                     1000000000, "--sampling-rate", 1)
        self.refused("DP104", [], "plan", "--epsilon", .01, "--delta", 1e-9, "--noise-multiplier",
                     .5, "--sampling-rate", 1)

    def test_corners_are_solved_or_refused_never_a_crash(self):
        for q in ("1e-18", "1e-7", ".5"):
            for s in (".016", ".3", "1e6"):
                for steps in ("1", "1000000000000"):
                    for delta in ("1e-300", ".9"):
                        done = run("plan", "--json", "--sampling-rate", q, "--noise-multiplier", s,
                                   "--steps", steps, "--delta", delta)
                        self.assertIn(done.returncode, (0, 64), (q, s, steps, delta, done.stderr))
                        document = json.loads(done.stdout)
                        if done.returncode == 0:
                            ends = document["accountants"]["pld"]
                            self.assertTrue(0 <= ends["epsilon_lower"] <= ends["epsilon_upper"])

    def test_json_failure_is_a_document(self):
        done = run("plan", "--epsilon", "-1", "--delta", "1e-6", "--steps", "3", "--json")
        self.assertEqual(done.returncode, 64)
        document = json.loads(done.stdout)
        self.assertFalse(document["ok"])
        self.assertEqual(document["findings"][0]["code"], "DP102")

    def test_full_disk_is_a_write_error(self):
        with open("/dev/full", "w") as full:
            done = subprocess.run([PROGRAM, "plan", "--noise-multiplier", "1", "--steps", "1",
                                   "--delta", ".1"], stdout=full, stderr=subprocess.PIPE, text=True)
        self.assertEqual(done.returncode, 74)
        self.assertIn("error[DP401]", done.stderr)

    def test_numbers_are_finite(self):
        text = self.ok("plan", "--noise-multiplier", .02, "--steps", 1000, "--sampling-rate", 1,
                       "--delta", 1e-6, "--json")
        self.assertNotIn("null", text.replace('"reasons"', ""))
        self.assertTrue(math.isfinite(json.loads(text)["epsilon"]))
