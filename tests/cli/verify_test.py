"""Tests `dpvi verify`, and bundles made by strangers."""
import hashlib
import json
import os
import pathlib
import re
import subprocess

from fit_example import FitCase
from forged_bundle import forge
from program import ProgramTest, run

SCHEMA = """[columns.y]
type = "category"
levels_file = "levels.txt"
[model]
x = ["x.1", "x.2"]
[public]
K = 2
"""


class VerifyCase(FitCase):
    rows = 100

    def setUp(self):
        super().setUp()
        self.fitted("--epsilon", "1", "--steps", "20", "--quiet")
        self.bundle = self.at / "b"

    def edit(self, name, old, new, forged=True):
        """Edits a file; a forger also writes its hash to the manifest."""
        path = self.bundle / name
        text = path.read_text()
        self.assertIn(old, text)
        path.write_text(text.replace(old, new, 1))
        if forged:
            forge(self.bundle, name)

    def differs(self, *words):
        done = run("verify", self.bundle)
        self.assertEqual(done.returncode, 65, done.stdout + done.stderr)
        for word in words:
            self.assertIn(word, done.stdout + done.stderr)
        done = run("summary", self.bundle)
        self.assertEqual(done.returncode, 65, done.stdout)
        self.assertEqual(done.stdout, "")


