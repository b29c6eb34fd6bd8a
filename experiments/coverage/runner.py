"""Runs the data sets of cells until their coverage is known well enough."""
import concurrent.futures
import multiprocessing
import sys
import time

import pandas

from cells import all_cells
from results import cell_results, more_sets_needed
from table_sources import MissingTable

LEAST_SETS = 20
BATCH = 20


def say(text):
    print(text, file=sys.stderr, flush=True)


def _measure(cell_name, number, settings):
    """Runs in a worker process. Cells are looked up by name there, since they hold functions."""
    return number, all_cells()[cell_name].measure(number, settings)


class Runner:
    """most_sets limits the data sets of a cell; no data set starts after the deadline."""

    def __init__(self, store, jobs, most_sets, minutes=None):
        self.store, self.most_sets, self.jobs = store, most_sets, jobs
        self.deadline = None if minutes is None else time.monotonic() + 60 * minutes

    def run(self, cells):
        """Runs the cells and writes results.csv after each. Returns the table of all cells."""
        context = multiprocessing.get_context("fork")
        results = self._stored_results()
        with concurrent.futures.ProcessPoolExecutor(self.jobs, context) as pool:
            try:
                for cell in cells:
                    if self._late():
                        say("the time limit is reached: later cells have not run")
                        break
                    try:
                        cell.prepare()
                    except MissingTable as error:
                        say(f"{cell.name}: left out: {error}")
                        continue
                    results[cell.name] = self._run_cell(pool, cell)
                    self._write(results)
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        return self._write(results)

    def _stored_results(self):
        known = all_cells()
        return {name: cell_results(known[name], self.store.rows(name))
                for name in self.store.cell_names() if name in known}

    def _write(self, results):
        order = [name for name in all_cells() if name in results and len(results[name])]
        table = pandas.concat([results[name] for name in order]) if order else pandas.DataFrame()
        self.store.write_table("results.csv", table)
        return table

    def _late(self):
        return self.deadline is not None and time.monotonic() > self.deadline

    def _wanted(self, rows, finished):
        """Numbers of the data sets of the next batch."""
        if len(finished) < LEAST_SETS:
            wanted = LEAST_SETS
        else:
            wanted = min(more_sets_needed(rows), len(finished) + BATCH)
        return [number for number in range(min(wanted, self.most_sets)) if number not in finished]

    def _run_cell(self, pool, cell):
        while True:
            rows, finished = self.store.rows(cell.name), self.store.finished(cell.name)
            table = cell_results(cell, rows)
            if finished:
                say(_progress(cell, len(finished), table, rows))
            numbers = self._wanted(rows, finished)
            if not numbers or self._late():
                return table
            self._run_batch(pool, cell, numbers)

    def _run_batch(self, pool, cell, numbers):
        running = [pool.submit(_measure, cell.name, number, self.store.settings)
                   for number in numbers]
        for done in concurrent.futures.as_completed(running):
            if done.cancelled():
                continue
            number, rows = done.result()
            self.store.save(cell.name, number, rows)
            if self._late():
                for each in running:
                    each.cancel()


def _progress(cell, sets, table, rows):
    if not len(table):
        return f"{cell.name}: {sets} sets, none with a result: {rows['status'].iloc[0]}"
    blocks = ", ".join(f"{row.block} {row.coverage:.2f} +- {row.coverage_se:.3f}"
                       for row in table.itertuples())
    return f"{cell.name}: {sets} sets, coverage {blocks}"
