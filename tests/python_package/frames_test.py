"""The same records as a CSV file and as data frames of every kind give the same draws, bit for bit."""
import datetime
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa

import dpvi
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
    yield "polars", pl.DataFrame(data)
    yield "polars categorical", pl.DataFrame(data).with_columns(pl.col("ward").cast(pl.Categorical))
    yield "duckdb", duckdb.sql("select age, ward, died from table_of_records",
                               connection=connection(table))
    yield "a column that is not used", table.append_column(
        "unused", pa.array([[1]] * table.num_rows, pa.list_(pa.int8())))
    yield "NumPy", {"age": np.array([np.nan if x is None else x for x in data["age"]]),
                    "ward": np.array(data["ward"], object),
                    "died": np.array([np.nan if x is None else x for x in data["died"]])}


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
        self.assertGreaterEqual(len(done.stdout.splitlines()), 24)

    def test_types_that_cannot_be_read_are_refused_without_a_cell(self):
        import decimal
        for name, values in (("decimals", [decimal.Decimal("17.25")] * 3),
                             ("dates", [datetime.date(2024, 2, 29)] * 3)):
            table = pa.table({"age": pa.array(values), "ward": WARDS, "died": [0, 1, 0]})
            with self.subTest(name), self.assertRaises(dpvi.InputError) as caught:
                dpvi.fit(table, PROGRAM, **KNOBS)
            self.assertEqual(caught.exception.code, "DP340")
            self.assertIn(name, str(caught.exception))

    def test_what_a_library_says_about_cells_is_not_repeated(self):
        frame = pd.DataFrame({"age": [1, "Ann Smith", 2.5], "ward": WARDS, "died": [0, 1, 0]})
        try:
            frame.__arrow_c_stream__()
        except Exception as error:
            self.assertIn("Ann", str(error))
        else:
            self.skipTest("this pandas hands over columns of mixed types")
        with self.assertRaises(dpvi.InputError) as caught:
            dpvi.fit(frame, PROGRAM, **KNOBS)
        self.assertEqual(caught.exception.code, "DP327")
        self.assertNotIn("Ann", repr(caught.exception))
        self.assertIsNone(caught.exception.__context__)

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
