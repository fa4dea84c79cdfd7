"""Forecasts of series in time."""

import unittest

import numpy as np
import pandas as pd
import pfnamp
import pyarrow as pa

MONTHS = pd.date_range("2018-01-01", periods=60, freq="MS")
VALUES = 50 + np.arange(60) + 10 * np.sin(2 * np.pi * np.arange(60) / 12)


class ForecastTest(unittest.TestCase):
    def test_goes_on(self) -> None:
        frame = pd.DataFrame({"month": MONTHS, "sold": VALUES})
        told = pfnamp.forecast(frame, "sold", horizon=6, origins=4)
        self.assertEqual(list(told.columns), ["month", "horizon", "forecast", "pi_lo", "pi_hi"])
        self.assertEqual(
            told.month.dt.strftime("%Y-%m").tolist(), [f"2023-0{i}" for i in range(1, 7)]
        )
        steps = np.arange(60, 66)
        np.testing.assert_allclose(
            told.forecast, 50 + steps + 10 * np.sin(2 * np.pi * steps / 12), atol=5
        )
        self.assertTrue((told.pi_lo <= told.forecast).all() and (told.forecast <= told.pi_hi).all())

    def test_several_series(self) -> None:
        table = pa.table(
            {
                "shop": ["a"] * 60 + ["b"] * 60,
                "at": [*range(60)] * 2,
                "sold": np.concatenate([VALUES, 2 * VALUES]),
            }
        )
        told = pfnamp.forecast(
            table, "sold", time="at", series="shop", season=12, horizon=2, origins=2
        )
        self.assertEqual(told["shop"].to_pylist(), ["a", "a", "b", "b"])
        self.assertEqual(told["at"].to_pylist(), [60, 61, 60, 61])

    def test_times_in_the_index(self) -> None:
        """The index of pandas is the column of times, and that of the answer."""
        frame = pd.DataFrame({"sold": VALUES, "month": MONTHS})
        want = pfnamp.forecast(frame, "sold", horizon=2, origins=2).set_index("month")
        named = frame.set_index("month")
        for table, target in (
            (named.sold, None),
            (named, "sold"),
            (pd.Series(VALUES, MONTHS), None),
            (pd.Series(VALUES, pd.period_range("2018-01", periods=60, freq="M")), "sold"),
        ):
            got = pfnamp.forecast(table, target, horizon=2, origins=2)
            pd.testing.assert_frame_equal(got, want, check_names=False)
        years = pfnamp.forecast(pd.Series(VALUES, range(1960, 2020)), horizon=2, origins=2)
        self.assertEqual(years.index.tolist(), [2020, 2021])
        shops = pd.concat({"a": named, "b": 2 * named}, names=["shop"])
        got = pfnamp.forecast(shops, "sold", series="shop", horizon=2, origins=2)
        pd.testing.assert_frame_equal(got.loc["a"], want)

    def test_refusals_speak_of_parameters(self) -> None:
        frame = pd.DataFrame({"month": [*MONTHS] * 2, "sold": [*VALUES] * 2})
        with self.assertRaisesRegex(pfnamp.InputError, "same time(.|\n)*series="):
            pfnamp.forecast(frame, "sold")
        with self.assertRaisesRegex(
            pfnamp.InputError, "column of table to predict: target=COLUMN$"
        ):
            pfnamp.forecast(frame)
        with self.assertRaisesRegex(pfnamp.InputError, "^target and time name the same column"):
            pfnamp.forecast(frame, "sold", time="sold")
        with self.assertRaisesRegex(pfnamp.ProgramError, "nowhere") as caught:
            pfnamp.forecast(frame, "sold", model="nowhere")
        self.assertNotIn("--", str(caught.exception))