class Verify(VerifyCase):
    def test_an_untouched_bundle_holds_in_one_line(self):
        text = self.ok("verify", self.bundle)
        self.assertEqual(text.count("\n"), 1)
        self.assertIn("verified: epsilon 1 at delta 1e-06", text)
        found = self.json("verify", self.bundle)
        self.assertTrue(found["ok"])
        for key in ("epsilon_claimed", "epsilon_recomputed", "files", "ledger"):
            self.assertIn(key, found)
        self.assertAlmostEqual(found["epsilon_claimed"], found["epsilon_recomputed"], places=4)
        self.assertEqual({file["name"] for file in found["files"]},
                         {path.name for path in self.bundle.iterdir()} - {"manifest.json"})
        self.assertEqual(run("summary", self.bundle).stderr, "")

    def test_every_changed_file_is_found(self):
        for path in sorted(self.bundle.iterdir()):
            if path.name == "manifest.json":
                continue
            with self.subTest(file=path.name):
                content = path.read_bytes()
                path.write_bytes(content + b"\n")
                self.differs(path.name)
                path.write_bytes(content)
        self.ok("verify", self.bundle)

    def test_an_edited_epsilon_is_refuted_by_the_event_tree(self):
        statement = json.loads((self.bundle / "statement.json").read_text())
        self.edit("statement.json", f'"epsilon": {statement["epsilon"]}', '"epsilon": 0.5')
        self.edit("run.json", f'"epsilon": {statement["epsilon"]}', '"epsilon": 0.5')
        self.edit("draws.csv", f'dp_epsilon = {statement["epsilon"]}', "dp_epsilon = 0.5")
        self.edit("statement.md", "| epsilon | 1 |", "| epsilon | 0.5 |")
        self.differs("epsilon is 0.5", "costs at least")

    def test_an_event_tree_without_a_certified_price_is_no_excuse(self):
        path = self.bundle / "statement.json"
        text = path.read_text()
        # At so little noise the certified lower end of epsilon is 0.
        for noise in ("1e-300", "0.001"):
            document = json.loads(text)
            for event in document["dp_event"]["events"]:
                event["event"]["event"]["noise_multiplier"] = float(noise)
            path.write_text(json.dumps(document))
            forge(self.bundle, "statement.json")
            self.differs("recomputed from its event tree it is")

    # The time does not depend on how large a cost a stranger claims.
    def test_a_cost_without_limit_is_verified_at_once(self):
        path = self.bundle / "statement.json"
        document = json.loads(path.read_text())
        for event in document["dp_event"]["events"]:
            event["event"]["event"]["noise_multiplier"] = 1e-300
        for phase in [document, *document["phases"]]:
            phase["noise_multiplier"] = 1e-300
        document["epsilon"] = 1e300
        path.write_text(json.dumps(document))
        forge(self.bundle, "statement.json")
        before = os.times().children_user
        self.differs("epsilon differs between run.json and statement.json")
        self.assertLess(os.times().children_user - before, 10)

    def test_phases_and_numbers_of_the_mechanism_are_compared(self):
        path = self.bundle / "statement.json"
        text = path.read_text()
        for pointer, value in ((("steps",), 2), (("phases", 0, "steps"), 2),
                               (("phases", 0, "noise_multiplier"), 99.0)):
            document = json.loads(text)
            place = document
            for key in pointer[:-1]:
                place = place[key]
            place[pointer[-1]] = value
            path.write_text(json.dumps(document))
            forge(self.bundle, "statement.json")
            self.differs("are not those of the event tree")
        path.write_text(text)
        forge(self.bundle, "statement.json")
        run_json = self.bundle / "run.json"
        document = json.loads(run_json.read_text())
        document["plan"]["phases"][0]["sampling_rate"] = .5
        run_json.write_text(json.dumps(document))
        forge(self.bundle, "run.json")
        self.differs("the phases in run.json are not those of the event tree")

    def test_another_program_is_found_by_its_hash_in_run_json(self):
        self.edit("model.stan", "model {", "// other\nmodel {")
        self.differs("model.stan is not the file whose hash is in run.json")

    def test_claims_of_all_files_are_compared(self):
        statement = json.loads((self.bundle / "statement.json").read_text())
        epsilon = statement["epsilon"]
        for name, old, new in (("draws.csv", f"dp_epsilon = {epsilon}", "dp_epsilon = 0.5"),
                               ("draws.csv", "dp_delta = 1e-06", "dp_delta = 1e-09"),
                               ("statement.md", "| epsilon | 1 |", "| epsilon | 0.5 |"),
                               ("statement.md", "one record: one row", "one record: one person"),
                               ("run.json", '"adjacency": "substitute"', '"adjacency": "none"')):
            with self.subTest(file=name, claim=old):
                content = (self.bundle / name).read_bytes()
                self.edit(name, old, new)
                self.differs(name)
                (self.bundle / name).write_bytes(content)
                forge(self.bundle, name)

    # Whoever forges the manifest too can still not make a number promise more than the run gives.
    def test_numbers_that_follow_from_the_event_tree_are_computed_again(self):
        loss = ("registry", "deployment", "privacy_loss")
        kept = (self.bundle / "statement.json").read_text()
        for place, value, words in (
                (("epsilon_other_adjacency",), .1, "epsilon_other_adjacency is 0.1"),
                (("epsilon_lower",), 1.2, "costs at most"),
                (("groups", 1, "epsilon"), 1.5, "epsilon of 5 records is not"),
                (("groups", 0, "records"), 3, "epsilon of 2 records is not"),
                (("groups",), [], "lacks epsilon of several records"),
                (("beliefs", 2, "at_most"), .6, "beliefs in statement.json"),
                (("right_guesses",), .6, "beliefs in statement.json"),
                ((*loss, "privacy_parameters", "epsilon"), .5, "fields of the registry"),
                ((*loss, "privacy_unit_description"), "one person", "fields of the registry"),
                (("registry", "deployment", "dp_flavor", "bound_on_output_distance"), "(0.1, 0)",
                 "fields of the registry"),
                (("accountant",), "moments", "makes no claim"),
                (("delta",), 2, "'delta'"), (("delta",), -1, "'delta'"), (("delta",), "a", "'delta'")):
            with self.subTest(place=place, value=value):
                document = json.loads(kept)
                inside = document
                for key in place[:-1]:
                    inside = inside[key]
                inside[place[-1]] = value
                (self.bundle / "statement.json").write_text(json.dumps(document))
                forge(self.bundle, "statement.json")
                self.differs(words)

    def test_numbers_are_repeated_by_the_statement_for_people(self):
        text = (self.bundle / "statement.md").read_text()
        for name, old, new in (
                ("belief of 50 %", "| 50 % | 26.9 % | 73.1 % |", "| 50 % | 49 % | 51 % |"),
                ("five rows", re.search(r"^\| 5 \| .*$", text, re.M)[0], "| 5 | 1.1 | 75 % |"),
                ("other adjacency", re.search(r"^\| epsilon under .*$", text, re.M)[0],
                 "| epsilon under add-remove | 0.1 |")):
            with self.subTest(name):
                self.edit("statement.md", old, new)
                self.differs("differs between statement.md and statement.json")
                (self.bundle / "statement.md").write_text(text)
                forge(self.bundle, "statement.md")

    def test_the_page_says_what_the_other_files_say(self):
        page = (self.bundle / "report.html").read_text()
        self.assertIn("epsilon", page)
        self.edit("report.html", "</body>", "<p>It is (0.01, 0)-private.</p></body>")
        done = run("verify", self.bundle)
        self.assertEqual(done.returncode, 65, done.stdout)
        self.assertIn("report.html is not the page that the other files give", done.stdout)
        # A page of another version cannot be compared, which is said.
        commit = json.loads((self.bundle / "run.json").read_text())["versions"]["commit"]
        self.edit("run.json", commit, "0123456789ab")
        self.assertIn("; report.html is of another version", self.ok("verify", self.bundle))

    def test_run_json_names_the_same_unit_and_protection(self):
        for old, new, words in (('"unit": null', '"unit": "id"', "unit differs"),
                                ('"private": true', '"private": false', "no privacy protection")):
            with self.subTest(new):
                kept = (self.bundle / "run.json").read_text()
                self.edit("run.json", old, new)
                self.differs(words)
                (self.bundle / "run.json").write_text(kept)
                forge(self.bundle, "run.json")

    def test_missing_and_added_files_are_found(self):
        (self.bundle / "extra.txt").write_text("x")
        self.differs("extra.txt")
        (self.bundle / "extra.txt").unlink()
        report = (self.bundle / "report.html").read_text()
        (self.bundle / "report.html").unlink()
        self.ok("verify", self.bundle)  # 'dpvi report' makes it again
        (self.bundle / "report.html").write_text(report + " ")
        self.differs("report.html is not the file that the fit wrote")
        (self.bundle / "report.html").write_text(report)
        (self.bundle / "posterior.nc").unlink()
        self.differs("posterior.nc is missing")

    def test_a_manifest_cannot_be_taken_away(self):
        (self.bundle / "manifest.json").unlink()
        self.differs("manifest.json is missing")

    def test_a_bundle_of_an_earlier_version_is_read_with_a_note(self):
        (self.bundle / "manifest.json").unlink()
        path = self.bundle / "statement.json"
        statement = json.loads(path.read_text())
        del statement["ledger"], statement["counting"]
        path.write_text(json.dumps(statement))
        self.assertIn("no manifest", self.ok("verify", self.bundle))
        done = run("summary", self.bundle)
        self.assertEqual(done.returncode, 0)
        self.assertIn("note: this bundle has no manifest", done.stderr)

    def test_no_bundle(self):
        self.assertEqual(run("verify", self.at / "nowhere").returncode, 66)
        self.assertEqual(run("verify", self.at / "d.csv").returncode, 65)


