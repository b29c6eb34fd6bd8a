"""Tests `dpvi budget` and `dpvi fit --ledger`: the account, refusals, damage, races and kills."""
import gzip
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import time

from fit_example import FitCase, table
from program import PROGRAM, run

SHORT = ("--steps", "20", "--quiet")


class BudgetCase(FitCase):
    rows = 100

    def setUp(self):
        super().setUp()
        self.ledger = self.at / "a.ledger"

    def init(self, *flags, epsilon="1"):
        return self.ok("budget", self.ledger, "init", "--epsilon", epsilon, *flags)

    def counted(self, out, epsilon=".4", *flags, **options):
        return self.fit("--epsilon", epsilon, "--ledger", self.ledger, *SHORT, *flags, out=out,
                        **options)

    def show(self):
        return self.json("budget", self.ledger, "show")

    def verified(self, *bundles):
        return run("budget", self.ledger, "verify", *bundles, cwd=self.at)


class Budget(BudgetCase):
    def test_show_has_the_documented_keys(self):
        self.init("--delta", "1e-6", "--unit", "row")
        self.assertEqual(self.counted("b1").returncode, 0)
        shown = self.show()
        for key in ("epsilon", "delta", "adjacency", "unit", "spent_epsilon", "left_epsilon",
                    "pld_epsilon", "filter", "head", "entries"):
            self.assertIn(key, shown)
        self.assertEqual((shown["epsilon"], shown["delta"], shown["filter"]), (1, 1e-6, "mixed"))
        self.assertAlmostEqual(shown["spent_epsilon"] + shown["left_epsilon"], 1)
        entry, = shown["entries"]
        for key in ("id", "state", "time", "model_sha256", "plan_sha256", "q", "noise_multiplier",
                    "steps", "epsilon"):
            self.assertIn(key, entry)
        self.assertEqual((entry["id"], entry["state"], entry["q"], entry["steps"]),
                         (1, "released", .1, 20))
        self.assertAlmostEqual(entry["epsilon"], .4, places=4)
        self.assertAlmostEqual(shown["pld_epsilon"], .4, places=4)
        run_json = json.loads((self.at / "b1" / "run.json").read_text())
        self.assertEqual(entry["model_sha256"], run_json["sha256"]["model"])
        self.assertEqual(entry["plan_sha256"], run_json["sha256"]["plan"])
        text = self.ok("budget", self.ledger, "show")
        self.assertIn("[#", text)
        self.assertLessEqual(max(map(len, text.splitlines())), 130)

    def test_a_fit_that_does_not_fit_exits_with_77_and_its_numbers(self):
        self.init(epsilon=".6")
        self.assertEqual(self.counted("b1").returncode, 0)
        done = self.counted("b2", ".4", "--json")
        self.assertEqual(done.returncode, 77, done.stderr)
        refusal = json.loads(done.stdout)
        self.assertFalse(refusal["ok"])
        self.assertAlmostEqual(refusal["asked"], .4, places=4)
        self.assertAlmostEqual(refusal["spent"] + refusal["left"], .6)
        self.assertFalse((self.at / "b2").exists())
        largest = refusal["largest_epsilon"]
        self.assertEqual(self.counted("b2", f"{largest * 1.01}").returncode, 77)
        self.assertEqual(self.counted("b2", f"{largest}").returncode, 0)
        self.assertEqual(self.verified("b1", "b2").returncode, 0)

    def test_full_participation_takes_no_sampled_run(self):
        self.init("--filter", "full-participation")
        done = self.counted("b1")
        self.assertEqual(done.returncode, 65)
        self.assertIn("error[DP604]", done.stderr)
        self.assertEqual(self.counted("b1", ".4", "--sampling-rate", "1").returncode, 0)

    def test_a_table_is_known_by_its_bytes(self):
        self.init("--data", self.at / "d.csv")
        original = (self.at / "d.csv").read_bytes()
        self.write("same.csv.gz", gzip.compress(original))
        self.assertEqual(self.counted("b1", ".1", data="same.csv.gz").returncode, 0)
        self.write("other.csv", "\n".join(table(self.rows, seed=2)) + "\n")
        done = self.counted("b2", ".1", data="other.csv")
        self.assertEqual(done.returncode, 65)
        self.assertIn("--data-version", done.stderr)
        self.assertEqual(
            self.counted("b2", ".1", "--data-version", "2027", data="other.csv").returncode, 0)
        shown = self.show()
        self.assertEqual([entry["data_version"] for entry in shown["entries"]], ["1", "2027"])
        self.assertGreater(shown["pld_epsilon"], .1)
        self.assertNotIn("fingerprint", json.dumps(shown))

    def test_a_pipe_and_an_unprotected_fit_are_refused(self):
        self.init()
        os.mkfifo(self.at / "pipe.csv")
        process = subprocess.Popen([PROGRAM, "fit", "m.stan", "pipe.csv", "--epsilon", "1", "--out",
                                    "b", "--ledger", self.ledger], cwd=self.at,
                                   stderr=subprocess.PIPE, text=True)
        with open(self.at / "pipe.csv", "w", encoding="ascii") as writer:
            try:
                writer.write("x.1,x.2,y\n")
                writer.flush()
            except BrokenPipeError:
                pass
            self.assertIn("error[DP604]", process.communicate(timeout=60)[1])
        self.assertEqual(process.returncode, 65)
        done = run("fit", "m.stan", "d.csv", "--non-private", "--out", "b", "--ledger", self.ledger,
                   cwd=self.at)
        self.assertEqual(done.returncode, 64)

    def test_the_folder_of_the_table_names_the_ledger(self):
        self.init()
        self.write("dpvi.toml", 'ledger = "a.ledger"\n')
        self.fitted("--epsilon", ".1", *SHORT, out="b1")
        self.fitted("--epsilon", ".1", "--ledger", "none", *SHORT, out="b2")
        self.assertEqual(len(self.show()["entries"]), 1)
        # A link to the table is the table; the ledger stands beside the table itself.
        elsewhere = self.at / "elsewhere"
        elsewhere.mkdir()
        (elsewhere / "linked.csv").symlink_to(self.at / "d.csv")
        self.fitted("--epsilon", ".1", *SHORT, data="elsewhere/linked.csv", out="b4")
        self.assertEqual(len(self.show()["entries"]), 2)
        self.write("dpvi.toml", 'leger = "a.ledger"\n')
        self.assertEqual(self.fit("--epsilon", ".1", *SHORT, out="b3").returncode, 65)

    def test_statement_and_screen_say_who_counts(self):
        self.init()
        done = self.fitted("--epsilon", ".1", "--steps", "20", out="b1")
        self.assertIn("No ledger counts this fit", done.stderr)
        statement = json.loads((self.at / "b1" / "statement.json").read_text())
        self.assertIsNone(statement["ledger"])
        self.assertIn("No ledger counts this run", (self.at / "b1" / "statement.md").read_text())
        self.assertEqual(self.counted("b2").returncode, 0)
        statement = json.loads((self.at / "b2" / "statement.json").read_text())
        self.assertEqual(statement["ledger"]["entry"], 1)
        self.assertEqual(statement["ledger"]["ledger"], self.show()["ledger"])
        self.assertIn("Entry 1 of the ledger", (self.at / "b2" / "statement.md").read_text())

    def test_large_budgets_are_commented(self):
        done = run("budget", self.ledger, "init", "--epsilon", "12")
        self.assertIn("beyond common practice", done.stderr)
        self.assertIn("beyond common practice", self.ok("budget", self.ledger, "show"))

    def test_a_malformed_table_spends_nothing(self):
        self.init()
        self.write("bad.csv", "x.1,x.2,y\n1,2\n")
        self.assertEqual(self.counted("b1", data="bad.csv").returncode, 65)
        self.assertEqual(self.show()["entries"], [])

    def test_forgiving_names_who_and_why(self):
        self.init()
        self.assertEqual(self.counted("b1").returncode, 0)
        self.refused("DP605", ["entry 1 is released"], "budget", self.ledger, "forgive", "1",
                     "--who", "A", "--why", "B")
        self.refused("DP103", ["--why"], "budget", self.ledger, "forgive", "1", "--who", "A")

    def test_texts_of_a_ledger_control_no_terminal_not_even_through_a_pipe(self):
        self.init()
        arguments = [PROGRAM, "fit", "m.stan", "d.csv", "--epsilon", ".4", "--steps", "100000",
                     "--ledger", self.ledger, "--out", "b"]
        with subprocess.Popen(arguments, cwd=self.at, stderr=subprocess.PIPE, text=True) as process:
            self.assertTrue(any(line.startswith("step ") for line in process.stderr))
            process.kill()
        text = self.ok("budget", self.ledger, "forgive", "1", "--who", "A\x1b]0;owned\x07", "--why",
                       "no\u009b31m")
        for shown in (text, self.ok("budget", self.ledger, "export", "--format", "text")):
            self.assertIn("1 was forgiven by A\\x1b]0;owned\\x07: no\\x9b31m\n", shown)
            self.assertNotIn("\x1b", shown)

    def test_usage(self):
        self.refused("DP301", ["init"], "budget", self.ledger, "show", exit_code=66)
        self.refused("DP102", ["ACTION"], "budget", self.ledger, "sho")
        self.refused("DP103", ["--epsilon"], "budget", self.ledger, "init")
        self.refused("DP102", ["delta"], "budget", self.ledger, "init", "--epsilon", "1", "--delta",
                     "1")
        self.assertFalse(self.ledger.exists())
        self.init()
        self.refused("DP402", ["exists"], "budget", self.ledger, "init", "--epsilon", "1",
                     exit_code=73)
        text = self.ok("budget", "--help")
        self.assertLessEqual(text.count("\n"), 40)


