"""The result of a fit."""
import html
import io
import json
import os
import pathlib
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, overload

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._folders import new_folder
from ._tables import as_rows, like
from ._texts import texts_of
from ._types import Path, Table

if TYPE_CHECKING:
    import pandas
    import xarray


class Fit:
    """A posterior that may be published, with its privacy statement.

    All of it comes from the files of a bundle, which `save` copies and `dpvi.load` opens.
    """

    def __init__(self, path: Path) -> None:
        self.path = os.fspath(path)
        self._bundle = _core.load(self.path)
        self._facts = self._bundle.facts()

    @property
    def private(self) -> bool:
        """False for a fit without protection, which must not be published."""
        return bool(self._facts["private"])

    @property
    def epsilon(self) -> float | None:
        """ε of the fit; None without protection."""
        epsilon: float | None = self._facts["epsilon"]
        return epsilon

    @property
    def delta(self) -> float | None:
        delta: float | None = self._facts["delta"]
        return delta

    @property
    def status(self) -> str:
        """ok, weak, biased or failed; `reasons` and `advice` say why and what to do."""
        return str(self._facts["status"])

    @property
    def reasons(self) -> list[Any]:
        return list(self._facts["reasons"])

    @property
    def advice(self) -> list[str]:
        return list(self._facts["advice"])

    def _text(self, name: str) -> str:
        return _core.read_text(os.path.join(self.path, name))

    @property
    def statement(self) -> dict[str, Any]:
        """The privacy statement, as a dict. `statement_text` is the document to file."""
        statement: dict[str, Any] = json.loads(self._text("statement.json"))
        return statement

    @property
    def statement_text(self) -> str:
        return self._text("statement.md")

    @property
    def program(self) -> str:
        """The Stan program."""
        return self._text("model.stan")

    def summary(self) -> "pandas.DataFrame":
        """Mean, sd and quantiles by parameter. `sd` includes model and privacy uncertainty."""
        columns = self._bundle.summary()
        table = like(None, columns)
        return table.set_index("variable") if hasattr(table, "set_index") else table

    @property
    def variables(self) -> list[str]:
        return list(self._bundle.draws())

    @overload
    def draws(self, name: str) -> NDArray[np.float64]: ...

    @overload
    def draws(self, name: None = None) -> dict[str, NDArray[np.float64]]: ...

    def draws(self, name: str | None = None) -> NDArray[np.float64] | dict[str, NDArray[np.float64]]:
        """Draws of one variable as an array (draw, then its dimensions), or a dict of all."""
        arrays = {key: array.reshape(-1, *array.shape[2:]) for key, array in self._bundle.draws().items()}
        if name is None:
            return arrays
        if name not in arrays:
            raise KeyError(f"no variable {name!r}; the fit has {', '.join(arrays)}")
        return arrays[name]

    def _labels(self) -> tuple[dict[str, list[str]], dict[str, list[Any]]]:
        """Dimensions and coordinates of the variables, with the levels of categories as coordinates."""
        names = self._bundle.level_names()
        dims: dict[str, list[str]] = {}
        coords: dict[str, list[Any]] = {}
        for variable, array in self._bundle.draws().items():
            dims[variable] = []
            levels_of = names.get(variable, [])
            for i, size in enumerate(array.shape[2:]):
                levels = levels_of[i] if i < len(levels_of) and len(levels_of[i]) == size else None
                dimension = f"{variable}_dim_{i}"
                coords[dimension] = levels or list(range(1, size + 1))
                dims[variable].append(dimension)
        return dims, coords

    def to_inference_data(self) -> Any:
        """An ArviZ InferenceData (ArviZ before 1.0), with level names as coordinates."""
        import arviz

        if not hasattr(arviz, "InferenceData"):
            raise ImportError(f"ArviZ {arviz.__version__} has no InferenceData; use to_datatree()")
        dims, coords = self._labels()
        return arviz.from_dict(posterior=self._bundle.draws(), dims=dims, coords=coords,
                               posterior_attrs=self._attributes())

    def to_datatree(self) -> "xarray.DataTree":
        """An xarray DataTree, as ArviZ 1.x uses it, with level names as coordinates."""
        import xarray

        dims, coords = self._labels()
        arrays = self._bundle.draws()
        chains, draws = next(iter(arrays.values())).shape[:2]
        dataset = xarray.Dataset(
            {name: (["chain", "draw", *dims[name]], array) for name, array in arrays.items()},
            coords={"chain": range(chains), "draw": range(draws), **coords}, attrs=self._attributes())
        return xarray.DataTree.from_dict({"/posterior": dataset})

    def _attributes(self) -> dict[str, Any]:
        facts: dict[str, Any] = {"inference_library": "dpvi", "dp_private": str(self.private).lower()}
        if self.private:
            facts.update(dp_epsilon=self.epsilon, dp_delta=self.delta,
                         dp_adjacency=self._facts["adjacency"])
        if self.status:
            facts["dp_status"] = self.status
        return facts

    def predict(self, new: Table, *, quantities: str | Iterable[str] = (), outcome: str = "", score: bool = False,
                draws: int = 1000, seed: int = 1) -> Any:
        """Predictions for new rows: mean and 90 % interval of the program's generated quantities, or of
        an outcome. Of a formula, `expected` is the mean of the outcome and `NAME_rep` a draw of it; if it
        has levels or is 0 or 1, the default is the probability of each value.
        `score=True` adds scores as `attrs["scores"]`; it declares the rows public."""
        quantities = [quantities] if isinstance(quantities, str) else list(quantities)
        options = texts_of({"outcome": outcome, "score": score, "draws": draws, "seed": seed})
        predicted = self._bundle.predict(as_rows(new), quantities, options)
        table = like(new, predicted["table"])
        if "scores" in predicted and hasattr(table, "attrs"):
            table.attrs["scores"] = predicted["scores"]
        return table

    def synth(self, n: int | None = None, *, covariates: Table | None = None, datasets: int = 1,
              seed: int = 1) -> Any:
        """A synthetic table of `n` rows, or a list of several. Needs pandas. `covariates` are public rows
        to draw outcomes for."""
        import pandas

        options = texts_of({"n": n, "datasets": datasets, "seed": seed})
        texts = self._bundle.synth(None if covariates is None else as_rows(covariates), options)
        tables = [pandas.read_csv(io.StringIO(text)) for text in texts]
        return tables[0] if datasets == 1 else tables

    def report(self, path: Path | None = None) -> str:
        """The report as one page of HTML, or written to a new file."""
        page = _core.report(self.path)
        if path is None:
            return page
        _core.write_file(os.fspath(path), page)
        return os.fspath(path)

    def save(self, path: Path) -> str:
        """Copies the bundle to a new folder, completely or not at all."""
        _core.copy_bundle(self.path, os.fspath(path))
        return os.fspath(path)

    def __getstate__(self) -> dict[str, bytes]:
        """The files of the bundle: a pickled Fit does not need its folder."""
        return {entry.name: pathlib.Path(entry.path).read_bytes()
                for entry in os.scandir(self.path) if entry.is_file()}

    def __setstate__(self, files: dict[str, bytes]) -> None:
        path = new_folder()
        os.mkdir(path)
        for name, content in files.items():
            (pathlib.Path(path) / os.path.basename(name)).write_bytes(content)
        Fit.__init__(self, path)

    def _head(self) -> str:
        if not self.private:
            return "NOT PRIVATE: made without protection, must not be published"
        return f"Private: epsilon {self.epsilon:.4g}, delta {self.delta:.3g}, {self._facts['adjacency']}"

    def __repr__(self) -> str:
        status = f", status {self.status}" if self.status else ""
        return f"<dpvi.Fit: {self._head()}{status}, {len(self.variables)} variables>"

    def _repr_html_(self) -> str:
        columns = self._bundle.summary()
        names = columns.pop("variable")
        head = "".join(f"<th>{html.escape(name)}</th>" for name in ["", *columns])
        rows = "".join(
            f"<tr><th>{html.escape(name)}</th>"
            + "".join(f"<td>{values[i]:.4g}</td>" for values in columns.values()) + "</tr>"
            for i, name in enumerate(names[:60]))
        more = f"<p>and {len(names) - 60} more</p>" if len(names) > 60 else ""
        advice = "".join(f"<li>{html.escape(sentence)}</li>" for sentence in self.advice)
        return (f"<div><p><b>{html.escape(self._head())}</b>. Status: {html.escape(str(self.status))}</p>"
                f"{f'<ul>{advice}</ul>' if advice else ''}<table><thead><tr>{head}</tr></thead>"
                f"<tbody>{rows}</tbody></table>{more}{self._bundle.forest()}</div>")
