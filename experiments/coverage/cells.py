"""The grid: cells of a problem, a number of rows and an epsilon."""
import dataclasses
import functools

import problems
from real_tables import REAL_TABLES, measure_table
from simulated_set import measure_simulated
from wrong_facts import wrong_fact_problems


@dataclasses.dataclass(frozen=True)
class Cell:
    """rows is None for a real table, which has its own."""
    family: str
    problem: object
    rows: int | None
    epsilon: float

    @property
    def name(self):
        size = "all" if self.rows is None else f"n{self.rows}"
        return f"{self.problem.name}/{size}/e{self.epsilon:g}"

    def prepare(self):
        """Loads a real table; raises MissingTable if it is not there."""
        if self.rows is None:
            self.problem.split

    def measure(self, number, settings):
        if self.rows is None:
            return measure_table(self.problem, self.epsilon, number, settings)
        return measure_simulated(self.problem, self.rows, self.epsilon, number, settings)


def _grid(family, found, sizes, epsilons):
    return [Cell(family, problem, rows, epsilon)
            for problem in found for rows in sizes for epsilon in epsilons]


@functools.cache
def all_cells():
    """All cells by name, in the order in which they run."""
    cells = [
        *_grid("regressions", problems.regressions(), (1000, 5000, 50_000), (.1, .3, 1, 3)),
        *_grid("hierarchies", problems.hierarchies(), (1000, 5000, 50_000), (.3, 1, 3)),
        *_grid("mixtures", problems.mixtures(), (5000, 50_000), (.3, 1, 3)),
        *_grid("wrong-facts", wrong_fact_problems(), (5000,), (1,)),
        *_grid("difficult", problems.difficult(), (20_000, 200_000), (.3, 1, 3, 100)),
        *_grid("tables", REAL_TABLES, (None,), (.1, .3, 1, 3)),
        *_grid("tuning", problems.tuning(), (2000, 10_000), (.2, .6, 2)),
    ]
    return {cell.name: cell for cell in cells}
