"""Progress of a fit: a bar on a terminal or in a notebook, nothing elsewhere."""
import contextlib
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from typing import Any


class Terminal:
    """A bar on one line, which is ended when the fit ends or stops."""

    def __init__(self) -> None:
        self._begun = False

    def __call__(self, done: int, all_: int) -> None:
        text = f" step {done} of {all_}"
        width = min(30, shutil.get_terminal_size().columns - len(text) - 3)
        bar = f"[{'#' * (width * done // max(1, all_)):<{width}}]" if width > 0 else ""
        sys.stderr.write(f"\r{bar}{text}")
        sys.stderr.flush()
        self._begun = True

    def close(self) -> None:
        if self._begun:
            sys.stderr.write("\n")


class Notebook:
    def __init__(self) -> None:
        self._handle: Any = None

    def __call__(self, done: int, all_: int) -> None:
        import IPython.display

        shown: Any = IPython.display
        bar = shown.HTML(f'<label>step {done} of {all_} <progress value="{done}" max="{all_}"></progress></label>')
        if self._handle is None:
            self._handle = shown.display(bar, display_id=True)
        else:
            self._handle.update(bar)


def _in_notebook() -> bool:
    ipython: Any = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell.__class__.__name__ == "ZMQInteractiveShell"


@contextlib.contextmanager
def shown(progress: bool | Callable[[int, int], Any] | None) -> Iterator[Callable[[int, int], Any] | None]:
    """The function to call with (done, all), or None. `progress` is True, False, None or a function."""
    terminal = sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    if callable(progress):
        yield progress
    elif progress is False:
        yield None
    elif _in_notebook():
        yield Notebook()
    elif progress or terminal:
        with contextlib.closing(Terminal()) as bar:
            yield bar
    else:
        yield None
