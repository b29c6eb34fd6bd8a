"""The account of what a data set has spent."""
import json
import os
from typing import Any

from . import _core
from ._texts import text_of
from ._types import Path


class Ledger:
    """A budget for a data set, in a file. Fits are counted in it with `dpvi.fit(..., ledger=...)`.

    >>> import dpvi, tempfile, os
    >>> ledger = dpvi.Ledger.create(os.path.join(tempfile.mkdtemp(), "study.ledger"), epsilon=2)
    >>> ledger.left
    2.0
    """

    def __init__(self, path: Path) -> None:
        self.path = os.fspath(path)
        self.show()

    @classmethod
    def create(cls, path: Path, *, epsilon: float, delta: float = 1e-6, adjacency: str = "substitute",
               unit: str = "row", filter: str = "mixed", data: Path = "") -> "Ledger":
        """Makes a ledger with a budget that never changes."""
        terms = {"epsilon": text_of(epsilon), "delta": text_of(delta), "adjacency": adjacency,
                 "unit": unit, "filter": filter, "data": os.fspath(data)}
        _core.ledger_create(os.fspath(path), terms)
        return cls(path)

    def show(self) -> dict[str, Any]:
        """Budget, costs and entries as a dict."""
        account: dict[str, Any] = json.loads(_core.ledger_json(self.path))
        return account

    @property
    def spent(self) -> float:
        """ε that the runs have spent."""
        return float(self.show()["spent_epsilon"])

    @property
    def left(self) -> float:
        """ε that is left."""
        return float(self.show()["left_epsilon"])

    def verify(self, *bundles: Path) -> list[str]:
        """Differences between this ledger and one that only dpvi has written; empty if intact."""
        return _core.ledger_differences(self.path, [os.fspath(bundle) for bundle in bundles])

    def forgive(self, entry: int, *, who: str, why: str) -> None:
        """Takes back the charge of a run whose result has never left."""
        _core.ledger_forgive(self.path, entry, who, why)

    def dp_event(self) -> str:
        """The charged runs as a tree of dp_accounting events, as JSON text."""
        return _core.ledger_dp_event(self.path)

    def __repr__(self) -> str:
        account = self.show()
        return f"Ledger({self.path!r}: spent {account['spent_epsilon']:.4g} of {account['epsilon']:.4g})"