class LedgerDamage(BudgetCase):
    def setUp(self):
        super().setUp()
        self.init("--filter", "full-participation")
        for out in ("b1", "b2"):
            done = self.counted(out, ".2", "--sampling-rate", "1")
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.verified("b1", "b2").returncode, 0)

    def alter(self, *statements):
        with sqlite3.connect(self.ledger) as database:
            for trigger in ("line_update", "line_delete"):
                database.execute(f"DROP TRIGGER IF EXISTS {trigger}")
            for statement in statements:
                database.execute(statement)
        database.close()

    def assert_found(self, *bundles):
        """`verify` finds the damage, and no other action uses the ledger."""
        self.assertEqual(self.verified(*bundles).returncode, 65)

    def test_lines_cannot_be_changed_by_accident(self):
        with sqlite3.connect(self.ledger) as database:
            for statement in ("DELETE FROM line", "UPDATE line SET time = ''"):
                with self.assertRaises(sqlite3.DatabaseError):
                    database.execute(statement)
        database.close()

    def test_an_edited_line(self):
        self.alter("UPDATE line SET body = replace(body, '\"steps\":20', '\"steps\":2')")
        self.assert_found()
        self.assertEqual(self.counted("b3", ".1", "--sampling-rate", "1").returncode, 65)
        self.assertEqual(run("budget", self.ledger, "show").returncode, 65)

    def test_a_deleted_line(self):
        self.alter("DELETE FROM line WHERE position = 3")
        self.assert_found()

    def test_reordered_lines(self):
        self.alter("UPDATE line SET position = 100 WHERE position = 3",
                   "UPDATE line SET position = 3 WHERE position = 4",
                   "UPDATE line SET position = 4 WHERE position = 100")
        self.assert_found()

    def test_a_truncated_ledger(self):
        self.alter("DELETE FROM line WHERE position > 6")
        self.assert_found()
        (self.at / "a.ledger.head").unlink()
        self.assertEqual(self.verified().returncode, 0)  # no witness is left but the bundles
        self.assert_found("b1", "b2")
        done = run("verify", "b2", "--ledger", self.ledger, cwd=self.at)
        self.assertEqual(done.returncode, 65)
        self.assertIn("older or altered copy", done.stdout)

    def test_a_missing_or_outdated_head_is_named(self):
        head = self.at / "a.ledger.head"
        outdated = head.read_text()
        self.assertNotIn("head", self.verified().stdout)
        self.assertEqual(self.counted("b3", ".1", "--sampling-rate", "1").returncode, 0)
        head.write_text(outdated)
        self.assertIn("only bundles can show that this is the newest copy", self.verified().stdout)
        head.unlink()
        self.assertIn("no head is beside it", self.verified().stdout)
        self.assertEqual(self.verified("b1", "b3").returncode, 0)

    def test_two_names_of_one_ledger_are_refused(self):
        os.link(self.ledger, self.at / "second.ledger")
        for name in ("a.ledger", "second.ledger"):
            done = run("fit", "m.stan", "d.csv", "--epsilon", ".1", "--sampling-rate", "1", "--out",
                       "b9", "--ledger", name, *SHORT, cwd=self.at)
            self.assertEqual(done.returncode, 65)
            self.assertIn("2 names", done.stderr)
            self.assertFalse((self.at / "b9").exists())

    def test_objects_that_no_ledger_has(self):
        for statement in ("CREATE TRIGGER quiet BEFORE INSERT ON line BEGIN SELECT RAISE(IGNORE); END",
                          "CREATE VIEW other AS SELECT * FROM line"):
            copy = self.at / "copy.ledger"
            shutil.copy(self.ledger, copy)
            with sqlite3.connect(copy) as database:
                database.execute(statement)
            database.close()
            done = run("budget", copy, "verify")
            self.assertEqual(done.returncode, 65)
            self.assertIn("which no ledger has", done.stderr)
            copy.unlink()

    def test_an_archived_ledger_is_read(self):
        # Without capabilities, the permissions of files hold for root too.
        plain = ["setpriv", "--bounding-set=-all", "--inh-caps=-all"] if os.geteuid() == 0 else []
        if plain and subprocess.run([*plain, "true"], check=False).returncode != 0:
            self.skipTest("root cannot give up its capabilities here")
        archive = self.at / "archive %41?"
        archive.mkdir()
        for name in ("a.ledger", "a.ledger.head"):
            shutil.copy(self.at / name, archive)
        archive.chmod(0o555)
        self.addCleanup(archive.chmod, 0o755)

        def archived(*arguments):
            return subprocess.run([*plain, PROGRAM, "budget", archive / "a.ledger", *arguments],
                                  cwd=self.at, capture_output=True, text=True, check=False)

        for action in (["show"], ["export"], ["verify", "b1", "b2"]):
            done = archived(*action)
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(json.loads(archived("show", "--json").stdout), self.show())
        self.assertEqual(archived("forgive", "1", "--who", "A", "--why", "B").returncode, 74)
        self.assertEqual(sorted(os.listdir(archive)), ["a.ledger", "a.ledger.head"])

    def test_an_older_copy(self):
        old = self.at / "old"
        with sqlite3.connect(self.ledger) as source, sqlite3.connect(old) as copy:
            source.backup(copy)
        source.close()
        copy.close()
        self.assertEqual(self.counted("b3", ".2", "--sampling-rate", "1").returncode, 0)
        for rest in ("", "-wal", "-shm"):
            (self.at / f"a.ledger{rest}").unlink(missing_ok=True)
        shutil.copy(old, self.ledger)
        self.assert_found()
        (self.at / "a.ledger.head").unlink()
        self.assert_found("b3")

    def test_another_fingerprint_key(self):
        self.alter("UPDATE secret SET fingerprint_key = 'x'")
        self.assert_found()

    def test_a_ledger_of_other_bundles(self):
        other = self.at / "other.ledger"
        self.ok("budget", other, "init", "--epsilon", "1")
        done = run("budget", other, "verify", "b1", cwd=self.at)
        self.assertEqual(done.returncode, 65)
        self.assertIn("another ledger", done.stdout)


