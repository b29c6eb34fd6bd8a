"""Tables for the extension module: data frames as they are, NumPy arrays by their type."""
import os

from .errors import UsageError


def _refused(message, hint):
    error = UsageError(f"error[DP102] {message} {hint}")
    error.code, error.message, error.hint = "DP102", message, hint
    return error


def _column(name, values):
    """One column of arrays: (name, kind, cells). Only the type decides, never a cell."""
    import numpy as np

    if isinstance(values, np.ma.MaskedArray):
        raise _refused(f"column '{name}' is a masked array.", "Fill it, or use a data frame.")
    array = np.asarray(values)
    if array.ndim != 1:
        raise _refused(f"column '{name}' has {array.ndim} dimensions.", "Give one array per column.")
    if array.dtype.kind == "f":
        return name, "real", np.ascontiguousarray(array, dtype=np.float64)
    if array.dtype.kind in "bi" or (array.dtype.kind == "u" and array.dtype.itemsize < 8):
        return name, "whole", np.ascontiguousarray(array, dtype=np.int64)
    if array.dtype.kind == "u":
        return name, "text", [str(cell) for cell in array]
    if array.dtype.kind == "M":
        days = array.astype("datetime64[D]")
        return name, "text", [None if np.isnat(day) else str(day) for day in days]
    if array.dtype.kind in "UT":
        return name, "text", [str(cell) for cell in array]
    if array.dtype.kind == "O" and all(cell is None or isinstance(cell, str) for cell in array):
        return name, "text", list(array)
    raise _refused(f"column '{name}' holds {array.dtype} values; a column holds numbers, texts or dates.",
                   "Convert it, for example with astype(float).")


def as_rows(data):
    """What the extension module reads: a file name, a data frame, or columns of arrays."""
    if isinstance(data, (str, os.PathLike)):
        return os.fspath(data)
    if hasattr(data, "__arrow_c_stream__"):
        return data
    if isinstance(data, dict):
        return [_column(str(name), values) for name, values in data.items()]
    names = getattr(getattr(data, "dtype", None), "names", None)
    if names:
        return [_column(name, data[name]) for name in names]
    raise _refused(f"a {type(data).__name__} is no table.",
                   "Give a data frame (pandas, polars, pyarrow, duckdb), a dict of arrays or a file.")


def like(data, columns, index=True):
    """A data frame of the kind of `data`, else of pandas, else the dict itself."""
    module = type(data).__module__.split(".")[0]
    if module == "polars":
        import polars

        return polars.DataFrame(columns)
    try:
        import pandas
    except ImportError:
        return columns
    rows = getattr(data, "index", None) if module == "pandas" and index else None
    return pandas.DataFrame(columns, index=rows)
