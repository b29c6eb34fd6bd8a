"""Tables of results: one row per cell and block."""
import numpy as np
import pandas

from scoring import coverage_standard_error, ratio_standard_error, sets_needed

LOG_SCORES = ("log_score", "log_score_nonprivate", "log_score_descent_30", "log_score_descent_100")
# Columns that are means over data sets and parameters, if a cell has them.
MEANS = {"sd": "sd_draws", "sd_model": "sd_model", "sd_privacy": "sd_privacy",
         "reference_sd": "reference_sd", "nonprivate_sd": "nonprivate_sd", "seconds": "seconds",
         "cpu_seconds": "cpu_seconds", **{name: name for name in LOG_SCORES}}


def scored(rows):
    """The rows with a result: data sets without one have a single row that says why."""
    return rows[rows["block"].notna()]


def _set_means(block, column):
    return block.groupby("set")[column].mean().to_numpy()


def _status_counts(rows):
    """For example: drifting 3, stationary 17. Failed data sets count as failed."""
    words = rows.groupby("set")["status"].first().str.split(":").str[0]
    return ", ".join(f"{word} {count}" for word, count in sorted(words.value_counts().items()))


def _block_row(rows, name):
    block = rows[rows["block"] == name]
    parameters = block["parameter"].nunique()
    covered, score = _set_means(block, "covered"), _set_means(block, "interval_score")
    reference_score = _set_means(block, "reference_interval_score")
    rmse = np.sqrt(block["squared_error"].mean())
    reference_rmse = np.sqrt(block["reference_squared_error"].mean())
    return {
        "block": name, "parameters": parameters, "sets": len(covered),
        "failed": rows["set"].nunique() - len(covered),
        "coverage": covered.mean(),
        "coverage_se": coverage_standard_error(covered, parameters),
        "reference_coverage": block["reference_covered"].mean(),
        "interval_score": score.mean(),
        "score_ratio": score.mean() / reference_score.mean(),
        "score_ratio_se": ratio_standard_error(score, reference_score),
        "rmse": rmse, "rmse_ratio": rmse / reference_rmse,
        **{new: block[old].mean() for old, new in MEANS.items() if old in block},
        "status": _status_counts(rows),
    }


def cell_results(cell, rows):
    """One row for each block of a cell; empty if no data set has a result."""
    found = [_block_row(rows, name) for name in scored(rows)["block"].unique()]
    identity = {"cell": cell.name, "family": cell.family, "problem": cell.problem.name,
                "rows": "all" if cell.rows is None else cell.rows, "epsilon": cell.epsilon}
    return pandas.DataFrame([identity | row for row in found])


def more_sets_needed(rows):
    """Number of data sets at which all blocks are expected to have the wanted standard error."""
    good = scored(rows)
    if not len(good):
        return np.inf
    return max(sets_needed(_set_means(block, "covered"), block["parameter"].nunique())
               for _, block in good.groupby("block"))
