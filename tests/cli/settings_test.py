"""Flags, keys of a configuration file and the guide's tables of settings are the same list."""
import pathlib
import re

from fit_example import FitCase

GUIDE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "guide.md"
ROW = re.compile(r"^\| `--([a-z-]+)` \|(.*)\| (.*) \|$", re.MULTILINE)


class Settings(FitCase):
    def settings(self):
        rows = [(name, default.strip(), meaning)
                for name, default, meaning in ROW.findall(GUIDE.read_text(encoding="utf-8"))]
        self.assertGreater(len(rows), 20)
        return rows

    def test_help_shows_every_meaning_and_default_of_the_guide(self):
        text = " ".join(self.ok("fit", "--help-all").split())
        for name, default, meaning in self.settings():
            shown = default and default not in ("off", "required")
            expected = f"{meaning} (default {default})" if shown else meaning
            with self.subTest(name=name):
                self.assertRegex(text, f"--{name} ([A-Z]+ (\\.\\.\\. )?)?{re.escape(expected)}")

    def test_every_setting_is_a_key_of_a_configuration_file(self):
        self.write("fit.toml", "steps = 10\nqqqqqqqqqqqqqqqqqqqqqq = 1\n")
        done = self.fit("--epsilon", "1", "--config", "fit.toml")
        keys = re.findall(r"[a-z][a-z-]+", done.stderr)
        for name, _, _ in self.settings():
            with self.subTest(name=name):
                self.assertIn(name, keys)
