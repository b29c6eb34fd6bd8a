"""Folders that last as long as the process."""
import atexit
import os
import shutil
import tempfile


def _remove(folder: str, owner: int) -> None:
    if os.getpid() == owner:  # a forked process ends before its parent needs the folder
        shutil.rmtree(folder, ignore_errors=True)


def new_folder() -> str:
    """The name of a folder to create, which is removed when the process ends."""
    folder = tempfile.mkdtemp(prefix="dpvi-")
    atexit.register(_remove, folder, os.getpid())
    return os.path.join(folder, "result")
