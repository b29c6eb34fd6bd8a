"""A small program of a user, for type checkers: the lines marked as wrong are errors, and no others."""
import pathlib
import dpvi
from dpvi.sklearn import PrivateLogisticRegression

schema = dpvi.Schema({"table": {"rows": 400}})
model = dpvi.Model(pathlib.Path("m.stan"), schema=schema, public={"K": 3})
ok: bool = model.check()["ok"]
ledger = dpvi.Ledger.create("l", epsilon=2)
fit = dpvi.fit("records.csv", model, epsilon=1, ledger=ledger, steps=100, progress=False)
mean: float = float(fit.draws("mu").mean())
names: list[str] = list(fit.draws())
left: float = ledger.left
table = fit.predict({"x": [1.0]}, quantities="p")
text: str = fit.report()
try:
    dpvi.plan(model, epsilon=1)
except dpvi.BudgetError as error:
    print(error.code, error.left + 1)
estimator = PrivateLogisticRegression(1, classes=[0, 1], bounds=(-1, 1)).fit([[1.0]], [1])
print(estimator.predict_proba([[1.0]]).shape)
fit.draws(3)  # wrong
dpvi.Model(formula=1)  # wrong
dpvi.fit("records.csv", model, epsilon="1")  # wrong
