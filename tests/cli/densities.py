"""Densities and integrals that tests of `dpvi check` compare with."""
import math

LOG_TWO_PI = math.log(2 * math.pi)


def normal(x, mean, sd):
    return -0.5 * LOG_TWO_PI - math.log(sd) - 0.5 * ((x - mean) / sd) ** 2


def log_integral(f, low, high, steps=6000):
    """The log of the integral of exp(f), by the trapezium rule on a fine grid."""
    width = (high - low) / steps
    values = [f(low + i * width) for i in range(steps + 1)]
    top = max(values)
    return top + math.log(width * sum(math.exp(value - top) for value in values))


def log_logistic(x):
    return -math.log1p(math.exp(-x)) if x > 0 else x - math.log1p(math.exp(x))


def log_multi_normal(y, covariance):
    """With mean zero, by a Cholesky factorisation."""
    factor, total = [], -0.5 * len(y) * LOG_TWO_PI
    white = []
    for i, row in enumerate(covariance):
        own = []
        for j in range(i + 1):
            rest = row[j] - sum(a * b for a, b in zip(own, factor[j] if j < i else own))
            own.append(math.sqrt(rest) if j == i else rest / factor[j][j])
        factor.append(own)
        white.append((y[i] - sum(a * b for a, b in zip(own, white))) / own[i])
        total -= math.log(own[i]) + 0.5 * white[i] ** 2
    return total
