"""Private Bayesian inference: a Stan program, a data frame and ε give a posterior that may be published."""
from . import errors, ranks
from ._core import version as _version
from ._fitting import fit, load, plan, settings, verify
from .errors import (BudgetError, CannotCreateError, DpviError, InputError, InternalError, Interrupted,
                     LeakError, LedgerBusyError, MissingInputError, UsageError, WriteError)
from .ledger import Ledger
from .model import Model
from .result import Fit
from .schema import Schema

__version__ = _version()["version"]

__all__ = ["BudgetError", "CannotCreateError", "DpviError", "Fit", "InputError", "InternalError",
           "Interrupted", "LeakError", "Ledger", "LedgerBusyError", "MissingInputError", "Model", "Schema",
           "UsageError", "WriteError", "errors", "fit", "load", "plan", "ranks", "settings", "verify"]
