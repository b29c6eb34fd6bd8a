"""The account of what a data set has spent."""
import json
import os

from . import _core
from ._texts import text_of


class Ledger:
    """A budget for a data set, in a file. Fits are counted in it with `dpvi.fit(..., ledger=...)`.

    >>> import dpvi, tempfile, os
    >>> ledger = dpvi.Ledger.create(os.path.join(tempfile.mkdtemp(), "study.ledger"), epsilon=2)
    >>> ledger.left
    2.0
    """

    def __init__(self, path):
        self.path = os.fspath(path)
        self.show()

    @classmethod
    def create(cls, path, *, epsilon, delta=1e-6, adjacency="substitute", unit="row", filter="mixed",
               data=""):
        """Makes a ledger with a budget that never changes."""
        terms = {"epsilon": text_of(epsilon), "delta": text_of(delta), "adjacency": adjacency,
                 "unit": unit, "filter": filter, "data": os.fspath(data)}
        _core.ledger_create(os.fspath(path), terms)
        return cls(path)

    def show(self):
        """Budget, costs and entries as a dict."""
        return json.loads(_core.ledger_json(self.path))

    @property
    def spent(self):
        """ε that the runs have spent."""
        return self.show()["spent_epsilon"]

    @property
    def left(self):
        """ε that is left."""
        return self.show()["left_epsilon"]

    def verify(self, *bundles):
        """Differences between this ledger and one that only dpvi has written; empty if intact."""
        return _core.ledger_differences(self.path, [os.fspath(bundle) for bundle in bundles])

    def forgive(self, entry, *, who, why):
        """Takes back the charge of a run whose result has never left."""
        _core.ledger_forgive(self.path, entry, who, why)

    def dp_event(self):
        """The charged runs as a tree of dp_accounting events, as JSON text."""
        return _core.ledger_dp_event(self.path)

    def __repr__(self):
        account = self.show()
        return f"Ledger({self.path!r}: spent {account['spent_epsilon']:.4g} of {account['epsilon']:.4g})"
