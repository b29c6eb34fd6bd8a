"""Rows of results of one data set: one per parameter, or one that says why there is no result."""
import numpy as np


def averaged(scores):
    """Scores of the reference, averaged over its repeats."""
    return {f"reference_{key}": np.mean([each[key] for each in scores], axis=0)
            for key in ("sd", "covered", "interval_score", "squared_error")}


def parameter_rows(parameters, truth, shared, *columns):
    """One row per parameter; shared holds what the parameters of a fit have in common."""
    return [{"block": parameter.block, "parameter": parameter.column, "truth": truth[place],
             **{key: values[place] for column in columns for key, values in column.items()},
             **shared}
            for place, parameter in enumerate(parameters)]


def failed_row(reason):
    return [{"block": "", "parameter": "", "status": f"failed: {reason}"}]
