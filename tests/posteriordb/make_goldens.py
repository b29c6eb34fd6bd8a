#!/usr/bin/env python3
"""Writes NAME.json beside every NAME.stan: densities computed by Stan at a few points.

    make_goldens.py SHARED [NAME...]

SHARED is the folder with posteriordb/ and tools/stan-oracle/. For every point each file holds
`theta`, and `lp` and `grad` with all constants and the Jacobian. They are given for the program on
no record (`prior`), on each of the first few records minus the prior (`records`), and on all
records (`lp`, `grad`).
"""
import json
import pathlib
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
FOLDERS = {
    "sblri_blr": "sblri-blr",
    "kidiq_momhsiq": "kidiq-kidscore_momhsiq",
    "nes1972": "nes1972-nes",
    "earn_height": "earnings-earn_height",
    "low_dim_gauss_mix": "low_dim_gauss_mix-low_dim_gauss_mix",
    "wells_dist100ars": "wells_dist100ars",
}
# Unconstrained points: two arbitrary ones and one near the posterior mean.
POINTS = {
    "sblri_blr": [[.3, -.2, .5, 1.1, -.7, .4], [-1, 2, .25, .1, .6, -1.2], [1, 1, 1, 1, 1, -.04]],
    "kidiq_momhsiq": [[20, 3, .4, 2.5], [-1.5, .7, 1.1, 3.4], [25.8, 6, .563, 2.898]],
    "nes1972": [[1, .5, -1, .2, -.1, .3, .25, .1, .15, .6],
                [-.4, .1, .3, -.6, .8, -.2, 0, .5, -.3, -.2],
                [1.77, .484, -1.107, -.188, -.05, .5, .3, 0, .15, .63]],
    "earn_height": [[-60000, 1250, 9.8], [150, -.5, 10.4], [-61285, 1261.8, 9.846]],
    "low_dim_gauss_mix": [[-1, .8, .3, -.4, .2], [.5, -1.5, -.7, .9, -1.1],
                          [-2.7335, 1.723, .0277, .0235, .5]],
    "wells_dist100ars": [[.4, -.3, .2], [-1.7, 2.1, -.6], [.0014, -.8983, .462]],
}
RECORDS = 3


def taken(data, start, stop):
    """Returns the data with records start..stop-1 only."""
    count = data["N"]
    part = {name: value[start:stop] if isinstance(value, list) and len(value) == count else value
            for name, value in data.items()}
    part["N"] = stop - start
    return part


def densities(shared, program, data, points):
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder) / name for name in ("data.json", "points.json")]
        for file, content in zip(files, (data, points)):
            file.write_text(json.dumps(content))
        done = subprocess.run([shared / "tools/stan-oracle/stan-oracle", program, files[0],
                               "--points", files[1], "--no-constrained"],
                              capture_output=True, text=True, check=True)
    return [{"lp": point["lp"], "grad": point["grad"]} for point in json.loads(done.stdout)["points"]]


def difference(a, b):
    return {"lp": a["lp"] - b["lp"], "grad": [x - y for x, y in zip(a["grad"], b["grad"])]}


def goldens(shared, name):
    data = json.loads((shared / "posteriordb" / FOLDERS[name] / "data.json").read_text())
    program, points = HERE / f"{name}.stan", POINTS[name]
    prior = densities(shared, program, taken(data, 0, 0), points)
    whole = densities(shared, program, data, points)
    ones = [densities(shared, program, taken(data, i, i + 1), points) for i in range(RECORDS)]
    return [{"theta": points[p], "prior": prior[p],
             "records": [difference(one[p], prior[p]) for one in ones], **whole[p]}
            for p in range(len(points))]


def main():
    shared = pathlib.Path(sys.argv[1]).resolve()
    for name in sys.argv[2:] or FOLDERS:
        result = {"data": f"posteriordb/{FOLDERS[name]}/data.json", "points": goldens(shared, name)}
        (HERE / f"{name}.json").write_text(json.dumps(result, indent=1) + "\n")
        print(name)


main()
