"""Progress of a fit: a bar on a terminal or in a notebook, nothing elsewhere."""
import os
import sys


class Terminal:
    def __call__(self, done, all_):
        filled = 30 * done // max(1, all_)
        end = "\n" if done == all_ else ""
        sys.stderr.write(f"\r[{'#' * filled:<30}] step {done} of {all_}{end}")
        sys.stderr.flush()


class Notebook:
    def __init__(self):
        self._handle = None

    def __call__(self, done, all_):
        from IPython.display import HTML, display

        bar = HTML(f'<label>step {done} of {all_} <progress value="{done}" max="{all_}"></progress></label>')
        if self._handle is None:
            self._handle = display(bar, display_id=True)
        else:
            self._handle.update(bar)


def shown(progress):
    """The function to call with (done, all), or None. `progress` is True, False, None or a function."""
    if callable(progress):
        return progress
    if progress is False:
        return None
    shell = sys.modules.get("IPython")
    shell = shell.get_ipython() if shell is not None else None
    if shell is not None and shell.__class__.__name__ == "ZMQInteractiveShell":
        return Notebook()
    terminal = sys.stderr is not None and sys.stderr.isatty() and os.environ.get("TERM") != "dumb"
    return Terminal() if progress or terminal else None
