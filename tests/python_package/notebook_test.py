"""The worked notebook runs from its first cell to its last."""
import pathlib
import unittest

import nbformat
from nbclient import NotebookClient

NOTEBOOK = pathlib.Path(__file__).parents[2] / "examples" / "notebook" / "fit.ipynb"


class Notebook(unittest.TestCase):
    def test_every_cell_runs(self):
        notebook = nbformat.read(NOTEBOOK, as_version=4)
        NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
        outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
        pages = [output["data"]["text/html"] for output in outputs if "text/html" in output.get("data", {})]
        self.assertTrue(any("<svg" in page for page in pages))
        texts = [output["data"]["text/plain"] for output in outputs if "data" in output]
        self.assertTrue(texts[-1].startswith("(True,"), texts[-1])


if __name__ == "__main__":
    unittest.main()