class LedgerRaces(BudgetCase):
    def start(self, out, *flags):
        command = [PROGRAM, "fit", "m.stan", "d.csv", "--out", out, "--epsilon", ".3", "--ledger",
                   str(self.ledger), *SHORT, *flags]
        return subprocess.Popen(command, cwd=self.at, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE, text=True)

    def test_32_fits_at_once_never_overspend(self):
        self.init()
        fits = [self.start(f"b{i}") for i in range(32)]
        messages = [fit.communicate(timeout=200)[1] for fit in fits]
        codes = [fit.returncode for fit in fits]
        self.assertLessEqual(set(codes), {0, 77}, messages)
        self.assertGreater(codes.count(0), 3)
        shown = self.show()
        self.assertLessEqual(shown["spent_epsilon"], 1)
        bundles = [f"b{i}" for i, code in enumerate(codes) if code == 0]
        self.assertEqual(self.verified(*bundles).returncode, 0)
        states = [entry["state"] for entry in shown["entries"]]
        self.assertEqual(states.count("released"), len(bundles))

    def test_a_killed_fit_stays_charged_and_a_bundle_is_always_counted(self):
        """Kills fits at 60 moments, most of them where the ledger and the bundle are written."""
        self.init(epsilon="30")
        begin = time.monotonic()
        whole = self.start("whole")
        self.assertEqual(whole.communicate(timeout=60)[1], "")
        length = time.monotonic() - begin
        counts = {"before": 0, "charged": 0, "bundle": 0}
        for i in range(60):
            entries = len(self.show()["entries"])
            fit = self.start(f"b{i}")
            time.sleep(length * (.3 + .7 * i / 60))
            fit.send_signal(signal.SIGKILL)
            fit.communicate()
            shown = self.show()
            new = shown["entries"][entries:]
            charged = [entry for entry in new if entry["state"] in ("reserved", "released")]
            if (self.at / f"b{i}").exists():
                counts["bundle"] += 1
                self.assertEqual(len(charged), 1)
                done = run("verify", f"b{i}", "--ledger", self.ledger, cwd=self.at)
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            else:
                counts["charged" if charged else "before"] += 1
                self.assertNotIn("released", [entry["state"] for entry in new])
        print(counts)
        self.assertEqual(self.verified("whole").returncode, 0)

    def test_a_ledger_that_is_held_for_too_long_is_busy(self):
        self.init()
        database = sqlite3.connect(self.ledger, isolation_level=None)
        self.addCleanup(database.close)
        database.execute("BEGIN IMMEDIATE")
        done = self.counted("b1")
        self.assertEqual(done.returncode, 75)
        self.assertIn("error[DP602]", done.stderr)
        self.assertFalse((self.at / "b1").exists())
