"""Runs one of the tree's checks on a small tree of its own and compares what it says."""
import pathlib
import subprocess
import tempfile


class SmallTrees:
    def __init__(self, tool):
        self.tool = tool

    def expect(self, name, files, code, words):
        """The check of a tree with `files` (path: text) ends with `code` and prints `words`."""
        with tempfile.TemporaryDirectory() as folder:
            for path, text in files.items():
                file = pathlib.Path(folder) / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
            done = subprocess.run([self.tool, folder], capture_output=True, text=True)
        assert done.returncode == code and words in done.stdout, (
            f"{name}: exit {done.returncode}, printed:\n{done.stdout}")
