"""Tests an installed wheel: a fit, and no library from outside but those of the C library's family."""
import pathlib
import re
import sys

import numpy as np

import dpvi

y = np.random.default_rng(1).normal(3, 1, 2000)
fit = dpvi.fit({"y": y}, """
data { int<lower=0> N; vector[N] y; }
parameters { real mu; }
model { mu ~ normal(0, 10); y ~ normal(mu, 1); }
""", epsilon=1, rows=2000)
assert abs(fit.draws("mu").mean() - 3) < 0.5, fit
inside = pathlib.Path(dpvi.__file__).parent.parent
loaded = set(re.findall(r"(/\S+\.so\S*)", pathlib.Path("/proc/self/maps").read_text()))
ours = [path for path in loaded if re.search(r"/lib(crypto|fmt|sqlite3|zstd|tomlplusplus)[-.]", path)]
outside = [path for path in ours if "/dpvi.libs/" not in path]
bundled = [path for path in ours if "/dpvi.libs/" in path]
assert len(bundled) >= 4, ours
extension = pathlib.Path(dpvi._core.__file__).name
assert (".abi3." in extension) == (sys.version_info >= (3, 12)), extension
print(f"dpvi {dpvi.__version__}, Python {sys.version.split()[0]}: a fit from {inside}; {len(bundled)} libraries of the wheel"
      + (f"; also loaded by Python itself: {', '.join(sorted(outside))}" if outside else ""))