class HostileBundles(VerifyCase):
    def test_links_pipes_and_devices_are_not_opened(self):
        secret = self.write("secret.csv", "secret\n")
        path = self.bundle / "statement.md"
        for make in (lambda: path.symlink_to(secret), lambda: os.mkfifo(path),
                     lambda: path.symlink_to("/dev/zero"), path.mkdir):
            path.unlink()
            make()
            self.differs()
            if path.is_dir() and not path.is_symlink():
                path.rmdir()
                path.write_text("")

    def test_names_of_the_manifest_stay_inside(self):
        manifest = json.loads((self.bundle / "manifest.json").read_text())
        for name in ("../d.csv", "/etc/passwd", "a/b", "", "x\u001b[31m"):
            manifest["sha256"][name] = "0"
            (self.bundle / "manifest.json").write_text(json.dumps(manifest))
            self.differs()
            del manifest["sha256"][name]

    def test_large_manifests_and_long_lists_are_refused(self):
        posterior = (self.bundle / "posterior.json").read_text()
        (self.bundle / "posterior.json").write_text(
            posterior.rstrip()[:-1] + ', "x": [' + "0," * (1 << 24) + "0]}")
        forge(self.bundle, "posterior.json")
        done = run("summary", self.bundle)
        self.assertEqual(done.returncode, 65)
        self.assertIn("too many values", done.stderr)
        (self.bundle / "posterior.json").write_text(posterior)
        manifest = (self.bundle / "manifest.json").read_text()
        (self.bundle / "manifest.json").write_text(manifest + " " * (1 << 20))
        self.differs("at most 1048576 are read")

    def test_deep_json_is_refused(self):
        for name in ("run.json", "statement.json", "posterior.json", "manifest.json"):
            with self.subTest(file=name):
                content = (self.bundle / name).read_bytes()
                (self.bundle / name).write_text("[" * 1_000_000)
                done = run("verify", self.bundle)
                self.assertEqual(done.returncode, 65, done.stderr[:300])
                (self.bundle / name).write_bytes(content)

    def test_a_level_file_outside_the_bundle_is_not_read(self):
        secret = self.write("secret.txt", "alice\nbob\n")
        schema = SCHEMA.replace("levels.txt", str(secret))
        (self.bundle / "schema.toml").write_text(schema)
        run_json = json.loads((self.bundle / "run.json").read_text())
        run_json["sha256"]["schema"] = hashlib.sha256(schema.encode()).hexdigest()
        (self.bundle / "run.json").write_text(json.dumps(run_json))
        forge(self.bundle, "run.json", "schema.toml")
        done = run("synth", self.bundle, "--rows", "5", "--out", self.at / "s")
        self.assertEqual(done.returncode, 65, done.stderr)
        self.assertNotIn("alice", done.stdout + done.stderr)
        self.assertFalse((self.at / "s").exists())

    def test_control_characters_never_reach_a_terminal(self):
        hostile = "status \\u001b]0;owned\\u0007"
        posterior = (self.bundle / "posterior.json").read_text()
        document = json.loads(posterior)
        document["status"]["reasons"] = [
            {"status": "weak", "reason": "\u001b]0;owned\u0007\u009b31m", "parameters": ["alpha"]}]
        (self.bundle / "posterior.json").write_text(json.dumps(document, ensure_ascii=False))
        forge(self.bundle, "posterior.json")
        leader, follower = os.openpty()
        process = subprocess.Popen([os.environ["DPVI_PROGRAM"], "summary", str(self.bundle)],
                                   stdout=follower, stderr=follower)
        self.assertEqual(process.wait(60), 0)
        os.close(follower)
        output = os.read(leader, 1 << 20)
        os.close(leader)
        self.assertIn(b"\\x1b]0;owned\\x07\\x9b31m", output, hostile)
        self.assertNotIn(b"\x1b]", output)
        self.assertNotIn("\u009b".encode(), output)


