"""Comparison of two folders of results, for example of two programs."""
import pathlib

import pandas

from store import RefusedFolder, recorded_settings

SHOWN = ("sets", "coverage", "coverage_se", "score_ratio", "score_ratio_se", "rmse_ratio",
         "seconds", "log_score")


def _results(folder):
    path = pathlib.Path(folder) / "results.csv"
    if not path.exists():
        raise RefusedFolder(f"{path} is missing: {folder} is not a folder of results")
    return pandas.read_csv(path)


def compare(first, second):
    """Cells and blocks that both folders have, with the columns of each side by side."""
    keys = ["cell", "block"]
    tables = [_results(folder) for folder in (first, second)]
    shown = [name for name in SHOWN if all(name in table for table in tables)]
    both = pandas.merge(*(table[[*keys, *shown]] for table in tables), on=keys,
                        suffixes=("_1", "_2"))
    order = keys + [f"{name}_{side}" for name in shown for side in (1, 2)]
    return both[order]


def remark(first, second):
    """Says which folder is which, and whether both saw the same data."""
    settings = [recorded_settings(folder) for folder in (first, second)]
    lines = [f"{side}: {folder}, program {each['program_sha256'][:12]}, seed {each['seed']}"
             for side, folder, each in zip((1, 2), (first, second), settings)]
    if settings[0]["experiment_sha256"] != settings[1]["experiment_sha256"]:
        lines.append("The problems or the scores changed in between: numbers may not be comparable.")
    if settings[0]["seed"] == settings[1]["seed"]:
        lines.append("The data sets are the same, so differences are more certain than the "
                     "standard errors suggest.")
    return "\n".join(lines)
