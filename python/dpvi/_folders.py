"""Folders that last as long as the process."""
import atexit
import os
import shutil
import tempfile


def new_folder():
    """The name of a folder to create, which is removed when the process ends."""
    folder = tempfile.mkdtemp(prefix="dpvi-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return os.path.join(folder, "result")
