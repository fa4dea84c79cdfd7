"""What the estimators offer beyond points and intervals: notes, tables, summaries, messages."""

import pickle
import re
import unittest
import warnings

import numpy as np
import pandas as pd
import pfnamp
import pyarrow as pa
from pfnamp import Classifier, InputError, PfnampWarning, Regressor
from sklearn.datasets import load_diabetes
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

try:
    import polars
except ModuleNotFoundError:
    polars = None

FAST = {"members": 1, "threads": 1}


class SurfaceTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.x, y = load_diabetes(return_X_y=True, as_frame=True)
        cls.y = y.to_numpy()
        cls.train = cls.x[:100], cls.y[:100]
        cls.fitted = Regressor(**FAST).fit(*cls.train)
        cls.test = cls.x[150:162]

    def test_names(self) -> None:
        names = [name for name in dir(pfnamp) if not name.startswith("_")]
        self.assertEqual(names, sorted(pfnamp.__all__))
        self.assertLess({"Regressor", "Classifier", "PfnampWarning"}, set(names))

    def test_notes_of_predictions(self) -> None:
        """A note while predicting is a warning, at the line that predicts."""
        holes = self.test.copy()
        holes.iloc[1, 2] = np.nan
        with self.assertWarnsRegex(PfnampWarning, 'complete in X of fit: "bmi" .1 row') as caught:
            self.fitted.predict(holes)
        self.assertEqual(caught.filename, __file__)
        with warnings.catch_warnings():
            warnings.simplefilter("error", PfnampWarning)
            between = (self.x[:12] + self.x[12:24].to_numpy()) / 2
            self.fitted.predict(between)  # nothing about the flags of this package
            with self.assertRaises(PfnampWarning):
                self.fitted.predict_interval(holes)

    def test_std(self) -> None:
        """The scale is that of the interval: half of it holds 68 %."""
        mean, std = self.fitted.predict(self.test, return_std=True)
        np.testing.assert_array_equal(mean, self.fitted.predict(self.test))
        limits = self.fitted.predict_interval(self.test, level=0.6826894921370859)
        np.testing.assert_allclose(std, np.diff(limits)[:, 0] / 2, rtol=1e-12)
        wide = self.fitted.predict_interval(self.test, level=0.95)
        self.assertTrue((2 * std < np.diff(wide)[:, 0]).all())

    def test_tables(self) -> None:
        """Several functionals in one run; a frame comes back as it went in."""
        frame = self.fitted.predict_table(self.test, ["mean", "q0.9"], level=0.8)
        names = ["mean", "mean_lo", "mean_hi", "q0.9", "q0.9_lo", "q0.9_hi", "pi_lo", "pi_hi"]
        self.assertEqual(list(frame.columns), names)
        self.assertTrue(frame.index.equals(self.test.index))
        limits = self.fitted.predict_interval(self.test, "q0.9", level=0.8)
        np.testing.assert_array_equal(frame[["q0.9_lo", "q0.9_hi"]], limits)
        arrow = pa.Table.from_pandas(self.test, preserve_index=False)
        got = self.fitted.predict_table(arrow, "mean,q0.9", level=0.8)
        self.assertIsInstance(got, pa.Table)
        np.testing.assert_array_equal(got.to_pandas(), frame)

    @unittest.skipIf(polars is None, "polars is not installed")
    def test_polars(self) -> None:
        """Frames and labels of Polars go in, frames come out."""
        train = polars.DataFrame(self.train[0].to_dict("list"))
        fitted = Regressor(**FAST).fit(train, polars.Series(self.train[1]))
        rows = polars.DataFrame(self.test.to_dict("list"))
        got = fitted.predict_table(rows)
        self.assertIsInstance(got, polars.DataFrame)
        np.testing.assert_array_equal(got["mean"].to_numpy(), self.fitted.predict(self.test))
        self.assertIsInstance(fitted.summary(rows), polars.DataFrame)

    def test_summary(self) -> None:
        group = np.where(np.arange(12) % 3 == 0, "south", "north")
        got = self.fitted.summary(
            self.test, by=group, contrast=["north - south", "row 1 - row 2"], functional="mean"
        )
        self.assertIsInstance(got, pd.DataFrame)
        kinds = ["all", "south", "north", "north - south", "row 1 - row 2"]
        self.assertEqual(list(got["of"]), kinds)
        mean = self.fitted.predict(self.test)
        north, south = mean[group == "north"].mean(), mean[group == "south"].mean()
        want = [mean.mean(), south, north, north - south, mean[0] - mean[1]]
        np.testing.assert_allclose(got["mean"], want, rtol=1e-9)
        self.assertTrue((got["mean_lo"] < got["mean_hi"]).all())
        column = self.fitted.summary(self.test, by="sex", level=0.5)
        self.assertEqual(len(column), 1 + self.test["sex"].nunique())
        with self.assertRaisesRegex(ValueError, "X has no column 'town'"):
            self.fitted.summary(self.test, by="town")
        with self.assertRaisesRegex(ValueError, "by has 2 values, but X has 12 rows"):
            self.fitted.summary(self.test, by=["a", "b"])

    def test_parameters(self) -> None:
        """Parameters reach the program."""
        shown = Regressor(**FAST, level=0.5).fit(*self.train)
        np.testing.assert_array_equal(
            shown.predict_interval(self.test), self.fitted.predict_interval(self.test, level=0.5)
        )
        bounded = Regressor(**FAST, target_values="0:").fit(self.x[:100], self.y[:100] - 24.9)
        free = Regressor(**FAST, target_values="any").fit(self.x[:100], self.y[:100] - 24.9)
        low = [m.predict_quantiles(self.test, 0.001).min() for m in (bounded, free)]
        self.assertGreaterEqual(low[0], 0)
        self.assertLess(low[1], 0)
        for name in ("target_values", "dates", "repeated", "posterior", "predictive", "missing"):
            with self.assertRaisesRegex(InputError, f"^{name} .nonsense"):
                Regressor(**FAST, **{name: "nonsense"}).fit(*self.train)
        with self.assertRaisesRegex(InputError, "^level 90 .*\n90 % is level 0.9"):
            Regressor(**FAST, level=90).fit(*self.train)

    def test_columns_by_name(self) -> None:
        """keep_feature, group and allow_new reach the program."""
        rng = np.random.default_rng(2)
        person = np.repeat(np.arange(25), 4)
        x = pd.DataFrame({"a": rng.normal(size=100), "person": [f"p{k}" for k in person]})
        x["town"] = np.array(["Oslo", "Rome"])[person % 2]
        y = x["a"] + rng.normal(size=25)[person] + 0.1 * rng.normal(size=100)
        x["code"] = [chr(97 + k // 26) + chr(97 + k % 26) for k in range(100)]
        with self.assertWarnsRegex(PfnampWarning, 'column "code" is left out.* keep_feature code'):
            Regressor(**FAST).fit(x, y)
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            Regressor(**FAST, keep_feature=["code"]).fit(x, y)
        self.assertNotIn("left out", "".join(str(w.message) for w in told))
        x = x.drop(columns="code")
        plain = Regressor(**FAST).fit(x.drop(columns="person"), y)
        grouped = Regressor(**FAST, group="person").fit(x, y)
        np.testing.assert_array_equal(plain.predict(x.drop(columns="person")), grouped.predict(x))
        widths = [
            m.summary(q)["mean_hi"][0] - m.summary(q)["mean_lo"][0]
            for m, q in ((plain, x.drop(columns="person")), (grouped, x))
        ]
        self.assertGreater(widths[1], widths[0])
        self.assertEqual(len(grouped.importance()), 2)
        late = Regressor(**FAST).fit(x, y).set_params(group="person")
        with self.assertRaisesRegex(ValueError, "group was set after fit: call fit again"):
            late.summary(x)
        new = x.assign(town="Paris")
        with self.assertRaisesRegex(InputError, "100 of 100 rows.*\n.*unknown with allow_new"):
            grouped.predict(new)
        with self.assertWarnsRegex(PfnampWarning, '100 cells with a category.*"Paris"'):
            grouped.set_params(allow_new=True).predict(new)

    def test_conformal(self) -> None:
        fitted = Regressor(**FAST, predictive="conformal").fit(*self.train)
        label = fitted.predict_interval(self.test, kind="predictive")
        plain = self.fitted.predict_interval(self.test, kind="predictive")
        self.assertTrue((label != plain).any())
        table = pickle.loads(pickle.dumps(fitted)).predict_table(self.test)
        np.testing.assert_array_equal(table[["pi_lo", "pi_hi"]], label)
        np.testing.assert_array_equal(table["mean"], self.fitted.predict(self.test))
        late = Regressor(**FAST).fit(*self.train).set_params(predictive="conformal")
        with self.assertRaisesRegex(ValueError, "set to .conformal. after fit: call fit again"):
            late.predict_table(self.test)

    def test_weights_are_refused(self) -> None:
        weights = np.ones(100)
        for estimator, key in (
            (Regressor(**FAST), "sample_weight"),
            (make_pipeline(StandardScaler(), Regressor(**FAST)), "regressor__sample_weight"),
        ):
            with self.assertRaisesRegex(TypeError, "sample_weight is not supported: .* resample"):
                estimator.fit(*self.train, **{key: weights})
        with self.assertRaisesRegex(TypeError, "unexpected keyword argument 'weight'"):
            Classifier(**FAST).fit(*self.train, weight=weights)

    def test_messages(self) -> None:
        """Parameters, X and y, and no flag, file or remedy of the command line."""
        with self.assertRaisesRegex(InputError, "^subsample 1 is less than 2"):
            Regressor(**FAST, subsample=1).fit(*self.train)
        texts = self.test.astype({"bp": str})
        texts.iloc[2, 3] = "abc"
        with self.assertRaises(InputError) as caught:
            self.fitted.predict(texts)
        told = str(caught.exception)
        self.assertRegex(told, r'^X: row 3: column "bp": "abc" is not a number')
        self.assertRegex(told, "numeric in X of fit")
        self.assertNotRegex(told, "stdin|--")
        far = self.test * [1, 1, 9, *[1] * 7]
        with self.assertWarnsRegex(PfnampWarning, 'X: column "bmi": .* the range of X of fit'):
            self.fitted.predict(far)

    def test_flags_in_messages(self) -> None:
        """Notes propose parameters and what to do with X, and no flag."""
        n = len(self.train[1])
        x = self.train[0].assign(
            text=[str(k % 7) for k in range(n)],
            half=[str(k % 7) if k % 3 else "bad" for k in range(n)],
            twins=[["A", "a ", "b"][k % 3] for k in range(n)],
            truth=[["true", "false", "perhaps"][k % 3] for k in range(n)],
            many=[f"name {k // 2 if k < 40 else k}" for k in range(n)],
            leak=2 * self.train[1],
        )
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            Regressor(**FAST).fit(x, self.train[1])
        told = "\n".join(str(w.message) for w in caught)
        self.assertNotRegex(told, '--|"target"')
        for want in (
            '"text" .* every value is a number: convert "text" to numbers$',
            '"half" .* not numbers, .*; convert "half" to numbers$',
            '"twins" .*; write them alike$',
            '"truth" .*: write them alike$',
            '"many" .* identifiers, drop "many"$',
            '"leak" determines y alone: .*, drop "leak"; or keep it: keep_feature leak$',
        ):
            self.assertRegex(told, re.compile(want, re.MULTILINE))
        with self.assertRaisesRegex(
            InputError, '"pixels": .* binary are not supported\ndrop "pixels"'
        ):
            Regressor(**FAST).fit(x.assign(pixels=b"ab"), self.train[1])

    def test_rows_of_another_index(self) -> None:
        """Rows are matched by position; a warning says so if pandas labels them otherwise."""
        rows = self.x[:40].rename(lambda k: f"r{k}")
        y = pd.Series(self.y[:40], index=rows.index)
        fitted = Regressor(**FAST)
        new = y.reset_index(drop=True)
        for x, beside in ((rows, y), (rows, new), (rows, y.to_numpy()), (rows.to_numpy(), y[::-1])):
            with warnings.catch_warnings():
                warnings.simplefilter("error", PfnampWarning)
                fitted.fit(x, beside)
        fitted.fit(rows, y)
        for call in (
            lambda: fitted.fit(rows, y[::-1]),
            lambda: Regressor(**FAST).fit(rows.reset_index(drop=True), new[::-1]),
            lambda: fitted.fit(rows, y.rename(str.upper)),
            lambda: Classifier(**FAST).fit(rows, (y > 140)[::-1]),
            lambda: fitted.score(rows, y[::-1]),
        ):
            with self.assertWarnsRegex(
                PfnampWarning, r"pass y.loc\[X.index\], else y.to_numpy\(\)$"
            ):
                call()
        for name, call in (
            ("by", lambda by: fitted.summary(rows, by=by)),
            ("sample_weight", lambda weight: fitted.score(rows, y, sample_weight=weight)),
        ):
            with self.assertWarnsRegex(PfnampWarning, rf"pass {name}.loc\[X.index\]"):
                call(y[::-1].round(-2))

    def test_classes(self) -> None:
        labels = np.where(self.y > 140, "high", "low")
        fitted = Classifier(**FAST).fit(self.x[:100], labels[:100])
        table = fitted.predict_table(self.test)
        self.assertEqual(list(table["class"]), list(fitted.predict(self.test)))
        np.testing.assert_array_equal(table[["p=high", "p=low"]], fitted.predict_proba(self.test))
        got = fitted.summary(self.test, contrast="row 1 - row 2")
        self.assertEqual(got.columns[2], "p=high")
        for name in ("predictive", "target_values"):
            with self.assertRaisesRegex(ValueError, f"{name} is for numbers"):
                Classifier(**{name: "any"}).fit(self.x[:100], labels[:100])
