"""The estimators, as users of scikit-learn meet them."""

import json
import pickle
import tempfile
import unittest
import warnings
from datetime import time
from decimal import Decimal
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
from pfnamp import Classifier, InputError, PfnampWarning, ProgramError, Regressor
from pfnamp._program import run
from sklearn.datasets import load_diabetes, load_iris
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

FAST = {"members": 1, "threads": 1}


class RegressorTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        cls.x, y = load_diabetes(return_X_y=True, as_frame=True)
        cls.y = y.to_numpy()
        cls.fitted = Regressor(**FAST).fit(cls.x[:150], cls.y[:150])
        cls.test = cls.x[150:170]
        cls.mean = cls.fitted.predict(cls.test)

    def test_predicts(self) -> None:
        self.assertEqual(self.mean.shape, (20,))
        self.assertGreater(np.corrcoef(self.mean, self.y[150:170])[0, 1], 0.4)
        self.assertEqual(list(self.fitted.feature_names_in_), list(self.x.columns))

    def test_score(self) -> None:
        """The score is that of the column mean, which is what predict returns."""
        y = self.y[150:170]
        want = 1 - ((y - self.mean) ** 2).sum() / ((y - y.mean()) ** 2).sum()
        self.assertAlmostEqual(self.fitted.score(self.test, y), want, places=12)
        table = self.x[:170].assign(target=self.y[:170])
        with tempfile.TemporaryDirectory() as folder:
            known, asked = Path(folder, "known.csv"), Path(folder, "asked.csv")
            table[:150].to_csv(known, index=False)
            table[150:].to_csv(asked, index=False)
            words = ["predict", known, asked, "-y", "target", "--members", "1"]
            told, _ = run([*map(str, words), "-o", str(Path(folder, "o.csv"))])
        self.assertAlmostEqual(json.loads(told)["scores"]["r2"], want, places=6)

    def test_effects(self) -> None:
        table = self.fitted.effects(["bmi", ("bmi", "sex")])
        alone = table[table.column2.isna()]
        self.assertEqual(set(table.column), {"bmi"})
        self.assertTrue((alone.mean_band_lo <= alone.mean_lo).all())
        self.assertTrue((alone.mean_lo <= alone["mean"]).all())
        self.assertGreater(alone["mean"].iloc[-1], alone["mean"].iloc[0] + 30)
        with self.assertRaisesRegex(InputError, "bmo"):
            self.fitted.effects(["bmo"])

    def test_treatment(self) -> None:
        """A column that adds 80 to half of the rows; another one that says nothing."""
        random = np.random.default_rng(1)
        x = self.x[:150].assign(arm=random.permutation(["a", "b"] * 75))
        y = self.y[:150] + 80 * (x.arm == "b")
        fitted = Regressor(**FAST).fit(x, y)
        table = fitted.treatment("arm", level=0.8).set_index("of")
        self.assertEqual(list(table.index[:3]), ["a", "b", "b - a"])
        effect = table.loc["b - a"]
        self.assertTrue(effect.mean_lo < 80 < effect.mean_hi and effect.mean_lo > 20)
        self.assertGreater(effect.mean_above0, 0.99)
        wider = fitted.treatment("arm", level=0.95).set_index("of").loc["b - a"]
        self.assertLess(wider.mean_lo, effect.mean_lo)
        groups = fitted.treatment("arm", group_by="sex")
        self.assertEqual(len(groups), 7)
        self.assertRegex(groups.of.iloc[-1], "^b - a, sex = ")
        self.assertLess(groups.mean_lo.iloc[-1], 80)
        self.assertGreater(groups.mean_hi.iloc[-1], 80)
        with self.assertRaisesRegex(InputError, "army"):
            fitted.treatment("army")
        with self.assertRaisesRegex(InputError, "bmi"):
            fitted.treatment("bmi")

    def test_changed(self) -> None:
        """Rows as they would be are predicted as rows that are so."""
        with self.assertWarnsRegex(
            PfnampWarning, "causal effect. To adjust for other columns, use treatment"
        ):
            changed = self.fitted.predict_changed(self.test, ["bmi+0.05", "s5=0"])
        self.assertTrue(changed.index.equals(self.test.index))
        np.testing.assert_array_equal(changed["mean"], self.mean)
        moved = self.test.assign(bmi=self.test.bmi + 0.05, s5=0.0)
        np.testing.assert_allclose(changed.mean_set, self.fitted.predict(moved), rtol=1e-12)
        np.testing.assert_allclose(changed.mean_diff, changed.mean_set - changed["mean"])
        self.assertTrue((changed.mean_diff_lo <= changed.mean_diff_hi).all())
        self.assertTrue(changed.mean_diff_above0.between(0, 1).all())
        with self.assertWarns(PfnampWarning):
            alone = self.fitted.predict_changed(
                self.test, "bmi+0.05", functional="p>150", level=0.5
            )
        self.assertIn("p>150_diff", alone.columns)
        with self.assertRaisesRegex(InputError, "bmo"):
            self.fitted.predict_changed(self.test, "bmo*2")

    def test_intervals(self) -> None:
        credible = self.fitted.predict_interval(self.test)
        label = self.fitted.predict_interval(self.test, kind="predictive")
        narrow = self.fitted.predict_interval(self.test, level=0.5)
        self.assertEqual(credible.shape, (20, 2))
        self.assertTrue((credible[:, 0] < self.mean).all() and (self.mean < credible[:, 1]).all())
        self.assertTrue((np.diff(narrow) < np.diff(credible)).all())
        self.assertGreater(np.mean(np.diff(label) / np.diff(credible)), 1)
        shares = self.fitted.predict_interval(self.test, "p>150", level=0.8)
        self.assertTrue(((shares >= 0) & (shares <= 1)).all())
        with self.assertRaisesRegex(ValueError, "kind is 'confidence'"):
            self.fitted.predict_interval(self.test, kind="confidence")
        with self.assertRaisesRegex(InputError, "level"):
            self.fitted.predict_interval(self.test, level=1.5)

    def test_missing_labels(self) -> None:
        """Rows without a number are left out, with a note and a count."""
        y = self.y[:40].copy()
        y[[3, 7]] = np.nan
        with self.assertWarnsRegex(PfnampWarning, "2 of 40 rows .* left out"):
            holes = Regressor(**FAST).fit(self.x[:40], y)
        known = ~np.isnan(y)
        full = Regressor(**FAST).fit(self.x[:40][known], y[known])
        np.testing.assert_array_equal(holes.predict(self.test), full.predict(self.test))

    def test_quantiles(self) -> None:
        three = self.fitted.predict_quantiles(self.test, (0.1, 0.5, 0.9))
        self.assertEqual(three.shape, (20, 3))
        self.assertTrue((np.diff(three) > 0).all())
        one = self.fitted.predict_quantiles(self.test, 0.5)
        np.testing.assert_array_equal(one[:, 0], three[:, 1])
        limits = self.fitted.predict_interval(self.test, kind="predictive", level=0.8)
        np.testing.assert_allclose(limits, three[:, [0, 2]], rtol=1e-12)

    def test_distribution(self) -> None:
        """Numbers of the label's own distribution, which is that of the predictive interval."""
        frame = self.fitted.predict_distribution(self.test, ("q0.25", "q0.75", "sd", "p>150"))
        self.assertEqual(list(frame.columns), ["q0.25", "q0.75", "sd", "p>150"])
        self.assertTrue((frame.index == self.test.index).all())
        limits = self.fitted.predict_interval(self.test, kind="predictive", level=0.5)
        np.testing.assert_array_equal(frame[["q0.25", "q0.75"]].to_numpy(), limits)
        draws = self.fitted.sample_y(self.test, 400)
        self.assertEqual(draws.shape, (20, 400))
        np.testing.assert_array_equal(draws[:, :3], self.fitted.sample_y(self.test, 3))
        np.testing.assert_allclose(draws.std(axis=1), frame["sd"], rtol=0.2)
        above = (draws > 150).mean(axis=1)
        np.testing.assert_allclose(above, frame["p>150"], atol=0.1)
        with self.assertRaisesRegex(InputError, "q2"):
            self.fitted.predict_distribution(self.test, "q2")

    def test_importance(self) -> None:
        """A linear column is important, and a column of noise is not."""
        x = self.x[["bmi", "bp"]].iloc[:60].assign(dice=np.random.default_rng(1).normal(size=60))
        fitted = Regressor(**FAST).fit(x, 100 * x["bmi"] + x["bp"])
        with warnings.catch_warnings():
            warnings.simplefilter("error", PfnampWarning)
            frame = fitted.importance(level=0.8).set_index("column")
        self.assertEqual(frame.index[0], "bmi")
        self.assertGreater(frame.loc["bmi", "above_noise"], 0.99)
        self.assertLess(abs(frame.loc["dice", "share"]), 0.05)
        self.assertTrue((frame["share_lo"] <= frame["share_hi"]).all())
        arrays = Regressor(**FAST).fit(x.to_numpy(), 100 * x["bmi"] + x["bp"]).importance(level=0.8)
        self.assertEqual(arrays.column("share").to_pylist(), frame["share"].to_list())
        with self.assertRaisesRegex(InputError, "correlated 2 is not between 0 and 1"):
            fitted.importance(correlated=2)

    def test_pickle(self) -> None:
        """A pickle holds the state: nothing is fitted again, and no bit differs."""
        copy = pickle.loads(pickle.dumps(self.fitted))
        self.assertEqual(copy.state_, self.fitted.state_)
        np.testing.assert_array_equal(copy.predict(self.test), self.mean)

    def test_half(self) -> None:
        half = Regressor(**FAST, half=True).fit(self.x[:150], self.y[:150])
        self.assertLess(len(half.state_), 0.6 * len(self.fitted.state_))
        np.testing.assert_allclose(half.predict(self.test), self.mean, rtol=0.01)

    def test_array_is_frame(self) -> None:
        """Names and containers of numbers make no difference."""
        array = Regressor(**FAST).fit(self.x[:150].to_numpy(), self.y[:150])
        np.testing.assert_array_equal(array.predict(self.test.to_numpy()), self.mean)
        arrow = Regressor(**FAST).fit(pa.Table.from_pandas(self.x[:150]), self.y[:150])
        np.testing.assert_array_equal(arrow.predict(pa.Table.from_pandas(self.test)), self.mean)

    def test_columns_by_place(self) -> None:
        """A frame after an array, and the other way round, as scikit-learn takes them."""
        with self.assertWarnsRegex(UserWarning, "does not have valid feature names"):
            got = self.fitted.predict(self.test.to_numpy())
        np.testing.assert_array_equal(got, self.mean)
        array = Regressor(**FAST).fit(self.x[:150].to_numpy(), self.y[:150])
        with self.assertWarnsRegex(UserWarning, "has feature names"):
            got = array.predict(self.test)
        np.testing.assert_array_equal(got, self.mean)
        other = self.fitted.predict(pa.Table.from_pandas(self.test, preserve_index=False))
        np.testing.assert_array_equal(other, self.mean)

    def test_views(self) -> None:
        """Polars has dictionaries of another type of text, whose nulls are missing."""
        views = pa.array(["low", "high"], pa.string_view())
        codes = pa.array([None, *(self.y > 140).astype(int)[1:].tolist()], pa.int32())
        group = [None, *np.where(self.y > 140, "high", "low")[1:]]
        table, texts = (
            pa.table({"group": column, "age": self.x["age"]})
            for column in (pa.DictionaryArray.from_arrays(codes, views), group)
        )
        got, want = (
            Regressor(**FAST).fit(t[:150], self.y[:150]).predict(t[150:170]) for t in (table, texts)
        )
        np.testing.assert_array_equal(got, want)

    def test_kinds_of_columns(self) -> None:
        """Categories, texts, truth values, dates and what is missing."""
        group = np.where(self.y > 140, "high", "low")
        n = len(self.y)
        x = pd.DataFrame({"group": pd.Categorical(group), "one": np.ones(n)})
        x["text"] = group
        x["code"] = pd.Series(np.where(self.y > 140, 7, 3)).astype("category")
        x["flag"] = self.y > 140
        x["day"] = pd.Timestamp("2026-01-01") + pd.to_timedelta(np.arange(n), unit="D")
        x["age"] = self.x["age"].where(np.arange(n) % 5 > 0)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", PfnampWarning)
            fitted = Regressor(**FAST).fit(x[:150], self.y[:150])
        unseen = x[150:170].reset_index(drop=True)
        first = fitted.predict(unseen)
        self.assertGreater(np.corrcoef(first, self.y[150:170])[0, 1], 0.6)
        unseen["flag"] = unseen["flag"].astype("boolean")
        unseen.loc[0, ["group", "text", "code"]] = None  # which the flag still tells
        self.assertAlmostEqual(fitted.predict(unseen)[0], first[0], places=6)
        unseen.loc[0, "flag"] = pd.NA
        self.assertNotEqual(fitted.predict(unseen)[0], first[0])
        np.testing.assert_array_equal(fitted.predict(unseen)[1:], first[1:])

    def test_columns_as_others(self) -> None:
        """A column is read as another one is: months as the times at which they begin."""
        months = pd.period_range("2001-01", periods=150, freq="M")
        high = self.y[:150] > 140
        mixed = np.array(["car" if h else 2 for h in high], dtype=object)
        age = self.x["age"][:150].round(3)
        parts = pd.cut(age, 3)
        bands = [str(part) for part in parts]
        for column, other in (
            (months, months.to_timestamp()),
            (mixed, np.where(high, "car", "2")),
            ([Decimal(1) if h else 2.5 for h in high], np.where(high, 1, 2.5)),
            (pd.Categorical(mixed), np.where(high, "car", "2")),
            (parts, bands),
            (pd.to_timedelta(age + 2, unit="h"), 3600 * (age + 2)),
            ([time(second=7 * h) for h in high], 7.0 * high),
        ):
            with warnings.catch_warnings(), self.subTest(column=column):
                warnings.simplefilter("ignore", PfnampWarning)
                got, want = (
                    Regressor(**FAST).fit(t, self.y[:150]).predict(t)
                    for c in (column, other)
                    for t in [pd.DataFrame({"c": c, "bmi": self.x["bmi"][:150]})]
                )
                np.testing.assert_array_equal(got, want)

    def test_seed(self) -> None:
        """The rows of a subsample are drawn by it; the posterior of the default model is not."""
        first, again, other = (
            Regressor(**FAST, subsample=100, random_state=seed)
            .fit(self.x[:150], self.y[:150])
            .predict_interval(self.test)
            for seed in (1, 1, 2)
        )
        np.testing.assert_array_equal(again, first)
        self.assertTrue((other != first).any())

    def test_precision(self) -> None:
        """float32 is the default; 8-bit products change little, or are an error that says why."""
        x, y, test = self.x[:150], self.y[:150], self.test
        same = Regressor(**FAST, precision="float32").fit(x, y)
        np.testing.assert_array_equal(same.predict(test), self.mean)
        auto = Regressor(**FAST, precision="auto").fit(x, y).predict(test)
        np.testing.assert_allclose(auto, self.mean, atol=0.1 * y.std())
        try:
            eight = Regressor(**FAST, precision="int8", predictive="conformal").fit(x, y)
        except ProgramError as error:
            self.assertRegex(str(error), "precision .*8-bit")
            np.testing.assert_array_equal(auto, self.mean)
        else:
            np.testing.assert_array_equal(eight.predict(test), auto)
            self.assertTrue((auto != self.mean).any())
            self.assertEqual(eight.predict_interval(test, kind="predictive").shape, (20, 2))
        with self.assertRaisesRegex(InputError, 'precision "int4".*float32, int8, auto'):
            Regressor(**FAST, precision="int4").fit(x, y)

    def test_selection(self) -> None:
        few, y = self.x[:90], self.y[:90]
        pipeline = make_pipeline(StandardScaler(), Regressor(**FAST))
        scores = cross_val_score(pipeline, few, y, cv=2)
        self.assertTrue((scores > 0).all(), scores)
        names = few.assign(name=[f"p{k:02d}" for k in range(90)])
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            cross_val_score(Regressor(**FAST), names[:89], y[:89], cv=3)  # of 59 and 60 rows
        self.assertEqual(sum("left out" in str(w.message) for w in told), 1)
        grid = GridSearchCV(Regressor(**FAST), {"subsample": [10, None]}, cv=2).fit(few, y)
        self.assertEqual(grid.best_params_, {"subsample": None})

    def test_errors(self) -> None:
        with self.assertRaisesRegex(InputError, "201 features: .* takes 1 to 200"):
            wide = np.zeros((60, 201)) + np.arange(201)
            Regressor(subsample=60).fit(wide, np.arange(60))  # without trees, which choose features
        with self.assertRaisesRegex(ProgramError, "nowhere"):
            Regressor(model="nowhere").fit(self.x[:20], self.y[:20])
        with self.assertRaisesRegex(ValueError, "cannot read a column of X.*mixed"):
            Regressor().fit(pd.DataFrame({"mixed": [1, "a", {}]}), [1, 2, 3])
        with self.assertRaisesRegex(ValueError, "one"):
            self.fitted.predict_interval(self.test, "mean,q0.9")
        for y in (np.where(self.y > 140, "high", "low"), [*self.y[:-1], "high"]):
            with self.assertRaisesRegex(
                ValueError, "^y holds the text '[a-z]*', .*use Classifier$"
            ):
                Regressor().fit(self.x, y)
        with self.assertRaisesRegex(ValueError, "y holds times"):
            Regressor().fit(self.x, pd.date_range("2026-01-01", periods=len(self.x)))


class ClassifierTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        x, y = load_iris(return_X_y=True)
        order = np.random.default_rng(1).permutation(len(y))
        cls.x, cls.y = x[order], np.array(["setosa", "versicolor", "virginica"])[y[order]]

    def test_predicts(self) -> None:
        fitted = Classifier(**FAST).fit(self.x[:100], self.y[:100])
        shares = fitted.predict_proba(self.x[100:])
        self.assertEqual(shares.shape, (50, 3))
        np.testing.assert_allclose(shares.sum(axis=1), 1)
        self.assertGreater(fitted.score(self.x[100:], self.y[100:]), 0.9)
        limits = fitted.predict_interval(self.x[100:])
        self.assertEqual(limits.shape, (50, 3, 2))
        self.assertTrue((limits[..., 0] <= limits[..., 1]).all())
        draws = fitted.sample_y(self.x[100:], 300)
        self.assertEqual(draws.shape, (50, 300))
        often = np.stack([(draws == label).mean(axis=1) for label in fitted.classes_], axis=1)
        np.testing.assert_allclose(often, shares, atol=0.12)
        copy = pickle.loads(pickle.dumps(fitted))
        np.testing.assert_array_equal(copy.predict(self.x), fitted.predict(self.x))

    def test_missing_labels(self) -> None:
        """Rows without a label are left out, with a note and a count."""
        known = np.ones(60, dtype=bool)
        known[[3, 7, 20]] = False
        full = Classifier(**FAST).fit(self.x[:60][known], self.y[:60][known])
        want = full.predict_proba(self.x[60:])
        for absent in (None, np.nan, pd.NA):
            y = self.y[:60].astype(object)
            y[~known] = absent
            with self.assertWarnsRegex(
                PfnampWarning, "3 of 60 rows of X lack a value of y: these rows are left out$"
            ):
                holes = Classifier(**FAST).fit(self.x[:60], y)
            self.assertEqual(list(holes.classes_), list(full.classes_))
            np.testing.assert_array_equal(holes.predict_proba(self.x[60:]), want)
        with self.assertRaisesRegex(ValueError, "all labels of y are missing"):
            Classifier(**FAST).fit(self.x[:60], np.full(60, None))

    def test_any_labels(self) -> None:
        for labels in (self.y == "setosa", np.where(self.y == "setosa", -1.0, 10.0)):
            fitted = Classifier(**FAST).fit(self.x[:60], labels[:60])
            self.assertEqual(fitted.predict(self.x[60:]).dtype, labels.dtype)
            self.assertGreater(fitted.score(self.x[60:], labels[60:]), 0.9)

    def test_messages_name_the_labels(self) -> None:
        with self.assertWarnsRegex(PfnampWarning, 'the label "bird" is in one row only'):
            Classifier(**FAST).fit(self.x[:41], ["bird", *["cat", "dog"] * 20])
        with self.assertRaisesRegex(InputError, 'every row has the label "bird"'):
            Classifier(**FAST).fit(self.x[:20], ["bird"] * 20)
        with self.assertRaisesRegex(ValueError, "one"):
            fitted = Classifier(**FAST, posterior="auto,limit").fit(self.x[:60], self.y[:60])
            fitted.predict_interval(self.x[60:])

    def test_messages_name_the_columns(self) -> None:
        """As the caller does, also a column whose name looks like a label of this package."""
        for names, want in (
            (["c0", "c1", "c2", "c3"], '"c2": .*range'),
            (["a", "b", "⟨2", "d"], '"⟨2": .*range'),
            ([1, 2, 3, 4], r"X\[3\]: .*range"),
            (None, r"X\[:, 2\]: .*range"),
        ):
            x = self.x if names is None else pd.DataFrame(self.x, columns=names)
            fitted = Classifier(**FAST).fit(x[:60], self.y[:60])
            with self.assertWarnsRegex(PfnampWarning, f"^X: column {want}"):
                fitted.predict(x[60:] * [1, 1, 9, 1])
        with self.assertRaisesRegex(InputError, 'the columns are "x0", "x1", "x2", "x3"$'):
            fitted.effects(["sepal"])
