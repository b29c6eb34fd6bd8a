"""Tests that ArviZ, xarray and the netCDF library read posterior.nc, which dpvi writes by itself.

The library, in the package netCDF4, is the one that ncdump and R's ncdf4 use too."""
import math
import os
import pathlib
import subprocess
import tempfile
import unittest
import warnings

with warnings.catch_warnings():
    warnings.simplefilter("ignore")  # ArviZ announces its next version
    import arviz
import h5netcdf
import h5py
import netCDF4
import numpy as np
import xarray

from stan_csv_test import COLUMNS, DRAWS, SHAPES, value


class ReadByArviz(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.place = pathlib.Path(folder.name)
        subprocess.run([os.environ["DPVI_WRITE_EXAMPLE_BUNDLES"], cls.place], check=True)

    def test_every_value_is_where_stan_has_it(self):
        posterior = arviz.from_netcdf(self.place / "mean_field" / "posterior.nc").posterior
        self.assertEqual(set(posterior.data_vars), set(SHAPES))
        column = 0
        for name, shape in SHAPES.items():
            found = posterior[name].values
            self.assertEqual(found.shape, (1, DRAWS) + shape)
            # In the columns of draws.csv the first index varies fastest.
            flat = found.reshape((DRAWS,) + shape).reshape((DRAWS, -1), order="F")
            for draw in range(DRAWS):
                for place, number in enumerate(flat[draw]):
                    self.assertEqual(number, value(draw, column + place), name)
            column += flat.shape[1]
        self.assertEqual(column, COLUMNS)

    def test_status_and_both_parts_of_the_uncertainty_are_attributes(self):
        with xarray.open_dataset(self.place / "mean_field" / "posterior.nc",
                                 group="posterior") as posterior:
            self.assertEqual(posterior.attrs["dp_status"], "weak")
            self.assertIn("R-hat", posterior.attrs["dp_draws"])
            column = 0
            for name, shape in SHAPES.items():
                size = math.prod(shape)
                # In the columns of draws.csv the first index varies fastest, here the last does.
                columns = column + np.arange(size).reshape(shape, order="F").ravel()
                np.testing.assert_array_equal(posterior[name].attrs["sd_model"], columns + .5)
                np.testing.assert_array_equal(posterior[name].attrs["sd_privacy"], columns + .25)
                column += size

    def test_chains_keep_their_dimension_and_statistics(self):
        data = arviz.from_netcdf(self.place / "sampled" / "posterior.nc")
        self.assertEqual(data.posterior["alpha"].dims, ("chain", "draw"))
        self.assertEqual(data.posterior["Sigma"].shape, (2, DRAWS // 2, 2, 3))
        np.testing.assert_array_equal(
            data.posterior["alpha"].values.ravel(), [value(i, 0) for i in range(DRAWS)])
        stats = data.sample_stats
        self.assertEqual(set(stats.data_vars), {
            "lp", "acceptance_rate", "step_size", "tree_depth", "n_steps", "energy", "diverging"})
        np.testing.assert_array_equal(stats["lp"].values.ravel(), -np.arange(DRAWS) - .25)
        self.assertEqual(stats["diverging"].dtype, bool)
        self.assertEqual(np.flatnonzero(stats["diverging"].values.ravel()).tolist(), [3])
        self.assertEqual(stats["n_steps"].values[1, 0], 21)
        self.assertTrue(np.issubdtype(stats["tree_depth"].dtype, np.integer))
        self.assertIn("Markov chains", data.posterior.attrs["dp_draws"])
        self.assertIn("r_hat", arviz.summary(data, kind="diagnostics").columns)

    def test_its_summary_is_ours(self):
        summary = arviz.summary(arviz.from_netcdf(self.place / "mean_field" / "posterior.nc"),
                                kind="stats", round_to=6)
        self.assertAlmostEqual(summary.loc["beta[1]", "mean"], 2019.625)

    def test_xarray_opens_it_and_finds_the_privacy_facts(self):
        with xarray.open_datatree(self.place / "mean_field" / "posterior.nc") as tree:
            facts = tree["posterior"].attrs
            self.assertEqual((facts["dp_private"], facts["dp_adjacency"]), ("true", "substitute"))
            self.assertEqual((facts["dp_epsilon"], facts["dp_delta"]), (1 / 3, 1e-6))
            self.assertEqual(facts["inference_library"], "dpvi")
        with xarray.open_dataset(self.place / "not_private" / "posterior.nc",
                                 group="posterior") as posterior:
            self.assertEqual(posterior.attrs["dp_private"], "false")
            self.assertNotIn("dp_epsilon", posterior.attrs)
            self.assertEqual(posterior.sizes["draw"], DRAWS)

    def test_levels_chains_and_draws_are_coordinates(self):
        posterior = arviz.from_netcdf(self.place / "named" / "posterior.nc").posterior
        self.assertEqual(posterior["effect_dim_0"].values.tolist(),
                         ["surgical", "日本語", 'A & B "x"', ""])
        self.assertEqual(posterior["table_dim_1"].values.tolist(), ["low", "high"])
        self.assertNotIn("table_dim_0", posterior.coords)  # its places are only numbers
        self.assertNotIn("short_dim_0", posterior.coords)  # its names are too few
        self.assertEqual(posterior["many_dim_0"].values.tolist(),
                         [f"level {i}" for i in range(5000)])
        self.assertEqual(posterior["chain"].values.tolist(), [0])
        self.assertEqual(posterior["draw"].values.tolist(), list(range(posterior.sizes["draw"])))
        found = posterior["effect"].sel(effect_dim_0="日本語").values
        np.testing.assert_array_equal(found, posterior["effect"].values[:, :, 1])
        self.assertIn("effect[surgical]", arviz.summary(posterior, var_names="effect").index)

    def test_both_libraries_find_the_same_content(self):
        for bundle in ("mean_field", "sampled", "not_private", "one_draw", "wide", "named"):
            file = self.place / bundle / "posterior.nc"
            with (xarray.open_datatree(file, engine="netcdf4") as one,
                  xarray.open_datatree(file, engine="h5netcdf") as other):
                self.assertTrue(one.identical(other), bundle)

    def test_infinite_and_missing_numbers_are_kept(self):
        with netCDF4.Dataset(self.place / "diverged" / "posterior.nc") as file:
            file.set_auto_mask(False)
            self.assertTrue(math.isnan(file["posterior/alpha"][0, 3]))
            self.assertEqual(file["posterior/beta"][0, 3, 0], math.inf)

    def test_dimensions_are_known_from_both_sides(self):
        with h5py.File(self.place / "sampled" / "posterior.nc") as file:
            group = file["posterior"]
            for name, dimension, place in (("alpha", "draw", 1), ("Sigma", "Sigma_dim_1", 3)):
                self.assertEqual(group[name].dims[place][0], group[dimension])
                uses = [(file[reference], index) for reference, index
                        in group[dimension].attrs["REFERENCE_LIST"]]
                self.assertIn((group[name], place), uses)

    def check_limits(self, open_group, attribute):
        posterior = open_group("posterior")
        self.assertEqual(posterior["chain"].shape, (1, 4))
        self.assertEqual(posterior["draw"].shape, (1, 4, 2))
        self.assertEqual(posterior["beta_dim_0"].shape, (1, 4))
        self.assertEqual(posterior["huge"].shape, (1, 4, 90, 100))
        self.assertEqual(attribute(posterior["v1499"], "sd_model"), .2)
        np.testing.assert_array_equal(open_group("sd_privacy")["huge"][:], np.full((90, 100), .1))
        draw, column = 3, 1 + 2 + 1 + 3 + 90 * 100 + 1499
        self.assertAlmostEqual(float(posterior["v1499"][0, draw, 0]),
                               math.sin(column / 300) + .3 * math.sin(37 * draw + column), 12)

    def test_clashing_names_large_variables_and_many_variables_are_read(self):
        path = self.place / "netcdf_limits" / "posterior.nc"
        with netCDF4.Dataset(path) as file:
            self.check_limits(lambda name: file[name], lambda variable, name: variable.getncattr(name))
        with h5netcdf.File(path) as file:
            self.check_limits(lambda name: file[name], lambda variable, name: variable.attrs[name])


if __name__ == "__main__":
    unittest.main()
