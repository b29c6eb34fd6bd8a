"""The problems of the experiment by family, and those for tuning."""
from difficult_columns import heavy_tailed, rare_outcome
from formula_hierarchy import FormulaHierarchy
from hierarchies import logistic_groups, normal_groups, varying_slopes
from mixtures import in_plane, on_line
from regressions import linear, logistic, negative_binomial, ordinal, poisson, weibull

FORMS = ("centred", "noncentred")


def regressions():
    return [linear().problem("linear"), logistic().problem("logistic"),
            poisson().problem("poisson"), negative_binomial().problem("negative-binomial"),
            ordinal().problem("ordinal"), weibull().problem("weibull")]


def hierarchies():
    found = []
    for form in FORMS:
        found += [normal_groups(form, 20).problem(f"normal-groups-20-{form}"),
                  normal_groups(form, 200).problem(f"normal-groups-200-{form}"),
                  logistic_groups(form, 20).problem(f"logistic-groups-20-{form}"),
                  varying_slopes(form, 20).problem(f"slopes-20-{form}")]
    return found + [FormulaHierarchy(20).problem("formula-groups-20")]


def mixtures():
    return [on_line(3, 6).problem("mixture-2-one-sided"),
            on_line(3, 5.2).problem("mixture-2-overlapping"),
            on_line(-1.5, 1.5).problem("mixture-2-symmetric"),
            on_line(1, 4.2, 7.5).problem("mixture-3-one-sided"),
            on_line(1, 3.2, 5.4).problem("mixture-3-overlapping"),
            on_line(-3, 0, 3).problem("mixture-3-symmetric"),
            in_plane((2, 2), (5, 4)).problem("mixture-plane-2-one-sided"),
            in_plane((2, 2), (3.8, 3)).problem("mixture-plane-2-overlapping"),
            in_plane((-2, 0), (2, 0)).problem("mixture-plane-2-symmetric"),
            in_plane((1, 1), (4, 2), (2, 5)).problem("mixture-plane-3-one-sided"),
            in_plane((1, 1), (3, 1), (2, 3)).problem("mixture-plane-3-overlapping"),
            in_plane((-3, -2), (0, 3), (3, -2)).problem("mixture-plane-3-symmetric")]


def difficult():
    return [rare_outcome(.01).problem("rare-1-percent"),
            rare_outcome(.002).problem("rare-0.2-percent"),
            *(heavy_tailed(regression, columns).problem(f"{regression}-{columns}")
              for regression in ("linear", "logistic") for columns in ("t2", "lognormal"))]


def tuning():
    """Other dimensions, correlations, groups and locations than the reported problems have."""
    return [linear(6).problem("tuning-linear"), logistic(6, .3).problem("tuning-logistic"),
            poisson(3).problem("tuning-poisson"),
            negative_binomial(3).problem("tuning-negative-binomial"),
            ordinal(3).problem("tuning-ordinal"), weibull(3).problem("tuning-weibull"),
            *(normal_groups(form, 40).problem(f"tuning-normal-groups-40-{form}")
              for form in FORMS),
            *(logistic_groups(form, 10).problem(f"tuning-logistic-groups-10-{form}")
              for form in FORMS),
            *(varying_slopes(form, 12).problem(f"tuning-slopes-12-{form}") for form in FORMS),
            FormulaHierarchy(12).problem("tuning-formula-groups-12"),
            on_line(2, 4.7).problem("tuning-mixture-2"),
            on_line(-5, -2, 1.5).problem("tuning-mixture-3"),
            in_plane((-1, 2), (1, 5)).problem("tuning-mixture-plane-2"),
            rare_outcome(.005).problem("tuning-rare-0.5-percent")]
