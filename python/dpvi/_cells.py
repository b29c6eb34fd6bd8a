"""Cells of Python objects, as the texts that a CSV file would have.

The library reads such texts as it reads a CSV file: as levels, ids, or numbers if they spell one.
"""
import datetime
import numbers
from collections.abc import Iterable
from typing import Any

import numpy as np


def _moment(cell: Any) -> str | None:
    """A date or point of time of NumPy as 2026-01-31 or 2026-01-31 08:00:00."""
    if np.isnat(cell):
        return None
    unit = np.datetime_data(cell.dtype)[0]
    if unit in "YMWD":
        return str(cell.astype("datetime64[D]"))
    if unit in "hm":
        cell = cell.astype("datetime64[s]")
    text = str(cell).replace("T", " ")
    return text.rstrip("0").rstrip(".") if "." in text else text


def _spelled(cell: Any) -> str | None:
    if isinstance(cell, str):
        return cell if cell.isascii() else cell.encode("utf-8", "replace").decode()
    if isinstance(cell, (bool, np.bool_)):
        return str(int(cell))
    if isinstance(cell, np.datetime64):
        return _moment(cell)
    if isinstance(cell, datetime.datetime) and cell.tzinfo is not None:
        cell = cell.astimezone(datetime.timezone.utc).replace(tzinfo=None)
    if isinstance(cell, datetime.datetime):
        text = str(cell)
        return text.rstrip("0") if "." in text else text
    return str(cell) if isinstance(cell, (numbers.Number, datetime.date)) else None


def text_of_cell(cell: Any) -> str | None:
    """The text of a cell; None if it is missing, or no text, number, Boolean or date.

    Guarantee: no cell is refused, because a refusal would tell something about it.
    """
    try:
        return _spelled(cell) if cell == cell else None  # what is missing differs from itself
    except Exception:  # objects may do what they like when they are compared or written
        return None


def texts_of_cells(cells: Iterable[Any]) -> list[str | None]:
    return [text_of_cell(cell) for cell in cells]
