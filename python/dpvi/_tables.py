"""Tables for the extension module: data frames as they are, NumPy arrays by their type."""
import os
import sys
from collections import Counter

import numpy as np

from ._cells import texts_of_cells
from .errors import InputError, UsageError


def refused(message, hint, code="DP102", kind=UsageError):
    error = kind(f"error[{code}] {message} {hint}")
    error.code, error.message, error.hint = code, message, hint
    return error


def _array(name, values):
    if isinstance(values, np.ma.MaskedArray):
        raise refused(f"column '{name}' is a masked array.", "Fill it, or use a data frame.")
    try:
        array = np.asarray(values)
    except ValueError:  # lists of different lengths
        raise refused(f"column '{name}' is no list of cells.", "Give one array per column.") from None
    if array.ndim != 1:
        raise refused(f"column '{name}' has {array.ndim} dimensions.", "Give one array per column.")
    return array


def _column(name, values):
    """One column of arrays: (name, kind, cells). Only the type decides, never a cell."""
    array = _array(name, values)
    kind = array.dtype.kind
    if kind == "f":
        return name, "real", np.ascontiguousarray(array, dtype=np.float64)
    if kind in "bi" or (kind == "u" and array.dtype.itemsize < 8):
        return name, "whole", np.ascontiguousarray(array, dtype=np.int64)
    if kind in "uMOUT":
        return name, "text", texts_of_cells(array)
    raise refused(f"column '{name}' holds {array.dtype} values; a column holds numbers, texts or dates.",
                  "Convert it, for example with astype(float).")


def _holds_objects(dtype):
    return dtype == object or getattr(getattr(dtype, "categories", None), "dtype", None) == object


def _pandas_frame(frame, pandas):
    """A frame of pandas whose types do not depend on cells.

    pandas finds the type of a column of Python objects by looking at them, and fails if they are of
    several types. Such columns become texts. A named index becomes columns, another one is left out.
    """
    for name, times in Counter(map(str, frame.columns)).items():
        if times > 1:
            raise refused(f"{times} columns are named '{name}'.", "Name every column differently.", "DP324",
                          InputError)
    named = [name for name in frame.index.names if name is not None and name not in frame.columns]
    if named:
        frame = frame.reset_index(level=named)
    if not isinstance(frame.index, pandas.RangeIndex):
        frame = frame.reset_index(drop=True)
    frame = frame.copy(deep=False)
    for name in frame.columns:
        if _holds_objects(frame[name].dtype):
            frame[name] = pandas.array(texts_of_cells(frame[name]), dtype=pandas.StringDtype("python"))
    return frame


def as_rows(data):
    """What the extension module reads: a file name, a data frame, or columns of arrays."""
    if isinstance(data, (str, os.PathLike)):
        return os.fspath(data)
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(data, pandas.DataFrame):
        return _pandas_frame(data, pandas)
    if hasattr(data, "__arrow_c_stream__"):
        return data
    if isinstance(data, dict):
        return [_column(str(name), values) for name, values in data.items()]
    names = getattr(getattr(data, "dtype", None), "names", None)
    if names and not isinstance(data, np.ma.MaskedArray):
        return [_column(name, data[name]) for name in names]
    hint = "Give a data frame (pandas, polars, pyarrow, duckdb), a dict of arrays or a file."
    for method in ("collect", "to_table"):  # of lazy frames and of datasets
        if hasattr(data, method):
            hint = f"Read it into memory first: .{method}()."
    raise refused(f"data of type {type(data).__name__} is no table.", hint)


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
