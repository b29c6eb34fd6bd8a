"""Tables for the extension module: data frames as they are, NumPy arrays by their type."""
import os
import sys
from collections import Counter
from collections.abc import Iterable
from typing import Any

import numpy as np

from ._cells import texts_of_cells
from ._types import Table
from .errors import DpviError, InputError, UsageError


def refused(message: str, hint: str, code: str = "DP102", kind: type[DpviError] = UsageError) -> DpviError:
    error = kind(f"error[{code}] {message} {hint}")
    error.code, error.message, error.hint = code, message, hint
    return error


def _array(name: str, values: Any) -> np.ndarray[Any, Any]:
    if isinstance(values, np.ma.MaskedArray):
        raise refused(f"column '{name}' is a masked array.", "Fill it, or use a data frame.")
    try:
        array = np.asarray(values)
    except ValueError:  # lists of different lengths
        raise refused(f"column '{name}' is no list of cells.", "Give one array per column.") from None
    if array.ndim != 1:
        raise refused(f"column '{name}' has {array.ndim} dimensions.", "Give one array per column.")
    return array


def _column(name: str, values: Any) -> tuple[str, str, Any]:
    """One column of arrays: (name, kind, cells). Only the type decides, never a cell."""
    array = _array(name, values)
    kind = array.dtype.kind
    if kind == "f":
        return name, "real", np.ascontiguousarray(array, dtype=np.float64)
    if kind in "bi" or (kind == "u" and array.dtype.itemsize < 8):
        return name, "whole", np.ascontiguousarray(array, dtype=np.int64)
    if kind in "uMOUT":
        return name, "text", texts_of_cells(array)
    raise _refused_type(name, array.dtype)


def _refused_type(name: str, dtype: Any) -> DpviError:
    return refused(f"column '{name}' holds {dtype} values; a column holds numbers, texts or dates.",
                   "Convert it, for example with astype(float).")


def _holds_objects(dtype: Any) -> bool:
    return bool(dtype == object or getattr(getattr(dtype, "categories", None), "dtype", None) == object)


def _refuse_repeated(names: Iterable[str]) -> None:
    for name, times in Counter(names).items():
        if times > 1:
            raise refused(f"{times} columns are named '{name}'.", "Name every column differently.", "DP324",
                          InputError)


def _pandas_column(name: str, column: Any, pandas: Any) -> Any:
    """A column as Arrow can hold it."""
    if isinstance(column.dtype, pandas.SparseDtype):
        column = column.sparse.to_dense()
    if column.dtype.kind == "c":
        raise _refused_type(name, column.dtype)
    if not _holds_objects(column.dtype):
        return column
    return pandas.array(texts_of_cells(column), dtype=pandas.StringDtype("python"))


def _pandas_frame(frame: Any, pandas: Any) -> Any:
    """A frame of pandas whose types do not depend on cells.

    pandas finds the type of a column of Python objects by looking at them, and fails if they are of
    several types. Such columns become texts. A named index becomes columns, another one is left out.
    """
    if frame.columns.nlevels > 1:
        raise refused(f"the columns have {frame.columns.nlevels} levels of names.",
                      "Give one name each: frame.columns = ['_'.join(names) for names in frame.columns].")
    _refuse_repeated(map(str, frame.columns))
    named = [name for name in frame.index.names if name is not None and name not in frame.columns]
    if named:
        _refuse_repeated(map(str, [*named, *frame.columns]))
        frame = frame.reset_index(level=named)
    if not isinstance(frame.index, pandas.RangeIndex):
        frame = frame.reset_index(drop=True)
    columns = {str(name): _pandas_column(str(name), frame[name], pandas) for name in frame.columns}
    return pandas.DataFrame(columns, index=frame.index, copy=False)


def as_rows(data: Table) -> Any:
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


def like(data: Any, columns: dict[str, Any], index: bool = True) -> Any:
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
