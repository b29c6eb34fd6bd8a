"""The same records as a CSV file and as data frames of every kind give the same draws, bit for bit."""
import datetime
import decimal
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
import warnings

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet

import dpvi
from dpvi._cells import text_of_cell
from examples import KNOBS, PROGRAM, SCHEMA, WARDS, columns, csv_of


def arrow(**types):
    data = columns()
    arrays = {name: pa.array(values, types.get(name)) for name, values in data.items()}
    return pa.table(arrays)


def pandas_frame(**types):
    frame = pd.DataFrame(columns())
    return frame.astype({"died": "Int64", **types})


def frames():
    """Named tables that hold the same records."""
    data = columns()
    table = arrow()
    yield "pyarrow", table
    yield "several batches", pa.concat_tables([table.slice(0, 7), table.slice(7, 0), table.slice(7)])
    yield "a slice", pa.concat_tables([table.slice(0, 3), table]).combine_chunks().slice(3)
    for name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool_"):
        values = data["died"] if name != "bool_" else [None if x is None else bool(x) for x in data["died"]]
        yield name, table.set_column(2, "died", pa.array(values, getattr(pa, name)()))
    yield "float32", arrow(age=pa.float32())
    yield "large strings", arrow(ward=pa.large_string())
    yield "string views", arrow(ward=pa.string_view())
    yield "a dictionary", table.set_column(1, "ward", table["ward"].dictionary_encode())
    yield "pandas", pandas_frame()
    yield "pandas categorical", pandas_frame(ward="category")
    yield "pandas nullable", pandas_frame().convert_dtypes()
    yield "pandas with floats for codes", pd.DataFrame(data)
    yield "pandas with objects", pandas_frame().astype(object)
    yield "pandas with Booleans as objects", pandas_frame(
        died="object").replace({"died": {0: False, 1: True}})
    yield "pandas with an index by name", pandas_frame().set_index(["ward", "died"])
    yield "pandas with rows that were chosen", pd.concat(
        [pandas_frame(), pandas_frame()])[[True] * 400 + [False] * 400].sort_index(kind="stable")
    yield "pandas with sparse codes", pd.DataFrame(data).astype({"died": pd.SparseDtype(float)})
    yield "pandas with names that are no texts", pandas_frame().assign(**{"x": 1}).rename(columns={"x": 7})
    yield "columns in another order", pandas_frame()[["died", "ward", "age"]]
    yield "polars", pl.DataFrame(data)
    yield "polars categorical", pl.DataFrame(data).with_columns(pl.col("ward").cast(pl.Categorical))
    yield "duckdb", duckdb.sql("select age, ward, died from table_of_records",
                               connection=connection(table))
    yield "decimals", table.set_column(
        2, "died", pa.array([None if x is None else decimal.Decimal(x) for x in data["died"]],
                            pa.decimal128(12, 2)))
    yield "duckdb with decimals", duckdb.sql(
        "select age, ward, died::decimal(4, 1) as died from table_of_records", connection=connection(table))
    yield "Parquet", stored(table, pyarrow.parquet.write_table, pyarrow.parquet.read_table)
    yield "Feather", stored(table, pyarrow.feather.write_feather, pyarrow.feather.read_table)
    yield "a column that is not used", table.append_column(
        "unused", pa.array([[1]] * table.num_rows, pa.list_(pa.int8())))
    yield "NumPy", {"age": np.array([np.nan if x is None else x for x in data["age"]]),
                    "ward": np.array(data["ward"], object),
                    "died": np.array([np.nan if x is None else x for x in data["died"]])}
    yield "lists", data
    yield "a dict of pandas columns", dict(pandas_frame(ward="category").items())
    yield "a dict of polars columns", {name: pl.Series(values) for name, values in data.items()}
    yield "a structured array", pd.DataFrame(data).to_records(index=False)


def stored(table, write, read):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "records")
        write(table, path)
        return read(path, memory_map=False)


def connection(table):
    made = duckdb.connect()
    made.register("table_of_records", table)
    return made


