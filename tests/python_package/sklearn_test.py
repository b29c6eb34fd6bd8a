"""The estimators keep scikit-learn's contract, except where privacy forbids it.

ctest runs this file with a fixed key, so that it always gives the same result.
"""
import unittest

import numpy as np
from sklearn.model_selection import cross_val_score
from sklearn.utils.estimator_checks import check_estimator

import dpvi
from dpvi.sklearn import PrivateLinearRegression, PrivateLogisticRegression, PrivatePoissonRegression

FRESH_NOISE = "the noise is fresh in every fit, so two fits of the same rows differ"
DECLARED = "classes are declared, not learned from data, and the check uses other labels"
FEW_ROWS = "at this epsilon the check has too few rows for the accuracy that it asks for"
ROWS_ARE_SILENT = "an error that depends on the labels of rows would reveal them"
EXPECTED = {"check_fit_idempotent": FRESH_NOISE, "check_supervised_y_2d": FRESH_NOISE}
CLASSIFIER = {
    **EXPECTED,
    "check_classifiers_classes": DECLARED,
    "check_classifiers_one_label": FEW_ROWS,
    "check_classifiers_train": FEW_ROWS,
    "check_classifier_data_not_an_array": FRESH_NOISE,
    "check_classifier_not_supporting_multiclass": ROWS_ARE_SILENT,
}
REGRESSOR = {
    **EXPECTED,
    "check_regressor_data_not_an_array": FRESH_NOISE,
    "check_regressors_int": FRESH_NOISE,
}


class Contract(unittest.TestCase):
    def check(self, estimator, expected):
        results = check_estimator(estimator, expected_failed_checks=expected, on_fail=None)
        failed = [(one["check_name"], repr(one["exception"])) for one in results if one["status"] == "failed"]
        self.assertEqual(failed, [])
        self.assertGreater(sum(one["status"] == "passed" for one in results), 30)

    def test_logistic(self):
        self.check(PrivateLogisticRegression(epsilon=1, classes=[0, 1], bounds=(-5, 5), draws=100, threads=1), CLASSIFIER)

    def test_linear(self):
        self.check(PrivateLinearRegression(epsilon=1, bounds=(-5, 5), target_bounds=(-10, 10), draws=100, threads=1),
                   REGRESSOR)

    def test_poisson(self):
        self.check(PrivatePoissonRegression(epsilon=1, bounds=(-5, 5), draws=100, threads=1), REGRESSOR)


class Accuracy(unittest.TestCase):
    def setUp(self):
        generator = np.random.default_rng(5)
        self.x = generator.uniform(-2, 2, size=(6000, 2))
        self.predictor = 0.4 + self.x @ [1.0, -0.5]
        self.generator = generator

    def covers(self, intervals, truth):
        width = intervals[:, 1] - intervals[:, 0]
        self.assertTrue((np.abs(intervals.mean(axis=1) - truth) < 2 * width).all(), intervals)

    def test_coefficients_are_on_the_scale_of_the_features(self):
        y = (self.generator.random(6000) < 1 / (1 + np.exp(-self.predictor))).astype(int)
        model = PrivateLogisticRegression(epsilon=2, classes=[0, 1], bounds=(-2, 2), rows=6000, threads=1).fit(self.x, y)
        self.covers(model.intervals_, [0.4, 1.0, -0.5])
        self.assertEqual(model.predict_proba(self.x[:3]).shape, (3, 2))
        y = 10 + 3 * self.predictor + self.generator.normal(size=6000)
        model = PrivateLinearRegression(epsilon=2, bounds=(-2, 2), target_bounds=(-5, 30), rows=6000, threads=1)
        self.covers(model.fit(self.x, y).intervals_, [11.2, 3.0, -1.5])
        y = self.generator.poisson(np.exp(self.predictor))
        model = PrivatePoissonRegression(epsilon=2, bounds=(-2, 2), rows=6000, threads=1).fit(self.x, y)
        self.covers(model.intervals_, [0.4, 1.0, -0.5])

    def test_what_data_would_tell_is_asked_for(self):
        y = (self.predictor > 0).astype(int)
        for estimator in (PrivateLogisticRegression(), PrivateLogisticRegression(1), PrivateLinearRegression(1)):
            with self.assertRaises(ValueError):
                estimator.fit(self.x, y)

    def test_declarations_that_mean_nothing_are_refused_before_anything_is_spent(self):
        y = (self.predictor > 0).astype(int)
        for wrong in ({"classes": [0, 0]}, {"classes": [0, 1, 2]}, {"bounds": (-np.inf, 1)}, {"bounds": (1, 1)},
                      {"bounds": [(0, 1)] * 3}, {"prior": 0}):
            with self.subTest(wrong), self.assertRaises(ValueError):
                PrivateLogisticRegression(1, **{"classes": [0, 1], **wrong}).fit(self.x, y)
        with self.assertRaises(ValueError):
            PrivateLinearRegression(1, target_bounds=(0, np.inf)).fit(self.x, self.predictor)

    def labels(self):
        return (self.generator.random(6000) < 1 / (1 + np.exp(-2 * self.predictor))).astype(int)

    def test_labels_of_another_class_are_not_told(self):
        y = np.where(self.labels() == 1, "yes", "no").astype(object)
        y[17] = "secret"
        model = PrivateLogisticRegression(1, classes=["no", "yes"], bounds=(-2, 2), rows=6000, threads=1).fit(self.x, y)
        self.assertEqual(set(model.predict(self.x)), {"no", "yes"})

    def test_cross_validation_runs(self):
        model = PrivateLogisticRegression(1, classes=[0, 1], bounds=(-2, 2), rows=4000, threads=1)
        self.assertGreater(cross_val_score(model, self.x, self.labels(), cv=3).mean(), 0.7)


if __name__ == "__main__":
    unittest.main()
