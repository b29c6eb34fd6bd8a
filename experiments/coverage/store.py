"""The folder of results: settings.json, and one CSV file for each finished data set.

A file appears under its name when it is complete. A run that was stopped therefore continues where
it ended. Results of another program, seed or experiment never mix: the folder is refused.
"""
import dataclasses
import hashlib
import json
import os
import pathlib

import pandas

HERE = pathlib.Path(__file__).resolve().parent
# Files that decide which data sets are measured and how results are shown, not what they are.
REPORTING = {"cells.py", "command_line.py", "compare.py", "picture.py", "results.py", "runner.py",
             "store.py"}


class RefusedFolder(Exception):
    """The message says why a folder cannot be used, and what to do."""


@dataclasses.dataclass(frozen=True)
class Settings:
    """What results depend on. program is the path; only its hash is recorded."""
    program: str
    program_sha256: str
    experiment_sha256: str
    seed: int
    self_test: bool

    def recorded(self):
        return {key: value for key, value in dataclasses.asdict(self).items() if key != "program"}


def file_sha256(path):
    return hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest()


def experiment_sha256():
    """Hash of the problems, the reference and the scores."""
    digest = hashlib.sha256()
    for path in sorted([*HERE.glob("*.py"), *HERE.glob("models/*.stan")]):
        if path.name not in REPORTING:
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def recorded_settings(folder):
    """The settings of a folder of results, or None if it is new."""
    path = pathlib.Path(folder) / "settings.json"
    return json.loads(path.read_text()) if path.exists() else None


def _write_whole(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(f".{path.name}.{os.getpid()}")
    partial.write_text(text)
    partial.replace(path)


class Store:
    """Results of one program with one seed."""

    def __init__(self, folder, settings):
        self.folder, self.settings = pathlib.Path(folder), settings
        before = recorded_settings(folder)
        if before is None:
            if self.folder.exists() and any(self.folder.iterdir()):
                raise RefusedFolder(f"{folder} has no settings.json and is not empty: choose a new "
                                    "folder")
            _write_whole(self.folder / "settings.json",
                         json.dumps(settings.recorded(), indent=2) + "\n")
        elif different := [key for key, value in settings.recorded().items()
                           if before.get(key) != value]:
            changes = "; ".join(f"{key} was {before.get(key)} and is {settings.recorded()[key]}"
                                for key in different)
            raise RefusedFolder(f"{folder} holds other results ({changes}): choose a new folder, "
                                "or remove this one")

    def save(self, cell_name, number, rows):
        frame = pandas.DataFrame(rows)
        frame.insert(0, "set", number)
        frame.insert(0, "cell", cell_name)
        path = self.folder / "sets" / cell_name / f"{number:04}.csv"
        _write_whole(path, frame.to_csv(index=False, float_format="%.8g"))

    def finished(self, cell_name):
        """Numbers of the finished data sets of a cell."""
        return {int(path.stem) for path in (self.folder / "sets" / cell_name).glob("[0-9]*.csv")}

    def cell_names(self):
        """Names of the cells with results."""
        root = self.folder / "sets"
        return sorted({str(path.parent.relative_to(root)) for path in root.rglob("[0-9]*.csv")})

    def rows(self, cell_name):
        """All rows of a cell, one per data set and parameter."""
        paths = sorted((self.folder / "sets" / cell_name).glob("[0-9]*.csv"))
        if not paths:
            return pandas.DataFrame(columns=["cell", "set", "block", "parameter", "status"])
        return pandas.concat([pandas.read_csv(path, keep_default_na=False, na_values=["nan", ""])
                              for path in paths], ignore_index=True)

    def write_table(self, name, frame):
        _write_whole(self.folder / name, frame.to_csv(index=False, float_format="%.5g"))
