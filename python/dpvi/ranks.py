"""Fits on several processes or machines: how ranks exchange numbers.

A collective is any object with

- `rank` and `size`: this process, from 0, and the number of processes. Rank 0 is the root.
- `sum(values)`: takes an int64 array and returns, on rank 0, the sum over all ranks, int64 too.
  Other ranks may return None.
- `broadcast(data)`: takes bytes and returns those of rank 0.

All ranks call in the same order with the same sizes. Both raise an error if a rank is lost. dpvi checks
sums, and ends the fit if a rank was lost, counted twice or added in floating point.
"""
import base64
import multiprocessing
import sys
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from types import TracebackType
from typing import Any, Protocol

import numpy as np

from . import _core
from ._types import LedgerSource, Path, Table
from .errors import DpviError
from .model import Model
from .result import Fit

Integers = np.ndarray[Any, np.dtype[np.int64]]


class Collective(Protocol):
    """What connects the ranks of a job."""

    rank: int
    size: int

    def sum(self, values: Integers) -> Integers | None: ...
    def broadcast(self, data: bytes) -> bytes: ...


class GatherRank:
    """A collective over `all_gather(text)`, which returns the texts of all ranks in their order.

    In Spark's barrier mode that is `BarrierTaskContext.allGather`:

        context = BarrierTaskContext.get()
        ranks = dpvi.ranks.GatherRank(context.partitionId(), len(context.getTaskInfos()),
                                      context.allGather)
        dpvi.fit(rows_of_this_task, model, collective=ranks, out=folder, epsilon=1)
    """

    def __init__(self, rank: int, size: int, all_gather: Callable[[str], Sequence[str]]) -> None:
        self.rank, self.size, self._all_gather = rank, size, all_gather

    def sum(self, values: Integers) -> Integers | None:
        texts = self._all_gather(base64.b64encode(values.tobytes()).decode())
        if self.rank != 0:
            return None
        total = values.copy()
        for text in texts[1:]:
            total += np.frombuffer(base64.b64decode(text), np.int64)
        return total

    def broadcast(self, data: bytes) -> bytes:
        texts = self._all_gather(base64.b64encode(data).decode() if self.rank == 0 else "")
        return base64.b64decode(texts[0])


class PipeRank:
    """A collective over pipes of `multiprocessing`: the root has one to each of the other ranks, which
    have one each. A process that dies closes its end, and the others notice."""

    def __init__(self, rank: int, size: int, pipes: Sequence["Connection[Any, Any]"]) -> None:
        self.rank, self.size, self._pipes = rank, size, pipes

    def sum(self, values: Integers) -> Integers | None:
        if self.rank != 0:
            self._pipes[0].send_bytes(values.tobytes())
            return None
        for pipe in self._pipes:
            values = values + np.frombuffer(pipe.recv_bytes(), np.int64)
        return values

    def broadcast(self, data: bytes) -> bytes:
        if self.rank != 0:
            return self._pipes[0].recv_bytes()
        for pipe in self._pipes:
            pipe.send_bytes(data)
        return data


def _serve(rank: int, size: int, pipe: "Connection[Any, Any]", data: Table, model: Model | Path,
           knobs: dict[str, Any]) -> None:
    from ._fitting import fit

    try:
        fit(data, model, collective=PipeRank(rank, size, [pipe]), **knobs)
    except DpviError as error:
        if error.code != "DP502":  # that is the failure of another rank
            print(f"rank {rank}: {error}", file=sys.stderr)
        sys.exit(1)


def fit_in_processes(parts: Sequence[Table], model: Model | Path, *, ledger: LedgerSource | None = None,
                     data_version: str = "", out: Path | None = None,
                     progress: bool | Callable[[int, int], Any] | None = None, **knobs: Any) -> Fit:
    """Fits one model to a table in parts, each in a process of its own; the first part is fitted here.

    A script that calls it needs `if __name__ == "__main__":`, as with every use of `multiprocessing`.
    The arguments are those of `dpvi.fit`, with a list of tables. Each record must be in one part.
    """
    from ._fitting import fit

    context = multiprocessing.get_context("spawn")
    size = len(parts)
    pipes: list[Connection[Any, Any]] = []
    processes = []
    for rank, part in enumerate(parts[1:], start=1):
        own, other = context.Pipe()
        process = context.Process(target=_serve, args=(rank, size, other, part, model, knobs), daemon=True)
        process.start()
        other.close()
        pipes.append(own)
        processes.append(process)
    try:
        return fit(parts[0], model, collective=PipeRank(0, size, pipes), ledger=ledger,
                   data_version=data_version, out=out, progress=progress, **knobs)
    finally:
        for pipe in pipes:
            pipe.close()
        for process in processes:
            process.join()


class Adapter:
    """A collective as the extension module uses it: bytes in, bytes of the same number out."""

    def __init__(self, collective: Collective) -> None:
        self.rank, self.size = int(collective.rank), int(collective.size)
        self.failure: BaseException | None = None
        self._collective = collective

    def sum(self, data: bytes) -> bytes:
        values = np.frombuffer(data, np.int64)
        return self._replaced(data, lambda: self._collective.sum(values.copy()), self._bytes_of_sum)

    def broadcast(self, data: bytes) -> bytes:
        return self._replaced(data, lambda: self._collective.broadcast(data), bytes)

    def _bytes_of_sum(self, given: Any) -> bytes:
        total = np.asarray(given)
        if total.dtype != np.int64:
            raise TypeError(f"collective.sum returned {total.dtype} values; it must return int64.")
        return total.tobytes()

    def _replaced(self, data: bytes, exchange: Callable[[], Any],
                  bytes_of: Callable[[Any], bytes]) -> bytes:
        try:
            result = exchange()
            if result is None and self.rank != 0:
                return data
            found = bytes_of(result)
            if len(found) != len(data):
                raise ValueError(f"the collective returned {len(found)} bytes for {len(data)}.")
            return found
        except BaseException as error:
            self.failure = error
            raise


class joined:
    """The adapter of a collective, or None. If this rank fails before its fit begins, the others are
    told; if the collective failed, its error is the cause of ours."""

    def __init__(self, collective: Collective | None) -> None:
        self._adapter = None if collective is None else Adapter(collective)
        self.is_root = self._adapter is None or self._adapter.rank == 0
        self.began = False

    def __enter__(self) -> "joined":
        return self

    def begin(self) -> Adapter | None:
        self.began = True
        return self._adapter

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 trace: TracebackType | None) -> None:
        if self._adapter is None or error is None:
            return
        if not self.began:
            _core.refuse_ranks(self._adapter)
        elif self._adapter.failure is not None and getattr(error, "code", "") == "DP502":
            error.__cause__ = self._adapter.failure