class HostileTexts(FitCase):
    """Titles, names of columns and names of programs come from others than the readers."""
    rows = 100

    def test_no_text_changes_the_markup_of_a_statement(self):
        hostile = ('a`b|\n\n## The claim\n\n| epsilon | 0.01 |\n[l](javascript:1) <script>x</script> '
                   '\u001b[31m\u202e\u200b\\')
        columns = ["c`<script>|\n## x", "[d](javascript:1)", "y"]
        rows = (self.at / "d.csv").read_text().split("\n", 1)[1]
        self.write("h.csv", ",".join(f'"{name}"' for name in columns) + "\n" + rows)
        self.write("p`|<b>.stan", (self.at / "m.stan").read_text())
        names = [json.dumps(name) for name in columns]
        study = "".join(f"{key} = {json.dumps(hostile)}\n" for key in
                        ("title", "purpose", "controller", "contact", "signatory"))
        self.write("s.toml", f"[table]\nrows = 100\n[model]\nx = [{names[0]}, {names[1]}]\n"
                             f"[public]\nK = 2\n[study]\n{study}")
        self.fitted("--epsilon", "1", "--steps", "10", "--schema", "s.toml", model="p`|<b>.stan",
                    data="h.csv")
        text = (self.at / "b" / "statement.md").read_text()
        lines = text.split("\n")
        self.assertEqual(lines.count("## The claim"), 1)
        self.assertEqual(sum(line.startswith("| epsilon |") for line in lines), 1)
        self.assertNotRegex(text, r"(?<!\\)<script|(?<!\\)\[[dl]\]|[\x00-\x09\x0b-\x1f\u202e\u200b]")
        for line in lines:
            if line.startswith("| "):  # every row of a table has as many cells as its head
                self.assertIn(len(re.findall(r"(?<!\\)\|", line)), (3, 4), line)
            self.assertEqual(len(re.findall(r"(?<!\\)`", line)) % 2, 0, line)
        self.assertEqual(run("verify", self.at / "b").returncode, 0)


