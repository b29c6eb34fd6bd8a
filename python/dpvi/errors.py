"""What dpvi raises. Every error has a stable code, a message, and a hint: the next step.

    >>> import dpvi
    >>> try:
    ...     dpvi.plan(epsilon=-1, delta=1e-6, steps=10)
    ... except dpvi.UsageError as error:
    ...     print(error.code, error.message)
    DP102 epsilon is '-1'; it must be above 0.

No message quotes a cell of the records.
"""
from typing import Any


class _Facts:
    """The parts of a message."""

    code = ""
    message = ""
    hint = ""
    file = ""
    line = 0
    column = 0
    args: tuple[Any, ...]

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else self.message


class DpviError(_Facts, Exception):
    """Base class of all errors but Interrupted."""


class UsageError(DpviError, ValueError):
    """An argument is wrong."""


class InputError(DpviError, ValueError):
    """Data, schema or model is wrong."""


class MissingInputError(DpviError, FileNotFoundError):
    """A file does not exist."""


class InternalError(DpviError, RuntimeError):
    """A bug of dpvi, or a failure of the machine."""


class CannotCreateError(DpviError, FileExistsError):
    """An output already exists or cannot be created."""


class WriteError(DpviError, OSError):
    """An output could not be written."""


class LedgerBusyError(DpviError):
    """Another process holds the ledger."""


class BudgetError(DpviError):
    """The privacy budget does not allow the run."""

    asked = float("nan")
    spent = float("nan")
    left = float("nan")
    largest_epsilon = float("nan")


class LeakError(DpviError):
    """Doing it would reveal something about a record."""


class Interrupted(_Facts, KeyboardInterrupt):
    """A person stopped the run (Ctrl-C). Nothing was written; a fit that had begun is charged."""