class Frames(unittest.TestCase):
    def test_the_same_records_give_the_same_draws(self):
        """Runs itself again with a fixed key: the process must load that library first."""
        library = os.environ["DPVI_FIXED_ENTROPY"]
        done = subprocess.run([sys.executable, __file__], env=dict(os.environ, LD_PRELOAD=library),
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertGreaterEqual(len(done.stdout.splitlines()), 35)

    def test_types_that_cannot_be_read_are_refused_without_a_cell(self):
        wide = pa.array([decimal.Decimal("17.25")] * 3, pa.decimal256(50, 2))
        for name, values in (("decimals", wide), ("dates", [datetime.date(2024, 2, 29)] * 3)):
            table = pa.table({"age": pa.array(values), "ward": WARDS, "died": [0, 1, 0]})
            with self.subTest(name), self.assertRaises(dpvi.InputError) as caught:
                dpvi.fit(table, PROGRAM, **KNOBS)
            self.assertEqual(caught.exception.code, "DP340")
            self.assertIn(name, str(caught.exception))

    def test_objects_are_never_refused_for_what_they_are(self):
        class Odd:
            def __eq__(self, other):
                raise RuntimeError("Ann Smith")

        cells = [1, "Ann Smith", 2.5, None, float("nan"), pd.NA, pd.NaT, Odd(), [1, 2], b"x", "\ud800", 10**30,
                 decimal.Decimal("sNaN"), datetime.date(2024, 2, 29), True]
        array = np.empty(len(cells), object)
        array[:] = cells
        ward, died = np.array(["north"] * len(cells)), np.zeros(len(cells), int)
        for data in ({"age": array, "ward": ward, "died": died},
                     pd.DataFrame({"age": pd.Series(cells, dtype=object), "ward": ward, "died": died})):
            fit = dpvi.fit(data, PROGRAM, **KNOBS)
            self.assertTrue(fit.private)
            found = dpvi.Schema(SCHEMA).inspect(data).set_index("column")
            self.assertEqual(found.loc["age", "usable"], 4)  # 1, 2.5, 10**30 and True
            self.assertEqual(found.loc["age", "missing"], 8)

    def test_objects_become_the_texts_of_a_csv_file(self):
        utc = datetime.timezone.utc
        for cell, text in ((datetime.date(2024, 2, 29), "2024-02-29"), (False, "0"), (np.float64(0.1), "0.1"),
                           (datetime.datetime(2024, 2, 29, 8, tzinfo=utc), "2024-02-29 08:00:00"),
                           (pd.Timestamp("2024-02-29 08:00:00.5"), "2024-02-29 08:00:00.5"),
                           (np.datetime64("2024-02-29T08:00", "ns"), "2024-02-29 08:00:00"),
                           (np.datetime64("2024-02-29T08:00"), "2024-02-29 08:00:00"),
                           (np.datetime64("2024-02-29"), "2024-02-29"), (np.datetime64("NaT"), None)):
            self.assertEqual(text_of_cell(cell), text)

    def test_templates_of_objects_do_not_depend_on_cells(self):
        texts = [dpvi.Schema.template(pd.DataFrame({"age": pd.Series(cells, dtype=object)}))
                 for cells in ([1, 2], ["a", None], [None, None], [1, "a"])]
        self.assertEqual(len(set(texts)), 1)

    def test_what_is_no_table_is_refused_with_the_way_out(self):
        table = arrow().to_pandas()
        cases = ((pd.concat([table, table.age], axis=1), "DP324", "'age'"),
                 (pa.table([[1], [2]], names=["age", "age"]), "DP324", "'age'"),
                 (pl.DataFrame(columns()).lazy(), "DP102", ".collect()"),
                 (np.zeros((2, 3)), "DP102", "ndarray"), (None, "DP102", "NoneType"),
                 ({"age": np.zeros((2, 2))}, "DP102", "2 dimensions"),
                 ({"age": [[1], [1, 2]]}, "DP102", "'age'"),
                 ({"age": np.zeros(2, complex)}, "DP102", "complex128"),
                 ({"age": np.ma.masked_array([1.0], [True])}, "DP102", "masked"))
        for data, code, words in cases:
            with self.subTest(words), self.assertRaises(ValueError) as caught:
                dpvi.fit(data, PROGRAM, **KNOBS)
            self.assertEqual(caught.exception.code, code)
            self.assertIn(words, str(caught.exception))

    def test_names_of_pandas_are_unambiguous(self):
        table = arrow().to_pandas()
        twice = table.set_index(pd.MultiIndex.from_arrays([range(len(table))] * 2, names=["i", "i"]))
        levels = table.set_axis(pd.MultiIndex.from_product([["all"], table.columns]), axis=1)
        for data, code, words in ((twice, "DP324", "'i'"), (levels, "DP102", "2 levels of names"),
                                  (table.assign(z=table.age * 1j), "DP102", "column 'z' holds complex128")):
            with self.subTest(words), self.assertRaises(dpvi.DpviError) as caught:
                dpvi.fit(data, PROGRAM, **KNOBS)
            self.assertEqual(caught.exception.code, code)
            self.assertIn(words, str(caught.exception))
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            self.assertIn("[columns.7]", dpvi.Schema.template(pd.DataFrame({7: [1], "x": [2]})))

    def test_empty_frames_and_frames_without_usable_rows_give_the_prior(self):
        table = arrow()
        for data in (table.slice(0, 0), pd.DataFrame(columns()).iloc[:0], pl.DataFrame(columns()).head(0),
                     table.set_column(0, "age", pa.nulls(table.num_rows)),
                     pl.DataFrame({**columns(), "age": [None] * table.num_rows})):
            self.assertTrue(dpvi.fit(data, PROGRAM, **KNOBS).private)

    def test_the_frame_of_the_caller_stays_as_it_is(self):
        frame = pandas_frame().astype(object).set_index("ward")
        before = frame.copy()
        dpvi.fit(frame, PROGRAM, **KNOBS)
        pd.testing.assert_frame_equal(frame, before)

    def test_what_a_library_says_about_cells_is_not_repeated(self):
        class Failing:
            def __arrow_c_stream__(self, requested_schema=None):
                raise ValueError("cannot convert Ann Smith")

        with self.assertRaises(dpvi.InputError) as caught:
            dpvi.fit(Failing(), PROGRAM, **KNOBS)
        self.assertEqual(caught.exception.code, "DP327")
        self.assertNotIn("Ann", repr(caught.exception))
        self.assertIsNone(caught.exception.__context__)

    def test_ctrl_c_while_a_library_hands_over_is_no_mistake_of_the_frame(self):
        class Stopped:
            def __arrow_c_stream__(self, requested_schema=None):
                raise KeyboardInterrupt

        with self.assertRaises(dpvi.Interrupted) as caught:
            dpvi.fit(Stopped(), PROGRAM, **KNOBS)
        self.assertEqual(caught.exception.code, "DP501")

    def test_a_reader_that_can_be_read_once_is_not_counted_by_a_ledger(self):
        with tempfile.TemporaryDirectory() as folder:
            ledger = dpvi.Ledger.create(os.path.join(folder, "l"), epsilon=2)
            with self.assertRaises(dpvi.InputError) as caught:
                dpvi.fit(arrow().to_reader(), PROGRAM, **KNOBS, ledger=ledger)
            self.assertEqual(caught.exception.code, "DP604")
            self.assertEqual(ledger.spent, 0)

    def test_templates_have_names_and_types_only(self):
        text = dpvi.Schema.template(arrow())
        self.assertEqual(text, dpvi.Schema.template(arrow().slice(0, 0)))
        for word in ("[columns.age]", 'type = "real"', 'type = "category"', 'type = "int"'):
            self.assertIn(word, text)
        self.assertNotIn("north", text)

    def test_a_template_of_a_file_is_refused(self):
        with self.assertRaises(dpvi.UsageError):
            dpvi.Schema.template("records.csv")

    def test_inspection_counts_cells(self):
        found = dpvi.Schema(SCHEMA).inspect(pandas_frame()).set_index("column")
        self.assertEqual(found.loc["age", "missing"], 1)
        self.assertEqual(found.loc["ward", "usable"], 399)


def same_draws():
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "records.csv"
        path.write_text(csv_of(columns()))
        expected = dpvi.fit(path, PROGRAM, **KNOBS)._text("draws.csv").splitlines()
        body = [line for line in expected if not line.startswith("#")]
        for name, table in frames():
            fit = dpvi.fit(table, PROGRAM, **KNOBS)
            found = [line for line in fit._text("draws.csv").splitlines() if not line.startswith("#")]
            print(name, "same" if found == body else "OTHER DRAWS")
            if found != body:
                sys.exit(1)
        # The draws do depend on the records.
        changed = columns()
        changed["died"] = [1] * len(changed["died"])
        other = dpvi.fit(pl.DataFrame(changed), PROGRAM, **KNOBS)._text("draws.csv").splitlines()
        sys.exit(int([line for line in other if not line.startswith("#")] == body))


if __name__ == "__main__":
    same_draws()