class Diagnostics(FitCase):
    """A run is neither ended nor changed by a stderr that fails."""
    rows = 100

    def fit_with(self, out, redirection):
        command = (f'"$DPVI_PROGRAM" fit m.stan d.csv --epsilon 1 --steps 20 --out {out} '
                   f'{redirection}')
        return subprocess.run(["bash", "-c", command], cwd=self.at, env=os.environ, text=True,
                              stdout=subprocess.PIPE, check=False).returncode

    def test_a_full_closed_or_broken_stderr_ends_no_run(self):
        for i, redirection in enumerate(("2>/dev/full", "2>&-", "2> >(exit)", "<&- 2>&-")):
            with self.subTest(redirection=redirection):
                self.assertEqual(self.fit_with(f"b{i}", redirection), 0)
                self.ok("verify", self.at / f"b{i}")

    def test_a_failing_stdout_is_74_with_the_bundle_whole(self):
        for i, redirection in enumerate((">/dev/full 2>/dev/null", ">&- 2>/dev/null",
                                         ">&- 2>&- <&-")):
            with self.subTest(redirection=redirection):
                self.assertEqual(self.fit_with(f"b{i}", redirection), 74)
                self.ok("verify", self.at / f"b{i}")

    def test_a_failure_is_reported_by_its_code_alone_if_stderr_fails(self):
        self.assertTrue(pathlib.Path("/dev/full").exists())
        self.assertEqual(self.fit_with("nowhere/b", "2>/dev/full"), 73)


class StoredBundles(ProgramTest):
    """Bundles of earlier formats, as they were written, are still read."""

    def test_bundles_of_every_format_are_read(self):
        stored = pathlib.Path(__file__).parent.parent / "report" / "stored"
        names = sorted(path.name for path in stored.iterdir())
        self.assertEqual(names, ["format1", "format2"])
        for name in names:
            with self.subTest(bundle=name):
                self.assertIn("verified: epsilon 1", self.ok("verify", stored / name))
                self.assertIn("mu", self.json("summary", stored / name)["variables"])
                statement = json.loads((stored / name / "statement.json").read_text())
                self.assertEqual(statement.get("format", 1), int(name[-1]))
