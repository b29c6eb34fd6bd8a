"""One data set of a simulated problem: a fit by the program, scored beside the reference."""
import zlib

import numpy as np

from gaussian_dp import mu_of
from program import fit_table
from reference import measure, posterior_mode, reference_draws
from scoring import score_draws
from set_rows import averaged, failed_row, parameter_rows

DELTA = "1e-5"
# The noise of the reference is drawn this often, because its error varies more than the program
# should be blamed for.
REPEATS = 4
DRAWS = 2000


def generator(seed, name, number):
    """A generator for one data set. Its stream depends on the three arguments alone."""
    return np.random.default_rng([seed, zlib.crc32(name.encode()), number])


def reference_of(problem, data, epsilon, rng):
    """Draws of the scored parameters from the reference posterior, for each repeat."""
    mode = posterior_mode(data.likelihood, problem.prior, data.truth, data.log_scales)
    mu = mu_of(epsilon, float(DELTA))
    measurement = measure(data.likelihood, mode, mu, rng, REPEATS)
    places = [parameter.place for parameter in problem.parameters]
    return [draws[:, places]
            for draws in reference_draws(problem.prior, measurement, rng, DRAWS)]


def measure_simulated(problem, rows, epsilon, number, settings):
    """Rows of results for one data set. The same seed gives the same table at every epsilon."""
    data = problem.simulate(generator(settings.seed, f"{problem.name}/n{rows}", number), rows)
    rng = generator(settings.seed, f"{problem.name}/n{rows}/e{epsilon}", number)
    truth = data.coordinates[[parameter.place for parameter in problem.parameters]]
    try:
        references = reference_of(problem, data, epsilon, rng)
    except (RuntimeError, np.linalg.LinAlgError) as error:
        return failed_row(f"reference: {error}")
    reference = averaged([score_draws(draws, truth) for draws in references])
    if settings.self_test:
        return parameter_rows(problem.parameters, truth, {"status": "self-test"},
                              score_draws(references[0], truth), reference)
    fit = fit_table(settings.program, problem.program, data.table, problem.schema(rows),
                    ["--epsilon", f"{epsilon:g}", "--delta", DELTA])
    if fit.failure:
        return failed_row(fit.failure)
    draws = problem.extract(fit.draws, truth, problem.parameters)
    if not np.isfinite(draws).all():
        return failed_row("draws are not finite")
    return parameter_rows(problem.parameters, truth, fit.shared(), score_draws(draws, truth),
                          reference, fit.published_sds(problem.parameters))
